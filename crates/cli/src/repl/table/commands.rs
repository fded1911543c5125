//! What can be written after `:table`.

use super::picture::picture;
use super::who::{nobody, same, who};
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

fn usage(name: &str) -> Stop {
    let found = ACTIONS.iter().find(|action| action.name == name);
    let (takes, does) = found.map_or(("", ""), |action| (action.takes.words(), action.does));
    Stop::Usage(format!("write `:table {name} {takes}`: {does}"))
}

fn add(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (count, words) = match words.split_first() {
        Some((first, others)) if !others.is_empty() && first.parse::<usize>().is_ok() => {
            (first.parse().ok().filter(|count| (1..=100).contains(count)), others)
        }
        _ => (Some(1), words.as_slice()),
    };
    let Some(count) = count else {
        return Err(Stop::Usage("from 1 to 100 can sit down at once".into()));
    };
    let is_key = |word: &str| matches!(word, "hp" | "init");
    let end = words.iter().position(|word| is_key(word)).unwrap_or(words.len());
    let name = words[..end].join(" ");
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(usage("add"));
    }
    let (hp, init) = (value_of("hp", &words[end..])?, value_of("init", &words[end..])?);
    let names = match count {
        1 => vec![name],
        _ => (1..=count).map(|number| format!("{name} {number}")).collect(),
    };
    for name in names {
        let known = session.store.table.names().find(|known| same(known, &name));
        if let Some(known) = known {
            let how = format!("`:table hp {known} 24` changes them");
            return Err(Stop::Usage(format!("`{known}` is at the table already: {how}")));
        }
        let mut character = Character { name, ..Character::default() };
        if let Some(roll) = &hp {
            let Some(points) = number(session, roll)? else { return Ok(()) };
            character.set_hp(points);
        }
        if let Some(roll) = &init {
            let Some(init) = number(session, roll)? else { return Ok(()) };
            character.init = Some(init);
        }
        say(session, &told(&character));
        session.store.table.characters.push(character);
    }
    Ok(())
}

/// What stands after a word such as `hp`, up to the other one.
fn value_of(key: &str, words: &[&str]) -> Result<Option<String>, Stop> {
    let Some(at) = words.iter().position(|word| *word == key) else { return Ok(None) };
    let value = words[at + 1..].iter().take_while(|word| !matches!(**word, "hp" | "init"));
    let value: Vec<&str> = value.copied().collect();
    match value.join(" ") {
        empty if empty.is_empty() => {
            Err(Stop::Usage(format!("`{key}` has no number: write `{key} 12`")))
        }
        value => Ok(Some(value)),
    }
}

