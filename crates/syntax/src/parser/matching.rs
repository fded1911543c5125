//! `match`, its arms and their patterns.

use super::expression::Level;
use super::state::Parser;
use super::statement::{comments, moved_up};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::tree::{Arm, Comment, Expr, ExprKind, Pattern, PatternKind};

/// The comments around an arm.
pub(super) struct Remarks {
    pub(super) leading: Vec<Comment>,
    pub(super) side: Option<String>,
}

impl Parser<'_> {
    /// `match`
    pub(super) fn match_expression(&mut self) -> Expr {
        let open = self.bump();
        let (subject, arms) = self.in_lines(|parser| {
            parser.no_range = true;
            let subject = parser.nested(|parser| parser.operation(Level::Or));
            parser.no_range = false;
            parser.panicking = false;
            let mark = parser.comments.len();
            let arms = parser.arms(mark, Self::arm);
            parser.end_keyword(open);
            (subject, arms)
        });
        let commented =
            |((patterns, value), Remarks { leading, side })| Arm { patterns, value, leading, side };
        let arms = arms.into_iter().map(commented).collect();
        self.node(ExprKind::Match { subject: Box::new(subject), arms }, open.start())
    }

    /// The arms up to the `end`, each with the comments around it. Comments from `mark` on are theirs.
    pub(super) fn arms<T>(
        &mut self,
        mark: usize,
        arm: impl Fn(&mut Self) -> T,
    ) -> Vec<(T, Remarks)> {
        let mut arms = Vec::new();
        loop {
            self.separators();
            self.gather_comments();
            let at_end = self.at_block_end() || self.real().kind == Kind::Eof;
            if at_end || self.at_closing_bracket() {
                return arms;
            }
            let above = self.comments.split_off(mark);
            let start = self.start();
            let found = arm(self);
            self.end_of_arm(start);
            if self.kind() == Kind::Semicolon {
                self.bump();
            }
            let side = self.side_comment();
            let mut leading = comments(above);
            // Nothing stands between the opening word and its first arm.
            if let (true, Some(first)) = (arms.is_empty(), leading.first_mut()) {
                first.after_blank = false;
            }
            leading.extend(self.comments.split_off(mark).into_iter().map(moved_up));
            arms.push((found, Remarks { leading, side }));
        }
    }

    fn at_closing_bracket(&mut self) -> bool {
        let kind = self.real().kind;
        self.brackets > 0 && matches!(kind, Kind::RParen | Kind::RBracket | Kind::RBrace)
    }

    fn end_of_arm(&mut self, start: usize) {
        let over = matches!(self.kind(), Kind::Newline | Kind::Semicolon | Kind::Eof)
            || self.at_block_end()
            || self.at_closing_bracket();
        if !over && !self.panicking {
            let diagnostic = self
                .expected("the end of the arm")
                .help("arms stand on lines of their own, or are separated by `;`");
            self.fail(diagnostic);
        }
        if self.last_end <= start && self.real().start() == start {
            self.bump();
        }
        if self.panicking || !over {
            self.skip_statement();
        }
    }

    /// `arm`
    fn arm(&mut self) -> (Vec<Pattern>, Expr) {
        self.join();
        let mut patterns = vec![self.pattern()];
        while self.kind() == Kind::Comma && !self.panicking {
            self.bump();
            self.join();
            patterns.push(self.pattern());
        }
        self.refuse_thin_arrow();
        if self.panicking || !self.expect(Kind::Arrow, "`=>`", "an arm is written `7..9 => value`")
        {
            return (patterns, self.missing());
        }
        self.join();
        (patterns, self.expression())
    }

    /// `1 -> 2`
    pub(super) fn refuse_thin_arrow(&mut self) {
        let minus = self.real();
        let greater = self.after(minus);
        if self.kind() == Kind::Minus && greater.kind == Kind::Greater && !greater.gap() {
            let span = self.span(minus.start(), greater.end());
            self.fail(
                Diagnostic::error("wrong-operator", span, "an arm's arrow is `=>`")
                    .help("write `=>`")
                    .edit(span, "=>"),
            );
        }
    }

    /// `pattern`
    fn pattern(&mut self) -> Pattern {
        let start = self.start();
        let kind = match (self.kind(), self.word()) {
            (Kind::Number | Kind::Minus, _) => self.number_pattern(),
            (Kind::DotDot, _) => {
                self.bump();
                PatternKind::Range(None, self.bound())
            }
            (Kind::Quote, _) => PatternKind::Text(self.plain_text("a text").0),
            (_, word @ ("true" | "false" | "none" | "else")) => {
                self.bump();
                match word {
                    "none" => PatternKind::None,
                    "else" => PatternKind::Else,
                    _ => PatternKind::Bool(word == "true"),
                }
            }
            (Kind::Word, _) => PatternKind::Variant(self.path("a variant's name")),
            _ => {
                let diagnostic = self.expected("a pattern").help(
                    "patterns are numbers, ranges such as `7..9`, texts, variants and `else`",
                );
                self.fail(diagnostic);
                PatternKind::Else
            }
        };
        Pattern { kind, span: self.since(start) }
    }

    fn number_pattern(&mut self) -> PatternKind {
        let first = self.bound();
        if self.kind() == Kind::DotDot {
            self.bump();
            return PatternKind::Range(first, self.bound());
        }
        match first {
            Some(number) => PatternKind::Number(number),
            None => {
                let diagnostic =
                    self.expected("a number").help("a negative number is written `-1`");
                self.fail(diagnostic);
                PatternKind::Else
            }
        }
    }

    /// `bound`, if one is ahead.
    fn bound(&mut self) -> Option<String> {
        let negative = self.kind() == Kind::Minus;
        if negative {
            self.bump();
        }
        if self.kind() != Kind::Number {
            return None;
        }
        let token = self.bump();
        let sign = if negative { "-" } else { "" };
        Some(format!("{sign}{}", self.text_of(token)))
    }
}
