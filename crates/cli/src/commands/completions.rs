//! `astragal completions bash`: a script with which a shell completes what is typed.

use clap::{Command, CommandFactory};

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
fn as_typed() -> Command {
    let whole = Cli::command();
    let verbs = whole.get_subcommands().filter(|verb| verb.get_name() != NO_VERB).cloned();
    let bare = whole.find_subcommand(NO_VERB).into_iter().flat_map(Command::get_arguments).cloned();
    Command::new("astragal").version(env!("CARGO_PKG_VERSION")).args(bare).subcommands(verbs)
}
