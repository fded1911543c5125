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
    let step = round_above((span / most.max(1) as f64).max(smallest));
    Ticks { step, at: multiples(step, low, high) }
}

/// 1, 2, 5, 10, 20 …: the smallest that is at least `wanted`.
pub(crate) fn round_above(wanted: f64) -> f64 {
    let power = 10f64.powi(magnitude(wanted));
    // A little slack, so that 0.30000000000000004 is no reason for a coarser step.
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= wanted * 0.999_999);
    round.unwrap_or(10.0) * power
}

/// The multiples of a step within a range.
pub(crate) fn multiples(step: f64, low: f64, high: f64) -> Vec<f64> {
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|at| at as f64 * step).collect()
}

/// The power of ten of a number's first digit.
fn magnitude(number: f64) -> i32 {
    let mut power = 0;
    while power < 300 && 10f64.powi(power + 1) <= number {
        power += 1;
    }
    while power > -300 && 10f64.powi(power) > number {
        power -= 1;
    }
    power
}

/// A tick's number without more decimals than its step needs.
pub fn label(value: f64, step: f64) -> String {
    let places = (-magnitude(step * 1.000_000_001)).clamp(0, 12);
    let text = decimals(value, places as u32);
    if text.trim_start_matches('-').trim_matches(['0', '.']).is_empty() { "0".into() } else { text }
}

/// A coordinate with two decimals at most.
pub(crate) fn place(value: f64) -> String {
    rounded(value, 2)
}

/// A number with so many decimals at most.
pub fn rounded(value: f64, places: u32) -> String {
    let text = decimals(value, places);
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

/// A number with so many decimals, by whole numbers: what the standard library does for floats is as large as all the rest
/// of a page's charts.
fn decimals(value: f64, places: u32) -> String {
    let unit = 10u64.pow(places);
    let scaled = (value.abs() * unit as f64).round();
    if scaled >= 1e19 {
        return large(value);
    }
    let scaled = scaled as u64;
    let mut text = String::from(if value < 0.0 { "-" } else { "" });
    text += &(scaled / unit).to_string();
    if places > 0 {
        let part = (scaled % unit).to_string();
        text.push('.');
        text.extend(std::iter::repeat_n('0', places as usize - part.len()));
        text += &part;
    }
    text
}

/// A number of twenty digits and more, as its first digits and a power of ten.
fn large(value: f64) -> String {
    if value.is_infinite() {
        return if value < 0.0 { "-∞".into() } else { "∞".into() };
    }
    let power = magnitude(value.abs());
    format!("{}e{power}", rounded(value / 10f64.powi(power), 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_many_digits_are_short() {
        assert_eq!(label(3.5e40, 1e40), "3.5e40");
        assert_eq!(label(-2e19, 1e19), "-2e19");
        assert_eq!(label(6e300, 1e300), "6e300");
        assert_eq!(label(1e18, 1e18), "1000000000000000000");
        assert_eq!(rounded(f64::INFINITY, 2), "∞");
    }

    #[test]
    fn ticks_are_round_and_labels_as_short_as_they_can_be() {
        let labels = |low, high, most| {
            let ticks = ticks(low, high, most, 0.0);
            let labels = ticks.at.iter().map(|at| label(*at, ticks.step));
            labels.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(labels(0.0, 13.4, 6), "0 5 10");
        assert_eq!(labels(0.0, 13.4, 8), "0 2 4 6 8 10 12");
        assert_eq!(labels(0.0, 0.5, 5), "0 0.1 0.2 0.3 0.4 0.5");
        assert_eq!(labels(-3.0, 3.0, 7), "-3 -2 -1 0 1 2 3");
        assert_eq!(labels(290.0, 410.0, 6), "300 320 340 360 380 400");
        assert_eq!(labels(0.0, 100.0, 6), "0 20 40 60 80 100");
        assert_eq!(labels(0.0, 16.67, 6), "0 5 10 15");
        assert_eq!(labels(0.0, 0.0123, 6), "0 0.005 0.010");
        assert_eq!(labels(0.0, 0.74, 6), "0 0.2 0.4 0.6");
        assert_eq!(labels(1000.0, 6000.0, 6), "1000 2000 3000 4000 5000 6000");
        assert_eq!(labels(0.0, 3e-9, 3), "0 0.000000001 0.000000002 0.000000003");
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(place(12.0), "12");
        assert_eq!(place(0.126), "0.13");
        assert_eq!(place(-0.001), "0");
        assert_eq!(place(-12.505), "-12.51");
        assert_eq!(place(f64::NAN), "0");
    }
}
