//! Lines broken between words where a terminal ends. Colours have no width.

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthStr;

/// A line in parts that are no wider, where that can be; what goes on is indented by two more blanks.
pub(crate) fn folded(line: &str, width: usize) -> Vec<String> {
    if seen(line) <= width {
        return vec![line.to_owned()];
    }
    let own = &line[..line.len() - line.trim_start().len()];
    let mut lines = vec![own.to_owned()];
    let mut room = width.saturating_sub(own.len());
    for word in line.trim_start().split(' ') {
        let last = lines.len() - 1;
        let is_first = lines[last].trim_start().is_empty();
        if !is_first && seen(word) + 1 > room {
            lines.push(format!("{own}  {word}"));
            room = width.saturating_sub(own.len() + 2 + seen(word));
            continue;
        }
        if !is_first {
            lines[last].push(' ');
        }
        lines[last] += word;
        room = room.saturating_sub(seen(word) + usize::from(!is_first));
    }
    lines
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
