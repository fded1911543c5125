//! What stands beside a whole expression: `1d20+5 to hit`, `max 2d6`, `6 4d6kh3`, `3d6 => 10`. Each is told what is
//! written here.

use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, is_keyword};

impl Parser<'_> {
    /// Says more of what is not expected behind the expression that begins at `start`, if it is known what is meant.
    pub(super) fn beside(
        &mut self,
        start: usize,
        token: Token,
        diagnostic: Diagnostic,
    ) -> Result<Diagnostic, Diagnostic> {
        let before = self.text[start..token.start()].trim_end();
        let from = self.text[token.start()..].lines().next().unwrap_or_default();
        let rest = from.split([';', '#']).next().unwrap_or_default().trim_end();
        let (place, whole) = (self.span_of(token), self.span(start, token.start() + rest.len()));
        let here = self.span(token.start(), token.start());
        if token.kind == Kind::Arrow {
            return Ok(diagnostic.help("write `>=`").edit(place, ">="));
        }
        if let Some((count, roll)) = several_times(before, rest) {
            let ours = format!("times({count}, {roll})");
            return Ok(diagnostic
                .help(format!("`{ours}` rolls it {count} times"))
                .edit(whole, ours));
        }
        let digits = rest.strip_prefix('_').filter(|digits| is_number(digits));
        if let Some(digits) = digits.filter(|_| !token.gap()) {
            return Ok(diagnostic.help(format!("write `{before}{digits}`")).edit(place, digits));
        }
        let explodes = ["explode", "compound", "penetrate"];
        if explodes.iter().any(|word| before.ends_with(word)) && token.kind == Kind::Number {
            return Ok(diagnostic.help(format!("write `on {rest}`")).edit(here, "on "));
        }
        if is_path(before) && token.gap() && token.kind == Kind::Number && !rest.contains(' ') {
            let ours = format!("{before}({rest})");
            return Ok(diagnostic
                .help("what a function is given stands in parentheses, as in `max(2d6, 8)`")
                .edit(whole, ours));
        }
        if token.gap() && self.are_words(token) && from.trim_end() == rest {
            return Ok(diagnostic
                .help(format!("what is only said stands behind `#`, as in `{before} # {rest}`"))
                .edit(here, "# "));
        }
        Err(diagnostic)
    }

    /// Whether nothing but words stand on the rest of the line.
    fn are_words(&self, first: Token) -> bool {
        let mut token = first;
        loop {
            if token.kind != Kind::Word || is_keyword(self.text_of(token)) {
                return false;
            }
            token = self.after(token);
            if token.newline() || matches!(token.kind, Kind::Newline | Kind::Eof) {
                return true;
            }
        }
    }

    /// `6#4d6kh3` throws several times elsewhere, and is 6 here.
    pub(super) fn look_for_sets(&mut self, start: usize) {
        let written = &self.text[start..self.last_end];
        let Some(behind) = self.text[self.last_end..].strip_prefix('#') else { return };
        let roll = behind.lines().next().unwrap_or_default().trim_end();
        if !is_number(written) || !is_roll(roll) {
            return;
        }
        let place = self.span(start, self.last_end + 1 + roll.len());
        let ours = format!("times({written}, {roll})");
        self.error(
            Diagnostic::hint("comment-or-times", place, "what stands behind `#` is a comment")
                .help(format!("`{ours}` rolls it {written} times"))
                .edit(place, ours),
        );
    }
}

/// `6 4d6kh3`, `6x 4d6kh3`, `6x4d6kh3`: how often, and what.
fn several_times<'t>(before: &'t str, rest: &'t str) -> Option<(&'t str, &'t str)> {
    let roll = rest.strip_prefix(['x', 'X']).unwrap_or(rest).trim_start();
    (is_number(before) && is_roll(roll)).then_some((before, roll))
}

/// `4d6kh3`, `d20 + 5`
fn is_roll(text: &str) -> bool {
    let die = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let sides = die.strip_prefix(['d', 'D']);
    sides.is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit() || "%F{".contains(c)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `max`, `cofd.action`
fn is_path(text: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic())
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    text.split('.').all(is_name)
}
