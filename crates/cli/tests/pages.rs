//! The README's commands and the examples do what they say.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::path::PathBuf;

use common::page::words;
use common::{Page, astragal, root};

#[test]
fn every_command_of_the_readme_gives_what_stands_there() {
    let path = root().join("README.md");
    let page = Page::read(&path);
    let mut commands = 0;
    let actual = page.played(|words| {
        commands += 1;
        astragal(words).out
    });
    assert!(commands >= 5);
    if std::env::var_os("ASTRAGAL_UPDATE").is_some() {
        std::fs::write(path, actual).unwrap();
    } else {
        assert_eq!(page.text, actual);
    }
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(
        words(r#" roll 'd6 + "x"' --faces "" a"b c"d"#),
        ["roll", "d6 + \"x\"", "--faces", "", "ab cd"]
    );
}

fn examples() -> Vec<PathBuf> {
    dice_files("examples")
}

fn dice_files(folder: &str) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join(folder)).unwrap();
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
            let told = ran
                .err
                .lines()
                .all(|line| line.starts_with("notice: ") || line == "(seed 1, roll 1)");
            assert!(ran.code == 0 && told, "{line:?}: {}", ran.err);
        }
    }
}

#[test]
fn every_example_and_system_is_in_the_canonical_layout() {
    let built_in =
        ["crates/engine/systems", "crates/engine/prelude"].into_iter().flat_map(dice_files);
    for path in examples().into_iter().chain(built_in) {
        let ran = astragal(&["fmt", "--check", path.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}", ran.out);
    }
}
