//! Conditions: `:table condition Anna prone, blessed`.

use super::commands::{say, told, who_and};
use super::who::{same, who};
use crate::repl::session::Session;
use crate::stop::Stop;

pub(super) fn condition(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
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

pub(super) fn cure(session: &mut Session<'_>, rest: &str) -> Result<(), Stop> {
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
