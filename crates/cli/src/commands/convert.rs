//! `astragal convert`: another tool's notation in our own.
//!
//! With `--from` a text is read as that tool reads it. Without, AnyDice is known by its words, and a text that
//! is a program already is printed in the canonical layout, with a notice where another tool would mean
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
    let differing = others(text).filter(|(_, theirs)| *theirs != ours);
    let notices = differing.map(|(dialect, theirs)| {
        let message = format!(
            "{dialect} reads this as `{theirs}`: convert it with `--from {}`",
            dialect.name()
        );
        Diagnostic::new(Severity::Notice, "other-reading", None, message)
    });
    terminal.diagnostics(&Diagnostics::of_text(notices.collect(), name, text));
    Ok(ours)
}

/// The tools that read a text, and our spelling of what they read.
fn others(text: &str) -> impl Iterator<Item = (Dialect, String)> {
    let dialects = [Dialect::Roll20, Dialect::Foundry].into_iter();
    dialects.filter_map(move |dialect| {
        convert_noted(text, dialect).ok().map(|converted| (dialect, converted.astragal))
    })
}

/// Which of them could read what is no program here.
fn readers(text: &str) -> Vec<String> {
    let known: Vec<String> = others(text)
        .map(|(dialect, ours)| {
            format!("`--from {}` reads it as {dialect} does: `{ours}`", dialect.name())
        })
        .collect();
    match known.is_empty() {
        true => vec!["neither Roll20, Foundry nor AnyDice would read it either".to_owned()],
        false => known,
    }
}
