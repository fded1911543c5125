//! Text that is plainly AnyDice's. What it is in our language is for those to say who can compare the odds of both.

use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, line_end};
use crate::span::{SourceId, Span};

/// The names of AnyDice's bracket calls.
const CALLS: &[&str] = &["highest", "lowest", "middle", "explode", "count"];

/// The whole text as an AnyDice program: some line begins with `output`.
pub(super) fn recognise(text: &str, source: SourceId) -> Option<Diagnostic> {
    if !text.as_bytes().contains(&b'o') {
        return None;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        if body.starts_with("output") && is_output(line.trim()) {
            let at = start + (line.len() - body.len());
            let span = Span::new(source, at, at + "output".len());
            return Some(anydice(span));
        }
        start += line.len();
    }
    None
}

/// `output` and a blank, then what could only be AnyDice's: our `output` would be a name.
fn is_output(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("output").filter(|r| r.starts_with([' ', '\t'])) else {
        return false;
    };
    let rest = rest.trim_start();
    let die = rest
        .strip_prefix('d')
        .is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit() || c == '{'));
    let call = rest.strip_prefix('[').is_some_and(|r| CALLS.iter().any(|c| r.starts_with(c)));
    let set = rest.starts_with('{');
    let name = rest.starts_with(|c: char| c.is_ascii_uppercase());
    die || call || set || name || rest.starts_with(|c: char| c.is_ascii_digit() || c == '(')
}

/// What is said of AnyDice's notation where ours is expected.
pub fn anydice(span: Span) -> Diagnostic {
    Diagnostic::error("anydice", span, "this is AnyDice's notation").help(
        "`--from anydice` runs whole AnyDice programs, and `convert` says them in our own notation",
    )
}

impl Parser<'_> {
    /// `[highest 3 of 4d6]` where a list would begin.
    pub(super) fn anydice_call_ahead(&self, open: Token) -> bool {
        let word = self.after(open);
        if word.kind != Kind::Word || !CALLS.contains(&self.text_of(word)) {
            return false;
        }
        let next = self.after(word);
        let rest = &self.text[word.end()..];
        let inside = &rest[..rest.find([']', '\n']).unwrap_or(rest.len())];
        match self.text_of(word) {
            "explode" => next.kind == Kind::Word && self.die_ahead(next, false),
            "count" => inside.contains(" in "),
            _ => inside.contains(" of "),
        }
    }

    /// The statement at hand holds AnyDice's notation from `start` on.
    pub(super) fn anydice_here(&mut self, start: usize) {
        let end = line_end(self.text, start);
        let rest = &self.text[start..end];
        let length = rest.find([';', '#']).unwrap_or(rest.len());
        let written = rest[..length].trim_end();
        let whole = self.span(start, start + written.len());
        self.fail(anydice(whole));
    }
}
