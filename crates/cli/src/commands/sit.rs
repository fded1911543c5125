//! `astragal sit LINK`: plays at a table from the terminal.
//!
//! ```text
//! > 4d6kh3 # the axe     rolls, for all to see
//! > :hidden d20 + 7      rolls for the game master alone
//! > ? 4d6kh3             its odds
//! > :help                all there is
//! ```
//!
//! At a terminal there is the session's editor, and what others do appears above the line that is being typed; through a pipe the same lines are
//! done one after the other, each when the one before is in the log. What a line does is in `sit/lines.rs`, how a table looks in `sit/tell.rs`.

mod lines;
mod sheet;
mod story;
mod tell;

use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use astragal::Engine;
use astragal_sit::{Arrival, Keep, Link, Sitting, Told};
use reedline::ExternalPrinter;

use crate::arguments::Sit;
use crate::places;
use crate::repl::editor::{Editor, Entry};
use crate::repl::names::Names;
use crate::stop::Stop;
use crate::terminal::Terminal;

use lines::{Next, Player};
use story::Story;

/// How long a line of a script may take until it is in the log.
const PATIENCE: Duration = Duration::from_secs(60);
/// So much may happen while something is computed.
const MOST_UNSEEN: usize = 10_000;
/// How many entries of what was before are told at the beginning.
const SHOWN_OF_BEFORE: usize = 12;

/// Where what happens is told.
#[derive(Clone)]
enum Screen {
    /// Above the line that is being typed.
    Above(SyncSender<String>),
    /// On standard output, and what is wrong on standard error.
    Plain(Terminal),
}

impl Screen {
    fn say(&self, text: &str) {
        match self {
            // Whoever closes the editor hears nothing more.
            Screen::Above(printer) => drop(printer.send(text.to_owned())),
            Screen::Plain(terminal) => terminal.say(text),
        }
    }

    fn tell(&self, text: &str) {
        match self {
            Screen::Above(printer) => drop(printer.send(text.to_owned())),
            Screen::Plain(terminal) => terminal.tell(text),
        }
    }
}

/// What is known of the table, by both threads.
type Known = Arc<Mutex<Story>>;

fn locked(known: &Known) -> MutexGuard<'_, Story> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn run(arguments: &Sit, terminal: &Terminal) -> Result<(), Stop> {
    if terminal.json {
        let instead = "`astragal verify LOG --json` tells of its log";
        return Err(Stop::Usage(format!("what happens at a table has no JSON: {instead}")));
    }
    let link = Link::read(&arguments.link)
        .map_err(|why| Stop::Usage(format!("`{}` is no link to a table: {why}", arguments.link)))?;
    let arrival = arrival(arguments, link, terminal)?;
    let typed = io::stdin().is_terminal();
    let dumb = std::env::var("TERM").is_ok_and(|kind| kind == "dumb");
    let printer = ExternalPrinter::new(MOST_UNSEEN);
    let edited = typed && !dumb && io::stdout().is_terminal();
    let screen =
        if edited { Screen::Above(printer.sender()) } else { Screen::Plain(terminal.clone()) };
    let known = Known::default();
    let sitting = Sitting::begin(arrival, teller(&known, screen)).map_err(Stop::Usage)?;
    let mut player = Player::new(&sitting, &known, terminal);
    let done = if edited {
        let names = Names::new(&Engine::new()).with_commands(lines::commands());
        let editor = Editor::new(&names, terminal, !arguments.no_history).with_printer(printer);
        edits(&mut player, editor);
        Ok(())
    } else {
        reads(&mut player, typed)
    };
    sitting.leave();
    let failed = locked(&known).failed && !typed;
    if failed { Err(Stop::Said) } else { done }
}

