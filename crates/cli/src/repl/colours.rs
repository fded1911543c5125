//! The colours of what is typed, from the parser's own view of it.

use astragal_syntax::{Class, tokens};
use reedline::{Color, Highlighter, StyledText};

/// Longer lines stay plain, so that typing stays quick.
const LONGEST: usize = 4096;

pub(super) struct Colours;

impl Highlighter for Colours {
    fn highlight(&self, line: &str, _cursor: usize) -> StyledText {
        let mut styled = StyledText::new();
        for (colour, text) in stretches(line) {
            let style = colour.map_or_else(Default::default, Color::normal);
            styled.push((style, text.to_owned()));
        }
        styled
    }
}

/// For terminals without colours.
pub(super) struct NoColours;

impl Highlighter for NoColours {
    fn highlight(&self, line: &str, _cursor: usize) -> StyledText {
        let mut styled = StyledText::new();
        styled.push((Default::default(), line.to_owned()));
        styled
    }
}

/// The line in pieces with their colours; together they are the line.
fn stretches(line: &str) -> Vec<(Option<Color>, &str)> {
    if line.trim_start().starts_with(':') {
        return vec![(Some(Color::Cyan), line)];
    }
    if line.len() > LONGEST {
        return vec![(None, line)];
    }
    let program = line.trim_start().strip_prefix('?').unwrap_or(line);
    let offset = line.len() - program.len();
    let mut pieces = Vec::new();
    let mut at = 0;
    let marked = (offset > 0).then_some((0, offset, Some(Color::Cyan)));
    let found = tokens(program).into_iter();
    let found = found.map(|token| (token.start + offset, token.end + offset, colour(token.class)));
    for (start, end, colour) in marked.into_iter().chain(found) {
        if start >= at
            && let (Some(between), Some(text)) = (line.get(at..start), line.get(start..end))
        {
            pieces.push((None, between));
            pieces.push((colour, text));
            at = end;
        }
    }
    pieces.push((None, line.get(at..).unwrap_or_default()));
    pieces.retain(|(_, text)| !text.is_empty());
    pieces
}

fn colour(class: Class) -> Option<Color> {
    match class {
        Class::Keyword => Some(Color::Purple),
        Class::Dice => Some(Color::LightYellow),
        Class::Suffix => Some(Color::Yellow),
        Class::Text | Class::Label => Some(Color::Green),
        Class::Comment => Some(Color::DarkGray),
        Class::Number => Some(Color::LightBlue),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_the_line() {
        for line in
            ["4d6kh3 + 2 # x", "? 4d6", " ?é🎲\"", ":help d6", "let x = \"a{d6}b\"", "", "?", "$ 1"]
        {
            let together: String = stretches(line).iter().map(|(_, text)| *text).collect();
            assert_eq!(together, line);
        }
        assert_eq!(
            stretches("d6+x"),
            [
                (Some(Color::LightYellow), "d"),
                (Some(Color::LightYellow), "6"),
                (None, "+"),
                (None, "x"),
            ]
        );
    }
}
