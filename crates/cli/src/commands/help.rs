//! `astragal help`: a command, or anything that can be written in the language.

use astragal::Engine;
use astragal_assist::names::Catalogue;
use astragal_assist::words::{BUILT_IN, KEYWORDS, NOTATION, SUFFIXES, Word};
use clap::CommandFactory;

use super::rules;
use crate::arguments::{Cli, Help, NO_VERB};
use crate::repl::help::on;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Help, terminal: &Terminal) -> Result<(), Stop> {
    let topic = arguments.topic.join(" ");
    let mut command = Cli::command();
    command.build();
    let known = |name: &&str| *name != NO_VERB && command.find_subcommand(name).is_some();
    match topic.as_str() {
        "" => {
            let mut whole = crate::with_bare_form(command);
            terminal.say(whole.render_help().to_string().trim_end());
            terminal
                .tell("(`astragal help kh` explains a suffix, `help language` lists all words)");
        }
        "language" => terminal.say(&language()),
        name if Some(name).filter(known).is_some() => {
            let found = command.find_subcommand_mut(name);
            let text = found.map(|verb| verb.clone().bin_name(format!("astragal {name}")));
            terminal.say(
                text.map(|mut verb| verb.render_long_help().to_string())
                    .unwrap_or_default()
                    .trim_end(),
            );
        }
        name => {
            let names = Catalogue::new(&Engine::new());
            let told = on(name, &names, terminal.width)
                .or_else(|unknown| rules::found(name).ok_or(unknown));
            terminal.say(&told.map_err(as_typed_here)?);
        }
    }
    Ok(())
}

/// The session's words for where to look are those of the command line here.
fn as_typed_here(unknown: String) -> Stop {
    Stop::Usage(
        unknown
            .replace("`:help` and `:systems`", "`astragal help language` and `astragal systems`"),
    )
}

/// All words of the language with one line each.
fn language() -> String {
    let parts = [
        ("Dice and notation", NOTATION),
        ("After dice", SUFFIXES),
        ("Words", KEYWORDS),
        ("Functions", BUILT_IN),
    ];
    let told = parts.map(|(title, words)| {
        let lines: Vec<String> = words.iter().map(line).collect();
        format!("{title}\n{}", lines.join("\n"))
    });
    told.join("\n\n")
}

/// The spelling that is looked up, and its meaning; a function says itself how it is called.
fn line(word: &Word) -> String {
    let first = word.meaning.lines().next().unwrap_or_default();
    let shortest = word.names.iter().min_by_key(|name| name.len()).copied().unwrap_or_default();
    format!("  {shortest:12} {first}")
}