/// Who comes: under which name, and what was kept of it.
fn arrival(arguments: &Sit, link: Link, terminal: &Terminal) -> Result<Arrival, Stop> {
    if arguments.watch {
        return Ok(Arrival { link, name: None, keep: None });
    }
    let folder = arguments.seats.clone().or_else(|| places::state("seats"));
    let folder: PathBuf = folder.ok_or_else(|| {
        Stop::Usage("there is no folder for the key of a seat: name one, `--seats FOLDER`".into())
    })?;
    let name = match &arguments.name {
        Some(name) => name.trim().to_owned(),
        None => name(&Keep::names(&folder, &link.table), terminal)?,
    };
    let keep =
        Keep::open(&folder, &link.table, &name).map_err(|why| Stop::Usage(why.to_string()))?;
    Ok(Arrival { link, name: Some(name), keep: Some(keep) })
}

/// The name under which somebody sat here before, or the one that is typed.
fn name(before: &[String], terminal: &Terminal) -> Result<String, Stop> {
    if let [only] = before {
        return Ok(only.clone());
    }
    let which = match before {
        [] => "say what the others are to call you: `--name Ulf`".to_owned(),
        several => format!("say who you are, `--name NAME`: here sat {}", several.join(", ")),
    };
    if !io::stdin().is_terminal() {
        return Err(Stop::Usage(which));
    }
    terminal.prompt("What shall the others call you? ");
    let mut typed = String::new();
    io::stdin().lock().read_line(&mut typed).map_err(|error| Stop::Usage(error.to_string()))?;
    match typed.trim() {
        "" => Err(Stop::Usage(which)),
        name => Ok(name.to_owned()),
    }
}

/// Tells what happens, from the thread of the device. What was before is told in short.
fn teller(known: &Known, screen: Screen) -> impl FnMut(Told) + Send + use<> {
    let known = Arc::clone(known);
    let (mut before, mut live) = (Vec::new(), false);
    move |told| {
        let (said, wrong, begins) = {
            let mut story = locked(&known);
            let said = story.take(&told);
            (said, tell::wrong(&told), matches!(told, Told::Live))
        };
        match wrong {
            Some(wrong) => {
                locked(&known).failed = true;
                screen.tell(&wrong);
            }
            None if live => said.iter().for_each(|line| screen.say(line)),
            None => before.extend(said),
        }
        if begins && !live {
            live = true;
            let more = before.len().saturating_sub(SHOWN_OF_BEFORE);
            if more > 0 {
                screen.say(&format!("({more} entries before; `:log FILE` writes all)"));
            }
            before.drain(..).skip(more).for_each(|line: String| screen.say(&line));
        }
    }
}

/// Lines from the editor.
fn edits(player: &mut Player<'_>, mut editor: Editor) {
    player.settles(PATIENCE);
    loop {
        match editor.entry() {
            // Why was told above the line.
            Ok(Entry::Line(_)) if player.is_over() => return,
            Ok(Entry::Line(line)) => match player.answer(line.trim()) {
                Ok(Next::Line) => {}
                Ok(Next::Leave) => return,
                Err(stop) => drop(stop.report(player.terminal)),
            },
            Ok(Entry::Interrupted) => {
                player.terminal.tell("(`:quit` or Ctrl-D leaves; your seat stays)")
            }
            Ok(Entry::End) | Err(_) => return,
        }
    }
}

/// Lines from a pipe, or from a terminal that can do no more: each is in the log before the next is done.
fn reads(player: &mut Player<'_>, prompted: bool) -> Result<(), Stop> {
    if !player.settles(PATIENCE) {
        return Err(not_done(player));
    }
    let mut wrong = false;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match player.answer(line.trim()) {
            Ok(Next::Line) => {}
            Ok(Next::Leave) => break,
            Err(stop) => {
                stop.report(player.terminal);
                wrong = true;
            }
        }
        if !prompted && !player.settles(PATIENCE) {
            return Err(not_done(player));
        }
    }
    if wrong && !prompted { Err(Stop::Said) } else { Ok(()) }
}

/// Whatever ended it was told; otherwise it took too long.
fn not_done(player: &Player<'_>) -> Stop {
    if player.has_failed() {
        return Stop::Said;
    }
    Stop::Usage("the house does not answer".into())
}
