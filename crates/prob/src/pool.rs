//! Pools: many dice on the table, what is done to them, and what is read off them.
//!
//! A [`Pool`] is a description, `4d6` and then `keep highest 3`; nothing is thrown. [`read`] gives
//! the exact law of one number read off it, [`dice`] the distribution of the dice themselves.
//!
//! The stages act from left to right on the dice on the table. A die that a stage throws is a
//! fresh, plain die: earlier stages do not act on it, later ones do. A die remembers the face it
//! was thrown with and what it shows now; a bare `explode` fires on the highest face as thrown, a
//! condition looks at what the die shows. How the law is found depends on the stages:
//!
//! | stages | method | file |
//! |---|---|---|
//! | any of the finite ones, small whole numbers | the same in machine words | `plain`, `few` |
//! | every die stays one die, independent of the others | its law, stage by stage | `still` |
//! | dice add dice (`explode`, `penetrate`) | a generating functional | `growth` |
//! | then keep or drop, every die one die | thresholds or a walk by face | `keep`, `few`, `alike`, `middle`, `nested`, `ranks` |
//! | then keep or drop, a growing pool | thresholds on the functional | `threshold` |
//! | then keep, compound dice | thresholds that repeat | `compound` |
//! | then a limit in all | how many throws are left | `limited`, `tables` |
//! | drawn from a bag, or fair dice that must differ | products of binomial coefficients | `drawn`, `unique` |
//! | several readings of one pool | two thresholds, or a walk by face | `together` |
//! | a walk over the faces, with a state | the state and the dice to come | `walk` |
//! | counts of faces, the rest left a pool | dice told apart by what they count for | `counted` |
//! | dice that lie on the table | nothing is random | `fixed` |
//! | anything after that | every state of the table, then each goes on alone | `states`, `bag`, `onward` |
//! | endless dice without a closed form | each is cut, with the chance given up; the caller asks for it | `cut` |

mod alike;
mod bag;
#[cfg(test)]
mod brute;
mod compound;
mod cut;
mod dice;
mod die;
mod drawn;
mod explosions;
mod few;
mod fixed;
mod growth;
mod in_order;
mod keep;
mod limited;
mod line;
mod marks;
mod middle;
mod nested;
mod onward;
mod order;
mod piece;
mod plain;
mod ranks;
mod read;
mod states;
mod still;
mod stops;
mod tables;
mod tails;
#[cfg(test)]
mod tests;
mod threshold;
mod together;
mod unique;
mod walk;

pub use cut::{AllParts, all_in_parts, best_total, grown, in_parts};
pub use dice::{Hands, dice, dice_as_thrown, differing};
pub use die::{Condition, Die};
pub use explosions::Parts;
pub use fixed::read_fixed;
pub use in_order::in_order;
pub use ranks::ranks_of;
pub use read::{chance_of_fewer, read};
pub use stops::{Endlessness, never_stops};
pub use together::{Joint, Numbers, Part, Term, read_together};
pub use walk::{
    Answer, Answers, Dice, Ends, Lift, LiftedEnds, LiftedSteps, Question, Seen, Steps, WalkError,
    Way, ask, walk, walk_lifted,
};

use crate::law::{Law, LawError};
use crate::meter::OverBudget;
use crate::number::Rational;

/// Dice in throw order, and what is done to them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pool {
    /// Groups of equal dice, each with its count, in throw order.
    pub groups: Vec<(u64, Source)>,
    /// What is done to the dice on the table, from left to right.
    pub stages: Vec<Stage>,
}

/// Where a die of a pool comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A plain die, which can be thrown again.
    Die(Die),
    /// A number that counts as one die, such as a total. It cannot be thrown again.
    Total(Law),
    /// Dice that lie on the table already. They can be thrown again only if it is told with which die.
    Fixed(Vec<TableDie>, Option<Die>),
}

/// How many dice there are at first.
pub fn dice_in(groups: &[(u64, Source)]) -> u64 {
    let dice = groups.iter().map(|(count, source)| match source {
        Source::Fixed(dice, _) => dice.len() as u64,
        Source::Die(_) | Source::Total(_) => *count,
    });
    dice.fold(0, u64::saturating_add)
}

/// A die on the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TableDie {
    /// What it shows now.
    pub shown: Rational,
    /// The face it was thrown with.
    pub thrown: Rational,
}

