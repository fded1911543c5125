//! Dice: `4d6`, `d%`, `(n)d(s)`, `d{1, 1, 2}`.
//!
//! A `d` is a die only by what follows it, so that `d`, `damage` and `nd6` stay names.

use super::state::Parser;
use super::suffix::first_suffix;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{self, Kind, Token, is_blank};
use crate::tree::{Expr, ExprKind, Face, Sides};

impl Parser<'_> {
    /// Whether the word `token` begins a die. `dF` must end its word, except behind a count (or a
    /// pool), where suffixes may follow: `4dFkh2`.
    pub(super) fn die_ahead(&self, token: Token, counted: bool) -> bool {
        let word = self.text_of(token);
        let Some(rest) = word.strip_prefix(['d', 'D']) else { return false };
        if rest.is_empty() {
            return self.sides_after_blanks(token.end(), counted);
        }
        rest.starts_with(|c: char| c.is_ascii_digit()) || is_fate(rest, counted)
    }

    /// Whether the word, by itself, is a die: not a name to define.
    pub(super) fn looks_like_die(&self, token: Token) -> bool {
        self.text_of(token).len() > 1 && self.die_ahead(token, false)
    }

    /// Whether a die of another language is ahead, as `w6` in `2w6`, or one with negative sides; it is told how it is
    /// written, and then read.
    #[inline(never)]
    pub(super) fn odd_die_ahead(&mut self, token: Token) -> bool {
        let word = self.text_of(token);
        let letter = self.span(token.start(), token.start() + 1);
        let foreign = word.strip_prefix(['w', 'W', 'k', 'K', 't', 'T']);
        let foreign = foreign.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if foreign && !token.gap() {
            let fact = format!("`{word}` is no die: dice begin with `d`");
            let ours = format!("d{}", &word[1..]);
            let wrong = Diagnostic::error("foreign-die", self.span_of(token), fact);
            self.error(wrong.help(format!("write `{ours}`")).edit(letter, "d"));
            return true;
        }
        let minus = self.after(token);
        let sides = self.after(minus);
        let negative = matches!(word, "d" | "D") && minus.kind == Kind::Minus && !minus.gap();
        if negative && sides.kind == Kind::Number && !sides.gap() {
            let span = self.span(token.start(), sides.end());
            let number = self.text_of(sides);
            let fact = format!("a die cannot have `-{number}` sides");
            let wrong = Diagnostic::error("bad-sides", span, fact);
            self.error(wrong.help(format!("write `d{number}`")).edit(self.span_of(minus), ""));
            return true;
        }
        false
    }

    fn sides_after_blanks(&self, from: usize, counted: bool) -> bool {
        let rest = self.text[from..].trim_start_matches(is_blank);
        // No number can follow `d%`: somebody has named a variable `d`, as in `d % 2 = 0`.
        if let Some(behind) = rest.strip_prefix('%').filter(|_| !counted) {
            let behind = behind.trim_start_matches(is_blank);
            return !behind.starts_with(|c: char| c.is_ascii_digit() || c == '(');
        }
        if rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '%' | '(' | '{')) {
            return true;
        }
        is_fate(&rest[..lexer::word_length(rest)], false)
    }

    /// `die`, from its `d` on.
    pub(super) fn dice(&mut self, count: Option<Expr>, start: usize) -> Expr {
        self.split(1, Class::Dice);
        if self.kind() == Kind::Minus {
            self.bump();
        }
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
                Diagnostic::error("no-faces", span, "the die has no faces")
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
