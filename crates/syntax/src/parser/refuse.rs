//! Suffixes that are refused with the right spelling: tools disagree about them, or only others know them.

use super::state::Parser;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::span::Span;
use crate::tree::{Comparison, Condition, End, Expr, SuffixKind};

impl Parser<'_> {
    /// The condition of `r`, `rr`, `ro`; `4d6r1` is refused, because tools disagree.
    pub(super) fn reroll_condition(&mut self, place: Span, pool: &Expr) -> Condition {
        let token = self.real();
        if token.newline() || !matches!(token.kind, Kind::Number | Kind::LParen) {
            let suffix = &self.text[place.range()];
            return self.condition(suffix);
        }
        let value = self.value("1");
        let written = self.since(place.start as usize);
        let dice = &self.text[pool.span.range()];
        let number = &self.text[value.span.range()];
        let diagnostic = Diagnostic::error(
            "ambiguous-reroll",
            written,
            format!("`{}` means different things in different tools", &self.text[written.range()]),
        );
        // Several faces are meant, and no spelling that is proposed here would say so.
        let several = matches!(self.kind(), Kind::DotDot | Kind::Comma);
        self.error(match several {
            true => diagnostic.help("a condition compares with one number, as `rr<=2` does"),
            false => diagnostic
                .help(format!("`{dice}rr<={number}` rerolls every throw of {number} or less"))
                .help(format!("`{dice}ro<={number}` rerolls once"))
                .edit(written, format!("rr<={number}"))
                .edit(written, format!("ro<={number}")),
        });
        Condition { comparison: Comparison::AtMost, span: value.span, value }
    }

    /// `4d6d1` is refused: it could drop a die, or throw `4d6` dice.
    pub(super) fn ambiguous_drop(&mut self, token: Token, pool: &Expr) -> SuffixKind {
        self.split(1, Class::Suffix);
        self.sides();
        let span = self.since(token.start());
        let dice = &self.text[pool.span.range()];
        let written = &self.text[span.range()];
        let number = written[1..].trim();
        let mut diagnostic = Diagnostic::error(
            "ambiguous-drop",
            span,
            format!("`{written}` behind `{dice}` could drop dice or count them"),
        );
        if number.starts_with(|c: char| c.is_ascii_digit()) {
            diagnostic = diagnostic
                .help(format!("`{dice}dl{number}` drops the lowest"))
                .edit(span, format!("dl{number}"));
        }
        self.error(
            diagnostic
                .help(format!("`({dice}){written}` throws as many dice as `{dice}` shows"))
                .edit(pool.span.to(span), format!("({dice}){written}")),
        );
        SuffixKind::Drop(End::Lowest, None)
    }

    /// Letters behind a pool that are no suffix, perhaps another tool's.
    pub(super) fn unknown_suffix(&mut self, token: Token, pool: &Expr) {
        let word = self.text_of(token);
        let span = self.span_of(token);
        let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, number) = word.split_at(letters);
        let mut diagnostic =
            Diagnostic::error("unknown-suffix", span, format!("`{word}` is not a known suffix"));
        diagnostic = match elsewhere(name, number) {
            Some(ours) => diagnostic.help(format!("write `{ours}`")).edit(span, ours),
            None if token.gap() => diagnostic.help(format!(
                "put an operator between, or a comment: `{}  # {word}`",
                &self.text[pool.span.range()]
            )),
            None => diagnostic
                .help("suffixes are `kh kl km dh dl ! !! !p !o rr ro min max cs cf u sa sd`"),
        };
        if token.gap() && elsewhere(name, number).is_none() {
            self.fail(diagnostic);
        } else {
            self.bump_as(Class::Suffix);
            self.error(diagnostic);
        }
    }
}

/// Our spelling of another tool's suffix.
fn elsewhere(name: &str, number: &str) -> Option<String> {
    if !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let needs = |spelling: &str| (!number.is_empty()).then(|| format!("{spelling}{number}"));
    match name.to_ascii_lowercase().as_str() {
        "e" | "x" | "ie" => Some(format!("!{number}")),
        "xo" => Some(format!("!o{number}")),
        "t" => needs("cs>="),
        "tl" => needs("cs<="),
        "f" => needs("cf="),
        "mi" => needs("min"),
        "ma" => needs("max"),
        "ph" => Some(format!("dh{number}")),
        "pl" | "d" => Some(format!("dl{number}")),
        "p" => Some(format!("!p{number}")),
        "ir" => needs("rr<="),
        "s" => Some("sa".to_owned()),
        _ => None,
    }
}
