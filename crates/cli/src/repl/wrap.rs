//! Prose in a narrow terminal: cut between words, with room before it.

use unicode_width::UnicodeWidthStr;

/// A text beside a name needs this much room; otherwise it stands below.
const BESIDE: usize = 40;

/// A text with something before its first line, and as much room before the others.
pub(super) fn wrapped(text: &str, head: &str, width: usize) -> Vec<String> {
    let indent = " ".repeat(head.width());
    let room = width.saturating_sub(head.width()).max(10);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.width() + 1 + word.width() > room {
            lines.push(std::mem::take(&mut line));
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    lines.push(line);
    let before = |at: usize| if at == 0 { head } else { indent.as_str() };
    lines.iter().enumerate().map(|(at, line)| format!("{}{line}", before(at))).collect()
}

/// Names with what they mean beside them, or below where there is no room.
pub(super) fn explained<'e>(
    entries: impl IntoIterator<Item = (String, &'e str)>,
    column: usize,
    width: usize,
) -> String {
    let is_narrow = width < column + 2 + BESIDE;
    let mut lines = Vec::new();
    for (name, meaning) in entries {
        let name = name.trim_end();
        if is_narrow || name.width() > column {
            lines.extend(wrapped(name, "", width));
            lines.extend(wrapped(
                meaning,
                &" ".repeat(if is_narrow { 4 } else { column + 2 }),
                width,
            ));
        } else {
            lines.extend(wrapped(meaning, &format!("{name:column$}  "), width));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_words() {
        assert_eq!(wrapped("one two three four", "1  ", 14), ["1  one two", "   three four"]);
        assert_eq!(wrapped("", "x ", 20), ["x "]);
        let entries = || [("a".to_owned(), "first"), ("bcdef".to_owned(), "second")];
        assert_eq!(explained(entries(), 3, 80), "a    first\nbcdef\n     second");
        assert_eq!(explained(entries(), 3, 40), "a\n    first\nbcdef\n    second");
    }
}
