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
//! to be worked out only once, `grouped` with `reads` and `quick` which runs of a call. Texts, quirks and all: the rules are those of the public documentation, and where AnyDice's
//! floats or 64 bits are wrong, this is right and says so ([`Outputs::notices`]).

mod builtin;
mod call;
mod fault;
mod grouped;
mod hands;
mod make;
mod mixture;
mod name;
mod operate;
mod ours;
mod outer;
mod parse;
mod quick;
mod ranks;
mod reads;
mod run;
mod scope;
mod token;
mod tree;
mod value;

use astragal_prob::Meter;
use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;

use token::Token;

pub use ours::{Naming, Ours, Recursion};
pub use run::{Output, Outputs};
pub use tree::Program;

/// Reads a program. A wrong one computes nothing.
pub fn parse(text: &str) -> Result<Program, Box<Diagnostic>> {
    with_stack(|| parse::program(text))
}

/// Whether a text is plainly an AnyDice program, right or wrong: it outputs something, and begins as such programs do.
///
/// ```
/// assert!(astragal_anydice::is_program("X: 3 output XdX"));
/// assert!(!astragal_anydice::is_program("3d6"));
/// ```
pub fn is_program(text: &str) -> bool {
    let Ok(tokens) = token::tokens(text) else {
        return text.trim_start().starts_with("output ");
    };
    begins(&tokens) && outputs(&tokens)
}

/// Whether a text begins as such programs do and is not whole: it outputs nothing yet, or something in it is open. What
/// begins with `if` may be ours.
///
/// ```
/// assert!(astragal_anydice::is_unfinished("function: f X:n {"));
/// assert!(!astragal_anydice::is_unfinished("X: 3 output XdX"));
/// ```
pub fn is_unfinished(text: &str) -> bool {
    let (tokens, open) = match token::tokens(text) {
        Ok(tokens) => (tokens, false),
        Err(error) if matches!(error.code, "unclosed-comment" | "unclosed-text") => {
            let at = error.labels.first().map_or(0, |label| label.span.start as usize);
            (token::tokens(&text[..at]).unwrap_or_default(), true)
        }
        Err(_) => return false,
    };
    let token = |at: usize| tokens.get(at).map_or(Token::End, |(token, _)| *token);
    match (token(0), token(1)) {
        // Nothing but comments so far.
        (Token::End, _) => return text.trim_start().starts_with('\\'),
        (Token::Word("loop"), Token::Variable(_)) => {}
        (Token::Word("if" | "loop"), _) => return false,
        _ => {}
    }
    let depth = tokens.iter().fold(0_i32, |depth, (token, _)| match token {
        Token::Sign("{" | "(" | "[") => depth + 1,
        Token::Sign("}" | ")" | "]") => depth - 1,
        _ => depth,
    });
    begins(&tokens) && (open || depth > 0 || !outputs(&tokens))
}

fn begins(tokens: &[(Token<'_>, Span)]) -> bool {
    let token = |at: usize| tokens.get(at).map(|(token, _)| *token);
    match (token(0), token(1)) {
        (Some(Token::Word("output")), Some(Token::Sign(":" | "." | "=" | ","))) => false,
        (Some(Token::Word("output" | "loop" | "if")), _) => true,
        (Some(Token::Word("function") | Token::Variable(_)), Some(Token::Sign(":"))) => true,
        (Some(Token::Word("set")), Some(Token::Text(_))) => true,
        _ => false,
    }
}

fn outputs(tokens: &[(Token<'_>, Span)]) -> bool {
    tokens.iter().any(|(token, _)| *token == Token::Word("output"))
}

/// The program in our language, where an idiom is known; its outputs have these names. Whoever asks compares the laws: it
/// is not certain that both say the same.
pub fn in_astragal(
    program: &Program,
    names: &[&str],
    recursion: Recursion,
    naming: Naming,
    meter: &Meter,
) -> Result<Ours, Box<Diagnostic>> {
    with_stack(|| ours::said(program, names, recursion, naming, meter))
}

/// Runs a program within a budget; the first error stops it.
pub fn run(program: &Program, meter: &Meter) -> Result<Outputs, Box<Diagnostic>> {
    run_grouped(program, meter, GROUPED_FROM)
}

/// Calls with so many runs are run by groups.
const GROUPED_FROM: u64 = 60;

/// The same, with calls that have so many runs, and not fewer, run by groups of them: for tests of that.
#[doc(hidden)]
pub fn run_grouped(
    program: &Program,
    meter: &Meter,
    from: u64,
) -> Result<Outputs, Box<Diagnostic>> {
    with_stack(|| run::run(program, meter, from))
}

/// What the deepest program that is read needs; calls look for more by themselves.
fn with_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(4 << 20, 16 << 20, work)
}
