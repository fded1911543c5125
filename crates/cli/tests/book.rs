//! The book says what the program does: its commands are run, its system chapters are the systems' own
//! words, its examples work. `ASTRAGAL_UPDATE=1 cargo test -p astragal-cli --test book` writes the pages
//! anew; read the difference before you keep it.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::path::{Path, PathBuf};

use astragal::{Budget, Engine, Law, Program};
use common::{Page, astragal, root};

fn pages() -> Vec<PathBuf> {
    let book = root().join("book/src");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(&book)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages
}

fn updating() -> bool {
    std::env::var_os("ASTRAGAL_UPDATE").is_some()
}

#[test]
fn every_command_of_the_book_gives_what_stands_there() {
    let mut commands = 0;
    for path in pages() {
        let page = Page::read(&path);
        let actual = page.played(|words| {
            commands += 1;
            let ran = astragal(words);
            if ran.out.is_empty() { ran.err } else { ran.out }
        });
        keep_or_compare(&path, &page.text, &actual);
    }
    assert!(commands >= 10, "the book has only {commands} commands");
}

#[test]
fn every_program_of_the_book_is_answered() {
    let mut programs = 0;
    for path in pages() {
        let text = std::fs::read_to_string(&path).unwrap();
        for block in text.split("\n```dice\n").skip(1) {
            let program = block.split("\n```").next().unwrap_or_default();
            let ran = astragal(&["odds", program, "--json"]);
            assert_eq!(ran.code, 0, "{}: {program}\n{}", path.display(), ran.out);
            programs += 1;
        }
    }
    assert!(programs >= 8, "the book has only {programs} programs");
}

#[test]
fn the_chapters_of_the_systems_are_their_own_words() {
    for system in ["stormchaser", "srd", "cofd", "crucible", "kaiser"] {
        let chapter = astragal(&["systems", system, "--markdown"]);
        let path = root().join(format!("book/src/systems/{system}.md"));
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        keep_or_compare(&path, &known, &chapter.out);
        let examples = examples(&chapter.out);
        assert!(examples.len() >= 3, "{system} has only {} examples", examples.len());
        for example in examples {
            let ran = astragal(&["odds", &example, "--json"]);
            assert_eq!(ran.code, 0, "{example}: {}", ran.out);
        }
    }
}

#[test]
fn idioms_of_anydice_and_ours_have_the_same_odds() {
    let text = std::fs::read_to_string(root().join("book/src/anydice.md")).unwrap();
    let (engine, budget) = (Engine::new(), Budget::default());
    let mut pairs = 0;
    for block in text.split("```anydice\n").skip(1) {
        let (theirs, rest) = block.split_once("\n```\n```dice\n").unwrap();
        let (ours, _) = rest.split_once("\n```").unwrap();
        let theirs = engine.compile_anydice(theirs, "theirs", &budget).unwrap();
        let ours = engine.compile(ours).unwrap_or_else(|wrong| panic!("{wrong}"));
        let laws = |program: &Program| -> Vec<Law> {
            let odds = program.odds(&budget).unwrap();
            odds.results.iter().map(|answer| answer.exact_law().unwrap().clone()).collect()
        };
        assert_eq!(laws(&theirs), laws(&ours), "{}\n{}", theirs.text(), ours.text());
        pairs += 1;
    }
    assert!(pairs >= 20, "there are only {pairs} idioms");
}

/// The programs of a page's ```dice blocks.
fn examples(page: &str) -> Vec<String> {
    let blocks = page.split("```dice\n").skip(1);
    blocks.filter_map(|rest| rest.split_once("\n```").map(|(program, _)| program.into())).collect()
}

fn keep_or_compare(path: &Path, known: &str, actual: &str) {
    if updating() {
        std::fs::write(path, actual).unwrap();
    } else {
        assert_eq!(known, actual, "{}", path.display());
    }
}
