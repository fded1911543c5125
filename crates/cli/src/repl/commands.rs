//! What can be written after a colon.

use std::path::Path;

use super::session::{Next, Session};
use super::{definitions::Line, help};
use crate::commands::systems;
use crate::input;
use crate::stop::Stop;

/// A command of the session.
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) takes: &'static str,
    pub(super) does: &'static str,
    run: fn(&mut Session<'_>, &str) -> Result<Next, Stop>,
}

/// All of them, in the order of the help.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        takes: "[NAME]",
        does: "this, or help on a function, a suffix, a keyword, a system",
        run: help,
    },
    Command {
        name: "systems",
        takes: "[NAME]",
        does: "the rule systems, or what one of them offers",
        run: systems,
    },
    Command {
        name: "system",
        takes: "[NAME]",
        does: "know a system's names without their prefix; without a name: none",
        run: system,
    },
    Command { name: "defs", takes: "", does: "what this session has defined", run: definitions },
    Command {
        name: "load",
        takes: "FILE",
        does: "take over a file's definitions, and roll what it rolls",
        run: load,
    },
    Command {
        name: "save",
        takes: "FILE",
        does: "write this session's definitions to a file",
        run: save,
    },
    Command {
        name: "set",
        takes: "NAME=VALUE",
        does: "set an input that was declared with `param`",
        run: set,
    },
    Command {
        name: "seed",
        takes: "[N]",
        does: "roll from a seed; without a number: by chance",
        run: seed,
    },
    Command {
        name: "steps",
        takes: "[N]",
        does: "how much work a line may cost; without a number: as usual",
        run: steps,
    },
    Command {
        name: "full",
        takes: "",
        does: "tell every step and list every outcome, or no longer",
        run: full,
    },
    Command { name: "history", takes: "", does: "the lines of this session", run: history },
    Command { name: "clear", takes: "", does: "forget all definitions and settings", run: clear },
    Command {
        name: "quit",
        takes: "",
        does: "leave (so does the end of input, Ctrl-D)",
        run: quit,
    },
];

/// Runs `:name argument`.
pub(super) fn run(session: &mut Session<'_>, line: &str) -> Result<Next, Stop> {
    let line = line.trim_start_matches(':').trim();
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let name = match name {
        "q" | "exit" => "quit",
        "h" | "?" => "help",
        name => name,
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        return Err(unknown(name));
    };
    let argument = argument.trim();
    if command.takes.is_empty() && !argument.is_empty() {
        return Err(Stop::Usage(format!("`:{name}` takes nothing, not `{argument}`")));
    }
    if command.takes.starts_with(|c: char| c.is_ascii_uppercase()) && argument.is_empty() {
        return Err(Stop::Usage(format!("write `:{name} {}`", command.takes)));
    }
    (command.run)(session, argument)
}

fn unknown(name: &str) -> Stop {
    let advice = match astragal::syntax::suggest(name, COMMANDS.iter().map(|c| c.name)) {
        Some(near) => format!("did you mean `:{near}`?"),
        None => "see `:help`".into(),
    };
    Stop::Usage(format!("there is no command `:{name}`: {advice}"))
}

fn help(session: &mut Session<'_>, name: &str) -> Result<Next, Stop> {
    let text = if name.is_empty() {
        help::overview()
    } else {
        help::on(name, &session.names.look()).map_err(Stop::Usage)?
    };
    session.terminal.say(&text);
    Ok(Next::Line)
}

fn systems(session: &mut Session<'_>, name: &str) -> Result<Next, Stop> {
    if name.is_empty() {
        session.terminal.say(&systems::list());
        session.terminal.tell("(`:systems cofd` shows what one offers, `:system cofd` opens it)");
    } else {
        session.terminal.say(&systems::about(name)?);
    }
    Ok(Next::Line)
}

fn system(session: &mut Session<'_>, name: &str) -> Result<Next, Stop> {
    session.open((!name.is_empty()).then_some(name))?;
    Ok(Next::Line)
}

fn definitions(session: &mut Session<'_>, _: &str) -> Result<Next, Stop> {
    let text = session.definitions.text();
    if text.is_empty() {
        session.terminal.tell("(nothing is defined)");
    } else {
        session.terminal.out(&text);
    }
    Ok(Next::Line)
}

fn load(session: &mut Session<'_>, path: &str) -> Result<Next, Stop> {
    let text = input::read(Path::new(path))?;
    let line = Line::read(&text);
    session.keep_all(&line.definitions)?;
    if line.rolls {
        session.evaluate(&text)?;
    }
    Ok(Next::Line)
}

fn save(session: &mut Session<'_>, path: &str) -> Result<Next, Stop> {
    std::fs::write(path, session.definitions.text())
        .map_err(|error| Stop::Usage(format!("`{path}` cannot be written: {error}")))?;
    let count = session.definitions.list().len();
    session.terminal.tell(&format!("({count} definitions in `{path}`)"));
    Ok(Next::Line)
}

fn set(session: &mut Session<'_>, setting: &str) -> Result<Next, Stop> {
    let (name, value) = setting.split_once('=').ok_or_else(|| {
        Stop::Usage(format!("`{setting}` has no value: write `:set {setting}=7`"))
    })?;
    session.set(name.trim(), value.trim())?;
    Ok(Next::Line)
}

fn seed(session: &mut Session<'_>, number: &str) -> Result<Next, Stop> {
    let seed = whole(number)?;
    session.seed(seed);
    Ok(Next::Line)
}

fn steps(session: &mut Session<'_>, number: &str) -> Result<Next, Stop> {
    session.throwing.steps = whole(number)?;
    Ok(Next::Line)
}

fn whole(number: &str) -> Result<Option<u64>, Stop> {
    if number.is_empty() {
        return Ok(None);
    }
    let digits: String = number.chars().filter(|c| *c != '_').collect();
    let wrong = |_| Stop::Usage(format!("`{number}` is not a whole number from 0 up"));
    digits.parse().map(Some).map_err(wrong)
}

fn full(session: &mut Session<'_>, _: &str) -> Result<Next, Stop> {
    session.throwing.full = !session.throwing.full;
    let now = if session.throwing.full { "everything is told" } else { "the essential is told" };
    session.terminal.tell(&format!("({now})"));
    Ok(Next::Line)
}

fn history(session: &mut Session<'_>, _: &str) -> Result<Next, Stop> {
    session.terminal.out(&session.lines.join("\n"));
    Ok(Next::Line)
}

fn clear(session: &mut Session<'_>, _: &str) -> Result<Next, Stop> {
    session.clear();
    session.terminal.tell("(all definitions and settings are forgotten)");
    Ok(Next::Line)
}

fn quit(_: &mut Session<'_>, _: &str) -> Result<Next, Stop> {
    Ok(Next::Leave)
}
