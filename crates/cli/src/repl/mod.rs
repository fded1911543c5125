//! `astragal` alone: a session that reads line by line.
//!
//! ```text
//! > 4d6kh3            rolls, every die explained
//! > ? 4d6kh3          its odds
//! >                   the last one again
//! > :system kaiser    and then `skill(8, 12, advantage: 1)` is enough
//! ```
//!
//! At a terminal there is an editor with colours, completion, hints and history; through a pipe the same
//! session reads plain lines. What a line does is in `session`, what follows a colon in `commands`.

mod asking;
mod checked;
mod colours;
mod commands;
mod complete;
mod definitions;
pub(crate) mod editor;
pub(crate) mod help;
mod hints;
mod history;
mod incomplete;
mod kept;
mod lines;
mod literal;
mod menu;
pub(crate) mod names;
mod past;
mod places;
mod plain;
mod quiet;
mod session;
mod shared;
mod table;
mod thrown;
mod unit;
mod uses;
pub(crate) mod work;
mod wrap;

use std::io::{self, IsTerminal};

use crate::arguments::Both;
use crate::stop::Stop;
use crate::terminal::Terminal;

use editor::{Editor, Entry};
use session::{Next, Session};

pub(crate) fn run(arguments: &Both, terminal: &Terminal) -> Result<(), Stop> {
    if terminal.json {
        return Err(Stop::Usage("there is no expression: write one, such as `4d6kh3`".into()));
    }
    let mut session = Session::new(arguments, terminal)?;
    let typed = io::stdin().is_terminal();
    if !typed {
        return plain::run(&mut session, false);
    }
    terminal.say("Astragal: write a roll, `? roll` for its odds, `:help` or `:quit`.");
    session.greet();
    let dumb = std::env::var("TERM").is_ok_and(|kind| kind == "dumb");
    if dumb || !io::stdout().is_terminal() {
        return plain::run(&mut session, true);
    }
    let editor = Editor::new(&session.names, terminal, !arguments.no_history);
    edited(&mut session, editor)
}

/// Lines from the editor. If it cannot work with this terminal, lines are read plainly.
fn edited(session: &mut Session<'_>, mut editor: Editor) -> Result<(), Stop> {
    loop {
        match editor.entry() {
            Ok(Entry::Line(line)) => match session.answer(line.trim()) {
                Ok(Next::Line) => {}
                Ok(Next::Leave) => return Ok(()),
                Err(stop) => complain(&stop, session),
            },
            Ok(Entry::Interrupted) => session.terminal.tell("(`:quit` or Ctrl-D leaves)"),
            Ok(Entry::End) => return Ok(()),
            Err(_) => {
                drop(editor);
                return plain::run(session, true);
            }
        }
    }
}

/// Tells what is wrong with a line, and what would allow it.
fn complain(stop: &Stop, session: &Session<'_>) {
    let allowed = session
        .throwing
        .steps
        .unwrap_or_else(|| astragal::Budget::default().steps)
        .saturating_mul(10);
    stop.report_with(&format!(":steps {allowed}"), session.terminal);
}
