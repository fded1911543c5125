//! A session: what was defined, opened and set. What a line does with it is in `lines`.

use std::path::Path;

use astragal::Engine;
use astragal_assist::definitions::Definition;

use super::commands;
use super::definitions::Definitions;
use super::names::Names;
use super::past::{Past, Snapshot};
use super::table::Store;
use super::uses;
use super::work::Worker;
use crate::arguments::{Asking, Both, Throwing};
use crate::commands::odds::Question;
use crate::input;
use crate::places;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// What comes after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Line,
    Leave,
}

pub(super) struct Session<'a> {
    pub(super) terminal: &'a Terminal,
    pub(super) names: Names,
    pub(super) definitions: Definitions,
    pub(super) throwing: Throwing,
    /// Everything that was entered.
    pub(super) lines: Vec<String>,
    pub(super) asking: &'a Asking,
    /// With no system opened.
    closed: Engine,
    pub(super) engine: Engine,
    pub(super) open: Option<String>,
    pub(super) settings: Vec<(String, String)>,
    pub(super) worker: Worker,
    /// What an empty line does again.
    pub(super) last: String,
    /// How many rolls the seed has given.
    pub(super) rolls: u64,
    pub(super) told_about_let: bool,
    /// What texts are called in messages: a line is a program, a file has its name.
    pub(super) source: String,
    /// What the start-up file has defined.
    started: Vec<String>,
    past: Past,
    pub(super) store: Store,
}

