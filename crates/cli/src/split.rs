//! Sorts the words of the command line: which are options, which are the expression.
//!
//! Dice expressions look like options (`-d6`, `--1`, `-2d6 + 3`), so the usual rule, that a word with a
//! dash is an option, does not hold. Here a word is an option only if it is a *known* one; everything
//! else is the expression:
//!
//! ```text
//! roll -d6 + 2 --seed 1        becomes   roll --seed=1 -- "-d6 + 2"
//! odds --faces -1,0 -- --json  becomes   odds --faces=-1,0 -- "--json"
//! ```
//!
//! Which options there are is asked of clap, so that no list is kept twice. An option of another verb
//! (`odds 3d6 --seed 1`) is known too, so that clap can refuse it.

use clap::{Arg, Command};

use crate::arguments::NO_VERB;
use crate::points;
use crate::slip::is_called;

/// The command line in an order and spelling that clap cannot misread.
pub(crate) fn split(command: &Command, words: &[String]) -> Vec<String> {
    let mut sorted = vec![command.get_name().to_owned()];
    let (verb, rest) = match words {
        [first, ..] if is_about_all(first) => {
            return sorted.into_iter().chain(words.to_vec()).collect();
        }
        [first, rest @ ..] if first != NO_VERB && is_verb(command, first) => (first.as_str(), rest),
        all if asks_for_help(all) => return vec![sorted.remove(0), "--help".into()],
        all => (NO_VERB, all),
    };
    sorted.push(verb.to_owned());
    match command.find_subcommand(verb) {
        Some(known) if takes_expression(known) => {
            sort(command, rest, Extra::of(known), &mut sorted);
        }
        _ => sorted.extend(rest.iter().cloned()),
    }
    sorted
}

/// `--help` and the like, which stand before any verb.
fn is_about_all(word: &str) -> bool {
    matches!(word, "-h" | "--help" | "-V" | "--version" | "help")
}

/// Whether the sorted words ask for the help of everything.
pub(crate) fn asks_about_all(sorted: &[String]) -> bool {
    matches!(sorted, [_, word] if matches!(word.as_str(), "-h" | "--help" | "help"))
}

/// `4d6 --help`
fn asks_for_help(words: &[String]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| word == "--help" || word == "-h")
}

fn is_verb(command: &Command, word: &str) -> bool {
    command.find_subcommand(word).is_some()
}

fn takes_expression(verb: &Command) -> bool {
    verb.get_positionals().any(|arg| arg.get_id() == "expression")
}

/// The options of all verbs that take an expression.
fn known(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_subcommands().filter(|verb| takes_expression(verb)).flat_map(Command::get_arguments)
}

/// What a verb takes besides one expression, without the name of its option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extra {
    Nothing,
    /// `compare A B C`: each word is an expression, for `--with` from the second on.
    Expressions,
    /// `sweep EXPR dc=5..25`: for `--over`.
    Values,
    /// `solve EXPR dc`: for `--for`.
    Name,
}

impl Extra {
    fn of(verb: &Command) -> Extra {
        let takes = |id: &str| verb.get_arguments().any(|arg| arg.get_id() == id);
        match () {
            () if takes("with") => Extra::Expressions,
            () if takes("over") => Extra::Values,
            () if takes("input") => Extra::Name,
            () => Extra::Nothing,
        }
    }

    /// The words that belong to its option; the others stay.
    fn take(self, words: &mut Vec<&str>, in_file: bool) -> Vec<String> {
        let name = |word: &&str| points::is_assignment(word);
        match self {
            Extra::Nothing => Vec::new(),
            Extra::Expressions if words.is_empty() => Vec::new(),
            Extra::Expressions => words.drain(1..).map(|word| format!("--with={word}")).collect(),
            Extra::Values => {
                let taken = words.extract_if(.., |word| name(&&**word));
                taken.map(|word| format!("--over={word}")).collect()
            }
            // A single word is the expression, unless that is in a file.
            Extra::Name if words.len() < 2 && !in_file && !words.iter().any(name) => Vec::new(),
            Extra::Name => {
                let last = words.pop_if(|word| name(&&**word) || points::is_name(word));
                let mut all: Vec<&str> = words.extract_if(.., |word| name(&&**word)).collect();
                all.extend(last);
                all.into_iter().map(|word| format!("--for={word}")).collect()
            }
        }
    }
}

fn sort(command: &Command, words: &[String], extra: Extra, sorted: &mut Vec<String>) {
    let mut expression: Vec<&str> = Vec::new();
    let mut given = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            given |= words.len() > 0;
            expression.extend(words.by_ref().map(String::as_str));
        } else if let Some(option) = option(command, word) {
            let value = if option.takes_value { words.next() } else { None };
            let word = option.word;
            sorted.push(value.map_or_else(|| word.clone(), |value| format!("{word}={value}")));
        } else {
            given = true;
            expression.push(word);
        }
    }
    let in_file = sorted.iter().any(|word| word.starts_with("--file"));
    sorted.extend(extra.take(&mut expression, in_file));
    if given && !(expression.is_empty() && extra != Extra::Nothing) {
        sorted.extend(["--".to_owned(), expression.join(" ")]);
    }
}

