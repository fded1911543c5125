//! A part of a line that is rolled in one go.

use std::ops::Range;

use astragal_assist::definitions::Line;
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::StatementKind;
use astragal_syntax::{Limits, parse};

use super::kept::Kept;
use super::places::Typed;

/// A text that is rolled in one go.
pub(super) struct Unit {
    pub(super) text: String,
    pub(super) typed: Typed,
    /// The names that it binds, and where.
    pub(super) lets: Vec<(String, Range<usize>)>,
    /// Whether it has results of its own. If not, what it binds is shown.
    pub(super) rolls: bool,
    /// Where its last statement stands.
    pub(super) end: Range<usize>,
}

impl Unit {
    pub(super) fn of(text: &str, typed: Typed) -> Unit {
        let parsed = parse(text, SourceId(0), &Limits::default());
        let statements = &parsed.file.block.statements;
        let lets = statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Let { name, .. } => Some((name.text.clone(), statement.span.range())),
            _ => None,
        });
        let end = statements.last().map_or(0..text.len(), |statement| statement.span.range());
        let rolls = Line::read(text).rolls;
        Unit { text: text.to_owned(), typed, lets: lets.collect(), rolls, end }
    }

    /// What makes a program of it, if it has no result of its own.
    pub(super) fn shown(&self) -> String {
        if self.rolls {
            return String::new();
        }
        self.lets.iter().map(|(name, _)| format!("\nshow \"{name}\" = {name}")).collect()
    }

    /// Whether what stays is what was written: `let hp = 24`.
    pub(super) fn is_as_written(&self, kept: &[Option<Kept>]) -> bool {
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        self.lets.iter().zip(kept).all(|((_, place), kept)| {
            let written = self.text.get(place.clone()).and_then(|text| text.split_once('='));
            let kept = kept.as_ref().map(|kept| squeezed(&kept.text));
            written.map(|(_, value)| squeezed(value)) == kept
        })
    }
}
