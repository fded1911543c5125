//! How inputs and their values are told from the words of an expression.

/// Whether a word of the command line is an input with its values, not part of an expression.
pub(crate) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, values)| {
        is_name(name) && !values.starts_with('=') && !values.trim().is_empty()
    })
}

/// `dc`, `dice_pool`
pub(crate) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_told_from_expressions() {
        assert!(is_assignment("dc=5..25"));
        assert!(is_assignment("kind=attack"));
        assert!(!is_assignment("dc==5"));
        assert!(!is_assignment("d20+5>=dc"));
        assert!(!is_assignment("d{a=1}"));
        assert!(!is_assignment("x="));
    }
}
