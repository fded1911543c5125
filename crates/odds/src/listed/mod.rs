//! The outcomes of the last states, one by one.
//!
//! `[6d6kh1, 6d6kh1, 6d6kh1]` ends in one state with three independent variables and has 216 outcomes. What
//! differs from outcome to outcome are three numbers and a weight, so a state is made a template once and
//! filled in for each choice of its variables ([`end`]). Weights are whole numbers over one denominator for
//! all states: nothing is reduced until somebody asks for a chance ([`Outcomes`]). Endless numbers are cut at bounds
//! first ([`bounds`]).
//!
//! Where each variable stands at one place of one result, as here, no two choices have the same outcome, and they come
//! in order. Such outcomes are a [`Product`]: their weights are known, their values are spelled out when they
//! are asked for.

mod bounds;
mod end;

use std::cmp::Ordering;
use std::sync::Arc;

use astragal_prob::common_multiple;
use astragal_prob::{Meter, Natural, Rational};
use astragal_program::fault::{Costly, FaultKind};
use astragal_value::{Number, Value};

use crate::answer::Extent;
use crate::failure::over_budget;
use crate::outcomes::Outcomes;
use crate::phantom::may_be;
use crate::state::{State, States};
pub(crate) use bounds::Bound;
use end::End;

/// What is listed of the last states.
pub(crate) struct Listed {
    pub(crate) outcomes: Outcomes,
    /// The chance of all of them together.
    pub(crate) chance: Rational,
    /// The chance that had to be given up: it may belong to outcomes that are listed.
    pub(crate) lost: Rational,
}

/// The outcomes of all states, without those that a phantom may have.
pub(crate) fn listed(
    states: &States,
    phantoms: &[State],
    extent: &Extent,
    meter: &Meter,
) -> Result<Listed, FaultKind> {
    let bounds = bounds::bounds(states, extent, meter).map_err(over_budget)?;
    let mut ends = Vec::with_capacity(states.list.len());
    let mut common = Natural::ONE;
    let mut lost = Rational::ZERO;
    for (state, weight) in &states.list {
        let end = End::of(state, weight, &bounds, &mut lost, meter).map_err(over_budget)?;
        let Some(end) = end else { continue };
        common = common_multiple([&common, &end.denominator]);
        ends.push(end);
    }
    if let [end] = ends.as_slice()
        && phantoms.is_empty()
        && end.template.is_ascending(&mut 0, end.variables.len())
    {
        let size = end.choices();
        if size > extent.most {
            return Err(FaultKind::OverBudget(Costly::Outcomes));
        }
        meter.charge((size as u64).saturating_mul(end.cost())).map_err(over_budget)?;
        let product = Product::of(ends.swap_remove(0));
        let chance = Rational::from_parts(product.sum().into(), common.clone());
        return Ok(Listed { outcomes: Outcomes::of_product(product, &common), chance, lost });
    }
    let choices = ends.iter().fold(0, |sum: usize, end| sum.saturating_add(end.choices()));
    if choices as u64 > meter.left() {
        return Err(FaultKind::OverBudget(Costly::Outcomes));
    }
    let mut lines = Lines { list: Vec::new(), most: extent.most, meter };
    for end in &ends {
        let weight = &end.numerator * (&common / &end.denominator);
        lines.fill(end, &mut Vec::with_capacity(end.variables.len()), weight)?;
    }
    lines.sort()?;
    lines.list.retain(|(value, _)| !may_be(phantoms, value));
    let sum = lines.list.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
    let chance = match sum == common {
        true => Rational::ONE,
        false => Rational::from_parts(sum.into(), common.clone()),
    };
    Ok(Listed { outcomes: Outcomes::of_weights(lines.list, &common), chance, lost })
}

/// The outcomes of independent variables, each at one place of the result.
#[derive(Debug)]
pub(crate) struct Product {
    end: End,
    weights: Vec<Natural>,
}

impl Product {
    fn of(end: End) -> Product {
        let mut weights = vec![end.numerator.clone()];
        for values in &end.variables {
            let mut longer = Vec::with_capacity(weights.len() * values.len());
            for weight in &weights {
                longer.extend(values.iter().map(|(_, times)| weight * times));
            }
            weights = longer;
        }
        Product { end, weights }
    }

    /// The weight of all.
    fn sum(&self) -> Natural {
        let sums = self
            .end
            .variables
            .iter()
            .map(|values| values.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight));
        sums.fold(self.end.numerator.clone(), |product, sum| product * sum)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The values in ascending order, with their weights.
    pub(crate) fn outcomes(&self) -> Vec<(Value, Natural)> {
        let mut values = Vec::with_capacity(self.len());
        self.end.each(&mut Vec::new(), &mut |chosen| {
            values.extend(self.end.template.fill(chosen));
        });
        values.into_iter().zip(self.weights.iter().cloned()).collect()
    }
}

/// Outcomes with their weights, as they come.
struct Lines<'a> {
    list: Vec<(Value, Natural)>,
    /// So many outcomes are allowed.
    most: usize,
    meter: &'a Meter,
}

impl Lines<'_> {
    /// Chooses variable after variable.
    fn fill<'a>(
        &mut self,
        end: &'a End,
        chosen: &mut Vec<(usize, &'a Number)>,
        weight: Natural,
    ) -> Result<(), FaultKind> {
        let Some(values) = end.variables.get(chosen.len()) else {
            self.meter.charge(end.cost()).map_err(over_budget)?;
            self.list.extend(end.template.fill(chosen).map(|value| (value, weight)));
            // Several choices may come to one outcome.
            if self.list.len() > self.most.saturating_mul(4) {
                self.sort()?;
            }
            return Ok(());
        };
        for (at, (value, times)) in values.iter().enumerate() {
            chosen.push((at, value));
            self.fill(end, chosen, &weight * times)?;
            chosen.pop();
        }
        Ok(())
    }

    /// Brings the outcomes in ascending order, equal ones in one.
    fn sort(&mut self) -> Result<(), FaultKind> {
        let list = &mut self.list;
        if !list.is_sorted_by(|(a, _), (b, _)| order(a, b) == Ordering::Less) {
            list.sort_by(|(a, _), (b, _)| order(a, b));
            list.dedup_by(|(next, times), (value, weight)| {
                let same = next == value;
                if same {
                    *weight += &*times;
                }
                same
            });
        }
        if list.len() > self.most {
            return Err(FaultKind::OverBudget(Costly::Outcomes));
        }
        Ok(())
    }
}

/// The order of values; that of records of one shape without looking at its names.
fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::Record(one, a), Value::Record(other, b)) if Arc::ptr_eq(one, other) => all(a, b),
        (Value::List(a), Value::List(b)) => all(a, b),
        _ => a.cmp(b),
    }
}

fn all(a: &[Value], b: &[Value]) -> Ordering {
    let parts = a.iter().zip(b).map(|(a, b)| order(a, b));
    parts.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
}
