//! Sentences of a system's documentation, chosen for the place where they are read.

use astragal::ParameterDoc;

/// The sentences of a documentation, without its example.
pub fn sentences(doc: &str) -> impl Iterator<Item = String> {
    let words = doc.lines().filter(|line| !line.trim_start().starts_with("Example:"));
    let text = words.map(str::trim).collect::<Vec<_>>().join(" ");
    let list: Vec<String> =
        text.split_inclusive(". ").map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect();
    list.into_iter()
}

/// The first sentence of a documentation, in at most so many characters.
pub fn first_sentence(doc: &str, most: usize) -> String {
    let sentence = sentences(doc).next().unwrap_or_default();
    if sentence.chars().count() <= most {
        return sentence;
    }
    let kept: String = sentence.chars().take(most.saturating_sub(1)).collect();
    let whole_words = kept.rsplit_once(' ').map_or(kept.as_str(), |(words, _)| words);
    format!("{whole_words}…")
}

/// Whether a sentence speaks of a parameter.
pub fn mentions(sentence: &str, parameter: &ParameterDoc) -> bool {
    sentence.contains(&format!("`{}`", parameter.name))
}

/// What is said of the function and not of one parameter.
pub fn general(doc: &str, parameters: &[ParameterDoc]) -> String {
    let about_none = |s: &String| !parameters.iter().any(|p| mentions(s, p));
    sentences(doc).filter(about_none).collect::<Vec<_>>().join(" ")
}

/// A text without the ids of rules: `fails at once [KA-28]` becomes `fails at once`.
pub fn without_ids(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let ids = after.split_once(']').filter(|(inside, _)| inside.split(", ").all(is_id));
        match ids {
            Some((_, behind)) => {
                kept += before.trim_end();
                rest = behind;
            }
            None => {
                kept += before;
                kept.push('[');
                rest = after;
            }
        }
    }
    kept + rest
}

/// `KA-28`
fn is_id(text: &str) -> bool {
    let parts = text.split_once('-');
    parts.is_some_and(|(book, number)| {
        let letters = !book.is_empty() && book.bytes().all(|b| b.is_ascii_uppercase());
        letters && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    })
}

/// The comment that a file of rules opens with: `Kaiser: 2d6 with open rolls and fumbles.`
pub fn opening(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix('#').filter(|line| !line.starts_with('#')).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_rules_are_left_out() {
        assert_eq!(
            without_ids("equal or above succeeds [KA-06]. Two"),
            "equal or above succeeds. Two"
        );
        assert_eq!(without_ids("add up [ST-07, ST-08], one"), "add up, one");
        assert_eq!(without_ids("a list [1, 2] of [x"), "a list [1, 2] of [x");
    }

    #[test]
    fn a_file_opens_with_a_comment() {
        assert_eq!(opening("# Kaiser: 2d6.\n#\n"), "Kaiser: 2d6.");
        assert_eq!(opening("## A check.\nfn f() = 1"), "");
    }
}
