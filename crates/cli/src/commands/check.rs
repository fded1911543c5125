//! `astragal check`: what is wrong with a program, without rolling it.
//!
//! Types that fit are not all: `10 / 0` has no value, and a kind of modifier may be misspelt. Where the odds are soon
//! known, a program that can fail is told so.
//!
//! A file of house rules defines things and has no result. That is no mistake here: such a file is
//! checked with a result that has nothing to do with it, and the answer is what it defines.

use std::path::Path;

use astragal::{Budget, Program, json};
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{Parameter, Statement, StatementKind};
use astragal_syntax::{Limits, parse};

use crate::arguments::{Check, Source};
use crate::house;
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// The work that is spent on trying a program out: a moment.
const A_MOMENT: u64 = 20_000_000;

pub(crate) fn run(arguments: &Check, terminal: &Terminal) -> Result<(), Stop> {
    let defined = defined(&arguments.source)?;
    let program = match &defined {
        Some(defined) => definitions(&arguments.source, defined, terminal)?,
        None => input::program(&arguments.source, terminal)?,
    };
    try_out(&program)?;
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
        Some(defined) => {
            let lines: Vec<&str> = defined.iter().map(|one| one.text.as_str()).collect();
            terminal.say(&lines.join("\n"));
        }
        None => tell_results(&program, terminal),
    }
    tell_inputs(&program, terminal);
    Ok(())
}

/// Definitions as a program with a result; the values that they name are tried out.
fn definitions(source: &Source, defined: &[Defined], terminal: &Terminal) -> Result<Program, Stop> {
    let with = |result: &str| match &source.file {
        Some(path) => Ok(house::engine(path)?.compile(result)?),
        // The result is last, so that every place keeps its line and column.
        None => {
            let text = |text: &str| format!("{text}\n{result}");
            input::program_from(source, text, |_| String::new(), terminal)
        }
    };
    let program = with("0")?;
    let values = defined.iter().filter_map(|one| one.value.as_deref());
    // One that names a function is no result.
    let named = |name: &str| match source.file.as_deref().and_then(Path::file_stem) {
        // The file may be called as one of its values is.
        Some(file) => format!("{}.{name}", file.display()),
        None => name.to_owned(),
    };
    values
        .filter_map(|name| with(&named(name)).or_else(|_| with(name)).ok())
        .try_for_each(|value| try_out(&value))?;
    Ok(program)
}

fn try_out(program: &Program) -> Result<(), Stop> {
    let budget = Budget::default().with_steps(A_MOMENT).with_guard(astragal::guard());
    match program.odds(&budget) {
        Err(wrong) if !wrong.is_over_budget() => Err(wrong.into()),
        _ => Ok(()),
    }
}

fn tell_results(program: &Program, terminal: &Terminal) {
    for (name, ty) in program.results() {
        terminal.say_folded(&name.map_or_else(|| ty.to_string(), |name| format!("{name}: {ty}")));
    }
}

fn tell_inputs(program: &Program, terminal: &Terminal) {
    for input in program.inputs() {
        let doc = input.doc.map_or_else(String::new, |doc| format!("  {}", doc.replace('\n', " ")));
        terminal.tell(&format!("input {}: {}{doc}", input.name, input.ty));
    }
}

/// One of the things that a text defines.
struct Defined {
    text: String,
    /// The name of a value.
    value: Option<String>,
}

/// What a text defines, if it does nothing else.
fn defined(source: &Source) -> Result<Option<Vec<Defined>>, Stop> {
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
    let defined: Option<Vec<Defined>> = statements.iter().map(definition).collect();
    Ok(defined.filter(|list| !list.is_empty()))
}

fn definition(statement: &Statement) -> Option<Defined> {
    let (text, value) = match &statement.kind {
        StatementKind::Function { name, parameters, .. } => {
            let parameters: Vec<String> = parameters.iter().map(parameter).collect();
            (format!("fn {}({})", name.text, parameters.join(", ")), None)
        }
        StatementKind::Enumeration { name, variants } => {
            let variants: Vec<&str> = variants.iter().map(|name| name.text.as_str()).collect();
            (format!("enum {} = {}", name.text, variants.join(" | ")), None)
        }
        StatementKind::Use { path, .. } => (format!("use \"{path}\""), None),
        StatementKind::Let { name, .. } => (format!("let {}", name.text), Some(name.text.clone())),
        StatementKind::Input { .. }
        | StatementKind::Show { .. }
        | StatementKind::Require { .. }
        | StatementKind::Given { .. }
        | StatementKind::Note { .. }
        | StatementKind::Expression(_) => return None,
    };
    Some(Defined { text, value })
}

/// `roll dice`, `again …` for one that may be left out.
fn parameter(parameter: &Parameter) -> String {
    let roll = if parameter.roll { "roll " } else { "" };
    let optional = if parameter.default.is_some() { "?" } else { "" };
    format!("{roll}{}{optional}", parameter.name.text)
}
