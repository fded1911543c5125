//! Texts, read character by character, with their holes.

use super::state::Parser;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::span::Span;
use crate::tree::{Text, TextPart};

impl Parser<'_> {
    /// `text`: the token ahead is a quote.
    pub(super) fn text(&mut self) -> Text {
        let start = self.start();
        self.split(1, Class::Text);
        let mut piece_start = start + 1;
        let mut literal = String::new();
        let mut parts = Vec::new();
        loop {
            let at = self.pos();
            let Some(c) = self.text[at..].chars().next().filter(|c| *c != '\n') else {
                self.unclosed_text(start);
                break;
            };
            self.move_to(at + c.len_utf8());
            match c {
                '"' => break,
                '\\' => self.escape(&mut literal),
                '{' => {
                    self.classify(piece_start, at, Class::Text);
                    self.classify(at, at + 1, Class::Operator);
                    if !literal.is_empty() {
                        parts.push(TextPart::Literal(std::mem::take(&mut literal)));
                    }
                    parts.push(self.hole(at));
                    piece_start = self.pos();
                    if self.panicking || self.halted {
                        self.move_to(self.text_end());
                        break;
                    }
                }
                c => literal.push(c),
            }
        }
        self.classify(piece_start, self.pos(), Class::Text);
        if !literal.is_empty() {
            parts.push(TextPart::Literal(literal));
        }
        Text { parts, span: self.since(start) }
    }

    fn unclosed_text(&mut self, start: usize) {
        let span = self.since(start);
        self.error(
            Diagnostic::error("unclosed-text", span, "the text is not closed on its line")
                .help("add `\"`; a line's end within a text is written `\\n`")
                .edit(self.span(span.end as usize, span.end as usize), "\""),
        );
    }

    /// The character after a backslash.
    fn escape(&mut self, literal: &mut String) {
        let at = self.pos();
        let Some(c) = self.text[at..].chars().next().filter(|c| *c != '\n') else { return };
        self.move_to(at + c.len_utf8());
        match c {
            'n' => literal.push('\n'),
            't' => literal.push('\t'),
            '"' | '\\' | '{' | '}' => literal.push(c),
            c => {
                let span = self.span(at - 1, at + c.len_utf8());
                literal.push(c);
                self.error(
                    Diagnostic::error("unknown-escape", span, format!("`\\{c}` is no escape"))
                        .help("the escapes are `\\\"`, `\\\\`, `\\n`, `\\t`, `\\{` and `\\}`"),
                );
            }
        }
    }

    /// `{expression}` within a text; the brace is taken.
    fn hole(&mut self, open: usize) -> TextPart {
        let lines = std::mem::replace(&mut self.lines, true);
        let no_range = std::mem::replace(&mut self.no_range, false);
        self.brackets += 1;
        let value = self.expression();
        if self.kind() == Kind::RBrace {
            self.bump();
        } else {
            let span = self.span(open, open + 1);
            let diagnostic = self
                .expected("`}`")
                .also(span, "the hole begins here")
                .help("close the hole with `}`, or write `\\{` for the brace itself");
            self.fail(diagnostic);
        }
        if self.text[open..self.last_end].contains('\n') {
            let span = self.span(open, open + 1);
            self.error(
                Diagnostic::error("line-in-text", span, "a text and its holes stand on one line")
                    .help("name the value with `let` and write the name in the hole"),
            );
        }
        self.brackets -= 1;
        self.no_range = no_range;
        self.lines = lines;
        TextPart::Hole(value)
    }

    /// After an error in a hole: the end of the text, by the next quote on the line or the line's end.
    fn text_end(&self) -> usize {
        let rest = &self.text[self.pos()..];
        match rest.find(['"', '\n']) {
            Some(length) if rest[length..].starts_with('"') => self.pos() + length + 1,
            Some(length) => self.pos() + length,
            None => self.text.len(),
        }
    }

    /// Skips a text whose quote is ahead, holes and all.
    pub(super) fn skip_text(&mut self) {
        let start = self.start();
        self.split(1, Class::Text);
        let end = self.text_end();
        self.move_to(end);
        self.classify(start + 1, end, Class::Text);
    }

    /// `plain-text`: a text without holes.
    pub(super) fn plain_text(&mut self, what: &str) -> (String, Span) {
        if self.kind() != Kind::Quote {
            let diagnostic =
                self.expected(what).help("write it in double quotes, such as `\"plain\"`");
            self.fail(diagnostic);
            return (String::new(), self.found_span());
        }
        let Text { parts, span } = self.text();
        let mut plain = String::new();
        for part in parts {
            match part {
                TextPart::Literal(piece) => plain.push_str(&piece),
                TextPart::Hole(hole) => self.error(
                    Diagnostic::error("hole-here", hole.span, "this text cannot have holes")
                        .help("write `\\{` for a brace"),
                ),
            }
        }
        (plain, span)
    }

    /// The message of `require` and `note`.
    pub(super) fn message(&mut self, help: &str) -> Text {
        if self.kind() == Kind::Quote {
            return self.text();
        }
        let diagnostic = self.expected("a text").help(help);
        self.fail(diagnostic);
        Text { parts: Vec::new(), span: self.found_span() }
    }
}
