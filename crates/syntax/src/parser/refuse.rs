//! Suffixes that are refused with the right spelling: tools disagree about them, or only others know them.

use super::state::Parser;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::span::Span;
use crate::tree::{Comparison, Condition, End, Expr, SuffixKind};

impl Parser<'_> {
    /// The condition of `r`, `rr`, `ro`. `4d6r1` and `4d6r<2` are refused, because tools disagree.
    pub(super) fn reroll_condition(&mut self, place: Span, pool: &Expr) -> Condition {
        let token = self.real();
        let suffix = &self.text[place.range()];
        if !token.newline() && matches!(token.kind, Kind::Number | Kind::LParen) {
            return self.reroll_without_comparison(place, pool);
        }
        let condition = self.condition(suffix);
        if suffix.len() == 1 {
            self.refuse_bare_reroll(place, &condition, pool);
        }
        condition
    }

    /// `4d6r1`, `4d6rr 1`
    #[cold]
    #[inline(never)]
    fn reroll_without_comparison(&mut self, place: Span, pool: &Expr) -> Condition {
        let value = self.value("1");
        self.condition_end = self.last_end;
        let next = self.real();
        if next.kind == Kind::DotDot && !next.gap() {
            self.refuse_faces(value.span.start as usize);
        } else if next.kind == Kind::Comma && self.brackets == 0 {
            // Several faces are meant; the comma is refused with them.
        } else {
            let number = &self.text[value.span.range()];
            let less = [format!("rr<={number}"), format!("ro<={number}")];
            let same = [format!("rr={number}"), format!("ro={number}")];
            let mut readings = vec![
                (less[0].clone(), format!("rerolls every throw of {number} or less")),
                (less[1].clone(), "rerolls once".to_owned()),
            ];
            if number != "1" {
                readings.push((same[0].clone(), format!("rerolls every {number}, as in Roll20")));
                readings
                    .push((same[1].clone(), format!("rerolls each {number} once, as in Foundry")));
            }
            self.refuse_readings("ambiguous-reroll", place.start as usize, pool, &readings);
        }
        Condition { comparison: Comparison::AtMost, span: value.span, value }
    }

    /// `4d6r<2`: until it holds no more, or once; below 2, or 2 and less.
    #[cold]
    #[inline(never)]
    fn refuse_bare_reroll(&mut self, place: Span, condition: &Condition, pool: &Expr) {
        let number = &self.text[condition.value.span.range()];
        let sign = condition.comparison.sign();
        let mut readings = vec![
            (format!("rr{sign}{number}"), "rerolls until that holds no more".to_owned()),
            (format!("ro{sign}{number}"), "rerolls once, as in Foundry".to_owned()),
        ];
        if matches!(sign, "<" | ">") {
            let more = if sign == "<" { "less" } else { "more" };
            let help = format!("rerolls {number} and {more} until there is none, as in Roll20");
            readings.push((format!("rr{sign}={number}"), help));
        }
        self.refuse_readings("ambiguous-reroll", place.start as usize, pool, &readings);
    }

    /// `3d6!>4` explodes above 4 here and there, on 4 and more in Roll20.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_strict_trigger(&mut self, start: usize, trigger: &Condition, pool: &Expr) {
        let (sign, more) = match trigger.comparison {
            Comparison::Less => ("<", "less"),
            Comparison::Greater => (">", "more"),
            _ => return,
        };
        let bang = &self.text[start..trigger.span.start as usize];
        let number = &self.text[trigger.value.span.range()];
        let beyond = number.parse::<i64>().map(|n| if sign == "<" { n - 1 } else { n + 1 });
        let mut readings = vec![(
            format!("{bang}{sign}={number}"),
            format!("explodes on {number} and {more}, as in Roll20"),
        )];
        let strictly = if sign == "<" { "below" } else { "above" };
        let strict = match beyond {
            Ok(beyond) => format!("{bang}{sign}={beyond}"),
            Err(_) => format!(" {} {sign}{number}", explode_on(bang)),
        };
        readings.push((strict, format!("explodes {strictly} {number}")));
        let help = "compares the total".to_owned();
        readings.push((format!("{bang} {sign} {number}"), help));
        self.refuse_readings("ambiguous-explosion", start, pool, &readings);
    }

    /// A suffix that tools read differently, from `start` on: its readings in our notation, and what each does.
    #[cold]
    #[inline(never)]
    fn refuse_readings(
        &mut self,
        code: &'static str,
        start: usize,
        pool: &Expr,
        readings: &[(String, String)],
    ) {
        let written = self.since(start);
        let dice = &self.text[pool.span.range()];
        let message =
            format!("`{}` means different things in different tools", &self.text[written.range()]);
        let mut diagnostic = Diagnostic::error(code, written, message);
        for (ours, does) in readings {
            diagnostic = diagnostic.help(format!("`{dice}{ours}` {does}")).edit(written, ours);
        }
        self.error(diagnostic);
    }

    /// `rr=1..3`, `!5..6`: several faces, and no suffix takes several.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_faces(&mut self, start: usize) {
        let range = self.bump();
        self.value("6");
        let span = self.since(start);
        let written = &self.text[span.range()];
        let from = &self.text[start..range.start()];
        let from = from.trim_start_matches(|c: char| !c.is_ascii_digit());
        let mut diagnostic = Diagnostic::error(
            "several-faces",
            span,
            format!("`{written}` names several faces, but a condition compares with one number"),
        );
        if !from.is_empty() {
            diagnostic = diagnostic.help(format!("`>={from}` holds for {from} and more"));
        }
        self.error(diagnostic);
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
}

/// A short explosion in words, up to its faces.
fn explode_on(bang: &str) -> String {
    let bang = bang.to_ascii_lowercase();
    let word = match bang.trim_end_matches('o') {
        "!" => "explode",
        "!!" => "compound",
        _ => "penetrate",
    };
    if bang.ends_with('o') { format!("{word} once on") } else { format!("{word} on") }
}
