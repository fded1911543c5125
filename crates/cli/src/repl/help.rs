//! `:help` and `:help name`: anything that can be written in a session.

use astragal_assist::catalogue::signature;
use astragal_assist::definitions::Kind;
use astragal_assist::names::{Catalogue, Known};
use astragal_assist::words::{BUILT_IN, KEYWORDS, NOTATION, SUFFIXES, Word, find};

use super::commands::COMMANDS;
use super::table;
use super::wrap::explained;

/// What a line may be.
const LINES: &[(&str, &str)] = &[
    ("4d6kh3", "roll it, every die explained"),
    ("? 4d6kh3", "its exact odds; `?` alone: those of the last roll"),
    ("", "an empty line does the last one again, with fresh dice"),
    ("let hp = 2d6", "throws once and stays; `let hp = hp - d8` changes it"),
    ("fn hit() = d20+5", "throws anew each time; `enum`, `param` and `use` last, too"),
    ("_", "the last result"),
    ("Tab, Ctrl-C", "completes names; stops a computation, keeps the session"),
];

/// What can be done.
pub(super) fn overview(width: usize) -> String {
    let lines = LINES.iter().map(|(line, does)| ((*line).to_owned(), *does));
    let commands = COMMANDS
        .iter()
        .map(|command| (format!(":{} {}", command.name, command.takes), command.does));
    explained(lines.chain(commands), 17, width)
}

/// Help on one name; what it was perhaps meant to be, if it is unknown.
pub(crate) fn on(name: &str, names: &Catalogue, width: usize) -> Result<String, String> {
    let mut parts: Vec<String> = Vec::new();
    let bare = name.trim_start_matches(':');
    let asks_for_command = name.starts_with(':');
    let commands = COMMANDS.iter().filter(|c| asks_for_command && c.name == bare);
    parts.extend(commands.map(|c| match c.name {
        "table" => table::overview(width),
        _ => format!(":{} {}\n    {}", c.name, c.takes, c.does),
    }));
    if !asks_for_command {
        parts.extend(find(NOTATION, name).map(|word| described("notation", word)));
        parts.extend(find(KEYWORDS, name).map(|word| described("keyword", word)));
        parts.extend(find(SUFFIXES, name).map(|word| described("suffix", word)));
        parts.extend(find(BUILT_IN, name).map(|word| described("function", word)));
        parts.extend(own(name, names));
        parts.extend(names.functions(name).iter().map(function));
        parts.extend(names.system(name).map(|page| system(page, names)));
        parts.extend(enumeration(name, names));
    }
    if parts.is_empty() { Err(unknown(name, names)) } else { Ok(parts.join("\n\n")) }
}

fn described(kind: &str, word: &Word) -> String {
    let example = word.example.replace('\n', "\n             ");
    let example = if example.is_empty() { example } else { format!("\n    Example: {example}") };
    format!("{} ({kind})\n    {}{example}", word.names.join(", "), word.meaning)
}

fn function(known: &Known) -> String {
    let doc = known.function.doc.as_deref().unwrap_or_default();
    let doc: String = doc.lines().map(|line| format!("\n    {}", line.trim())).collect();
    format!("{}{}{doc}", known.prefix, signature(&known.function))
}

/// A definition of the session that is no function.
fn own(name: &str, names: &Catalogue) -> Option<String> {
    let found = names.own().iter().rev().find(|definition| definition.name == name)?;
    (!matches!(found.kind, Kind::Function(_))).then(|| found.text.clone())
}

fn system(page: &astragal::Documentation, names: &Catalogue) -> String {
    let functions = page.functions.iter().filter(|function| function.doc.is_some());
    let lines = functions.map(|f| format!("{}.{}", page.name, signature(f)));
    let others = names.systems().map(|page| page.name.as_str()).collect::<Vec<_>>().join(", ");
    let opened = format!("`:system {}` makes the prefix unnecessary; systems: {others}", page.name);
    lines.chain([opened]).collect::<Vec<_>>().join("\n")
}

fn enumeration(name: &str, names: &Catalogue) -> Option<String> {
    let variants = names.variants(name.rsplit('.').next().unwrap_or(name));
    let is_own = names.own().iter().any(|definition| definition.name == name);
    (!variants.is_empty() && !is_own).then(|| format!("enum {name} = {}", variants.join(" | ")))
}

fn unknown(name: &str, names: &Catalogue) -> String {
    let mut known: Vec<String> = Vec::new();
    if name.starts_with(':') {
        known.extend(COMMANDS.iter().map(|command| format!(":{}", command.name)));
    } else {
        let words = SUFFIXES.iter().chain(KEYWORDS).chain(BUILT_IN).chain(NOTATION);
        known.extend(words.flat_map(|word| word.names).map(|&name| name.to_owned()));
        known.extend(names.own().iter().map(|definition| definition.name.clone()));
        known.extend(names.systems().map(|page| page.name.clone()));
        let functions: Vec<Known> = names.all_functions().collect();
        known.extend(functions.iter().map(|known| known.function.name.clone()));
        known.extend(
            functions.iter().map(|known| format!("{}{}", known.prefix, known.function.name)),
        );
    }
    match astragal_syntax::suggest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("there is no help on `{name}`: did you mean `{near}`?"),
        None => format!("there is no help on `{name}`: see `:help` and `:systems`"),
    }
}
