//! Layout: text with places where a line may break, in groups that break together.
//!
//! A group is set on one line if it fits; otherwise all its own breaks become line ends, and the groups
//! within it are asked again, each for itself. (Wadler, "A prettier printer".)

/// A piece of layout.
pub(super) struct Doc {
    /// It holds a line end that stands in any case, so the groups around it cannot be one line.
    hard: bool,
    kind: DocKind,
}

enum DocKind {
    Text(String),
    /// Takes no room: it may stand beyond the right edge.
    Comment(String),
    /// A blank, or a line end.
    Line,
    /// Nothing, or a line end.
    Soft,
    /// A line end, after a blank line if so said.
    Hard(bool),
    /// A value behind its `=`: on the same line if it fits, else whole on the next line if it fits
    /// there, else broken from the same line on.
    Value(Box<Doc>),
    Concat(Vec<Doc>),
    Nest(Box<Doc>),
    Group(Box<Doc>),
}

pub(super) fn text(text: impl Into<String>) -> Doc {
    Doc { hard: false, kind: DocKind::Text(text.into()) }
}

pub(super) fn comment(text: String) -> Doc {
    Doc { hard: false, kind: DocKind::Comment(text) }
}

pub(super) fn line() -> Doc {
    Doc { hard: false, kind: DocKind::Line }
}

pub(super) fn soft() -> Doc {
    Doc { hard: false, kind: DocKind::Soft }
}

pub(super) fn hard(after_blank: bool) -> Doc {
    Doc { hard: true, kind: DocKind::Hard(after_blank) }
}

pub(super) fn value(doc: Doc) -> Doc {
    Doc { hard: doc.hard, kind: DocKind::Value(Box::new(doc)) }
}

pub(super) fn concat(parts: Vec<Doc>) -> Doc {
    Doc { hard: parts.iter().any(|part| part.hard), kind: DocKind::Concat(parts) }
}

pub(super) fn nest(doc: Doc) -> Doc {
    Doc { hard: doc.hard, kind: DocKind::Nest(Box::new(doc)) }
}

pub(super) fn group(doc: Doc) -> Doc {
    Doc { hard: doc.hard, kind: DocKind::Group(Box::new(doc)) }
}

const INDENT: usize = 2;

/// Sets the layout in lines of at most `width` characters, where that can be.
pub(super) fn render(doc: &Doc, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0usize;
    let mut stack = vec![(0usize, false, doc)];
    while let Some((indent, flat, doc)) = stack.pop() {
        match &doc.kind {
            DocKind::Text(text) => {
                out.push_str(text);
                column += text.chars().count();
            }
            DocKind::Comment(text) => out.push_str(text),
            DocKind::Line if flat => {
                out.push(' ');
                column += 1;
            }
            DocKind::Soft if flat => {}
            DocKind::Line | DocKind::Soft => column = break_line(&mut out, indent),
            DocKind::Hard(after_blank) => {
                if *after_blank {
                    break_line(&mut out, 0);
                }
                column = break_line(&mut out, indent);
            }
            DocKind::Concat(parts) => {
                stack.extend(parts.iter().rev().map(|part| (indent, flat, part)));
            }
            DocKind::Nest(inner) => stack.push((indent + INDENT, flat, inner)),
            DocKind::Value(inner) => {
                let room = |column: usize| width.saturating_sub(column);
                let here = flat || fits(inner, true, &stack, room(column + 1));
                let below = indent + INDENT;
                let whole_below = !here && fits(inner, true, &stack, room(below));
                if whole_below || !here && !fits(inner, false, &stack, room(column + 1)) {
                    column = break_line(&mut out, below);
                    stack.push((below, whole_below, inner));
                } else {
                    out.push(' ');
                    column += 1;
                    stack.push((indent, here, inner));
                }
            }
            DocKind::Group(inner) => {
                let flat = flat || fits(inner, true, &stack, width.saturating_sub(column));
                stack.push((indent, flat, inner));
            }
        }
    }
    out
}

fn break_line(out: &mut String, indent: usize) -> usize {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
    indent
}

/// Whether the piece, set flat or up to its first break, and what follows it up to the next possible
/// line end, fits into `room`.
fn fits(piece: &Doc, flat: bool, rest: &[(usize, bool, &Doc)], mut room: usize) -> bool {
    if flat && piece.hard {
        return false;
    }
    let mut stack = vec![(flat, piece)];
    let mut rest = rest.iter().rev();
    loop {
        let Some((flat, doc)) = stack.pop().or_else(|| rest.next().map(|(_, f, d)| (*f, *d)))
        else {
            return true;
        };
        let used = match &doc.kind {
            DocKind::Text(text) => text.chars().count(),
            DocKind::Line if flat => 1,
            DocKind::Comment(_) => 0,
            DocKind::Soft if flat => 0,
            DocKind::Line | DocKind::Soft | DocKind::Hard(_) => return true,
            DocKind::Concat(parts) => {
                stack.extend(parts.iter().rev().map(|part| (flat, part)));
                0
            }
            DocKind::Value(inner) if !flat && !inner.hard => return true,
            DocKind::Value(inner) => {
                stack.push((flat, inner));
                1
            }
            DocKind::Nest(inner) | DocKind::Group(inner) => {
                stack.push((flat, inner));
                0
            }
        };
        if used > room {
            return false;
        }
        room -= used;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum() -> Doc {
        let body = concat(vec![text("aaa +"), line(), text("bbb")]);
        group(concat(vec![text("x ="), nest(concat(vec![line(), body]))]))
    }

    #[test]
    fn a_group_is_one_line_if_it_fits() {
        assert_eq!(render(&sum(), 20), "x = aaa + bbb");
        assert_eq!(render(&sum(), 8), "x =\n  aaa +\n  bbb");
    }
}
