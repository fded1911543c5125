//! One program at many values of its inputs, within one budget.

use astragal::{Budget, Diagnostics};
use astragal_vary::{Axis, Column, Condition, Refusal, columns, combinations};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::{plain, refused};
use crate::request::Request;
use crate::source::{Source, budget};

/// More points than this are no curve and no map.
const MOST_POINTS: usize = 2_500;

/// What a program says at each point; nothing where it is refused.
pub(crate) struct Survey {
    pub(crate) axes: Vec<Axis>,
    pub(crate) points: Vec<Option<Vec<Column>>>,
    /// Why the first point that is refused is.
    pub(crate) refusal: Option<Box<Diagnostics>>,
}

impl Survey {
    /// Measures at the values of `over`, such as `bonus=0..10`, the last input fastest; `that` asks for the chance of a
    /// condition besides.
    pub(crate) fn of(request: &Request, host: &Host) -> Result<Result<Survey, Json>, String> {
        let over = request.list("over")?;
        let that = request.optional_text("that")?.map(str::trim).filter(|that| !that.is_empty());
        let (source, budget) = (Source::of(request)?, budget(request, host)?);
        let asked = || -> Result<(Vec<Axis>, Vec<Condition>), Refusal> {
            let axes = over.iter().map(|text| Axis::parse(text)).collect::<Result<_, _>>()?;
            Ok((axes, that.map(Condition::parse).transpose()?.into_iter().collect()))
        };
        Ok(asked().and_then(|asked| measured(asked, &source, &budget, host)).map_err(as_data))
    }

    /// All titles, in the order in which they come up; texts may come up at some points only.
    pub(crate) fn titles(&self) -> Vec<&str> {
        let mut titles: Vec<&str> = Vec::new();
        for column in self.points.iter().flatten().flatten().filter(|column| !column.rounded) {
            if !titles.contains(&column.title.as_str()) {
                titles.push(&column.title);
            }
        }
        titles
    }

    /// A number of the program at a point.
    pub(crate) fn column(&self, point: usize, title: &str) -> Option<&Column> {
        self.points.get(point)?.as_ref()?.iter().find(|column| column.title == title)
    }
}

fn measured(
    (axes, conditions): (Vec<Axis>, Vec<Condition>),
    source: &Source,
    budget: &Budget,
    host: &Host,
) -> Result<Survey, Refusal> {
    let mut program = source.set_program(budget)?;
    if let Some(axis) = axes.iter().find(|axis| !program.inputs().any(|it| it.name == axis.name)) {
        return Err(Refusal::Asked(format!("the program has no `param {}`", axis.name)));
    }
    let places = combinations(&axes)?;
    if places.len() > MOST_POINTS {
        let wrong = format!("that is more than {MOST_POINTS} points: take fewer values");
        return Err(Refusal::Asked(wrong));
    }
    let (mut points, mut refusal, mut left) = (Vec::new(), None, budget.steps);
    for place in &places {
        let mut at = || -> Result<(Vec<Column>, u64), Refusal> {
            for (axis, value) in axes.iter().zip(place) {
                program.set(&axis.name, value)?;
            }
            let point = columns(&program, &[], &conditions, &Budget::of_steps(left))?;
            Ok((point.columns, point.used))
        };
        match at() {
            Ok((columns, used)) => {
                left = left.saturating_sub(used);
                points.push(Some(columns));
            }
            // What is left of the budget is not enough, here and further on.
            Err(Refusal::Program(wrong)) if wrong.is_over_budget() => {
                return Err(Refusal::Program(wrong));
            }
            Err(Refusal::Program(wrong)) => {
                refusal.get_or_insert(wrong);
                points.push(None);
            }
            Err(asked) => return Err(asked),
        }
        (host.progress)(points.len() as u64, places.len() as u64);
    }
    match refusal {
        Some(wrong) if points.iter().all(Option::is_none) => Err(Refusal::Program(wrong)),
        refusal => Ok(Survey { axes, points, refusal }),
    }
}

/// A refusal as an answer.
pub(crate) fn as_data(refusal: Refusal) -> Json {
    match refusal {
        Refusal::Program(wrong) => refused(&wrong),
        Refusal::Asked(wrong) => {
            json!({"ok": false, "over_budget": false, "diagnostics": [plain("asked", &wrong)]})
        }
    }
}
