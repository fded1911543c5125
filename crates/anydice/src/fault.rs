//! What stops a program while it runs, and what is to be said of one that ran.

use std::sync::Arc;

use astragal_prob::pool::PoolError;
use astragal_prob::{LawError, OverBudget};
use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::Span;

/// Why a program stops.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It is wrong.
    Wrong(Box<Diagnostic>),
    /// It costs too much, here.
    Costly(OverBudget),
}

pub(crate) type Ran<T> = Result<T, Fault>;

impl From<OverBudget> for Fault {
    fn from(over: OverBudget) -> Fault {
        Fault::Costly(over)
    }
}

impl From<LawError> for Fault {
    fn from(error: LawError) -> Fault {
        Fault::Costly(match error {
            LawError::OverBudget(over) => over,
            LawError::NoClosedForm | LawError::NotACount(_) => OverBudget::NotKnown,
        })
    }
}

impl From<PoolError> for Fault {
    fn from(error: PoolError) -> Fault {
        Fault::Costly(match error {
            PoolError::OverBudget(over) => over,
            _ => OverBudget::NotKnown,
        })
    }
}

/// An error with its place.
pub(crate) fn wrong(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

impl From<Diagnostic> for Fault {
    fn from(diagnostic: Diagnostic) -> Fault {
        Fault::Wrong(Box::new(diagnostic))
    }
}

/// The words for what costs too much at a place.
pub(crate) fn costly(over: OverBudget, span: Span) -> Diagnostic {
    let (code, message) = match over {
        OverBudget::Steps => ("over-budget", "this takes more work than the budget allows"),
        OverBudget::Memory => ("over-budget", "this takes more memory than the budget allows"),
        OverBudget::Time => ("over-budget", "this takes longer than the budget allows"),
        OverBudget::Cancelled => ("cancelled", "the computation was stopped"),
        OverBudget::NotKnown => ("not-known", "no exact answer is known for this"),
    };
    let severity = match over {
        OverBudget::NotKnown => Severity::Error,
        _ => Severity::OverBudget,
    };
    let told = Diagnostic::new(severity, code, Some(span), message.to_owned());
    if code != "over-budget" {
        return told;
    }
    told.help(
        "throw fewer dice or smaller ones, hand fewer of them to a parameter with `:s`, or go round less \
         often: exact chances of long chains have fractions of millions of digits",
    )
    .help("or raise the budget")
}

/// Something that the reader should know of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Remark {
    TooDeep,
    AtMostSequence,
    Stale,
    Lost,
    Large,
    NoOutput,
}

/// Remarks in words, each once, with the place that gave rise to it.
pub(crate) fn remark(what: Remark, span: Span, name: &Arc<str>) -> Diagnostic {
    let (code, message, help) = match what {
        Remark::TooDeep => (
            "function-depth",
            "calls were cut off at the maximum function depth; each such call counts as the empty die"
                .to_owned(),
            "`set \"maximum function depth\" to N` allows more",
        ),
        Remark::AtMostSequence => (
            "at-most-sequence",
            "AnyDice computes `die <= sequence` as `die > sequence`, and so does this".to_owned(),
            "compare with the sum in a variable, or use `:n`, to get what is written",
        ),
        Remark::Stale => (
            "kept-value",
            format!("`{name}` keeps its value from one run of the function to the next"),
            "AnyDice runs the body for each outcome in turn with the same variables; give the variable \
             its value before it is read",
        ),
        Remark::Lost => (
            "lost-chance",
            "part of the chance is lost: something was asked of an empty die".to_owned(),
            "the chances add up to less than 1, as they do in AnyDice",
        ),
        Remark::NoOutput => (
            "no-output",
            "this program outputs nothing".to_owned(),
            "`output …` shows a value",
        ),
        Remark::Large => (
            "large-numbers",
            "there are numbers of more than 63 bits: they are exact here, and not in AnyDice".to_owned(),
            "AnyDice computes with 64 bits and shows other outcomes",
        ),
    };
    Diagnostic::new(Severity::Notice, code, Some(span), message).help(help)
}
