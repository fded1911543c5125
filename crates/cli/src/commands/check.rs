//! `astragal check`: what is wrong with a program, without rolling it.
//!
//! A file of house rules defines things and has no result. That is no mistake here: such a file is
//! checked with a result that has nothing to do with it, and the answer is what it defines.

use std::path::Path;

use astragal::{Program, json};
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{Parameter, Statement, StatementKind};
use astragal_syntax::{Limits, parse};

use crate::arguments::{Check, Source};
use crate::house;
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Check, terminal: &Terminal) -> Result<(), Stop> {
    let defined = defined(&arguments.source)?;
    let program = match (&defined, &arguments.source.file) {
        (Some(_), Some(path)) => house::engine(path)?.compile("0")?,
        (Some(_), None) => {
            input::program_from(&arguments.source, with_result, |_| String::new(), terminal)?
        }
        (None, _) => input::program(&arguments.source, terminal)?,
    };
    // What a file defines is for others to use.
    let hints = match &defined {
        Some(_) => program.hints().without("unused-let"),
        None => program.hints().clone(),
    };
    if defined.is_some() {
        terminal.diagnostics(&hints);
    }
    if terminal.json {
        terminal.say_json(&json::diagnostics(&hints));
        return Ok(());
    }
    match defined {
        Some(definitions) => terminal.say(&definitions.join("\n")),
        None => tell_results(&program, terminal),
    }
    tell_inputs(&program, terminal);
    Ok(())
}

/// The result is last, so that every place keeps its line and column.
fn with_result(text: &str) -> String {
    format!("{text}\n0")
}

fn tell_results(program: &Program, terminal: &Terminal) {
    for (name, ty) in program.results() {
        terminal.say(&name.map_or_else(|| ty.to_string(), |name| format!("{name}: {ty}")));
    }
}

fn tell_inputs(program: &Program, terminal: &Terminal) {
    for input in program.inputs() {
        let doc = input.doc.map_or_else(String::new, |doc| format!("  {}", doc.replace('\n', " ")));
        terminal.tell(&format!("input {}: {}{doc}", input.name, input.ty));
    }
}

/// What a text defines, if it does nothing else.
fn defined(source: &Source) -> Result<Option<Vec<String>>, Stop> {
    // Standard input can be read once only.
    if source.file.as_deref() == Some(Path::new("-")) {
        return Ok(None);
    }
    // Beside an expression a file is its house rules.
    if source.expression.is_some() && source.file.is_some() {
        return Ok(None);
    }
    let (text, _) = input::text(source)?;
    let statements = parse(&text, SourceId(0), &Limits::default()).file.block.statements;
    let defined: Option<Vec<String>> = statements.iter().map(definition).collect();
    Ok(defined.filter(|list| !list.is_empty()))
}

fn definition(statement: &Statement) -> Option<String> {
    match &statement.kind {
        StatementKind::Function { name, parameters, .. } => {
            let parameters: Vec<String> = parameters.iter().map(parameter).collect();
            Some(format!("fn {}({})", name.text, parameters.join(", ")))
        }
        StatementKind::Enumeration { name, variants } => {
            let variants: Vec<&str> = variants.iter().map(|name| name.text.as_str()).collect();
            Some(format!("enum {} = {}", name.text, variants.join(" | ")))
        }
        StatementKind::Use { path, .. } => Some(format!("use \"{path}\"")),
        StatementKind::Let { name, .. } => Some(format!("let {}", name.text)),
        StatementKind::Input { .. }
        | StatementKind::Show { .. }
        | StatementKind::Require { .. }
        | StatementKind::Given { .. }
        | StatementKind::Note { .. }
        | StatementKind::Expression(_) => None,
    }
}

/// `roll dice`, `again …` for one that may be left out.
fn parameter(parameter: &Parameter) -> String {
    let roll = if parameter.roll { "roll " } else { "" };
    let optional = if parameter.default.is_some() { "?" } else { "" };
    format!("{roll}{}{optional}", parameter.name.text)
}
