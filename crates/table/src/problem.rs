//! Why something was not done: a stable code, the fact, what to do about it.

use std::time::Duration;

use astragal_fair::{Trouble, Wrong};

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The status of the answer.
    pub status: u16,
    /// Stable, for machines.
    pub code: &'static str,
    /// The fact, in lower case, without a full stop.
    pub detail: String,
    /// What to do.
    pub help: Option<String>,
    /// Which part of what was sent is meant.
    pub place: Option<&'static str>,
    /// What would have been right.
    pub expected: Option<Box<serde_json::Value>>,
    /// When it may be asked again.
    pub retry: Option<Duration>,
    /// What else is to be told, such as diagnostics of a program.
    pub more: Option<Box<(&'static str, serde_json::Value)>>,
}

impl Problem {
    /// A fact with its code.
    pub fn new(status: u16, code: &'static str, detail: impl Into<String>) -> Problem {
        let detail = detail.into();
        let (help, place, expected, retry, more) = (None, None, None, None, None);
        Problem { status, code, detail, help, place, expected, retry, more }
    }

    /// What to do about it.
    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// Which part of what was sent is meant.
    pub fn at(self, place: &'static str) -> Problem {
        Problem { place: Some(place), ..self }
    }

    /// What would have been right.
    pub fn expected(self, expected: impl Into<serde_json::Value>) -> Problem {
        Problem { expected: Some(Box::new(expected.into())), ..self }
    }

    /// When it may be asked again.
    pub fn retry(self, after: Duration) -> Problem {
        Problem { retry: Some(after), ..self }
    }

    /// Something in a request does not fit: what a checker of the log would say.
    pub fn of(wrong: &Wrong) -> Problem {
        let code = match wrong.trouble {
            Trouble::Form => "form",
            Trouble::Seal => "seal",
            _ => "request",
        };
        let mut problem = Problem::new(422, code, wrong.message.clone()).at("request");
        if let Some(expected) = &wrong.expected {
            problem = problem.expected(expected.clone());
        }
        problem.help("see spec/fair.md for what such a request says")
    }

    /// Nothing can be written down now.
    pub fn storage() -> Problem {
        Problem::new(503, "storage", "the server cannot write it down now")
            .help("send the same bytes again in a moment; nothing is rolled twice")
            .retry(Duration::from_secs(1))
    }

    /// The table is somewhere else.
    pub fn moved() -> Problem {
        Problem::new(409, "moved", "the table went to another server")
            .help("ask whoever runs it for the new address; links and seats are the same there")
    }

    /// The server stops.
    pub fn stopping() -> Problem {
        Problem::new(503, "stopping", "the server stops")
            .help("send the same bytes again when it is back; nothing is rolled twice")
            .retry(Duration::from_secs(2))
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.status, self.code, self.detail)
    }
}
