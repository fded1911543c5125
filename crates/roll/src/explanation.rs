//! What happened in a roll, as data.
//!
//! A [`Roll`] lists every die that was thrown and, in reading order, every step: the pools with what
//! became of their dice, the names that were bound, the branches taken, the calls with their arguments
//! and results, the notes. Steps carry their depth, so that a renderer can show one glance or
//! everything. Words from the source are kept as places; whoever renders has the text.

use std::sync::Arc;

use astragal_program::core::Branch;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

/// One roll with its explanation.
#[derive(Clone, Debug)]
pub struct Roll {
    /// What the program yields: its only result, or a record of its named results.
    pub value: Value,
    /// The results with their names, in order.
    pub results: Vec<(Option<Arc<str>>, Value)>,
    /// Why it was thrown again, until the evidence held: each condition that failed, and how often.
    pub again: Vec<(Span, u64)>,
    /// Every die that was thrown in the attempt that counts, in the order of throws.
    pub dice: Vec<DieRecord>,
    /// What happened, in reading order.
    pub steps: Vec<Step>,
    /// What each label contributes to the result.
    pub labels: Vec<(Arc<str>, Number)>,
    /// The lines of `note`, in order.
    pub notices: Vec<String>,
    /// Whether there were more steps than are recorded.
    pub shortened: bool,
}

/// The number of a die: its place in [`Roll::dice`].
pub type DieId = u32;

/// A die that was thrown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DieRecord {
    /// Its number.
    pub id: DieId,
    /// Which die: `d6`.
    pub name: Arc<str>,
    /// How many sides it has; equal faces count each.
    pub sides: u64,
    /// The face that came up.
    pub face: Value,
    /// What it shows in the end.
    pub value: Value,
    /// All faces of a compounded die, in order; empty for any other.
    pub throws: Vec<Value>,
    /// What became of it.
    pub fates: Fates,
    /// The die that it exploded from, or that it replaced.
    pub from: Option<DieId>,
    /// Its label.
    pub label: Option<Arc<str>>,
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
    /// How many marks for.
    pub counted_for: u32,
    /// How many marks against.
    pub counted_against: u32,
}

impl Fates {
    /// Whether the die counts in the end.
    pub fn kept(&self) -> bool {
        !self.dropped && !self.rerolled
    }

    /// In words, as the JSON lists them.
    pub fn words(&self) -> Vec<&'static str> {
        let counted = self.counted_for + self.counted_against > 0;
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
        /// The suffixes in words.
        suffixes: Vec<Arc<str>>,
        /// All dice that took part, also those that no longer count.
        dice: Vec<PoolDie>,
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
    /// In words: `4d6`.
    Words(Arc<str>),
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
