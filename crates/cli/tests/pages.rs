//! The README's commands and the examples do what they say.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::path::PathBuf;

use common::{astragal, root};

#[test]
fn every_command_of_the_readme_gives_what_stands_there() {
    let page = std::fs::read_to_string(root().join("README.md")).unwrap();
    let commands = commands(&page);
    assert!(commands.len() >= 5);
    for (command, expected) in commands {
        match arguments(&command) {
            Some(words) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let ran = astragal(&words);
                assert_eq!(ran.out.trim_end(), expected.trim_end(), "$ {command}\n{}", ran.err);
            }
            None => {
                assert_eq!(command, "cargo xtask test", "the runner does not know this command")
            }
        }
    }
}

/// The commands of all ```console blocks, each with the lines that follow it.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) => inside = line == "```console",
            (true, _) if line == "```" => inside = false,
            (true, Some(command)) => commands.push((command.into(), String::new())),
            (true, None) => {
                let (_, output) = commands.last_mut().expect("a block begins with a command");
                *output += &format!("{line}\n");
            }
        }
    }
    commands
}

/// What a command hands to the binary; none if it is another program's.
fn arguments(command: &str) -> Option<Vec<String>> {
    let own = ["cargo run --release --", "cargo run --release", "astragal"];
    let rest = own.iter().find_map(|name| command.strip_prefix(name))?;
    Some(words(rest))
}

/// Words as a shell splits them: blanks separate, quotes keep together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(
        words(r#" roll 'd6 + "x"' --faces "" a"b c"d"#),
        ["roll", "d6 + \"x\"", "--faces", "", "ab cd"]
    );
}

fn examples() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("examples")).unwrap();
    let paths = folder.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "dice")).collect()
}

#[test]
fn every_example_rolls_and_has_odds() {
    assert!(!examples().is_empty());
    for path in examples() {
        let path = path.to_str().unwrap();
        for line in [&["roll", "--file", path, "--seed", "1"][..], &["odds", "--file", path]] {
            let ran = astragal(line);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line:?}");
        }
    }
}

#[test]
fn every_example_is_in_the_canonical_layout() {
    for path in examples() {
        let ran = astragal(&["fmt", "--check", path.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}", ran.out);
    }
}
