//! The law of one number: everything that can be known about it before it is thrown.
//!
//! A [`Law`] is finite (a [`Table`] of weights) or endless: a generating function ([`Endless`]), or the
//! solution of an equation for one ([`Grown`]).
//! Operations take *independent* operands. Laws are closed under sums, affine maps, mixtures,
//! conditions and clamps; where an operation has no exact answer for endless laws it says so.
//! Equal laws have equal forms as far as that is cheap, so laws can be keys of a memo.

mod against;
mod clamp;
mod combine;
mod compare;
mod compose;
mod endless;
mod extreme;
mod facts;
mod gathered;
mod grown;
mod listing;
mod mixture;
mod percentile;
mod reduced;
mod rounded;
mod sum;
mod table;

pub use endless::Endless;
pub use facts::Shares;
pub use grown::{Grown, Growth, Moment};
pub use listing::Listing;
pub use table::Table;

use crate::meter::{Meter, OverBudget};
use crate::number::{Integer, Natural, Rational};

/// The law of one number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Law {
    /// Finitely many values.
    Finite(Table),
    /// Infinitely many values, by a quotient of polynomials.
    Endless(Endless),
    /// Infinitely many values, by an equation.
    Grown(Grown),
}

/// Why an operation on laws has no answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LawError {
    /// The answer is too large for the budget.
    OverBudget(OverBudget),
    /// No exact answer is known for these endless laws.
    NoClosedForm,
    /// A number of copies is negative or not whole.
    NotACount(Rational),
}

impl From<OverBudget> for LawError {
    fn from(over: OverBudget) -> Self {
        match over {
            OverBudget::NotKnown => LawError::NoClosedForm,
            OverBudget::Steps | OverBudget::Memory | OverBudget::Time | OverBudget::Cancelled => {
                LawError::OverBudget(over)
            }
        }
    }
}

impl Law {
    /// A number that is certain.
    pub fn constant(value: Rational) -> Law {
        Law::Finite(Table::constant(value))
    }

    /// A fair die with the faces 1 to `sides` (at least one).
    pub fn uniform(sides: u64, meter: &Meter) -> Result<Law, OverBudget> {
        meter.charge(sides)?;
        meter.room(sides.saturating_mul(80))?;
        let size = usize::try_from(sides.max(1)).map_err(|_| OverBudget::Steps)?;
        let table = Table::of_words(1, 1, vec![1u64; size]);
        Ok(Law::Finite(table.unwrap_or_else(|| Table::constant(Rational::ONE))))
    }

    /// The law with these weights; `None` if none is positive.
    pub fn from_weights(weights: impl IntoIterator<Item = (Rational, Natural)>) -> Option<Law> {
        Table::from_weights(weights).map(Law::Finite)
    }

    /// The same for whole numbers.
    pub fn of_whole(mut weights: Vec<(i64, Natural)>) -> Option<Law> {
        weights.sort_unstable_by_key(|(value, _)| *value);
        let (low, high) = (weights.first()?.0, weights.last()?.0);
        let places = usize::try_from(high.abs_diff(low)).ok()?.saturating_add(1);
        if places / 4 > weights.len() {
            let whole = |(value, weight)| (Rational::from(value), weight);
            return Law::from_weights(weights.into_iter().map(whole));
        }
        let mut dense = vec![Natural::ZERO; places];
        for (value, weight) in weights {
            dense[value.abs_diff(low) as usize] += weight;
        }
        Table::on_lattice(Rational::from(low), Rational::ONE, dense).map(Law::Finite)
    }

    /// Whether infinitely many values are possible.
    pub fn is_endless(&self) -> bool {
        matches!(self, Law::Endless(_) | Law::Grown(_))
    }

    /// The table of a finite law.
    pub fn as_table(&self) -> Option<&Table> {
        match self {
            Law::Finite(table) => Some(table),
            Law::Endless(_) | Law::Grown(_) => None,
        }
    }

    /// The value of a law that is certain.
    pub fn as_constant(&self) -> Option<&Rational> {
        self.as_table().and_then(Table::as_constant)
    }

