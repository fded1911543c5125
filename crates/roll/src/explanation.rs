//! What happened in a roll, as data.
//!
//! A [`Roll`] lists every die that was thrown and, in reading order, every step: the pools with what
//! became of their dice, the names that were bound, the branches taken, the calls with their arguments
//! and results, the notes. Steps carry their depth, so that a renderer can show one glance or
//! everything. Words from the source are kept as places; whoever renders has the text.

use std::fmt;
use std::sync::Arc;

use astragal_program::core::Branch;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use crate::dice::Dice;
use crate::faces::DieFaces;

/// One roll with its explanation.
#[derive(Clone, Debug)]
pub struct Roll {
    /// What the program yields: its only result, or a record of its named results.
    pub value: Value,
    /// Every die that was thrown in the attempt that counts, in the order of throws.
    pub dice: Dice,
    /// What happened, in reading order.
    pub steps: Vec<Step>,
    pub(crate) aside: Option<Box<Aside>>,
}

/// What most rolls do without.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aside {
    /// The names of the results, in order; none of them if the value is the only result, without a name.
    pub(crate) names: Vec<Option<Arc<str>>>,
    pub(crate) again: Vec<(Span, u64)>,
    pub(crate) labels: Vec<(Arc<str>, Number)>,
    pub(crate) notices: Vec<String>,
    pub(crate) shortened: bool,
}

impl Roll {
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

/// The number of a die: its place in [`Roll::dice`].
pub type DieId = u32;

/// A die that was thrown.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How deep in calls, groups and rounds: 0 is the program itself.
    pub depth: u32,
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StepKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Dice were thrown, or dice on the table were used again.
    Pool {
        /// The dice before any suffix.
        base: Base,
        /// The suffixes.
        suffixes: Suffixes,
        /// All dice that took part, also those that no longer count.
        dice: PoolDice,
        /// What the pool is worth; for dice that show no numbers, their faces.
        total: Value,
        /// Whether its dice went into a larger pool, which shows them.
        merged: bool,
        /// Whether the dice stand in the order of what they show instead of the order of throws.
        sorted: bool,
    },
    /// A name was bound.
    Named {
        /// The name.
        name: Arc<str>,
        /// Its value; a pool's total.
        value: Value,
        /// The pool it names: an index into [`Roll::steps`].
        pool: Option<usize>,
    },
    /// A branch was taken.
    Branch {
        /// What the source wrote.
        origin: Branch,
        /// The place of the condition.
        condition: Span,
        /// Whether it held.
        held: bool,
    },
    /// A function was called; the steps inside follow, one deeper.
    Call {
        /// Its name with its module.
        name: Arc<str>,
        /// Its arguments with their names.
        arguments: Vec<(Option<Arc<str>>, Value)>,
        /// What it yielded.
        result: Value,
    },
    /// A round of a `repeat`; the steps inside follow, one deeper.
    Round {
        /// Its number, from 1.
        number: u64,
    },
    /// A line in the game's words.
    Note {
        /// The line.
        text: Arc<str>,
    },
}

/// The dice of a pool before any suffix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// `4d6`
    Dice {
        /// How many.
        count: u64,
        /// Which.
        kind: DieFaces,
    },
    /// Dice that lie on the table.
    Again {
        /// The name they have there.
        name: Option<Arc<str>>,
        /// The step that threw them: an index into [`Roll::steps`].
        pool: usize,
    },
    /// As the source writes it: `{4d10*2, 5d6+10}`.
    Source(Span),
}

/// The suffixes of a pool, in order: seldom more than one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Suffixes {
    /// None.
    #[default]
    None,
    /// One.
    One(Said),
    /// Several.
    Several(Vec<Said>),
}

impl Suffixes {
    /// In order.
    pub fn as_slice(&self) -> &[Said] {
        match self {
            Suffixes::None => &[],
            Suffixes::One(said) => std::slice::from_ref(said),
            Suffixes::Several(list) => list,
        }
    }

    pub(crate) fn push(&mut self, said: Said) {
        *self = match std::mem::take(self) {
            Suffixes::None => Suffixes::One(said),
            Suffixes::One(first) => Suffixes::Several(vec![first, said]),
            Suffixes::Several(mut list) => {
                list.push(said);
                Suffixes::Several(list)
            }
        };
    }
}

/// A suffix in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The words, with a computed part as the source writes it: `explode on >= (11 - luck)`.
    pub words: Arc<str>,
    /// The number that the computed part came to, to be said in its place.
    pub number: Option<Number>,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = &*self.words;
        match (&self.number, words.find('('), words.rfind(')')) {
            (Some(number), Some(open), Some(close)) => {
                write!(f, "{}{number}{}", &words[..open], &words[close + 1..])
            }
            _ => f.write_str(words),
        }
    }
}

/// The dice of a pool; [`Roll::dice_of`] lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoolDice {
    /// Those that were thrown for it, one after the other, and nothing but what it did to them itself.
    Thrown {
        /// The first.
        first: DieId,
        /// How many.
        count: u32,
    },
    /// These.
    Each(Vec<PoolDie>),
}

impl PoolDice {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            PoolDice::Thrown { count, .. } => *count as usize,
            PoolDice::Each(dice) => dice.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A die as one pool sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolDie {
    /// Its number in [`Roll::dice`]; none if it stands for a total.
    pub die: Option<DieId>,
    /// What it shows in this pool.
    pub shows: Value,
    /// What became of it in this pool.
    pub fates: Fates,
}

impl PoolDie {
    /// A die in the pool that threw it.
    pub(crate) fn thrown(dice: &Dice, id: DieId) -> PoolDie {
        PoolDie { die: Some(id), shows: dice.own_value(id), fates: dice.own_fates(id) }
    }
}
