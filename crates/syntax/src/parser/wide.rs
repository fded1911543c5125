//! Characters as wide as a Chinese one: `d６`, `２d6`, `（3）`. Some keyboards type them for the plain ones.

use super::state::Parser;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;

/// The same text in plain width, if all of it can be, and some of it has to.
pub(super) fn narrow(text: &str) -> Option<String> {
    let plain = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0),
        c if c.is_ascii() => Some(c),
        _ => None,
    };
    let narrow: Option<String> = text.chars().map(plain).collect();
    narrow.filter(|_| !text.is_ascii())
}

/// Whether a word is a die but for the width of its characters.
pub(super) fn is_die(word: &str) -> bool {
    !word.is_ascii()
        && narrow(word).is_some_and(|plain| {
            let sides = plain.strip_prefix(['d', 'D']).unwrap_or_default();
            sides.starts_with(|c: char| c.is_ascii_digit())
        })
}

impl Parser<'_> {
    /// Refuses the die ahead.
    #[cold]
    #[inline(never)]
    pub(super) fn wide_die(&mut self) {
        let token = self.bump_as(Class::Dice);
        let (span, word) = (self.span_of(token), self.text_of(token));
        let plain = narrow(word).unwrap_or_default();
        self.error(
            Diagnostic::error("unknown-character", span, format!("`{word}` has wide characters"))
                .help(format!("write it in plain width: `{plain}`"))
                .edit(span, plain),
        );
    }
}