/// A known option, in full, and whether the next word is its value.
struct Known {
    word: String,
    takes_value: bool,
}

fn option(command: &Command, word: &str) -> Option<Known> {
    if word == "-h" || word == "--help" {
        return Some(Known { word: word.to_owned(), takes_value: false });
    }
    let takes = |arg: &Arg| arg.get_action().takes_values();
    let Some(long) = word.strip_prefix("--") else {
        let arg = known(command).find(|arg| is_short(arg, word))?;
        return Some(Known { word: format!("--{}", arg.get_long()?), takes_value: takes(arg) });
    };
    let name = long.split('=').next().unwrap_or(long);
    let arg = known(command).find(|arg| is_called(arg, name))?;
    Some(Known { word: word.to_owned(), takes_value: takes(arg) && !long.contains('=') })
}

/// `-f`
fn is_short(arg: &Arg, word: &str) -> bool {
    let mut letters = word.chars();
    let short =
        letters.next() == Some('-') && letters.next().is_some_and(|c| arg.get_short() == Some(c));
    short && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Cli;

    fn sorted(line: &[&str]) -> Vec<String> {
        let words: Vec<String> = line.iter().map(|&word| word.to_owned()).collect();
        split(&Cli::command(), &words)[1..].to_vec()
    }

    #[test]
    fn what_is_no_option_is_the_expression() {
        assert_eq!(
            sorted(&["roll", "-d6", "+", "2", "--seed", "1"]),
            ["roll", "--seed=1", "--", "-d6 + 2"]
        );
        assert_eq!(sorted(&["roll", "--1"]), ["roll", "--", "--1"]);
        assert_eq!(sorted(&["odds", "--json", "--", "--json"]), ["odds", "--json", "--", "--json"]);
        assert_eq!(
            sorted(&["odds", "--color=never", "-2d6"]),
            ["odds", "--color=never", "--", "-2d6"]
        );
    }

    #[test]
    fn the_value_of_an_option_is_the_next_word_whatever_it_looks_like() {
        assert_eq!(
            sorted(&["roll", "3dF", "--faces", "-1,0,1"]),
            ["roll", "--faces=-1,0,1", "--", "3dF"]
        );
        assert_eq!(sorted(&["roll", "7", "--faces", ""]), ["roll", "--faces=", "--", "7"]);
        assert_eq!(sorted(&["roll", "7", "--seed"]), ["roll", "--seed", "--", "7"]);
    }

    #[test]
    fn without_a_verb_everything_is_the_expression() {
        assert_eq!(sorted(&["4d6kh3"]), [NO_VERB, "--", "4d6kh3"]);
        assert_eq!(sorted(&["--json", "-d6"]), [NO_VERB, "--json", "--", "-d6"]);
        assert_eq!(sorted(&[" both", "d6"]), [NO_VERB, "--", " both d6"]);
        assert_eq!(sorted(&[]), [NO_VERB]);
    }

    #[test]
    fn short_options_are_said_in_full() {
        assert_eq!(
            sorted(&["roll", "-f", "a.dice", "-n", "3", "-j"]),
            ["roll", "--file=a.dice", "--times=3", "--json"]
        );
        assert_eq!(sorted(&["roll", "-s", "-1", "d6"]), ["roll", "--seed=-1", "--", "d6"]);
        assert_eq!(sorted(&["roll", "-x"]), ["roll", "--", "-x"]);
    }

    #[test]
    fn options_of_other_verbs_are_no_expression() {
        assert_eq!(sorted(&["odds", "3d6", "--seed", "1"]), ["odds", "--seed=1", "--", "3d6"]);
    }

    #[test]
    fn expressions_and_inputs_may_stand_beside_an_expression() {
        assert_eq!(
            sorted(&["compare", "d20", "-d6 + 2", "--json"]),
            ["compare", "--json", "--with=-d6 + 2", "--", "d20"]
        );
        assert_eq!(
            sorted(&["sweep", "d20", ">=", "dc", "dc=5..25", "--csv"]),
            ["sweep", "--csv", "--over=dc=5..25", "--", "d20 >= dc"]
        );
        assert_eq!(
            sorted(&["solve", "d20 >= dc", "dc", "--chance", "65%"]),
            ["solve", "--chance=65%", "--for=dc", "--", "d20 >= dc"]
        );
        let file = ["sweep", "--file", "a.dice", "dc=1..3"];
        assert_eq!(sorted(&file), ["sweep", "--file=a.dice", "--over=dc=1..3"]);
    }

    #[test]
    fn empty_is_not_absent() {
        assert_eq!(sorted(&["roll", ""]), ["roll", "--", ""]);
        assert_eq!(sorted(&["roll"]), ["roll"]);
        assert_eq!(sorted(&["roll", "--"]), ["roll"]);
    }

    #[test]
    fn commands_without_expression_are_left_to_clap() {
        assert_eq!(sorted(&["fmt", "--chekc", "a.dice"]), ["fmt", "--chekc", "a.dice"]);
        assert_eq!(sorted(&["--help"]), ["--help"]);
    }
}
