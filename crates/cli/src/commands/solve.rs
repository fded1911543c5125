//! `astragal solve`: which values of an input give a chance, a mean, or a yes that is certain (the break-even of two
//! rules: `mean(a) >= mean(b)`); with a second input, for each of its values.
//!
//! Every value of the range is computed, exactly; nothing is guessed from its neighbours. Where the
//! chance only falls or only rises, the answer is one boundary, told with the values on both sides of
//! it. Chances are compared as fractions: 13/20 is 65%, and no float comes near it.

use astragal::{Answer, Program, Rational, Type};
use astragal_show::export::grid::Grid;
use serde_json::json;

use super::odds::{budget, field_path, first};
use crate::arguments::Solve;
use crate::commands::sweep::as_json;
use crate::condition::Condition;
use crate::points::Axis;
use crate::solution::{Goal, Measure, Solution};
use crate::stop::Stop;
use crate::survey::{program, survey};
use crate::target::{number, target};
use crate::terminal::Terminal;

/// Where values are looked for unless it is said.
const USUAL_RANGE: &str = "0..100";

pub(crate) fn run(arguments: &Solve, terminal: &Terminal) -> Result<(), Stop> {
    let goal = goal(arguments)?;
    let axes = axes(&arguments.input)?;
    let program = program(&arguments.source, &axes, terminal)?;
    let event = Event::of(arguments, &program)?;
    let (axis, other) = (&axes[0], axes.get(1));
    let others: Vec<Option<&String>> = match other {
        Some(other) => other.values.iter().map(Some).collect(),
        None => vec![None],
    };
    let points = others.iter().flat_map(|other| {
        let beside = other.map(String::as_str);
        axis.values.iter().map(move |value| [value.as_str()].into_iter().chain(beside).collect())
    });
    let points: Vec<Vec<&str>> = points.collect();
    let budget = budget(arguments.steps);
    let measured = survey(&program, &axes, &points, terminal, |program| {
        event.measured(first(&program.odds_of(&event.path(), &budget)?)?)
    });
    let mut measured = measured.into_iter();
    let mut first_refusal = None;
    let mut answers: Vec<Solution<'_>> = Vec::new();
    for _ in &others {
        let (points, refused, goal) = (Vec::new(), Vec::new(), goal.clone());
        let mut answer = Solution { axis, goal, points, refused };
        for (value, found) in axis.values.iter().zip(measured.by_ref()) {
            match found {
                Ok(found) => answer.points.push((value, found)),
                Err(stop) => {
                    answer.refused.push(value);
                    first_refusal.get_or_insert(stop);
                }
            }
        }
        answers.push(answer);
    }
    match first_refusal {
        Some(stop) if answers.iter().all(|answer| answer.points.is_empty()) => return Err(stop),
        _ => answers.iter().for_each(|answer| answer.tell_refused(terminal)),
    }
    tell(&answers, other, program.text(), terminal);
    let found = answers.iter().any(|answer| answer.found().next().is_some());
    if found { Ok(()) } else { Err(Stop::Said) }
}

/// One answer, or one for each value of the second input.
fn tell(answers: &[Solution<'_>], other: Option<&Axis>, text: &str, terminal: &Terminal) {
    let Some(other) = other else {
        for answer in answers {
            match terminal.json {
                true => terminal.say_json(&answer.json(text)),
                false => terminal.say(&answer.text(terminal)),
            }
        }
        return;
    };
    let values =
        || other.values.iter().zip(answers).filter(|(_, answer)| !answer.points.is_empty());
    if terminal.json {
        let each = values().map(|(value, answer)| {
            let mut data = answer.json(text);
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
        true => Axis::parse(text),
        false => Axis::over(text, USUAL_RANGE),
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

/// What has the chance; without a condition, what has the mean.
struct Event {
    field: Vec<String>,
    condition: Option<Condition>,
}

impl Event {
    /// The condition that was written, or the success of a yes or no, or of a record.
    fn of(arguments: &Solve, program: &Program) -> Result<Event, Stop> {
        let field = field_path(arguments.field.as_deref());
        let result = program.results().next().map(|(_, ty)| ty);
        let asked = result.and_then(|ty| part(ty, &field));
        if arguments.mean.is_some() {
            return match asked {
                Some(Type::Number | Type::Pool(_)) => Ok(Event { field, condition: None }),
                other => Err(Stop::Usage(format!(
                    "the result is a {}, and only a number has a mean: choose a field with `--field NAME`",
                    other.map_or_else(String::new, ToString::to_string)
                ))),
            };
        }
        if let Some(text) = &arguments.that {
            return Ok(Event { field, condition: Some(Condition::parse(text)?) });
        }
        let condition = Some(Condition::yes());
        match asked {
            Some(Type::Bool) => Ok(Event { field, condition }),
            Some(record @ Type::Record(_)) if part(record, &["success".into()]).is_some() => {
                let field = field.into_iter().chain(["success".into()]).collect();
                Ok(Event { field, condition })
            }
            other => Err(Stop::Usage(format!(
                "the result is a {}, not a yes or no: say what has the chance, such as \
                 `--that '>= 15' --chance 65%`, ask for its mean with `--mean 12`, or choose a field with `--field NAME`",
                other.map_or_else(String::new, ToString::to_string)
            ))),
        }
    }
}

impl Event {
    fn path(&self) -> Vec<&str> {
        self.field.iter().map(String::as_str).collect()
    }

    fn measured(&self, answer: &Answer) -> Result<Rational, Stop> {
        match &self.condition {
            Some(condition) => condition.chance(answer),
            None => answer.mean().ok_or_else(|| {
                Stop::Usage("the mean is not known exactly: see `astragal odds`".into())
            }),
        }
    }
}

/// The type of a field of a record.
fn part<'t>(ty: &'t Type, path: &[String]) -> Option<&'t Type> {
    path.iter().try_fold(ty, |ty, name| match ty {
        Type::Record(record) => {
            let field = record.fields.iter().find(|(known, _)| **known == **name);
            field.map(|(_, inner)| inner)
        }
        _ => None,
    })
}