impl<'a> Session<'a> {
    pub(super) fn new(arguments: &'a Both, terminal: &'a Terminal) -> Result<Session<'a>, Stop> {
        let Throwing { seed, faces, choices, ask, full, steps } = &arguments.throwing;
        let engine = input::engine(&arguments.source)?;
        let names = Names::new(&engine);
        names.set(arguments.source.system.as_deref(), &Definitions::default());
        // A wrong question is better told now than at the first line.
        Question::of(&arguments.asking, *steps, *full)?;
        let mut session = Session {
            terminal,
            names,
            definitions: Definitions::default(),
            throwing: Throwing {
                seed: *seed,
                faces: faces.clone(),
                choices: choices.clone(),
                ask: *ask,
                full: *full,
                steps: *steps,
            },
            lines: Vec::new(),
            asking: &arguments.asking,
            closed: input::closed_engine(&arguments.source),
            engine,
            open: arguments.source.system.clone(),
            settings: Vec::new(),
            worker: Worker::new(),
            last: String::new(),
            rolls: 0,
            told_about_let: false,
            source: "program".into(),
            started: Vec::new(),
            past: Past::default(),
            store: Store::open(places::table(arguments.state.as_deref())),
        };
        for setting in &arguments.source.set {
            let (name, value) = setting.split_once('=').ok_or_else(|| {
                Stop::Usage(format!("`--set {setting}` has no value: write `--set {setting}=7`"))
            })?;
            session.settings.push((name.trim().to_owned(), value.to_owned()));
        }
        session.names.set_table(&session.store.table);
        if !arguments.no_start {
            session.start();
        }
        Ok(session)
    }

    /// Takes over the definitions of the start-up file. If it is wrong, that is told, and the session begins without it.
    fn start(&mut self) {
        let Some(place) = places::config("start.dice").filter(|place| place.exists()) else {
            return;
        };
        if let Err(stop) = self.load(&place) {
            stop.report(self.terminal);
            self.terminal.tell("(the session begins without it; `--no-start` leaves it alone)");
            self.clear();
        }
        self.last.clear();
        let names = self.definitions.list().iter().map(|definition| definition.name.clone());
        self.started = names.collect();
    }

    /// Does what a file says, as if it had been typed.
    pub(super) fn load(&mut self, place: &Path) -> Result<(), Stop> {
        let text = input::read(place)?;
        let text = uses::folder(place).map_or(text.clone(), |folder| uses::anywhere(&text, folder));
        self.source = place.display().to_string();
        let done = self.evaluate(text.trim_end());
        self.source = "program".into();
        done
    }

    /// Says what is there when a session begins.
    pub(super) fn greet(&self) {
        if let Err(damage) = self.store.check() {
            damage.report(self.terminal);
        }
        if !self.started.is_empty() {
            self.terminal.tell(&format!("(from `start.dice`: {})", self.started.join(", ")));
        }
        if let Some(greeting) = self.store.greeting() {
            self.terminal.tell(&greeting);
        }
    }

    /// Answers a line. What it changes can be undone.
    pub(super) fn answer(&mut self, line: &str) -> Result<Next, Stop> {
        if !line.is_empty() {
            self.lines.push(line.to_owned());
        }
        if let Some(command) = commands::without_colon(line)
            && self
                .engine
                .compile_named(&format!("{}{line}", self.before(line)), "session")
                .is_err()
        {
            let wrong =
                format!("`{line}` is no roll: the commands of a session begin with a colon");
            return Err(Stop::Usage(format!("{wrong}, write `:{command}`")));
        }
        let before = self.snapshot();
        let done = if line.starts_with(':') {
            commands::run(self, line)
        } else {
            let line = if line.is_empty() { self.last.clone() } else { line.to_owned() };
            if line.is_empty() { Ok(Next::Line) } else { self.evaluate(&line).map(|()| Next::Line) }
        };
        self.keep_changes(line, before)?;
        done
    }

    /// Writes the table if a line has changed it, and remembers what was before. A change that cannot be
    /// written is none.
    fn keep_changes(&mut self, line: &str, before: Snapshot) -> Result<(), Stop> {
        let is_read = line.split_whitespace().eq([":table", "reload"]);
        if self.store.table != before.table {
            let saved = if is_read { Ok(()) } else { self.store.save() };
            if saved.is_err() {
                self.store.table = before.table;
                return saved;
            }
            self.names.set_table(&self.store.table);
        }
        if !line.starts_with(":undo") && !before.is_same(&self.snapshot()) {
            self.past.push(line, before);
        }
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            definitions: self.definitions.clone(),
            settings: self.settings.clone(),
            table: self.store.table.clone(),
        }
    }

    /// Takes back what the last line that changed anything has changed; which one it was.
    pub(super) fn undo(&mut self) -> Option<String> {
        let (line, before) = self.past.pop()?;
        self.definitions = before.definitions;
        self.settings = before.settings;
        self.store.table = before.table;
        self.names.set(self.open.as_deref(), &self.definitions);
        Some(line)
    }

    /// Keeps a definition for later lines.
    pub(super) fn keep(&mut self, definition: &Definition) -> Result<(), Stop> {
        let engine = &self.engine;
        let check = |text: &str| engine.compile_named(&format!("{text}0"), "session").map(drop);
        self.definitions.keep(definition, check)?;
        self.names.set(self.open.as_deref(), &self.definitions);
        Ok(())
    }

    /// Forgets one definition.
    pub(super) fn forget(&mut self, name: &str) -> Result<(), Stop> {
        let forgotten = self.definitions.forget(name);
        self.names.set(self.open.as_deref(), &self.definitions);
        forgotten.map_err(|needed| match needed {
            Some(other) => {
                Stop::Usage(format!("`{other}` needs `{name}`: write `:forget {other}` first"))
            }
            None => {
                let known = self.definitions.list().iter().map(|known| known.name.as_str());
                let advice = match astragal_syntax::suggest(name, known) {
                    Some(near) => format!("did you mean `:forget {near}`?"),
                    None => "`:defs` lists what is defined".into(),
                };
                Stop::Usage(format!("`{name}` is not defined here: {advice}"))
            }
        })
    }

    /// Opens a system, or closes the one that was open.
    pub(super) fn open(&mut self, system: Option<&str>) -> Result<(), Stop> {
        self.engine = match system {
            None => self.closed.clone(),
            Some(name) if self.closed.systems().any(|known| known == name) => {
                self.closed.clone().with_open(name)
            }
            Some(name) => return Err(input::no_such_system(&self.closed, name)),
        };
        self.open = system.map(str::to_owned);
        self.names.set(system, &self.definitions);
        Ok(())
    }

    /// Sets an input of the session.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), Stop> {
        let text = format!("{}0", self.definitions.text());
        self.engine.compile_named(&text, "session")?.set(name, value)?;
        self.settings.retain(|(known, _)| known != name);
        self.settings.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Rolls from a seed, or by chance.
    pub(super) fn seed(&mut self, seed: Option<u64>) {
        self.throwing.seed = seed;
        self.throwing.faces = None;
        self.rolls = 0;
    }

    /// Forgets all definitions and settings.
    pub(super) fn clear(&mut self) {
        self.definitions.clear();
        self.settings.clear();
        self.names.set(self.open.as_deref(), &self.definitions);
    }
}
