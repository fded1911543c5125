//! The pages of `spec/`: prose with programs and what they yield, executed.
//!
//! A fenced `dice` block holds a program, the `expect` block directly after it what holds of it, one fact
//! a line; `spec/README.md` lists the facts; an `error` block after that holds its message word for word.
//! A `house` block makes a file out of a shipped system by one
//! replacement, so that a page can show a house rule.

mod fact;
mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use astragal::{Diagnostics, Engine, Files, SYSTEMS};

pub use page::{Check, House, Message, Page};

/// What came of a page.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many facts were checked.
    pub facts: usize,
    /// The checks that failed: name, and what is wrong.
    pub wrong: Vec<(String, String)>,
    /// The rule ids that executed checks name.
    pub rules: BTreeSet<String>,
}

impl Outcome {
    /// All that is wrong, in words.
    pub fn report(&self) -> String {
        let lines = self.wrong.iter().map(|(name, said)| format!("--- {name}\n{said}"));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Reads a page of `spec/`, such as `systems/cofd.md`.
pub fn read_page(name: &str) -> Page {
    let path = folder().join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Page::parse(name, &text),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// The names of all pages, without the page that explains them.
pub fn page_names() -> Vec<String> {
    let mut names = Vec::new();
    for folder_name in ["", "systems/"] {
        let entries = std::fs::read_dir(folder().join(folder_name));
        let entries = entries.unwrap_or_else(|error| panic!("spec/{folder_name}: {error}"));
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") && name != "README.md" {
                names.push(format!("{folder_name}{name}"));
            }
        }
    }
    names.sort();
    names
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec")
}

/// Executes a page.
pub fn run_page(engine: &Engine, page: &Page) -> Outcome {
    let engine = with_files(engine, page);
    let mut outcome = Outcome::default();
    outcome.wrong.extend(page.mistakes.iter().map(|said| (page.name.clone(), said.clone())));
    for check in &page.checks {
        let run = fact::run(&engine, check);
        outcome.facts += run.facts;
        outcome.rules.extend(run.rules);
        if !run.wrong.is_empty() {
            let said = format!("{}\n{}", check.program.trim_end(), run.wrong.join("\n"));
            outcome.wrong.push((check.name.clone(), said));
        }
    }
    outcome
}

/// What a check's program says for itself: its errors, or its hints.
pub fn message(engine: &Engine, page: &Page, check: &Check) -> String {
    fact::message(&with_files(engine, page), check)
}

/// All that a check's program says, as data.
pub fn said(engine: &Engine, page: &Page, check: &Check) -> Option<Diagnostics> {
    fact::said(&with_files(engine, page), check)
}

/// The codes of all that a check's program says.
pub fn codes(engine: &Engine, page: &Page, check: &Check) -> Vec<&'static str> {
    fact::codes(&with_files(engine, page), check)
}

/// The text of a page with each `error` block as it should be.
pub fn blessed(engine: &Engine, name: &str) -> String {
    let text = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
    let page = Page::parse(name, &text);
    let mut lines: Vec<&str> = text.lines().collect();
    let messages: Vec<(usize, usize, String)> = page
        .checks
        .iter()
        .filter_map(|check| {
            let block = check.message.as_ref()?;
            Some((block.line, block.text.lines().count(), message(engine, &page, check)))
        })
        .collect();
    for (line, count, said) in messages.iter().rev() {
        lines.splice(*line..line + count, said.lines());
    }
    lines.join("\n") + "\n"
}

fn with_files(engine: &Engine, page: &Page) -> Engine {
    engine.clone().with_files(houses(page))
}

/// The files that `use` finds on a page.
#[derive(Clone, Debug)]
struct Houses(BTreeMap<String, String>);

impl Files for Houses {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.get(path).cloned().ok_or_else(|| "there is no such file".into())
    }
}

fn houses(page: &Page) -> Houses {
    let made = page.houses.iter().map(|house| {
        let shipped = SYSTEMS.iter().find(|(name, _)| *name == house.from);
        let Some((_, text)) = shipped else { panic!("{}: no system `{}`", page.name, house.from) };
        assert_eq!(
            text.matches(&house.replace).count(),
            1,
            "{}: `{}` stands once in {}.dice",
            page.name,
            house.replace,
            house.from
        );
        (house.file.clone(), text.replace(&house.replace, &house.with))
    });
    Houses(made.chain(page.files.iter().cloned()).collect())
}
