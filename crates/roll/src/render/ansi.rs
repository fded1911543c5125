//! A colour terminal: dice that count are bright, dropped ones dim and struck out.

use super::View;
use super::lines::{Line, Piece, Style, lines};
use crate::explanation::Roll;

/// The roll for a terminal that understands ANSI colours, one line each, without a last newline.
pub fn ansi(roll: &Roll, view: &View<'_>) -> String {
    lines(roll, view).iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line(line: &Line) -> String {
    let indent = "  ".repeat(line.depth as usize);
    indent + &line.pieces.iter().map(piece).collect::<String>()
}

fn piece(piece: &Piece) -> String {
    let code = match piece.style {
        Style::Text => return printable(&piece.text),
        Style::Words => "36",
        Style::Kept => "1",
        Style::For => "1;32",
        Style::Against => "1;31",
        Style::Dropped => "2;9",
        Style::Arrow => "33",
        Style::Total => "1;33",
        Style::Note => "3",
    };
    let text = printable(&piece.text);
    // What is copied out of a terminal loses its colours: brackets stay.
    let text = if piece.style == Style::Dropped { format!("({text})") } else { text };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// User text may hold control characters; a terminal must not obey them.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}
