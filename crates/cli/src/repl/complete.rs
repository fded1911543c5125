//! Completion in a session: what follows a colon, or what may stand in a program.
//!
//! | before the cursor | offered |
//! |---|---|
//! | `:sy`, `:system k`, `:load ch` | commands, systems, files |
//! | anything else | see [`astragal_assist::complete`] |

use astragal_assist::complete::{self, Offer, everywhere, members};
use astragal_assist::names::Catalogue;
use reedline::{Completer, CompletionResult, Span, Suggestion};

use super::commands::COMMANDS;
use super::names::Names;

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
        let (start, offers) = offers(before, &self.names.look());
        let suggestion = |offer: Offer| Suggestion {
            value: offer.text,
            description: Some(offer.about).filter(|about| !about.is_empty()),
            span: Span { start, end: pos },
            ..Suggestion::default()
        };
        CompletionResult::fresh(offers.into_iter().map(suggestion).collect::<Vec<_>>())
    }
}

fn offers(before: &str, names: &Catalogue) -> (usize, Vec<Offer>) {
    if before.starts_with(':') {
        after_colon(before, names)
    } else {
        complete::offers(before, names)
    }
}

fn after_colon(before: &str, names: &Catalogue) -> (usize, Vec<Offer>) {
    let Some(space) = before.find(' ') else {
        let commands = COMMANDS.iter().map(|c| Offer::new(format!(":{}", c.name), c.does));
        return (0, commands.filter(|offer| offer.text.starts_with(before)).collect());
    };
    let (command, typed) = (&before[1..space], before[space..].trim_start());
    let start = before.len() - typed.len();
    let mut offers: Vec<Offer> = match command {
        "system" | "systems" => names.systems().map(|page| Offer::new(&page.name, "")).collect(),
        "help" => match typed.rsplit_once('.') {
            Some((owner, _)) => members(owner, names)
                .into_iter()
                .map(|member| Offer::new(format!("{owner}.{}", member.text), member.about))
                .collect(),
            None => everywhere(names),
        },
        "set" => names.own().iter().map(|d| Offer::new(format!("{}=", d.name), "")).collect(),
        "load" | "save" => files(typed),
        _ => Vec::new(),
    };
    if command == "help" {
        offers.iter_mut().for_each(|o| o.text.truncate(o.text.trim_end_matches(['(', '.']).len()));
    }
    offers.retain(|offer| offer.text.starts_with(typed));
    (start, offers)
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
        let (start, offers) = offers(before, &names.look());
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
        assert!(offered(":nothing x").is_empty());
    }

    #[test]
    fn strange_texts_do_no_harm() {
        for text in ["", ":", ": ", "?", "é", ":load /nowhere/é"] {
            offered(text);
        }
    }
}
