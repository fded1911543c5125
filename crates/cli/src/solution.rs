//! The values of an input that give a chance, in words and as data.

use astragal::Rational;
use astragal_show::decimal::short;
use astragal_show::export::grid::Grid;
use astragal_show::said::said_exactly;
use serde_json::{Value as Json, json};

use crate::commands::sweep::as_json;
use crate::points::Axis;
use crate::terminal::Terminal;

/// The most values that are listed.
const MOST_LISTED: usize = 40;

/// What is wanted.
#[derive(Clone)]
pub(crate) struct Goal {
    pub(crate) of: Measure,
    pub(crate) target: Rational,
    /// As it was written.
    pub(crate) text: String,
    pub(crate) at_most: bool,
}

/// What is measured at each value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    Chance,
    /// The chance of a yes that is to be certain: of a comparison of means, say.
    Certainty,
    Mean,
}

impl Goal {
    fn is_met(&self, measured: &Rational) -> bool {
        if self.at_most { *measured <= self.target } else { *measured >= self.target }
    }

    fn words(&self) -> String {
        let side = if self.at_most { "at most" } else { "at least" };
        match (self.of, self.at_most) {
            (Measure::Chance, _) => format!("a chance of {side} {}", self.text),
            (Measure::Mean, _) => format!("a mean of {side} {}", self.text),
            (Measure::Certainty, false) => "yes for certain".into(),
            (Measure::Certainty, true) => "no for certain".into(),
        }
    }

    /// What was measured, as it is read.
    fn said(&self, measured: &Rational) -> String {
        match self.of {
            Measure::Mean if measured.denominator().is_one() => measured.to_string(),
            Measure::Mean => format!("{} (exactly {measured})", short(measured, 4)),
            Measure::Certainty if measured.is_one() => "yes".into(),
            Measure::Certainty if measured.is_zero() => "no".into(),
            Measure::Chance | Measure::Certainty => said_exactly(measured),
        }
    }

    /// What the target is called in data.
    fn key(&self) -> &'static str {
        if self.of == Measure::Mean { "mean" } else { "chance" }
    }
}

/// The values, their chances, and which of them meet the goal.
pub(crate) struct Solution<'a> {
    pub(crate) axis: &'a Axis,
    pub(crate) goal: Goal,
    pub(crate) points: Vec<(&'a String, Rational)>,
    /// Values at which the program cannot be computed.
    pub(crate) refused: Vec<&'a String>,
}

impl<'a> Solution<'a> {
    pub(crate) fn found(&self) -> impl Iterator<Item = &(&'a String, Rational)> {
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

    pub(crate) fn text(&self, terminal: &Terminal) -> String {
        let mut lines = terminal.wrapped(&self.headline());
        if terminal.markdown {
            lines.push(String::new());
        }
        let mut grid = Grid::default();
        let heads = if terminal.markdown { ["value", self.goal.key()] } else { ["", ""] };
        heads.iter().for_each(|head| grid.texts(*head));
        for at in self.told() {
            let (value, chance) = &self.points[at];
            let mark = match (self.goal.is_met(chance), terminal.unicode) {
                (true, true) => "✓",
                (true, false) => "+",
                (false, _) => "",
            };
            let value = format!("{} = {value}", self.axis.name);
            let chance = format!("{} {mark}", self.goal.said(chance));
            grid.row(vec![if terminal.markdown { value } else { format!("  {value}") }, chance]);
        }
        lines.extend(terminal.table(&grid));
        lines.join("\n")
    }

    /// The answer in one line.
    pub(crate) fn headline(&self) -> String {
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

    /// The same where no table follows: what comes nearest is said too.
    pub(crate) fn headline_or_nearest(&self) -> String {
        let nearest = self.nearest().filter(|_| self.found().next().is_none());
        match nearest.map(|at| &self.points[at]) {
            Some((value, measured)) => {
                format!(
                    "{} {} = {value}: {}",
                    self.headline(),
                    self.axis.name,
                    self.goal.said(measured)
                )
            }
            None => self.headline(),
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

    pub(crate) fn tell_refused(&self, terminal: &Terminal) {
        if let (Some(first), Some(last)) = (self.refused.first(), self.refused.last()) {
            let (name, count) = (&self.axis.name, self.refused.len());
            let place = if count == 1 { (*first).clone() } else { format!("{first}..{last}") };
            let hint = "`astragal odds --set` tells why";
            terminal.tell(&format!("{name} = {place} has no answer ({count} values; {hint})"));
        }
    }

    pub(crate) fn json(&self, expression: &str) -> Json {
        let key = self.goal.key();
        let point = |(value, measured): &(&String, Rational)| {
            let decimal = astragal::json::decimal(measured);
            json!({ "value": as_json(value), key: measured.to_string(), "decimal": decimal })
        };
        json!({
            "format": 1,
            "expression": expression,
            "input": self.axis.name,
            "goal": if self.goal.at_most { "at most" } else { "at least" },
            key: self.goal.target.to_string(),
            "decimal": astragal::json::decimal(&self.goal.target),
            "direction": self.direction(),
            "solutions": self.found().map(|(value, _)| as_json(value)).collect::<Vec<_>>(),
            "points": self.points.iter().map(point).collect::<Vec<_>>(),
            "refused": self.refused.iter().map(|value| as_json(value)).collect::<Vec<_>>(),
        })
    }
}
