//! Messages as the page wants them: places in UTF-16 units, and ways to mend the text.

use astragal::{Diagnostic, Diagnostics, Edit, Look, alternatives};
use astragal_syntax::span::Span;
use serde_json::{Value as Json, json};

use crate::units::Units;

/// A longer line is not shown in the title of a fix.
const LONG: usize = 60;

/// An answer that there is no answer.
pub(crate) fn refused(wrong: &Diagnostics) -> Json {
    json!({
        "ok": false, "over_budget": wrong.is_over_budget(), "diagnostics": list(wrong),
    })
}

/// A message without a place.
pub(crate) fn plain(code: &str, message: &str) -> Json {
    json!({
        "severity": "error", "code": code, "message": message,
        "labels": [], "help": [], "fixes": [], "rendered": format!("error[{code}]: {message}"),
    })
}

/// All messages.
pub(crate) fn list(all: &Diagnostics) -> Vec<Json> {
    all.list().iter().map(|diagnostic| one(diagnostic, all)).collect()
}

fn one(diagnostic: &Diagnostic, all: &Diagnostics) -> Json {
    let labels = diagnostic.labels.iter().map(|label| {
        let (source, place) = place(label.span, all);
        json!({"source": source, "place": place, "text": label.text})
    });
    let fixes = alternatives(&diagnostic.edits);
    let fixes = fixes.iter().map(|edits| {
        let written = edits.iter().map(|edit| {
            let (source, place) = place(edit.span, all);
            json!({"source": source, "place": place, "replacement": edit.replacement})
        });
        json!({"title": title(edits, all), "edits": written.collect::<Vec<_>>()})
    });
    json!({
        "severity": diagnostic.severity.name(),
        "code": diagnostic.code,
        "message": diagnostic.message,
        "labels": labels.collect::<Vec<_>>(),
        "help": diagnostic.help,
        "fixes": fixes.collect::<Vec<_>>(),
        "rendered": all.render_one(diagnostic, Look::default()),
    })
}

fn place(span: Span, all: &Diagnostics) -> (String, Json) {
    let source = all.sources().get(span.source);
    let units = Units::of(source.map_or("", |source| &source.text));
    let (start, end) = (units.at(span.start as usize), units.at(span.end as usize));
    let name = source.map_or("program", |source| &source.name);
    (name.to_owned(), json!({"start": start, "end": end}))
}

/// What a fix would write: the line as it would be, if that is one short line.
fn title(edits: &[&Edit], all: &Diagnostics) -> String {
    if let Some(line) = mended_line(edits, all).filter(|line| line.chars().count() <= LONG) {
        return format!("Write `{line}`");
    }
    let written: Vec<&str> = edits.iter().map(|edit| edit.replacement.trim()).collect();
    if written.iter().all(|text| text.is_empty()) {
        let gone = edits.iter().map(|edit| all.sources().slice(edit.span).trim());
        return format!("Leave out `{}`", gone.collect::<Vec<_>>().join("` and `"));
    }
    format!("Write `{}`", written.join("` and `"))
}

/// The line with the edits made; none if they reach over several lines.
fn mended_line(edits: &[&Edit], all: &Diagnostics) -> Option<String> {
    let first = edits.first()?;
    let text = &*all.sources().get(first.span.source)?.text;
    let from = edits.iter().map(|edit| edit.span.start as usize).min()?;
    let to = edits.iter().map(|edit| edit.span.end as usize).max()?;
    let start = text.get(..from)?.rfind('\n').map_or(0, |at| at + 1);
    let end = text.get(to..)?.find('\n').map_or(text.len(), |at| to + at);
    let mut line = text.get(start..end)?.to_owned();
    let mut in_order: Vec<&&Edit> = edits.iter().collect();
    in_order.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    for edit in in_order {
        let range = edit.span.start as usize - start..edit.span.end as usize - start;
        line.get(range.clone())?;
        line.replace_range(range, &edit.replacement);
    }
    let line = line.trim();
    (!line.is_empty() && !line.contains('\n')).then(|| line.to_owned())
}