    /// The least possible value; `None` if there is none.
    pub fn lowest(&self) -> Option<Rational> {
        match self {
            Law::Finite(table) => Some(table.lowest()),
            Law::Endless(endless) => endless.lowest(),
            Law::Grown(grown) => grown.lowest(),
        }
    }

    /// The greatest possible value; `None` if there is none.
    pub fn highest(&self) -> Option<Rational> {
        match self {
            Law::Finite(table) => Some(table.highest()),
            Law::Endless(endless) => endless.highest(),
            Law::Grown(grown) => grown.highest(),
        }
    }

    /// The mean. Endless laws of this crate have all their moments.
    pub fn mean(&self) -> Rational {
        self.mean_and_variance().0
    }

    /// The variance.
    pub fn variance(&self) -> Rational {
        self.mean_and_variance().1
    }

    /// Both moments at once.
    pub fn mean_and_variance(&self) -> (Rational, Rational) {
        match self {
            Law::Finite(table) => table.mean_and_variance(),
            Law::Endless(endless) => endless.mean_and_variance(),
            Law::Grown(grown) => grown.mean_and_variance(),
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        let places = self.as_table().map_or(0, Table::places);
        (64 * places + 8 * self.size()) as u64
    }

    /// A rough size in machine words, for estimates.
    pub(crate) fn size(&self) -> usize {
        match self {
            Law::Finite(table) => table.size(),
            Law::Endless(endless) => endless.size(),
            Law::Grown(grown) => grown.size(),
        }
    }

    /// Whether every value is a whole number that is not negative.
    pub(crate) fn check_count(&self) -> Result<(), LawError> {
        let refuse = |value: Rational| Err(LawError::NotACount(value));
        match self {
            Law::Finite(table) => {
                let wrong = |value: &Rational| !value.is_int() || *value < Rational::ZERO;
                table.outcomes().map(|(value, _)| value).find(wrong).map_or(Ok(()), refuse)
            }
            Law::Endless(endless) => match endless.lowest() {
                None => refuse(Rational::from(-Integer::ONE)),
                Some(least) if least < Rational::ZERO => refuse(least),
                Some(_) if endless.step().is_int() && endless.offset().is_int() => Ok(()),
                Some(least) if !least.is_int() => refuse(least),
                Some(least) => refuse(least + endless.step()),
            },
            Law::Grown(grown) => match grown.lowest() {
                Some(least) if least >= Rational::ZERO && grown.is_whole() => Ok(()),
                _ => Err(LawError::NoClosedForm),
            },
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::number;
    use crate::series::{Series, tests::exploding_d6};

    pub(crate) fn d(sides: u64) -> Law {
        Law::uniform(sides, &Meter::unlimited()).unwrap()
    }

    pub(crate) fn whole(value: i64) -> Rational {
        number::whole(value)
    }

    pub(crate) fn fraction(top: i64, bottom: u64) -> Rational {
        number::ratio(top, bottom.into())
    }

    /// A d6 that explodes on 6.
    pub(crate) fn d6_again() -> Law {
        let parts = (Rational::ZERO, Rational::ONE, exploding_d6(), Series::zero());
        Endless::assemble(parts, &Meter::unlimited()).unwrap()
    }

    #[test]
    fn moments_of_plain_and_exploding_dice() {
        assert_eq!(d(6).mean_and_variance(), (fraction(7, 2), fraction(35, 12)));
        assert_eq!(d6_again().mean(), fraction(21, 5));
        assert_eq!(d6_again().lowest(), Some(whole(1)));
        assert_eq!(d6_again().highest(), None);
    }

    #[test]
    fn a_thousand_dice_weigh_one() {
        let meter = Meter::unlimited();
        let sum = d(6).times(1000, &meter).unwrap();
        assert_eq!(sum.mean(), whole(3500));
        assert_eq!(sum.as_table().unwrap().total(), &Natural::from(6u8).pow(1000));
        assert_eq!(d(9_999_999).times(9_999_999, &Meter::new(1 << 40)), Err(OverBudget::Steps));
    }
}
