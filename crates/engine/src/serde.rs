//! Odds and diagnostics as serde writes them.
//!
//! Odds are a list of answers under `results`, also where there is one: who reads them need not ask how many there are.
//! Diagnostics have the shape of `docs/schema/diagnostics.json`.

use astragal_syntax::diagnostic::{Diagnostic, Edit, Label};
use astragal_syntax::span::Span;
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use crate::diagnostics::Diagnostics;
use crate::program::Odds;

impl Serialize for Odds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = serializer.serialize_struct("Odds", 2)?;
        told.serialize_field("format", &1)?;
        told.serialize_field("results", &self.results)?;
        told.end()
    }
}

impl Serialize for Diagnostics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let list: Vec<Told<'_, Diagnostic>> = self.told(self.list());
        let mut told = serializer.serialize_struct("Diagnostics", 2)?;
        told.serialize_field("format", &1)?;
        told.serialize_field("diagnostics", &list)?;
        told.end()
    }
}

/// A part of a diagnostic, and the texts that its places lie in.
struct Told<'a, T> {
    of: &'a T,
    within: &'a Diagnostics,
}

impl Diagnostics {
    fn told<'a, T>(&'a self, parts: &'a [T]) -> Vec<Told<'a, T>> {
        parts.iter().map(|of| Told { of, within: self }).collect()
    }
}

impl Serialize for Told<'_, Diagnostic> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Diagnostic { severity, code, message, labels, help, edits, .. } = self.of;
        let mut told = serializer.serialize_struct("Diagnostic", 6)?;
        told.serialize_field("severity", severity.name())?;
        told.serialize_field("code", code)?;
        told.serialize_field("message", message)?;
        told.serialize_field("labels", &self.within.told(labels))?;
        told.serialize_field("help", help)?;
        told.serialize_field("edits", &self.within.told(edits))?;
        told.end()
    }
}

impl Serialize for Told<'_, Label> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = serializer.serialize_struct("Label", 2)?;
        told.serialize_field("place", &Told { of: &self.of.span, within: self.within })?;
        told.serialize_field("text", &self.of.text)?;
        told.end()
    }
}

impl Serialize for Told<'_, Edit> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = serializer.serialize_struct("Edit", 2)?;
        told.serialize_field("place", &Told { of: &self.of.span, within: self.within })?;
        told.serialize_field("replacement", &self.of.replacement)?;
        told.end()
    }
}

impl Serialize for Told<'_, Span> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = self.within.sources().get(self.of.source);
        let mut told = serializer.serialize_struct("Place", 3)?;
        told.serialize_field("source", source.map_or("", |source| &*source.name))?;
        told.serialize_field("start", &self.of.start)?;
        told.serialize_field("end", &self.of.end)?;
        told.end()
    }
}
