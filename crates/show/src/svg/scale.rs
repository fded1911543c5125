//! Scales: from numbers to places on paper, with ticks at round numbers.

/// A range of numbers and the round numbers within it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// The distance between neighbours: 1, 2 or 5 times a power of ten.
    pub step: f64,
    /// The round numbers.
    pub at: Vec<f64>,
}

/// Ticks from `low` to `high`, at most so many of them, at multiples of a round step that is at least
/// `smallest`.
pub fn ticks(low: f64, high: f64, most: usize, smallest: f64) -> Ticks {
    let span = (high - low).max(f64::MIN_POSITIVE);
    let wanted = (span / most.max(1) as f64).max(smallest);
    let power = 10f64.powf(wanted.log10().floor());
    // A little slack, so that 0.30000000000000004 is no reason for a coarser step.
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= wanted * 0.999_999);
    let step = round.unwrap_or(10.0) * power;
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    Ticks { step, at: (first..=last).map(|at| at as f64 * step).collect() }
}

/// A tick's number without more decimals than its step needs.
pub fn label(value: f64, step: f64) -> String {
    let places = (-step.log10().floor()).max(0.0) as usize;
    let text = format!("{value:.places$}");
    if text.trim_start_matches('-').trim_matches(['0', '.']).is_empty() { "0".into() } else { text }
}

/// A coordinate with two decimals at most.
pub fn place(value: f64) -> String {
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule of the page's own charts: its half of this test is web/tests/ticks.test.mjs.
    const SHARED: &str = include_str!("../../../../web/tests/support/ticks.json");

    #[test]
    fn ticks_are_round_and_those_of_the_page() {
        let known: Vec<serde_json::Value> = serde_json::from_str(SHARED).expect("a list");
        for one in known {
            let number = |name: &str| one[name].as_f64().expect("a number");
            let ticks = ticks(number("low"), number("high"), number("most") as usize, 0.0);
            let labels: Vec<String> = ticks.at.iter().map(|at| label(*at, ticks.step)).collect();
            assert_eq!(serde_json::json!(labels), one["labels"], "{one}");
        }
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(place(12.0), "12");
        assert_eq!(place(0.126), "0.13");
        assert_eq!(place(-0.001), "0");
    }
}
