//! `astragal fmt`: programs in the canonical layout.

use std::path::{Path, PathBuf};

use astragal::syntax::span::SourceId;
use astragal::syntax::{Limits, parse, print};
use astragal::{Engine, Severity};

use crate::arguments::Fmt;
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Fmt, terminal: &Terminal) -> Result<(), Stop> {
    let standard_input = [PathBuf::from("-")];
    let files = match arguments.files.as_slice() {
        [] => &standard_input,
        files => files,
    };
    let mut differing = 0;
    for path in files {
        let text = input::read(path)?;
        let layout = layout(&text, path)?;
        let differs = layout != text;
        if arguments.check {
            if differs {
                terminal.say(&format!("{}: not in the canonical layout", path.display()));
                differing += 1;
            }
        } else if arguments.write && path != Path::new("-") {
            if differs {
                write(path, &layout)?;
            }
        } else {
            terminal.out(&layout);
        }
    }
    if differing > 0 { Err(Stop::Said) } else { Ok(()) }
}

/// The canonical layout, unless the text cannot be read without doubt.
fn layout(text: &str, path: &Path) -> Result<String, Stop> {
    let parsed = parse(text, SourceId(0), &Limits::default());
    let stops = |severity| severity == Severity::Error || severity == Severity::OverBudget;
    let wrong = parsed.diagnostics.iter().filter(|d| d.code != "empty").any(|d| stops(d.severity));
    if wrong {
        // Checking the text says what is wrong, with its places.
        Engine::new().compile_named(text, &path.display().to_string())?;
    }
    Ok(print(&parsed.file))
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    std::fs::write(path, text)
        .map_err(|error| Stop::Usage(format!("`{}` cannot be written: {error}", path.display())))
}
