//! The values of an input that give a chance, a mean, or the lead of one number over another, in words.

use astragal::Rational;
use astragal_show::decimal::short;
use astragal_show::said::said_exactly;

use crate::target::{number, target};
use crate::{Axis, Refusal};

/// The most values that are listed.
const MOST_LISTED: usize = 40;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Goal {
    /// What is measured.
    pub of: Measure,
    /// What it has to reach.
    pub target: Rational,
    /// As it was written.
    pub text: String,
    /// It must not be more than the target, rather than not less.
    pub at_most: bool,
}

/// What is measured at each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The chance of something.
    Chance,
    /// The chance of a yes that is to be certain: of a comparison of means, say.
    Certainty,
    /// A mean.
    Mean,
    /// How far one number is ahead of another: the break-even of two rules is where that is 0.
    Lead {
        /// The number that leads.
        of: String,
        /// The number that it is ahead of.
        over: String,
        /// Both are chances.
        chances: bool,
    },
}

impl Goal {
    /// A mean or a chance to reach, as they are written; neither of them asks for a yes that is certain.
    pub fn parse(mean: Option<&str>, chance: Option<&str>, at_most: bool) -> Result<Goal, Refusal> {
        let (of, target, text) = match (mean, chance) {
            (Some(text), _) => (Measure::Mean, mean_of(text)?, text),
            (None, Some(text)) => (Measure::Chance, target(text)?, text),
            (None, None) if at_most => (Measure::Certainty, Rational::ZERO, ""),
            (None, None) => (Measure::Certainty, Rational::ONE, ""),
        };
        Ok(Goal { of, target, text: text.trim().to_owned(), at_most })
    }

    fn is_met(&self, measured: &Rational) -> bool {
        if self.at_most { *measured <= self.target } else { *measured >= self.target }
    }

    fn words(&self) -> String {
        let side = if self.at_most { "at most" } else { "at least" };
        match (&self.of, self.at_most) {
            (Measure::Chance, _) => format!("a chance of {side} {}", self.text),
            (Measure::Mean, _) => format!("a mean of {side} {}", self.text),
            (Measure::Certainty, false) => "yes for certain".into(),
            (Measure::Certainty, true) => "no for certain".into(),
            (Measure::Lead { of, over, .. }, _) => format!("{of} {side} as high as {over}"),
        }
    }

    /// What was measured, as it is read.
    pub fn said(&self, measured: &Rational) -> String {
        match self.of {
            Measure::Mean if measured.denominator().is_one() => measured.to_string(),
            Measure::Mean => format!("{} (exactly {measured})", short(measured, 4)),
            Measure::Certainty if measured.is_one() => "yes".into(),
            Measure::Certainty if measured.is_zero() => "no".into(),
            Measure::Chance | Measure::Certainty => said_exactly(measured),
            Measure::Lead { chances, .. } => lead(measured, chances),
        }
    }

    /// What the target is called in data.
    pub fn key(&self) -> &'static str {
        if self.of == Measure::Mean { "mean" } else { "chance" }
    }
}

fn mean_of(text: &str) -> Result<Rational, Refusal> {
    let wrong = || format!("`{text}` is no mean: write a number, `20`, `12.5` or `7/2`");
    number(text).ok_or_else(|| Refusal::Asked(wrong()))
}

/// `equal`, `1.5 ahead`, `5 percentage points behind`
fn lead(measured: &Rational, chances: bool) -> String {
    if measured.is_zero() {
        return "equal".into();
    }
    let (behind, size) = match *measured < Rational::ZERO {
        true => (true, -measured.clone()),
        false => (false, measured.clone()),
    };
    let side = if behind { "behind" } else { "ahead" };
    match chances {
        true => format!("{} percentage points {side}", short(&(size * Rational::from(100u8)), 2)),
        false => format!("{} {side}", short(&size, 4)),
    }
}

/// The values, what was measured at them, and which of them meet the goal.
#[derive(Clone, Debug)]
pub struct Solution<'a> {
    /// The input that is looked for.
    pub axis: &'a Axis,
    /// What is wanted of it.
    pub goal: Goal,
    /// Its values with what was measured.
    pub points: Vec<(&'a String, Rational)>,
    /// Values at which the program cannot be computed.
    pub refused: Vec<&'a String>,
}

/// A value that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told<'s> {
    /// The value of the input.
    pub value: &'s str,
    /// What was measured, in words.
    pub said: String,
    /// Whether it meets the goal.
    pub met: bool,
}

impl<'a> Solution<'a> {
    /// The values that meet the goal.
    pub fn found(&self) -> impl Iterator<Item = &(&'a String, Rational)> {
        self.points.iter().filter(|(_, chance)| self.goal.is_met(chance))
    }

    /// Whether the chance only falls or only rises along the values.
    pub fn direction(&self) -> &'static str {
        let mut steps = self.points.windows(2).map(|pair| pair[0].1.cmp(&pair[1].1));
        match () {
            () if steps.clone().all(std::cmp::Ordering::is_ge) => "falling",
            () if steps.all(std::cmp::Ordering::is_le) => "rising",
            () => "neither",
        }
    }

    /// The answer in one line.
    pub fn headline(&self) -> String {
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
    pub fn headline_or_nearest(&self) -> String {
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

    /// The values that are told, see [`Solution::places_told`].
    pub fn told(&self) -> impl Iterator<Item = Told<'_>> {
        self.places_told().into_iter().map(|at| {
            let (value, measured) = &self.points[at];
            let (said, met) = (self.goal.said(measured), self.goal.is_met(measured));
            Told { value, said, met }
        })
    }

    /// The solutions if they are scattered, otherwise the ends of their run with their neighbours beyond; without a
    /// solution, the nearest value.
    fn places_told(&self) -> Vec<usize> {
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
}

/// All values of the first input; where there is a second one, for each of its values.
pub fn points_to_solve(axes: &[Axis]) -> Vec<Vec<&str>> {
    let Some((first, others)) = axes.split_first() else { return Vec::new() };
    let sought: Vec<&str> = first.values.iter().map(String::as_str).collect();
    let Some(other) = others.first() else {
        return sought.into_iter().map(|at| vec![at]).collect();
    };
    let each =
        other.values.iter().flat_map(|beside| sought.iter().map(move |at| vec![*at, beside]));
    each.collect()
}

/// What was measured, in answers of as many points as there are values to find among. Points that are refused
/// are left out; if all of them are, the first refusal is the answer.
pub fn solutions<'a, Stop>(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_said_as_people_say_it() {
        let part = |top: i32, bottom: u32| Rational::from(top) / Rational::from(bottom);
        assert_eq!(lead(&part(0, 1), false), "equal");
        assert_eq!(lead(&part(3, 2), false), "1.5 ahead");
        assert_eq!(lead(&part(-1, 20), true), "5 percentage points behind");
    }
}
