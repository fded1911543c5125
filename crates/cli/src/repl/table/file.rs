//! The table as a file that people can read and mend:
//!
//! ```toml
//! format = 1
//! round = 2
//! turn = "Anna"
//! notes = ["the bridge is out"]
//!
//! [[character]]
//! name = "Anna"
//! hp = 17
//! max = 24
//! init = 18
//! conditions = ["prone"]
//! ```

use super::{Character, Table};
use crate::toml::{Section, Toml, quoted};

const FORMAT: i64 = 1;
const HEAD: &str =
    "# The table of an Astragal session: read when one begins, written at each change.";

/// The table in a file's text.
pub(super) fn read(name: &str, text: &str) -> Result<Table, String> {
    let file = Toml::read(name, text)?;
    let file = file.section();
    file.only(&["format", "round", "turn", "notes", "character"])?;
    if file.whole("format")? != Some(FORMAT) {
        return Err(file.complaint("format", "must be 1, the only one that this version knows"));
    }
    let round = file.whole("round")?.unwrap_or(0);
    let round = u64::try_from(round).map_err(|_| file.complaint("round", "is below 0"))?;
    let notes = file.texts("notes")?;
    let mut characters: Vec<Character> = Vec::new();
    for section in file.sections("character")? {
        let read = character(&section)?;
        if characters.iter().any(|known| known.name.eq_ignore_ascii_case(&read.name)) {
            return Err(section.complaint("name", "is that of another one, too"));
        }
        characters.push(read);
    }
    let turn = file.text("turn")?.map(str::to_owned);
    if turn.as_ref().is_some_and(|turn| characters.iter().all(|known| known.name != *turn)) {
        return Err(file.complaint("turn", "is that of nobody who is there"));
    }
    if notes.iter().any(|note| is_unclean(note)) {
        return Err(file.complaint("notes", "has a character that cannot be shown"));
    }
    Ok(Table { round, turn, characters, notes })
}

fn character(section: &Section<'_>) -> Result<Character, String> {
    section.only(&["name", "hp", "max", "init", "conditions"])?;
    let name = section.text("name")?.unwrap_or_default().to_owned();
    if name.trim().is_empty() {
        return Err(section.complaint("name", "is missing"));
    }
    let (hp, max, init) = (section.whole("hp")?, section.whole("max")?, section.whole("init")?);
    let conditions = section.texts("conditions")?;
    if conditions.iter().chain([&name]).any(|text| is_unclean(text)) {
        return Err(section.complaint("name", "has a character that cannot be shown"));
    }
    Ok(Character { name, hp, max, init, conditions })
}

/// A terminal could do anything with it.
fn is_unclean(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// A table as the text of a file.
pub(super) fn written(table: &Table) -> String {
    let mut text = format!("{HEAD}\nformat = {FORMAT}\nround = {}\n", table.round);
    if let Some(turn) = &table.turn {
        text += &format!("turn = {}\n", quoted(turn));
    }
    text += &format!("notes = {}\n", list(&table.notes, "\n  "));
    for character in &table.characters {
        text += &format!("\n[[character]]\nname = {}\n", quoted(&character.name));
        let numbers = [("hp", character.hp), ("max", character.max), ("init", character.init)];
        for (key, number) in numbers {
            text += &number.map(|number| format!("{key} = {number}\n")).unwrap_or_default();
        }
        text += &format!("conditions = {}\n", list(&character.conditions, ""));
    }
    text
}

fn list(texts: &[String], before: &str) -> String {
    let items = texts.iter().map(|text| format!("{before}{}", quoted(text)));
    let items = items.collect::<Vec<_>>().join(if before.is_empty() { ", " } else { "," });
    let end = if before.is_empty() || texts.is_empty() { "" } else { ",\n" };
    format!("[{items}{end}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anna() -> Character {
        Character {
            name: "Anna \"A\"".into(),
            hp: Some(-3),
            max: Some(24),
            init: None,
            conditions: vec!["prone".into(), "very\\odd".into()],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let notes = vec!["the bridge is out".into(), "é 🎲".into()];
        let turn = Some("Bert".to_owned());
        let bert = Character { name: "Bert".into(), ..Character::default() };
        let table = Table { round: 2, turn, characters: vec![anna(), bert], notes };
        for table in [table, Table::default()] {
            assert_eq!(read("x", &written(&table)), Ok(table));
        }
    }

    #[test]
    fn what_is_damaged_is_told_with_its_line() {
        let wrong = |text: &str| read("t.toml", text).err().unwrap_or_default();
        let head = "format = 1\n";
        assert!(wrong("").contains("`t.toml`, line 1: `format` must be 1"));
        assert!(wrong("format = 2").contains("`format` must be 1"));
        assert!(wrong(&format!("{head}round = \"x\"")).contains("line 2: `round` is not a whole"));
        let cut = format!("{head}[[character]]\nname = \"An");
        assert!(wrong(&cut).contains("`t.toml`, line 3:"), "{}", wrong(&cut));
        let odd = format!("{head}[[character]]\nname = \"A\"\nhq = 3");
        assert!(wrong(&odd).contains("line 4: `hq` means nothing here: did you mean `hp`?"));
        let nobody = format!("{head}turn = \"A\"");
        assert!(wrong(&nobody).contains("line 2: `turn` is that of nobody"));
        let twice = format!("{head}[[character]]\nname = \"A\"\n[[character]]\nname = \"a\"");
        assert!(wrong(&twice).contains("line 5: `name` is that of another"));
        let escape = format!("{head}notes = [\"\\u001b[31m\"]");
        assert!(wrong(&escape).contains("cannot be shown"));
    }
}
