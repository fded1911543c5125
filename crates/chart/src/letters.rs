//! How much room a text takes. Pictures are drawn with Arimo, or a font that is as wide: Liberation Sans, Arial and
//! Helvetica. So a text that fits here fits in every viewer, and in a PNG, which has the very font inside.

use crate::advances::{BOLD, REGULAR};

/// The sizes of letters: of a title, of most texts, of notes, of numbers in the drawing.
pub(crate) const TITLE: f64 = 18.0;
pub(crate) const USUAL: f64 = 13.0;
pub(crate) const SMALL: f64 = 12.0;
pub(crate) const TINY: f64 = 11.0;

/// What comes before fonts that a machine may not have.
pub(crate) const FAMILY: &str = "Arimo,'Liberation Sans',Arial,Helvetica,sans-serif";

/// The width of a text in letters of this size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| advance(c, &REGULAR)).sum::<f64>() * size
}

/// The same in bold letters.
pub(crate) fn width_bold(text: &str, size: f64) -> f64 {
    text.chars().map(|c| advance(c, &BOLD)).sum::<f64>() * size
}

/// As much of a text as has room.
pub(crate) fn fitted(text: &str, size: f64, room: f64) -> String {
    cut(text, size, room, &REGULAR)
}

/// The same in bold letters.
pub(crate) fn fitted_bold(text: &str, size: f64, room: f64) -> String {
    cut(text, size, room, &BOLD)
}

fn cut(text: &str, size: f64, room: f64, table: &[u16; 95]) -> String {
    let of = |c| advance(c, table) * size;
    if text.chars().map(of).sum::<f64>() <= room {
        return text.to_owned();
    }
    let mut left = room - of('…');
    let kept = text.chars().take_while(|c| {
        left -= of(*c);
        left >= 0.0
    });
    kept.collect::<String>().trim_end().to_owned() + "…"
}

/// As a part of the letters' size. Of other signs than ASCII it is a generous guess.
fn advance(c: char, table: &[u16; 95]) -> f64 {
    let known = (c as usize).checked_sub(0x20).and_then(|at| table.get(at));
    match known {
        Some(width) => f64::from(*width) / 2048.0,
        None if is_upon_another(c) => 0.0,
        None if c == '…' || (c >= WIDE && !matches!(c, '\u{1e00}'..='\u{22ff}')) => 1.0,
        None => 0.67,
    }
}

/// From here on letters are as wide as high, or nearly so.
const WIDE: char = '\u{1100}';

/// Accents and signs that take no room of their own.
fn is_upon_another(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_wide_as_they_are() {
        assert_eq!(width("0", 2048.0), 1139.0);
        assert!(width("iii", 13.0) < width("WWW", 13.0) / 3.0);
        assert_eq!(width("日本", 10.0), 20.0);
        assert_eq!(width("e\u{301}", 10.0), width("e", 10.0));
        assert_eq!(width("≥", 10.0), 6.7);
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        assert_eq!(fitted("d20 + 5", 13.0, 100.0), "d20 + 5");
        let cut = fitted("cofd.action(pool: 7, again: 9)", 13.0, 100.0);
        assert!(cut.ends_with('…') && width(&cut, 13.0) <= 100.0, "{cut}");
    }
}
