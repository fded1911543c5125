//! What a checker knows of programs: with an engine, what they come to; without one, nothing.

use std::sync::Arc;

use crate::bytes::Hash;
use crate::line::{Dice, Limits, Outcome};
#[cfg(feature = "engine")]
use crate::programs::{Programs, library};

/// The version of the language: raised when a program that could be rolled comes to something else.
pub const LANGUAGE: u64 = 1;

/// What is to be rolled.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The program.
    pub text: &'a str,
    /// Its inputs.
    pub inputs: &'a [(String, String)],
    /// The house rules, if there are any.
    pub rules: Option<&'a Arc<str>>,
    /// What it may cost.
    pub limits: &'a Limits,
}

/// Who judges dice and outcomes.
#[derive(Clone, Debug)]
pub(crate) enum Judge {
    /// Nobody here.
    Blind,
    /// An engine, and the hash of its library.
    #[cfg(feature = "engine")]
    Engine(Programs, Hash),
}

impl Judge {
    /// An engine, if there is one.
    pub(crate) fn best() -> Judge {
        #[cfg(feature = "engine")]
        return Judge::Engine(Programs::default(), library());
        #[cfg(not(feature = "engine"))]
        Judge::Blind
    }

    /// The hash of its library.
    pub(crate) fn library(&self) -> Option<Hash> {
        match self {
            Judge::Blind => None,
            #[cfg(feature = "engine")]
            Judge::Engine(_, library) => Some(*library),
        }
    }

    /// The dice and the outcome of a roll.
    #[cfg_attr(not(feature = "engine"), allow(unused_variables, reason = "nobody rolls"))]
    pub(crate) fn roll(&mut self, wanted: &Wanted<'_>, key: [u8; 32]) -> Option<(Dice, Outcome)> {
        match self {
            Judge::Blind => None,
            #[cfg(feature = "engine")]
            Judge::Engine(programs, _) => Some(programs.roll(wanted, key)),
        }
    }

    /// What typed faces come to.
    #[cfg_attr(not(feature = "engine"), allow(unused_variables, reason = "nobody rolls"))]
    pub(crate) fn typed(&mut self, wanted: &Wanted<'_>, faces: &str) -> Option<Outcome> {
        match self {
            Judge::Blind => None,
            #[cfg(feature = "engine")]
            Judge::Engine(programs, _) => Some(programs.typed(wanted, faces)),
        }
    }
}
