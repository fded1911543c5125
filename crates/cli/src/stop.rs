//! Why a command ended early, and its exit code.
//!
//! 0: done. 1: the program is wrong. 2: the command line is wrong. 3: the program costs too much, or a log was made by a
//! version that is not known here.

use std::process::ExitCode;

use astragal::{Diagnostics, json};
use astragal_vary::Refusal;
use clap::error::ErrorKind;
use serde_json::json as object;

use crate::arguments::Output;
use crate::terminal::Terminal;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The program is wrong, or costs too much.
    Program(Box<Diagnostics>),
    /// The command line is wrong, or a file it names: what, and what to do.
    Usage(String),
    /// The answer costs too much, beside the program itself: what, and what to do.
    Costly(String),
    /// The answer is no, and it has been said.
    Said,
    /// The answer is not known to this version, and that has been said.
    Unknown,
}

impl From<Diagnostics> for Stop {
    fn from(diagnostics: Diagnostics) -> Stop {
        Stop::Program(Box::new(diagnostics))
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        match refusal {
            Refusal::Program(diagnostics) => Stop::Program(diagnostics),
            Refusal::Asked(wrong) => Stop::Usage(wrong),
        }
    }
}

impl Stop {
    /// Tells the user and gives the exit code.
    pub(crate) fn report(&self, terminal: &Terminal) -> ExitCode {
        self.report_with("--steps N", terminal)
    }

    /// The same, with what allows more work here.
    pub(crate) fn report_with(&self, allowing: &str, terminal: &Terminal) -> ExitCode {
        match self {
            Stop::Program(diagnostics) => {
                if terminal.json {
                    terminal.say_json(&json::diagnostics(diagnostics));
                }
                terminal.diagnostics(diagnostics);
                if self.has_code("over-budget") {
                    terminal.tell(&format!("help: `{allowing}` allows more work"));
                }
            }
            Stop::Usage(message) | Stop::Costly(message) => {
                if terminal.json {
                    terminal.say_json(&usage_as_data(message));
                }
                terminal.tell(&format!("error: {message}"));
            }
            Stop::Said | Stop::Unknown => {}
        }
        ExitCode::from(self.code())
    }

    /// Whether another thread stopped the computation.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.has_code("cancelled")
    }

    fn has_code(&self, code: &str) -> bool {
        matches!(self, Stop::Program(found) if found.list().iter().any(|d| d.code == code))
    }

    fn code(&self) -> u8 {
        match self {
            Stop::Program(diagnostics) if diagnostics.is_over_budget() => 3,
            Stop::Program(_) | Stop::Said => 1,
            Stop::Usage(_) => 2,
            Stop::Costly(_) | Stop::Unknown => 3,
        }
    }
}

/// A slip of the command line that was found before anything was run.
pub(crate) fn usage(message: String, words: &[String]) -> ExitCode {
    let json = words.iter().any(|word| word == "--json");
    let output = Output { json, ..Output::default() };
    Stop::Usage(message).report(&Terminal::new(&output))
}

/// What clap found wrong with the command line, or its help.
pub(crate) fn usage_of_clap(error: &clap::Error, words: &[String]) -> ExitCode {
    let is_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !is_help && words.iter().any(|word| word == "--json") {
        let text = error.render().to_string();
        let fact = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Terminal::new(&Output::default()).say_json(&usage_as_data(fact));
    }
    // Nothing can be done about a terminal that does not listen.
    let _ = error.print();
    ExitCode::from(if is_help { 0 } else { 2 })
}

fn usage_as_data(message: &str) -> serde_json::Value {
    let diagnostic = object!({
        "severity": "error", "code": "usage", "message": message,
        "labels": [], "help": [], "edits": [],
    });
    object!({ "format": 1, "diagnostics": [diagnostic] })
}
