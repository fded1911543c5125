//! Dice: `4d6`, `d%`, `(n)d(s)`, `d{1, 1, 2}`.
//!
//! A `d` is a die only by what follows it, so that `d`, `damage` and `nd6` stay names.

use super::state::Parser;
use super::suffix::first_suffix;
use crate::colour::Class;
use crate::lexer::{self, Kind, Token, is_blank};
use crate::tree::{Expr, ExprKind, Face, Sides};

impl Parser<'_> {
    /// Whether the word `token` begins a die. `dF` must end its word, except behind a count (or a
    /// pool), where suffixes may follow: `4dFkh2`.
    pub(super) fn die_ahead(&self, token: Token, counted: bool) -> bool {
        let word = self.text_of(token);
        let Some(rest) = word.strip_prefix(['d', 'D']) else { return false };
        if rest.is_empty() {
            return self.sides_after_blanks(token.end());
        }
        rest.starts_with(|c: char| c.is_ascii_digit()) || is_fate(rest, counted)
    }

    /// Whether the word, by itself, is a die: not a name to define.
    pub(super) fn looks_like_die(&self, token: Token) -> bool {
        self.text_of(token).len() > 1 && self.die_ahead(token, false)
    }

    fn sides_after_blanks(&self, from: usize) -> bool {
        let rest = self.text[from..].trim_start_matches(is_blank);
        if rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '%' | '(' | '{')) {
            return true;
        }
        is_fate(&rest[..lexer::word_length(rest)], false)
    }

    /// `die`, from its `d` on.
    pub(super) fn dice(&mut self, count: Option<Expr>, start: usize) -> Expr {
        self.split(1, Class::Dice);
        let sides = self.sides();
        self.node(ExprKind::Dice { count: count.map(Box::new), sides }, start)
    }

    pub(super) fn sides(&mut self) -> Sides {
        let token = self.real();
        match token.kind {
            Kind::Number => {
                let digits = &self.text[token.start()..];
                let digits = &digits[..lexer::digits_length(digits)];
                self.split(digits.len(), Class::Dice);
                Sides::Number(digits.into())
            }
            Kind::Percent => {
                self.bump_as(Class::Dice);
                Sides::Percent
            }
            Kind::LParen => Sides::Computed(Box::new(self.inside_paren())),
            Kind::LBrace => Sides::Faces(self.faces()),
            _ => {
                self.split(1, Class::Dice);
                Sides::Fate
            }
        }
    }

    /// `faces`
    fn faces(&mut self) -> Vec<Face> {
        let open = self.start();
        let faces = self.bracketed(Kind::RBrace, |parser| {
            let value = parser.expression();
            let weighted = parser.kind() == Kind::Colon && !parser.panicking;
            let weight = weighted.then(|| {
                parser.bump();
                parser.expression()
            });
            Face { value, weight }
        });
        if faces.is_empty() {
            let span = self.since(open);
            self.error(
                crate::diagnostic::Diagnostic::error("no-faces", span, "the die has no faces")
                    .help("list its faces, such as `d{1, 1, 2}`"),
            );
        }
        faces
    }
}

/// `F`, alone or, behind a count, with suffixes.
fn is_fate(rest: &str, counted: bool) -> bool {
    let Some(tail) = rest.strip_prefix(['f', 'F']) else { return false };
    let letters = tail.bytes().take_while(u8::is_ascii_alphabetic).count();
    tail.is_empty() || counted && letters > 0 && first_suffix(&tail[..letters]).is_some()
}
