//! How two fields of a record move together.

use astragal::{Moments, Rational};

use crate::decimal::root;

/// The covariance over the root of the product of the variances; 0 where something never varies.
pub fn correlation(moments: &Moments, a: usize, b: usize) -> Rational {
    let of = |a: usize, b: usize| &moments.covariances[a][b];
    let product = of(a, a) * of(b, b);
    if product.is_zero() {
        return Rational::ZERO;
    }
    // The square of the correlation is exact; its root is rounded only for the eye.
    let square = of(a, b) * of(a, b) / product;
    let size = root(&square, 6);
    if *of(a, b) < Rational::ZERO { -size } else { size }
}

/// Whether two fields are the same in every roll: their difference is nothing on average, and never varies.
pub fn always_equal(moments: &Moments, a: usize, b: usize) -> bool {
    let of = |a: usize, b: usize| &moments.covariances[a][b];
    let twice = of(a, b) + of(a, b);
    moments.means[a] == moments.means[b] && of(a, a) + of(b, b) == twice
}

#[cfg(test)]
mod tests {
    use astragal::{Budget, Engine};

    use super::*;

    #[test]
    fn the_same_odds_are_not_the_same_roll() {
        let text = "let a = d6; {a: a, again: a, other: d6, less: 7 - a}";
        let odds = Engine::new().compile(text).unwrap().odds(&Budget::default()).unwrap();
        let moments = odds.only().moments.clone().unwrap();
        assert!(always_equal(&moments, 0, 1));
        assert!(!always_equal(&moments, 0, 2) && !always_equal(&moments, 0, 3));
        let with_a = |b: usize| correlation(&moments, 0, b).to_string();
        assert_eq!([1, 2, 3].map(with_a), ["1", "0", "-1"]);
    }
}
