//! Messages about a line, without what the session has put around it.

use astragal::{Diagnostic, Diagnostics, Sources, Span};

/// Where a text comes from: a line, or a part of a file.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) name: String,
    pub(super) whole: String,
    /// Where in it the text begins.
    pub(super) start: usize,
}

/// The same messages with places in what was typed, which stood after so many bytes. Messages that also
/// speak of other texts stay as they are.
pub(super) fn as_typed(found: Diagnostics, before: usize, typed: &Typed) -> Diagnostics {
    let spans = |d: &Diagnostic| -> Vec<Span> {
        let labels = d.labels.iter().map(|label| label.span);
        labels.chain(d.edits.iter().map(|edit| edit.span)).collect()
    };
    let is_own = |span: &Span| span.source == Sources::PROGRAM && span.start as usize >= before;
    if !found.list().iter().all(|d| spans(d).iter().all(is_own)) {
        return found;
    }
    let moved = |span: Span| {
        let place = |at: u32| (at as usize - before + typed.start).min(typed.whole.len());
        Span::new(span.source, place(span.start), place(span.end))
    };
    let mut list = found.list().to_vec();
    for diagnostic in &mut list {
        diagnostic.labels.iter_mut().for_each(|label| label.span = moved(label.span));
        diagnostic.edits.iter_mut().for_each(|edit| edit.span = moved(edit.span));
    }
    Diagnostics::of_text(list, &typed.name, &typed.whole)
}
