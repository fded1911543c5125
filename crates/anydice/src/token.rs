//! The words of a program.
//!
//! A run of letters of one case is one word, so `NdX`, `2d6` and `3d6named` fall apart as one expects. White space and
//! comments between backslashes separate, and mean nothing else.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::{SourceId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    Number(&'t str),
    /// Capital letters.
    Variable(&'t str),
    /// Small letters; `d` among them.
    Word(&'t str),
    /// What stands between quotes.
    Text(&'t str),
    Sign(&'static str),
    End,
}

/// The longest signs first.
const SIGNS: [&str; 26] = [
    "..", "<=", ">=", "!=", "<", ">", "=", "!", "+", "-", "*", "/", "^", "@", "#", "&", "|", ":",
    ",", "(", ")", "{", "}", "[", "]", "?",
];

/// The tokens of a text with their places; the end is one, too.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Span)>, Box<Diagnostic>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let (token, length) = match first {
            c if c.is_whitespace() => (None, c.len_utf8()),
            '\\' => (None, closed(text, at, '\\')?),
            '"' => {
                let length = closed(text, at, '"')?;
                (Some(Token::Text(&rest[1..length - 1])), length)
            }
            '0'..='9' => {
                let length = run(|c| c.is_ascii_digit());
                (Some(Token::Number(&rest[..length])), length)
            }
            'A'..='Z' | '_' => {
                let length = run(|c| c.is_ascii_uppercase() || c == '_');
                (Some(Token::Variable(&rest[..length])), length)
            }
            'a'..='z' => {
                let length = run(|c| c.is_ascii_lowercase());
                (Some(Token::Word(&rest[..length])), length)
            }
            _ => {
                let (sign, length) = sign(rest).ok_or_else(|| stray(text, at, first))?;
                (Some(Token::Sign(sign)), length)
            }
        };
        found.extend(token.map(|token| (token, place(at, at + length))));
        at += length;
    }
    found.push((Token::End, place(text.len(), text.len())));
    Ok(found)
}

/// The sign at the beginning of a text, and its length. There may be white space between two dots.
fn sign(rest: &str) -> Option<(&'static str, usize)> {
    if let Some(after) = rest.strip_prefix('.') {
        let blank = after.len() - after.trim_start().len();
        return after.trim_start().starts_with('.').then_some(("..", blank + 2));
    }
    let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign))?;
    Some((sign, sign.len()))
}

pub(crate) fn place(start: usize, end: usize) -> Span {
    Span::new(SourceId(0), start, end)
}

/// The length of a comment or a text that ends with the sign it begins with.
fn closed(text: &str, at: usize, quote: char) -> Result<usize, Box<Diagnostic>> {
    if let Some(length) = text[at + 1..].find(quote) {
        return Ok(length + 2);
    }
    let (code, what, first) = match quote {
        '"' => ("unclosed-text", "this name is not closed", "a `\"` is missing at its end"),
        _ => {
            ("unclosed-comment", "this comment is not closed", "a comment stands between two `\\`")
        }
    };
    Err(Box::new(Diagnostic::error(code, place(at, at + 1), what).help(first)))
}

fn stray(text: &str, at: usize, first: char) -> Box<Diagnostic> {
    let span = place(at, at + first.len_utf8());
    let message = format!("`{first}` means nothing in AnyDice");
    let error = Diagnostic::error("unexpected-character", span, message);
    let likely = match first {
        '×' => Some("*"),
        '÷' => Some("/"),
        '–' | '—' | '−' => Some("-"),
        '≤' => Some("<="),
        '≥' => Some(">="),
        '≠' => Some("!="),
        '“' | '”' | '„' | '\'' | '’' => Some("\""),
        '%' if text[..at].ends_with('d') => Some("100"),
        '…' => Some(".."),
        _ => None,
    };
    Box::new(match likely {
        Some(likely) => error.help(format!("write `{likely}`")).edit(span, likely),
        None if first == '?' => error.help("`?` only stands behind a parameter's `:`"),
        None if first == ';' => error
            .help("statements need nothing between them, items of a sequence a comma")
            .edit(span, ""),
        None if first == '.' => error.help("numbers are whole; a range is written `1..6`"),
        None => error.help("comments stand between two `\\`, names between two `\"`"),
    })
}
