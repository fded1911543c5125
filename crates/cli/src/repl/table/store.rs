//! Where the table is kept. It is written at each change: to a file beside, which then takes the place of the
//! old one, so that at any moment one of them is whole. A file that cannot be read is never written over.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Table, file};
use crate::input;
use crate::stop::Stop;

/// How the names of files begin that are about to take the table's place.
const BESIDE: &str = ".astragal-table-";
/// Nobody is still writing such a file.
const LONG_AGO: Duration = Duration::from_secs(60);

/// The table and its file.
pub(crate) struct Store {
    pub(crate) table: Table,
    place: Option<PathBuf>,
    /// The text of the file as it was last seen; none if there was no file.
    seen: Option<String>,
    /// Why the file is not to be touched.
    damage: Option<String>,
}

impl Store {
    /// Reads the table, if there is one.
    pub(crate) fn open(place: Option<PathBuf>) -> Store {
        place.as_deref().and_then(Path::parent).into_iter().for_each(tidy_up);
        let mut store = Store { table: Table::default(), place, seen: None, damage: None };
        store.read();
        store
    }

    /// Reads the file again.
    pub(crate) fn read(&mut self) {
        let read = self.place.as_deref().map_or(Ok(None), text);
        let table = read.as_ref().map_err(Clone::clone).and_then(|text| match text {
            Some(text) => file::read(&self.name(), text),
            None => Ok(Table::default()),
        });
        self.seen = read.unwrap_or_default();
        (self.table, self.damage) = match table {
            Ok(table) => (table, None),
            Err(damage) => (Table::default(), Some(damage)),
        };
    }

    fn name(&self) -> String {
        self.place.as_ref().map(|place| place.display().to_string()).unwrap_or_default()
    }

    /// Refuses to go on with a file that could not be read.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        match &self.damage {
            None => Ok(()),
            Some(damage) => Err(Stop::Usage(format!(
                "the table cannot be read: {damage}\nhelp: mend the file and write `:table reload`, or \
                 begin with another one: `--state FILE`; it is left as it is"
            ))),
        }
    }

    /// What a session says when it begins.
    pub(crate) fn greeting(&self) -> Option<String> {
        let (table, count) = (&self.table, self.table.characters.len());
        if table.is_empty() {
            return None;
        }
        let who = if count == 1 { "one character".into() } else { format!("{count} characters") };
        let turn = table.turn.as_ref().map(|turn| format!(", round {}: {turn}", table.round));
        Some(format!("(on the table: {who}{}; `:table` shows it)", turn.unwrap_or_default()))
    }

    /// Writes the table.
    pub(crate) fn save(&mut self) -> Result<(), Stop> {
        self.check()?;
        let Some(place) = &self.place else {
            return Err(Stop::Usage("the table has no place: begin with `--state FILE`".into()));
        };
        let name = place.display();
        if text(place).map_err(Stop::Usage)? != self.seen {
            return Err(Stop::Usage(format!(
                "`{name}` was changed by somebody else: `:table reload` takes that over; nothing was done here"
            )));
        }
        let text = file::written(&self.table);
        replace(place, &text).map_err(|error| {
            Stop::Usage(format!("`{name}` cannot be written, so nothing is changed: {error}"))
        })?;
        self.seen = Some(text);
        Ok(())
    }
}

/// The text of a file; none if there is no such file.
fn text(place: &Path) -> Result<Option<String>, String> {
    match std::fs::metadata(place) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        // A place that cannot even be looked at is complained about when something is written there.
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(None),
        _ => input::read(place).map(Some).map_err(|stop| match stop {
            Stop::Usage(message) => message,
            _ => String::new(),
        }),
    }
}

/// Removes what sessions that were killed while they wrote have left beside the table.
fn tidy_up(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(BESIDE);
        let age = entry.metadata().and_then(|about| about.modified()).map(|then| then.elapsed());
        // Another session may be writing at this moment.
        let is_old = age.is_ok_and(|age| age.is_ok_and(|age| age > LONG_AGO));
        if is_ours && is_old {
            // What cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Puts a text in the place of a file, all of it or nothing.
fn replace(place: &Path, text: &str) -> std::io::Result<()> {
    // A link stays a link.
    let place = place.canonicalize().unwrap_or_else(|_| place.to_path_buf());
    let folder = match place.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    std::fs::create_dir_all(&folder)?;
    let mut beside = tempfile::NamedTempFile::with_prefix_in(BESIDE, folder)?;
    beside.write_all(text.as_bytes())?;
    beside.as_file().sync_all()?;
    beside.persist(place)?;
    Ok(())
}
