//! Files that people write and read: TOML, with errors that name the line and the key.

use std::ops::Range;

use toml_edit::{Document, Item, TableLike, Value};

/// A file, read.
pub(crate) struct Toml {
    /// Its name in messages.
    name: String,
    document: Document<String>,
}

/// A part of it: the file itself, or one of several `[[character]]`.
#[derive(Clone, Copy)]
pub(crate) struct Section<'t> {
    file: &'t Toml,
    table: &'t dyn TableLike,
    place: usize,
}

impl Toml {
    pub(crate) fn read(name: &str, text: &str) -> Result<Toml, String> {
        let document = Document::parse(text.to_owned()).map_err(|error| {
            let line = line(text, error.span().unwrap_or(text.len()..text.len()).start);
            format!("`{name}`, line {line}: {}", error.message().lines().next().unwrap_or("wrong"))
        })?;
        Ok(Toml { name: name.to_owned(), document })
    }

    pub(crate) fn section(&self) -> Section<'_> {
        Section { file: self, table: self.document.as_table(), place: 0 }
    }

    fn wrong(&self, place: usize, what: &str) -> String {
        format!("`{}`, line {}: {what}", self.name, line(self.document.raw(), place))
    }
}

fn line(text: &str, place: usize) -> usize {
    text.get(..place).unwrap_or(text).matches('\n').count() + 1
}

impl<'t> Section<'t> {
    /// Refuses keys that mean nothing.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), String> {
        let Some((key, item)) = self.table.iter().find(|(key, _)| !known.contains(key)) else {
            return Ok(());
        };
        let advice = match astragal_syntax::suggest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are `{}`", known.join("`, `")),
        };
        let place = self.table.key(key).and_then(toml_edit::Key::span).or_else(|| item.span());
        Err(self.wrong(place, &format!("`{key}` means nothing here: {advice}")))
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<&'t str>, String> {
        self.read(key, "a text in quotes", |value| value.as_str())
    }

    pub(crate) fn whole(&self, key: &str) -> Result<Option<i64>, String> {
        self.read(key, "a whole number", Value::as_integer)
    }

    pub(crate) fn truth(&self, key: &str) -> Result<Option<bool>, String> {
        self.read(key, "`true` or `false`", Value::as_bool)
    }

    pub(crate) fn texts(&self, key: &str) -> Result<Vec<String>, String> {
        let read = |value: &Value| -> Option<Vec<String>> {
            value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        };
        Ok(self.read(key, "a list of texts, such as `[\"prone\"]`", read)?.unwrap_or_default())
    }

    /// All `[[key]]`.
    pub(crate) fn sections(&self, key: &str) -> Result<Vec<Section<'t>>, String> {
        let Some(item) = self.table.get(key) else { return Ok(Vec::new()) };
        let Some(tables) = item.as_array_of_tables() else {
            return Err(self.wrong(item.span(), &format!("write `[[{key}]]` here")));
        };
        let section = |table: &'t toml_edit::Table| {
            let place = table.span().map_or(0, |span| span.start);
            Section { file: self.file, table, place }
        };
        Ok(tables.iter().map(section).collect())
    }

    /// What is wrong with a key, or with the section that lacks it.
    pub(crate) fn complaint(&self, key: &str, what: &str) -> String {
        let place = self.table.get(key).and_then(Item::span);
        self.wrong(place, &format!("`{key}` {what}"))
    }

    fn read<T>(
        &self,
        key: &str,
        wanted: &str,
        read: impl Fn(&'t Value) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let Some(item) = self.table.get(key) else { return Ok(None) };
        match item.as_value().and_then(read) {
            Some(value) => Ok(Some(value)),
            None => Err(self.wrong(item.span(), &format!("`{key}` is not {wanted}"))),
        }
    }

    fn wrong(&self, place: Option<Range<usize>>, what: &str) -> String {
        self.file.wrong(place.map_or(self.place, |span| span.start), what)
    }
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
