//! Numbers of which nothing is known but the mean and the variance, or that one of them is infinite.
//!
//! What a loop ends with that doubles its stakes has such a law while its moments are asked for ([`crate::chain::Scaling`]).
//! It can be added to, multiplied and mixed, and is such a number again; every other question is refused, as it is of an
//! unknown. But it may be known to be a multiple of something, so that half of a number that was doubled is whole.

use super::{Body, Grown, Stream};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Rational};

/// A mean or a variance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// It is this.
    Exactly(Rational),
    /// It is infinite.
    Infinite,
}

impl Moment {
    /// The number, if it is one.
    pub fn exactly(&self) -> Option<&Rational> {
        match self {
            Moment::Exactly(value) => Some(value),
            Moment::Infinite => None,
        }
    }
}

/// Which of its moments a number lacks, because they are infinite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
enum Lacks {
    #[default]
    Nothing,
    Variance,
    /// The mean is above all numbers, or below; there is no variance then.
    MeanAbove,
    MeanBelow,
}

/// What is known of a number besides its moments.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Vague {
    lacks: Lacks,
    /// All its values are multiples of this.
    pub(super) multiple: Option<Rational>,
}

impl Vague {
    /// What is known of some law.
    pub(super) fn of(law: &Law, meter: &Meter) -> Result<Vague, OverBudget> {
        if let Law::Grown(grown) = law
            && grown.is_vague()
        {
            return Ok(grown.0.vague.clone());
        }
        Ok(Vague { lacks: Lacks::Nothing, multiple: Some(law.multiple_of(meter)?) })
    }

    /// What is known of a sum or a mixture of both.
    pub(super) fn and(&self, other: &Vague) -> Result<Vague, OverBudget> {
        if matches!(
            (self.lacks, other.lacks),
            (Lacks::MeanAbove, Lacks::MeanBelow) | (Lacks::MeanBelow, Lacks::MeanAbove)
        ) {
            return Err(OverBudget::NotKnown);
        }
        let multiple = self.multiple.as_ref().zip(other.multiple.as_ref());
        let multiple = multiple.map(|(one, other)| number::common_step(one, other));
        Ok(Vague { lacks: self.lacks.max(other.lacks), multiple })
    }

    /// What is known of a multiple with something added.
    pub(super) fn affine(&self, factor: &Rational, shift: &Rational) -> Vague {
        let lacks = match self.lacks {
            Lacks::MeanAbove if *factor < Rational::ZERO => Lacks::MeanBelow,
            Lacks::MeanBelow if *factor < Rational::ZERO => Lacks::MeanAbove,
            same => same,
        };
        let multiple = self.multiple.as_ref();
        Vague { lacks, multiple: multiple.map(|step| number::common_step(&(step * factor), shift)) }
    }
}

/// The unknown of which the moments are known, and those that a loop carries: the first is the last of these numbers.
const VAGUE: u32 = u32::MAX;
const CARRIED: u32 = u32::MAX - 1;
/// Fewer numbers than this are carried.
const MOST_CARRIED: u32 = 1 << 16;

impl Grown {
    pub(super) fn is_vague(&self) -> bool {
        self.0.stream == Stream::Unknown(VAGUE)
    }

    /// Whether nobody knows where it begins.
    pub(super) fn is_unbounded(&self) -> bool {
        matches!(self.0.stream, Stream::Unknown(id) if id >= CARRIED - MOST_CARRIED)
    }

    pub(super) fn vague(mean: Rational, variance: Rational, vague: Vague) -> Law {
        let stream = Stream::Unknown(VAGUE);
        let (offset, step) = (Rational::ZERO, Rational::ONE);
        Grown::law(Body { offset, step, stream, mean, variance, vague })
    }
}

impl Law {
    /// Some number with these moments, all of whose values are multiples of something, if that is known. Of one with an
    /// infinite mean the values are above some bound.
    pub fn with_moments(mean: Moment, variance: Moment, multiple: Option<Rational>) -> Law {
        let (mean, variance, lacks) = match (mean, variance) {
            (Moment::Exactly(mean), Moment::Exactly(variance)) if variance.is_zero() => {
                return Law::constant(mean);
            }
            (Moment::Exactly(mean), Moment::Exactly(variance)) => (mean, variance, Lacks::Nothing),
            (Moment::Exactly(mean), Moment::Infinite) => (mean, Rational::ZERO, Lacks::Variance),
            (Moment::Infinite, _) => (Rational::ZERO, Rational::ZERO, Lacks::MeanAbove),
        };
        Grown::vague(mean, variance, Vague { lacks, multiple })
    }

