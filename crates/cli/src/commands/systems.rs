//! `astragal systems`: what is built in.

use astragal::{Documentation, Engine, EnumerationDoc, FunctionDoc, ParameterDoc, SYSTEMS};
use astragal_assist::prose::opening;

use super::catalogue::catalogue;
use super::chapter::chapter;
use crate::arguments::Systems;
use crate::input::no_such_system;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Systems, terminal: &Terminal) -> Result<(), Stop> {
    if terminal.json {
        terminal.say_json(&catalogue(arguments.name.as_deref())?);
        return Ok(());
    }
    let Some(name) = &arguments.name else {
        terminal.say(&list());
        terminal.tell("(`astragal systems cofd` shows what a system offers)");
        return Ok(());
    };
    match Engine::new().documentation(name) {
        Some(page) if terminal.markdown => terminal.say(chapter(&page).trim_end()),
        _ => terminal.say(&terminal.wrapped(&about(name)?).join("\n")),
    }
    Ok(())
}

/// A system, or one function of it.
pub(crate) fn about(name: &str) -> Result<String, Stop> {
    let engine = Engine::new();
    let (system, function) = name.split_once('.').map_or((name, None), |(s, f)| (s, Some(f)));
    let page = engine.documentation(system).ok_or_else(|| no_such_system(&engine, system))?;
    match function {
        None => Ok(whole(&page)),
        Some(wanted) => one(&page, wanted),
    }
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
    found.ok_or_else(|| {
        let names = page.functions.iter().map(|function| function.name.as_str());
        let advice = match astragal_syntax::suggest(wanted, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`astragal systems {}` shows what there is", page.name),
        };
        Stop::Usage(format!("`{}` has no function `{wanted}`: {advice}", page.name))
    })
}

fn signature_and_words(page: &Documentation, function: &FunctionDoc) -> String {
    let mut lines = vec![format!("{}.{}", page.name, signature(function))];
    lines.extend(indented(function.doc.as_deref()));
    lines.join("\n")
}

/// How a function is called: `action(pool, again: number = 10)`.
pub(crate) fn signature(function: &FunctionDoc) -> String {
    let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    format!("{}({})", function.name, parameters.join(", "))
}

fn parameter(parameter: &ParameterDoc) -> String {
    let mut text =
        if parameter.roll { format!("roll {}", parameter.name) } else { parameter.name.clone() };
    if let Some(ty) = &parameter.ty {
        text += &format!(": {ty}");
    }
    if let Some(default) = &parameter.default {
        text += &format!(" = {default}");
    }
    text
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
