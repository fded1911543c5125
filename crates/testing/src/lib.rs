//! What holds the project together: the law, the executed pages, the golden tables.
//!
//! * [`law`](mod@law): odds = roll over every sequence of faces, on any program;
//! * [`random`]: small well-typed programs from a seed, and how to shrink one that breaks the law;
//! * [`golden`]: tables of exact answers for the five systems;
//! * [`spec`]: the pages of `spec/`, read and executed;
//! * [`ways`]: the same answer with each shortcut closed, and with all of them;
//! * [`checks`]: the verbs that tests are written with.

pub mod checks;
pub mod golden;
pub mod law;
pub mod notices;
pub mod random;
pub mod spec;
pub mod ways;
