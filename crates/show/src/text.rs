//! Texts that must fit.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// At most so many columns of a text.
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let kept = text.chars().take_while(|c| {
        taken += c.width().unwrap_or(0);
        taken < width
    });
    kept.chain(['…']).collect()
}

/// A line broken at blanks, so that no part is wider, where that can be; what goes on is indented by two more blanks
/// than the line itself.
pub fn wrapped(line: &str, width: usize) -> Vec<String> {
    wrapped_as_seen(line, width, |text| text.width())
}

/// The same for a text in which not everything is seen, such as colours.
pub fn wrapped_as_seen(line: &str, width: usize, seen: impl Fn(&str) -> usize) -> Vec<String> {
    if seen(line) <= width {
        return vec![line.to_owned()];
    }
    let own = &line[..line.len() - line.trim_start().len()];
    let further = format!("{own}  ");
    let mut lines = vec![own.to_owned()];
    let mut begun = false;
    for word in line.trim_start().split(' ') {
        let last = lines.len() - 1;
        if begun && seen(&lines[last]) + 1 + seen(word) > width {
            let rest = after_comma(&mut lines[last], width, &seen);
            lines.push(format!("{further}{rest}{word}"));
            continue;
        }
        if begun {
            lines[last].push(' ');
        }
        lines[last] += word;
        begun = true;
    }
    lines
}

/// Takes what stands behind a comma in the second half of a line: a list is better broken between its items.
fn after_comma(line: &mut String, width: usize, seen: impl Fn(&str) -> usize) -> String {
    let comma = line.rfind(", ").filter(|at| seen(&line[..*at]) * 2 >= width);
    match comma {
        Some(at) => {
            let rest = line.split_off(at + 1);
            rest.trim_start().to_owned() + " "
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("one two three", 7), ["one two", "  three"]);
        assert_eq!(wrapped("  one two", 5), ["  one", "    two"]);
        assert_eq!(wrapped("short", 7), ["short"]);
        assert_eq!(wrapped("5% 7, 25% 10, 50% 12", 18), ["5% 7, 25% 10,", "  50% 12"]);
        assert_eq!(wrapped("unbreakable word", 4), ["unbreakable", "  word"]);
    }

    #[test]
    fn long_labels_are_cut_by_columns() {
        assert_eq!(cut("[1, 2, 3]", 20), "[1, 2, 3]");
        assert_eq!(cut("[1, 2, 3]", 5), "[1, …");
        assert_eq!(cut("🎲🎲🎲", 5), "🎲🎲…");
    }
}
