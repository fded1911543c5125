//! How lucky an evening was, in words.
//!
//! The sum of the places of some rolls, what it is on average and its variance are exact (`crates/luck`). How many such evenings are less lucky is told
//! from how far the sum is from its mean, by the bell curve, to which sums of places come close after a few rolls: so it says "about".

use astragal::Rational;

use crate::decimal::{float, root};

/// Fewer rolls than this tell of each roll, and not of an evening.
const FEW: u64 = 5;

/// How many standard deviations a sum lies above its mean; to three places.
pub fn deviations(sum: &Rational, mean: &Rational, variance: &Rational) -> Rational {
    let far = sum - mean;
    if variance.is_zero() {
        return Rational::ZERO;
    }
    // The square is exact; its root is rounded for the eye.
    let size = root(&(&far * &far / variance), 3);
    if far < Rational::ZERO { -size } else { size }
}

/// Of a hundred evenings, about how many lie below so many standard deviations.
pub fn of_a_hundred(deviations: &Rational) -> u32 {
    (below(float(deviations)) * 100.0).round() as u32
}

/// A few words on an evening of so many rolls.
pub fn in_words(rolls: u64, deviations: &Rational) -> String {
    match (rolls, of_a_hundred(deviations)) {
        (rolls, _) if rolls < FEW => "too few rolls to speak of luck".into(),
        (_, 100) => "luckier than more than 99 of 100 such evenings".into(),
        (_, 0) => "unluckier than more than 99 of 100 such evenings".into(),
        (_, share @ 45..=55) => {
            format!("as lucky as most: luckier than about {share} of 100 such evenings")
        }
        (_, share @ 50..) => format!("luckier than about {share} of 100 such evenings"),
        (_, share) => format!("unluckier than about {} of 100 such evenings", 100 - share),
    }
}

/// What the words mean, for people.
pub const MEANING: &str = "Each roll is placed among all results that it could have had: 0 the worst, 1 the best, a half on average, whatever the rule. \
The places are added up, and the sum is held against what that many rolls come to. More counts as luckier, and a yes as more than a no.";

/// The chance below so many standard deviations, by a series that is good to seven places (Abramowitz and Stegun, 26.2.17).
fn below(deviations: f64) -> f64 {
    let size = deviations.abs();
    let t = 1.0 / (1.0 + 0.231_641_9 * size);
    let factors = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let series = factors.iter().fold(0.0, |sum, factor| (sum + factor) * t);
    let beyond = (-size * size / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
    if deviations < 0.0 { beyond } else { 1.0 - beyond }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(top: i32, bottom: u32) -> Rational {
        Rational::from(top) / Rational::from(bottom)
    }

    #[test]
    fn the_bell_curve() {
        for (deviations, share) in [
            (-2.0, 0.022_750_1),
            (-1.0, 0.158_655_3),
            (0.0, 0.5),
            (1.0, 0.841_344_7),
            (2.5, 0.993_790_3),
        ] {
            assert!((below(deviations) - share).abs() < 1e-6, "{deviations}");
        }
    }

    #[test]
    fn words() {
        let told = |rolls, deviations| in_words(rolls, &deviations);
        assert_eq!(told(4, ratio(3, 1)), "too few rolls to speak of luck");
        assert_eq!(told(20, ratio(1, 1)), "luckier than about 84 of 100 such evenings");
        assert_eq!(told(20, ratio(-1, 1)), "unluckier than about 84 of 100 such evenings");
        assert_eq!(
            told(20, ratio(1, 20)),
            "as lucky as most: luckier than about 52 of 100 such evenings"
        );
        assert_eq!(told(20, ratio(5, 2)), "luckier than about 99 of 100 such evenings");
        assert_eq!(told(20, ratio(5, 1)), "luckier than more than 99 of 100 such evenings");
        assert_eq!(told(20, ratio(-5, 1)), "unluckier than more than 99 of 100 such evenings");
    }

    #[test]
    fn how_far() {
        assert_eq!(deviations(&ratio(12, 1), &ratio(10, 1), &ratio(4, 1)), ratio(1, 1));
        assert_eq!(deviations(&ratio(9, 1), &ratio(10, 1), &ratio(1, 4)), ratio(-2, 1));
        assert_eq!(deviations(&ratio(0, 1), &ratio(0, 1), &ratio(0, 1)), ratio(0, 1));
    }
}
