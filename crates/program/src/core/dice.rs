//! What dice are made of, and what is done to them.
//!
//! The same forms hold expressions in the core program and nodes in what is made of it, so each is written once.

use astragal_syntax::tree::{Comparison, End, ExplodeStyle, Order};

use super::Expr;

/// The dice of a pool.
#[derive(Clone, Debug)]
pub enum Die<E = Expr> {
    /// Faces 1 to this number.
    Sides(Box<E>),
    /// One face of 1 to 100, shown as tens and ones.
    Percent,
    /// −1, 0, +1.
    Fate,
    /// The faces as written, numbers.
    Faces(Vec<Face<E>>),
}

/// A face and its weight.
#[derive(Clone, Debug)]
pub struct Face<E = Expr> {
    /// What it shows.
    pub value: E,
    /// How many such faces, a positive whole number.
    pub weight: E,
}

/// What a suffix does.
#[derive(Clone, Debug)]
pub enum SuffixKind<E = Expr> {
    /// Keeps so many.
    Keep(End, Box<E>),
    /// Drops so many.
    Drop(End, Box<E>),
    /// Throws more dice.
    Explode {
        /// What becomes of the extra dice.
        style: ExplodeStyle,
        /// On which faces; none: the highest as thrown.
        trigger: Option<Condition<E>>,
        /// At most so many extra dice a die; none: no limit.
        limit: Option<Box<E>>,
    },
    /// Throws dice again.
    Reroll {
        /// At most once a die.
        once: bool,
        /// Which dice.
        condition: Condition<E>,
    },
    /// An explosion or a reroll with a limit for all dice together.
    InAll {
        /// What is done.
        act: Box<SuffixKind<E>>,
        /// At most so many throws.
        most: Box<E>,
        /// Which dice have their turn first.
        first: Order,
    },
    /// A die below shows this.
    AtLeast(Box<E>),
    /// A die above shows this.
    AtMost(Box<E>),
    /// Marks dice for.
    CountFor(Condition<E>),
    /// Marks dice against.
    CountAgainst(Condition<E>),
    /// Throws dice again until all differ.
    Unique,
    /// Lowest first in the explanation.
    Ascending,
    /// Highest first in the explanation.
    Descending,
}

/// A comparison with a number.
#[derive(Clone, Debug)]
pub struct Condition<E = Expr> {
    /// How.
    pub comparison: Comparison,
    /// With what.
    pub value: Box<E>,
}

/// What is read off a pool.
#[derive(Clone, Debug)]
pub enum Reading<E = Expr> {
    /// The sum; of a marked pool, marks for minus marks against.
    Total,
    /// The n-th die from the top.
    NthHighest(Box<E>),
    /// The n-th die from the bottom.
    NthLowest(Box<E>),
    /// The middle die, or the mean of the two middle dice.
    Median,
}

/// Writes the same functions for parts that are looked at and for parts that are changed. All parts are in the order of
/// evaluation.
macro_rules! parts {
    ($die:ident, $face:ident, $suffix:ident, $reading:ident, $iter:ident, $option:ident $(, $change:tt)?) => {
        impl<E> Die<E> {
            /// The numbers that a die is made of.
            pub fn $die(&$($change)? self) -> Vec<&$($change)? E> {
                match self {
                    Die::Sides(sides) => vec![sides],
                    Die::Percent | Die::Fate => Vec::new(),
                    Die::Faces(faces) => faces.$iter().flat_map(Face::$face).collect(),
                }
            }
        }

        impl<E> Face<E> {
            /// What it shows, and its weight.
            pub fn $face(&$($change)? self) -> [&$($change)? E; 2] {
                [&$($change)? self.value, &$($change)? self.weight]
            }
        }

        impl<E> SuffixKind<E> {
            /// The numbers of a suffix.
            pub fn $suffix(&$($change)? self) -> Vec<&$($change)? E> {
                match self {
                    SuffixKind::Keep(_, value)
                    | SuffixKind::Drop(_, value)
                    | SuffixKind::AtLeast(value)
                    | SuffixKind::AtMost(value) => vec![value],
                    SuffixKind::Explode { trigger, limit, .. } => {
                        let trigger = trigger.$option().map(|condition| &$($change)? condition.value);
                        trigger.into_iter().chain(limit).map(|part| &$($change)? **part).collect()
                    }
                    SuffixKind::Reroll { condition, .. }
                    | SuffixKind::CountFor(condition)
                    | SuffixKind::CountAgainst(condition) => vec![&$($change)? condition.value],
                    SuffixKind::InAll { act, most, .. } => {
                        let mut parts = act.$suffix();
                        parts.push(most);
                        parts
                    }
                    SuffixKind::Unique | SuffixKind::Ascending | SuffixKind::Descending => {
                        Vec::new()
                    }
                }
            }
        }

        impl<E> Reading<E> {
            /// The number of the die that is read, if it is a single one.
            pub fn $reading(&$($change)? self) -> Option<&$($change)? E> {
                match self {
                    Reading::Total | Reading::Median => None,
                    Reading::NthHighest(number) | Reading::NthLowest(number) => Some(number),
                }
            }
        }
    };
}

