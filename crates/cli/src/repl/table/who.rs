//! Who is meant: a whole name, or a beginning that only one of them has.

use super::Table;
use crate::stop::Stop;

/// Somebody at the table, by a whole name or by a beginning that only they have.
pub(super) fn who<'l>(table: &Table, line: &'l str) -> Result<(usize, &'l str), Stop> {
    let names = table.names().enumerate();
    let whole = names.filter(|(_, name)| {
        let begins = line.get(..name.len()).is_some_and(|begin| same(begin, name));
        begins && line[name.len()..].chars().next().is_none_or(char::is_whitespace)
    });
    if let Some((at, name)) = whole.max_by_key(|(_, name)| name.len()) {
        return Ok((at, line[name.len()..].trim_start()));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let begins = |name: &str| name.to_lowercase().starts_with(&word.to_lowercase());
    let found: Vec<(usize, &str)> = table.names().enumerate().filter(|(_, n)| begins(n)).collect();
    match found.as_slice() {
        [(at, _)] => Ok((*at, rest.trim_start())),
        [] => Err(nobody(table, word)),
        several => {
            let names: Vec<&str> = several.iter().map(|(_, name)| *name).collect();
            Err(Stop::Usage(format!("`{word}` may be `{}`: write more of it", names.join("`, `"))))
        }
    }
}

pub(super) fn nobody(table: &Table, word: &str) -> Stop {
    let names: Vec<&str> = table.names().collect();
    let advice = match astragal_syntax::suggest(word, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("`:table add {word} hp 24` puts somebody there"),
        None => format!("there are {}", names.join(", ")),
    };
    Stop::Usage(format!("there is no `{word}` at the table: {advice}"))
}

/// But for case.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}
