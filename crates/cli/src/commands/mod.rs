//! One file a command.

pub(crate) mod both;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod fmt;
pub(crate) mod odds;
pub(crate) mod play;
pub(crate) mod roll;
pub(crate) mod systems;
