//! Expectations, and what happens when they are not met.
//!
//! After an error the parser says nothing more until it stands again at a place it is sure of: the
//! bracket that closes the one at hand, or the statement's end. So one mistake is one message, and the
//! next statement is read as if nothing had happened.

use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};

/// Words that can only begin a statement; at the start of a line they end any open bracket.
/// (`given` may also follow an expression.)
pub(super) const STATEMENT_WORDS: &[&str] =
    &["let", "fn", "enum", "param", "show", "require", "note", "use"];

impl Parser<'_> {
    /// The token ahead, in words.
    pub(super) fn found(&mut self) -> String {
        let token = self.real();
        match self.kind() {
            Kind::Eof => "the end of the program".to_owned(),
            Kind::Newline => "the end of the line".to_owned(),
            Kind::Quote => "a text".to_owned(),
            _ => format!("`{}`", self.text_of(token)),
        }
    }

    /// The place of the token ahead, or the end of the line where that is what was found.
    pub(super) fn found_span(&mut self) -> crate::span::Span {
        let token = self.real();
        match self.kind() {
            Kind::Eof | Kind::Newline => self.span(self.last_end, self.last_end),
            _ => self.span_of(token),
        }
    }

    /// `expected …, found …` at the token ahead.
    pub(super) fn expected(&mut self, what: &str) -> Diagnostic {
        let found = self.found();
        Diagnostic::error("expected", self.found_span(), format!("expected {what}, found {found}"))
    }

    /// Takes a token of this kind, or fails.
    pub(super) fn expect(&mut self, kind: Kind, what: &str, help: &str) -> bool {
        if self.kind() == kind {
            self.bump();
            return true;
        }
        let diagnostic = self.expected(what).help(help);
        self.fail(diagnostic);
        false
    }

    /// Takes this keyword, on this line or the next, or fails.
    pub(super) fn expect_joined(&mut self, word: &str, help: &str) -> bool {
        if self.real_word() == word {
            self.join();
            self.bump();
            self.join();
            return true;
        }
        let diagnostic = self.expected(&format!("`{word}`")).help(help);
        self.fail(diagnostic);
        false
    }

    /// Takes the `=` of a definition; the line goes on behind it.
    pub(super) fn expect_equals(&mut self, help: &str) -> bool {
        if self.kind() == Kind::EqualEqual {
            let token = self.bump();
            let span = self.span_of(token);
            self.error(
                Diagnostic::error("wrong-operator", span, "`==` compares, it does not define")
                    .help("write `=`")
                    .edit(span, "="),
            );
        } else if !self.expect(Kind::Equal, "`=`", help) {
            return false;
        }
        self.join();
        true
    }

    /// Takes `opener`, items separated by commas, and `closer`; a comma may stand after the last item.
    pub(super) fn bracketed<T>(
        &mut self,
        closer: Kind,
        mut item: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let open = self.bump();
        let lines = std::mem::replace(&mut self.lines, false);
        let no_range = std::mem::replace(&mut self.no_range, false);
        self.brackets += 1;
        let mut items = Vec::new();
        while self.kind() != closer && self.kind() != Kind::Eof {
            items.push(item(self));
            if self.panicking || self.kind() != Kind::Comma {
                break;
            }
            self.bump();
        }
        self.close(open, closer);
        self.brackets -= 1;
        self.no_range = no_range;
        self.lines = lines;
        items
    }

    /// Takes the closing bracket, skipping what stands before it.
    fn close(&mut self, open: Token, closer: Kind) {
        if self.kind() != closer && !self.panicking {
            let (open_text, close_text) = (self.text_of(open), spelling(closer));
            let span = self.span_of(open);
            let found = self.found();
            let diagnostic = if self.kind() == Kind::Eof || self.at_statement_word() {
                let end = self.span(self.last_end, self.last_end);
                Diagnostic::error("unclosed", span, format!("`{open_text}` is never closed"))
                    .also(self.found_span(), format!("`{close_text}` is missing before this"))
                    .edit(end, close_text)
            } else {
                let what = format!("expected `,` or `{close_text}`, found {found}");
                Diagnostic::error("expected", self.found_span(), what)
                    .also(span, format!("to close this `{open_text}`"))
            };
            self.fail(diagnostic.help(format!("add `{close_text}`")));
        }
        if self.kind() != closer && !self.skip_until(|kind| kind == closer) {
            return;
        }
        self.bump();
        self.panicking = false;
    }

    fn at_statement_word(&mut self) -> bool {
        self.real().newline() && STATEMENT_WORDS.contains(&self.real_word())
    }

    /// Skips tokens, and whole brackets, up to one that is wanted. False if the search came to an end
    /// before: at a stray closing bracket, a `;`, an `end`, a new statement or the end of the text.
    fn skip_until(&mut self, wanted: impl Fn(Kind) -> bool) -> bool {
        let mut depth = 0usize;
        loop {
            let kind = self.kind();
            if depth == 0 && wanted(kind) {
                return true;
            }
            match kind {
                Kind::Eof => return false,
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace if depth == 0 => return false,
                Kind::RParen | Kind::RBracket | Kind::RBrace => depth -= 1,
                Kind::Semicolon if depth == 0 => return false,
                _ if depth == 0 && self.real_word() == "end" => return false,
                _ if self.at_statement_word() => return false,
                _ => {}
            }
            if kind == Kind::Quote {
                self.skip_text();
            } else {
                self.bump();
            }
        }
    }

    /// Skips to the end of the statement or arm at hand.
    pub(super) fn skip_statement(&mut self) {
        // Within brackets that are opened on the way, a line's end is a blank.
        let mut depth = 0usize;
        loop {
            match self.kind() {
                Kind::Eof => break,
                Kind::Newline if depth == 0 || self.at_statement_word() => break,
                Kind::Semicolon if depth == 0 => break,
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace if depth > 0 => depth -= 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace if self.brackets > 0 => break,
                _ if depth == 0 && self.at_block_end() => break,
                _ => {}
            }
            if self.real().kind == Kind::Quote { self.skip_text() } else { _ = self.bump() }
        }
        self.panicking = false;
    }

    /// `end.total`: a keyword used as if it were a name.
    pub(super) fn keyword_as_name(&mut self) -> bool {
        let token = self.real();
        let dot = self.after(token);
        token.kind == Kind::Word && dot.kind == Kind::Dot && !dot.gap()
    }

    /// A word ahead that ends the block around here.
    pub(super) fn at_block_end(&mut self) -> bool {
        let ends = match self.real_word() {
            // A block has fields too: `end.total` ends it, and asks for one.
            "end" => !self.is_taken_for_name("end") || !self.keyword_as_name(),
            "next" | "until" => !self.keyword_as_name(),
            _ => false,
        };
        self.blocks > 0 && ends
    }
}

/// How the bracket is written.
fn spelling(kind: Kind) -> &'static str {
    match kind {
        Kind::RParen => ")",
        Kind::RBracket => "]",
        _ => "}",
    }
}
