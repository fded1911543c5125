//! Files of house rules: a table's characters, monsters and rules of its own.
//!
//! `--file party.dice` beside an expression, `--system party.dice` and `play party.dice` let the names that such a file
//! defines be known, with and without its prefix.

use std::path::{Path, PathBuf};

use astragal::Engine;

use crate::input::{Disk, read};
use crate::stop::Stop;

/// Whether a word names a file and no system.
pub(crate) fn is_path(word: &str) -> bool {
    word.ends_with(".dice") || word.contains(['/', '\\'])
}

/// The engine that knows the definitions of a file, and finds what it uses beside it.
pub(crate) fn engine(path: &Path) -> Result<Engine, Stop> {
    if path == Path::new("-") {
        let message = "house rules come from a file: name it, or leave out the expression to run";
        return Err(Stop::Usage(format!("{message} what stands on standard input")));
    }
    // Why it cannot be read is said at once, and not at a place in the program.
    read(path)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let files = Disk { folders: vec![PathBuf::new(), folder] };
    Ok(Engine::new().with_files(files).with_house(&path.display().to_string()))
}