/// `Anna: 24/24 hp, initiative 18, prone`
fn told(character: &Character) -> String {
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
fn say(session: &Session<'_>, line: &str) {
    session.terminal.say(&wrapped(line, "", session.terminal.width).join("\n  "));
}

fn hit(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    change_hp(session, "hit", rest, Character::hit)
}

fn heal(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    change_hp(session, "heal", rest, Character::heal)
}

fn change_hp(
    session: &mut Session<'_>,
    name: &str,
    rest: &str,
    change: fn(&mut Character, i64),
) -> Result<(), Stop> {
    let (at, roll) = who_and(&session.store.table, name, rest)?;
    let character = &session.store.table.characters[at];
    let Some(before) = character.hp else {
        let name = &character.name;
        let how = format!("write `:table hp {name} 24` first");
        return Err(Stop::Usage(format!("`{name}` has no hit points: {how}")));
    };
    let Some(points) = number(session, roll)? else { return Ok(()) };
    if points < 0 {
        let other = if name == "hit" { "heal" } else { "hit" };
        let how = format!("`:table {other}` goes the other way");
        return Err(Stop::Usage(format!("`{roll}` came to {points}, below 0: {how}")));
    }
    let character = &mut session.store.table.characters[at];
    change(character, points);
    let down = if character.is_down() { ", down" } else { "" };
    let line = format!("{}: {before} → {}{down}", character.name, character.hit_points());
    session.terminal.say(&line);
    Ok(())
}

fn hp(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    set(session, "hp", rest, Character::set_hp)
}

fn init(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    set(session, "init", rest, |character, init| character.init = Some(init))
}

fn set(
    session: &mut Session<'_>,
    name: &str,
    rest: &str,
    change: fn(&mut Character, i64),
) -> Result<(), Stop> {
    let (at, roll) = who_and(&session.store.table, name, rest)?;
    let Some(value) = number(session, roll)? else { return Ok(()) };
    change(&mut session.store.table.characters[at], value);
    say(session, &told(&session.store.table.characters[at]));
    Ok(())
}

fn condition(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    let (at, texts) = who_and(&session.store.table, "condition", rest)?;
    let character = &mut session.store.table.characters[at];
    for text in listed(texts) {
        if !character.conditions.iter().any(|known| same(known, text)) {
            character.conditions.push(text.to_owned());
        }
    }
    say(session, &told(&session.store.table.characters[at]));
    Ok(())
}

fn cure(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    let (at, texts) = who(&session.store.table, rest)?;
    let character = &mut session.store.table.characters[at];
    for text in listed(texts) {
        let Some(at) = character.conditions.iter().position(|known| same(known, text)) else {
            let (name, known) = (&character.name, character.conditions.join("`, `"));
            return Err(Stop::Usage(match known.as_str() {
                "" => format!("`{name}` has no conditions"),
                known => format!("`{name}` is not `{text}`, but `{known}`"),
            }));
        };
        character.conditions.remove(at);
    }
    if texts.is_empty() {
        character.conditions.clear();
    }
    say(session, &told(&session.store.table.characters[at]));
    Ok(())
}

/// Texts with commas between them.
fn listed(texts: &str) -> impl Iterator<Item = &str> {
    texts.split(',').map(str::trim).filter(|text| !text.is_empty())
}

fn next(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    let nobody =
        || Stop::Usage("nobody has initiative: write `:table init NAME d20+3` for each".into());
    let now = session.store.table.next().ok_or_else(nobody)?.clone();
    let round = session.store.table.round;
    say(session, &format!("round {round}, {}", told(&now)));
    Ok(())
}

fn end(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    session.store.table.end();
    session.terminal.tell("(rounds and initiative are forgotten)");
    Ok(())
}

fn note(session: &mut Session<'_>, text: &str) -> Result<(), Stop> {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    session.store.table.notes.push(text);
    Ok(())
}

fn erase(session: &mut Session<'_>, number: &str) -> Result<(), Stop> {
    let notes = &mut session.store.table.notes;
    match number.parse::<usize>() {
        Ok(at) if (1..=notes.len()).contains(&at) => {
            let gone = notes.remove(at - 1);
            session.terminal.tell(&format!("(struck out: {gone})"));
            Ok(())
        }
        _ if notes.is_empty() => Err(Stop::Usage("there are no notes".into())),
        _ => Err(Stop::Usage(format!(
            "`{number}` is not the number of a note: 1 to {}",
            notes.len()
        ))),
    }
}

fn remove(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    let (at, more) = who(&session.store.table, rest)?;
    if !more.is_empty() {
        return Err(nobody(&session.store.table, rest));
    }
    let gone = session.store.table.remove(at);
    session.terminal.tell(&format!("({gone} has left)"));
    Ok(())
}

fn clear(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    session.store.table = Table::default();
    session.terminal.tell("(the table is empty)");
    Ok(())
}

fn reload(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    session.store.read();
    session.store.check()?;
    session.terminal.say(&picture(&session.store.table, session.terminal));
    Ok(())
}

fn help(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    session.terminal.say(&overview(session.terminal.width));
    Ok(())
}

/// A roll that is a whole number, with its dice told; nothing if it was interrupted.
fn number(session: &mut Session<'_>, roll: &str) -> Result<Option<i64>, Stop> {
    let Some(thrown) = session.value_of(roll)? else { return Ok(None) };
    let whole = thrown.value.as_number().and_then(astragal::Number::to_i64);
    let value = whole.ok_or_else(|| {
        Stop::Usage(format!("`{roll}` came to {}, which is no whole number", thrown.value))
    })?;
    if thrown.threw {
        session.terminal.say(&thrown.told);
    }
    Ok(Some(value))
}

/// Somebody at the table, and what stands after their name, which must be something.
fn who_and<'l>(table: &Table, name: &str, rest: &'l str) -> Result<(usize, &'l str), Stop> {
    let (at, rest) = who(table, rest)?;
    if rest.is_empty() { Err(usage(name)) } else { Ok((at, rest)) }
}
