//! The command line of Astragal: `astragal roll 4d6kh3`, `astragal odds 4d6kh3`.
//!
//! A thin door: it reads arguments, files and the terminal, hands a text to the library and sets the
//! answer on the screen. Each command is one file in `commands`; what they share is beside them.

mod arguments;
mod chart;
mod columns;
mod commands;
mod condition;
mod correlations;
mod heat;
mod input;
mod picture;
mod plot;
mod points;
mod progress;
mod prospects;
mod repl;
mod report;
mod side;
mod solution;
mod split;
mod stop;
mod survey;
mod target;
mod terminal;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use arguments::{Cli, Command};
use stop::Stop;
use terminal::Terminal;

/// Large tables come and go: this allocator keeps their pages, where the system's hands them back and asks again.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let command = Cli::command();
    let sorted = split::split(&command, &words);
    let parsed = command.try_get_matches_from(&sorted);
    match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => run(&cli.command),
        Err(error) => stop::usage_of_clap(&error, &sorted),
    }
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
        Command::Serve(arguments) => commands::serve::run(arguments, &terminal),
        Command::Completions(arguments) => commands::completions::run(arguments, &terminal),
        Command::Both(arguments) if arguments.has_program() => {
            commands::both::run(arguments, &terminal)
        }
        Command::Both(arguments) => repl::run(arguments, &terminal),
    };
    result.map_or_else(|stop: Stop| stop.report(&terminal), |()| ExitCode::SUCCESS)
}
