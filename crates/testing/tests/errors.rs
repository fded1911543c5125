//! Every message has its shortest program on `spec/errors.md`, with its words.
//!
//! `ASTRAGAL_BLESS=1` writes the messages as they are now; read them as prose before you keep them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use astragal::Engine;
use astragal_testing::spec::{blessed, codes, read_page};

/// Codes that no program on a page can bring about, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("cancelled", "another thread stops the request"),
    ("unknown-input", "a host sets an input that the program lacks"),
    ("bad-input", "a host sets an input to something else"),
    ("unknown-system", "a host opens a system that there is not"),
    ("mismatch", "the checker rules it out"),
    ("not-a-number", "the checker rules it out"),
    ("no-such-arm", "a person takes what is not there; see the tests of the command line"),
    ("nobody-chooses", "a roll in which nobody decides; see the tests of rolls"),
    ("no-counterpart", "an AnyDice program is converted; see the tests of the library"),
    ("not-compared", "an AnyDice program is converted; see the tests of the library"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the messages as they are, if asked to.
fn bless(engine: &Engine) {
    if std::env::var_os("ASTRAGAL_BLESS").is_some() {
        std::fs::write(root().join("spec/errors.md"), blessed(engine, "errors.md"))
            .expect("the page can be written");
    }
}

#[test]
fn every_code_has_a_program() {
    let engine = Engine::new();
    bless(&engine);
    let page = read_page("errors.md");
    let shown: BTreeSet<&str> =
        page.checks.iter().flat_map(|check| codes(&engine, &page, check)).collect();
    let all = all_codes();
    assert!(all.len() > 100, "the codes are found in the sources: {all:?}");
    let missing: Vec<&String> = all
        .iter()
        .filter(|code| !shown.contains(code.as_str()))
        .filter(|code| !ELSEWHERE.iter().any(|(known, _)| known == code))
        .collect();
    assert!(missing.is_empty(), "no program on spec/errors.md brings about {missing:?}");
}

#[test]
fn every_program_shows_its_message() {
    let page = read_page("errors.md");
    let silent: Vec<&str> =
        page.checks.iter().filter(|c| c.message.is_none()).map(|c| c.name.as_str()).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

/// The codes that the sources name.
fn all_codes() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["crates/syntax/src", "crates/program/src", "crates/engine/src"] {
        visit(&root().join(folder), &mut |text| {
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            for opening in
                ["Diagnostic::error(", "Diagnostic::hint(", "Diagnostic::new(", " usage("]
            {
                found.extend(text.split(opening).skip(1).filter_map(first_code));
            }
            if text.contains("pub enum FaultKind") {
                let arms = text.split("=> \"").skip(1).filter_map(|rest| rest.split_once("\","));
                found.extend(arms.map(|(code, _)| code.to_owned()).filter(|code| is_code(code)));
            }
        });
    }
    found
}

/// The first text literal, if it is a code.
fn first_code(after: &str) -> Option<String> {
    let (before, rest) = after.split_once('"')?;
    let code = rest.split('"').next()?;
    (before.len() < 60 && is_code(code)).then(|| code.to_owned())
}

fn is_code(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
}

fn visit(folder: &Path, see: &mut impl FnMut(&str)) {
    for entry in std::fs::read_dir(folder).expect("the sources lie here").flatten() {
        let path = entry.path();
        if path.is_dir() {
            visit(&path, see);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            see(&std::fs::read_to_string(path).expect("a source is text"));
        }
    }
}
