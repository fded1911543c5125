//! The values of suffixes: counts, numbers, conditions. Each is one number or parentheses, nothing more,
//! so that `5d10!cs>=8 == 0` compares the count.

use super::expression::comparison;
use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, is_keyword};
use crate::tree::{Comparison, Condition, Expr, ExprKind, UnaryOp};

impl Parser<'_> {
    /// `count`, if one is ahead on this line.
    pub(super) fn optional_count(&mut self) -> Option<Box<Expr>> {
        let token = self.real();
        match token.kind {
            _ if token.newline() => None,
            Kind::Number => Some(Box::new(self.number())),
            Kind::LParen => Some(Box::new(self.paren())),
            _ => None,
        }
    }

    fn number(&mut self) -> Expr {
        let token = self.bump();
        self.node(ExprKind::Number(self.text_of(token).into()), token.start())
    }

    /// `value`
    pub(super) fn value(&mut self, example: &str) -> Box<Expr> {
        let token = self.real();
        match token.kind {
            _ if token.newline() => {
                self.no_value("a number", &format!("write it like `{example}`"))
            }
            Kind::Minus if self.after(token).kind == Kind::Number => {
                self.bump();
                let number = Box::new(self.number());
                Box::new(self.node(ExprKind::Unary(UnaryOp::Negate, number), token.start()))
            }
            Kind::Number => Box::new(self.number()),
            Kind::LParen => Box::new(self.paren()),
            Kind::Word if !is_keyword(self.text_of(token)) => self.bare_value(token),
            _ => self.no_value("a number", &format!("write it like `{example}`")),
        }
    }

    /// `gone`: what is out of a bag.
    pub(super) fn gone(&mut self) -> Expr {
        const HELP: &str = "say what is out of the bag, as in `5d52 drawn without mine`";
        let token = self.real();
        match token.kind {
            _ if token.newline() => *self.no_value("a name", HELP),
            Kind::LParen => self.paren(),
            Kind::LBracket => self.list(),
            Kind::Word if !is_keyword(self.text_of(token)) => {
                let name = self.name("a name");
                self.node(ExprKind::Name(name.text), token.start())
            }
            _ => *self.no_value("a name", HELP),
        }
    }

    pub(super) fn no_value(&mut self, what: &str, help: &str) -> Box<Expr> {
        let diagnostic = self.expected(what).help(help);
        self.fail(diagnostic);
        Box::new(self.missing())
    }

    /// A name where only a number or parentheses may stand.
    fn bare_value(&mut self, token: Token) -> Box<Expr> {
        let (span, text) = (self.span_of(token), self.text_of(token));
        self.error(
            Diagnostic::error("bare-value", span, "a computed value stands in parentheses here")
                .help(format!("write `({text})`"))
                .edit(span, format!("({text})")),
        );
        self.bump();
        Box::new(self.node(ExprKind::Name(text.to_owned()), token.start()))
    }

    /// `condition` behind `suffix`.
    pub(super) fn condition(&mut self, suffix: &str) -> Condition {
        let token = self.real();
        if !token.newline() {
            if let Some(comparison) = comparison(token.kind) {
                self.bump();
                self.check_condition_operator(token);
                let value = self.value(&format!("{suffix}{}8", self.text_of(token)));
                self.condition_end = self.last_end;
                return Condition { comparison, value, span: self.since(token.start()) };
            }
            if matches!(token.kind, Kind::Number | Kind::LParen) {
                return self.missing_comparison(suffix);
            }
        }
        let help = format!("say which dice, such as `{suffix}>=8` or `{suffix}=1`");
        let value = self.no_value("a comparison", &help);
        Condition { comparison: Comparison::Equal, value, span: self.since(token.start()) }
    }

    fn check_condition_operator(&mut self, token: Token) {
        if token.kind == Kind::LessGreater {
            let span = self.span_of(token);
            self.error(
                Diagnostic::error("wrong-operator", span, "`<>` is not an operator here")
                    .help("write `!=`")
                    .edit(span, "!="),
            );
        }
    }

    fn missing_comparison(&mut self, suffix: &str) -> Condition {
        let start = self.start();
        let value = self.value("8");
        let span = self.since(start);
        if self.kind() == Kind::DotDot && !self.real().gap() {
            self.refuse_faces(start);
            return Condition { comparison: Comparison::Equal, value, span };
        }
        let text = &self.text[span.range()];
        self.error(
            Diagnostic::error(
                "missing-comparison",
                span,
                format!("`{suffix}{text}` does not say how to compare"),
            )
            .help(format!("write `{suffix}>={text}`, `{suffix}<={text}` or `{suffix}={text}`")),
        );
        Condition { comparison: Comparison::Equal, value, span }
    }
}
