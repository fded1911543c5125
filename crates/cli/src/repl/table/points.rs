//! Hit points and initiative.

use super::Character;
use super::commands::{number, say, told, who_and};
use crate::repl::session::Session;
use crate::stop::Stop;

pub(super) fn hit(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    change_hp(session, "hit", rest, Character::hit)
}

pub(super) fn heal(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
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

pub(super) fn hp(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
    set(session, "hp", rest, Character::set_hp)
}

pub(super) fn init(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
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
