//! `astragal convert`: another tool's notation in our own.
//!
//! With `--from` a text is read as that tool reads it. Without, AnyDice is known by its words, and a text that
//! is a program already is printed in the canonical layout, with a notice where other tools would mean
//! something else by it. What is neither is refused with the tools that could read it.

use astragal::{Diagnostic, Diagnostics, Engine, Severity, is_anydice};
use astragal_dialect::{Dialect, convert_noted};
use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse, print};
use serde_json::json as object;

use super::odds::budget;
use crate::arguments::{self, Convert, Source};
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// The notations that are single expressions; AnyDice's programs are run instead.
pub(crate) fn notation(named: arguments::Dialect) -> Option<Dialect> {
    match named {
        arguments::Dialect::Roll20 => Some(Dialect::Roll20),
        arguments::Dialect::Foundry => Some(Dialect::Foundry),
        arguments::Dialect::Avrae => Some(Dialect::Avrae),
        arguments::Dialect::RpgDiceRoller => Some(Dialect::RpgDiceRoller),
        arguments::Dialect::DiceMaiden => Some(Dialect::DiceMaiden),
        arguments::Dialect::Anydice => None,
    }
}

pub(crate) fn run(arguments: &Convert, terminal: &Terminal) -> Result<(), Stop> {
    let source = Source {
        expression: arguments.expression.clone(),
        file: arguments.file.clone(),
        system: None,
        set: Vec::new(),
        dialect: None,
        before: String::new(),
    };
    let (text, name) = input::text(&source)?;
    let from = arguments.from.or_else(|| is_anydice(&text).then_some(arguments::Dialect::Anydice));
    let dialect = from.and_then(notation);
    let ours = match (from, dialect) {
        (_, Some(dialect)) => converted(&text, &name, dialect, terminal)?,
        (Some(_), None) => Engine::new().convert_anydice(&text, &name, &budget(None))?,
        (None, None) => canonical(&text, &name, terminal)?,
    };
    if terminal.json {
        let from = from.map_or("astragal", |_| dialect.map_or("anydice", Dialect::name));
        terminal.say_json(&object!({ "format": 1, "from": from, "text": text, "astragal": ours }));
    } else {
        terminal.out(&ours);
    }
    Ok(())
}

/// The text in our notation. Notices are told.
pub(crate) fn converted(
    text: &str,
    name: &str,
    dialect: Dialect,
    terminal: &Terminal,
) -> Result<String, Stop> {
    match convert_noted(text, dialect) {
        Ok(converted) => {
            terminal.diagnostics(&Diagnostics::of_text(converted.notices, name, text));
            Ok(converted.astragal)
        }
        Err(errors) => Err(Diagnostics::of_text(errors, name, text).into()),
    }
}

/// A program that is in our notation already.
fn canonical(text: &str, name: &str, terminal: &Terminal) -> Result<String, Stop> {
    if let Err(wrong) = Engine::new().compile_named(text, name) {
        if wrong.list().iter().any(|error| error.code == "anydice") {
            return Ok(Engine::new().convert_anydice(text, name, &budget(None))?);
        }
        let mut list = wrong.list().to_vec();
        if let Some(first) = list.first_mut() {
            first.help.extend(readers(text));
        }
        return Err(Diagnostics::of_text(list, name, text).into());
    }
    let parsed = parse(text, SourceId(0), &Limits::default());
    let ours = print(&parsed.file).trim_end().to_owned();
    let notices = readings(text).into_iter().filter(|(_, theirs)| *theirs != ours);
    let notices = notices.map(|(tools, theirs)| {
        let (verb, names) = said(&tools);
        let first = tools.first().map_or("", |dialect| dialect.name());
        let message =
            format!("{names} {verb} this as `{theirs}`: convert it with `--from {first}`");
        Diagnostic::new(Severity::Notice, "other-reading", None, message)
    });
    terminal.diagnostics(&Diagnostics::of_text(notices.collect(), name, text));
    Ok(ours)
}

/// The tools that read a text, and our spelling of what they read.
fn others(text: &str) -> impl Iterator<Item = (Dialect, String)> {
    Dialect::ALL.into_iter().filter_map(move |dialect| {
        convert_noted(text, dialect).ok().map(|converted| (dialect, converted.astragal))
    })
}

/// What tools read a text as, and which of them; those that agree are named together.
fn readings(text: &str) -> Vec<(Vec<Dialect>, String)> {
    let mut found: Vec<(Vec<Dialect>, String)> = Vec::new();
    for (dialect, theirs) in others(text) {
        match found.iter_mut().find(|(_, known)| *known == theirs) {
            Some((tools, _)) => tools.push(dialect),
            None => found.push((vec![dialect], theirs)),
        }
    }
    found
}

/// `reads` or `read`, and who.
fn said(tools: &[Dialect]) -> (&'static str, String) {
    let names: Vec<String> = tools.iter().map(Dialect::to_string).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => {
            ("read", format!("{} and {last}", before.join(", ")))
        }
        _ => ("reads", names.concat()),
    }
}

/// Which of them could read what is no program here.
fn readers(text: &str) -> Vec<String> {
    let known: Vec<String> = others(text)
        .map(|(dialect, ours)| {
            format!("`--from {}` reads it as {dialect} does: `{ours}`", dialect.name())
        })
        .collect();
    match known.is_empty() {
        true => {
            let tools = Dialect::ALL.map(|dialect| dialect.to_string()).join(", ");
            vec![format!("none of {tools} and AnyDice would read it either")]
        }
        false => known,
    }
}
