//! Plays: `maximise`, and the choices of a player and an opponent.
//!
//! `by` and `from` are words only here; elsewhere they are names like any other.

use super::expression::Level;
use super::matching::Remarks;
use super::state::Parser;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::span::Span;
use crate::tree::{Aim, ChoiceArm, Expr, ExprKind, Goal, Who};

/// An arm of a choice without its comments.
struct Written {
    label: String,
    span: Span,
    open: Option<Expr>,
    value: Expr,
}

impl Parser<'_> {
    /// `best-play`
    pub(super) fn best_play(&mut self) -> Expr {
        let open = self.bump_as(Class::Keyword);
        let goal = match self.text_of(open).starts_with("max") {
            true => Goal::Most,
            false => Goal::Least,
        };
        self.join();
        self.bests += 1;
        let value = Box::new(self.expression());
        let aim = if self.panicking || !self.aim_ahead() { None } else { self.aim() };
        self.bests -= 1;
        self.node(ExprKind::Best { goal, value, aim }, open.start())
    }

    /// Whether `by` is ahead: on this line, or before a function on the next.
    fn aim_ahead(&mut self) -> bool {
        let by = self.real();
        let name = self.after(by);
        let begins_a_line = || name.kind == Kind::Word && self.arrow_after(name);
        self.text_of(by) == "by" && (!(by.newline() && self.lines) || begins_a_line())
    }

    /// `"by" lambda`
    fn aim(&mut self) -> Option<Box<Aim>> {
        self.join();
        self.bump_as(Class::Keyword);
        self.join();
        let is_function = self.lambda_ahead();
        let start = self.start();
        let counted = if is_function { self.lambda() } else { self.expression() };
        if let ExprKind::Lambda { mut parameters, body } = counted.kind
            && parameters.len() == 1
            && let Some(name) = parameters.pop()
        {
            return Some(Box::new(Aim { name, number: *body }));
        }
        let span = self.since(start);
        self.error(
            Diagnostic::error("not-an-aim", span, "`by` asks for a function of one value")
                .help("say what counts of the value, as in `by r => r.total`"),
        );
        None
    }

    /// `maximize d20`: the word as others spell it.
    pub(super) fn is_spelt_otherwise(&mut self, token: Token) -> bool {
        let next = self.after(token);
        let is_meant = next.gap() && !self.is_alone(token);
        if is_meant {
            let (span, ours) = (self.span_of(token), self.text_of(token).replace("ize", "ise"));
            let written = self.text_of(token);
            self.error(
                Diagnostic::error("spelling", span, format!("`{written}` is spelt `{ours}` here"))
                    .help(format!("write `{ours}`"))
                    .edit(span, ours),
            );
        }
        is_meant
    }

    /// `choice`
    pub(super) fn choice(&mut self) -> Expr {
        let open = self.bump();
        let who = match self.text_of(open) {
            "choose" => Who::Player,
            _ => Who::Opponent,
        };
        if self.real_word() == "from" {
            self.join();
            self.bump_as(Class::Keyword);
            self.join();
            let list = Box::new(self.expression());
            return self.node(ExprKind::Pick { who, list }, open.start());
        }
        let arms = self.in_lines(|parser| {
            let mark = parser.comments.len();
            let arms = parser.arms(mark, Self::choice_arm);
            parser.end_keyword(open);
            arms
        });
        let commented = |(arm, remarks): (Written, Remarks)| {
            let Written { label, span, open, value } = arm;
            let Remarks { leading, side } = remarks;
            ChoiceArm { label, span, open, value, leading, side }
        };
        let arms = arms.into_iter().map(commented).collect();
        self.node(ExprKind::Choose { who, arms }, open.start())
    }

    /// `choice-arm`
    fn choice_arm(&mut self) -> Written {
        self.join();
        let (label, span) = match self.bare_label() {
            Some(label) => label,
            None => self.plain_text("the label of an arm"),
        };
        // No lambda here: `if ready => …` is a condition and the arm's arrow.
        let open = (self.word() == "if" && !self.panicking).then(|| {
            self.bump();
            self.join();
            self.nested(|parser| parser.operation(Level::Or))
        });
        self.refuse_thin_arrow();
        let help = "an arm is written `\"keep\" => value`, or `\"keep\" if allowed => value`";
        if self.panicking || !self.expect(Kind::Arrow, "`=>`", help) {
            return Written { label, span, open, value: self.missing() };
        }
        self.join();
        Written { label, span, open, value: self.expression() }
    }

    /// `throw again => d20`: a label without its quotes, which is refused.
    fn bare_label(&mut self) -> Option<(String, Span)> {
        let first = self.real();
        let (mut last, mut next) = (first, first);
        while next.kind == Kind::Word && self.text_of(next) != "if" && !next.newline() {
            (last, next) = (next, self.after(next));
        }
        let follows = next.kind == Kind::Arrow || self.text_of(next) == "if";
        if first.kind != Kind::Word || next.start() == first.start() || !follows {
            return None;
        }
        let span = self.span(first.start(), last.end());
        let label = self.text[span.range()].to_owned();
        self.error(
            Diagnostic::error("bare-label", span, "the label of an arm is a text")
                .help(format!("write `\"{label}\"`"))
                .edit(span, format!("\"{label}\"")),
        );
        while self.start() < last.end() {
            self.bump();
        }
        Some((label, span))
    }
}
