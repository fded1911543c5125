//! One file a command.

pub(crate) mod both;
mod catalogue;
pub(crate) mod chapter;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod fmt;
pub(crate) mod help;
pub(crate) mod man;
pub(crate) mod odds;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod roll;
mod rules;
#[cfg(feature = "server")]
pub(crate) mod serve;
#[cfg(feature = "sit")]
pub(crate) mod sit;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod systems;
#[cfg(feature = "server")]
pub(crate) mod table;
pub(crate) mod verify;
