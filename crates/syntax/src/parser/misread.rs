//! Forms that mean something else here than where they come from, each refused with what is written instead.

use super::expression::Level;
use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::span::Span;
use crate::tree::{Expr, ExprKind};

/// `for x in LIST if CONDITION`, behind an item.
pub(super) struct Comprehension {
    item: Span,
    name: Span,
    list: Span,
    condition: Option<Span>,
}

impl Parser<'_> {
    /// An item of a list, and what may follow it in other languages.
    #[inline(never)]
    pub(super) fn item(&mut self, each: &mut Option<Comprehension>) -> Expr {
        let item = self.expression();
        if self.word() == "for" && !self.panicking {
            self.bump();
            let name = self.name("a name").span;
            if self.word() == "in" {
                self.bump();
                let list = self.expression().span;
                let condition = (self.word() == "if").then(|| {
                    self.bump();
                    self.expression().span
                });
                *each = Some(Comprehension { item: item.span, name, list, condition });
            }
        }
        item
    }

    /// `[d6 + x for x in 1..5]`
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_comprehension(&mut self, each: Comprehension, list: Expr) -> Expr {
        let text = |span: Span| &self.text[span.range()];
        let (name, item) = (text(each.name), text(each.item));
        let of = match each.condition {
            Some(condition) => {
                format!("filter({}, {name} => {})", text(each.list), text(condition))
            }
            None => text(each.list).to_owned(),
        };
        let ours = format!("map({of}, {name} => {item})");
        self.error(
            Diagnostic::error("comprehension", list.span, "a list has no `for`")
                .help(format!("write `{ours}`"))
                .edit(list.span, ours),
        );
        Expr { kind: ExprKind::Missing, span: list.span }
    }

    /// `[[1d20+5]]` is Roll20's; `[1..5]` is a list with a list in it.
    #[inline(never)]
    pub(super) fn list_in_list(&mut self, list: Expr) -> Expr {
        let ExprKind::List(items) = &list.kind else { return list };
        let [only] = items.as_slice() else { return list };
        let glued = only.span.start == list.span.start + 1 && only.span.end + 1 == list.span.end;
        match &only.kind {
            ExprKind::List(inner) if glued => match inner.as_slice() {
                [roll] => self.inline_roll(list.span, roll.clone()),
                _ => list,
            },
            ExprKind::Range(..) => {
                let ours = self.in_place(list.span, only);
                let range = &self.text[only.span.range()];
                self.error(
                    Diagnostic::hint("range-in-list", list.span, "this list holds one list")
                        .help(format!("`{range}` is a list already"))
                        .edit(list.span, ours),
                );
                list
            }
            _ => list,
        }
    }

    #[cold]
    #[inline(never)]
    fn inline_roll(&mut self, span: Span, roll: Expr) -> Expr {
        let ours = self.in_place(span, &roll);
        let written = &self.text[roll.span.range()];
        self.error(
            Diagnostic::error("inline-roll", span, "`[[…]]` is Roll20's inline roll")
                .help(format!("write `{ours}`"))
                .help(format!("a list in a list is written `[ [{written}] ]`"))
                .edit(span, ours),
        );
        Expr { kind: ExprKind::Paren(Box::new(roll)), span }
    }

    /// A part of what stands at a place, as it can stand there: in parentheses unless there is nothing beside it.
    fn in_place(&self, place: Span, part: &Expr) -> String {
        let before = self.text[..place.start as usize].trim_end_matches([' ', '\t']);
        let behind = self.text[place.end as usize..].trim_start_matches([' ', '\t']);
        let opens = before.is_empty() || before.ends_with(['(', ',', '[', ';', '\n']);
        let closes = behind.is_empty() || behind.starts_with([')', ',', ']', ';', '\n', '#']);
        let operation = matches!(
            part.kind,
            ExprKind::Binary(..) | ExprKind::Range(..) | ExprKind::Unary(..) | ExprKind::If { .. }
        );
        let part = &self.text[part.span.range()];
        if opens && closes || !operation { part.to_owned() } else { format!("({part})") }
    }

    /// `a < b < c`, `1..2..3`: the part before `place`, and the whole up to here.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_chain(&mut self, left: &Expr, level: Level, place: Span) {
        if level == Level::Range {
            return self.error(
                Diagnostic::error("chained-range", place, "a range has two ends")
                    .help("write the first and the last, such as `1..15`"),
            );
        }
        let diagnostic = Diagnostic::error("chained-comparison", place, "comparisons do not chain");
        let ExprKind::Binary(_, _, middle) = &left.kind else { return self.error(diagnostic) };
        let text = |span: Span| &self.text[span.range()];
        let rest = self.text[place.start as usize..self.last_end].trim_end();
        let before = text(self.span(left.span.start as usize, middle.span.start as usize));
        let behind = self.span(place.start as usize, place.start as usize);
        let (middle_text, start) = (text(middle.span), left.span.start as usize);
        self.error(if !throws(middle) {
            diagnostic
                .help(format!("write `{}{middle_text} and {middle_text} {rest}`", before))
                .edit(behind, format!("and {middle_text} "))
        } else {
            // Named twice, they would be thrown twice.
            let whole = format!("let x = {middle_text}; {before}x and x {rest}");
            let diagnostic = diagnostic.help(format!("throw once: `{whole}`"));
            match start == self.statement_start {
                true => diagnostic.edit(self.since(start), whole),
                false => diagnostic,
            }
        });
    }

    /// `x += 1`: true if the operator just taken would change a name.
    #[inline(never)]
    pub(super) fn changes(&mut self, operator: Token, left: &Expr) -> bool {
        let arithmetic =
            matches!(operator.kind, Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash);
        let equals = self.real();
        if !arithmetic || equals.kind != Kind::Equal || equals.gap() || self.panicking {
            return false;
        }
        self.bump();
        let span = self.span(operator.start(), equals.end());
        let sign = self.text_of(operator);
        let diagnostic = Diagnostic::error(
            "wrong-operator",
            span,
            format!("`{sign}=` changes nothing: a name keeps its value"),
        );
        let start = left.span.start as usize;
        self.error(match &left.kind {
            ExprKind::Name(name) if start == self.statement_start => {
                let ours = format!("let {name} = {name} {sign}");
                let place = self.span(start, equals.end());
                diagnostic.help(format!("bind it anew: `{ours} …`")).edit(place, ours)
            }
            _ => diagnostic.help("bind it anew with `let`"),
        });
        true
    }

    /// `1.000,5`: a dot between thousands, and a comma for the decimals.
    fn dot_and_comma(&mut self, thousands: &str, units: &str, next: Token) {
        let start = thousands.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let digits = &thousands[start..];
        let span = self.span(start, next.end());
        let diagnostic =
            Diagnostic::error("bad-number", span, "a number has one dot, before its decimals");
        let number = format!("{digits}{units}.{}", self.text_of(next));
        self.fail(match (digits.len(), units.len()) {
            (1..=3, 3) => diagnostic.help(format!("write `{number}`")).edit(span, number),
            _ => diagnostic.help("write it without blanks and commas, as in `1000.5`"),
        });
    }

    /// `2d6 + 1,5`, `2d6, 2d8`: a comma where the statement that began at `start` should be over.
    #[cold]
    #[inline(never)]
    pub(super) fn several_values(&mut self, start: usize) {
        let comma = self.bump();
        let next = self.real();
        let glued = !comma.gap() && !next.gap() && next.kind == Kind::Number;
        if glued && self.condition_end == comma.start() {
            self.bump();
            let span = self.span(comma.start(), next.end());
            return self.fail(
                Diagnostic::error("several-faces", span, "a condition compares with one number")
                    .help("say with `<=` or `>=` which faces are meant, as in `rr<=2`"),
            );
        }
        if glued && self.number_end == comma.start() {
            self.bump();
            let span = self.span_of(comma);
            let before = &self.text[..comma.start()];
            let whole = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            let (units, digits) = (&before[whole..], self.text_of(next));
            if let Some(thousands) = before[..whole].strip_suffix('.') {
                return self.dot_and_comma(thousands, units, next);
            }
            let number = format!("{units}.{digits}");
            if digits.len() == 3 {
                return self.fail(
                    Diagnostic::error("bad-number", span, "a number is written without commas")
                        .help(format!("`{units}{digits}` is a whole number"))
                        .help(format!("`{number}` is a decimal"))
                        .edit(span, "")
                        .edit(span, "."),
                );
            }
            return self.fail(
                Diagnostic::error("bad-number", span, "a decimal is written with a dot")
                    .help(format!("write `{number}`"))
                    .edit(span, "."),
            );
        }
        let statement = self.text[start..].starts_with(|c: char| !c.is_alphabetic())
            || !super::recover::STATEMENT_WORDS
                .contains(&self.text_of(crate::lexer::scan(self.text, start)));
        self.expression();
        while self.kind() == Kind::Comma && !self.panicking {
            self.bump();
            self.expression();
        }
        let whole = self.since(start);
        let diagnostic =
            Diagnostic::error("unexpected", self.span_of(comma), "`,` is not expected here");
        let diagnostic = match statement && !self.panicking {
            true => {
                let list = &self.text[whole.range()];
                let (first, last) =
                    (self.span(start, start), self.span(self.last_end, self.last_end));
                diagnostic
                    .help(format!("a list is written `[{list}]`"))
                    .edit(first, "[")
                    .edit(last, "]")
            }
            false => diagnostic.help("only brackets hold several values, as `[a, b]`"),
        };
        self.fail(diagnostic);
    }
}

/// Whether dice, or what may throw some, stand in an expression.
fn throws(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Bool(_) => false,
        ExprKind::Field(inner, _) | ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => {
            throws(inner)
        }
        ExprKind::Binary(_, left, right) => throws(left) || throws(right),
        _ => true,
    }
}
