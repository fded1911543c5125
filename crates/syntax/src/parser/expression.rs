//! Expressions: lambdas and operators.

use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::tree::{BinaryOp, Comparison, Expr, ExprKind, UnaryOp};

/// How tightly the operators bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Compare,
    Range,
    Sum,
    Product,
    Power,
}

impl Level {
    /// The level of the right operand: one tighter, so that equal operators group to the left.
    fn tighter(self) -> Level {
        match self {
            Level::Or => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Compare,
            Level::Compare => Level::Range,
            Level::Range => Level::Sum,
            Level::Sum => Level::Product,
            // Unary minus stands between products and powers, so both ask for a power next.
            Level::Product | Level::Power => Level::Power,
        }
    }
}

/// An operator of two operands, as the parser meets it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Binary(BinaryOp),
    Range,
}

impl Parser<'_> {
    /// `expression`
    pub(super) fn expression(&mut self) -> Expr {
        let start = self.start();
        let mut value = self.value_expression();
        let mut links = 0;
        while self.word() == "given" && !self.panicking && !self.halted {
            self.bump();
            self.join();
            let condition = Box::new(self.value_expression());
            self.link(&mut links);
            value = self.node(ExprKind::Given { value: Box::new(value), condition }, start);
        }
        value
    }

    /// `value`
    pub(super) fn value_expression(&mut self) -> Expr {
        self.nested(|parser| {
            let no_range = std::mem::replace(&mut parser.no_range, false);
            let found = match parser.lambda_ahead() {
                true => parser.lambda(),
                false => parser.operation(Level::Or),
            };
            parser.no_range = no_range;
            found
        })
    }

    /// Whether a lambda's parameters and its arrow are ahead. Keywords among them are refused as names.
    pub(super) fn lambda_ahead(&mut self) -> bool {
        let mut token = self.real();
        match self.kind() {
            Kind::Word => {
                let pattern = matches!(self.text_of(token), "else" | "true" | "false" | "none");
                !pattern && self.arrow_after(token)
            }
            Kind::LParen => loop {
                token = self.after(token);
                match token.kind {
                    Kind::RParen => return self.arrow_after(token),
                    Kind::Word => token = self.after(token),
                    _ => return false,
                }
                match token.kind {
                    Kind::Comma => {}
                    Kind::RParen => return self.arrow_after(token),
                    _ => return false,
                }
            },
            _ => false,
        }
    }

    pub(super) fn arrow_after(&self, token: Token) -> bool {
        let next = self.after(token);
        next.kind == Kind::Arrow && !(next.newline() && self.lines)
    }

    /// `lambda`
    pub(super) fn lambda(&mut self) -> Expr {
        let start = self.start();
        let parameters = if self.kind() == Kind::LParen {
            self.bracketed(Kind::RParen, |parser| parser.name("a parameter's name"))
        } else {
            vec![self.name("a parameter's name")]
        };
        if parameters.is_empty() {
            let span = self.since(start);
            self.error(
                Diagnostic::error(
                    "empty-lambda",
                    span,
                    "a function without parameters has no use here",
                )
                .help("write the value itself, or give it a parameter: `x => …`"),
            );
        }
        self.bump();
        self.join();
        let body = Box::new(self.expression());
        self.node(ExprKind::Lambda { parameters, body }, start)
    }

    /// `operation`, of operators at least as tight as `least`.
    pub(super) fn operation(&mut self, least: Level) -> Expr {
        self.chained(|parser| parser.operation_chain(least))
    }

    fn operation_chain(&mut self, least: Level) -> Expr {
        let start = self.start();
        let mut left = self.prefix(least);
        let mut links = 0;
        let mut last = None;
        while let Some((operator, level)) = self.operator_ahead().filter(|(_, l)| *l >= least) {
            let chains = last == Some(level) && matches!(level, Level::Compare | Level::Range);
            let chained = chains.then(|| self.found_span());
            last = Some(level);
            self.join();
            let token = self.take_operator();
            self.check_operator(token, &left);
            let changes = self.changes(token, &left);
            self.join();
            let right = if level == Level::Power {
                self.nested(|parser| parser.operation(Level::Power))
            } else {
                self.operation(level.tighter())
            };
            self.link(&mut links);
            if let Some(place) = chained {
                self.refuse_chain(&left, level, place);
            }
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            left = self.node(
                match operator {
                    // What was refused has no meaning that could be judged too.
                    _ if chained.is_some() || changes => ExprKind::Missing,
                    Operator::Binary(op) => ExprKind::Binary(op, left_box, right_box),
                    Operator::Range => ExprKind::Range(left_box, right_box),
                },
                start,
            );
        }
        left
    }

    /// The operator ahead; `and` and `or` may begin a line.
    fn operator_ahead(&mut self) -> Option<(Operator, Level)> {
        if self.panicking || self.halted {
            return None;
        }
        let binary = |op, level| Some((Operator::Binary(op), level));
        match self.real_word() {
            "and" => return binary(BinaryOp::And, Level::And),
            "or" => return binary(BinaryOp::Or, Level::Or),
            _ => {}
        }
        let kind = self.kind();
        if kind == Kind::Word && self.versus_ahead().is_some() {
            return binary(BinaryOp::Compare(Comparison::AtLeast), Level::Compare);
        }
        if let Some(comparison) = comparison(kind) {
            return binary(BinaryOp::Compare(comparison), Level::Compare);
        }
        match kind {
            Kind::DotDot if !self.no_range => Some((Operator::Range, Level::Range)),
            Kind::Plus => binary(BinaryOp::Add, Level::Sum),
            Kind::Minus => binary(BinaryOp::Subtract, Level::Sum),
            Kind::Star => binary(BinaryOp::Multiply, Level::Product),
            Kind::Slash => binary(BinaryOp::Divide, Level::Product),
            Kind::SlashSlash => binary(BinaryOp::FloorDivide, Level::Product),
            Kind::Percent => binary(BinaryOp::Remainder, Level::Product),
            Kind::Caret | Kind::StarStar => binary(BinaryOp::Power, Level::Power),
            Kind::AndAnd => binary(BinaryOp::And, Level::And),
            Kind::OrOr | Kind::Pipe => binary(BinaryOp::Or, Level::Or),
            _ => None,
        }
    }

    /// Other languages' operators, and `!=` that may be meant as an explosion.
    fn check_operator(&mut self, token: Token, left: &Expr) {
        let span = self.span_of(token);
        let spelling = match token.kind {
            Kind::AndAnd => "and",
            Kind::OrOr | Kind::Pipe => "or",
            Kind::LessGreater => "!=",
            Kind::NotEqual => return self.hint_at_explosion(token, left),
            _ => return,
        };
        let text = self.text_of(token);
        self.error(
            Diagnostic::error("wrong-operator", span, format!("`{text}` is not an operator here"))
                .help(format!("write `{spelling}`"))
                .edit(span, spelling),
        );
    }

    fn hint_at_explosion(&mut self, token: Token, left: &Expr) {
        let next = self.real();
        if token.gap() || next.gap() || next.kind != Kind::Number || !is_dice(left) {
            return;
        }
        let (span, number) = (self.span(token.start(), next.end()), self.text_of(next));
        self.error(
            Diagnostic::hint(
                "explode-or-not-equal",
                span,
                format!("`!={number}` asks whether the total is not {number}"),
            )
            .help(format!(
                "to explode on {number} write `!{number}`; to compare write ` != {number}`"
            ))
            .edit(span, format!("!{number}")),
        );
    }

    /// `not`, unary `-`, or a term.
    fn prefix(&mut self, least: Level) -> Expr {
        let start = self.start();
        match self.kind() {
            Kind::Minus => {
                self.bump();
                self.join();
                let operand = Box::new(self.nested(|parser| parser.operation(Level::Power)));
                self.node(ExprKind::Unary(UnaryOp::Negate, operand), start)
            }
            Kind::Word if self.word() == "not" && !self.is_taken_for_name("not") => {
                self.negation(least)
            }
            Kind::Bang => {
                self.wrong_prefix("`!` does not negate", "write `not`", "not ");
                self.nested(|parser| parser.operation(Level::Compare))
            }
            // `+3`, as bonuses are said.
            Kind::Plus if self.is_before_a_number() => {
                self.bump();
                self.nested(|parser| parser.operation(Level::Power))
            }
            Kind::Plus => {
                self.wrong_prefix("a number needs no `+`", "leave the sign out", "");
                while self.kind() == Kind::Plus {
                    self.bump();
                }
                self.nested(|parser| parser.operation(Level::Power))
            }
            _ => self.term(),
        }
    }

    fn is_before_a_number(&mut self) -> bool {
        let sign = self.real();
        let next = self.after(sign);
        next.kind == Kind::Number && !next.gap()
    }

    fn negation(&mut self, least: Level) -> Expr {
        let start = self.start();
        let token = self.bump();
        if least > Level::Not {
            let span = self.span_of(token);
            self.error(
                Diagnostic::error("misplaced-not", span, "`not` binds looser than this operator")
                    .help("put it in parentheses: `(not …)`"),
            );
        }
        self.join();
        let operand = Box::new(self.nested(|parser| parser.operation(Level::Not)));
        self.node(ExprKind::Unary(UnaryOp::Not, operand), start)
    }

    fn wrong_prefix(&mut self, fact: &str, help: &str, replacement: &str) {
        let token = self.bump();
        let span = self.span_of(token);
        self.error(
            Diagnostic::error("wrong-operator", span, fact).help(help).edit(span, replacement),
        );
    }
}

/// The comparison that a token stands for.
pub(super) fn comparison(kind: Kind) -> Option<Comparison> {
    match kind {
        Kind::Equal | Kind::EqualEqual => Some(Comparison::Equal),
        Kind::NotEqual | Kind::LessGreater => Some(Comparison::NotEqual),
        Kind::Less => Some(Comparison::Less),
        Kind::LessEqual => Some(Comparison::AtMost),
        Kind::Greater => Some(Comparison::Greater),
        Kind::GreaterEqual => Some(Comparison::AtLeast),
        _ => None,
    }
}

/// Dice, bare or with suffixes.
pub(super) fn is_dice(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Dice { .. } | ExprKind::Suffixed { .. })
}
