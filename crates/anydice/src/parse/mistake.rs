//! What was probably meant where a text cannot be read.

use astragal_syntax::diagnostic::Diagnostic;

use super::Parser;
use crate::token::{Token, place};

/// How statements begin, and what follows an output.
const STARTS: [&str; 8] = ["output", "function", "loop", "if", "else", "result", "set", "named"];

/// What other languages write, and what it is here.
const FOREIGN: [(&str, &str); 7] = [
    ("elseif", "`else if` is two words"),
    ("elif", "it is written `else if`"),
    ("then", "a block stands between `{` and `}`, without `then`"),
    ("for", "a loop is written `loop X over {1..6} { … }`"),
    ("while", "a loop is written `loop X over {1..6} { … }`"),
    ("return", "a function gives its value with `result: …`"),
    ("print", "`output …` shows something"),
];

/// What a word of another language is here.
pub(super) fn foreign(word: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(known, _)| *known == word).map(|(_, help)| *help)
}

impl Parser<'_> {
    /// `Output d6` and `OUTPUT d6`: words of the language are small.
    pub(super) fn wrong_case(&self, name: &str) -> Option<Diagnostic> {
        let first = self.tokens[self.at.saturating_sub(1)].1;
        let mut word = name.to_lowercase();
        let mut span = first;
        if let (Token::Word(rest), next) = (self.peek(), self.span())
            && next.start == first.end
        {
            word += rest;
            span = first.to(next);
        }
        STARTS.contains(&word.as_str()).then(|| {
            let message = format!("`{word}` is written in small letters");
            Diagnostic::error("syntax", span, message)
                .help(format!("write `{word}`"))
                .edit(span, word)
        })
    }

    /// `2D6`: dice are written with a small `d`.
    pub(super) fn large_die(&self) -> Option<Diagnostic> {
        let at = self.at.saturating_sub(1);
        let (before, span) = self.tokens[at];
        let beside = self.span().start == span.end;
        let sides = matches!(self.peek(), Token::Number(_) | Token::Sign("{" | "("));
        (before == Token::Variable("D") && sides && beside).then(|| {
            let message = "dice are written with a small `d`";
            Diagnostic::error("syntax", span, message).help("write `d`").edit(span, "d")
        })
    }

    pub(super) fn no_statement(&self) -> Diagnostic {
        if let Some(error) = self.large_die() {
            return error;
        }
        let error = self.unexpected("no statement begins like this");
        let span = self.span();
        match self.peek() {
            Token::Word("else") => error.help("`else` follows the `}` of an `if`"),
            Token::Word("named") => error.help("`named \"…\"` stands behind an `output`, once"),
            Token::Word(word) if foreign(word).is_some() => error.help(foreign(word).unwrap_or("")),
            Token::Word(word) => match astragal_syntax::suggest(word, STARTS.into_iter()) {
                Some(near) => error.help(format!("did you mean `{near}`?")).edit(span, near),
                None => error.help(
                    "statements begin with `output`, `X:`, `function:`, `loop`, `if` or `set`",
                ),
            },
            Token::Sign("#") => error.help("comments stand between two `\\`"),
            Token::Sign("/") => error.help("comments stand between two `\\`"),
            Token::Sign("!") => error.help("exploding dice are written `[explode d6]`"),
            Token::Number(_) | Token::Sign("(" | "{" | "[" | "-") => {
                let start = place(span.start as usize, span.start as usize);
                error.help("`output` shows it").edit(start, "output ")
            }
            Token::Sign("}") => error.help("there is one `}` too many").edit(span, ""),
            _ => error
                .help("statements begin with `output`, `X:`, `function:`, `loop`, `if` or `set`"),
        }
    }

    pub(super) fn no_value(&self) -> Diagnostic {
        let error = self.unexpected("a value is missing");
        let span = self.span();
        match self.peek() {
            Token::Word(
                "output" | "result" | "loop" | "if" | "function" | "set" | "named" | "over",
            ) => {
                error.help("a number, a variable in capitals, `d6`, `{1, 2}`, `(…)` or `[a call]`")
            }
            Token::Word(word) if word.starts_with('d') && self.after(1) != Token::End => {
                error.help("dice are written with one `d` before the sides: `d6`, `3d6`")
            }
            Token::Word(word) => {
                let capitals = word.to_uppercase();
                error
                    .help(format!("variables are written in capitals: `{capitals}`"))
                    .help("calls stand in brackets: `[highest 3 of 4d6]`")
                    .edit(span, capitals)
            }
            Token::Text(_) => {
                error.help("texts are only names of outputs: `output d6 named \"…\"`")
            }
            Token::Sign("=") => match self.tokens[self.at.saturating_sub(1)].0 {
                Token::Sign(before @ (">" | "<" | "!")) => {
                    let joined = format!("{before}=");
                    let both = self.tokens[self.at - 1].1.to(span);
                    error.help(format!("write `{joined}` without a blank")).edit(both, joined)
                }
                _ => error.help("equality is one `=`").edit(span, ""),
            },
            Token::Sign(sign @ ("&" | "|")) => {
                error.help(format!("one `{sign}` is enough")).edit(span, "")
            }
            Token::Sign(">") => error.help("what differs is written `!=`, what is at least `>=`"),
            Token::Sign("{") => error.help("a condition is missing before the block"),
            _ => {
                error.help("a number, a variable in capitals, `d6`, `{1, 2}`, `(…)` or `[a call]`")
            }
        }
    }
}
