//! Where endless outcomes are cut.
//!
//! Each number in a result has a place. Where numbers are endless, outcomes are listed between bounds beyond which little
//! lies, the same bounds for all states: so all ways to an outcome are found, and it has its whole chance. Within
//! the bounds variables have few values. With `x + y <= 80` and both of them at least 2, `x` is at most 78.

use astragal_prob::{Law, Meter, OverBudget, Rational};
use astragal_value::Value;

use crate::answer::Extent;
use crate::state::{Form, State, States, Sym, Var, VarLaw};
use crate::ways;

/// The least and the greatest number of a place, or of a variable; none on a side without an end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bound {
    pub(super) low: Option<Rational>,
    pub(super) high: Option<Rational>,
}

impl Bound {
    /// All that a number may be.
    pub(crate) fn of(state: &State, form: &Form) -> Bound {
        form.terms.iter().fold(Bound::at(&form.constant), |sum, (var, factor)| {
            let law = state.law(*var).map(|law| Bound::of_law(law));
            sum.plus(&law.unwrap_or_default().times(factor))
        })
    }

    fn of_law(law: &Law) -> Bound {
        Bound { low: law.lowest(), high: law.highest() }
    }

    fn at(number: &Rational) -> Bound {
        Bound { low: Some(number.clone()), high: Some(number.clone()) }
    }

    pub(crate) fn holds(&self, value: &Rational) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value)
            && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// Whether a number is within, as far as it is decided.
    pub(super) fn may_hold(&self, number: &Sym) -> bool {
        match number {
            Sym::Value(Value::Number(number)) => {
                self.is_open() || self.holds(&number.to_rational())
            }
            _ => true,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// The bound of a multiple.
    fn times(&self, factor: &Rational) -> Bound {
        let multiple = |end: &Option<Rational>| end.as_ref().map(|end| end * factor);
        let (low, high) = (multiple(&self.low), multiple(&self.high));
        if *factor < Rational::ZERO { Bound { low: high, high: low } } else { Bound { low, high } }
    }

    /// The bound of a sum.
    fn plus(&self, other: &Bound) -> Bound {
        let sum = |a: &Option<Rational>, b: &Option<Rational>| Some(a.as_ref()? + b.as_ref()?);
        Bound { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    fn widen(&mut self, other: Bound) {
        let further = |known: &mut Option<Rational>, end: Option<Rational>, down: bool| {
            let Some(end) = end else { return };
            let beyond = |known: &Rational| if down { end < *known } else { end > *known };
            if known.as_ref().is_none_or(beyond) {
                *known = Some(end);
            }
        };
        further(&mut self.low, other.low, true);
        further(&mut self.high, other.high, false);
    }

    /// Draws the ends together; whether that changed anything.
    fn narrow(&mut self, other: Bound) -> bool {
        let low = other.low.filter(|end| self.low.as_ref().is_none_or(|known| end > known));
        let high = other.high.filter(|end| self.high.as_ref().is_none_or(|known| end < known));
        let changed = low.is_some() || high.is_some();
        self.low = low.or(self.low.take());
        self.high = high.or(self.high.take());
        changed
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
    let law = state.law_of(form, meter)?;
    let listing = law.listing(rest_below, extent.until.as_ref(), meter)?;
    let (first, last) = (listing.outcomes.first(), listing.outcomes.last());
    let end = |end: Option<&(Rational, Rational)>| end.map(|(value, _)| value.clone());
    Ok(Bound {
        low: end(first.filter(|_| law.lowest().is_none())),
        high: end(last.filter(|_| law.highest().is_none())),
    })
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
    let cost = bounded.iter().map(|(form, _)| (form.terms.len() as u64).saturating_pow(2));
    let cost = cost.fold(0, u64::saturating_add);
    for _ in 0..ways::ROUNDS_OF_BOUNDS {
        meter.charge(cost)?;
        let mut changed = false;
        for (form, bound) in &bounded {
            for (at, (var, factor)) in form.terms.iter().enumerate() {
                let others = form.terms.iter().enumerate().filter(|(other, _)| *other != at);
                let less = bound.plus(&Bound::at(&-&form.constant));
                let room = others.fold(less, |room, (_, (var, factor))| {
                    room.plus(&ranges[var.0 as usize].times(&-factor))
                });
                let room = room.times(&(Rational::ONE / factor));
                changed |= ranges[var.0 as usize].narrow(room);
            }
        }
        if !changed {
            break;
        }
    }
    Ok(ranges)
}
