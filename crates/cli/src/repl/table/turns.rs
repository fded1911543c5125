//! Turns, notes, and the table as a whole.

use super::Table;
use super::commands::{overview, say, told};
use super::picture::picture;
use super::who::{nobody, who};
use crate::repl::session::Session;
use crate::stop::Stop;

pub(super) fn next(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    let nobody =
        || Stop::Usage("nobody has initiative: write `:table init NAME d20+3` for each".into());
    let now = session.store.table.next().ok_or_else(nobody)?.clone();
    let round = session.store.table.round;
    say(session, &format!("round {round}, {}", told(&now)));
    Ok(())
}

pub(super) fn end(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    session.store.table.end();
    session.terminal.tell("(rounds and initiative are forgotten)");
    Ok(())
}

pub(super) fn note(session: &mut Session<'_>, text: &str) -> Result<(), Stop> {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    session.store.table.notes.push(text);
    Ok(())
}

pub(super) fn erase(session: &mut Session<'_>, number: &str) -> Result<(), Stop> {
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

pub(super) fn remove(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    let (at, more) = who(&session.store.table, rest)?;
    if !more.is_empty() {
        return Err(nobody(&session.store.table, rest));
    }
    let gone = session.store.table.remove(at);
    session.terminal.tell(&format!("({gone} has left)"));
    Ok(())
}

pub(super) fn clear(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    session.store.table = Table::default();
    session.terminal.tell("(the table is empty)");
    Ok(())
}

pub(super) fn reload(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    session.store.read();
    session.store.check()?;
    session.terminal.say(&picture(&session.store.table, session.terminal));
    Ok(())
}

pub(super) fn help(session: &mut Session<'_>, _: &str) -> Result<(), Stop> {
    session.terminal.say(&overview(session.terminal.width));
    Ok(())
}
