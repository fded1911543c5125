//! The texts behind a program, so that places can be shown.

use std::sync::Arc;

use astragal_syntax::span::{SourceId, Span};

/// A text and what to call it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name to show: a path, `prelude`, a system's file.
    pub name: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

/// The texts of a program by [`SourceId`]: the program itself first, then the library, then used files.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    /// The user's own program.
    pub const PROGRAM: SourceId = SourceId(0);

    /// One text, which is the user's own.
    pub fn of(name: &str, text: &str) -> Sources {
        Sources { list: vec![Source { name: name.into(), text: text.into() }] }
    }

    /// Adds a text and gives its number.
    pub(crate) fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceId {
        let id = SourceId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(Source { name: name.into(), text: text.into() });
        id
    }

    /// The text with this number.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.list.get(id.0 as usize)
    }

    /// The piece of text at a place; empty if there is none.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).and_then(|source| source.text.get(span.range())).unwrap_or("")
    }

    /// All texts in order.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        (0u32..).map(SourceId).zip(&self.list)
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
