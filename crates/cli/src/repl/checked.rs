//! Whether a line makes sense, with what the session knows before it.

use std::ops::Range;

use astragal::{Diagnostics, Program, Severity};
use astragal_assist::definitions::Line;
use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse};

use super::definitions::names;
use super::kept::LAST;
use super::places::{Typed, as_typed};
use super::session::Session;
use crate::stop::Stop;

impl Session<'_> {
    /// A text as it was typed or read.
    pub(super) fn typed(&self, text: &str) -> Typed {
        Typed { name: self.source.clone(), whole: text.to_owned(), start: 0 }
    }

    /// A part of it.
    pub(super) fn part(&self, text: &str, place: Range<usize>) -> Typed {
        Typed { start: place.start, ..self.typed(text) }
    }

    /// What must stand before a text. A `_` may also be a parameter of its own, as in `map(list, _ => 1)`: the last
    /// result is there only if the text makes no sense without it.
    pub(super) fn before(&self, text: &str) -> String {
        let without = self.definitions.before(text, false);
        let end = if Line::read(text).rolls { "" } else { "\n0" };
        let asks = names(text).contains(LAST)
            && self.engine.compile_named(&format!("{without}{text}{end}"), "session").is_err();
        if asks { self.definitions.before(text, true) } else { without }
    }

    /// Says what is wrong with a line, at its place, before anything is thrown; tells its hints.
    pub(super) fn check(&self, text: &str, rolls: bool) -> Result<(), Stop> {
        let before = self.before(text);
        let parsed = parse(text, SourceId(0), &Limits::default());
        let is_whole = parsed.diagnostics.iter().all(|found| found.severity != Severity::Error);
        let result = if rolls || !is_whole { "" } else { "\n0" };
        match self.engine.compile_named(&format!("{before}{text}{result}"), "session") {
            Ok(program) => {
                self.tell_hints(&program, before.len(), text);
                Ok(())
            }
            Err(_) if is_whole && names(text).contains(LAST) && !self.definitions.has_last() => {
                Err(Stop::Usage("`_` is the last result, and nothing has been rolled yet".into()))
            }
            Err(found) => Err(as_typed(found, before.len(), &self.typed(text)).into()),
        }
    }

    fn tell_hints(&self, program: &Program, before: usize, text: &str) {
        let told = program.hints().list().iter().filter(|hint| {
            let place = hint.labels.first().map_or(0, |label| label.span.start as usize);
            // What a line only binds is for later lines.
            place >= before && hint.code != "unused-let"
        });
        let told: Vec<_> = told.cloned().collect();
        if !told.is_empty() {
            let sources = format!("{}{text}", &program.text()[..before]);
            let told = Diagnostics::of_text(told, "session", &sources);
            self.terminal.diagnostics(&as_typed(told, before, &self.typed(text)));
        }
    }
}
