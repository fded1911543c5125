//! What lies beside the log: hidden rolls, and who may see them.

use astragal_fair::line::{Dice, Outcome};
use astragal_fair::request::To;
use astragal_fair::{Value, exact};
use serde::{Deserialize, Serialize};

/// What the house keeps of a hidden roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aside {
    /// The request.
    pub request: String,
    /// The house's value; none while witnesses are asked.
    pub house: Option<Value>,
    /// The values of the witnesses.
    pub witnesses: Vec<Value>,
    /// Why it was not rolled, whatever its program.
    pub refused: Option<String>,
    /// What it came to; none until it was thrown.
    pub shown: Option<(Dice, Outcome)>,
}

impl Aside {
    /// As it is kept.
    pub fn text(&self) -> String {
        exact::write(self)
    }

    /// From what is kept.
    pub fn read(text: &str) -> Option<Aside> {
        serde_json::from_str(text).ok()
    }
}

/// Who may see something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone.
    All,
    /// Owners.
    Owners,
    /// Owners, and whoever said it.
    OwnersAnd(u64),
    /// These seats.
    Seats(Vec<u64>),
}

impl Audience {
    /// Whether somebody belongs to it: a seat, if he has one, and whether that is an owner's.
    pub fn has(&self, seat: Option<u64>, owner: bool) -> bool {
        match self {
            Audience::All => true,
            Audience::Owners => owner,
            Audience::OwnersAnd(by) => owner || seat == Some(*by),
            Audience::Seats(seats) => seat.is_some_and(|seat| seats.contains(&seat)),
        }
    }

    /// The same, and this seat.
    pub fn and(self, by: u64) -> Audience {
        match self {
            Audience::Owners => Audience::OwnersAnd(by),
            Audience::Seats(mut seats) => {
                seats.push(by);
                Audience::Seats(seats)
            }
            other => other,
        }
    }
}

/// Who may see what a seat sends `to` somebody. A roller does not see what is for the game master alone.
pub fn readers(to: &To, seat: u64) -> Audience {
    match to {
        To::All => Audience::All,
        To::Owner => Audience::Owners,
        To::Myself => Audience::Seats(vec![seat]),
        To::Seats(seats) => Audience::Seats(seats.clone()),
    }
}
