//! Completion in a session: what follows a colon, or what may stand in a program.
//!
//! | before the cursor | offered |
//! |---|---|
//! | `:sy`, `:system k`, `:load ch` | commands, systems, files |
//! | `:table h`, `:table hit A` | what is done to the table, and to whom |
//! | anything else | see [`astragal_assist::complete`] |

use astragal_assist::complete::{self, Offer, everywhere, members};
use astragal_assist::names::Catalogue;
use reedline::{Completer, CompletionResult, Span, Suggestion};

use super::commands::COMMANDS;
use super::names::{AtTable, Names};
use super::table::{ACTIONS, Action, Takes};

pub(super) struct Completion {
    names: Names,
}

impl Completion {
    pub(super) fn new(names: Names) -> Completion {
        Completion { names }
    }
}

impl Completer for Completion {
    fn complete(&mut self, line: &str, pos: usize) -> CompletionResult {
        let Some(before) = line.get(..pos) else { return CompletionResult::fresh(Vec::new()) };
        let (start, offers) = offers(before, &self.names);
        let suggestion = |offer: Offer| Suggestion {
            append_whitespace: wants_more(&offer.text),
            value: offer.text.trim_end().to_owned(),
            description: Some(offer.about).filter(|about| !about.is_empty()),
            span: Span { start, end: pos },
            ..Suggestion::default()
        };
        CompletionResult::fresh(offers.into_iter().map(suggestion).collect::<Vec<_>>())
    }
}

/// Whether something comes after this: a command, or what ends with a blank.
fn wants_more(text: &str) -> bool {
    text.ends_with(' ')
        || COMMANDS.iter().any(|c| !c.takes.is_empty() && text.strip_prefix(':') == Some(c.name))
}

fn offers(before: &str, names: &Names) -> (usize, Vec<Offer>) {
    match before.strip_prefix(':').and_then(|rest| rest.split_once(char::is_whitespace)) {
        _ if !before.starts_with(':') => complete::offers(before, &names.look()),
        _ if !names.commands().is_empty() => {
            let offer = |(name, does): &(String, String)| Offer::new(format!(":{name} "), does);
            let offers = names.commands().iter().map(offer);
            (0, offers.filter(|offer| offer.text.starts_with(before)).collect())
        }
        None => {
            let commands = COMMANDS.iter().map(|c| Offer::new(format!(":{}", c.name), c.does));
            (0, commands.filter(|offer| offer.text.starts_with(before)).collect())
        }
        Some((command, rest)) => {
            let (at, offers) = arguments(command, rest.trim_start(), names);
            (before.len() - rest.trim_start().len() + at, offers)
        }
    }
}

/// What may stand after a command, and from where on.
fn arguments(command: &str, typed: &str, names: &Names) -> (usize, Vec<Offer>) {
    let catalogue = names.look();
    let mut offers: Vec<Offer> = match command {
        "system" | "systems" => {
            catalogue.systems().map(|page| Offer::new(&page.name, "")).collect()
        }
        "help" => about(typed, &catalogue),
        "set" => catalogue.own().iter().map(|d| Offer::new(format!("{}=", d.name), "")).collect(),
        "forget" => catalogue.own().iter().map(|d| Offer::new(&d.name, &d.text)).collect(),
        "load" | "save" => files(typed),
        "table" => return at_table(typed, &names.at_table(), &catalogue),
        _ => Vec::new(),
    };
    offers.retain(|offer| offer.text.starts_with(typed));
    (0, offers)
}

/// What there is help on.
fn about(typed: &str, names: &Catalogue) -> Vec<Offer> {
    let mut offers = match typed.rsplit_once('.') {
        Some((owner, _)) => members(owner, names)
            .into_iter()
            .map(|member| Offer::new(format!("{owner}.{}", member.text), member.about))
            .collect(),
        None => everywhere(names),
    };
    offers.iter_mut().for_each(|o| o.text.truncate(o.text.trim_end_matches(['(', '.']).len()));
    offers
}

