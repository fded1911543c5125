//! `astragal completions bash`: a script with which a shell completes what is typed.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};

use crate::arguments::{Cli, Completions, NO_VERB};
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Completions, terminal: &Terminal) -> Result<(), Stop> {
    if terminal.json {
        return Err(Stop::Usage(
            "`completions` prints a script for a shell: leave out `--json`".into(),
        ));
    }
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut as_typed(), "astragal", &mut script);
    terminal.out(&String::from_utf8_lossy(&script));
    Ok(())
}

/// The commands as users type them: the one without a verb is `astragal` itself.
pub(crate) fn as_typed() -> Command {
    let whole = Cli::command();
    let verbs = whole.get_subcommands().filter(|verb| verb.get_name() != NO_VERB).cloned();
    let bare = whole.find_subcommand(NO_VERB).into_iter().flat_map(Command::get_arguments).cloned();
    let about = whole.get_about().cloned().unwrap_or_default();
    let typed = Command::new("astragal").version(env!("CARGO_PKG_VERSION")).about(about);
    let typed = typed.disable_help_subcommand(true);
    typed.args(bare.map(with_systems)).subcommands(verbs.map(|verb| verb.mut_args(with_systems)))
}

/// Where a system can be named, the systems are offered.
fn with_systems(argument: Arg) -> Arg {
    let takes_one = matches!(argument.get_id().as_str(), "system" | "name");
    let names = astragal::SYSTEMS.iter().map(|(name, _)| *name);
    if takes_one { argument.value_parser(PossibleValuesParser::new(names)) } else { argument }
}
