//! Rules found by their number or by a word: `systems CD-28`, `systems rote`.
//!
//! The systems say in comments which rule of their page each line follows. Here these comments are read sentence by
//! sentence, each with the definition that it stands before.

use astragal::SYSTEMS;
use astragal_assist::prose::sentences;

/// So many sentences are shown for a word.
const MOST: usize = 12;

/// A sentence of a system's file.
struct Passage {
    system: &'static str,
    /// The function or enumeration that it stands before.
    about: String,
    sentence: String,
}

/// The rules that have this number or this word in them, if there are any.
pub(super) fn found(wanted: &str) -> Option<String> {
    let passages = SYSTEMS.iter().flat_map(|(system, text)| passages(system, text));
    let fitting: Vec<Passage> = passages.filter(|passage| fits(passage, wanted)).collect();
    if fitting.is_empty() {
        return None;
    }
    let told = fitting
        .iter()
        .take(MOST)
        .map(|passage| format!("{}.{}\n    {}", passage.system, passage.about, passage.sentence));
    let mut told: Vec<String> = told.collect();
    if let Some(more @ 1..) = fitting.len().checked_sub(MOST) {
        told.push(format!("… and {more} more: a longer word finds fewer"));
    }
    Some(told.join("\n\n"))
}

/// A number is written in brackets; a word may be the beginning of one.
fn fits(passage: &Passage, wanted: &str) -> bool {
    let text = passage.sentence.replace('`', "").to_lowercase();
    let wanted = wanted.to_lowercase();
    let brackets = text.split('[').skip(1).filter_map(|part| part.split_once(']'));
    if brackets.flat_map(|(inside, _)| inside.split(", ")).any(|number| number == wanted) {
        return true;
    }
    let is_number = wanted.contains('-') && wanted.ends_with(|c: char| c.is_ascii_digit());
    let begins =
        |word: &str| word.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with(&wanted);
    !is_number
        && (text.split_whitespace().any(begins) || wanted.contains(' ') && text.contains(&wanted))
}

/// The sentences of all comments of a system.
fn passages(system: &'static str, text: &'static str) -> Vec<Passage> {
    let mut found = Vec::new();
    let mut comment = String::new();
    for line in text.lines() {
        match (line.strip_prefix('#'), defined(line)) {
            (Some(words), _) if !words.trim_start().starts_with("---") => {
                comment.push_str(words.trim_start_matches('#'));
                comment.push('\n');
            }
            (_, Some(about)) => {
                let about = about.to_owned();
                let rules =
                    comment.split_once("Form:").map_or(comment.as_str(), |(rules, _)| rules);
                let told = sentences(rules).filter(|sentence| !sentence.starts_with("Example:"));
                found.extend(told.map(|sentence| {
                    let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
                    Passage { system, about: about.clone(), sentence }
                }));
                comment.clear();
            }
            _ => {}
        }
    }
    found
}

/// The name that a line defines.
fn defined(line: &str) -> Option<&str> {
    let rest = ["fn ", "enum ", "let "].into_iter().find_map(|word| line.strip_prefix(word))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_in_a_system_is_found() {
        for (system, text) in SYSTEMS {
            let comments = text.lines().filter(|line| line.starts_with('#'));
            let brackets = comments.flat_map(|line| line.split('[').skip(1));
            let inside = brackets.filter_map(|part| part.split_once(']'));
            for number in inside.flat_map(|(numbers, _)| numbers.split(", ")) {
                let is_rule = number.split_once('-').is_some_and(|(prefix, digits)| {
                    prefix.len() == 2 && digits.chars().all(|c| c.is_ascii_digit())
                });
                if is_rule {
                    let told = found(number).unwrap_or_else(|| panic!("{system} {number}"));
                    assert!(told.contains(number), "{number}: {told}");
                }
            }
        }
    }

    #[test]
    fn words_are_found_by_their_beginning() {
        assert!(found("rote").is_some_and(|told| told.contains("cofd.rote_successes")));
        assert!(found("extra successes").is_some_and(|told| told.contains("[CD-28]")));
        assert!(found("zzz").is_none());
        assert!(found("CD-999").is_none());
    }
}
