//! Whether a line goes on: `fn f(x) = do`, `(3 +`, `4d6 +` want another one.
//!
//! The parser knows: a text is unfinished if it complains about the end of the text, or about something
//! that was opened and never closed. An empty line ends the waiting.

use astragal::{Diagnostic, is_anydice, is_unfinished_anydice};
use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse};

/// Longer texts are taken as they are: reading them again at every line would be slow.
const LONGEST: usize = 64 << 10;

/// Whether what was typed, all lines so far, wants another line.
pub(super) fn is_incomplete(text: &str) -> bool {
    if !text.ends_with('\n') && text.len() <= LONGEST && is_unfinished_anydice(text) {
        return true;
    }
    goes_on(text, |diagnostic, end| is_open_block(diagnostic) || is_unfinished(diagnostic, end))
}

/// The same for lines from a pipe, where nobody sees that a line is waited for: only a block that has no
/// `end` goes on, so that one wrong line does not swallow the next.
pub(super) fn is_open(text: &str) -> bool {
    goes_on(text, |diagnostic, _| is_open_block(diagnostic))
}

fn goes_on(text: &str, wants_more: impl Fn(&Diagnostic, usize) -> bool) -> bool {
    let begun = text.trim_start();
    if begun.starts_with(':') || text.len() > LONGEST {
        return false;
    }
    let program = begun.strip_prefix('?').unwrap_or(begun);
    let last = program.rsplit('\n').next().unwrap_or_default();
    let ended_by_hand = program.contains('\n') && last.trim().is_empty();
    if program.trim().is_empty() || ended_by_hand {
        return false;
    }
    // Documentation belongs to the definition below it.
    if last.trim_start().starts_with("##") {
        return true;
    }
    if is_anydice(program) {
        return false;
    }
    let end = program.trim_end().len();
    let parsed = parse(program, SourceId(0), &Limits::default());
    parsed.diagnostics.iter().any(|diagnostic| wants_more(diagnostic, end))
}

/// `do`, `match` or `repeat` without its end.
fn is_open_block(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.code, "missing-end" | "missing-next")
}

/// Something else that another line could mend.
fn is_unfinished(diagnostic: &Diagnostic, end: usize) -> bool {
    let at_the_end = diagnostic.labels.first().is_some_and(|l| l.span.start as usize >= end);
    match diagnostic.code {
        // A text and a label end on their line.
        "unclosed" => !diagnostic.message.contains("on its line"),
        "missing-else" => true,
        "expected" | "expected-expression" => at_the_end,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_incomplete, is_open};

    #[test]
    fn what_was_begun_goes_on() {
        for text in [
            "4d6 +",
            "(3 + 4",
            "fn f(x) = do",
            "fn f(x) = do\n  x + 1",
            "let x =",
            "? [1,",
            "## Twice.",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
    }

    #[test]
    fn from_a_pipe_only_blocks_go_on() {
        assert!(is_open("fn f(x) = do") && is_open("match d6\n  1 => 2") && is_open("## Twice."));
        assert!(!is_open("4d6 +") && !is_open("(3 + 4") && !is_open("fn f(x) = do\n x\nend"));
    }

    #[test]
    fn anydice_goes_on_until_it_outputs_something() {
        for text in [
            "X: 3",
            "function: f X:n {\n  result: X",
            "\\ a note",
            "output {1,",
            "loop P over {1..3} {",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
        for text in ["X: 3\noutput XdX", "output [f 3d6]", "if 1 { output 2 }", "X: 3\n"] {
            assert!(!is_incomplete(text) && !is_open(text), "{text}");
        }
    }

    #[test]
    fn what_is_whole_or_wrong_does_not() {
        for text in
            ["", "?", "4d6", ":help (", "4d6 + )", "(3 + 4\n", "\"abc", "d6[fire", "1 1", "🎲"]
        {
            assert!(!is_incomplete(text), "{text}");
        }
    }
}
