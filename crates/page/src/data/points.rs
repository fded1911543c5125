//! `sweep` and `solve` as data: one program at many values of its inputs, within one budget.

use astragal::{Budget, Program};
use astragal_vary::{
    Axis, Condition, Event, Goal, check_named, columns, combinations, data, declarations,
    points_to_solve, solutions,
};
use serde_json::Value as Json;

use super::Refused;
use super::prepared::field;
use crate::Host;
use crate::request::Request;
use crate::source::{Source, budget};

/// Where values are looked for unless it is said.
const USUAL_RANGE: &str = "0..100";

pub(super) fn sweep(request: &Request, host: &Host) -> Result<Json, Refused> {
    let over = request.list("over")?;
    let axes = over.iter().map(|text| Axis::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let conditions = request.optional_list("chance")?.unwrap_or_default();
    let conditions = conditions.iter().map(|text| Condition::parse(text));
    let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
    let places = combinations(&axes)?;
    let (field, mut survey) = (field(request)?, Survey::of(request, &axes, host)?);
    let mut points = Vec::new();
    for place in &places {
        points.push(survey.at(place, |program, budget| {
            let point = columns(program, &field, &conditions, budget)?;
            Ok((point.columns, point.used))
        })?);
        (host.progress)(points.len() as u64, places.len() as u64);
    }
    let rows =
        places.iter().zip(&points).map(|(place, columns)| (place.as_slice(), columns.as_slice()));
    Ok(data::sweep(survey.program.text(), &axes, rows))
}

pub(super) fn solve(request: &Request, host: &Host) -> Result<Json, Refused> {
    let (mean, chance) = (request.optional_text("mean")?, request.optional_text("chance")?);
    let goal = Goal::parse(mean, chance, request.is("at_most"))?;
    let axes =
        request.list("over")?.iter().map(|text| sought(text)).collect::<Result<Vec<_>, _>>()?;
    let [axis, others @ ..] = axes.as_slice() else {
        return Err(Refused::Asked("`over` names the input to solve for, such as `dc`".into()));
    };
    if others.len() > 1 {
        return Err(Refused::Asked("`solve` looks for one input beside one other".into()));
    }
    let mut survey = Survey::of(request, &axes, host)?;
    let that = request.optional_text("that")?;
    let event = Event::of(&survey.program, field(request)?, mean.is_some(), that)?;
    let places = points_to_solve(&axes);
    let mut measured = Vec::new();
    for place in &places {
        measured.push(survey.at(place, |program, budget| {
            let odds = program.odds_of(&event.path(), budget)?;
            let answer = odds.results.first().ok_or("this program has no results".to_owned())?;
            Ok((event.measured(answer)?, odds.used))
        }));
        (host.progress)(measured.len() as u64, places.len() as u64);
    }
    let answers = solutions(axis, &goal, measured)?;
    Ok(data::solve(survey.program.text(), &answers, others.first()))
}

/// `dc=1..40`, or `dc` for the usual range.
fn sought(text: &str) -> Result<Axis, Refused> {
    Ok(match text.contains('=') {
        true => Axis::parse(text)?,
        false => Axis::over(text.trim(), USUAL_RANGE)?,
    })
}

/// A program whose inputs change, and what is left of its budget.
struct Survey<'a> {
    program: Program,
    axes: &'a [Axis],
    left: Budget,
}

impl<'a> Survey<'a> {
    fn of(request: &Request, axes: &'a [Axis], host: &Host) -> Result<Survey<'a>, Refused> {
        let (source, budget) = (Source::of(request)?, budget(request, host)?);
        check_named(&source.text, axes)?;
        let engine = source.engine.clone().with_inputs(&declarations(&source.text, axes));
        let mut program = engine.compile(&source.text)?;
        source.set_inputs(&mut program)?;
        Ok(Survey { program, axes, left: Budget::of_steps(budget.steps) })
    }

    /// Measures at a point; what it used is gone.
    fn at<T>(
        &mut self,
        place: &[&str],
        measure: impl FnOnce(&Program, &Budget) -> Result<(T, u64), Refused>,
    ) -> Result<T, Refused> {
        for (axis, value) in self.axes.iter().zip(place) {
            self.program.set(&axis.name, value)?;
        }
        let (measured, used) = measure(&self.program, &self.left)?;
        self.left = Budget::of_steps(self.left.steps.saturating_sub(used));
        Ok(measured)
    }
}
