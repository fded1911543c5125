//! What stands before the cursor: a word, a call that is open, dice.

use astragal_syntax::{Class, tokens};

/// A call that is not closed: `skill(8, adv`.
pub struct Call<'t> {
    /// The function's name with its prefix.
    pub function: &'t str,
    /// What is written of its arguments.
    pub arguments: &'t str,
}

/// The innermost call that is open at the end of a text.
pub fn call_around(text: &str) -> Option<Call<'_>> {
    let mut closed = 0usize;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' | ']' | '}' => closed += 1,
            '(' | '[' | '{' if closed > 0 => closed -= 1,
            '(' => {
                let function = trailing_path(&text[..at]);
                return Some(Call { function, arguments: &text[at + 1..] })
                    .filter(|call| !call.function.is_empty());
            }
            '[' | '{' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a suffix may follow.
pub fn ends_in_dice(left: &str) -> bool {
    let found = tokens(left);
    let Some(last) = found.last().filter(|token| !left[token.end..].contains('\n')) else {
        return false;
    };
    // `kh3` and `rr<=2` end in a number that belongs to the suffix.
    let mut before = found.iter().rev().skip(1).map(|token| token.class);
    let of_suffix = match before.next() {
        Some(Class::Operator) => before.next() == Some(Class::Suffix),
        class => class == Some(Class::Suffix),
    };
    match last.class {
        Class::Dice | Class::Suffix => true,
        _ => last.class == Class::Number && of_suffix,
    }
}

/// The name that ends here, perhaps not yet whole.
pub fn trailing_word(text: &str) -> &str {
    trailing(text, |c| c.is_alphanumeric() || c == '_')
}

/// The same with its prefix: `cofd.act`.
pub fn trailing_path(text: &str) -> &str {
    trailing(text, |c| c.is_alphanumeric() || c == '_' || c == '.')
}

fn trailing(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let start = text.char_indices().rev().take_while(|(_, c)| belongs(*c)).last();
    start.map_or("", |(at, _)| &text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_open_call_is_found() {
        let call =
            call_around("1 + cofd.action(f(2), [1, 2], ag").map(|c| (c.function, c.arguments));
        assert_eq!(call, Some(("cofd.action", "f(2), [1, 2], ag")));
        for closed in ["f(2)", "(1 + ", "f([1, ", "", ")))"] {
            assert!(call_around(closed).is_none(), "{closed}");
        }
    }

    #[test]
    fn dice_are_seen_through_their_suffixes() {
        for dice in ["4d6 ", "4d6kh3 ", "4d6 rr<=2 ", "d% "] {
            assert!(ends_in_dice(dice), "{dice}");
        }
        for other in ["", "4 ", "x + ", "d6 + 2 ", "d6\n", "let "] {
            assert!(!ends_in_dice(other), "{other}");
        }
    }
}
