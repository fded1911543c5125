//! `:compare`, `:sweep` and `:solve`: the commands of the command line, with the session's names.
//!
//! ```text
//! :compare 2d20kh1, d20 + 5
//! :sweep d20 + bonus >= dc dc=5..25
//! :solve d20 + bonus >= dc dc --chance 65%
//! ```

use astragal::Sources;
use clap::{CommandFactory, FromArgMatches};

use super::places::{Typed, as_typed};
use super::session::Session;
use crate::arguments::{Cli, Command, Source};
use crate::commands::{compare, solve, sweep};
use crate::split::split;
use crate::stop::Stop;

/// Runs a command of the command line.
pub(super) fn run(session: &mut Session<'_>, verb: &str, line: &str) -> Result<(), Stop> {
    let words = if verb == "compare" { expressions(line) } else { words(line) };
    let words: Vec<String> = [verb.to_owned()].into_iter().chain(words).collect();
    let command = Cli::command();
    let sorted = split(&command, &words);
    let parsed = command.try_get_matches_from(sorted);
    if verb == "solve" && !line.contains("--chance") && !line.contains("--help") {
        let how = "write it last, as in `:solve d20 + 5 >= dc dc --chance 65%`";
        return Err(Stop::Usage(format!("there is no chance to aim at: {how}")));
    }
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return Err(refused(&error)),
        Err(help) => {
            session.terminal.say(&help.to_string());
            return Ok(());
        }
    };
    let (steps, full) = (session.throwing.steps, session.throwing.full);
    match cli.command {
        Command::Compare(mut arguments) => {
            if arguments.with.is_empty() && arguments.source.file.is_none() {
                let how = "write two rolls, as in `:compare 2d20kh1, d20 + 5`";
                return Err(Stop::Usage(format!("there is nothing to compare with: {how}")));
            }
            let others = arguments.with.join("\n");
            session.lend(&mut arguments.source, &others, &[]);
            arguments.steps = arguments.steps.or(steps);
            arguments.full |= full;
            let typed = [typed(&arguments.source), arguments.with.clone()].concat();
            session.run_beside(typed, move |terminal| compare::run(&arguments, terminal))
        }
        Command::Sweep(mut arguments) => {
            let names: Vec<&str> = arguments.over.iter().map(|axis| name(axis)).collect();
            session.lend(&mut arguments.source, "", &names);
            arguments.steps = arguments.steps.or(steps);
            let typed = typed(&arguments.source);
            session.run_beside(typed, move |terminal| sweep::run(&arguments, terminal))
        }
        Command::Solve(mut arguments) => {
            let names: Vec<&str> = arguments.input.iter().map(|axis| name(axis)).collect();
            session.lend(&mut arguments.source, "", &names);
            arguments.steps = arguments.steps.or(steps);
            let typed = typed(&arguments.source);
            session.run_beside(typed, move |terminal| solve::run(&arguments, terminal))
        }
        _ => Err(Stop::Usage(format!("`:{verb}` is no command of a session"))),
    }
}

/// `dc` of `dc=5..25`
fn name(axis: &str) -> &str {
    axis.split('=').next().unwrap_or(axis).trim()
}

fn typed(source: &Source) -> Vec<String> {
    source.expression.iter().cloned().collect()
}

/// What is wrong with the words, without how the command line is called.
fn refused(error: &clap::Error) -> Stop {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.starts_with("Usage:"));
    let lines = lines.map(|line| line.trim().trim_start_matches("error: "));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    Stop::Usage(lines.join(" "))
}

