//! Four words that two people read to each other, to know that they see the same history.

use crate::bytes::Hash;
use crate::formulas::hashed;

/// 256 words, row by row.
const WORDS: &str = include_str!("words.txt");

/// The words for a line that both have, and whose number they have agreed on, after somebody has said a challenge aloud. In another order
/// a house could search for two histories that read alike.
pub fn aloud(line: &Hash, challenge: &str) -> String {
    let chosen = hashed(b"astragal words v1\0", &[&line.0, challenge.as_bytes()]);
    let word = |number: &u8| WORDS.split_whitespace().nth(usize::from(*number)).unwrap_or_default();
    chosen.0[..4].iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::bytes::Bytes;

    #[test]
    fn the_list_has_256_words_and_none_twice() {
        let words: HashSet<&str> = WORDS.split_whitespace().collect();
        assert_eq!((words.len(), WORDS.split_whitespace().count()), (256, 256));
    }

    #[test]
    fn another_challenge_has_other_words() {
        let head = Bytes([4; 32]);
        assert_eq!(aloud(&head, "teapot"), "jewel crown finger diamond");
        assert_ne!(aloud(&head, "kettle"), aloud(&head, "teapot"));
    }
}
