//! What a question does: it shows odds, throws nothing, and keeps no values.

use astragal::{Engine, Program};
use astragal_assist::definitions::Line;

use super::places::as_typed;
use super::session::Session;
use super::unit::Unit;
use crate::commands::odds::{Question, budget};
use crate::stop::Stop;
use astragal_show::policy::MORE;

impl Session<'_> {
    /// Shows the odds of a line. What it binds is known to the question alone.
    pub(super) fn ask(&mut self, text: &str, parts: &Line) -> Result<(), Stop> {
        let unit = Unit::of(text, self.typed(text));
        if (unit.rolls || !unit.lets.is_empty())
            && let Some(program) = self.program(&unit)?
        {
            self.odds(program, text)?;
        }
        let is_bound = |name: &str| unit.lets.iter().any(|(bound, _)| bound == name);
        for definition in parts.definitions.iter().filter(|d| !is_bound(&d.name)) {
            self.keep(definition)?;
        }
        if let Some((name, _)) = unit.lets.first() {
            self.terminal.tell(&format!("(`{name}` is not kept: a question throws nothing)"));
        }
        Ok(())
    }

    /// The outputs of an AnyDice program, which stands alone: nothing of the session is known to it.
    pub(super) fn anydice(&self, text: &str) -> Result<(), Stop> {
        self.terminal.tell("(this is AnyDice: it is run as AnyDice means it)");
        let budget = budget(self.throwing.steps);
        let owned = text.to_owned();
        let program = self.worker.answer(self.terminal, move |flag| {
            Ok(Engine::new().compile_anydice(&owned, "program", &budget.with_cancel(flag))?)
        })?;
        let Some(program) = program else { return Ok(()) };
        self.terminal.diagnostics(program.hints());
        self.odds(program, text)
    }

    fn odds(&self, program: Program, typed: &str) -> Result<(), Stop> {
        let question = Question::of(self.asking, self.throwing.steps, self.throwing.full)?;
        let question = question.with_policy(self.throwing.full);
        let (terminal, typed) = (self.terminal.clone(), self.typed(typed));
        let told = self.worker.answer(self.terminal, move |flag| {
            let before = program.text().find(&typed.whole).unwrap_or(0);
            question.stopped_by(flag).told(&program, None, &terminal).map_err(|stop| match stop {
                Stop::Program(found) => as_typed(*found, before, &typed).into(),
                other => other,
            })
        })?;
        let Some((text, notices)) = told else { return Ok(()) };
        let text = text.replace(MORE, "`:full` prints all");
        self.terminal.say(&text);
        for notice in notices {
            self.terminal.tell(&format!("notice: {notice}"));
        }
        Ok(())
    }
}
