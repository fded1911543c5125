//! `astragal solve`: which values of an input give a chance.
//!
//! Every value of the range is computed, exactly; nothing is guessed from its neighbours. Where the
//! chance only falls or only rises, the answer is one boundary, told with the values on both sides of
//! it. Chances are compared as fractions: 13/20 is 65%, and no float comes near it.

use astragal::{Program, Rational, Type};
use serde_json::{Value as Json, json};

use super::odds::{budget, field_path};
use super::sweep::as_json;
use crate::arguments::Solve;
use crate::condition::{Condition, said_exactly};
use crate::export::grid::Grid;
use crate::points::Axis;
use crate::stop::Stop;
use crate::survey::{program, survey};
use crate::target::target;
use crate::terminal::Terminal;

/// Where values are looked for unless it is said.
const USUAL_RANGE: &str = "0..100";
/// The most values that are listed.
const MOST_LISTED: usize = 40;

pub(crate) fn run(arguments: &Solve, terminal: &Terminal) -> Result<(), Stop> {
    let chance = target(&arguments.chance)?;
    let text = arguments.chance.trim().to_owned();
    let goal = Goal { chance, text, at_most: arguments.at_most };
    let axis = axis(arguments.input.as_deref())?;
    let program = program(&arguments.source, std::slice::from_ref(&axis), terminal)?;
    let event = Event::of(arguments, &program)?;
    let points: Vec<Vec<&str>> = axis.values.iter().map(|value| vec![value.as_str()]).collect();
    let budget = budget(arguments.steps);
    let axes = std::slice::from_ref(&axis);
    let measured = survey(&program, axes, &points, terminal, |program| {
        let path: Vec<&str> = event.field.iter().map(String::as_str).collect();
        event.condition.chance(program.odds_of(&path, &budget)?.only())
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

fn axis(input: Option<&str>) -> Result<Axis, Stop> {
    match input {
        Some(text) if text.contains('=') => Axis::parse(text),
        Some(name) => Axis::over(name, USUAL_RANGE),
        None => Err(Stop::Usage(
            "there is no input to solve for: write its name after the program, such as `dc` or \
             `dc=1..40`"
                .into(),
        )),
    }
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

/// The chance that is wanted.
struct Goal {
    chance: Rational,
    /// As it was written.
    text: String,
    at_most: bool,
}

impl Goal {
    fn is_met(&self, chance: &Rational) -> bool {
        if self.at_most { *chance <= self.chance } else { *chance >= self.chance }
    }

    fn words(&self) -> String {
        let side = if self.at_most { "at most" } else { "at least" };
        format!("a chance of {side} {}", self.text)
    }
}

/// The values, their chances, and which of them meet the goal.
struct Solution<'a> {
    axis: &'a Axis,
    goal: Goal,
    points: Vec<(&'a String, Rational)>,
    /// Values at which the program cannot be computed.
    refused: Vec<&'a String>,
}

impl<'a> Solution<'a> {
    fn found(&self) -> impl Iterator<Item = &(&'a String, Rational)> {
        self.points.iter().filter(|(_, chance)| self.goal.is_met(chance))
    }

    /// Whether the chance only falls or only rises along the values.
    fn direction(&self) -> &'static str {
        let mut steps = self.points.windows(2).map(|pair| pair[0].1.cmp(&pair[1].1));
        match () {
            () if steps.clone().all(std::cmp::Ordering::is_ge) => "falling",
            () if steps.all(std::cmp::Ordering::is_le) => "rising",
            () => "neither",
        }
    }

    fn text(&self, terminal: &Terminal) -> String {
        let mut lines = vec![self.headline()];
        let mut grid = Grid::default();
        let heads = if terminal.markdown { ["value", "chance"] } else { ["", ""] };
        heads.iter().for_each(|head| grid.texts(*head));
        for at in self.told() {
            let (value, chance) = &self.points[at];
            let mark = match (self.goal.is_met(chance), terminal.unicode) {
                (true, true) => "✓",
                (true, false) => "+",
                (false, _) => "",
            };
            let value = format!("{} = {value}", self.axis.name);
            let chance = format!("{} {mark}", said_exactly(chance));
            grid.row(vec![if terminal.markdown { value } else { format!("  {value}") }, chance]);
        }
        lines.extend(if terminal.markdown { grid.markdown() } else { grid.lines() });
        lines.join("\n")
    }

    fn headline(&self) -> String {
        let (name, goal) = (&self.axis.name, self.goal.words());
        let found: Vec<usize> = self.places();
        let (Some(first), Some(last)) = (found.first(), found.last()) else {
            let (from, to) = (self.value(0), self.value(self.points.len() - 1));
            return format!("no {name} from {from} to {to} gives {goal}; the nearest is");
        };
        let one_run = last - first + 1 == found.len();
        let (first_value, last_value) = (self.value(*first), self.value(*last));
        match (one_run, *first == 0, *last + 1 == self.points.len()) {
            (true, true, true) => {
                format!("every {name} from {first_value} to {last_value} gives {goal}")
            }
            (true, true, false) => format!("{name} up to {last_value} gives {goal}"),
            (true, false, true) => format!("{name} from {first_value} on gives {goal}"),
            (true, false, false) if first == last => {
                format!("only {name} = {first_value} gives {goal}")
            }
            (true, false, false) => {
                format!("{name} from {first_value} to {last_value} gives {goal}")
            }
            (false, ..) => format!("{} values of {name} give {goal}", found.len()),
        }
    }

    fn value(&self, at: usize) -> &str {
        self.points[at].0
    }

    fn places(&self) -> Vec<usize> {
        let met = |at: &usize| self.goal.is_met(&self.points[*at].1);
        (0..self.points.len()).filter(met).collect()
    }

    /// The values that are told: the solutions if they are scattered, otherwise the ends of their run
    /// with their neighbours beyond; without a solution, the nearest value.
    fn told(&self) -> Vec<usize> {
        let found = self.places();
        let (Some(&first), Some(&last)) = (found.first(), found.last()) else {
            return self.nearest().into_iter().collect();
        };
        if last - first + 1 != found.len() {
            return found.into_iter().take(MOST_LISTED).collect();
        }
        let end = self.points.len() - 1;
        let low = [first.saturating_sub(1), first];
        let high = [last, (last + 1).min(end)];
        let mut told: Vec<usize> = match (first == 0, last == end) {
            (true, true) => vec![first, last],
            (true, false) => high.to_vec(),
            (false, true) => low.to_vec(),
            (false, false) => [low, high].concat(),
        };
        told.dedup();
        told
    }

    fn nearest(&self) -> Option<usize> {
        let chance = |at: &usize| &self.points[*at].1;
        let all = 0..self.points.len();
        if self.goal.at_most { all.min_by_key(chance) } else { all.rev().max_by_key(chance) }
    }

    fn tell_refused(&self, terminal: &Terminal) {
        if let (Some(first), Some(last)) = (self.refused.first(), self.refused.last()) {
            let (name, count) = (&self.axis.name, self.refused.len());
            let place = if count == 1 { format!("{first}") } else { format!("{first}..{last}") };
            let hint = "`astragal odds --set` tells why";
            terminal.tell(&format!("{name} = {place} has no answer ({count} values; {hint})"));
        }
    }

    fn json(&self, expression: &str) -> Json {
        let point = |(value, chance): &(&String, Rational)| json!({ "value": as_json(value), "chance": chance.to_string() });
        json!({
            "format": 1,
            "expression": expression,
            "input": self.axis.name,
            "goal": if self.goal.at_most { "at most" } else { "at least" },
            "chance": self.goal.chance.to_string(),
            "direction": self.direction(),
            "solutions": self.found().map(|(value, _)| as_json(value)).collect::<Vec<_>>(),
            "points": self.points.iter().map(point).collect::<Vec<_>>(),
            "refused": self.refused.iter().map(|value| as_json(value)).collect::<Vec<_>>(),
        })
    }
}
