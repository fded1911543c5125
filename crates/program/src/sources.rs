//! The texts behind a program, so that places can be shown.

use std::sync::Arc;

use astragal_syntax::span::{SourceId, Span};

/// A text and what to call it.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The name to show: a path, `prelude`, a system's file.
    pub name: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Source {
        Source { name: name.into(), text: text.into() }
    }
}

/// The texts of a program by [`SourceId`]: the program itself first, then the library, which all programs
/// share, then used files.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    program: Source,
    library: Arc<[Source]>,
    files: Vec<Source>,
}

impl Sources {
    /// The user's own program.
    pub const PROGRAM: SourceId = SourceId(0);

    /// One text, which is the user's own.
    pub fn of(name: &str, text: &str) -> Sources {
        Sources::with_library(name.into(), text, Arc::default())
    }

    /// The user's own text and those of the library.
    pub(crate) fn with_library(name: Arc<str>, text: &str, library: Arc<[Source]>) -> Sources {
        Sources { program: Source { name, text: text.into() }, library, files: Vec::new() }
    }

    /// Adds a used file and gives its number.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> SourceId {
        let number = 1 + self.library.len() + self.files.len();
        self.files.push(Source::new(name, text));
        SourceId(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// The text with this number.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        let Some(number) = (id.0 as usize).checked_sub(1) else { return Some(&self.program) };
        match number.checked_sub(self.library.len()) {
            None => self.library.get(number),
            Some(number) => self.files.get(number),
        }
    }

    /// The piece of text at a place; empty if there is none.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).and_then(|source| source.text.get(span.range())).unwrap_or("")
    }

    /// All texts in order.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        let all = [&self.program].into_iter().chain(&*self.library).chain(&self.files);
        (0u32..).map(SourceId).zip(all)
    }
}

/// How `use "house.dice"` finds its file. The doors provide it; this crate opens no file.
pub trait Files {
    /// The text at a path as written, or why there is none.
    fn read(&self, path: &str) -> Result<String, String>;
}

/// No file can be used.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str) -> Result<String, String> {
        Err("files cannot be used here".into())
    }
}
