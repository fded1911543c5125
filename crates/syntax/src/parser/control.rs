//! Expressions that begin with a keyword: choices, blocks and repetitions.

use super::state::{Parser, Pending};
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::tree::{Expr, ExprKind, Name, Repeat};

impl Parser<'_> {
    /// `conditional`
    pub(super) fn conditional(&mut self) -> Expr {
        let start = self.start();
        self.bump();
        let condition = Box::new(self.expression());
        if !self.expect_joined("then", "a choice is written `if a then b else c`") {
            return self.node(ExprKind::Missing, start);
        }
        let then = Box::new(self.expression());
        let otherwise = if self.real_word() == "else" {
            self.expect_joined("else", "");
            self.value_expression()
        } else {
            let span = self.found_span();
            self.error(
                Diagnostic::error("missing-else", span, "this `if` has no `else`")
                    .also(self.span(start, start + 2), "it begins here")
                    .help("say what the value is otherwise, such as `else 0`")
                    .edit(self.span(self.last_end, self.last_end), " else 0"),
            );
            self.missing()
        };
        self.node(ExprKind::If { condition, then, otherwise: Box::new(otherwise) }, start)
    }

    /// `block`
    pub(super) fn block(&mut self) -> Expr {
        let open = self.bump();
        let block = self.in_lines(|parser| {
            let mark = parser.comments.len();
            let block = parser.statements(mark);
            parser.end_keyword(open);
            block
        });
        self.node(ExprKind::Block(block), open.start())
    }

    /// Runs `inner` where a line's end counts, also within brackets.
    pub(super) fn in_lines<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let lines = std::mem::replace(&mut self.lines, true);
        let no_range = std::mem::replace(&mut self.no_range, false);
        self.blocks += 1;
        let found = inner(self);
        self.blocks -= 1;
        self.no_range = no_range;
        self.lines = lines;
        found
    }

    /// The `end` of what began at `open`.
    pub(super) fn end_keyword(&mut self, open: Token) {
        if self.real_word() == "end" {
            self.join();
            self.bump();
            return;
        }
        let (span, opener) = (self.span_of(open), self.text_of(open));
        let found = self.found_span();
        self.fail(
            Diagnostic::error("missing-end", span, format!("`{opener}` has no `end`"))
                .also(found, "`end` is missing before this")
                .help("add `end`"),
        );
    }

    /// `repeat`
    pub(super) fn repeat(&mut self) -> Expr {
        let open = self.bump();
        if self.real().kind == Kind::LParen && !self.real().gap() {
            return self.repeat_as_call(open);
        }
        let help = "a repetition is written `repeat with n = 0`, the round, `next n = n + 1`, `until n == 5`";
        let (carried, body, next) = self.in_lines(|parser| {
            parser.expect_joined("with", help);
            let carried = parser.bindings();
            parser.refuse_do();
            let mark = parser.comments.len();
            let block = parser.statements(mark);
            // The tree has no place for comments before `next`: the statement around takes them.
            let kept = block.trailing.into_iter();
            parser.comments.extend(kept.map(|c| Pending { text: c.text, after_blank: false }));
            let next = parser.next_bindings(&carried, open);
            parser.separators();
            (carried, block.statements, next)
        });
        let until = if self.real_word() == "until" {
            self.expect_joined("until", help);
            self.value_expression()
        } else {
            let diagnostic = self.expected("`until`").help(help);
            self.fail(diagnostic);
            self.missing()
        };
        let repeat = Repeat { carried, body, next, until };
        self.node(ExprKind::Repeat(Box::new(repeat)), open.start())
    }

    /// `repeat(60, d20)`
    #[cold]
    #[inline(never)]
    fn repeat_as_call(&mut self, open: Token) -> Expr {
        let span = self.span_of(open);
        self.error(
            Diagnostic::error("repeat-call", span, "`repeat` goes round until something holds")
                .help("to throw a roll several times, write `times(60, d20)`")
                .edit(span, "times"),
        );
        let times = Expr { kind: ExprKind::Name("times".to_owned()), span };
        self.call(times, open.start())
    }

    fn refuse_do(&mut self) {
        if self.word() == "do" {
            let token = self.bump_as(Class::Keyword);
            let span = self.span_of(token);
            self.error(
                Diagnostic::error("unexpected", span, "`repeat` has no `do`")
                    .help("begin the round on a new line")
                    .edit(span, ""),
            );
        }
    }

    /// `"next" binding { "," binding }`
    fn next_bindings(&mut self, carried: &[(Name, Expr)], open: Token) -> Vec<(Name, Expr)> {
        if self.real_word() == "next" {
            self.join();
            self.bump();
            self.join();
            return self.bindings();
        }
        let name = carried.first().map(|(name, _)| name.text.as_str());
        let name = name.filter(|name| !name.is_empty()).unwrap_or("n");
        let help =
            format!("say what is carried to the next round: `next {name} = …` before `until`");
        let span = self.span_of(open);
        self.error(
            Diagnostic::error("missing-next", span, "this `repeat` has no `next`").help(help),
        );
        Vec::new()
    }

    /// `binding { "," binding }`
    fn bindings(&mut self) -> Vec<(Name, Expr)> {
        let mut bindings = Vec::new();
        loop {
            let name = self.name("a carried name");
            self.expect_equals("a carried value is written `name = value`");
            bindings.push((name, self.expression()));
            if self.panicking || self.kind() != Kind::Comma {
                return bindings;
            }
            self.bump();
            self.join();
        }
    }
}
