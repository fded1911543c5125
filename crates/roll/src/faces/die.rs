//! A die as a list of faces with weights.
//!
//! `d6` lists 1 to 6, `d{1:3, 2:1}` lists two faces of weights 3 and 1. Dice with equal faces are kept
//! as a number of sides, so that a `d1000000` costs no more than a `d6`.

use std::collections::HashSet;
use std::sync::Arc;

use astragal_program::fault::FaultKind;
use astragal_value::{Number, OpError, Value};

/// So many more faces in a row are named as from one to another: `d{1..13: 4}`.
const SHORTEST_ROW: u64 = 6;

/// The faces of a die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DieFaces(Repr);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Repr {
    /// 1 to this number.
    Sides(u64),
    /// 1 to 100, shown as tens and ones.
    Percent,
    /// −1, 0, +1.
    Fate,
    /// Each face with its weight. Shared, so that a die is small and cheap to copy.
    Listed(Arc<Listed>),
}

#[derive(Debug, PartialEq, Eq)]
struct Listed {
    /// What each face shows.
    values: Vec<Value>,
    /// The weights of all faces up to and with this one.
    weights_to: Vec<u64>,
    /// Where each face lies on the die of which these are left; all are there if there is nothing.
    left_of: Vec<u64>,
}

impl DieFaces {
    /// Faces 1 to `sides`, which is 1 or more.
    pub fn sides(sides: u64) -> DieFaces {
        DieFaces(Repr::Sides(sides.max(1)))
    }

    /// `d%`
    pub fn percent() -> DieFaces {
        DieFaces(Repr::Percent)
    }

    /// `dF`
    pub fn fate() -> DieFaces {
        DieFaces(Repr::Fate)
    }

    /// The faces as written, each with its weight of 1 or more.
    pub fn listed(faces: Vec<(Value, u64)>) -> Result<DieFaces, FaultKind> {
        DieFaces::with(faces, Vec::new())
    }

    /// The faces that are left of a die, each with what is left of its weight, and their places on it.
    pub(crate) fn left(&self, copies: &[u64]) -> Result<(DieFaces, Vec<u64>), FaultKind> {
        let places = (0..).zip(copies).filter(|(_, copies)| **copies > 0).map(|(place, _)| place);
        let places: Vec<u64> = places.collect();
        let faces = places.iter().map(|place| (self.value(*place), copies[*place as usize]));
        Ok((DieFaces::with(faces.collect(), places.clone())?, places))
    }

    fn with(faces: Vec<(Value, u64)>, left_of: Vec<u64>) -> Result<DieFaces, FaultKind> {
        let mut values = Vec::with_capacity(faces.len());
        let mut weights_to = Vec::with_capacity(faces.len());
        let mut total: u64 = 0;
        for (value, weight) in faces {
            total = total.checked_add(weight).ok_or(OpError::TooLarge)?;
            values.push(value);
            weights_to.push(total);
        }
        if values.is_empty() {
            return Err(FaultKind::BadSides(Number::ZERO));
        }
        Ok(DieFaces(Repr::Listed(Arc::new(Listed { values, weights_to, left_of }))))
    }

    /// As a player writes it: `d6`, `d%`, `dF`, `d{1: 3, 2}`.
    pub fn name(&self) -> Arc<str> {
        match &self.0 {
            Repr::Sides(sides) => format!("d{sides}").into(),
            Repr::Percent => "d%".into(),
            Repr::Fate => "dF".into(),
            Repr::Listed(listed) => {
                let mut faces = Vec::new();
                let mut index = 0;
                while index < listed.values.len() as u64 {
                    let last = index + self.row(index);
                    faces.push(self.listing(index, last));
                    index = last + 1;
                }
                format!("d{{{}}}", faces.join(", ")).into()
            }
        }
    }

    /// How many faces after this one show the next whole numbers with the same weight, if they are many.
    fn row(&self, first: u64) -> u64 {
        let whole = |index: u64| self.number(index).and_then(|number| number.to_i64());
        let Some(number) = whole(first) else { return 0 };
        let follows = |more: &u64| {
            whole(first + more) == number.checked_add(*more as i64)
                && self.weight(first + more) == self.weight(first)
        };
        let more = (1..self.count() - first).take_while(follows).count() as u64;
        if more < SHORTEST_ROW { 0 } else { more }
    }

    fn listing(&self, first: u64, last: u64) -> String {
        let faces = match last > first {
            true => format!("{}..{}", self.value(first), self.value(last)),
            false => self.value(first).to_string(),
        };
        match self.weight(first) {
            1 => faces,
            weight => format!("{faces}: {weight}"),
        }
    }

    /// How many faces are listed.
    pub fn count(&self) -> u64 {
        match &self.0 {
            Repr::Sides(sides) => *sides,
            Repr::Percent => 100,
            Repr::Fate => 3,
            Repr::Listed(listed) => listed.values.len() as u64,
        }
    }

