//! Plain dice and the conditions their faces are held against.

use crate::meter::{Meter, OverBudget};
use crate::number::{Comparison, Natural, Rational, ratio};
use std::sync::Arc;

/// A die: its faces in ascending order, each with a positive weight.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Die {
    faces: Arc<[(Rational, Natural)]>,
    total: Natural,
}

impl Die {
    /// A fair die with the faces 1 to `sides`; `None` without sides.
    pub fn fair(sides: u64, meter: &Meter) -> Result<Option<Die>, OverBudget> {
        meter.charge(sides.saturating_mul(64))?;
        Ok(Die::new((1..=sides).map(|face| (Rational::from(Natural::from(face)), 1))))
    }

    /// A die with these faces and weights; `None` if no weight is positive.
    pub fn new(faces: impl IntoIterator<Item = (Rational, u64)>) -> Option<Die> {
        Die::from_weights(faces.into_iter().map(|(face, weight)| (face, Natural::from(weight))))
    }

    pub(crate) fn from_weights(
        faces: impl IntoIterator<Item = (Rational, Natural)>,
    ) -> Option<Die> {
        let distribution = crate::Distribution::from_weights(faces)?;
        let total = distribution.total().clone();
        Some(Die { faces: distribution.into_outcomes().into(), total })
    }

    /// The faces in ascending order with their weights.
    pub fn faces(&self) -> &[(Rational, Natural)] {
        &self.faces
    }

    /// The sum of the weights.
    pub fn total(&self) -> &Natural {
        &self.total
    }

    /// The highest face.
    pub(crate) fn highest(&self) -> Option<&Rational> {
        self.faces.last().map(|(face, _)| face)
    }

    /// The faces with their chances.
    pub(crate) fn chances(&self) -> impl Iterator<Item = (&Rational, Rational)> {
        self.faces.iter().map(|(face, w)| (face, ratio(w.clone(), self.total.clone())))
    }
}

/// A comparison with a number, such as `>= 8`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    /// How.
    pub op: Comparison,
    /// With what.
    pub value: Rational,
}

impl Condition {
    /// Whether a value fulfils the condition.
    pub fn holds(&self, value: &Rational) -> bool {
        self.op.holds(value, &self.value)
    }
}
