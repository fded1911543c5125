//! A command before a roll: `roll 2d6`, `/r 2d6`. A program is the roll alone.

use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, is_keyword};

/// What other tools, and the command line, want to read before a roll.
const COMMANDS: &[&str] =
    &["roll", "odds", "stats", "throw", "r", "gmroll", "gmr", "return", "print"];

impl Parser<'_> {
    /// Reads over a command at the start of a statement.
    #[inline(never)]
    pub(super) fn leave_command_out(&mut self) {
        let Some((first, word, next)) = self.command_ahead() else { return };
        let span = self.span(first.start(), word.end());
        let command = &self.text[span.range()];
        let roll = self.text[next.start()..].lines().next().unwrap_or_default();
        let roll = roll.split(';').next().unwrap_or_default().trim_end();
        self.error(
            Diagnostic::error(
                "command-word",
                span,
                format!("a roll needs no `{command}` before it"),
            )
            .help(format!("write only `{roll}`"))
            .edit(self.span(first.start(), next.start()), ""),
        );
        self.bump();
        if word.start() != first.start() {
            self.bump();
        }
    }

    /// The command's first token, its word, and the token behind it.
    fn command_ahead(&mut self) -> Option<(Token, Token, Token)> {
        let first = self.real();
        let sign = matches!(first.kind, Kind::Slash | Kind::Bang);
        let word = if sign { self.after(first) } else { first };
        let text = self.text_of(word);
        if word.kind != Kind::Word || is_keyword(text) || sign && word.gap() {
            return None;
        }
        let next = self.after(word);
        let known = COMMANDS.contains(&text.to_ascii_lowercase().as_str());
        let begins = match next.kind {
            _ if next.newline() || !next.gap() => false,
            Kind::Number | Kind::LBrace => true,
            Kind::LParen => known,
            Kind::Word => self.die_ahead(next, false) || sign,
            _ => false,
        };
        let meant = known
            || !sign
                && text.len() > 2
                && crate::suggest(text, COMMANDS[..3].iter().copied()).is_some();
        (begins && meant && !self.die_ahead(word, false)).then_some((first, word, next))
    }
}
