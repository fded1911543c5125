//! `solve`: which values of an input give a chance or a mean, or bring one number level with another.
//!
//! `of` is the title of a number that a sweep tells; it has to reach `target` (`65%`, `12.5`), or the number called
//! `versus`. Every value is computed, exactly, and the answer is said in the words of the terminal.

use astragal::Rational;
use astragal_vary::{Goal, Measure, Refusal, Solution, number, target};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::request::Request;
use crate::survey::{Survey, as_data};

pub(crate) fn solve(request: &Request, host: &Host) -> Result<Json, String> {
    let survey = match Survey::of(request, host)? {
        Ok(survey) => survey,
        Err(refused) => return Ok(refused),
    };
    let Wanted { goal, of, versus } = match Wanted::of(request, &survey)? {
        Ok(wanted) => wanted,
        Err(refusal) => return Ok(as_data(refusal)),
    };
    let [axis] = survey.axes.as_slice() else { return Err("`over` names one input".into()) };
    let (mut points, mut refused) = (Vec::new(), Vec::new());
    for (at, value) in axis.values.iter().enumerate() {
        let of = survey.column(at, &of).map(|column| &column.value);
        let versus = versus.as_ref().map(|versus| survey.column(at, versus).map(|it| &it.value));
        match (of, versus) {
            (Some(of), None) => points.push((value, of.clone())),
            (Some(of), Some(Some(versus))) => points.push((value, of - versus)),
            _ => refused.push(value),
        }
    }
    Ok(told(&Solution { axis, goal, points, refused }))
}

/// What has to reach what.
struct Wanted {
    goal: Goal,
    of: String,
    versus: Option<String>,
}

impl Wanted {
    fn of(request: &Request, survey: &Survey) -> Result<Result<Wanted, Refusal>, String> {
        let of = request.text("of")?.to_owned();
        let versus = request.optional_text("versus")?.map(str::to_owned);
        let text = request.optional_text("target")?.unwrap_or_default();
        let at_most = request.is("at_most");
        let column = |title: &str| {
            let first = (0..survey.points.len()).find_map(|at| survey.column(at, title));
            first.ok_or_else(|| format!("the program has no number `{title}`"))
        };
        let chance = column(&of)?.chance;
        let (measure, reach) = match &versus {
            Some(over) => {
                let chances = chance && column(over)?.chance;
                let lead = Measure::Lead { of: of.clone(), over: over.clone(), chances };
                (lead, Ok(Rational::ZERO))
            }
            None if chance => (Measure::Chance, target(text)),
            None => (Measure::Mean, number(text).ok_or_else(|| no_mean(text))),
        };
        Ok(reach.map(|target| {
            let goal = Goal { of: measure, target, text: text.trim().to_owned(), at_most };
            Wanted { goal, of, versus }
        }))
    }
}

fn no_mean(text: &str) -> Refusal {
    Refusal::Asked(format!("`{text}` is no mean: write a number, `20`, `12.5` or `7/2`"))
}

fn told(solution: &Solution<'_>) -> Json {
    let told = solution
        .told()
        .map(|told| json!({"value": told.value, "said": told.said, "met": told.met}));
    json!({
        "ok": true,
        "headline": solution.headline_or_nearest(),
        "solutions": solution.found().map(|(value, _)| value).collect::<Vec<_>>(),
        "told": told.collect::<Vec<_>>(),
        "refused": solution.refused.len(),
    })
}