parts!(parts, parts, numbers, number, iter, as_ref);
parts!(parts_mut, parts_mut, numbers_mut, number_mut, iter_mut, as_mut, mut);

impl<E> Die<E> {
    /// The same die, made of what becomes of its parts.
    pub fn map<F>(&self, change: &mut impl FnMut(&E) -> F) -> Die<F> {
        match self {
            Die::Sides(sides) => Die::Sides(Box::new(change(sides))),
            Die::Percent => Die::Percent,
            Die::Fate => Die::Fate,
            Die::Faces(faces) => {
                let face = |face: &Face<E>| Face {
                    value: change(&face.value),
                    weight: change(&face.weight),
                };
                Die::Faces(faces.iter().map(face).collect())
            }
        }
    }
}

impl<E> SuffixKind<E> {
    /// The same suffix with what becomes of its numbers.
    pub fn map<F>(&self, change: &mut impl FnMut(&E) -> F) -> SuffixKind<F> {
        match self {
            SuffixKind::Keep(end, count) => SuffixKind::Keep(*end, Box::new(change(count))),
            SuffixKind::Drop(end, count) => SuffixKind::Drop(*end, Box::new(change(count))),
            SuffixKind::Explode { style, trigger, limit } => SuffixKind::Explode {
                style: *style,
                trigger: trigger.as_ref().map(|trigger| trigger.map(change)),
                limit: limit.as_ref().map(|limit| Box::new(change(limit))),
            },
            SuffixKind::Reroll { once, condition } => {
                SuffixKind::Reroll { once: *once, condition: condition.map(change) }
            }
            SuffixKind::InAll { act, most, first } => SuffixKind::InAll {
                act: Box::new(act.map(change)),
                most: Box::new(change(most)),
                first: *first,
            },
            SuffixKind::AtLeast(value) => SuffixKind::AtLeast(Box::new(change(value))),
            SuffixKind::AtMost(value) => SuffixKind::AtMost(Box::new(change(value))),
            SuffixKind::CountFor(condition) => SuffixKind::CountFor(condition.map(change)),
            SuffixKind::CountAgainst(condition) => SuffixKind::CountAgainst(condition.map(change)),
            SuffixKind::Unique => SuffixKind::Unique,
            SuffixKind::Ascending => SuffixKind::Ascending,
            SuffixKind::Descending => SuffixKind::Descending,
        }
    }
}

impl<E> Condition<E> {
    fn map<F>(&self, change: &mut impl FnMut(&E) -> F) -> Condition<F> {
        Condition { comparison: self.comparison, value: Box::new(change(&self.value)) }
    }
}

impl<E> Reading<E> {
    /// The same reading with what becomes of its number.
    pub fn map<F>(&self, change: impl FnOnce(&E) -> F) -> Reading<F> {
        match self {
            Reading::Total => Reading::Total,
            Reading::NthHighest(number) => Reading::NthHighest(Box::new(change(number))),
            Reading::NthLowest(number) => Reading::NthLowest(Box::new(change(number))),
            Reading::Median => Reading::Median,
        }
    }
}
