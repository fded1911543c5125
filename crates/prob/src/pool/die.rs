//! Plain dice and the conditions their faces are held against.

use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Natural, Rational, ratio};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A die: its faces in ascending order, each with a positive weight.
///
/// Nearly all dice have whole faces and small weights. They are kept in machine words, and written out as
/// big numbers only for who asks.
#[derive(Clone)]
pub struct Die(Arc<Faces>);

struct Faces {
    /// Face and weight, if they are small; weights have no common divisor, but for a bag.
    plain: Option<Vec<(i64, u64)>>,
    exact: OnceLock<Vec<(Rational, Natural)>>,
    total: Natural,
}

impl Die {
    /// A fair die with the faces 1 to `sides`; `None` without sides.
    pub fn fair(sides: u64, meter: &Meter) -> Result<Option<Die>, OverBudget> {
        meter.charge(sides.saturating_mul(16))?;
        // The faces, and the tables that are made of them.
        meter.room(sides.saturating_mul(160))?;
        let highest = i32::try_from(sides).map_err(|_| OverBudget::Steps)?;
        if sides == 0 {
            return Ok(None);
        }
        let plain = Some((1..=i64::from(highest)).map(|face| (face, 1)).collect());
        let total = Natural::from(sides);
        Ok(Some(Die(Arc::new(Faces { plain, exact: OnceLock::new(), total }))))
    }

    /// A die with these faces and weights; `None` if no weight is positive.
    pub fn new(faces: impl IntoIterator<Item = (Rational, u64)>) -> Option<Die> {
        Die::from_weights(faces.into_iter().map(|(face, weight)| (face, Natural::from(weight))))
    }

    /// A bag that holds so many of each face; `None` if it holds nothing. As a die it is one whose weights may
    /// have a common divisor.
    pub fn bag(faces: impl IntoIterator<Item = (Rational, Natural)>) -> Option<Die> {
        let mut exact: Vec<(Rational, Natural)> = faces.into_iter().collect();
        exact.retain(|(_, copies)| !copies.is_zero());
        exact.sort();
        exact.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 += &next.1;
            }
            same
        });
        if exact.is_empty() {
            return None;
        }
        let total = exact.iter().fold(Natural::ZERO, |sum, (_, copies)| sum + copies);
        let word = |(face, copies): &(Rational, Natural)| {
            Some((number::to_i64(face)?, u64::try_from(copies).ok()?))
        };
        let plain = exact.iter().map(word).collect();
        Some(Die(Arc::new(Faces { plain, exact: OnceLock::from(exact), total })))
    }

    pub(crate) fn from_weights(
        faces: impl IntoIterator<Item = (Rational, Natural)>,
    ) -> Option<Die> {
        let distribution = crate::Distribution::from_weights(faces)?;
        let total = distribution.total().clone();
        let exact = distribution.into_outcomes();
        let word = |(face, weight): &(Rational, Natural)| {
            Some((number::to_i64(face)?, u64::try_from(weight).ok()?))
        };
        let plain = exact.iter().map(word).collect();
        Some(Die(Arc::new(Faces { plain, exact: OnceLock::from(exact), total })))
    }

    /// The faces in ascending order with their weights.
    pub fn faces(&self) -> &[(Rational, Natural)] {
        self.0.exact.get_or_init(|| {
            let big = |(face, weight): &(i64, u64)| (number::whole(*face), Natural::from(*weight));
            self.0.plain.iter().flatten().map(big).collect()
        })
    }

    /// The same in machine words, if all are whole and small.
    pub(crate) fn plain(&self) -> Option<&[(i64, u64)]> {
        self.0.plain.as_deref()
    }

    /// The sum of the weights.
    pub fn total(&self) -> &Natural {
        &self.0.total
    }

    /// Whether it has more than one face.
    pub(crate) fn has_two_faces(&self) -> bool {
        self.plain().map_or_else(|| self.faces().len(), <[_]>::len) > 1
    }

    /// The highest face.
    pub(crate) fn highest(&self) -> Option<&Rational> {
        self.faces().last().map(|(face, _)| face)
    }

    /// The faces with their chances.
    pub(crate) fn chances(&self) -> impl Iterator<Item = (&Rational, Rational)> {
        self.faces().iter().map(|(face, w)| (face, ratio(w.clone(), self.0.total.clone())))
    }
}

impl PartialEq for Die {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || match (self.plain(), other.plain()) {
                (Some(mine), Some(theirs)) => mine == theirs,
                (None, None) => self.faces() == other.faces(),
                _ => false,
            }
    }
}

impl Eq for Die {}

impl Hash for Die {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.plain() {
            Some(faces) => faces.hash(state),
            None => self.faces().hash(state),
        }
    }
}

impl fmt::Debug for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.faces()).finish()
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
