//! Tree to text: the one canonical layout.
//!
//! Lines are at most 100 characters where they can be broken; statements keep their comments and at
//! most one blank line between them; parentheses and word forms stay as written, short forms get their
//! usual spelling (`k3` is `kh3`, `r<=2` is `rr<=2`, `**` is `^`). Parsing what is printed gives the same
//! tree. Comments in the midst of an expression have moved above its statement when it was read.

mod doc;
mod expression;
mod statement;
mod suffix;

use crate::Words;
use crate::tree::{Expr, ExprKind, File, SuffixKind};

use doc::render;

const WIDTH: usize = 100;

/// What is printed where.
#[derive(Clone, Copy)]
struct Printer {
    /// One line, without comments.
    flat: bool,
}

/// The program in canonical layout.
///
/// ```
/// use astragal_syntax::{Limits, parse, print, span::SourceId};
/// let parsed = parse("let x=4D6 K3 ;x+2", SourceId(0), &Limits::default());
/// assert_eq!(print(&parsed.file), "let x = 4d6kh3\nx + 2\n");
/// ```
pub fn print(file: &File) -> String {
    let mut printed = render(&Printer { flat: false }.file(&file.block), WIDTH);
    if !printed.is_empty() {
        printed.push('\n');
    }
    printed
}

/// The expression on one line, without comments.
pub fn print_expr(expr: &Expr) -> String {
    match &expr.kind {
        // The most frequent by far, as counts and bounds of suffixes.
        ExprKind::Number(digits) => return digits.as_str().to_owned(),
        ExprKind::Paren(inner) => {
            if let ExprKind::Name(name) = &inner.kind {
                return ["(", name, ")"].concat();
            }
        }
        _ => {}
    }
    render(&Printer { flat: true }.expr(expr), usize::MAX)
}

/// The suffix in words: `keep highest 3`, whatever way it was written.
pub fn suffix_words(kind: &SuffixKind) -> Words {
    suffix::words(kind)
}
