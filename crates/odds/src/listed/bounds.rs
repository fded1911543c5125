//! Where endless outcomes are cut.
//!
//! Each number in a result has a place. Where numbers are endless, outcomes are listed between bounds beyond which little
//! lies, the same bounds for all states: so all ways to an outcome are found, and it has its whole chance. Within
//! the bounds variables have few values. With `x + y <= 80` and both of them at least 2, `x` is at most 78.

use astragal_prob::{Bound, Meter, OverBudget, Rational};
use astragal_value::Value;

use crate::answer::Extent;
use crate::state::{Form, State, States, Sym, Var, VarLaw};
use crate::ways;

/// All that a number may be.
pub(crate) fn range_of(state: &State, form: &Form) -> Bound {
    form.terms.iter().fold(Bound::at(&form.constant), |sum, (var, factor)| {
        let law = state.law(*var).map(|law| Bound::of_law(law));
        sum.plus(&law.unwrap_or_default().times(factor))
    })
}

/// Whether a number is within its bounds, as far as it is decided.
pub(super) fn may_hold(bound: &Bound, number: &Sym) -> bool {
    match number {
        Sym::Value(Value::Number(number)) => bound.is_open() || bound.holds(&number.to_rational()),
        _ => true,
    }
}

/// The numbers of a result by their places, decided or not.
pub(super) fn places(result: &Sym) -> Vec<&Sym> {
    let mut places = Vec::new();
    result.leaves(&mut |leaf| places.extend(leaf.is_number().then_some(leaf)));
    places
}

/// Bounds for each place, wide enough that little lies beyond any of them.
pub(super) fn bounds(
    states: &States,
    extent: &Extent,
    meter: &Meter,
) -> Result<Vec<Bound>, OverBudget> {
    let mut bounds: Vec<Bound> = Vec::new();
    let laws = states.list.iter().flat_map(|(state, _)| &state.laws);
    let endless = laws.filter(|law| matches!(law, VarLaw::Number(law) if law.is_endless()));
    let endless = endless.count() as u64;
    if endless == 0 {
        return Ok(bounds);
    }
    let share = &extent.rest_below / Rational::from(endless + 1);
    for (state, weight) in states.list.iter().filter(|(_, weight)| *weight > share) {
        let share = &share / weight;
        let Some(result) = state.stack.last() else { continue };
        let mut known: Vec<(Var, Bound)> = Vec::new();
        for (place, number) in places(result).into_iter().enumerate() {
            let Some(form) = number.open_form() else { continue };
            if bounds.len() <= place {
                bounds.resize(place + 1, Bound::default());
            }
            let bound = match form.terms.as_slice() {
                [(var, factor)] => {
                    let at = match known.iter().position(|(other, _)| other == var) {
                        Some(at) => at,
                        None => {
                            let form = Form::variable(*var);
                            known.push((*var, ends(state, &form, &share, extent, meter)?));
                            known.len() - 1
                        }
                    };
                    known[at].1.times(factor).plus(&Bound::at(&form.constant))
                }
                _ => ends(state, form, &share, extent, meter)?,
            };
            bounds[place].widen(bound);
        }
    }
    Ok(bounds)
}

/// How far a number is listed on the sides where it is endless.
fn ends(
    state: &State,
    form: &Form,
    rest_below: &Rational,
    extent: &Extent,
    meter: &Meter,
) -> Result<Bound, OverBudget> {
    let mut endless = form.variables().filter_map(|var| state.law(var));
    if !endless.any(|law| law.is_endless()) {
        return Ok(Bound::default());
    }
    state.law_of(form, meter)?.listed_ends(rest_below, extent.until.as_ref(), meter)
}

/// The values that each of a state's variables may have while all its numbers stay within their bounds, as far as
/// that is easily seen.
pub(super) fn ranges(
    state: &State,
    numbers: &[&Sym],
    bounds: &[Bound],
    meter: &Meter,
) -> Result<Vec<Bound>, OverBudget> {
    let range = |law: &VarLaw| match law {
        VarLaw::Number(law) => Bound::of_law(law),
        VarLaw::Dice(_) | VarLaw::Values(_) => Bound::default(),
    };
    let mut ranges: Vec<Bound> = state.laws.iter().map(range).collect();
    let bounded = numbers.iter().zip(bounds).filter(|(_, bound)| !bound.is_open());
    let bounded = bounded.filter_map(|(number, bound)| Some((number.open_form()?, bound)));
    let bounded: Vec<(&Form, &Bound)> = bounded.collect();
    Bound::narrow_all(&mut ranges, &bounded, ways::ROUNDS_OF_BOUNDS, meter)?;
    Ok(ranges)
}
