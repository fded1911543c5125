//! Statements, blocks and the comments around them.

use super::state::{Parser, Pending};
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::tree::{
    BinaryOp, Block, Comment, Comparison, ExprKind, File, Name, Statement, StatementKind,
};

impl Parser<'_> {
    /// `file`
    pub(super) fn file(&mut self) -> File {
        let block = self.statements(0);
        if block.statements.is_empty() {
            let span = self.span(0, 0);
            self.error(
                Diagnostic::error("empty", span, "there is nothing to roll")
                    .help("write a roll, such as `3d6`"),
            );
        }
        File { block }
    }

    /// `statements`, up to the end of the block around them. Comments from `mark` on are theirs.
    pub(super) fn statements(&mut self, mark: usize) -> Block {
        let mut statements: Vec<Statement> = Vec::with_capacity(1);
        loop {
            self.separators();
            self.gather_comments();
            if self.at_statements_end() {
                break;
            }
            if let Some(last) = statements.last() {
                self.hint_at_definition(last);
            }
            let first = statements.is_empty();
            statements.push(self.commented_statement(mark, first));
        }
        let mut trailing = comments(self.comments_since(mark));
        if let (true, Some(first)) = (statements.is_empty(), trailing.first_mut()) {
            first.after_blank = false;
        }
        Block { statements, trailing }
    }

    /// `x = 5` on a line of its own, with more to come, was meant to define.
    fn hint_at_definition(&mut self, statement: &Statement) {
        let StatementKind::Expression(expr) = &statement.kind else { return };
        let ExprKind::Binary(BinaryOp::Compare(Comparison::Equal), left, right) = &expr.kind else {
            return;
        };
        let between = &self.text[left.span.end as usize..right.span.start as usize];
        if let (ExprKind::Name(name), "=") = (&left.kind, between.trim()) {
            let start = self.span(left.span.start as usize, left.span.start as usize);
            self.error(
                Diagnostic::hint("compare-or-define", expr.span, "`=` compares here")
                    .help(format!("to name the value write `let {name} = …`"))
                    .edit(start, "let "),
            );
        }
    }

    /// `{ NEWLINE | ";" }`
    pub(super) fn separators(&mut self) {
        self.join();
        while self.kind() == Kind::Semicolon {
            self.bump();
            self.join();
        }
    }

    fn at_statements_end(&mut self) -> bool {
        match self.real().kind {
            Kind::Eof => true,
            Kind::RParen | Kind::RBracket | Kind::RBrace => self.brackets > 0,
            _ => self.at_block_end(),
        }
    }

    fn commented_statement(&mut self, mark: usize, first: bool) -> Statement {
        let token = self.real();
        let mut above = self.comments_since(mark);
        let after_blank = token.after_blank() && !(first && above.is_empty());
        if let (true, Some(comment)) = (first, above.first_mut()) {
            comment.after_blank = false;
        }
        let around = std::mem::replace(&mut self.statement_start, token.start());
        let kind = self.statement();
        self.end_of_statement(token.start());
        self.statement_start = around;
        let span = self.since(token.start());
        let doc = if is_definition(&kind) { documentation(&mut above, after_blank) } else { None };
        let doc_blank = doc.as_ref().map(|(_, blank)| *blank);
        let side = self.side_after_separator();
        let mut after_blank = doc_blank.unwrap_or(after_blank) && !(first && above.is_empty());
        let moved = self.comments_since(mark);
        let none_above = above.is_empty();
        let mut leading = comments(above);
        leading.extend(moved.into_iter().map(moved_up));
        if let (true, Some(first_moved)) = (none_above, leading.first_mut()) {
            first_moved.after_blank = std::mem::take(&mut after_blank);
        }
        Statement { kind, doc: doc.map(|(text, _)| text), leading, side, after_blank, span }
    }

    /// A comment at the statement's end, also behind a `;` that is the last on its line.
    fn side_after_separator(&mut self) -> Option<String> {
        if self.kind() == Kind::Semicolon {
            self.bump();
        }
        self.side_comment()
    }

    /// Checks that the statement is over; skips the rest if not.
    fn end_of_statement(&mut self, start: usize) {
        let over = matches!(self.kind(), Kind::Newline | Kind::Semicolon | Kind::Eof)
            || self.at_statements_end();
        if over && self.last_end > start {
            self.look_for_sets(start);
            self.panicking = false;
            return;
        }
        if !over && !self.panicking {
            match self.kind() {
                Kind::Comma if !self.is_last_on_line() => self.several_values(start),
                _ => self.unexpected(start),
            }
        }
        if self.last_end <= start && self.real().start() == start {
            self.bump();
        }
        self.skip_statement();
    }

    /// Whether nothing follows in this statement.
    fn is_last_on_line(&mut self) -> bool {
        let token = self.real();
        let next = self.after(token);
        next.newline() || matches!(next.kind, Kind::Newline | Kind::Semicolon | Kind::Eof)
    }

    /// Something stands where the statement should be over.
    fn unexpected(&mut self, start: usize) {
        let token = self.real();
        let text = self.text_of(token);
        let span = self.span_of(token);
        let diagnostic =
            Diagnostic::error("unexpected", span, format!("{} is not expected here", self.found()));
        let diagnostic = match self.beside(start, token, diagnostic) {
            Ok(known) => return self.fail(known),
            Err(unknown) => unknown,
        };
        let closing = matches!(token.kind, Kind::RParen | Kind::RBracket | Kind::RBrace);
        let diagnostic = match (token.kind, text) {
            _ if closing => diagnostic
                .help(format!(
                    "remove it, or open a bracket: nothing is open for `{text}` to close"
                ))
                .edit(span, ""),
            (Kind::Word, "do") => {
                diagnostic.help("a `do` stands where a value begins, as in `let x = do … end`")
            }
            (Kind::Word, "end") => {
                diagnostic.help("there is no `do`, `match` here that it could end").edit(span, "")
            }
            (Kind::Word, "else" | "then") => {
                diagnostic.help("`if a then b else c` is one expression")
            }
            (Kind::Word, "d" | "D") => diagnostic.help("a die needs its sides, such as `3d6`"),
            (Kind::Word, word)
                if word.starts_with(['d', 'D']) && !token.gap() && word.len() > 1 =>
            {
                let sides = &word[1..];
                diagnostic
                    .help(format!("computed sides stand in parentheses: `{}({sides})`", &word[..1]))
            }
            (Kind::LParen | Kind::Number | Kind::Word | Kind::Quote | Kind::LBrace, _) => {
                diagnostic.help("put an operator before it, or begin a new line")
            }
            (Kind::Question, _) => diagnostic.help("a choice is written `if a then b else c`"),
            (Kind::DotDot, _) => diagnostic.help("a range has two ends, such as `1..15`"),
            (Kind::Colon, _) => diagnostic.help("to name a value write `let name = …`"),
            (Kind::Bang | Kind::BangBang, _) => diagnostic.help("only dice explode: `d6!`"),
            _ if self.is_last_on_line() => diagnostic.help("remove it").edit(span, ""),
            _ => diagnostic.help("put an operator in its place, or begin a new line"),
        };
        self.fail(diagnostic);
    }

    /// `statement`
    fn statement(&mut self) -> StatementKind {
        match self.real_word() {
            "let" => self.let_statement(),
            "fn" => self.fn_statement(),
            "enum" => self.enum_statement(),
            "param" => self.param_statement(),
            "show" => self.show_statement(),
            "require" => self.require_statement(),
            "given" => self.given_statement(),
            "note" => self.note_statement(),
            "use" => self.use_statement(),
            _ => {
                self.join();
                self.leave_command_out();
                StatementKind::Expression(self.expression())
            }
        }
    }

    fn let_statement(&mut self) -> StatementKind {
        let opener = self.bump();
        let name = self.name("a name");
        if self.kind() == Kind::LParen {
            return self.function_by_let(opener, name);
        }
        self.expect_equals("a name is given a value by `let x = 3d6`");
        StatementKind::Let { name, value: self.expression() }
    }

    /// `let f(x) = …`
    fn function_by_let(&mut self, opener: Token, name: Name) -> StatementKind {
        let span = self.span_of(opener);
        let fact = "`let` names a value, not a function";
        let help = format!("write `fn {}(…) = …`", name.text);
        self.error(Diagnostic::error("let-function", name.span, fact).help(help).edit(span, "fn"));
        self.function(name)
    }

    fn fn_statement(&mut self) -> StatementKind {
        self.bump();
        let name = self.name("the function's name");
        self.function(name)
    }

    /// A function behind its name.
    fn function(&mut self, name: Name) -> StatementKind {
        let mut parameters = Vec::new();
        if self.kind() == Kind::LParen {
            parameters = self.bracketed(Kind::RParen, Self::parameter);
        } else {
            let diagnostic = self
                .expected("`(`")
                .help(format!("parameters stand in parentheses: `fn {}(a, b = 1) = …`", name.text));
            self.fail(diagnostic);
        }
        self.expect_equals("a function is written `fn f(a, b = 1) = a + b`");
        StatementKind::Function { name, parameters, body: self.expression() }
    }

    fn enum_statement(&mut self) -> StatementKind {
        self.bump();
        let name = self.name("the enumeration's name");
        self.expect_equals("an enumeration is written `enum Outcome = failure | success`");
        let mut variants = Vec::new();
        self.bar();
        loop {
            variants.push(self.variant());
            if self.panicking || !self.bar() {
                break;
            }
        }
        StatementKind::Enumeration { name, variants }
    }

    /// A variant's name. `none` may be one: what it means is then a matter of the type expected.
    fn variant(&mut self) -> Name {
        if self.word() != "none" {
            return self.name("a variant's name");
        }
        let token = self.bump_as(Class::Name);
        Name { text: "none".to_owned(), span: self.span_of(token) }
    }

    /// `|`, at a line's end or the next line's start.
    fn bar(&mut self) -> bool {
        let here = self.real().kind == Kind::Pipe;
        if here {
            self.join();
            self.bump();
            self.join();
        }
        here
    }

    fn param_statement(&mut self) -> StatementKind {
        self.bump();
        let name = self.name("the input's name");
        self.expect_equals("an input has a default: `param pool = 7`");
        StatementKind::Input { name, value: self.expression() }
    }

    fn show_statement(&mut self) -> StatementKind {
        self.bump();
        let (name, _) = self.plain_text("the result's name as a text");
        self.expect_equals("a named result is written `show \"plain\" = 3d6`");
        StatementKind::Show { name, value: self.expression() }
    }

    fn require_statement(&mut self) -> StatementKind {
        let help = "a rule is written `require pool >= 0 else \"the pool is {pool}\"`";
        self.bump();
        let condition = self.expression();
        self.expect_joined("else", help);
        StatementKind::Require { condition, message: self.message(help) }
    }

    fn given_statement(&mut self) -> StatementKind {
        self.bump();
        self.join();
        StatementKind::Given { condition: self.expression() }
    }

    fn note_statement(&mut self) -> StatementKind {
        self.bump();
        let help = "a line of the explanation is written `note \"{n} dice thrown again\"`";
        StatementKind::Note { message: self.message(help) }
    }

    fn use_statement(&mut self) -> StatementKind {
        self.bump();
        if self.kind() == Kind::Word {
            let diagnostic = self
                .expected("the file's path as a text")
                .help("a system needs no `use`, as in `cofd.action(5)`; a file is named in quotes");
            self.fail(diagnostic);
        }
        let (path, path_span) = self.plain_text("the file's path as a text");
        let alias = (self.word() == "as").then(|| {
            self.bump();
            self.name("a name for the file")
        });
        StatementKind::Use { path, path_span, alias }
    }
}

