//! Errors, hints and notices as data.
//!
//! Each phase has its own small enum of errors; at the edge they all become a [`Diagnostic`]: a code,
//! places with labels, the fact, help lines and proposed edits. Words follow one style: the fact first,
//! lower case, no full stop, user text in backticks, a help line that proposes an edit.

use crate::span::Span;

/// How grave it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The program is wrong.
    Error,
    /// The request costs more than its budget.
    OverBudget,
    /// The program runs, but probably means something else.
    Hint,
    /// Something the reader should know.
    Notice,
}

impl Severity {
    /// In one word, for data.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::OverBudget => "over-budget",
            Severity::Hint => "hint",
            Severity::Notice => "notice",
        }
    }
}

/// A message about the program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// A stable code in lower case with dashes, such as `unknown-name`.
    pub code: &'static str,
    /// The fact, in one line.
    pub message: String,
    /// Where; the first label is the main place. Empty if the text has no place.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Vec<String>,
    /// Edits that would mend it.
    pub edits: Vec<Edit>,
}

/// A place with a word about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

/// Replace the text at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The place (empty to insert).
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

impl Diagnostic {
    /// An error with its main place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, Some(span), message.into())
    }

    /// A hint with its main place.
    pub fn hint(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Hint, code, Some(span), message.into())
    }

    /// A diagnostic of any severity.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Option<Span>,
        message: String,
    ) -> Self {
        let labels = span.map(|span| Label { span, text: String::new() }).into_iter().collect();
        Diagnostic { severity, code, message, labels, help: Vec::new(), edits: Vec::new() }
    }

    /// Whether it says this.
    pub(crate) fn is(&self, code: &str, message: &str) -> bool {
        self.code == code && self.message == message
    }

    /// Adds a word to the main place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// Adds another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a help line.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds a proposed edit.
    pub fn edit(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.edits.push(Edit { span, replacement: replacement.into() });
        self
    }
}

/// The ways to mend a program, each with edits that belong together: edits of different places do, edits
/// of the same place are alternatives.
pub fn alternatives(edits: &[Edit]) -> Vec<Vec<&Edit>> {
    let mut groups: Vec<Vec<&Edit>> = Vec::new();
    for edit in edits {
        let apart = |group: &&mut Vec<&Edit>| {
            group.iter().all(|other| {
                let (mine, theirs) = (edit.span, other.span);
                let beside = mine.start >= theirs.end || mine.end <= theirs.start;
                mine.source == theirs.source && mine != theirs && beside
            })
        };
        match groups.iter_mut().find(apart) {
            Some(group) => group.push(edit),
            None => groups.push(vec![edit]),
        }
    }
    groups
}

/// The text with edits made that belong together, and where they are in it.
pub fn edited(text: &str, edits: &[&Edit]) -> Option<(String, Vec<std::ops::Range<usize>>)> {
    let mut in_order = edits.to_vec();
    in_order.sort_by_key(|edit| edit.span.start);
    let (mut mended, mut places, mut done) = (String::new(), Vec::new(), 0);
    for edit in in_order {
        let range = edit.span.range();
        mended.push_str(text.get(done..range.start)?);
        places.push(mended.len()..mended.len() + edit.replacement.len());
        mended.push_str(&edit.replacement);
        done = range.end;
    }
    mended.push_str(text.get(done..)?);
    Some((mended, places))
}
