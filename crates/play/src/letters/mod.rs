//! Games in which a number is a letter.
//!
//! ```text
//! a turn of Pig with t points       what holds for t holds for every number beyond a horizon          far
//! an exploding die shows 61 + s     what holds for s holds for everything that was not listed         endless
//! ```
//!
//! What does not depend on a letter is done as ever. What does is followed as far as it is made of sums, multiples, comparisons
//! and branches. Each number is known between two sums of letters ([`Range`]), which are mostly the same: then it is known
//! exactly. Where something else is done with it, bounds are all that is known, or nothing.

mod affine;
mod apart;
mod evaluate;
mod path;
mod range;

use astragal_odds::Failure;
use astragal_odds::known::Held;
use astragal_prob::Rational;
use astragal_program::core::Who;
use astragal_program::points::{GraphId, PointId};

use crate::explore::Aim;
use crate::game::Game;
use crate::tree::PlaceId;

pub(crate) use affine::{Affine, Letter};
pub(crate) use apart::{Apart, apart};
pub(crate) use evaluate::truth;
pub(crate) use path::{Call, Path};
pub(crate) use range::{Range, Sides};

/// What a variable holds, perhaps in terms of letters.
#[derive(Clone, Debug)]
pub(crate) enum Sym {
    /// Nothing of a letter.
    Held(Held),
    /// A number.
    Number(Range),
    /// Dice with this total, each worth at least 0.
    Dice(Range),
    /// A record.
    Record(Vec<Sym>),
    /// A list.
    List(Vec<Sym>),
    /// Yes or no: it is not known which.
    Either,
}

/// What a game is worth from somewhere on.
#[derive(Clone, Debug)]
pub(crate) enum Ahead {
    /// This.
    Worth(Range),
    /// What a place is worth in which no letter is needed.
    Place(PlaceId),
    /// What is best of these, each the arm or item of its number. Some of what is needed there grows with a letter.
    Best { who: Who, at: (GraphId, PointId), growing: Vec<usize>, options: Vec<(u32, Ahead)> },
    /// The mean of these.
    Mean(Vec<(Ahead, Rational)>),
    /// One of these, and nobody knows which.
    Either(Box<(Ahead, Ahead)>),
    /// This, where a letter stands for how far a number lies beyond what is listed; so much in the mean.
    Beyond { letter: Letter, ahead: Box<Ahead>, mean: Rational },
    /// Something of which nothing is known.
    Unknown,
}

/// What is known, if it is.
pub(crate) type Found<T> = Result<Option<T>, Failure>;

/// Who follows a game with letters, and says what may be said of them.
pub(crate) trait Reader<'p> {
    fn game(&mut self) -> &mut Game<'p>;

    /// For what is played.
    fn aim(&self) -> Aim<'_>;

    /// On which side of 0 a number may be.
    fn sides(&mut self, number: &Range) -> Sides;

    /// What is known of a place without following it; and whether nothing is to be known of it.
    fn settled(&mut self, path: &Path<'p>) -> Found<Ahead>;

    /// A new letter, for what lies beyond what is listed of a throw.
    fn letter(&mut self) -> Letter;

    /// What is taken at a choice, if that is known.
    fn only(&self, path: &Path<'p>) -> Option<u32>;

    /// Whether nothing is of use but what is known exactly.
    fn is_strict(&self) -> bool;
}
