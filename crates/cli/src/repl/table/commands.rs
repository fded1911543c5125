//! What can be written after `:table`.

use super::arrive::add;
use super::conditions::{condition, cure};
use super::picture::picture;
use super::points::{heal, hit, hp, init};
use super::turns::{clear, end, erase, help, next, note, reload, remove};
use super::who::who;
use super::{Character, Table};
use crate::repl::session::Session;
use crate::repl::wrap::{explained, wrapped};
use crate::stop::Stop;

/// Something that is done to the table.
pub(crate) struct Action {
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) does: &'static str,
    run: Run,
}

type Run = fn(&mut Session<'_>, &str) -> Result<(), Stop>;

/// What stands after the name of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    /// Somebody new, with what they have.
    New,
    Name,
    /// A name and a roll.
    Roll,
    /// A name and conditions.
    Conditions,
    /// A name, and perhaps conditions.
    Cured,
    Text,
    /// The number of a note.
    Note,
}

impl Takes {
    fn words(self) -> &'static str {
        match self {
            Takes::Nothing => "",
            Takes::New => "[COUNT] NAME [hp ROLL] [init ROLL]",
            Takes::Name => "NAME",
            Takes::Roll => "NAME ROLL",
            Takes::Conditions => "NAME CONDITION",
            Takes::Cured => "NAME [CONDITION]",
            Takes::Text => "TEXT",
            Takes::Note => "N",
        }
    }
}

const fn action(name: &'static str, takes: Takes, does: &'static str, run: Run) -> Action {
    Action { name, takes, does, run }
}

/// All of them, in the order of the help.
pub(crate) const ACTIONS: &[Action] = &[
    action("add", Takes::New, "`add Anna hp 24 init d20+3`, `add 3 Goblin`", add),
    action("hit", Takes::Roll, "take hit points away: `hit Anna 2d6`", hit),
    action("heal", Takes::Roll, "give them back, up to the most", heal),
    action("hp", Takes::Roll, "set hit points: `hp Anna 24`", hp),
    action("init", Takes::Roll, "set initiative: `init Anna d20+3`", init),
    action("condition", Takes::Conditions, "`condition Anna prone, blessed`", condition),
    action("cure", Takes::Cured, "take a condition away, or all", cure),
    action("next", Takes::Nothing, "the next turn, by initiative", next),
    action("end", Takes::Nothing, "forget rounds and initiative", end),
    action("note", Takes::Text, "write something down", note),
    action("erase", Takes::Note, "strike out a note by its number", erase),
    action("remove", Takes::Name, "somebody leaves", remove),
    action("clear", Takes::Nothing, "everybody leaves, all notes are struck out", clear),
    action("reload", Takes::Nothing, "read the table's file again", reload),
    action("help", Takes::Nothing, "this", help),
];

/// Runs `:table action …`; without an action the table is shown.
pub(crate) fn run(session: &mut Session<'_>, line: &str) -> Result<(), Stop> {
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let name = match name {
        "cond" | "conditions" => "condition",
        "initiative" => "init",
        "damage" | "dmg" => "hit",
        "delete" => "remove",
        "notes" if rest.is_empty() => "",
        "notes" => "note",
        "show" => "",
        name => name,
    };
    if name.is_empty() {
        session.store.check()?;
        session.terminal.say(&picture(&session.store.table, session.terminal));
        return Ok(());
    }
    let Some(action) = ACTIONS.iter().find(|action| action.name == name) else {
        return Err(unknown(name));
    };
    if !matches!(name, "help" | "reload") {
        session.store.check()?;
    }
    match action.takes {
        Takes::Nothing if !rest.is_empty() => {
            Err(Stop::Usage(format!("`:table {name}` takes nothing, not `{rest}`")))
        }
        takes if takes != Takes::Nothing && rest.is_empty() => Err(usage(name)),
        _ => (action.run)(session, rest),
    }
}

/// All actions, for `:table help` and `:help :table`.
pub(crate) fn overview(width: usize) -> String {
    let show = "show who is there, and the notes";
    let actions = ACTIONS
        .iter()
        .map(|action| (format!(":table {} {}", action.name, action.takes.words()), action.does));
    let entries = [(":table".to_owned(), show)].into_iter().chain(actions);
    let end = "A ROLL is anything with a number, a NAME may be shortened, and `:undo` takes back.";
    format!("{}\n{}", explained(entries, 31, width), wrapped(end, "", width).join("\n"))
}

fn unknown(name: &str) -> Stop {
    let advice = match astragal_syntax::suggest(name, ACTIONS.iter().map(|action| action.name)) {
        Some(near) => format!("did you mean `:table {near}`?"),
        None => "`:table help` tells what there is".into(),
    };
    Stop::Usage(format!("there is no `:table {name}`: {advice}"))
}

pub(super) fn usage(name: &str) -> Stop {
    let found = ACTIONS.iter().find(|action| action.name == name);
    let (takes, does) = found.map_or(("", ""), |action| (action.takes.words(), action.does));
    Stop::Usage(format!("write `:table {name} {takes}`: {does}"))
}

/// `Anna: 24/24 hp, initiative 18, prone`
pub(super) fn told(character: &Character) -> String {
    let hp = character.hp.map(|_| format!("{} hp", character.hit_points()));
    let init = character.init.map(|init| format!("initiative {init}"));
    let state = Some(character.state()).filter(|state| !state.is_empty());
    let parts: Vec<String> = [hp, init, state].into_iter().flatten().collect();
    match parts.as_slice() {
        [] => character.name.clone(),
        parts => format!("{}: {}", character.name, parts.join(", ")),
    }
}

/// Says a line, cut between words.
pub(super) fn say(session: &Session<'_>, line: &str) {
    session.terminal.say(&wrapped(line, "", session.terminal.width).join("\n  "));
}

/// A roll that is a whole number, with its dice told; nothing if it was interrupted.
pub(super) fn number(session: &mut Session<'_>, roll: &str) -> Result<Option<i64>, Stop> {
    let Some(thrown) = session.value_of(roll)? else { return Ok(None) };
    let whole = thrown.value.as_number().and_then(astragal::Number::to_i64);
    let value = whole.ok_or_else(|| {
        Stop::Usage(format!("`{roll}` came to {}, which is no whole number", thrown.value))
    })?;
    if thrown.threw {
        session.terminal.say_folded(&thrown.told);
    }
    Ok(Some(value))
}

/// Somebody at the table, and what stands after their name, which must be something.
pub(super) fn who_and<'l>(
    table: &Table,
    name: &str,
    rest: &'l str,
) -> Result<(usize, &'l str), Stop> {
    let (at, rest) = who(table, rest)?;
    if rest.is_empty() { Err(usage(name)) } else { Ok((at, rest)) }
}
