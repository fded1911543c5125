//! Where a value stands among all that could have fallen.

use astragal::{Rational, Value};

use crate::between::Between;
use crate::law::{Law, ranked};
use crate::why::Why;

/// Where a value stands in its law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The chance of less, and half the chance of the same: ½ on average.
    pub place: Between,
    /// Its variance, before it was thrown.
    pub variance: Between,
    /// The chance of this or more.
    pub at_least: Between,
    /// The chance of this or less.
    pub at_most: Between,
}

impl Place {
    /// Of a result of a roll.
    pub fn of(law: &Law, value: &Value) -> Result<Place, Why> {
        let number = law.part.of_value(value).and_then(ranked).ok_or(Why::NoNumber)?;
        let (less, more) = law.beside(&number);
        let other =
            |of: &Between| Between { from: Rational::ONE - &of.to, to: Rational::ONE - &of.from };
        Ok(Place {
            place: middle(&less, &more, law.rest()),
            variance: law.variance().clone(),
            at_least: other(&less),
            at_most: other(&more),
        })
    }
}

/// `less + same/2`, which is `(1 + less − more)/2`. What is not listed is less, the same or more, but not two of them.
fn middle(less: &Between, more: &Between, rest: &Rational) -> Between {
    let half = |number: Rational| number / Rational::from(2u8);
    match (less.exact(), more.exact()) {
        (Some(less), Some(more)) => Between::exactly(half(Rational::ONE + less - more)),
        _ => {
            let least = half(Rational::ONE + &less.from - &more.from - rest);
            Between::and_up_to(least, rest)
        }
    }
}
