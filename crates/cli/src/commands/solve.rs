//! `astragal solve`: which values of an input give a chance.
//!
//! Every value of the range is computed, exactly; nothing is guessed from its neighbours. Where the
//! chance only falls or only rises, the answer is one boundary, told with the values on both sides of
//! it. Chances are compared as fractions: 13/20 is 65%, and no float comes near it.

use astragal::{Program, Type};

use super::odds::{budget, field_path, first};
use crate::arguments::Solve;
use crate::condition::Condition;
use crate::points::Axis;
use crate::solution::{Goal, Solution};
use crate::stop::Stop;
use crate::survey::{program, survey};
use crate::target::target;
use crate::terminal::Terminal;

/// Where values are looked for unless it is said.
const USUAL_RANGE: &str = "0..100";

pub(crate) fn run(arguments: &Solve, terminal: &Terminal) -> Result<(), Stop> {
    let chance = target(&arguments.chance)?;
    let text = arguments.chance.trim().to_owned();
    let goal = Goal { chance, text, at_most: arguments.at_most };
    let axis = axis(&arguments.input)?;
    let program = program(&arguments.source, std::slice::from_ref(&axis), terminal)?;
    let event = Event::of(arguments, &program)?;
    let points: Vec<Vec<&str>> = axis.values.iter().map(|value| vec![value.as_str()]).collect();
    let budget = budget(arguments.steps);
    let axes = std::slice::from_ref(&axis);
    let measured = survey(&program, axes, &points, terminal, |program| {
        let path: Vec<&str> = event.field.iter().map(String::as_str).collect();
        event.condition.chance(first(&program.odds_of(&path, &budget)?)?)
    });
    let mut answer = Solution { axis: &axis, goal, points: Vec::new(), refused: Vec::new() };
    let mut first_refusal = None;
    for (value, chance) in axis.values.iter().zip(measured) {
        match chance {
            Ok(chance) => answer.points.push((value, chance)),
            Err(stop) => {
                answer.refused.push(value);
                first_refusal.get_or_insert(stop);
            }
        }
    }
    match first_refusal {
        Some(stop) if answer.points.is_empty() => return Err(stop),
        _ => answer.tell_refused(terminal),
    }
    if terminal.json {
        terminal.say_json(&answer.json(program.text()));
    } else {
        terminal.say(&answer.text(terminal));
    }
    if answer.found().next().is_some() { Ok(()) } else { Err(Stop::Said) }
}

fn axis(inputs: &[String]) -> Result<Axis, Stop> {
    match inputs {
        [text] if text.contains('=') => Axis::parse(text),
        [name] => Axis::over(name, USUAL_RANGE),
        [first, second, ..] => Err(Stop::Usage(format!(
            "`solve` looks for one input, not for `{first}` and `{second}`: set the other, as in \
             `--set {}`, or let `sweep` go through both",
            example(second)
        ))),
        [] => Err(Stop::Usage(
            "there is no input to solve for: write its name after the program, such as `dc` or \
             `dc=1..40`"
                .into(),
        )),
    }
}

/// `dc=5` for `dc=5..25`
fn example(input: &str) -> String {
    let (name, values) = input.split_once('=').unwrap_or((input, "10"));
    let first = values.split([',', '.', '/']).next().unwrap_or("10");
    format!("{name}={first}")
}

/// What has the chance.
struct Event {
    field: Vec<String>,
    condition: Condition,
}

impl Event {
    /// The condition that was written, or the success of a yes or no, or of a record.
    fn of(arguments: &Solve, program: &Program) -> Result<Event, Stop> {
        let field = field_path(arguments.field.as_deref());
        if let Some(text) = &arguments.that {
            return Ok(Event { field, condition: Condition::parse(text)? });
        }
        let condition = Condition::yes();
        let result = program.results().next().map(|(_, ty)| ty);
        match result.and_then(|ty| part(ty, &field)) {
            Some(Type::Bool) => Ok(Event { field, condition }),
            Some(record @ Type::Record(_)) if part(record, &["success".into()]).is_some() => {
                let field = field.into_iter().chain(["success".into()]).collect();
                Ok(Event { field, condition })
            }
            other => Err(Stop::Usage(format!(
                "the result is a {}, not a yes or no: say what has the chance, such as \
                 `--that '>= 15'`, or choose a field with `--field NAME`",
                other.map_or_else(String::new, ToString::to_string)
            ))),
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
