//! Mistakes that people make, each with what is said of it: the fact, the place, the help, and the program with each
//! proposed edit made. `mistakes.txt` is read as prose; `ASTRAGAL_BLESS=1` writes what is said now.
//!
//! A proposal is a promise: made, it gives a program that checks.

use std::path::PathBuf;

use astragal::{Diagnostic, Diagnostics, Engine, Severity, SourceId, alternatives, edited};
use astragal_testing::spec::{read_page, said};

/// A program, and what is expected to be said of it.
struct Mistake {
    program: String,
    expected: String,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("mistakes.txt")
}

/// Blocks with blank lines between them: `> program`, then what is said. Lines that begin with `#` are headings.
fn mistakes(text: &str) -> Vec<Mistake> {
    let blocks = text.split("\n\n").filter_map(|block| block.trim().strip_prefix("> "));
    blocks
        .map(|block| {
            let (program, expected) = block.split_once('\n').unwrap_or((block, ""));
            Mistake { program: program.to_owned(), expected: expected.to_owned() }
        })
        .collect()
}

/// What a text says for itself, from its check or its odds.
fn diagnostics(engine: &Engine, text: &str) -> Option<Diagnostics> {
    match engine.compile(text) {
        Err(errors) => Some(errors),
        Ok(program) => match program.odds(&astragal::Budget::default()) {
            Err(errors) => Some(errors),
            Ok(_) => Some(program.hints().clone()).filter(|hints| !hints.list().is_empty()),
        },
    }
}

/// The program with each way to mend it made.
fn mended(text: &str, diagnostic: &Diagnostic) -> Vec<String> {
    let groups = alternatives(&diagnostic.edits);
    groups.iter().filter_map(|group| edited(text, group)).map(|(mended, _)| mended).collect()
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.severity, Severity::Error | Severity::OverBudget)
}

/// What is said, in the words of the file.
fn told(engine: &Engine, text: &str) -> String {
    let Some(found) = diagnostics(engine, text) else { return "nothing".to_owned() };
    let mut lines = Vec::new();
    for diagnostic in found.list() {
        let place = diagnostic.labels.first().map(|label| label.span);
        let place = place.filter(|span| span.source == SourceId(0));
        let place = place.map_or("elsewhere", |span| &text[span.range()]);
        let column = diagnostic.labels.first().map_or(0, |label| {
            1 + text.get(..label.span.start as usize).map_or(0, |before| before.chars().count())
        });
        lines.push(format!(
            "{}[{}] at {column} `{place}`: {}",
            diagnostic.severity.name(),
            diagnostic.code,
            diagnostic.message
        ));
        lines.extend(diagnostic.help.iter().map(|help| format!("  help: {help}")));
        lines.extend(
            mended(text, diagnostic).into_iter().map(|mended| format!("  write: {mended}")),
        );
    }
    lines.join("\n")
}

#[test]
fn every_mistake_is_told_its_place_its_cause_and_what_to_write() {
    let engine = Engine::new();
    let text = std::fs::read_to_string(path()).expect("the list of mistakes");
    if std::env::var_os("ASTRAGAL_BLESS").is_some() {
        let blocks = text.split("\n\n").map(|block| match block.trim().strip_prefix("> ") {
            Some(block) => {
                let program = block.lines().next().unwrap_or_default();
                format!("> {program}\n{}", told(&engine, program))
            }
            None => block.trim().to_owned(),
        });
        let blessed = blocks.collect::<Vec<_>>().join("\n\n") + "\n";
        std::fs::write(path(), blessed).expect("the list can be written");
        return;
    }
    let list = mistakes(&text);
    assert!(list.len() > 90, "{} mistakes", list.len());
    let wrong: Vec<String> = list
        .iter()
        .map(|mistake| (mistake, told(&engine, &mistake.program)))
        .filter(|(mistake, told)| *told != mistake.expected.trim_end())
        .map(|(mistake, told)| format!("> {}\n{told}", mistake.program))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_is_proposed_for_a_mistake_is_a_program() {
    let engine = Engine::new();
    let text = std::fs::read_to_string(path()).expect("the list of mistakes");
    for Mistake { program, .. } in mistakes(&text) {
        let Some(found) = diagnostics(&engine, &program) else { continue };
        let errors = found.list().iter().filter(|d| is_error(d)).count();
        for mended in found.list().iter().flat_map(|d| mended(&program, d)) {
            let left = engine.compile(&mended).err();
            let left = left.map_or(0, |left| left.list().iter().filter(|d| is_error(d)).count());
            assert!(left == 0 || left < errors, "{program} becomes {mended}");
        }
    }
}

/// Over all messages that there are: what is proposed mends what it is proposed for.
#[test]
fn every_edit_mends() {
    let engine = Engine::new();
    let page = read_page("errors.md");
    let mut edits = 0;
    for check in &page.checks {
        let Some(found) = said(&engine, &page, check) else { continue };
        let errors = found.list().iter().filter(|d| is_error(d)).count();
        for diagnostic in found.list() {
            for mended in mended(&check.program, diagnostic) {
                edits += 1;
                let left = diagnostics(&engine, &mended);
                let list = left.as_ref().map_or(&[] as &[Diagnostic], Diagnostics::list);
                let same = list
                    .iter()
                    .any(|d| d.code == diagnostic.code && d.message == diagnostic.message);
                let left = list.iter().filter(|d| is_error(d)).count();
                let mends = left == 0 || left < errors || !same;
                assert!(mends, "{}\nbecomes\n{mended}\nwhich says\n{list:?}", check.program);
            }
        }
    }
    assert!(edits > 40, "{edits} edits were made");
}