/// `hit`, then `Anna`, then what a roll may have.
fn at_table(typed: &str, table: &AtTable, names: &Catalogue) -> (usize, Vec<Offer>) {
    let begins = |text: &str, typed: &str| text.to_lowercase().starts_with(&typed.to_lowercase());
    let Some((action, rest)) = typed.split_once(char::is_whitespace) else {
        let actions = ACTIONS.iter().filter(|action| begins(action.name, typed));
        let offer = |action: &Action| {
            let blank = if action.takes == Takes::Nothing { "" } else { " " };
            Offer::new(format!("{}{blank}", action.name), action.does)
        };
        return (0, actions.map(offer).collect());
    };
    let rest = rest.trim_start();
    let at = typed.len() - rest.len();
    let Some(takes) = ACTIONS.iter().find(|known| known.name == action).map(|known| known.takes)
    else {
        return (at, Vec::new());
    };
    let named = table.names.iter().find(|name| rest.starts_with(&format!("{name} ")));
    match (takes, named) {
        (Takes::Roll | Takes::Conditions | Takes::Cured | Takes::Name, None) => {
            let known = table.names.iter().filter(|name| begins(name, rest));
            let blank = if takes == Takes::Name { "" } else { " " };
            (at, known.map(|name| Offer::new(format!("{name}{blank}"), "")).collect())
        }
        (Takes::Roll, Some(name)) => {
            let (start, offers) = complete::offers(&rest[name.len() + 1..], names);
            (at + name.len() + 1 + start, offers)
        }
        (Takes::Conditions | Takes::Cured, Some(name)) => {
            let begun = rest[name.len()..].rsplit(',').next().unwrap_or_default().trim_start();
            let known = table.conditions.iter().filter(|condition| begins(condition, begun));
            (typed.len() - begun.len(), known.map(|text| Offer::new(text, "")).collect())
        }
        _ => (at, Vec::new()),
    }
}

/// Files that begin so.
fn files(typed: &str) -> Vec<Offer> {
    let (folder, _) =
        typed.rsplit_once('/').map_or(("", typed), |(f, _)| (&typed[..f.len() + 1], ""));
    let Ok(entries) = std::fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return Vec::new();
    };
    let names = entries.take(1000).flatten().map(|entry| {
        let slash = if entry.path().is_dir() { "/" } else { "" };
        Offer::new(format!("{folder}{}{slash}", entry.file_name().to_string_lossy()), "")
    });
    let mut names: Vec<Offer> = names.collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::super::definitions::Definitions;
    use super::*;
    use astragal_assist::definitions::Line;

    fn offered(before: &str) -> Vec<String> {
        let names = Names::new(&astragal::Engine::new());
        let mut own = Definitions::default();
        for definition in Line::read("param pool = 7").definitions {
            assert!(own.keep(&definition, |_| Ok(())).is_ok());
        }
        names.set(Some("kaiser"), &own);
        let table = AtTable {
            names: vec!["Anna".into(), "Old Bert".into()],
            conditions: vec!["prone".into()],
        };
        names.set_at_table(table);
        let (start, offers) = offers(before, &names);
        assert!(before.is_char_boundary(start));
        offers.into_iter().map(|offer| offer.text).collect()
    }

    #[test]
    fn commands_and_their_arguments() {
        assert_eq!(offered(":sys"), [":systems", ":system"]);
        assert_eq!(offered(":system k"), ["kaiser"]);
        assert_eq!(offered(":set p"), ["pool="]);
        assert_eq!(offered(":help cofd.act"), ["cofd.action"]);
        assert!(offered(":load Car").contains(&"Cargo.toml".to_owned()));
        assert_eq!(offered(":forget p"), ["pool"]);
        assert!(offered(":nothing x").is_empty());
        assert!(wants_more(":load") && !wants_more(":quit") && !wants_more("load"));
    }

    #[test]
    fn the_table_and_who_is_there() {
        assert_eq!(offered(":table h"), ["hit ", "heal ", "hp ", "help"]);
        assert_eq!(offered(":table hit a"), ["Anna "]);
        assert_eq!(offered(":table hit o"), ["Old Bert "]);
        assert_eq!(offered(":table hit Old Bert kaiser.lev"), ["level("]);
        assert_eq!(offered(":table cure Anna pr"), ["prone"]);
        assert_eq!(offered(":table condition Anna odd, p"), ["prone"]);
        assert!(offered(":table note a").is_empty() && offered(":table foo b").is_empty());
    }

    #[test]
    fn strange_texts_do_no_harm() {
        for text in [
            "",
            ":",
            ": ",
            "?",
            "é",
            ":load /nowhere/é",
            ":table é",
            ":table hit Anna é",
            ":table  hit",
        ] {
            offered(text);
        }
    }
}
