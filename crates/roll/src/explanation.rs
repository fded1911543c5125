//! What happened in a roll, as data.
//!
//! A [`Roll`] lists every die that was thrown and, in reading order, every step: the pools with what
//! became of their dice, the names that were bound, the branches taken, the calls with their arguments
//! and results, the notes. Steps carry their depth, so that a renderer can show one glance or
//! everything. Words from the source are kept as places; whoever renders has the text.

use std::ops::Deref;
use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use crate::dice::Dice;
use crate::faces::DieFaces;
use crate::steps::{PoolDice, PoolDie, Steps};

/// One roll with its explanation. It is written where it stays, and is handed on without being copied.
#[derive(Clone, Debug)]
pub struct Roll(pub(crate) Box<Record>);

impl Roll {
    /// What the program yields, without its explanation.
    pub fn into_value(self) -> Value {
        self.0.value
    }
}

impl Deref for Roll {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.0
    }
}

/// What a roll came to, and everything that happened.
#[derive(Clone, Debug)]
pub struct Record {
    /// What the program yields: its only result, or a record of its named results.
    pub value: Value,
    /// Every die that was thrown in the attempt that counts, in the order of throws.
    pub dice: Dice,
    /// What happened, in reading order.
    pub steps: Steps,
    /// The program is nothing but dice: what they are worth is what it yields.
    pub(crate) lone: bool,
    pub(crate) aside: Option<Box<Aside>>,
}

impl Default for Record {
    fn default() -> Self {
        let (dice, steps) = (Dice::default(), Steps::default());
        Record { value: Value::None, dice, steps, lone: false, aside: None }
    }
}

/// What most rolls do without.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aside {
    /// The names of the results, in order; none of them if the value is the only result, without a name.
    pub(crate) names: Vec<Option<Arc<str>>>,
    pub(crate) again: Vec<(Span, u64)>,
    pub(crate) labels: Vec<(Arc<str>, Number)>,
    pub(crate) notices: Vec<String>,
    /// So many of them were made before the first throw.
    pub(crate) foreseen: usize,
    pub(crate) shortened: bool,
}

impl Record {
    /// The results with their names, in order.
    pub fn results(&self) -> Vec<(Option<&Arc<str>>, &Value)> {
        match (&self.value, self.aside.as_deref()) {
            (Value::Record(_, fields), Some(Aside { names, .. })) if !names.is_empty() => {
                names.iter().map(Option::as_ref).zip(fields.iter()).collect()
            }
            (only, _) => vec![(None, only)],
        }
    }

    /// Why it was thrown again, until the evidence held: each condition that failed, and how often.
    pub fn again(&self) -> &[(Span, u64)] {
        self.aside.as_deref().map_or(&[], |aside| &aside.again)
    }

    /// What each label contributes to the result.
    pub fn labels(&self) -> &[(Arc<str>, Number)] {
        self.aside.as_deref().map_or(&[], |aside| &aside.labels)
    }

    /// The lines of `note`, in order.
    pub fn notices(&self) -> &[String] {
        self.aside.as_deref().map_or(&[], |aside| &aside.notices)
    }

    /// The first lines of `note`, made before any die was thrown: every roll begins with them.
    pub fn foreseen(&self) -> &[String] {
        self.aside.as_deref().map_or(&[], |aside| &aside.notices[..aside.foreseen])
    }

    /// Whether there were more steps than are recorded.
    pub fn shortened(&self) -> bool {
        self.aside.as_deref().is_some_and(|aside| aside.shortened)
    }

    /// The dice of a pool as it sees them, in its order.
    pub fn dice_of(&self, pool: &PoolDice) -> Vec<PoolDie> {
        match pool {
            PoolDice::Thrown { first, count } => {
                (*first..first + count).map(|id| PoolDie::thrown(&self.dice, id)).collect()
            }
            PoolDice::Each(dice) => dice.clone(),
        }
    }
}

/// The number of a die: its place in [`Record::dice`].
pub type DieId = u32;

/// A die that was thrown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DieRecord<'r> {
    /// Its number.
    pub id: DieId,
    /// Which die.
    pub kind: &'r DieFaces,
    /// The face that came up.
    pub face: Value,
    /// What it shows in the end.
    pub value: Value,
    /// All faces of a compounded die, in order; empty for any other.
    pub throws: &'r [Value],
    /// What became of it.
    pub fates: Fates,
    /// The die that it exploded from, or that it replaced.
    pub from: Option<DieId>,
    /// Its label.
    pub label: Option<&'r Arc<str>>,
}

/// What became of a die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fates {
    /// It does not count.
    pub dropped: bool,
    /// Another throw took its place.
    pub rerolled: bool,
    /// It made more dice.
    pub exploded: bool,
    /// It shows a bound instead of its face.
    pub clamped: bool,
    /// How many marks for; 65,535 if more.
    pub counted_for: u16,
    /// How many marks against; 65,535 if more.
    pub counted_against: u16,
}

impl Fates {
    /// Whether the die counts in the end.
    pub fn kept(&self) -> bool {
        !self.dropped && !self.rerolled
    }

    /// What became of a die in these uses and in those.
    pub(crate) fn and(self, other: Fates) -> Fates {
        Fates {
            dropped: self.dropped | other.dropped,
            rerolled: self.rerolled | other.rerolled,
            exploded: self.exploded | other.exploded,
            clamped: self.clamped | other.clamped,
            counted_for: self.counted_for.saturating_add(other.counted_for),
            counted_against: self.counted_against.saturating_add(other.counted_against),
        }
    }

    /// One more mark, for or against.
    pub(crate) fn count(&mut self, mark: i64) {
        let marks = if mark > 0 { &mut self.counted_for } else { &mut self.counted_against };
        *marks = marks.saturating_add(1);
    }

    /// In words, as the JSON lists them.
    pub fn words(&self) -> Vec<&'static str> {
        let counted = self.counted_for > 0 || self.counted_against > 0;
        [
            (self.kept(), "kept"),
            (self.dropped, "dropped"),
            (self.rerolled, "rerolled"),
            (self.exploded, "exploded"),
            (self.clamped, "clamped"),
            (counted, "counted"),
        ]
        .into_iter()
        .filter_map(|(holds, word)| holds.then_some(word))
        .collect()
    }
}
