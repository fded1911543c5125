//! Rolls of core programs that were built by hand: what the language means, without its front end.

mod build;
mod faults;
mod labels;
mod law;
mod pictures;
mod stream;
mod suffixes;
