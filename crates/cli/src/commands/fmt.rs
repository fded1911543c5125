//! `astragal fmt`: programs in the canonical layout.

use std::path::{Path, PathBuf};

use astragal::Engine;

use crate::arguments::Fmt;
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Fmt, terminal: &Terminal) -> Result<(), Stop> {
    if terminal.json {
        return Err(Stop::Usage("`fmt` prints programs as they are: leave out `--json`".into()));
    }
    let standard_input = [PathBuf::from("-")];
    let files = match arguments.files.as_slice() {
        [] => &standard_input,
        files => files,
    };
    let engine = Engine::new();
    let mut differing = 0;
    for path in files {
        let text = input::read(path)?;
        let layout = engine.layout(&text, &path.display().to_string())?;
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

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    std::fs::write(path, text)
        .map_err(|error| Stop::Usage(format!("`{}` cannot be written: {error}", path.display())))
}
