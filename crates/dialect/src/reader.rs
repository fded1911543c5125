//! What every dialect's reader holds: the cursor, the notices, and how errors are said.
//!
//! There are two ways to refuse. A text that the tool itself would not read is a `dialect-syntax` error; one
//! that it reads, but with a meaning that our notation cannot say in one expression, is a `no-equivalent`,
//! which tells that meaning and the nearest thing we have.

use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::Span;
use astragal_syntax::tree::{End, Expr};

use crate::Dialect;
use crate::scan::Scanner;

/// What was read, or the one reason why not.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

/// Brackets within brackets: more would cost too much stack.
const DEEPEST: usize = 60;

/// A text on its way to a tree.
pub(crate) struct Reader<'t> {
    pub(crate) scan: Scanner<'t>,
    pub(crate) dialect: Dialect,
    pub(crate) notices: Vec<Diagnostic>,
    /// Avrae's `adv` or `dis`, until the first term is read.
    pub(crate) advantage: Option<(End, Span)>,
    depth: usize,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, dialect: Dialect) -> Self {
        let scan = Scanner::new(text, dialect.minds_case());
        Reader { scan, dialect, notices: Vec::new(), advantage: None, depth: 0 }
    }

    /// The text at a place, for a message.
    pub(crate) fn at(&self, span: Span) -> &'t str {
        self.scan.text().get(span.range()).unwrap_or("")
    }

    /// Runs `inner` one level deeper, or refuses.
    pub(crate) fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Read<Expr>) -> Read<Expr> {
        if self.depth >= DEEPEST {
            let message = format!("brackets are nested more than {DEEPEST} deep");
            return Err(Box::new(Diagnostic::error("dialect-too-deep", self.scan.here(), message)));
        }
        self.depth += 1;
        let read = inner(self);
        self.depth -= 1;
        read
    }

    /// Something that should stand here does not.
    pub(crate) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let here = self.scan.here();
        let message = match self.at(here) {
            "" => format!("{what} is missing at the end"),
            found => format!("{} expects {what} here, not `{found}`", self.dialect),
        };
        self.wrong(here, message)
    }

    /// The tool itself would not read this.
    pub(crate) fn wrong(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("dialect-syntax", span, message))
    }

    /// The tool reads this, but our notation cannot say it: what it means there, and what comes nearest.
    pub(crate) fn unsaid(&self, span: Span, meaning: &str, nearest: &str) -> Box<Diagnostic> {
        let written = self.at(span);
        let message = format!("`{written}` of {} has no equivalent here", self.dialect);
        let diagnostic = Diagnostic::error("no-equivalent", span, message).label(meaning);
        Box::new(if nearest.is_empty() { diagnostic } else { diagnostic.help(nearest) })
    }

    /// Something the reader should know; the conversion goes on.
    pub(crate) fn notice(&mut self, span: Span, message: impl Into<String>) {
        let notice =
            Diagnostic::new(Severity::Notice, "dialect-notice", Some(span), message.into());
        self.notices.push(notice);
    }
}