impl Session<'_> {
    /// Gives a program the names of the session, but for those that are its inputs.
    fn lend(&self, source: &mut Source, others: &str, inputs: &[&str]) {
        let text = format!("{}\n{others}", source.expression.as_deref().unwrap_or_default());
        source.before = self.definitions.before_without(&text, inputs);
        if source.system.is_none() {
            source.system.clone_from(&self.open);
        }
        for (name, value) in &self.settings {
            if source.before.contains(&format!("param {name} ")) {
                source.set.push(format!("{name}={value}"));
            }
        }
    }

    /// Runs a command where Ctrl-C stops it.
    fn run_beside(
        &self,
        typed: Vec<String>,
        command: impl FnOnce(&crate::terminal::Terminal) -> Result<(), Stop> + Send + 'static,
    ) -> Result<(), Stop> {
        let terminal = self.terminal.clone();
        let done = self.worker.answer(self.terminal, move |flag| {
            let terminal = terminal.until(flag);
            match command(&terminal) {
                // It has been said that there is none.
                Err(Stop::Said) => Ok(()),
                Err(Stop::Program(found)) => {
                    let source = found.sources().get(Sources::PROGRAM);
                    let text = source.map_or("", |source| &source.text);
                    let Some(own) = typed.into_iter().find(|own| text.ends_with(own)) else {
                        return Err(Stop::Program(found));
                    };
                    let before = text.len() - own.len();
                    let own = Typed { name: "program".into(), whole: own, start: 0 };
                    Err(as_typed(*found, before, &own).into())
                }
                done => done,
            }
        });
        done.map(drop)
    }
}

/// The words of a line. What stands in `'…'` is one word; what stands in `"…"` stays as it is.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote) = (None::<String>, None::<char>);
    for c in line.chars() {
        match (quote, c) {
            (None, '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some('\''), '\'') => quote = None,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => {
                if c == '"' {
                    quote = if quote.is_none() { Some(c) } else { quote.filter(|q| *q != c) };
                }
                word.get_or_insert_default().push(c);
            }
        }
    }
    words.extend(word);
    words
}

/// Expressions with commas between them, or words; options stay words.
fn expressions(line: &str) -> Vec<String> {
    let parts = apart(line);
    if parts.len() < 2 {
        return words(line);
    }
    let (last, first) = parts.split_last().map_or(("", &[][..]), |(last, first)| (*last, first));
    let (last, options) = last.split_once(" --").unwrap_or((last, ""));
    let options = if options.is_empty() { Vec::new() } else { words(&format!("--{options}")) };
    let parts = first.iter().copied().chain([last]).map(|part| unquoted(part.trim()).to_owned());
    parts.filter(|part| !part.is_empty()).chain(options).collect()
}

/// `'d20 + 5'` without its quotes.
fn unquoted(word: &str) -> &str {
    word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')).unwrap_or(word)
}

/// A text cut at the commas that stand in no brackets and in no quotes.
fn apart(line: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    let mut parts = Vec::new();
    for (at, c) in line.char_indices() {
        match c {
            '"' | '\'' if quote.is_none() => quote = Some(c),
            c if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&line[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_into_words() {
        assert_eq!(words("d20 >= dc dc=5..25"), ["d20", ">=", "dc", "dc=5..25"]);
        assert_eq!(words("'d20 + 5' --chance '>= 15'"), ["d20 + 5", "--chance", ">= 15"]);
        assert_eq!(words("d{\"a b\", \"it's\"} ''"), ["d{\"a b\",", "\"it's\"}", ""]);
        assert!(words("  ").is_empty());
    }

    #[test]
    fn expressions_stand_between_commas() {
        assert_eq!(expressions("2d20kh1, d20 + 5"), ["2d20kh1", "d20 + 5"]);
        assert_eq!(expressions("max(d6, 3), {d6, d8}kh1"), ["max(d6, 3)", "{d6, d8}kh1"]);
        assert_eq!(expressions("d6, d8 + 1 --full --chance '>= 3'").len(), 5);
        assert_eq!(expressions("d6, d{\"a, b\"} --full"), ["d6", "d{\"a, b\"}", "--full"]);
        assert_eq!(expressions("'2d20kh1' 'd20 + 5'"), ["2d20kh1", "d20 + 5"]);
        assert_eq!(expressions("'max(d6, 3)', 'd20 + 5'"), ["max(d6, 3)", "d20 + 5"]);
        assert_eq!(expressions("d6 d8"), ["d6", "d8"]);
    }
}
