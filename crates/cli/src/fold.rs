//! Lines broken between words where a terminal ends. Colours have no width.

use anstream::adapter::strip_str;
use astragal_show::wrapped_as_seen;
use unicode_width::UnicodeWidthStr;

/// A line in parts that are no wider, where that can be; what goes on is indented by two more blanks.
pub(crate) fn folded(line: &str, width: usize) -> Vec<String> {
    wrapped_as_seen(line, width, seen)
}

/// How wide a text looks.
fn seen(text: &str) -> usize {
    strip_str(text).to_string().width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(folded("one two three", 8), ["one two", "  three"]);
        assert_eq!(folded("  one two three", 9), ["  one two", "    three"]);
        assert_eq!(folded("one two", 7), ["one two"]);
        assert_eq!(folded("onetwothree", 5), ["onetwothree"]);
    }

    #[test]
    fn colours_have_no_width() {
        let line = "\u{1b}[1mone\u{1b}[0m two";
        assert_eq!(folded(line, 7), [line]);
        assert_eq!(folded(line, 6), ["\u{1b}[1mone\u{1b}[0m", "  two"]);
    }
}
