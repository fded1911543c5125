//! Diagnostics as exceptions. Places are counted in characters, as Python counts them.

use astragal::{Diagnostic, Diagnostics, Severity, Span};
use astragal_vary::Refusal;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};

use crate::glue::glue;

/// The exception for a program that is wrong, costs too much, or was stopped.
pub(crate) fn raised(py: Python<'_>, wrong: &Diagnostics) -> PyErr {
    let kind = match () {
        () if is_cancelled(wrong) => "cancelled",
        () if wrong.is_over_budget() => "budget",
        () => "program",
    };
    let made =
        glue(py).and_then(|glue| glue.error.bind(py).call1((kind, wrong.to_string(), data(wrong))));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The exception for work that was stopped from outside before it said anything.
pub(crate) fn stopped(py: Python<'_>) -> PyErr {
    let words = "the computation was stopped";
    let made = glue(py).and_then(|glue| glue.error.bind(py).call1(("cancelled", words, "[]")));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Whether that is why there is no answer.
pub(crate) fn is_stopped(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Program(wrong) => is_cancelled(wrong),
        Refusal::Asked(_) => false,
    }
}

fn is_cancelled(wrong: &Diagnostics) -> bool {
    wrong.list().iter().any(|one| one.code == "cancelled")
}

/// The same where what was asked may be wrong instead.
pub(crate) fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    match refusal {
        Refusal::Program(wrong) => raised(py, wrong),
        Refusal::Asked(why) => PyValueError::new_err(why.clone()),
    }
}

/// The diagnostics as JSON.
pub(crate) fn data(all: &Diagnostics) -> String {
    let list: Vec<Json> = all.list().iter().map(|one| diagnostic(all, one)).collect();
    Json::Array(list).to_string()
}

fn diagnostic(all: &Diagnostics, one: &Diagnostic) -> Json {
    let labels = one.labels.iter().map(|label| {
        let mut place = place(all, label.span);
        place["text"] = json!(label.text);
        place
    });
    let edits = one.edits.iter().map(|edit| {
        let mut place = place(all, edit.span);
        place["replacement"] = json!(edit.replacement);
        place
    });
    json!({
        "severity": match one.severity {
            Severity::OverBudget => "over budget",
            other => other.name(),
        },
        "code": one.code,
        "message": one.message,
        "labels": labels.collect::<Vec<_>>(),
        "help": one.help,
        "edits": edits.collect::<Vec<_>>(),
    })
}

/// Where it is: in characters from the beginning, and as line and column from 1.
fn place(all: &Diagnostics, span: Span) -> Json {
    let (name, text) = all.sources().get(span.source).map_or(("", ""), |s| (&*s.name, &*s.text));
    let before = |at: usize| text.get(..at.min(text.len())).unwrap_or(text);
    let (head, upto) = (before(span.start as usize), before(span.end as usize));
    let line_start = head.rfind('\n').map_or(0, |at| at + 1);
    json!({
        "source": name,
        "start": head.chars().count(),
        "end": upto.chars().count(),
        "line": head.matches('\n').count() + 1,
        "column": head[line_start..].chars().count() + 1,
    })
}