fn is_definition(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Let { .. }
            | StatementKind::Function { .. }
            | StatementKind::Enumeration { .. }
            | StatementKind::Input { .. }
            | StatementKind::Show { .. }
    )
}

/// Takes the `##` lines directly above a definition, and whether a blank line stood before them.
fn documentation(above: &mut Vec<Pending>, after_blank: bool) -> Option<(String, bool)> {
    let is_doc = |comment: &Pending| {
        comment.text.strip_prefix('#').is_some_and(|rest| !rest.starts_with('#'))
    };
    let mut from = above.len();
    while !after_blank && from > 0 && is_doc(&above[from - 1]) {
        from -= 1;
        if above[from].after_blank {
            break;
        }
    }
    let lines = above.split_off(from);
    let blank = lines.first()?.after_blank;
    let text = |comment: &Pending| {
        let line = &comment.text[1..];
        line.strip_prefix(' ').unwrap_or(line).to_owned()
    };
    Some((lines.iter().map(text).collect::<Vec<_>>().join("\n"), blank))
}

/// Comments as the tree holds them.
pub(super) fn comments(pending: Vec<Pending>) -> Vec<Comment> {
    let held = |p: Pending| Comment { text: p.text, after_blank: p.after_blank };
    pending.into_iter().map(held).collect()
}

/// A comment in the midst of a statement moves above it. It must not turn into documentation there.
pub(super) fn moved_up(pending: Pending) -> Comment {
    Comment { text: pending.text.trim_start_matches('#').to_owned(), after_blank: false }
}
