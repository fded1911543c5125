//! Numbers held at or above, or at or below, a bound: what lies beyond is moved to it.

use super::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::{Comparison, Rational};

impl Law {
    /// `max(X, bound)`: at least `bound`.
    pub fn max_with(&self, bound: &Rational, meter: &Meter) -> Result<Law, OverBudget> {
        self.held(Comparison::Less, bound, meter)
    }

    /// `min(X, bound)`: at most `bound`.
    pub fn min_with(&self, bound: &Rational, meter: &Meter) -> Result<Law, OverBudget> {
        self.held(Comparison::Greater, bound, meter)
    }

    fn held(&self, beyond: Comparison, at: &Rational, meter: &Meter) -> Result<Law, OverBudget> {
        let [(moved, _), (stays, rest)] = self.split(beyond, at, meter)?;
        match rest {
            None => Ok(Law::constant(at.clone())),
            Some(rest) if moved.is_zero() => Ok(rest),
            Some(rest) => Law::mixture(&[(moved, Law::constant(at.clone())), (stays, rest)], meter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;

    #[test]
    fn an_exploding_die_capped_at_ten_is_finite() {
        let meter = Meter::unlimited();
        let capped = d6_again().min_with(&whole(10), &meter).unwrap();
        assert_eq!(capped.highest(), Some(whole(10)));
        assert_eq!(capped.chance(&whole(10), &meter), Ok(fraction(1, 12)));
        let floored = d6_again().max_with(&fraction(5, 2), &meter).unwrap();
        assert_eq!(floored.lowest(), Some(fraction(5, 2)));
        assert_eq!(floored.chance(&fraction(5, 2), &meter), Ok(fraction(1, 3)));
        assert_eq!(d(6).max_with(&whole(9), &meter), Ok(Law::constant(whole(9))));
    }
}
