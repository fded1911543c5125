//! `astragal completions bash`: a script with which a shell completes what is typed.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::generate;
use clap_complete_nushell::Nushell;

use crate::arguments::{Cli, Completions, NO_VERB, Shell};
use crate::stop::Stop;
use crate::terminal::Terminal;

const NAME: &str = "astragal";

pub(crate) fn run(arguments: &Completions, terminal: &Terminal) -> Result<(), Stop> {
    if terminal.json {
        return Err(Stop::Usage(
            "`completions` prints a script for a shell: leave out `--json`".into(),
        ));
    }
    let (mut command, mut script) = (as_typed(), Vec::new());
    match known(arguments.shell) {
        Some(shell) => generate(shell, &mut command, NAME, &mut script),
        None => generate(Nushell, &mut command, NAME, &mut script),
    }
    terminal.out(&String::from_utf8_lossy(&script));
    Ok(())
}

/// The shells that `clap_complete` knows; the other one is Nushell.
fn known(shell: Shell) -> Option<clap_complete::Shell> {
    Some(match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Elvish => clap_complete::Shell::Elvish,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Powershell => clap_complete::Shell::PowerShell,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Nushell => return None,
    })
}

/// The commands as users type them: the one without a verb is `astragal` itself.
pub(crate) fn as_typed() -> Command {
    let whole = Cli::command();
    let verbs = whole.get_subcommands().filter(|verb| verb.get_name() != NO_VERB).cloned();
    let bare = whole.find_subcommand(NO_VERB).into_iter().flat_map(Command::get_arguments).cloned();
    let about = whole.get_about().cloned().unwrap_or_default();
    let typed = Command::new(NAME).version(env!("CARGO_PKG_VERSION")).about(about);
    let typed = typed.disable_help_subcommand(true);
    typed.args(bare.map(with_systems)).subcommands(verbs.map(|verb| verb.mut_args(with_systems)))
}

/// Where a system can be named, the systems are offered.
fn with_systems(argument: Arg) -> Arg {
    let takes_one = matches!(argument.get_id().as_str(), "system" | "name");
    let names = astragal::SYSTEMS.iter().map(|(name, _)| *name);
    if takes_one { argument.value_parser(PossibleValuesParser::new(names)) } else { argument }
}
