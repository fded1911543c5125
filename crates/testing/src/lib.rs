//! What holds the project together: the law, the executed pages, the golden tables.
//!
//! * [`law`](mod@law): odds = roll over every sequence of faces, on any program;
//! * [`enumerate`]: the odds found the plain way, as a second opinion;
//! * [`grow`]: small well-typed programs from a seed, and how to shrink one that breaks the law;
//! * [`reach`]: what programs contain, as a table of what was never reached;
//! * [`trial`]: the law on many programs, and those that broke it once;
//! * [`golden`]: tables of exact answers for the five systems;
//! * [`spec`]: the pages of `spec/`, read and executed;
//! * [`told`]: the rules of a play, read as they are written, in every state;
//! * [`ways`]: the same answer with each shortcut closed, and with all of them;
//! * [`checks`]: the verbs that tests are written with.

pub mod checks;
pub mod enumerate;
pub mod golden;
pub mod grow;
pub mod law;
pub mod reach;
pub mod spec;
pub mod told;
pub mod trial;
pub mod ways;
