//! Plain text: dropped dice stand in parentheses.

use super::View;
use super::lines::{Line, Piece, Style, lines};
use crate::explanation::Roll;

/// The roll as plain text, one line each, without a last newline.
pub fn plain(roll: &Roll, view: &View<'_>) -> String {
    lines(roll, view).iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line(line: &Line) -> String {
    let indent = "  ".repeat(line.depth as usize);
    indent + &line.pieces.iter().map(piece).collect::<String>()
}

fn piece(piece: &Piece) -> String {
    match piece.style {
        Style::Dropped => format!("({})", piece.text),
        Style::Text
        | Style::Words
        | Style::Kept
        | Style::For
        | Style::Against
        | Style::Arrow
        | Style::Total
        | Style::Note => piece.text.clone(),
    }
}
