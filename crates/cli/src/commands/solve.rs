//! `astragal solve`: which values of an input give a chance, a mean, or a yes that is certain (the break-even of two
//! rules: `mean(a) >= mean(b)`); with a second input, for each of its values.
//!
//! Every value of the range is computed, exactly; nothing is guessed from its neighbours. Where the
//! chance only falls or only rises, the answer is one boundary, told with the values on both sides of
//! it. Chances are compared as fractions: 13/20 is 65%, and no float comes near it.

mod event;

use astragal::Rational;
use astragal_show::export::grid::Grid;
use astragal_vary::{Axis, Goal, Measure, Solution, number, target};
use serde_json::json;

use self::event::Event;
use super::odds::{budget, first};
use crate::arguments::Solve;
use crate::commands::sweep::as_json;
use crate::solution::{data, tell_refused, text as told};
use crate::stop::Stop;
use crate::survey::{program, survey};
use crate::terminal::Terminal;

/// Where values are looked for unless it is said.
const USUAL_RANGE: &str = "0..100";

pub(crate) fn run(arguments: &Solve, terminal: &Terminal) -> Result<(), Stop> {
    let goal = goal(arguments)?;
    let axes = axes(&arguments.input)?;
    let program = program(&arguments.source, &axes, terminal)?;
    let event = Event::of(arguments, &program)?;
    let budget = budget(arguments.steps);
    let measured = survey(&program, &axes, &points(&axes), terminal, |program| {
        event.measured(first(&program.odds_of(&event.path(), &budget)?)?)
    });
    let answers = solutions(&axes[0], &goal, measured)?;
    answers.iter().for_each(|answer| tell_refused(answer, terminal));
    tell(&answers, axes.get(1), program.text(), terminal);
    let found = answers.iter().any(|answer| answer.found().next().is_some());
    if found { Ok(()) } else { Err(Stop::Said) }
}

/// All values of the first input; where there is a second one, for each of its values.
fn points(axes: &[Axis]) -> Vec<Vec<&str>> {
    let sought: Vec<&str> = axes[0].values.iter().map(String::as_str).collect();
    let Some(other) = axes.get(1) else { return sought.into_iter().map(|at| vec![at]).collect() };
    let each =
        other.values.iter().flat_map(|beside| sought.iter().map(move |at| vec![*at, beside]));
    each.collect()
}

/// What was measured, in answers of as many points as there are values to find among. Points that are refused
/// are left out; if all of them are, the first refusal is the answer.
fn solutions<'a>(
    axis: &'a Axis,
    goal: &Goal,
    measured: Vec<Result<Rational, Stop>>,
) -> Result<Vec<Solution<'a>>, Stop> {
    let mut first_refusal = None;
    let mut answers: Vec<Solution<'a>> = Vec::new();
    for (at, found) in measured.into_iter().enumerate() {
        let place = at % axis.values.len();
        if place == 0 {
            let (points, refused) = (Vec::new(), Vec::new());
            answers.push(Solution { axis, goal: goal.clone(), points, refused });
        }
        let (Some(answer), value) = (answers.last_mut(), &axis.values[place]) else { continue };
        match found {
            Ok(found) => answer.points.push((value, found)),
            Err(stop) => {
                answer.refused.push(value);
                first_refusal.get_or_insert(stop);
            }
        }
    }
    match first_refusal {
        Some(stop) if answers.iter().all(|answer| answer.points.is_empty()) => Err(stop),
        _ => Ok(answers),
    }
}

/// One answer, or one for each value of the second input.
fn tell(answers: &[Solution<'_>], other: Option<&Axis>, text: &str, terminal: &Terminal) {
    let Some(other) = other else {
        for answer in answers {
            match terminal.json {
                true => terminal.say_json(&data(answer, text)),
                false => terminal.say(&told(answer, terminal)),
            }
        }
        return;
    };
    let values =
        || other.values.iter().zip(answers).filter(|(_, answer)| !answer.points.is_empty());
    if terminal.json {
        let each = values().map(|(value, answer)| {
            let mut data = data(answer, text);
            data["given"] = json!({ &other.name: as_json(value) });
            data
        });
        let each: Vec<_> = each.collect();
        terminal.say_json(&json!({ "format": 1, "expression": text, "answers": each }));
        return;
    }
    let mut grid = Grid::default();
    grid.texts(if terminal.markdown { other.name.as_str() } else { "" });
    grid.texts(if terminal.markdown { "answer" } else { "" });
    for (value, answer) in values() {
        grid.row(vec![format!("{} = {value}", other.name), answer.headline_or_nearest()]);
    }
    terminal.say(&terminal.table(&grid).join("\n"));
}

/// The chance or the mean that is wanted.
fn goal(arguments: &Solve) -> Result<Goal, Stop> {
    let at_most = arguments.at_most;
    Ok(match (&arguments.mean, &arguments.chance) {
        (Some(text), _) => {
            let target = number(text).ok_or_else(|| {
                Stop::Usage(format!("`{text}` is no mean: write a number, `20`, `12.5` or `7/2`"))
            })?;
            Goal { of: Measure::Mean, target, text: text.trim().into(), at_most }
        }
        (None, Some(text)) => {
            let target = target(text)?;
            Goal { of: Measure::Chance, target, text: text.trim().into(), at_most }
        }
        (None, None) => {
            let target = if at_most { Rational::ZERO } else { Rational::ONE };
            Goal { of: Measure::Certainty, target, text: String::new(), at_most }
        }
    })
}

/// The input to find, and the one beside it, if any.
fn axes(inputs: &[String]) -> Result<Vec<Axis>, Stop> {
    let axis = |text: &String| match text.contains('=') {
        true => Ok(Axis::parse(text)?),
        false => Ok(Axis::over(text, USUAL_RANGE)?),
    };
    match inputs {
        [] => Err(Stop::Usage(
            "there is no input to solve for: write its name after the program, such as `dc` or \
             `dc=1..40`"
                .into(),
        )),
        [_] | [_, _] => inputs.iter().map(axis).collect(),
        [_, _, third, ..] => Err(Stop::Usage(format!(
            "`solve` looks for one input beside one other, not for `{third}` too: set it, as in `--set {}`",
            example(third)
        ))),
    }
}

/// `dc=5` for `dc=5..25`
fn example(input: &str) -> String {
    let (name, values) = input.split_once('=').unwrap_or((input, "10"));
    let first = values.split([',', '.', '/']).next().unwrap_or("10");
    format!("{name}={first}")
}
