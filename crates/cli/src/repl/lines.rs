//! What a line does: it keeps definitions, throws, or asks for odds.
//!
//! A `let` is thrown on its own and stays as it fell, before the rest of its line is rolled with it. Only where
//! evidence speaks of it (`let x = d6; given x > 2; x`) is the line one roll.

use std::ops::Range;

use astragal::is_anydice;
use astragal_assist::definitions::Line;
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::StatementKind;
use astragal_syntax::{Limits, parse};

use super::kept::LAST;
use super::session::Session;
use super::thrown::Thrown;
use super::unit::Unit;
use crate::stop::Stop;

const ABOUT_LET: &str = "(what `let` throws stays as it fell; a `fn` throws anew each time)";

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
            self.terminal.say_folded(&thrown.told);
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
}

fn too_long(name: &str) -> Stop {
    Stop::Usage(format!("`{name}` is too long to be kept: keep what you need of it"))
}
