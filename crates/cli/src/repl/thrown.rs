//! A roll in the session: what it came to, and what stays of it.

use std::ops::Range;
use std::sync::Arc;

use astragal::{Program, RollLimits, Value};

use super::kept::{Kept, LAST, bound, by_name, last, looks_at_dice};
use super::places::as_typed;
use super::session::Session;
use super::unit::Unit;
use crate::choosing::Said;
use crate::commands::roll::{Origin, limits, told_as};
use crate::prospects::verdict;
use crate::stop::Stop;

/// What came of it.
pub(super) struct Thrown {
    pub(super) value: Value,
    pub(super) told: String,
    /// Whether there was anything to throw.
    pub(super) threw: bool,
    pub(super) kept: Vec<Option<Kept>>,
    pub(super) last: Option<Kept>,
}

impl Session<'_> {
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

    /// What is chosen in the next roll; none if nobody answers.
    fn said(
        &self,
        limits: &RollLimits,
        program: &Arc<Program>,
        source: &Arc<Origin>,
    ) -> Result<Option<Said>, Stop> {
        let number = self.rolls;
        Said::by_hand(&self.throwing, program, self.terminal, &mut |player| {
            let (program, source) = (Arc::clone(program), Arc::clone(source));
            let limits = limits.clone().with_player(player);
            self.worker.answer(self.terminal, move |flag| {
                let limits = limits.with_cancel(flag);
                Ok(program.roll_within(&mut *source.faces(number), &limits).map(drop))
            })
        })
    }

    /// Rolls a unit; nothing if it was interrupted.
    pub(super) fn throw(&mut self, program: Program, unit: &Unit) -> Result<Option<Thrown>, Stop> {
        let source = Origin::of(&self.throwing)?;
        let (number, limits, full) = (self.rolls, limits(&self.throwing), self.throwing.full);
        let terminal = self.terminal.clone();
        let (typed, lets, shown) = (unit.text.clone(), unit.lets.clone(), unit.shown());
        let place_of = unit.typed.clone();
        let (end, with_dice) = (unit.end.clone(), self.with_dice(unit));
        let (program, source) = (Arc::new(program), Arc::new(source));
        let Some(said) = self.said(&limits, &program, &source)? else { return Ok(None) };
        let thrown = self.worker.answer(self.terminal, move |flag| {
            let limits = limits.with_cancel(flag);
            let before = program.text().len() - typed.len() - shown.len();
            let roll = program
                .roll_within(&mut *source.faces(number), &said.within(&limits, &program))
                .map_err(|found| as_typed(found, before, &place_of))?;
            let place = |range: &Range<usize>| range.start + before..range.end + before;
            let kept = lets.iter().zip(&with_dice).map(|((name, range), looking)| {
                let dice = looking.as_ref().and_then(|looking| {
                    let limits = said.within(&limits, looking);
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
