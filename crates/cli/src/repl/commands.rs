//! What can be written after a colon.

use std::path::Path;

use super::help;
use super::session::{Next, Session};
use super::{shared, table, uses};
use crate::commands::systems;
use crate::stop::Stop;

/// A command of the session.
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) takes: &'static str,
    pub(super) does: &'static str,
    run: Run,
}

type Run = fn(&mut Session<'_>, &str) -> Result<Next, Stop>;

const fn command(name: &'static str, takes: &'static str, does: &'static str, run: Run) -> Command {
    Command { name, takes, does, run }
}

/// All of them, in the order of the help.
pub(super) const COMMANDS: &[Command] = &[
    command("help", "[NAME]", "this, or help on a function, a suffix, a keyword, a system", help),
    command("systems", "[NAME]", "the rule systems, or what one of them offers", systems),
    command("system", "[NAME]", "know a system's names without prefix; alone: none", system),
    command(
        "compare",
        "EXPR, EXPR …",
        "several rolls in one chart: `:compare 2d20kh1, d20 + 5`",
        compare,
    ),
    command(
        "sweep",
        "EXPR NAME=VALUES",
        "odds by an input: `:sweep d20 + 5 >= dc dc=5..25`",
        sweep,
    ),
    command(
        "solve",
        "EXPR NAME --chance P",
        "for which input: `:solve d20 + 5 >= dc dc --chance 65%`",
        solve,
    ),
    command("table", "[…]", "who is there, hit points, turns, notes: see `:table help`", table),
    command("defs", "", "what this session has defined", definitions),
    command("forget", "NAME", "forget one of them", forget),
    command("undo", "", "take back what the last line changed, line by line", undo),
    command("load", "FILE", "keep a file's definitions, throw its `let`s, roll the rest", load),
    command("save", "FILE", "write this session's definitions and values to a file", save),
    command("set", "NAME=VALUE", "set an input that was declared with `param`", set),
    command("seed", "[N]", "roll from a seed; without a number: by chance", seed),
    command("steps", "[N]", "how much work a line may cost; without a number: as usual", steps),
    command(
        "choose",
        "[on|off]",
        "be asked at each choice of a roll, or leave them to best play",
        choose,
    ),
    command("full", "", "tell every step and list every outcome, or no longer", full),
    command("history", "", "the lines of this session", history),
    command("clear", "", "forget all definitions and settings", clear),
    command("quit", "", "leave (so does the end of input, Ctrl-D)", quit),
];

/// The command that a line was meant to be, without its colon: `quit`, `help kh`.
pub(super) fn without_colon(line: &str) -> Option<String> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
    let name = if word == "exit" { "quit" } else { &word };
    let command = COMMANDS.iter().find(|command| command.name == name)?;
    let fits = rest.is_empty() || !command.takes.is_empty();
    fits.then(|| format!("{name} {rest}").trim_end().to_owned())
}

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
    let mut begun = COMMANDS.iter().map(|c| c.name).filter(|known| known.starts_with(name));
    let begun = begun.next().filter(|_| begun.next().is_none() && !name.is_empty());
    let near = || astragal_syntax::suggest(name, COMMANDS.iter().map(|c| c.name));
    let advice = match begun.or_else(near) {
        Some(near) => format!("did you mean `:{near}`?"),
        None => "see `:help`".into(),
    };
    Stop::Usage(format!("there is no command `:{name}`: {advice}"))
}

fn help(session: &mut Session<'_>, name: &str) -> Result<Next, Stop> {
    let text = if name.is_empty() {
        help::overview(session.terminal.width)
    } else {
        help::on(name, &session.names.look(), session.terminal.width).map_err(Stop::Usage)?
    };
    session.terminal.say(&session.terminal.wrapped(&text).join("\n"));
    Ok(Next::Line)
}

fn systems(session: &mut Session<'_>, name: &str) -> Result<Next, Stop> {
    if name.is_empty() {
        session.terminal.say(&systems::list());
        session.terminal.tell("(`:systems cofd` shows what one offers, `:system cofd` opens it)");
    } else {
        session.terminal.say(&session.terminal.wrapped(&systems::about(name)?).join("\n"));
    }
    Ok(Next::Line)
}

fn system(session: &mut Session<'_>, name: &str) -> Result<Next, Stop> {
    session.open((!name.is_empty()).then_some(name))?;
    Ok(Next::Line)
}

fn compare(session: &mut Session<'_>, line: &str) -> Result<Next, Stop> {
    shared::run(session, "compare", line)?;
    Ok(Next::Line)
}

fn sweep(session: &mut Session<'_>, line: &str) -> Result<Next, Stop> {
    shared::run(session, "sweep", line)?;
    Ok(Next::Line)
}

fn solve(session: &mut Session<'_>, line: &str) -> Result<Next, Stop> {
    shared::run(session, "solve", line)?;
    Ok(Next::Line)
}

fn table(session: &mut Session<'_>, line: &str) -> Result<Next, Stop> {
    table::run(session, line)?;
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

fn forget(session: &mut Session<'_>, name: &str) -> Result<Next, Stop> {
    session.forget(name)?;
    Ok(Next::Line)
}

fn undo(session: &mut Session<'_>, _: &str) -> Result<Next, Stop> {
    match session.undo() {
        Some(line) => session.terminal.tell(&format!("(undone: `{line}`)")),
        None => session.terminal.tell("(there is nothing to undo)"),
    }
    Ok(Next::Line)
}

fn load(session: &mut Session<'_>, path: &str) -> Result<Next, Stop> {
    session.load(Path::new(path))?;
    Ok(Next::Line)
}

fn save(session: &mut Session<'_>, path: &str) -> Result<Next, Stop> {
    let text = session.definitions.text();
    let is_elsewhere = uses::folder(Path::new(path)).is_some();
    let text = if is_elsewhere { uses::anywhere(&text, Path::new("")) } else { text };
    std::fs::write(path, text)
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

fn choose(session: &mut Session<'_>, wanted: &str) -> Result<Next, Stop> {
    session.throwing.ask = match wanted {
        "on" => true,
        "off" => false,
        "" => !session.throwing.ask,
        other => {
            return Err(Stop::Usage(format!("write `:choose on` or `:choose off`, not `{other}`")));
        }
    };
    let now =
        if session.throwing.ask { "you are asked at each choice" } else { "best play decides" };
    session.terminal.tell(&format!("({now})"));
    Ok(Next::Line)
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
