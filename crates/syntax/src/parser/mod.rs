//! Text to tree, by recursive descent, one function for each production.
//!
//! ```text
//! file        = statements
//! statements  = { statement ( NEWLINE | ";" ) }
//! statement   = "let" name "=" expression
//!             | "fn" name "(" [ parameter { "," parameter } ] ")" "=" expression
//!             | "enum" name "=" [ "|" ] variant { "|" variant }
//!             | "param" name "=" expression
//!             | "show" plain-text "=" expression
//!             | "require" expression "else" text
//!             | "given" expression
//!             | "note" text
//!             | "use" plain-text [ "as" name ]
//!             | expression
//! variant     = name | "none"
//! parameter   = [ "roll" ] name [ ":" type ] [ "=" expression ]
//! type        = ( name { "." name } | "[" type "]" | "{" field-type { "," field-type } "}" ) { "?" }
//! field-type  = name [ ":" type ] [ "=" expression ]
//!
//! expression  = value { "given" value } on the same line
//! value       = lambda | operation
//! lambda      = ( name | "(" name { "," name } ")" ) "=>" expression
//! operation   = loosest first, each level made of the next:
//!               "or" | "and" | "not" | comparison (does not chain) | ".." | "+" "-"
//!               | "*" "/" "//" "%" | unary "-" | "^" "**" (to the right) | term
//! term        = primary { "." name | arguments | die | suffix | label }
//! arguments   = "(" directly after its function [ argument { "," argument } ] ")"
//! argument    = [ name ":" ] expression
//! label       = "[" free text "]" on the same line
//! primary     = number | text | "true" | "false" | "none" | name | die | paren | list | record | group
//!             | conditional | match | best-play | choice | block | repeat
//! paren       = "(" expression ")"
//! list        = "[" [ expression { "," expression } ] "]"
//! record      = "{" [ name ":" expression { "," name ":" expression } ] "}"
//! group       = "{" expression { "," expression } "}"
//! conditional = "if" expression "then" expression "else" value
//! match       = "match" operation { arm ( NEWLINE | ";" ) } "end"
//! arm         = pattern { "," pattern } "=>" expression
//! pattern     = bound | [ bound ] ".." [ bound ] | plain-text | "true" | "false" | "none"
//!             | name { "." name } | "else"
//! bound       = [ "-" ] number
//! best-play   = ( "maximise" | "minimise" ) expression [ "by" lambda of one name ]
//! choice      = ( "choose" | "oppose" )
//!               ( "from" expression | { choice-arm ( NEWLINE | ";" ) } "end" )
//! choice-arm  = plain-text [ "if" operation ] "=>" expression
//! block       = "do" statements "end"
//! repeat      = "repeat" "with" binding { "," binding } statements
//!               "next" binding { "," binding } "until" value
//! binding     = name "=" expression
//!
//! die         = [ number | paren ] "d" ( digits | "%" | "F" | paren | faces )
//! faces       = "{" face { "," face } "}"
//! face        = expression [ ":" expression ]
//! suffix      = after a die, name, field, call, paren or group, on the same line; any case:
//!               ( "k" | "kh" | "kl" | "km" | "dh" | "dl" ) [ count ]
//!             | ( "!" | "!!" | "!p" ) [ "o" ] [ trigger without "<" and ">" ] [ limit ] [ in-all ]
//!             | ( "rr" | "ro" ) condition [ in-all ] | ( "cs" | "cf" ) condition
//!             | ( "min" | "max" ) bare | "u" | "sa" | "sd"
//!             | ( "keep" | "drop" ) ( "highest" | "lowest" | "middle" ) [ count ]
//!             | ( "explode" | "compound" | "penetrate" ) [ "once" ] [ "on" trigger ] [ limit ] [ in-all ]
//!             | "reroll" [ "once" ] condition [ in-all ] | "count" [ "against" ] condition
//!             | "at" ( "least" | "most" ) bare | "unique" | "ascending" | "descending"
//!             | "drawn" { "without" gone }
//! limit       = "up" "to" count [ "times" ]
//! in-all      = limit "in" "all" [ ( "lowest" | "highest" ) "first" ]
//! trigger     = condition | count
//! condition   = ( "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" ) bare
//! bare        = [ "-" ] number | paren
//! count       = number | paren
//! gone        = name | paren | list
//! ```
//!
//! Lines: inside brackets a line's end is a blank, except within a block, match, choice or repeat that stands
//! there. Elsewhere it ends a statement, unless an operator, `,`, `=`, `then`, `else`, `=>`, `|`, `maximise`,
//! `minimise`, `by` or `from` stands before it, or `then else and or . |` or `by r =>` after it.
//!
//! Work is bounded: there is no backtracking, the tokens are counted, the nesting of the text and the
//! height of the tree are limited, and what goes over is one ordinary diagnostic.

mod anydice;
mod behind;
mod beside;
mod bounds;
mod choices;
mod command;
mod control;
mod dice;
mod expression;
mod matching;
mod misread;
mod recover;
mod refuse;
mod state;
mod statement;
mod suffix;
mod term;
mod text;
mod types;
mod value;
mod versus;
mod wide;

use crate::colour::Classified;
use crate::diagnostic::Diagnostic;
use crate::span::SourceId;
use crate::tree::File;
pub use anydice::anydice;

use state::Parser;

/// How much text the parser takes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Tokens in all.
    pub tokens: usize,
    /// Levels of expressions within expressions.
    pub nesting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { tokens: 200_000, nesting: 128 }
    }
}

/// A tree, and what is to be said about the text. With errors, the tree holds what was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The tree.
    pub file: File,
    /// Errors and hints, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a program. Never fails: errors are among the diagnostics.
///
/// ```
/// use astragal_syntax::{Limits, parse, span::SourceId};
/// let parsed = parse("4d6kh3 + 2", SourceId(0), &Limits::default());
/// assert!(parsed.diagnostics.is_empty());
/// ```
pub fn parse(text: &str, source: SourceId, limits: &Limits) -> Parsed {
    if let Some(foreign) = anydice::recognise(text, source) {
        let file = File { block: crate::tree::Block { statements: vec![], trailing: vec![] } };
        return Parsed { file, diagnostics: vec![foreign] };
    }
    let mut parser = Parser::new(text, source, *limits);
    let file = parser.file();
    let (mut diagnostics, _) = parser.finish();
    diagnostics.sort_by_key(|d| d.labels.first().map_or(0, |label| label.span.start));
    Parsed { file, diagnostics }
}

/// Every token of the text with what it is, in order; blanks and what was not understood are left out.
pub fn tokens(text: &str) -> Vec<Classified> {
    let mut parser = Parser::new(text, SourceId(0), Limits::default()).coloured();
    parser.file();
    let (_, mut classes) = parser.finish();
    classes.sort_by_key(|c| c.start);
    classes
}
