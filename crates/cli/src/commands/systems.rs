//! `astragal systems`: what is built in.

use astragal::{Documentation, Engine, EnumerationDoc, FunctionDoc, SYSTEMS};
use astragal_assist::catalogue::signature;
use astragal_assist::prose::opening;

use super::catalogue::catalogue;
use super::chapter::chapter;
use super::rules;
use crate::arguments::Systems;
use crate::input::no_such_system;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Systems, terminal: &Terminal) -> Result<(), Stop> {
    // `systems cofd action` is `systems cofd.action`.
    let is_member = |words: &[String]| words.len() == 2 && source(&words[0]).is_ok();
    let between = if is_member(&arguments.name) { "." } else { " " };
    let name = Some(arguments.name.join(between)).filter(|name| !name.is_empty());
    if terminal.json {
        terminal.say_json(&catalogue(name.as_deref())?);
        return Ok(());
    }
    let Some(name) = &name else {
        terminal.say(&list());
        terminal.tell(
            "(`astragal systems cofd` shows what a system offers, `systems rote` where a word stands, \
             `systems cofd --source` prints its file)",
        );
        return Ok(());
    };
    if arguments.source {
        terminal.out(source(name)?);
        return Ok(());
    }
    match Engine::new().documentation(name) {
        Some(page) if terminal.markdown => terminal.say(chapter(&page).trim_end()),
        _ => terminal.say(&terminal.wrapped(&about(name)?).join("\n")),
    }
    Ok(())
}

/// A system, one function of it, or the rules that a word or a number is found in.
pub(crate) fn about(name: &str) -> Result<String, Stop> {
    let engine = Engine::new();
    let (system, function) = name.split_once('.').map_or((name, None), |(s, f)| (s, Some(f)));
    match (engine.documentation(system), function) {
        (Some(page), None) => Ok(whole(&page)),
        (Some(page), Some(wanted)) => one(&page, wanted),
        (None, _) => rules::found(name).ok_or_else(|| no_such_system(&engine, name)),
    }
}

/// The file of a system.
fn source(name: &str) -> Result<&'static str, Stop> {
    let found = SYSTEMS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| no_such_system(&Engine::new(), name))
}

/// All systems, one a line.
pub(crate) fn list() -> String {
    let widest = SYSTEMS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = SYSTEMS.iter().map(|(name, text)| format!("{name:widest$}  {}", opening(text)));
    lines.collect::<Vec<_>>().join("\n")
}

fn whole(page: &Documentation) -> String {
    let functions = page.functions.iter().filter(|function| function.doc.is_some());
    let functions = functions.map(|function| signature_and_words(page, function));
    functions.chain(page.enumerations.iter().map(enumeration)).collect::<Vec<_>>().join("\n\n")
}

fn one(page: &Documentation, wanted: &str) -> Result<String, Stop> {
    function(page, wanted).map(|function| signature_and_words(page, function))
}

/// A function of a system, or which one may have been meant.
pub(crate) fn function<'p>(page: &'p Documentation, wanted: &str) -> Result<&'p FunctionDoc, Stop> {
    let found = page.functions.iter().find(|function| function.name == wanted);
    found.ok_or_else(|| no_such_function(page, wanted))
}

/// The complaint about a function that a system lacks.
pub(crate) fn no_such_function(page: &Documentation, wanted: &str) -> Stop {
    let names: Vec<&str> = page.functions.iter().map(|function| function.name.as_str()).collect();
    let advice = match astragal_syntax::suggest(wanted, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    Stop::Usage(format!("`{}` has no function `{wanted}`: {advice}", page.name))
}

fn signature_and_words(page: &Documentation, function: &FunctionDoc) -> String {
    let mut lines = vec![format!("{}.{}", page.name, signature(function))];
    lines.extend(indented(function.doc.as_deref()));
    lines.join("\n")
}

fn enumeration(enumeration: &EnumerationDoc) -> String {
    let mut lines =
        vec![format!("enum {} = {}", enumeration.name, enumeration.variants.join(" | "))];
    lines.extend(indented(enumeration.doc.as_deref()));
    lines.join("\n")
}

fn indented(doc: Option<&str>) -> impl Iterator<Item = String> {
    doc.unwrap_or_default().lines().map(|line| format!("    {}", line.trim()))
}
