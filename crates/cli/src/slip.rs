//! Slips of the command line: options that there are not, or that belong to another command, and commands that are
//! misspelt. Each is told by its own name, and with what was most likely meant.

use clap::{Arg, Command};

use crate::arguments::NO_VERB;

/// An option among the words of an expression, which is none: `--png`, `--feild`, `-v`.
pub(crate) fn no_such_option(command: &Command, expression: &str) -> Option<String> {
    let mut words =
        expression.split_whitespace().map(|word| word.split('=').next().unwrap_or(word));
    let word = words.find(|word| is_option_like(word))?;
    let meant = match word.strip_prefix("--") {
        Some(name) => {
            let all = command.get_subcommands().flat_map(Command::get_arguments);
            astragal_syntax::suggest(name, all.filter_map(Arg::get_long).chain(["help", "version"]))
                .map(|near| format!("--{near}"))
        }
        None => (word == "-v").then(|| "-V".to_owned()),
    };
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "`astragal help` lists the commands and the options".to_owned(),
    };
    Some(format!("there is no option `{word}`: {help}"))
}

/// `--png` and `-v`, but not `--1` or `-d6`.
fn is_option_like(word: &str) -> bool {
    let letters = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
    };
    match word.strip_prefix("--") {
        Some(name) => name.len() > 1 && letters(name),
        None => word.strip_prefix('-').is_some_and(|name| name.len() == 1 && letters(name)),
    }
}

/// A command that is misspelt, and so was read as an expression: `rol 2d6`.
pub(crate) fn no_such_verb(command: &Command, expression: &str) -> Option<String> {
    let (word, rest) = expression.split_once(char::is_whitespace).unwrap_or((expression, ""));
    let first = std::env::args().nth(1)?;
    if first == "version" && rest.is_empty() {
        return Some("there is no command `version`: did you mean `astragal --version`?".into());
    }
    let is_word = word.len() > 2 && word.chars().all(|c| c.is_ascii_alphabetic());
    if !is_word || !first.starts_with(word) {
        return None;
    }
    let verbs = command.get_subcommands().map(Command::get_name).filter(|name| *name != NO_VERB);
    let meant = astragal_syntax::suggest(word, verbs)?;
    let meant = format!("astragal {meant} {}", rest.trim());
    Some(format!("there is no command `{word}`: did you mean `{}`?", meant.trim_end()))
}

/// Of an option that this verb lacks: which have it.
pub(crate) fn option_of_others(command: &Command, verb: &str, option: &str) -> Option<String> {
    let name = option.split('=').next().unwrap_or(option).trim_start_matches("--");
    let has = |verb: &&Command| verb.get_arguments().any(|arg| is_called(arg, name));
    if command.find_subcommand(verb).is_some_and(|verb| has(&verb)) {
        return None;
    }
    let others: Vec<String> = command
        .get_subcommands()
        .filter(|other| other.get_name() != NO_VERB && has(other))
        .map(|other| format!("`{}`", other.get_name()))
        .collect();
    let others = match others.as_slice() {
        [] => return None,
        [only] => format!("{only} has it"),
        [first @ .., last] => format!("{} and {last} have it", first.join(", ")),
    };
    let here = match verb {
        NO_VERB => "without a command there is no option".to_owned(),
        verb => format!("`{verb}` has no option"),
    };
    let all = command.get_subcommands().flat_map(Command::get_arguments);
    let short = all.filter(|arg| is_called(arg, name)).find_map(Arg::get_short);
    let typed = short.map(|short| format!("-{short}"));
    let typed = typed.filter(|short| std::env::args().any(|word| word.starts_with(short)));
    let typed = typed.unwrap_or_else(|| format!("--{name}"));
    Some(format!("{here} `{typed}`; {others}"))
}

/// Whether an option has this name, in full, in short or otherwise.
pub(crate) fn is_called(arg: &Arg, name: &str) -> bool {
    arg.get_long() == Some(name) || arg.get_all_aliases().unwrap_or_default().contains(&name)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Cli;

    #[test]
    fn options_that_there_are_not_are_named() {
        let command = Cli::command();
        let said = |text| no_such_option(&command, text).unwrap_or_default();
        assert_eq!(said("3d6 --jsn"), "there is no option `--jsn`: did you mean `--json`?");
        assert!(said("2d6 --pdf x").starts_with("there is no option `--pdf`: "));
        assert_eq!(said("-v"), "there is no option `-v`: did you mean `-V`?");
        assert_eq!(said("3d6 --1"), "");
        assert_eq!(said("-d6 - 2"), "");
    }

    #[test]
    fn options_of_other_commands_are_told_whose_they_are() {
        let command = Cli::command();
        let said = option_of_others(&command, "solve", "--svg=x.svg").unwrap_or_default();
        assert_eq!(said, "`solve` has no option `--svg`; `odds`, `compare` and `sweep` have it");
        assert_eq!(option_of_others(&command, "odds", "--svg=x.svg"), None);
    }
}
