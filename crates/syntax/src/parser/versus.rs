//! `d20 + 5 vs 15`, `d20 + 5 DC15`: a roll against a number, as it is said at a table.

use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};

impl Parser<'_> {
    /// Where the words of a comparison end that is said and not written, if one is ahead.
    #[inline(never)]
    pub(super) fn versus_ahead(&mut self) -> Option<usize> {
        let token = self.real();
        if token.newline() || token.kind != Kind::Word {
            return None;
        }
        if !matches!(self.text_of(token).to_ascii_lowercase().as_str(), "vs" | "versus" | "against")
        {
            return self.difficulty(token).filter(|_| token.gap());
        }
        let dot = self.after(token);
        let said = if dot.kind == Kind::Dot && !dot.gap() { dot } else { token };
        let next = self.after(said);
        let begins = matches!(next.kind, Kind::Number | Kind::Word | Kind::LParen);
        let fits = begins && next.gap() && !next.newline();
        fits.then(|| self.difficulty(next).unwrap_or(said.end()))
    }

    /// `DC 15`, `DC15`: where its number begins.
    fn difficulty(&self, token: Token) -> Option<usize> {
        let word = self.text_of(token);
        let (letters, digits) = (word.get(..2)?, &word[2..]);
        if !["dc", "ac", "tn"].iter().any(|known| known.eq_ignore_ascii_case(letters)) {
            return None;
        }
        let next = self.after(token);
        let follows = next.kind == Kind::Number && !next.newline();
        let glued = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (glued || digits.is_empty() && follows).then_some(token.start() + 2)
    }

    /// Takes the operator ahead; one that is only said is refused.
    #[inline(never)]
    pub(super) fn take_operator(&mut self) -> Token {
        let Some(end) = self.versus_ahead() else { return self.bump() };
        let token = self.real();
        let span = self.span(token.start(), end);
        let said = &self.text[span.range()];
        let ours = if self.text[end..].starts_with(' ') { ">=" } else { ">= " };
        self.error(
            Diagnostic::error("wrong-operator", span, format!("`{said}` is not an operator here"))
                .help("a roll against a number is written `d20 + 5 >= 15`")
                .edit(span, ours),
        );
        self.move_to(end);
        token
    }
}