/// One thing done to the dice on the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Dice that fulfil the condition are thrown again: once, or until they do not.
    Reroll {
        /// Which dice.
        when: Condition,
        /// Once, or again and again.
        once: bool,
    },
    /// Dice that fire add dice, which may fire in turn.
    Explode {
        /// Which dice fire.
        trigger: Trigger,
        /// What becomes of the extra dice.
        style: Style,
        /// At most this many extra dice for each die.
        limit: Option<u64>,
    },
    /// One of the two above, with a limit for all dice together.
    InAll {
        /// What is done.
        act: Box<Stage>,
        /// At most this many dice are thrown by it.
        most: u64,
        /// Which dice have their turn first. Each is finished before the next.
        first: Order,
    },
    /// A die shows at least this.
    AtLeast(Rational),
    /// A die shows at most this.
    AtMost(Rational),
    /// A die that shows the face of an earlier one is thrown again until it differs from all.
    Unique,
    /// The dice of the pool, which are all of one kind ([`Die::bag`]), are not thrown but drawn from a bag. It
    /// is the first stage, and none that throws follows it.
    Drawn,
    /// Keep this many dice.
    Keep(End, u64),
    /// Drop this many dice.
    Drop(End, u64),
}

impl Stage {
    /// Whether it throws dice, or draws them.
    pub fn throws(&self) -> bool {
        match self {
            Stage::Reroll { .. } | Stage::Explode { .. } | Stage::InAll { .. } => true,
            Stage::Unique | Stage::Drawn => true,
            Stage::AtLeast(_) | Stage::AtMost(_) | Stage::Keep(..) | Stage::Drop(..) => false,
        }
    }

    /// Whether it looks at one die at a time.
    pub fn acts_on_each_die(&self) -> bool {
        match self {
            Stage::Reroll { .. } | Stage::Explode { .. } => true,
            Stage::AtLeast(_) | Stage::AtMost(_) => true,
            Stage::InAll { .. } | Stage::Unique | Stage::Drawn => false,
            Stage::Keep(..) | Stage::Drop(..) => false,
        }
    }
}

/// Whose turn is first where throws are limited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// As thrown.
    Thrown,
    /// The lowest; equal ones as thrown.
    Lowest,
    /// The highest; equal ones as thrown.
    Highest,
}

/// Which dice explode.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Trigger {
    /// Those thrown with the highest face of their die.
    Highest,
    /// Those that show something that fulfils the condition.
    When(Condition),
}

/// What becomes of the extra dice of an explosion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// They are dice of their own.
    Separate,
    /// They are added to what their die shows.
    Compound,
    /// They are dice of their own that show one less than their face; the trigger looks at the face.
    Penetrate,
}

/// From which end of the dice, ordered by what they show and then by throw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The greatest.
    Highest,
    /// The least.
    Lowest,
    /// The middle; where it does not come out even, one more goes from the top.
    Middle,
}

/// What is read off the dice on the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// The sum of what they show.
    Sum,
    /// For each die, the sum of the marks whose conditions it fulfils (+1 for, −1 against).
    Marks(Vec<(Condition, i8)>),
    /// What the n-th highest shows, counted from 1.
    NthHighest(u64),
    /// What the n-th lowest shows, counted from 1.
    NthLowest(u64),
    /// The middle die, or the mean of the two middle ones.
    Median,
}

impl Reading {
    /// Whether the reading of several dice is the sum of the readings of each.
    pub fn is_additive(&self) -> bool {
        match self {
            Reading::Sum | Reading::Marks(_) => true,
            Reading::NthHighest(_) | Reading::NthLowest(_) | Reading::Median => false,
        }
    }
}

/// In how many ways so many equal dice can lie, if that is no enormous number.
pub fn hands(dice: usize, faces: usize) -> Option<usize> {
    let mut hands: usize = 1;
    for step in 1..=dice.min(faces.checked_sub(1)?) {
        hands = hands.checked_mul(dice + faces - step)? / step;
    }
    Some(hands)
}

/// Why a pool has no answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PoolError {
    /// The answer is too large for the budget.
    OverBudget(OverBudget),
    /// It can go on for ever: `d6!>=1`, `d6 rr<=6`, `20d10u`.
    NeverStops(Endlessness),
    /// No exact answer is known for this endless pool.
    NoClosedForm,
    /// A total, a drawn die or a die fixed on the table would have to be thrown: `{2d6}!`.
    CannotThrow,
    /// More dice are drawn than the bag holds.
    EmptyBag,
    /// Fewer dice than the reading needs: the third highest of two, the median of none.
    TooFewDice,
}

impl From<OverBudget> for PoolError {
    fn from(over: OverBudget) -> Self {
        PoolError::OverBudget(over)
    }
}

impl From<LawError> for PoolError {
    fn from(error: LawError) -> Self {
        match error {
            LawError::OverBudget(over) => PoolError::OverBudget(over),
            LawError::NoClosedForm | LawError::NotACount(_) => PoolError::NoClosedForm,
        }
    }
}
