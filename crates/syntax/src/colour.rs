//! Tokens with what they are, for syntax colouring.

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// `let`, `then`, `true`
    Keyword,
    /// `12`, `0.5`
    Number,
    /// The `d` and the sides of a die.
    Dice,
    /// `kh`, `keep highest`, `!`
    Suffix,
    /// A variable, a function, a field, a type.
    Name,
    /// A text with its quotes, holes left out.
    Text,
    /// `[fire]` behind a term.
    Label,
    /// `# …` up to the line's end.
    Comment,
    /// Operators, brackets, commas.
    Operator,
}

/// A stretch of text (in bytes) and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classified {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is.
    pub class: Class,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coloured(text: &str) -> Vec<(&str, Class)> {
        crate::tokens(text).iter().map(|t| (&text[t.start..t.end], t.class)).collect()
    }

    #[test]
    fn dice_and_suffixes_are_told_apart() {
        assert_eq!(
            coloured("4d6kh3 + x[fire] # c"),
            [
                ("4", Class::Number),
                ("d", Class::Dice),
                ("6", Class::Dice),
                ("kh", Class::Suffix),
                ("3", Class::Number),
                ("+", Class::Operator),
                ("x", Class::Name),
                ("[fire]", Class::Label),
                ("# c", Class::Comment),
            ]
        );
    }

    #[test]
    fn a_text_is_coloured_around_its_holes() {
        assert_eq!(
            coloured("note \"a {n} b\""),
            [
                ("note", Class::Keyword),
                ("\"a ", Class::Text),
                ("{", Class::Operator),
                ("n", Class::Name),
                ("}", Class::Operator),
                (" b\"", Class::Text),
            ]
        );
    }

    #[test]
    fn every_stretch_is_in_order_and_apart() {
        for text in ["let x = (1 + ) ; 4d6e6", "\"a {1", "d6[", "enum A = a | b # c\n# d", "1 $ 2"]
        {
            let found = crate::tokens(text);
            assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start), "{text}: {found:?}");
        }
    }
}
