//! Terms: what operators stand between.

use super::expression::is_dice;
use super::misread::Comprehension;
use super::state::Parser;
use super::wide;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, is_keyword};
use crate::tree::{Argument, Expr, ExprKind, Sides};

impl Parser<'_> {
    /// `term`
    pub(super) fn term(&mut self) -> Expr {
        self.chained(|parser| {
            let start = parser.start();
            let mut term = parser.primary();
            let mut links = 0;
            while !parser.panicking && !parser.halted && parser.term_link(&mut term, start) {
                parser.link(&mut links);
            }
            term
        })
    }

    /// Takes one more field, call, die, suffix or label into the term; false if none follows.
    fn term_link(&mut self, term: &mut Expr, start: usize) -> bool {
        let token = self.real();
        if token.kind == Kind::Dot && has_fields(term) {
            *term = self.field(taken(term), start);
            return true;
        }
        if token.newline() {
            return false;
        }
        match token.kind {
            Kind::LParen if !token.gap() && is_callable(term) => {
                *term = self.call(taken(term), start);
            }
            Kind::LParen if is_named(term) => {
                *term = self.call_with_blank(taken(term), start, token);
            }
            Kind::LBracket => *term = self.label(taken(term), start),
            Kind::Word
                if is_count(term) && (self.die_ahead(token, true) || self.odd_die_ahead(token)) =>
            {
                *term = self.dice(Some(taken(term)), start);
            }
            Kind::Word if is_count(term) && wide::is_die(self.text_of(token)) => {
                self.wide_die();
                *term = self.node(ExprKind::Missing, start);
            }
            Kind::Word | Kind::Bang | Kind::BangBang if takes_suffixes(term) => {
                return self.suffix(term, start);
            }
            Kind::Dot if is_dice(term) && self.after(token).kind == Kind::Word => {
                self.method(term);
            }
            Kind::Dot if matches!(term.kind, ExprKind::Number(_)) => {
                self.bad_number(start, token.end());
                return false;
            }
            Kind::At if matches!(term.kind, ExprKind::Number(_)) => {
                self.anydice_here(start);
                return false;
            }
            _ => return false,
        }
        true
    }

    fn field(&mut self, term: Expr, start: usize) -> Expr {
        self.join();
        self.bump();
        let name = self.field_name();
        self.node(ExprKind::Field(Box::new(term), name), start)
    }

    /// The name behind a dot, where keywords and dice are not in the way.
    fn field_name(&mut self) -> crate::tree::Name {
        let token = self.real();
        if self.kind() == Kind::Word && is_keyword(self.text_of(token)) {
            let text = self.text_of(token).to_owned();
            self.bump_as(Class::Name);
            return crate::tree::Name { text, span: self.span_of(token) };
        }
        self.name("a field's name")
    }

    /// `arguments`
    pub(super) fn call(&mut self, function: Expr, start: usize) -> Expr {
        let arguments = self.bracketed(Kind::RParen, Self::argument);
        self.node(ExprKind::Call { function: Box::new(function), arguments }, start)
    }

    fn call_with_blank(&mut self, function: Expr, start: usize, open: Token) -> Expr {
        let gap = self.span(function.span.end as usize, open.start());
        let name = &self.text[function.span.range()];
        self.error(
            Diagnostic::error(
                "call-blank",
                self.span_of(open),
                "a call has no blank before its `(`",
            )
            .help(format!("write `{name}(…)`"))
            .edit(gap, ""),
        );
        self.call(function, start)
    }

    /// The arguments of a call that is not kept.
    pub(super) fn inside_call(&mut self) {
        self.bracketed(Kind::RParen, Self::argument);
    }

    /// `argument`
    fn argument(&mut self) -> Argument {
        let token = self.real();
        let named = token.kind == Kind::Word && self.after(token).kind == Kind::Colon;
        let name = named.then(|| {
            let name = self.name("an argument's name");
            self.bump();
            name
        });
        Argument { name, value: self.expression() }
    }

    /// `label`
    fn label(&mut self, term: Expr, start: usize) -> Expr {
        let open = self.start();
        self.split(1, Class::Label);
        let inside = &self.text[open + 1..];
        let length = inside.find([']', '\n']).unwrap_or(inside.len());
        if !inside[length..].starts_with(']') {
            self.move_to(open + 1 + length);
            self.classify(open + 1, open + 1 + length, Class::Label);
            let span = self.span(open, open + 1);
            self.fail(
                Diagnostic::error("unclosed", span, "`[` is never closed on its line")
                    .help("a label ends with `]`, as in `2d6[fire]`"),
            );
            return term;
        }
        let label = inside[..length].trim().to_owned();
        self.move_to(open + length + 2);
        self.classify(open + 1, open + length + 2, Class::Label);
        let is_indexed =
            is_named(&term) || matches!(term.kind, ExprKind::List(_) | ExprKind::Call { .. });
        if is_indexed && label.bytes().all(|b| b.is_ascii_digit()) && !label.is_empty() {
            self.hint_at_index(&term, &label, open);
        }
        self.node(ExprKind::Labelled { value: Box::new(term), label }, start)
    }

    fn hint_at_index(&mut self, term: &Expr, label: &str, open: usize) {
        let span = self.since(open);
        let name = &self.text[term.span.range()];
        // The first one is number 1.
        let label_or_first = if label == "0" { "1" } else { label };
        let ours = format!("at({name}, {label_or_first})");
        self.error(
            Diagnostic::hint(
                "label-or-index",
                span,
                format!("`[{label}]` is a label, not an index"),
            )
            .help(format!("an element of a list is `{ours}`"))
            .edit(term.span.to(span), ours),
        );
    }

    /// `primary`
    fn primary(&mut self) -> Expr {
        let token = self.real();
        match self.kind() {
            Kind::Number => {
                self.bump();
                self.number_end = self.last_end;
                self.node(ExprKind::Number(self.text_of(token).into()), token.start())
            }
            Kind::Quote => {
                let text = self.text();
                self.node(ExprKind::Text(text), token.start())
            }
            Kind::LParen => self.paren(),
            Kind::LBracket => self.list(),
            Kind::LBrace => self.record_or_group(),
            Kind::Word => self.word_primary(token),
            Kind::Dot if self.after(token).kind == Kind::Number => self.headless_number(),
            _ => self.no_expression(),
        }
    }

    fn word_primary(&mut self, token: Token) -> Expr {
        match self.text_of(token) {
            "true" | "false" => {
                self.bump();
                self.node(ExprKind::Bool(self.text_of(token) == "true"), token.start())
            }
            "none" => {
                self.bump();
                self.node(ExprKind::None, token.start())
            }
            word if is_keyword(word) && self.is_taken_for_name(word) && self.is_alone(token) => {
                let name = self.name("a name");
                self.node(ExprKind::Name(name.text), token.start())
            }
            "if" => self.conditional(),
            "match" => self.match_expression(),
            "maximise" | "minimise" => self.best_play(),
            "choose" | "oppose" => self.choice(),
            "maximize" | "minimize" if self.is_spelt_otherwise(token) => self.best_play(),
            "do" => self.block(),
            "repeat" => self.repeat(),
            word if is_keyword(word)
                && (self.keyword_as_name() || self.is_taken_for_name(word)) =>
            {
                let name = self.name("a name");
                self.node(ExprKind::Name(name.text), token.start())
            }
            word if is_keyword(word) => self.no_expression(),
            _ if self.die_ahead(token, false) => self.dice(None, token.start()),
            word if wide::is_die(word) => {
                self.wide_die();
                self.node(ExprKind::Missing, token.start())
            }
            word => {
                self.bump();
                self.node(ExprKind::Name(word.to_owned()), token.start())
            }
        }
    }

    fn no_expression(&mut self) -> Expr {
        let found = self.found();
        let span = self.found_span();
        let message = format!("expected an expression, found {found}");
        let help = match self.word() {
            "end" => {
                "nothing is open here that it could end: `do`, `match` and `choose` begin what `end` ends"
            }
            "then" | "else" => "`if a then b else c` is one expression",
            "next" | "until" => "they belong to `repeat with n = 0 … next n = n + 1 until n == 5`",
            _ if self.kind() == Kind::Slash => "a roll needs no command, write only `3d6`",
            _ => "write a value here, such as `3d6` or `5`",
        };
        let diagnostic = Diagnostic::error("expected-expression", span, message).help(help);
        self.fail(diagnostic);
        self.missing()
    }

    /// `.5`
    fn headless_number(&mut self) -> Expr {
        let start = self.bump().start();
        let number = self.bump();
        self.bad_number(start, number.end());
        self.node(ExprKind::Number(format!("0.{}", self.text_of(number)).into()), start)
    }

    fn bad_number(&mut self, start: usize, end: usize) {
        let span = self.span(start, end);
        let written = &self.text[start..end];
        let better = match written.strip_prefix('.') {
            Some(digits) => format!("0.{digits}"),
            None => written.trim_end_matches('.').to_owned(),
        };
        self.fail(
            Diagnostic::error("bad-number", span, "a decimal has digits on both sides of its dot")
                .help(format!("write `{better}`"))
                .edit(span, better),
        );
    }

    /// `paren`
    pub(super) fn paren(&mut self) -> Expr {
        let start = self.start();
        let inner = self.inside_paren();
        self.node(ExprKind::Paren(Box::new(inner)), start)
    }

    /// The expression within the parentheses ahead.
    pub(super) fn inside_paren(&mut self) -> Expr {
        let open = self.start();
        let mut items = self.bracketed(Kind::RParen, Self::expression);
        if items.len() > 1 {
            let span = self.span(open, self.last_end);
            self.error(
                Diagnostic::error("several-in-paren", span, "parentheses hold one expression")
                    .help("a list is written `[a, b]`, a group of dice `{a, b}`"),
            );
        }
        if items.is_empty() {
            let span = self.since(open);
            self.error(
                Diagnostic::error("expected-expression", span, "the parentheses are empty")
                    .help("write a value between them"),
            );
            return self.missing();
        }
        items.swap_remove(0)
    }

    /// `list`
    pub(super) fn list(&mut self) -> Expr {
        let open = self.real();
        if self.anydice_call_ahead(open) {
            self.anydice_here(open.start());
            return self.missing();
        }
        let mut each: Option<Comprehension> = None;
        let items = self.bracketed(Kind::RBracket, |parser| parser.item(&mut each));
        let list = self.node(ExprKind::List(items), open.start());
        match each {
            Some(each) => self.refuse_comprehension(each, list),
            None => self.list_in_list(list),
        }
    }

    /// `record` or `group`
    fn record_or_group(&mut self) -> Expr {
        let open = self.real();
        let first = self.after(open);
        let empty = first.kind == Kind::RBrace;
        if empty || first.kind == Kind::Word && self.after(first).kind == Kind::Colon {
            let fields = self.bracketed(Kind::RBrace, |parser| {
                let name = parser.name("a field's name");
                if !parser.panicking {
                    parser.expect(Kind::Colon, "`:`", "a field is written `name: value`");
                }
                (name, parser.expression())
            });
            return self.node(ExprKind::Record(fields), open.start());
        }
        let members = self.bracketed(Kind::RBrace, Self::expression);
        self.node(ExprKind::Group(members), open.start())
    }
}

/// The term, out of the place where a longer one is going to stand.
pub(super) fn taken(term: &mut Expr) -> Expr {
    let missing = Expr { kind: ExprKind::Missing, span: term.span };
    std::mem::replace(term, missing)
}

fn is_named(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Name(_) | ExprKind::Field(..))
}

fn is_callable(expr: &Expr) -> bool {
    is_named(expr) || matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Paren(_))
}

fn has_fields(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Dice { sides, .. } => matches!(sides, Sides::Faces(_)),
        ExprKind::Record(_) => true,
        // What ends with `end`.
        ExprKind::Block(_) | ExprKind::Match { .. } | ExprKind::Choose { .. } => true,
        _ => is_callable(expr),
    }
}

/// What may stand before a `d` as its count.
fn is_count(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Number(_) | ExprKind::Paren(_))
}

/// What may be a pool.
fn takes_suffixes(expr: &Expr) -> bool {
    is_dice(expr)
        || is_callable(expr)
        || matches!(expr.kind, ExprKind::Group(_) | ExprKind::Labelled { .. })
}
