//! What keeps hostile text from costing more than ordinary text.
//!
//! Three things are counted: tokens, levels of nesting (the parser's own stack), and the height of the
//! tree. The last is not the first two: `1+1+1…` nests nothing, yet each operator makes the tree one level
//! higher, and whoever walks the tree pays for that with stack.

use super::state::Parser;
use crate::diagnostic::{Diagnostic, Severity};
use crate::span::Span;
use crate::tree::Expr;

/// Operators, suffixes and fields in one chain: each makes the tree one level higher.
const CHAIN: usize = 1000;

impl Parser<'_> {
    /// Runs `inner` one level deeper, or refuses.
    pub(super) fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if self.depth >= self.limits.nesting {
            let message = format!("expressions are nested more than {} deep", self.limits.nesting);
            self.too_deep(message);
            return self.missing();
        }
        self.depth += 1;
        let before = std::mem::take(&mut self.height);
        let found = inner(self);
        self.grow();
        self.height = self.height.max(before);
        self.depth -= 1;
        found
    }

    /// Runs `inner`, which makes a chain by [`grow`](Self::grow).
    pub(super) fn chained(&mut self, inner: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let before = std::mem::take(&mut self.height);
        let found = inner(self);
        self.height = self.height.max(before);
        found
    }

    /// The expression at hand becomes one level higher.
    pub(super) fn grow(&mut self) {
        self.height += 1;
        let most = CHAIN + self.limits.nesting;
        if self.height > most {
            self.too_deep(format!("the expression is more than {most} levels high"));
        }
    }

    /// Another link of a chain of operators, suffixes or fields.
    pub(super) fn link(&mut self, links: &mut usize) {
        *links += 1;
        if *links > CHAIN {
            self.too_deep(format!("the expression chains more than {CHAIN} operators"));
        }
        self.grow();
    }

    fn too_deep(&mut self, message: String) {
        self.halt("too-deep", message, "name parts of it with `let`");
    }

    /// Says that a limit was passed and reads no further.
    fn halt(&mut self, code: &'static str, message: String, help: &str) {
        let span = self.since(self.last_end.saturating_sub(1).min(self.last_end));
        let span = self.whole_characters(span);
        self.panicking = false;
        self.error(
            Diagnostic::new(Severity::OverBudget, code, Some(span), message).help(help.to_owned()),
        );
        self.stop();
    }

    /// The place, widened to the left to a whole character.
    fn whole_characters(&self, span: Span) -> Span {
        let mut start = span.start as usize;
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        self.span(start, span.end as usize)
    }

    /// The text is not read at all.
    #[cold]
    pub(super) fn much_too_long(&mut self) {
        let message = "the program has more than 500 million characters".to_owned();
        self.halt("too-long", message, "split it into several files or programs");
    }

    /// Another token was taken.
    pub(super) fn count_token(&mut self) {
        self.taken += 1;
        if self.taken > self.limits.tokens {
            let message = format!("the program has more than {} tokens", self.limits.tokens);
            self.halt("too-long", message, "split it into several files or programs");
        }
    }
}
