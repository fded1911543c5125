//! What happened in a roll, step by step.
//!
//! A step is small data: words are taken from the program as they are, or said later from the numbers
//! that are kept here. Most rolls have one step, which needs no memory of its own.

use std::fmt;
use std::ops::Index;
use std::sync::Arc;

use astragal_program::core::{Branch, Who};
use astragal_syntax::Words;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use crate::dice::Dice;
use crate::explanation::{DieId, Fates};
use crate::faces::DieFaces;

/// The steps of a roll, in reading order.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    pub(crate) first: Option<Step>,
    pub(crate) rest: Vec<Step>,
}

impl Steps {
    /// How many.
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.rest.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// In order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.first.iter().chain(&self.rest)
    }

    /// The step with this number.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&Step> {
        match index {
            0 => self.first.as_ref(),
            _ => self.rest.get(index - 1),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut Step> {
        match index {
            0 => self.first.as_mut(),
            _ => self.rest.get_mut(index - 1),
        }
    }
}

impl Index<usize> for Steps {
    type Output = Step;

    fn index(&self, index: usize) -> &Step {
        self.get(index).expect("a step of this roll")
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// How deep in calls, groups and rounds: 0 is the program itself.
    pub depth: u32,
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StepKind,
}

/// What labels contribute to a number.
pub type Labels = Box<[(Arc<str>, Number)]>;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
        total: Worth,
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
        /// The pool it names: an index into [`Record::steps`](crate::Record::steps).
        pool: Option<usize>,
        /// What labels contribute to its value, if it has any.
        labels: Option<Labels>,
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
    /// What is known of a number before it is thrown.
    Measured {
        /// That.
        value: Value,
    },
    /// Somebody decided.
    Chosen {
        /// Whose choice it was.
        who: Who,
        /// What was taken, by its place.
        taken: usize,
        /// What there was to take.
        options: Vec<Arc<str>>,
        /// What each was worth, if that is known.
        worth: Option<Vec<Number>>,
        /// Whether that is the chance of a yes.
        is_chance: bool,
        /// The best of them, if that is known.
        best: Option<usize>,
    },
    /// A line in the game's words.
    Note {
        /// The line.
        text: Arc<str>,
    },
}

/// What a pool is worth: nearly always a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// A whole number that fits a word.
    Whole(i64),
    /// Anything else.
    Other(Value),
}

impl Worth {
    /// As a value.
    pub fn value(&self) -> Value {
        match self {
            Worth::Whole(whole) => Value::whole(*whole),
            Worth::Other(value) => value.clone(),
        }
    }
}

impl From<Value> for Worth {
    fn from(value: Value) -> Worth {
        match value.as_number().and_then(Number::to_i64) {
            Some(whole) => Worth::Whole(whole),
            None => Worth::Other(value),
        }
    }
}

/// The dice of a pool before any suffix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
        /// The step that threw them: an index into [`Record::steps`](crate::Record::steps).
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
        match self {
            Suffixes::None => *self = Suffixes::One(said),
            Suffixes::Several(list) => list.push(said),
            Suffixes::One(_) => {
                let Suffixes::One(first) = std::mem::take(self) else { return };
                *self = Suffixes::Several(vec![first, said]);
            }
        }
    }
}

/// A suffix in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The words, with a computed part as the source writes it: `explode on >= (11 - luck)`.
    pub words: Words,
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

/// The dice of a pool; [`Record::dice_of`](crate::Record::dice_of) lists them.
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
    /// Its number in [`Record::dice`](crate::Record::dice); none if it stands for a total.
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
