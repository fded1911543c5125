//! An edit is proposed only if it mends.
//!
//! Whoever words a message sees one mistake, and proposes what is most likely meant there: `strenght` is near
//! `straight`. Whether the program makes sense with it, nobody knows before it is tried. So each proposal is tried: the
//! edit is made, the program checked again, and if the mistake is still there, or another one stands in its place, the
//! proposal is left out.

use astragal_syntax::diagnostic::{Diagnostic, Edit, Severity, alternatives, edited};

use crate::is_error;
use crate::sources::Sources;

/// How much text is checked again, in all: a long text full of mistakes is not worth more.
const MOST_BYTES: usize = 1 << 18;
/// How many edits are tried.
const MOST_TRIALS: usize = 60;

/// Leaves out the edits that do not mend what they are proposed for.
pub(crate) fn keep_proven(
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
    check: impl Fn(&str) -> Vec<Diagnostic>,
) {
    if diagnostics.iter().all(|diagnostic| diagnostic.edits.is_empty()) {
        return;
    }
    let before: Vec<Diagnostic> = diagnostics.iter().filter(|d| is_error(d)).cloned().collect();
    let (mut bytes, mut trials) = (MOST_BYTES, MOST_TRIALS);
    for diagnostic in diagnostics.iter_mut() {
        let edits = std::mem::take(&mut diagnostic.edits);
        let mut kept: Vec<Edit> = Vec::new();
        for group in alternatives(&edits) {
            // A used file is not at hand in another version.
            let elsewhere = group.iter().any(|edit| edit.span.source != Sources::PROGRAM);
            let paid = bytes.checked_sub(text.len() + 1).zip(trials.checked_sub(1));
            if let (false, Some(left)) = (elsewhere, paid) {
                (bytes, trials) = left;
            }
            if elsewhere || paid.is_some() && mends(text, &group, diagnostic, &before, &check) {
                kept.extend(group.into_iter().cloned());
            }
        }
        diagnostic.edits = kept;
    }
    blame(text, diagnostics, check);
}

/// Where all that is wrong goes away with the edit of a hint, the hint is what is wrong.
fn blame(text: &str, diagnostics: &mut Vec<Diagnostic>, check: impl Fn(&str) -> Vec<Diagnostic>) {
    if !diagnostics.iter().any(is_error) {
        return;
    }
    let cause = diagnostics.iter().position(|diagnostic| {
        let edits: Vec<&Edit> = diagnostic.edits.iter().collect();
        let mended =
            || edited(text, &edits).is_some_and(|(mended, _)| !check(&mended).iter().any(is_error));
        !is_error(diagnostic) && !edits.is_empty() && mended()
    });
    if let Some(cause) = cause {
        let mut cause = diagnostics.swap_remove(cause);
        cause.severity = Severity::Error;
        *diagnostics = vec![cause];
    }
}

/// Whether the program is better with these edits made.
fn mends(
    text: &str,
    edits: &[&Edit],
    mistake: &Diagnostic,
    before: &[Diagnostic],
    check: &impl Fn(&str) -> Vec<Diagnostic>,
) -> bool {
    let Some((mended, places)) = edited(text, edits) else { return false };
    // To write nothing is no way to write it.
    if mended.trim().is_empty() {
        return false;
    }
    // A text of definitions is right in itself.
    let counts = |d: &Diagnostic| is_error(d) && d.code != "no-result";
    let left: Vec<Diagnostic> = check(&mended).into_iter().filter(counts).collect();
    if left.len() < before.len() || left.is_empty() {
        return true;
    }
    // One mistake may have hidden another, elsewhere.
    let same = |other: &Diagnostic| other.code == mistake.code && other.message == mistake.message;
    let touches = |other: &Diagnostic| {
        let spot = other.labels.first().map(|label| label.span.range());
        spot.is_none_or(|spot| {
            places.iter().any(|place| spot.start <= place.end && place.start <= spot.end)
        })
    };
    left.len() == before.len() && !left.iter().any(|other| same(other) || touches(other))
}
