//! What a line does: it keeps definitions, throws, or asks for odds.
//!
//! A `let` is thrown on its own and stays as it fell, before the rest of its line is rolled with it. Only where
//! evidence speaks of it (`let x = d6; given x > 2; x`) is the line one roll.

use std::ops::Range;

use astragal::{Diagnostics, Program, Severity, Value, is_anydice};
use astragal_assist::definitions::Line;
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::StatementKind;
use astragal_syntax::{Limits, parse};

use super::definitions::names;
use super::kept::{Kept, LAST, bound, by_name, last, looks_at_dice};
use super::places::{Typed, as_typed};
use super::session::Session;
use super::unit::Unit;
use crate::commands::roll::{Origin, limits, told_as};
use crate::prospects::verdict;
use crate::stop::Stop;

const ABOUT_LET: &str = "(what `let` throws stays as it fell; a `fn` throws anew each time)";

/// What came of it.
pub(super) struct Thrown {
    pub(super) value: Value,
    pub(super) told: String,
    /// Whether there was anything to throw.
    pub(super) threw: bool,
    kept: Vec<Option<Kept>>,
    last: Option<Kept>,
}

impl Session<'_> {
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
        if parts.definitions.iter().any(|definition| definition.name == LAST) {
            return Err(Stop::Usage(
                "`_` is the last result and cannot be bound: choose a name, as in `let hp = _`"
                    .into(),
            ));
        }
        self.check(text, parts.rolls)?;
        if parts.rolls {
            self.last.clone_from(&line);
        }
        if asks { self.ask(text, &parts) } else { self.play(text) }
    }

    /// A text as it was typed or read.
    pub(super) fn typed(&self, text: &str) -> Typed {
        Typed { name: self.source.clone(), whole: text.to_owned(), start: 0 }
    }

    /// A part of it.
    fn part(&self, text: &str, place: Range<usize>) -> Typed {
        Typed { start: place.start, ..self.typed(text) }
    }

    /// What must stand before a text. A `_` may also be a parameter of its own, as in `map(list, _ => 1)`: the last
    /// result is there only if the text makes no sense without it.
    pub(super) fn before(&self, text: &str) -> String {
        let without = self.definitions.before(text, false);
        let end = if Line::read(text).rolls { "" } else { "\n0" };
        let asks = names(text).contains(LAST)
            && self.engine.compile_named(&format!("{without}{text}{end}"), "session").is_err();
        if asks { self.definitions.before(text, true) } else { without }
    }

    /// Says what is wrong with a line, at its place, before anything is thrown; tells its hints.
    fn check(&self, text: &str, rolls: bool) -> Result<(), Stop> {
        let before = self.before(text);
        let parsed = parse(text, SourceId(0), &Limits::default());
        let is_whole = parsed.diagnostics.iter().all(|found| found.severity != Severity::Error);
        let result = if rolls || !is_whole { "" } else { "\n0" };
        match self.engine.compile_named(&format!("{before}{text}{result}"), "session") {
            Ok(program) => {
                self.tell_hints(&program, before.len(), text);
                Ok(())
            }
            Err(_) if is_whole && names(text).contains(LAST) && !self.definitions.has_last() => {
                Err(Stop::Usage("`_` is the last result, and nothing has been rolled yet".into()))
            }
            Err(found) => Err(as_typed(found, before.len(), &self.typed(text)).into()),
        }
    }

    fn tell_hints(&self, program: &Program, before: usize, text: &str) {
        let told = program.hints().list().iter().filter(|hint| {
            let place = hint.labels.first().map_or(0, |label| label.span.start as usize);
            // What a line only binds is for later lines.
            place >= before && hint.code != "unused-let"
        });
        let told: Vec<_> = told.cloned().collect();
        if !told.is_empty() {
            let sources = format!("{}{text}", &program.text()[..before]);
            let told = Diagnostics::of_text(told, "session", &sources);
            self.terminal.diagnostics(&as_typed(told, before, &self.typed(text)));
        }
    }

    /// Throws what a line binds and keeps it, keeps its other definitions, rolls the rest.
    fn play(&mut self, text: &str) -> Result<(), Stop> {
        let parsed = parse(text, SourceId(0), &Limits::default());
        let statements = &parsed.file.block.statements;
        let is_let = |kind: &StatementKind| matches!(kind, StatementKind::Let { .. });
        let is_evidence = |kind: &StatementKind| matches!(kind, StatementKind::Given { .. });
        let binds = statements.iter().any(|statement| is_let(&statement.kind));
        if !binds || statements.iter().any(|statement| is_evidence(&statement.kind)) {
            return self.play_unit(&Unit::of(text, self.typed(text))).map(drop);
        }
        let mut rest: Vec<Range<usize>> = Vec::new();
        // With their documentation, which is no part of a statement.
        let mut definitions = Line::read(text).definitions.into_iter();
        for statement in statements {
            let own = text.get(statement.span.range()).unwrap_or_default();
            if Line::read(own).rolls {
                rest.push(statement.span.range());
                continue;
            }
            let definition = definitions.next();
            if !is_let(&statement.kind) {
                definition.iter().try_for_each(|definition| self.keep(definition))?;
            } else if !self.play_unit(&Unit::of(own, self.part(text, statement.span.range())))? {
                return Ok(());
            }
        }
        let parts: Vec<&str> = rest.iter().filter_map(|part| text.get(part.clone())).collect();
        let joined = parts.join("\n");
        let typed = match rest.as_slice() {
            [] => return Ok(()),
            [only] => self.part(text, only.clone()),
            _ => self.typed(&joined),
        };
        self.play_unit(&Unit::of(&joined, typed)).map(drop)
    }

    /// Rolls a text in one go and keeps what it defines. Whether it was not interrupted.
    fn play_unit(&mut self, unit: &Unit) -> Result<bool, Stop> {
        let definitions = Line::read(&unit.text).definitions;
        if !unit.rolls && unit.lets.is_empty() {
            definitions.iter().try_for_each(|definition| self.keep(definition))?;
            return Ok(true);
        }
        let Some(program) = self.program(unit)? else {
            // What is bound is a function, which is no value.
            definitions.iter().try_for_each(|definition| self.keep(definition))?;
            return Ok(true);
        };
        let Some(thrown) = self.throw(program, unit)? else { return Ok(false) };
        if unit.rolls || thrown.threw || !unit.is_as_written(&thrown.kept) {
            self.terminal.say(&thrown.told);
        }
        for definition in &definitions {
            match unit.lets.iter().position(|(name, _)| *name == definition.name) {
                None => self.keep(definition)?,
                Some(at) => match &thrown.kept[at] {
                    Some(kept) => self.keep(&kept.definition())?,
                    None => return Err(too_long(&definition.name)),
                },
            }
        }
        if let Some(last) = &thrown.last {
            self.definitions.set_last(last.definition());
        }
        if thrown.threw && !unit.lets.is_empty() && !self.told_about_let {
            self.told_about_let = true;
            self.terminal.tell(ABOUT_LET);
        }
        self.hint_at_let(&unit.text);
        Ok(true)
    }

    /// Rolls a text that defines nothing; nothing if it was interrupted.
    pub(super) fn value_of(&mut self, text: &str) -> Result<Option<Thrown>, Stop> {
        if !Line::read(text).definitions.is_empty() {
            return Err(Stop::Usage(format!(
                "`{text}` defines something: write it on its own line"
            )));
        }
        self.check(text, true)?;
        let unit = Unit::of(text, self.typed(text));
        match self.program(&unit)? {
            Some(program) => self.throw(program, &unit),
            None => Ok(None),
        }
    }

    /// `hp = 7` compares.
    fn hint_at_let(&self, text: &str) {
        let Some((name, value)) = text.split_once('=') else { return };
        let (name, value) = (name.trim(), value.trim());
        if self.definitions.is_kept(name) && !value.starts_with(['=', '>']) {
            let how = format!("`let {name} = {value}` changes it");
            self.terminal.tell(&format!("(`{name} = …` compares; {how})"));
        }
    }

    /// A unit with what it needs before it, checked, its inputs set; none if it binds a function.
    pub(super) fn program(&self, unit: &Unit) -> Result<Option<Program>, Stop> {
        let before = self.before(&unit.text);
        let text = format!("{before}{}{}", unit.text, unit.shown());
        match self.engine.compile_named(&text, "session") {
            Ok(program) => self.with_inputs(program).map(Some),
            Err(found) if found.list().iter().any(|d| d.code == "not-a-value") => Ok(None),
            Err(found) => Err(as_typed(found, before.len(), &unit.typed).into()),
        }
    }

    fn with_inputs(&self, mut program: Program) -> Result<Program, Stop> {
        for (name, value) in &self.settings {
            if program.inputs().any(|input| input.name == name) {
                program.set(name, value)?;
            }
        }
        Ok(program)
    }

    /// For each name that a unit binds, the same throws with a look at its dice; none if it has none.
    fn with_dice(&self, unit: &Unit) -> Vec<Option<Program>> {
        let before = self.before(&unit.text);
        let looking = |name: &String| {
            let text = format!("{before}{}\n{}", unit.text, looks_at_dice(name));
            let program = self.engine.compile_named(&text, "session").ok()?;
            self.with_inputs(program).ok()
        };
        unit.lets.iter().map(|(name, _)| looking(name)).collect()
    }

    /// Rolls a unit; nothing if it was interrupted.
    fn throw(&mut self, program: Program, unit: &Unit) -> Result<Option<Thrown>, Stop> {
        let source = Origin::of(&self.throwing)?;
        let (number, limits, full) = (self.rolls, limits(&self.throwing), self.throwing.full);
        let terminal = self.terminal.clone();
        let (typed, lets, shown) = (unit.text.clone(), unit.lets.clone(), unit.shown());
        let place_of = unit.typed.clone();
        let (end, with_dice) = (unit.end.clone(), self.with_dice(unit));
        let thrown = self.worker.answer(self.terminal, move |flag| {
            let limits = limits.with_cancel(flag);
            let before = program.text().len() - typed.len() - shown.len();
            let roll = program
                .roll_within(&mut *source.faces(number), &limits)
                .map_err(|found| as_typed(found, before, &place_of))?;
            let place = |range: &Range<usize>| range.start + before..range.end + before;
            let kept = lets.iter().zip(&with_dice).map(|((name, range), looking)| {
                let dice = looking.as_ref().and_then(|looking| {
                    let roll = looking.roll_within(&mut *source.faces(number), &limits).ok()?;
                    bound(looking, &roll, name, &place(range))
                });
                dice.or_else(|| bound(&program, &roll, name, &place(range)))
            });
            let kept: Vec<Option<Kept>> = kept.collect();
            let last = if shown.is_empty() {
                last(&program, &roll, &place(&end))
            } else {
                kept.last().cloned().flatten().map(|kept| Kept { name: LAST.into(), ..kept })
            };
            let told = told_as(&typed, &program, &roll, full, &terminal);
            let told = by_name(told, &program.text()[..before], &typed);
            let said = verdict(&program, &roll.value, &terminal);
            let told = said.map(|line| format!("{line}\n")).unwrap_or_default() + &told;
            let (threw, value) = (!roll.dice.is_empty(), roll.value.clone());
            Ok(Thrown { value, told, threw, kept, last })
        })?;
        if let Some(thrown) = &thrown {
            let counts = self.throwing.seed.is_some() && (unit.rolls || thrown.threw);
            self.rolls += u64::from(counts);
        }
        Ok(thrown)
    }
}

fn too_long(name: &str) -> Stop {
    Stop::Usage(format!("`{name}` is too long to be kept: keep what you need of it"))
}
