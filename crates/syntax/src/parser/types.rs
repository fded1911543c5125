//! Names, parameters and written types.

use super::state::Parser;
use crate::diagnostic::{Diagnostic, Edit};
use crate::lexer::{Kind, Token, is_keyword};
use crate::span::Span;
use crate::tree::{Expr, FieldType, Name, Parameter, Type, TypeKind};

impl Parser<'_> {
    /// `name`: a word that may be defined, a field's name, a parameter's.
    pub(super) fn name(&mut self, what: &str) -> Name {
        let token = self.real();
        let span = self.found_span();
        if self.kind() != Kind::Word {
            let diagnostic = self.expected(what).help("names are letters, digits and `_`");
            self.fail(diagnostic);
            return Name { text: String::new(), span };
        }
        let text = self.text_of(token);
        if is_keyword(text) {
            self.reserved_word(text, span);
        } else if self.looks_like_die(token) {
            self.error(
                Diagnostic::error("die-name", span, format!("`{text}` is a die, not a name"))
                    .help(format!("choose another name, such as `the_{text}`")),
            );
        }
        self.bump();
        Name { text: text.to_owned(), span }
    }

    /// A keyword as a name: said once for each word. The name is changed at each mention, unless the other one
    /// means something here already.
    fn reserved_word(&mut self, text: &str, span: Span) {
        let other = format!("{text}_");
        let is_free = !self.text.contains(&other);
        if !self.is_taken_for_name(text) {
            self.error(
                Diagnostic::error("reserved-word", span, is_a_keyword(text))
                    .help(format!("choose another name, such as `{other}`")),
            );
        }
        if is_free {
            self.mend("reserved-word", &is_a_keyword(text), Edit { span, replacement: other });
        }
    }

    /// Whether a keyword was used as a name before.
    pub(super) fn is_taken_for_name(&self, keyword: &str) -> bool {
        self.said("reserved-word", &is_a_keyword(keyword))
    }

    /// Whether a word is followed by nothing that a keyword could begin.
    pub(super) fn is_alone(&self, token: Token) -> bool {
        let next = self.after(token);
        next.newline()
            || !matches!(
                next.kind,
                Kind::Number
                    | Kind::Word
                    | Kind::Quote
                    | Kind::LParen
                    | Kind::LBracket
                    | Kind::LBrace
            )
    }

    /// `name { "." name }`
    pub(super) fn path(&mut self, what: &str) -> Vec<Name> {
        let mut path = vec![self.name(what)];
        while self.kind() == Kind::Dot && !self.panicking {
            self.bump();
            path.push(self.name(what));
        }
        path
    }

    /// `parameter`
    pub(super) fn parameter(&mut self) -> Parameter {
        let token = self.real();
        let after = self.after(token);
        let roll = self.word() == "roll" && after.kind == Kind::Word;
        if roll {
            self.bump_as(crate::colour::Class::Keyword);
        }
        let name = self.name("a parameter's name");
        let (annotation, default) = self.annotation_and_default();
        Parameter { roll, name, annotation, default }
    }

    fn annotation_and_default(&mut self) -> (Option<Type>, Option<Expr>) {
        let annotation = (self.kind() == Kind::Colon).then(|| {
            self.bump();
            self.written_type()
        });
        let default = (self.kind() == Kind::Equal && !self.panicking).then(|| {
            self.bump();
            self.join();
            self.expression()
        });
        (annotation, default)
    }

    /// `type`
    pub(super) fn written_type(&mut self) -> Type {
        let start = self.start();
        let mut levels = 0;
        // Lists are the only types within types without a name between: a loop, not a recursion.
        let mut opens = Vec::new();
        while self.kind() == Kind::LBracket && levels < 64 {
            opens.push(self.bump().start());
            levels += 1;
        }
        let mut found = self.simple_type();
        found = self.optional_type(found, start);
        while let Some(open) = opens.pop() {
            if !self.panicking {
                self.expect(Kind::RBracket, "`]`", "a list type is written `[number]`");
            }
            let kind = TypeKind::List(Box::new(found));
            found = Type { kind, span: self.since(open) };
            found = self.optional_type(found, open);
        }
        found
    }

    fn optional_type(&mut self, mut found: Type, start: usize) -> Type {
        // `number??` says nothing more than `number?`.
        while self.kind() == Kind::Question {
            self.bump();
            if !matches!(found.kind, TypeKind::Optional(_)) {
                found = Type { kind: TypeKind::Optional(Box::new(found)), span: self.since(start) };
            }
        }
        found
    }

    fn simple_type(&mut self) -> Type {
        let start = self.start();
        if self.kind() == Kind::LBrace {
            return self.record_type(start);
        }
        let help = "types are `number`, `bool`, `text`, an enumeration, `[number]`, `number?` and `{field}`";
        if self.kind() != Kind::Word {
            let diagnostic = self.expected("a type").help(help);
            self.fail(diagnostic);
            return Type { kind: TypeKind::Name(Vec::new()), span: self.found_span() };
        }
        let path = self.path("a type's name");
        Type { kind: TypeKind::Name(path), span: self.since(start) }
    }

    fn record_type(&mut self, start: usize) -> Type {
        let mut fields = Vec::new();
        // Fields may hold record types and defaults: they count as nesting like any expression.
        self.nested(|parser| {
            fields = parser.bracketed(Kind::RBrace, |parser| {
                let name = parser.name("a field's name");
                let (annotation, default) = parser.annotation_and_default();
                FieldType { name, annotation, default }
            });
            parser.missing()
        });
        Type { kind: TypeKind::Record(fields), span: self.since(start) }
    }
}

fn is_a_keyword(word: &str) -> String {
    format!("`{word}` is a keyword")
}
