//! Somebody sits down: `:table add 3 Goblin hp 2d6 init d20+2`.

use super::Character;
use super::commands::{number, say, told, usage};
use super::who::same;
use crate::repl::session::Session;
use crate::stop::Stop;

pub(super) fn add(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
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