    /// The greatest number of which all values are multiples; 0 if they are all 0.
    pub(crate) fn multiple_of(&self, meter: &Meter) -> Result<Rational, OverBudget> {
        let (offset, step) = match self {
            Law::Finite(table) => {
                meter.charge_fractions(table.count(), 64)?;
                let values = table.outcomes().map(|(value, _)| value);
                return Ok(
                    values.fold(Rational::ZERO, |step, value| number::common_step(&step, &value))
                );
            }
            Law::Endless(endless) => (endless.offset(), endless.step()),
            Law::Grown(grown) => (&grown.0.offset, &grown.0.step),
        };
        Ok(number::common_step(offset, step))
    }

    /// The mean and the variance, where they may be infinite.
    pub fn moments(&self) -> (Moment, Moment) {
        let (mean, variance) = self.mean_and_variance();
        let lacks = match self {
            Law::Grown(grown) => grown.0.vague.lacks,
            Law::Finite(_) | Law::Endless(_) => Lacks::Nothing,
        };
        match lacks {
            Lacks::Nothing => (Moment::Exactly(mean), Moment::Exactly(variance)),
            Lacks::Variance => (Moment::Exactly(mean), Moment::Infinite),
            Lacks::MeanAbove | Lacks::MeanBelow => (Moment::Infinite, Moment::Infinite),
        }
    }

    /// What stands in for a number that a loop carries while a round of it is looked at.
    pub fn carried(place: usize) -> Law {
        let place = u32::try_from(place).unwrap_or(u32::MAX).min(MOST_CARRIED);
        Law::unknown(CARRIED - place)
    }

    /// Which number that a loop carries this stands for.
    pub(crate) fn carried_place(&self) -> Option<usize> {
        let Law::Grown(grown) = self else { return None };
        let Stream::Unknown(id) = grown.0.stream else { return None };
        let alone = grown.0.offset.is_zero() && grown.0.step.is_one();
        let place = CARRIED.checked_sub(id).filter(|place| alone && *place < MOST_CARRIED)?;
        usize::try_from(place).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;
    use crate::meter::Meter;

    fn exactly(top: i64, bottom: u64) -> Moment {
        Moment::Exactly(fraction(top, bottom))
    }

    #[test]
    fn sums_multiples_and_mixtures_have_the_moments_that_follow() {
        let meter = Meter::unlimited();
        let vague = Law::with_moments(exactly(3, 1), exactly(5, 1), None);
        let sum = vague.sum(&d(6), &meter).unwrap();
        assert_eq!(sum.moments(), (exactly(13, 2), exactly(95, 12)));
        let less = vague.affine(&whole(-2), &whole(1), &meter).unwrap();
        assert_eq!(less.moments(), (exactly(-5, 1), exactly(20, 1)));
        let half = fraction(1, 2);
        let mixed = Law::mixture(&[(half.clone(), less), (half, d(1))], &meter).unwrap();
        assert_eq!(mixed.moments(), (exactly(-2, 1), exactly(19, 1)));
        assert_eq!(mixed.chance(&whole(1), &meter), Err(OverBudget::NotKnown));
        assert_eq!((mixed.lowest(), mixed.highest()), (None, None));
        assert_eq!(vague.times(4, &meter).unwrap().moments(), (exactly(12, 1), exactly(20, 1)));
    }

    #[test]
    fn what_is_infinite_stays_so() {
        let meter = Meter::unlimited();
        let wide = Law::with_moments(exactly(3, 1), Moment::Infinite, None);
        let sum = wide.sum(&d(6), &meter).unwrap();
        assert_eq!(sum.moments(), (exactly(13, 2), Moment::Infinite));
        let far = Law::with_moments(Moment::Infinite, Moment::Infinite, None);
        let both = far.sum(&wide, &meter).unwrap();
        assert_eq!(both.moments(), (Moment::Infinite, Moment::Infinite));
        let below = far.negate(&meter).unwrap();
        assert_eq!(far.sum(&below, &meter), Err(OverBudget::NotKnown));
        let twice = below.sum(&below, &meter).unwrap();
        assert_eq!(twice.moments().0, Moment::Infinite);
        // What can be infinite is not told apart from a number by accident.
        assert_eq!(far.affine(&whole(0), &whole(4), &meter), Ok(Law::constant(whole(4))));
    }

    #[test]
    fn half_of_a_number_that_was_doubled_is_whole() {
        let meter = Meter::unlimited();
        let four = Law::with_moments(exactly(12, 1), exactly(5, 1), Some(whole(4)));
        let (half, third) = (fraction(1, 2), fraction(1, 3));
        let halved = four.affine(&half, &whole(0), &meter).unwrap();
        assert_eq!(halved.floor(&meter), Ok(halved.clone()));
        assert!(halved.sum(&d(6), &meter).unwrap().is_whole());
        let mixed = Law::mixture(&[(half.clone(), halved), (half, d(6))], &meter).unwrap();
        assert!(mixed.is_whole());
        assert!(!four.affine(&third, &whole(0), &meter).unwrap().is_whole());
        assert!(!Law::with_moments(exactly(12, 1), exactly(5, 1), None).is_whole());
        assert!(!Law::carried(0).is_whole());
    }
}
