//! A cursor over pasted text.

use astragal_syntax::span::{SourceId, Span};

/// A text and how far it has been read. Places are always between characters.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Whether `D20` is another word than `d20`.
    cased: bool,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str, cased: bool) -> Self {
        Scanner { text, at: 0, cased }
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// How far it has been read, in bytes.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Goes back to a place that [`at`](Self::at) gave.
    pub(crate) fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    /// What is still to be read.
    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether the rest begins so, in any case if the tool does not mind.
    pub(crate) fn sees(&self, word: &str) -> bool {
        let start = self.rest().get(..word.len());
        start.is_some_and(|start| start == word || !self.cased && start.eq_ignore_ascii_case(word))
    }

    /// Takes a word if the rest begins with it.
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let seen = self.sees(word);
        if seen {
            self.at += word.len();
        }
        seen
    }

    /// Takes the longest of these words that the rest begins with.
    pub(crate) fn eat_longest(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let seen = words.iter().filter(|word| self.sees(word)).max_by_key(|word| word.len())?;
        self.at += seen.len();
        Some(seen)
    }

    /// Takes all that fits.
    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !fits(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// Passes one character.
    pub(crate) fn skip(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub(crate) fn blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Takes digits; `None` if there are none.
    pub(crate) fn digits(&mut self) -> Option<&'t str> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        (!digits.is_empty()).then_some(digits)
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(SourceId(0), start, end)
    }

    /// From `start` to here.
    pub(crate) fn since(&self, start: usize) -> Span {
        self.span(start, self.at)
    }

    /// The word or sign at hand, for a message.
    pub(crate) fn here(&self) -> Span {
        let rest = self.rest();
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let first = self.peek().map_or(0, char::len_utf8);
        self.span(self.at, self.at + word.max(first))
    }
}