    /// The sum of all weights: how many sides the die has in the hand.
    pub fn total(&self) -> u64 {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent | Repr::Fate => self.count(),
            Repr::Listed(listed) => listed.weights_to.last().copied().unwrap_or(1),
        }
    }

    /// The weight of a face.
    pub fn weight(&self, index: u64) -> u64 {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent | Repr::Fate => 1,
            Repr::Listed(listed) => {
                let (index, weights_to) = (index as usize, &listed.weights_to);
                let below = index.checked_sub(1).map_or(0, |before| weights_to[before]);
                weights_to[index] - below
            }
        }
    }

    /// The face that a ticket below [`DieFaces::total`] draws: weights in the order of the faces.
    pub fn face_of(&self, ticket: u64) -> u64 {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent | Repr::Fate => ticket,
            Repr::Listed(listed) => listed.weights_to.partition_point(|&to| to <= ticket) as u64,
        }
    }

    /// What a face shows.
    pub fn value(&self, index: u64) -> Value {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent => Value::whole(index as i64 + 1),
            Repr::Fate => Value::whole(index as i64 - 1),
            Repr::Listed(listed) => listed.values[index as usize].clone(),
        }
    }

    /// The number that a face shows; none if it shows something else.
    pub fn number(&self, index: u64) -> Option<Number> {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent => Some((index as i64 + 1).into()),
            Repr::Fate => Some((index as i64 - 1).into()),
            Repr::Listed(listed) => listed.values[index as usize].as_number().cloned(),
        }
    }

    /// The face that a script means: the number shown, or for faces that are not numbers the position
    /// from 1 or the face itself.
    pub fn find(&self, wanted: &Value) -> Option<u64> {
        let whole = wanted.as_number().and_then(Number::to_i64);
        let position = |first: i64| u64::try_from(whole?.checked_sub(first)?).ok();
        match &self.0 {
            Repr::Sides(_) | Repr::Percent => position(1).filter(|&index| index < self.count()),
            Repr::Fate => position(-1).filter(|&index| index < 3),
            Repr::Listed(listed) => match listed.values.iter().position(|value| value == wanted) {
                Some(index) => Some(index as u64),
                None if listed.values.iter().all(|value| value.as_number().is_some()) => None,
                None if listed.left_of.is_empty() => {
                    position(1).filter(|&index| index < self.count())
                }
                None => {
                    let place = position(1)?;
                    listed.left_of.binary_search(&place).ok().map(|index| index as u64)
                }
            },
        }
    }

    /// The highest number on the die.
    pub(crate) fn highest(&self) -> Option<Number> {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent | Repr::Fate => self.number(self.count() - 1),
            Repr::Listed(listed) => {
                listed.values.iter().filter_map(Value::as_number).max().cloned()
            }
        }
    }

    /// Whether a face shows the highest number.
    #[inline]
    pub(crate) fn is_highest(&self, face: u64) -> bool {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent | Repr::Fate => face + 1 == self.count(),
            Repr::Listed(_) => self.number(face) == self.highest(),
        }
    }

    /// How many different numbers the die can show.
    pub(crate) fn different(&self) -> u64 {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent | Repr::Fate => self.count(),
            Repr::Listed(listed) => {
                let mut sorted: Vec<&Value> = listed.values.iter().collect();
                sorted.sort();
                sorted.dedup();
                sorted.len() as u64
            }
        }
    }

    /// Whether every face shows a number that passes the test.
    ///
    /// Comparisons are monotone, `=` and `!=` are about one number: on equal faces it is enough to
    /// look at both ends and around `at`.
    pub(crate) fn all(&self, at: &Number, test: impl Fn(&Number) -> bool) -> bool {
        match &self.0 {
            Repr::Listed(listed) => listed.values.iter().all(|v| v.as_number().is_some_and(&test)),
            Repr::Sides(_) | Repr::Percent | Repr::Fate => {
                let ends = [self.number(0), self.highest()];
                let inside = self.find(&Value::Number(at.clone())).and_then(|i| self.number(i));
                ends.iter().chain([&inside]).flatten().all(test)
            }
        }
    }

    /// Whether every number of this die is among these.
    pub(crate) fn all_among(&self, numbers: &HashSet<Number>) -> bool {
        self.different() <= numbers.len() as u64
            && (0..self.count()).all(|i| self.number(i).is_some_and(|n| numbers.contains(&n)))
    }

    /// Whether this die can show every face of the other.
    pub(crate) fn covers(&self, other: &DieFaces) -> bool {
        match (&self.0, &other.0) {
            (Repr::Sides(_) | Repr::Percent, Repr::Sides(_) | Repr::Percent) => {
                other.count() <= self.count()
            }
            _ => {
                other.different() <= self.different()
                    && (0..other.count()).all(|i| self.find(&other.value(i)).is_some())
            }
        }
    }

    /// The lowest number on a die whose faces show consecutive whole numbers, from the first face on.
    pub(crate) fn counts_from(&self) -> Option<i64> {
        match &self.0 {
            Repr::Sides(_) | Repr::Percent => Some(1),
            Repr::Fate => Some(-1),
            Repr::Listed(_) => None,
        }
    }

    /// Whether the faces are −1, 0, +1 by nature.
    pub fn is_fate(&self) -> bool {
        self.0 == Repr::Fate
    }

    /// Whether the faces are shown as tens and ones.
    pub fn is_percent(&self) -> bool {
        self.0 == Repr::Percent
    }
}
