//! A session: what was defined, opened and set, and what a line does with it.

use astragal::{Engine, Program, is_anydice};
use astragal_assist::definitions::{Definition, Kind, Line};

use super::commands;
use super::definitions::Definitions;
use super::names::Names;
use super::work::Worker;
use crate::arguments::{Asking, Both, Throwing};
use crate::commands::odds::{Question, budget};
use crate::commands::roll::{Origin, limits, told_as};
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

const ABOUT_LET: &str = "(definitions are put before each later line that needs them: \
                         every line throws its dice anew)";

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
    asking: &'a Asking,
    /// With no system opened.
    closed: Engine,
    engine: Engine,
    open: Option<String>,
    settings: Vec<(String, String)>,
    worker: Worker,
    /// What an empty line does again.
    last: String,
    /// How many rolls the seed has given.
    rolls: u64,
    told_about_let: bool,
}

impl<'a> Session<'a> {
    pub(super) fn new(arguments: &'a Both, terminal: &'a Terminal) -> Result<Session<'a>, Stop> {
        let Throwing { seed, faces, full, steps, .. } = &arguments.throwing;
        let engine = input::engine(&arguments.source)?;
        let names = Names::new(&engine);
        names.set(arguments.source.system.as_deref(), &Definitions::default());
        // A wrong question is better told now than at the first line.
        Question::of(&arguments.asking, *steps, *full)?;
        let mut session = Session {
            terminal,
            names,
            definitions: Definitions::default(),
            throwing: Throwing { seed: *seed, faces: faces.clone(), full: *full, steps: *steps },
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
        };
        for setting in &arguments.source.set {
            let (name, value) = setting.split_once('=').ok_or_else(|| {
                Stop::Usage(format!("`--set {setting}` has no value: write `--set {setting}=7`"))
            })?;
            session.settings.push((name.trim().to_owned(), value.to_owned()));
        }
        Ok(session)
    }

    /// Answers a line.
    pub(super) fn answer(&mut self, line: &str) -> Result<Next, Stop> {
        if !line.is_empty() {
            self.lines.push(line.to_owned());
        }
        if line.starts_with(':') {
            return commands::run(self, line);
        }
        if let Some(command) = commands::without_colon(line)
            && self.program(line).is_err()
        {
            let wrong =
                format!("`{line}` is no roll: the commands of a session begin with a colon");
            return Err(Stop::Usage(format!("{wrong}, write `:{command}`")));
        }
        let line = if line.is_empty() { self.last.clone() } else { line.to_owned() };
        if !line.is_empty() {
            self.evaluate(&line)?;
        }
        Ok(Next::Line)
    }

    /// Keeps a line's definitions, and rolls the rest or shows its odds.
    pub(super) fn evaluate(&mut self, line: &str) -> Result<(), Stop> {
        // `?` alone asks about the last roll.
        let line = if line == "?" && !self.last.is_empty() && !self.last.starts_with('?') {
            format!("? {}", self.last)
        } else {
            line.to_owned()
        };
        let (text, asks) = match line.strip_prefix('?') {
            Some(text) => (text.trim(), true),
            None => (line.as_str(), false),
        };
        if !text.is_empty() && text.lines().all(|line| line.trim_start().starts_with('#')) {
            return Ok(());
        }
        if is_anydice(text) {
            self.last.clone_from(&line);
            return self.anydice(text);
        }
        let parts = Line::read(text);
        if parts.rolls {
            self.last.clone_from(&line);
            let program = self.program(text)?;
            let done = if asks { self.odds(program) } else { self.roll(program, text) };
            done?;
        }
        self.keep_all(&parts.definitions)
    }

    /// A line with what it needs before it, checked, its inputs set, its hints told.
    fn program(&self, text: &str) -> Result<Program, Stop> {
        let before = self.definitions.before(text);
        let name = if before.is_empty() { "program" } else { "session" };
        let mut program = self.engine.compile_named(&format!("{before}{text}"), name)?;
        for (name, value) in &self.settings {
            if program.inputs().any(|input| input.name == name) {
                program.set(name, value)?;
            }
        }
        let places = program.hints().list().iter().flat_map(|hint| hint.labels.first());
        let mut starts = places.map(|label| label.span.start as usize);
        if starts.any(|start| start >= before.len()) {
            self.terminal.diagnostics(program.hints());
        }
        Ok(program)
    }

    fn roll(&mut self, program: Program, text: &str) -> Result<(), Stop> {
        let source = Origin::of(&self.throwing)?;
        let (number, limits) = (self.rolls, limits(&self.throwing));
        let full = self.throwing.full;
        let (terminal, text) = (self.terminal.clone(), text.to_owned());
        let told = self.worker.answer(self.terminal, move |flag| {
            let limits = limits.with_cancel(flag);
            let roll = program.roll_within(&mut *source.faces(number), &limits)?;
            Ok(told_as(&text, &program, &roll, full, &terminal))
        })?;
        if let Some(told) = told {
            self.rolls += u64::from(self.throwing.seed.is_some());
            self.terminal.say(&told);
        }
        Ok(())
    }

    /// The outputs of an AnyDice program, which stands alone: nothing of the session is known to it.
    fn anydice(&self, text: &str) -> Result<(), Stop> {
        self.terminal.tell("(this is AnyDice: it is run as AnyDice means it)");
        let budget = budget(self.throwing.steps);
        let owned = text.to_owned();
        let program = self.worker.answer(self.terminal, move |flag| {
            Ok(Engine::new().compile_anydice(&owned, "program", &budget.with_cancel(flag))?)
        })?;
        let Some(program) = program else { return Ok(()) };
        self.terminal.diagnostics(program.hints());
        self.odds(program)
    }

    fn odds(&self, program: Program) -> Result<(), Stop> {
        let question = Question::of(self.asking, self.throwing.steps, self.throwing.full)?;
        let terminal = self.terminal.clone();
        let told = self.worker.answer(self.terminal, move |flag| {
            question.stopped_by(flag).told(&program, None, &terminal)
        })?;
        let Some((text, notices)) = told else { return Ok(()) };
        self.terminal.say(&text);
        for notice in notices {
            self.terminal.tell(&format!("notice: {notice}"));
        }
        Ok(())
    }

    /// Keeps definitions for later lines.
    pub(super) fn keep_all(&mut self, list: &[Definition]) -> Result<(), Stop> {
        for definition in list {
            let engine = &self.engine;
            let check = |text: &str| engine.compile_named(&format!("{text}0"), "session").map(drop);
            self.definitions.keep(definition, check)?;
            self.names.set(self.open.as_deref(), &self.definitions);
            if matches!(definition.kind, Kind::Let) && !self.told_about_let {
                self.told_about_let = true;
                self.terminal.tell(ABOUT_LET);
            }
        }
        Ok(())
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
