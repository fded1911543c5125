//! AnyDice programs, run as AnyDice means them, with exact chances.
//!
//! AnyDice computes with laws: a variable holds a die, not a throw, and `X + X` is two independent dice. So it has an
//! evaluator of its own here, on the laws of `astragal-prob`; our own language is not bent for it.
//!
//! ```
//! use astragal_prob::Meter;
//!
//! let program = astragal_anydice::parse("output [highest 3 of 4d6] named \"a score\"").unwrap();
//! let outputs = astragal_anydice::run(&program, &Meter::new(10_000_000)).unwrap();
//! assert_eq!(&*outputs.list[0].name, "a score");
//! assert_eq!(outputs.list[0].law.as_ref().unwrap().mean().to_string(), "15869/1296");
//! ```
//!
//! Reading order: `tree` (what a program is made of), `token` and `parse`; `value`, `make`, `operate` and `ranks` (what it
//! computes with); `scope`, `run`, `call` with `hands` and `mixture` (how it runs); `builtin`; `outer` says which calls need
//! to be worked out only once. Texts, quirks and all: the rules are those of the public documentation, and where AnyDice's
//! floats or 64 bits are wrong, this is right and says so ([`Outputs::notices`]).

mod builtin;
mod call;
mod fault;
mod hands;
mod make;
mod mixture;
mod name;
mod operate;
mod outer;
mod parse;
mod ranks;
mod run;
mod scope;
mod token;
mod tree;
mod value;

use astragal_prob::Meter;
use astragal_syntax::diagnostic::Diagnostic;

pub use run::{Output, Outputs};
pub use tree::Program;

/// Reads a program. A wrong one computes nothing.
pub fn parse(text: &str) -> Result<Program, Box<Diagnostic>> {
    parse::program(text)
}

/// Runs a program within a budget; the first error stops it.
pub fn run(program: &Program, meter: &Meter) -> Result<Outputs, Box<Diagnostic>> {
    run::run(program, meter)
}
