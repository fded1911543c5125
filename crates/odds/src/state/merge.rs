//! Where states meet.
//!
//! Equal states become one. Beyond that, states that are alike but for one number become one state
//! whose number is a variable with the mixed law, provided that nothing else in the state mentions the
//! number's variables:
//!
//! ```text
//! {open: no, total: 7}  1/6 ┐
//! {open: no, total: 8}  1/9 ┴▶ {open: no, total: T}  5/18,  T = 7 or 8 with chances 3/5 and 2/5
//! ```
//!
//! So a running total never multiplies the states, and a mixture of a finite and an endless number is
//! one endless number.

use astragal_prob::{Law, Meter, OverBudget, Rational};
use rustc_hash::FxHashMap;

use super::{Form, State, States, Sym, Var, VarLaw, Weight};

/// Joins equal states, then states that differ in one number.
pub(crate) fn merge(mut states: States, meter: &Meter) -> Result<States, OverBudget> {
    if states.list.len() < 2 {
        return Ok(states);
    }
    meter.charge(states.list.len() as u64)?;
    states.list = equal(states.list);
    while states.list.len() > 1 {
        let before = states.list.len();
        match best_number(&states.list, meter)? {
            Some(number) => states.list = absorb(states.list, number, meter)?,
            None => break,
        }
        if states.list.len() == before {
            break;
        }
    }
    Ok(states)
}

fn equal(list: Vec<(State, Weight)>) -> Vec<(State, Weight)> {
    let mut known: FxHashMap<State, usize> = FxHashMap::default();
    let mut joined: Vec<(State, Weight)> = Vec::new();
    for (mut state, weight) in list {
        state.tidy();
        match known.get(&state) {
            Some(at) => joined[*at].1 += weight,
            None => {
                known.insert(state.clone(), joined.len());
                joined.push((state, weight));
            }
        }
    }
    joined
}

/// The number (counted through the state) whose absorption leaves the fewest states.
fn best_number(list: &[(State, Weight)], meter: &Meter) -> Result<Option<usize>, OverBudget> {
    let numbers = list.iter().map(|(state, _)| count_numbers(state)).max().unwrap_or(0);
    let mut best: Option<(usize, usize)> = None;
    for number in 0..numbers {
        meter.charge(list.len() as u64)?;
        let mut groups: FxHashMap<State, ()> = FxHashMap::default();
        let mut size = 0;
        for (state, _) in list {
            match without(state, number) {
                Some((rest, _)) => {
                    if groups.insert(rest, ()).is_none() {
                        size += 1;
                    }
                }
                None => size += 1,
            }
        }
        if size < list.len() && best.is_none_or(|(_, least)| size < least) {
            best = Some((number, size));
        }
    }
    Ok(best.map(|(number, _)| number))
}

/// Joins the states that are alike but for this number.
fn absorb(
    list: Vec<(State, Weight)>,
    number: usize,
    meter: &Meter,
) -> Result<Vec<(State, Weight)>, OverBudget> {
    let mut known: FxHashMap<State, usize> = FxHashMap::default();
    let mut groups: Vec<(State, Vec<(State, Form, Weight)>)> = Vec::new();
    let mut kept = Vec::new();
    for (state, weight) in list {
        match without(&state, number) {
            Some((rest, form)) => {
                let at = *known.entry(rest.clone()).or_insert_with(|| {
                    groups.push((rest, Vec::new()));
                    groups.len() - 1
                });
                groups[at].1.push((state, form, weight));
            }
            None => kept.push((state, weight)),
        }
    }
    for (rest, mut members) in groups {
        if members.len() == 1 {
            kept.extend(members.pop().map(|(state, _, weight)| (state, weight)));
        } else {
            kept.push(mix(rest, number, members, meter)?);
        }
    }
    Ok(kept)
}

fn mix(
    mut rest: State,
    number: usize,
    members: Vec<(State, Form, Weight)>,
    meter: &Meter,
) -> Result<(State, Weight), OverBudget> {
    let mass = members.iter().fold(Weight::ZERO, |sum, (_, _, weight)| sum + weight);
    let mut parts: Vec<(Rational, Law)> = Vec::new();
    for (state, form, weight) in &members {
        parts.push((weight / &mass, state.law_of(form, meter)?));
    }
    let law = Law::mixture(&parts, meter)?;
    let var = rest.variable(VarLaw::Number(std::sync::Arc::new(law)));
    put(&mut rest, number, Sym::Number(Form::variable(var)));
    rest.tidy();
    Ok((rest, mass))
}

/// The state with a number blotted out, and the number; none if other parts mention its variables.
fn without(state: &State, number: usize) -> Option<(State, Form)> {
    let mut rest = state.clone();
    let blot = Sym::Value(astragal_value::Value::Number(astragal_value::Number::ZERO));
    let form = put(&mut rest, number, blot)?.as_form()?;
    let vars: Vec<Var> = form.variables().collect();
    if !vars.is_empty() {
        if rest.mentions(&vars) {
            return None;
        }
        rest.tidy();
    }
    Some((rest, form))
}

fn count_numbers(state: &State) -> usize {
    let mut count = 0;
    state.clone().syms_mut().for_each(|sym| sym.numbers(&mut |_| count += 1));
    count
}

/// Puts a value where the number stands, and returns what stood there.
fn put(state: &mut State, number: usize, value: Sym) -> Option<Sym> {
    let mut at = 0;
    let mut value = Some(value);
    let mut old = None;
    state.syms_mut().for_each(|sym| {
        sym.numbers(&mut |leaf| {
            if at == number
                && let Some(value) = value.take()
            {
                old = Some(std::mem::replace(leaf, value));
            }
            at += 1;
        });
    });
    old
}
