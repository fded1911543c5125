//! Markdown as chats understand it: dropped dice struck out, the outcome bold.

use super::View;
use super::lines::{Line, Piece, Style, lines};
use crate::explanation::Roll;

/// The roll as Markdown, a list if there is more than one line, without a last newline.
pub fn markdown(roll: &Roll, view: &View<'_>) -> String {
    match lines(roll, view).as_slice() {
        [only] => pieces(only),
        several => several.iter().map(item).collect::<Vec<_>>().join("\n"),
    }
}

fn item(line: &Line) -> String {
    format!("{}- {}", "  ".repeat(line.depth as usize), pieces(line))
}

fn pieces(line: &Line) -> String {
    line.pieces.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    let text = escaped(&piece.text);
    match piece.style {
        Style::Text | Style::Kept | Style::For | Style::Against | Style::Arrow => text,
        Style::Words => code(&piece.text),
        Style::Dropped => format!("~~{text}~~"),
        Style::Total => format!("**{text}**"),
        Style::Note => format!("*{text}*"),
    }
}

/// Text as code, with a fence that is longer than any run of backticks in it.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let gap = if longest > 0 { " " } else { "" };
    format!("{fence}{gap}{text}{gap}{fence}")
}

fn escaped(text: &str) -> String {
    let special = |c: char| matches!(c, '*' | '_' | '~' | '`' | '[' | ']' | '<' | '>' | '\\' | '|');
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if special(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
