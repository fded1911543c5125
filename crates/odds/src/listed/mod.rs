//! The outcomes of the last states, one by one.
//!
//! `[6d6kh1, 6d6kh1, 6d6kh1]` ends in one state with three independent variables and has 216 outcomes. What
//! differs from outcome to outcome are three numbers and a weight, so it is worked out once what
//! they are made of, and a state is filled in for each choice of its variables ([`end`]). Weights are whole numbers over one denominator for
//! all states: nothing is reduced until somebody asks for a chance ([`Outcomes`]). Endless numbers are cut at bounds
//! first ([`bounds`]).
//!
//! Where each variable stands at one place of one result, as here, no two choices have the same outcome, and they come
//! in order. Then they are spelled out when they are asked for.

mod bounds;
mod end;

use astragal_prob::{Meter, Natural, Rational, Rent, common_multiple, in_order};
use astragal_program::fault::{Costly, FaultKind};
use astragal_value::Value;

use crate::answer::Extent;
use crate::failure::over_budget;
use crate::outcomes::Outcomes;
use crate::phantom::may_be;
use crate::state::{State, States};
pub(crate) use bounds::range_of;
pub(crate) use end::End;

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
        let parts = state.breadth().saturating_sub(8) as u64;
        meter.charge(END + 24 * parts).map_err(over_budget)?;
        let end = End::of(state, weight, &bounds, &mut lost, meter).map_err(over_budget)?;
        let Some(end) = end else { continue };
        common = common_multiple([&common, &end.denominator]);
        ends.push(end);
    }
    if let [end] = ends.as_slice()
        && phantoms.is_empty()
        && end.is_ascending()
    {
        if end.choices() > extent.most {
            return Err(FaultKind::OverBudget(Costly::Outcomes));
        }
        meter.charge((end.choices() as u64).saturating_mul(end.cost())).map_err(over_budget)?;
        let chance = Rational::from_parts(end.weight().into(), common.clone());
        let outcomes = Outcomes::of_end(ends.swap_remove(0), &common);
        return Ok(Listed { outcomes, chance, lost });
    }
    let choices = ends.iter().fold(0, |sum: usize, end| sum.saturating_add(end.choices()));
    if choices as u64 > meter.left() {
        return Err(FaultKind::OverBudget(Costly::Outcomes));
    }
    let (list, rent) = (Vec::new(), meter.rent());
    let mut lines = Lines { list, sorted: 0, most: extent.most, rent, meter };
    for end in ends {
        let weight = &end.numerator * (&common / &end.denominator);
        end.each(weight, &mut |value, weight| lines.add(value, weight, end.cost()))?;
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

/// What it costs to look at a last state.
const END: u64 = 60;
/// So many outcomes are brought in order at once.
const AT_ONCE: usize = 10_000;

/// Outcomes with their weights, as they come.
struct Lines<'a> {
    list: Vec<(Value, Natural)>,
    /// So many of them are in order.
    sorted: usize,
    /// So many outcomes are allowed.
    most: usize,
    rent: Rent,
    meter: &'a Meter,
}

impl Lines<'_> {
    fn add(&mut self, value: Option<Value>, weight: Natural, cost: u64) -> Result<(), FaultKind> {
        self.meter.charge(cost).map_err(over_budget)?;
        if self.list.len() == self.list.capacity() {
            // Lists and records are on the heap, and the list is about to be copied to one twice as long.
            let each = size_of::<(Value, Natural)>() as u64 + 16 * cost;
            self.rent.grow(2 * self.list.len() as u64 * each, self.meter).map_err(over_budget)?;
        }
        self.list.extend(value.map(|value| (value, weight)));
        // Several choices may come to one outcome.
        let new = self.list.len() - self.sorted;
        if new > AT_ONCE.max(self.sorted / 2) { self.sort() } else { Ok(()) }
    }

    /// Brings the outcomes in ascending order, equal ones in one.
    fn sort(&mut self) -> Result<(), FaultKind> {
        const PLACE: u64 = 12;
        let sorted = in_order(
            std::mem::take(&mut self.list),
            |(a, _), (b, _)| a.cmp(b),
            |(_, weight), (_, times)| *weight += times,
            PLACE,
            self.meter,
        );
        self.list = sorted.map_err(over_budget)?;
        self.sorted = self.list.len();
        if self.list.len() > self.most {
            return Err(FaultKind::OverBudget(Costly::Outcomes));
        }
        Ok(())
    }
}
