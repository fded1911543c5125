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

    fn labels(low: f64, high: f64, most: usize) -> Vec<String> {
        let ticks = ticks(low, high, most, 0.0);
        ticks.at.iter().map(|at| label(*at, ticks.step)).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 13.4, 6), ["0", "5", "10"]);
        assert_eq!(labels(0.0, 13.4, 8), ["0", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(labels(0.0, 0.5, 5), ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(labels(-3.0, 3.0, 7), ["-3", "-2", "-1", "0", "1", "2", "3"]);
        assert_eq!(labels(290.0, 410.0, 6), ["300", "320", "340", "360", "380", "400"]);
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(place(12.0), "12");
        assert_eq!(place(0.126), "0.13");
        assert_eq!(place(-0.001), "0");
    }
}
