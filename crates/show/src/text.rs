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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_labels_are_cut_by_columns() {
        assert_eq!(cut("[1, 2, 3]", 20), "[1, 2, 3]");
        assert_eq!(cut("[1, 2, 3]", 5), "[1, …");
        assert_eq!(cut("🎲🎲🎲", 5), "🎲🎲…");
    }
}
