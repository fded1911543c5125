//! Where the parser stands: the token ahead, pending comments, limits, what was reported.

use super::{Limits, wide};
use crate::colour::{Class, Classified};
use crate::diagnostic::{Diagnostic, Edit};
use crate::lexer::{self, Kind, Token};
use crate::span::{SourceId, Span};
use crate::tree::{Expr, ExprKind};

/// After this many messages nobody reads on.
const MESSAGES: usize = 100;

/// A comment that no statement has taken yet.
pub(super) struct Pending {
    pub(super) text: String,
    pub(super) after_blank: bool,
}

/// A parser at a place in a text.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) source: SourceId,
    pub(super) limits: Limits,
    /// Everything before it is read.
    pos: usize,
    /// The token after `pos`, if it was looked at.
    ahead: Option<Token>,
    /// Where the last token taken ends.
    pub(super) last_end: usize,
    /// A line's end ends a statement (not so inside brackets).
    pub(super) lines: bool,
    /// A `..` belongs to an arm, not to the match's subject.
    pub(super) no_range: bool,
    /// Open brackets around here.
    pub(super) brackets: usize,
    /// Open blocks and repeats around here.
    pub(super) blocks: usize,
    /// Open `maximise` and `minimise` around here: a `by` may be theirs.
    pub(super) bests: usize,
    /// Comments not yet taken by a statement, in order.
    pub(super) comments: Vec<Pending>,
    /// An error was reported and the parser has not found its feet yet: say nothing more.
    pub(super) panicking: bool,
    /// A limit was passed: the rest of the text is not read.
    pub(super) halted: bool,
    /// Where the statement at hand begins.
    pub(super) statement_start: usize,
    /// Where the last plain number ends: `1,5` may go on from there.
    pub(super) number_end: usize,
    /// Where the last condition of a suffix ends: `rr=1,6` may go on from there.
    pub(super) condition_end: usize,
    /// Levels of expressions around here.
    pub(super) depth: usize,
    /// The height of the tallest expression read so far in the construct at hand.
    pub(super) height: usize,
    /// Tokens taken so far.
    pub(super) taken: usize,
    diagnostics: Vec<Diagnostic>,
    /// What each token is, if someone wants to know.
    classes: Option<Vec<Classified>>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, source: SourceId, limits: Limits) -> Self {
        let is_read = text.len() <= lexer::LONGEST;
        let mut parser = Parser::at_start(if is_read { text } else { "" }, source, limits);
        if !is_read {
            parser.much_too_long();
        }
        parser
    }

    fn at_start(text: &'t str, source: SourceId, limits: Limits) -> Self {
        Parser {
            text,
            source,
            limits,
            pos: 0,
            ahead: None,
            last_end: 0,
            lines: true,
            no_range: false,
            brackets: 0,
            blocks: 0,
            bests: 0,
            comments: Vec::new(),
            panicking: false,
            halted: false,
            statement_start: 0,
            number_end: usize::MAX,
            condition_end: usize::MAX,
            depth: 0,
            height: 0,
            taken: 0,
            diagnostics: Vec::new(),
            classes: None,
        }
    }

    /// This parser, which also says what each token is.
    pub(super) fn coloured(self) -> Self {
        Parser { classes: Some(Vec::new()), ..self }
    }

    /// What was said, and what each token is.
    pub(super) fn finish(self) -> (Vec<Diagnostic>, Vec<Classified>) {
        (self.diagnostics, self.classes.unwrap_or_default())
    }

    // Looking ahead

    /// The token ahead, whatever line it stands on.
    #[inline]
    pub(super) fn real(&mut self) -> Token {
        match self.ahead {
            Some(token) => token,
            None => self.look(),
        }
    }

    fn look(&mut self) -> Token {
        let mut token = lexer::scan(self.text, self.pos);
        while token.kind == Kind::Strange {
            self.unknown_character(token);
            token = lexer::scan(self.text, token.end()).after(token);
        }
        if self.halted {
            token = lexer::scan(self.text, self.text.len());
        }
        self.ahead = Some(token);
        token
    }

    /// The kind of the token ahead; a line's end where lines matter.
    pub(super) fn kind(&mut self) -> Kind {
        let token = self.real();
        if token.newline() && self.lines && token.kind != Kind::Eof {
            Kind::Newline
        } else {
            token.kind
        }
    }

    /// The token after `token`, without taking anything.
    pub(super) fn after(&self, token: Token) -> Token {
        lexer::scan(self.text, token.end())
    }

    pub(super) fn text_of(&self, token: Token) -> &'t str {
        &self.text[token.start()..token.end()]
    }

    /// The word ahead on this line; empty if it is none.
    pub(super) fn word(&mut self) -> &'t str {
        if self.kind() == Kind::Word { self.real_word() } else { "" }
    }

    /// The word ahead on this line or a later one; empty if it is none.
    pub(super) fn real_word(&mut self) -> &'t str {
        let token = self.real();
        if token.kind == Kind::Word { self.text_of(token) } else { "" }
    }

    /// The line goes on: the line's end ahead is a blank.
    pub(super) fn join(&mut self) {
        self.ahead = Some(self.real().joined());
    }

    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    // Taking

    /// Takes the token ahead.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.real();
        let class = match token.kind {
            Kind::Number => Class::Number,
            Kind::Word if self.classes.is_none() => Class::Name,
            Kind::Word if lexer::is_keyword(self.text_of(token)) => Class::Keyword,
            Kind::Word => Class::Name,
            _ => Class::Operator,
        };
        self.bump_as(class)
    }

    /// Takes the token ahead, which is more than it looks like.
    pub(super) fn bump_as(&mut self, class: Class) -> Token {
        let token = self.real();
        self.split(token.end() - token.start(), class);
        token
    }

    /// Takes the first `length` bytes of the token ahead.
    pub(super) fn split(&mut self, length: usize, class: Class) {
        let start = self.start();
        if self.pos != start {
            self.gather_comments();
        }
        self.move_to(start + length);
        if length > 0 {
            self.classify(start, start + length, class);
            self.count_token();
        }
    }

    /// Goes to a place that was read character by character.
    pub(super) fn move_to(&mut self, pos: usize) {
        if self.halted {
            return;
        }
        self.pos = pos;
        self.last_end = pos;
        self.ahead = None;
    }

    pub(super) fn classify(&mut self, start: usize, end: usize, class: Class) {
        let Some(classes) = &mut self.classes else { return };
        let whole = matches!(class, Class::Text | Class::Label);
        match classes.last_mut() {
            _ if end <= start => {}
            Some(last) if whole && last.class == class && last.end == start => last.end = end,
            _ => classes.push(Classified { start, end, class }),
        }
    }

    /// Takes the blanks and comments before the token ahead; the comments become pending.
    pub(super) fn gather_comments(&mut self) {
        let start = self.start();
        let mut newlines = 0;
        let mut at = self.pos;
        while at < start {
            match self.text.as_bytes()[at] {
                b'#' => {
                    let end = lexer::line_end(self.text, at);
                    self.classify(at, end, Class::Comment);
                    let text = self.text[at + 1..end].trim_end().to_owned();
                    self.comments.push(Pending { text, after_blank: newlines > 1 });
                    newlines = 0;
                    at = end;
                }
                b'\n' => {
                    newlines += 1;
                    at += 1;
                }
                _ => at += 1,
            }
        }
        self.pos = start;
    }

    /// Takes the pending comments from `mark` on.
    pub(super) fn comments_since(&mut self, mark: usize) -> Vec<Pending> {
        match self.comments.len() > mark {
            true => self.comments.split_off(mark),
            false => Vec::new(),
        }
    }

    /// Takes a comment at the end of the line just read.
    pub(super) fn side_comment(&mut self) -> Option<String> {
        let rest = &self.text[self.pos..];
        let start = self.pos + (rest.len() - rest.trim_start_matches(lexer::is_blank).len());
        if !self.text[start..].starts_with('#') {
            return None;
        }
        let end = lexer::line_end(self.text, start);
        self.classify(start, end, Class::Comment);
        self.pos = end;
        self.ahead = None;
        Some(self.text[start + 1..end].trim_end().to_owned())
    }

    // Places and nodes

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    pub(super) fn span_of(&self, token: Token) -> Span {
        self.span(token.start(), token.end())
    }

    /// From `start` to the end of what was read last.
    pub(super) fn since(&self, start: usize) -> Span {
        self.span(start, self.last_end.max(start))
    }

    /// Where the next token begins.
    pub(super) fn start(&mut self) -> usize {
        self.real().start()
    }

    pub(super) fn node(&self, kind: ExprKind, start: usize) -> Expr {
        Expr { kind, span: self.since(start) }
    }

    /// An expression that is not there.
    pub(super) fn missing(&mut self) -> Expr {
        let at = self.last_end;
        Expr { kind: ExprKind::Missing, span: self.span(at, at) }
    }

    // Saying

    /// Reports an error after which parsing goes on as if all were well.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        if self.panicking || self.halted {
            return;
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.len() >= MESSAGES {
            self.stop();
        }
    }

    /// Whether this was reported before.
    pub(super) fn said(&self, code: &str, message: &str) -> bool {
        self.diagnostics.iter().any(|said| said.is(code, message))
    }

    /// Adds an edit to what was reported before.
    pub(super) fn mend(&mut self, code: &str, message: &str, edit: Edit) {
        let said = self.diagnostics.iter_mut().filter(|said| said.is(code, message));
        said.for_each(|said| said.edits.push(edit.clone()));
    }

    /// Reports an error after which the parser must find its feet.
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) {
        self.error(diagnostic);
        self.panicking = true;
    }

    /// Reads no further.
    pub(super) fn stop(&mut self) {
        self.move_to(self.text.len());
        self.halted = true;
    }

    fn unknown_character(&mut self, token: Token) {
        let text = self.text_of(token);
        let mut diagnostic = Diagnostic::error(
            "unknown-character",
            self.span_of(token),
            format!("`{text}` means nothing here"),
        );
        diagnostic = match text {
            "“" | "”" | "„" | "'" | "‘" | "’" => {
                diagnostic.help("texts stand in straight double quotes: `\"…\"`")
            }
            "~" => diagnostic.help("write `not`"),
            "–" | "—" | "‐" | "‑" => {
                diagnostic.help("write `-`").edit(self.span_of(token), "-")
            }
            "½" => diagnostic.help("write `1/2`").edit(self.span_of(token), "1/2"),
            _ => match wide::narrow(text) {
                Some(narrow) => diagnostic
                    .help(format!("write it in plain width: `{narrow}`"))
                    .edit(self.span_of(token), narrow),
                None => diagnostic.help("remove it").edit(self.span_of(token), ""),
            },
        };
        self.error(diagnostic);
    }
}
