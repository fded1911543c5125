//! What is asked of dice that lie on the table.
//!
//! ```text
//! let dice = 8d6
//! {low: nth_highest(dice, 2), high: nth_highest(dice, 1), sum: dice keep highest 2}
//! ```
//!
//! Dice that are bound and read several times are one throw that shows a hand, and each reading is a question
//! ([`Question`]). Hands that answer every question alike are never told apart ([`joint`]). Hands that are dealt
//! one after the other from one bag are one throw, too ([`deal`]), and so are dice that a walk goes over side by side.

mod deal;
mod joint;
mod readings;

use astragal_prob::Rational;
use astragal_prob::pool::{Condition, Reading, Stage};
use astragal_program::core;
use astragal_value::Value;

pub(crate) use crate::eval::bag_of;
use crate::plan::{Node, NodeId, Walk};
pub(crate) use deal::Deal;
pub(crate) use joint::{Joint, Joints, joint, of_one};
pub(crate) use readings::Readings;

/// What is asked of dice where they are bound.
pub(crate) struct Asked<'p> {
    pub(crate) questions: Vec<Question>,
    pub(crate) walks: Vec<&'p Walk>,
    /// The hands that are dealt from the same bag, if the dice are drawn.
    pub(crate) deal: Option<Deal>,
    /// Dice that are thrown with them since one walk goes over both: the hands after the first.
    pub(crate) beside: Vec<Beside<'p>>,
}

/// Dice that depend on no other throw, and the variables that they read.
#[derive(Clone)]
pub(crate) struct Beside<'p> {
    pub(crate) node: &'p Node,
    pub(crate) variables: Vec<Option<Value>>,
}

impl<'p> Asked<'p> {
    pub(crate) fn of(deal: Option<Deal>) -> Asked<'p> {
        Asked { questions: Vec::new(), walks: Vec::new(), deal, beside: Vec::new() }
    }

    /// How many hands there are.
    pub(crate) fn hands(&self) -> usize {
        self.deal.as_ref().map_or(1, Deal::hands) + self.beside.len()
    }

    /// One more hand, thrown with the others; none if there are too many.
    pub(crate) fn throw(&mut self, beside: Beside<'p>) -> Option<Hands> {
        let hand = Hands::one(self.hands())?;
        self.beside.push(beside);
        Some(hand)
    }

    /// The number of a question.
    pub(crate) fn question(&mut self, question: Question) -> u32 {
        let known = self.questions.iter().position(|known| *known == question);
        known.unwrap_or_else(|| {
            self.questions.push(question);
            self.questions.len() - 1
        }) as u32
    }

    /// What a walk is known by.
    pub(crate) fn walk(&mut self, walk: &'p Walk) -> NodeId {
        if !self.walks.iter().any(|known| std::ptr::eq(*known, walk)) {
            self.walks.push(walk);
        }
        walk.body.id
    }
}

/// A question to dice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    /// A number that is read off them.
    Read(View, Reading),
    /// Where a walk over their faces leads.
    Walk(Walked),
}

impl Question {
    /// What is seen of the dice, one kind beside the other.
    fn views(&self) -> &[View] {
        match self {
            Question::Read(view, _) => std::slice::from_ref(view),
            Question::Walk(walked) => &walked.views,
        }
    }
}

/// A walk, the dice that it sees side by side, its first value and what else it looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Walked {
    pub(crate) place: NodeId,
    pub(crate) views: Vec<View>,
    pub(crate) first: Value,
    pub(crate) values: Vec<Value>,
    /// How many variables its function has.
    pub(crate) locals: usize,
}

/// Some of the hands that are dealt together, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hands(u64);

impl Default for Hands {
    fn default() -> Self {
        Hands(1)
    }
}

impl Hands {
    const NONE: Hands = Hands(0);

    /// A hand by its number; none if it is too large.
    fn one(number: usize) -> Option<Hands> {
        1u64.checked_shl(u32::try_from(number).ok()?).map(Hands)
    }

    /// The hands of both; none if they have one in common.
    fn and(self, other: Hands) -> Option<Hands> {
        (self.0 & other.0 == 0).then_some(Hands(self.0 | other.0))
    }

    pub(crate) fn numbers(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |number| self.0 >> number & 1 == 1)
    }
}

/// What is done to dice after they are bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct View {
    /// Which of the hands that are dealt or thrown together; dice that are thrown alone are the first.
    pub(crate) hands: Hands,
    pub(crate) stages: Vec<Stage>,
    pub(crate) marks: Vec<(Condition, i8)>,
}

/// One thing done to dice.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Stage(Stage),
    Mark(Condition, i8),
}

impl View {
    /// Hands of a deal as they are.
    pub(crate) fn of(hands: Hands) -> View {
        View { hands, ..View::default() }
    }

    /// Several hands laid together; none if something was done to one of them.
    pub(crate) fn together(views: &[View]) -> Option<View> {
        let mut all = Hands::NONE;
        for view in views {
            if *view != View::of(view.hands) {
                return None;
            }
            all = all.and(view.hands)?;
        }
        Some(View::of(all))
    }

    pub(crate) fn after(mut self, act: Act) -> View {
        match act {
            Act::Stage(stage) => self.stages.push(stage),
            Act::Mark(condition, worth) => self.marks.push((condition, worth)),
        }
        self
    }
}

/// What is read, by the number of the die if it is a single one.
pub(crate) fn reading_of<E>(reading: &core::Reading<E>, rank: u64) -> Reading {
    match reading {
        core::Reading::Total => Reading::Sum,
        core::Reading::Median => Reading::Median,
        core::Reading::NthHighest(_) => Reading::NthHighest(rank),
        core::Reading::NthLowest(_) => Reading::NthLowest(rank),
    }
}

/// A whole number that is not negative.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    value.as_number()?.to_u64()
}

/// Faces and weights, given in turn.
pub(crate) fn weighted(values: &[Value]) -> Option<Vec<(Rational, u64)>> {
    let pair = |pair: &[Value]| Some((pair[0].as_number()?.to_rational(), whole(&pair[1])?));
    let faces: Option<Vec<_>> = values.chunks_exact(2).map(pair).collect();
    faces.filter(|faces| faces.iter().all(|(_, weight)| *weight > 0))
}
