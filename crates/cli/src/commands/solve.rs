//! `astragal solve`: which values of an input give a chance, a mean, or a yes that is certain (the break-even of two
//! rules: `mean(a) >= mean(b)`); with a second input, for each of its values.
//!
//! Every value of the range is computed, exactly; nothing is guessed from its neighbours. Where the
//! chance only falls or only rises, the answer is one boundary, told with the values on both sides of
//! it. Chances are compared as fractions: 13/20 is 65%, and no float comes near it.

use astragal_show::export::grid::Grid;
use astragal_vary::{Axis, Event, Goal, Solution, data, points_to_solve, solutions};

use super::odds::{budget, field_path, first};
use crate::arguments::Solve;
use crate::solution::{tell_refused, text as told};
use crate::stop::Stop;
use crate::survey::{program, survey};
use crate::terminal::Terminal;

/// Where values are looked for unless it is said.
const USUAL_RANGE: &str = "0..100";

pub(crate) fn run(arguments: &Solve, terminal: &Terminal) -> Result<(), Stop> {
    let goal =
        Goal::parse(arguments.mean.as_deref(), arguments.chance.as_deref(), arguments.at_most)?;
    let axes = axes(&arguments.input)?;
    let program = program(&arguments.source, &axes, terminal)?;
    let (field, that) = (field_path(arguments.field.as_deref()), arguments.that.as_deref());
    let event = Event::of(&program, field, arguments.mean.is_some(), that)?;
    let budget = budget(arguments.steps);
    let measured = survey(&program, &axes, &points_to_solve(&axes), terminal, |program| {
        Ok(event.measured(first(&program.odds_of(&event.path(), &budget)?)?)?)
    });
    let answers = solutions(&axes[0], &goal, measured)?;
    answers.iter().for_each(|answer| tell_refused(answer, terminal));
    tell(&answers, axes.get(1), program.text(), terminal);
    let found = answers.iter().any(|answer| answer.found().next().is_some());
    if found { Ok(()) } else { Err(Stop::Said) }
}

/// One answer, or one for each value of the second input.
fn tell(answers: &[Solution<'_>], other: Option<&Axis>, text: &str, terminal: &Terminal) {
    if terminal.json {
        return terminal.say_json(&data::solve(text, answers, other));
    }
    let Some(other) = other else {
        return answers.iter().for_each(|answer| terminal.say(&told(answer, terminal)));
    };
    let values =
        || other.values.iter().zip(answers).filter(|(_, answer)| !answer.points.is_empty());
    let mut grid = Grid::default();
    grid.texts(if terminal.markdown { other.name.as_str() } else { "" });
    grid.texts(if terminal.markdown { "answer" } else { "" });
    for (value, answer) in values() {
        grid.row(vec![format!("{} = {value}", other.name), answer.headline_or_nearest()]);
    }
    terminal.say(&terminal.table(&grid).join("\n"));
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
