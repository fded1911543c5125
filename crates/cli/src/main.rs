//! The command line of Astragal: `astragal roll 4d6kh3`, `astragal odds 4d6kh3`.
//!
//! A thin door: it reads arguments, files and the terminal, hands a text to the library and sets the
//! answer on the screen. Each command is one file in `commands`; what they share is beside them.

mod arguments;
mod chart;
mod choosing;
mod commands;
mod config;
mod correlations;
mod fold;
mod heat;
mod house;
mod input;
mod picture;
mod places;
mod plot;
mod points;
mod progress;
mod prospects;
mod repl;
mod report;
mod side;
mod slip;
mod solution;
mod split;
mod stop;
mod survey;
mod terminal;
mod toml;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use arguments::{Cli, Command, Output};
use stop::Stop;
use terminal::Terminal;

/// Large tables come and go: this allocator keeps their pages, where the system's hands them back and asks again.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let command = Cli::command();
    let sorted = match config::with_settings(&command, split::split(&command, &words)) {
        Ok(sorted) => sorted,
        Err(stop) => return stop.report(&Terminal::new(&Output::default())),
    };
    let options = sorted.iter().skip(2).take_while(|word| *word != "--");
    let verb = sorted.get(1).map_or("", String::as_str);
    let mut options = options.filter(|word| word.starts_with("--"));
    if let Some(wrong) = options.find_map(|word| slip::option_of_others(&command, verb, word)) {
        return stop::usage(wrong, &sorted);
    }
    let command = if split::asks_about_all(&sorted) { with_bare_form(command) } else { command };
    let parsed = command.try_get_matches_from(&sorted);
    match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => run(&cli.command),
        Err(error) => stop::usage_of_clap(&error, &sorted),
    }
}

/// The help names the options of the form without a command too.
pub(crate) fn with_bare_form(mut command: clap::Command) -> clap::Command {
    let bare = command.find_subcommand_mut(arguments::NO_VERB).map(|bare| bare.render_help());
    let bare = bare.map(|help| help.to_string()).unwrap_or_default();
    let options = bare.split_once("Options:\n").map_or("", |(_, options)| options).trim_end();
    command.after_help(format!("Options without a command (`astragal [OPTIONS] EXPR`):\n{options}"))
}

fn run(command: &Command) -> ExitCode {
    let terminal = Terminal::new(command.output());
    let result = match command {
        Command::Roll(arguments) => commands::roll::run(arguments, &terminal),
        Command::Odds(arguments) => commands::odds::run(arguments, &terminal),
        Command::Compare(arguments) => commands::compare::run(arguments, &terminal),
        Command::Sweep(arguments) => commands::sweep::run(arguments, &terminal),
        Command::Solve(arguments) => commands::solve::run(arguments, &terminal),
        Command::Check(arguments) => commands::check::run(arguments, &terminal),
        Command::Convert(arguments) => commands::convert::run(arguments, &terminal),
        Command::Fmt(arguments) => commands::fmt::run(arguments, &terminal),
        Command::Systems(arguments) => commands::systems::run(arguments, &terminal),
        Command::Play(arguments) => commands::play::run(arguments, &terminal),
        #[cfg(feature = "server")]
        Command::Serve(arguments) => commands::serve::run(arguments, &terminal),
        #[cfg(feature = "server")]
        Command::Table(arguments) => commands::table::run(arguments, &terminal),
        #[cfg(feature = "sit")]
        Command::Sit(arguments) => commands::sit::run(arguments, &terminal),
        Command::Verify(arguments) => commands::verify::run(arguments, &terminal),
        Command::Plan(arguments) => commands::plan::run(arguments, &terminal),
        Command::Completions(arguments) => commands::completions::run(arguments, &terminal),
        Command::Man(arguments) => commands::man::run(arguments, &terminal),
        Command::Help(arguments) => commands::help::run(arguments, &terminal),
        Command::Both(arguments) if arguments.has_program() => {
            commands::both::run(arguments, &terminal)
        }
        Command::Both(arguments) => repl::run(arguments, &terminal),
    };
    result.map_or_else(|stop: Stop| stop.report(&terminal), |()| ExitCode::SUCCESS)
}
