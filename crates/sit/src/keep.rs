//! The file of a seat: its key and what it has signed, so that it can come back.
//!
//! Whoever has this file can act for the seat: only its owner may read it (mode 600, in a folder of mode 700). While somebody sits, the file beside it is locked, for
//! two devices with one key would sign one number twice. What is kept is on the disk before anything that it tells of is sent.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use astragal_fair::Id;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

/// The file of a seat, locked.
#[derive(Debug)]
pub struct Keep {
    path: PathBuf,
    /// Open as long as somebody sits.
    _lock: File,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    v: u64,
    name: String,
    state: String,
}

/// Why a seat cannot be kept.
#[derive(Debug)]
pub enum NotKept {
    /// Somebody sits there now.
    Taken,
    /// The file is there and cannot be read as one.
    Damaged(PathBuf),
    /// The system says no.
    Io(io::Error),
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotKept::Taken => {
                f.write_str("somebody sits at this table under that name on this machine already")
            }
            NotKept::Damaged(path) => write!(f, "`{}` is no file of a seat", path.display()),
            NotKept::Io(error) => write!(f, "the seat's key cannot be kept: {error}"),
        }
    }
}

impl std::error::Error for NotKept {}

impl From<io::Error> for NotKept {
    fn from(error: io::Error) -> NotKept {
        NotKept::Io(error)
    }
}

impl Keep {
    /// The file of a name at a table, below a folder that is made if need be; and the state in it.
    pub fn open(folder: &Path, table: &Id, name: &str) -> Result<(Keep, Option<String>), NotKept> {
        make_private(folder)?;
        let own = astragal_fair::hash(name.as_bytes()).to_string();
        let path = folder.join(format!("{table}-{}.json", &own[..16]));
        let lock = private(&path.with_extension("lock"))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => NotKept::Taken,
            TryLockError::Error(error) => NotKept::Io(error),
        })?;
        let damaged = || NotKept::Damaged(path.clone());
        let state = match fs::read_to_string(&path) {
            Ok(text) => {
                let kept: Kept = serde_json::from_str(&text).map_err(|_| damaged())?;
                if kept.v != 1 || kept.name != name {
                    return Err(damaged());
                }
                Some(kept.state)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        Ok((Keep { path, _lock: lock }, state))
    }

    /// The names that were at a table from this folder, as far as they can be read.
    pub fn names(folder: &Path, table: &Id) -> Vec<String> {
        let begins = format!("{table}-");
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let own = files.filter(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            name.starts_with(&begins) && name.ends_with(".json")
        });
        let read = own.filter_map(|file| fs::read_to_string(file.path()).ok());
        let mut names: Vec<String> = read
            .filter_map(|text| serde_json::from_str::<Kept>(&text).ok())
            .map(|kept| kept.name)
            .collect();
        names.sort_unstable();
        names
    }

    /// Keeps a state: it is on the disk when this returns.
    pub fn save(&self, name: &str, state: &str) -> io::Result<()> {
        let kept = Kept { v: 1, name: name.to_owned(), state: state.to_owned() };
        let folder = self.path.parent().unwrap_or(Path::new("."));
        // Made for its owner alone.
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(serde_json::to_string(&kept)?.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        #[cfg(unix)]
        File::open(folder)?.sync_all()?;
        Ok(())
    }

    /// Forgets the seat: who has left, or sits down as somebody new.
    pub fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).write(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use astragal_fair::Bytes;

    use super::*;

    #[test]
    fn a_seat_is_kept_for_its_owner_alone_and_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("deep/seats");
        let table = Bytes([7; 16]);
        let (keep, state) = Keep::open(&place, &table, "Ulf").unwrap();
        assert_eq!(state, None);
        keep.save("Ulf", "{\"key\":1}").unwrap();
        assert!(matches!(Keep::open(&place, &table, "Ulf"), Err(NotKept::Taken)));
        assert!(Keep::open(&place, &table, "Ida").is_ok(), "another name is another seat");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&keep.path), 0o600);
            assert_eq!(mode(&place), 0o700);
        }
        assert_eq!(Keep::names(&place, &table), ["Ulf"]);
        drop(keep);
        let (keep, state) = Keep::open(&place, &table, "Ulf").unwrap();
        assert_eq!(state.as_deref(), Some("{\"key\":1}"));
        keep.forget().unwrap();
        keep.forget().unwrap();
        assert_eq!(Keep::names(&place, &table), Vec::<String>::new());
    }

    #[test]
    fn what_is_damaged_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let table = Bytes([7; 16]);
        let (keep, _) = Keep::open(folder.path(), &table, "Ulf").unwrap();
        let path = keep.path.clone();
        drop(keep);
        fs::write(&path, "{").unwrap();
        assert!(matches!(Keep::open(folder.path(), &table, "Ulf"), Err(NotKept::Damaged(_))));
    }
}
