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
//!
//! States meet after every step, so this must be cheap. A state's print is a sum of one hash a part;
//! blotting a number out is then a subtraction, and which number to absorb is found from prints alone.
//! Only the states that are joined in the end are compared in full.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use astragal_prob::{Law, Meter, Numbered, OverBudget, Rational, Weighted};
use astragal_program::core::LocalId;
use astragal_value::{Number, Value};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::{Form, Shared, State, States, Sym, Values, Var, VarLaw, Weight, mixed, sum_of};
use crate::code::Store;
use crate::ways;

/// Joins equal states, then states that differ in one number.
pub(crate) fn merge(mut states: States, meter: &Meter) -> Result<States, OverBudget> {
    if states.list.len() < 2 {
        return Ok(states);
    }
    let cost = states.cost();
    meter.afford(cost)?;
    let price = cost / states.list.len() as u64;
    states.list = equal(states.list, price, meter)?;
    while states.list.len() > 1 && meter.may(ways::MEETING) {
        let before = states.list.len();
        match best_number(&states.list, meter)? {
            Some(number) => {
                meter.took(ways::MEETING);
                states.list = absorb(states.list, number, meter)?;
            }
            None => break,
        }
        if states.list.len() == before {
            break;
        }
    }
    Ok(states)
}

/// Joins states that differ in the truth or the word that a variable holds: it is undecided as a whole from then on.
/// Twenty truths that are bound one after the other would make a million states before the first of them is asked for.
pub(crate) fn undecide(
    mut states: States,
    local: LocalId,
    meter: &Meter,
) -> Result<States, OverBudget> {
    let mut rests: Numbered<State> = Numbered::default();
    let mut groups: Vec<Vec<(Sym, Weight)>> = Vec::new();
    let mut kept = Vec::new();
    for (mut state, weight) in std::mem::take(&mut states.list) {
        meter.charge(copied(&state))?;
        let known = state.locals.get_mut(local.0 as usize).filter(|sym| !sym.is_number());
        let known = known.filter(|sym| matches!(sym, Sym::Value(_)));
        let Some(known) = known.filter(|_| !state.phantom) else {
            kept.push((state, weight));
            continue;
        };
        let known = std::mem::replace(known, Sym::Gone);
        let place = rests.number(state);
        groups.resize_with(rests.list.len(), Vec::new);
        groups[place].push((known, weight));
    }
    for (mut state, members) in rests.list.into_iter().zip(groups) {
        let mass = members.iter().fold(Weight::ZERO, |sum, (_, weight)| sum + weight);
        let mut store = Store::new();
        let word = |(sym, weight): &(Sym, Weight)| {
            (store.word(&sym.to_value().unwrap_or(Value::None)), weight / &mass)
        };
        let of_each = Weighted::of_chances(members.iter().map(word).collect());
        let cases = match of_each {
            Some(Weighted { outcomes, total }) => {
                let values = Values::new(Arc::new(store), outcomes, total);
                vec![(state.draw(values.into()), mass)]
            }
            None => members,
        };
        for (value, weight) in cases {
            let mut state = state.clone();
            if let Some(slot) = state.locals.get_mut(local.0 as usize) {
                *slot = value;
            }
            kept.push((state, weight));
        }
    }
    states.list = kept;
    Ok(states)
}

fn equal(
    list: Vec<(State, Weight)>,
    price: u64,
    meter: &Meter,
) -> Result<Vec<(State, Weight)>, OverBudget> {
    let mut known: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    known.reserve(list.len());
    let mut joined: Vec<(State, Weight)> = Vec::with_capacity(list.len());
    for (mut state, weight) in list {
        meter.charge(price)?;
        state.tidy();
        let places = known.entry(Print::of(&state).whole).or_default();
        match places.iter().find(|at| joined[**at].0 == state) {
            Some(at) => joined[*at].1 += weight,
            None => {
                places.push(joined.len());
                joined.push((state, weight));
            }
        }
    }
    Ok(joined)
}

/// A hash of a state that can be taken apart: the hashes of its parts, each with its place, added up.
struct Print<'a> {
    whole: u64,
    /// For each number, in order, its part of the sum, and the number itself if it is undecided.
    numbers: Vec<(u64, Option<&'a Form>)>,
}

impl<'a> Print<'a> {
    fn of(state: &'a State) -> Print<'a> {
        let mut print = Print { whole: 0, numbers: Vec::new() };
        let mut place = 0;
        let groups = [&state.locals, &state.stack].into_iter().chain(&state.frames);
        for group in groups {
            group.iter().for_each(|sym| print.add(sym, &mut place));
            print.note(&(place, group.len()));
        }
        state.laws.iter().enumerate().for_each(|(at, law)| print.note(&(at, law)));
        print.note(&(state.phantom, state.loose, state.owed));
        print
    }

    fn add(&mut self, sym: &'a Sym, place: &mut usize) {
        *place += 1;
        match sym {
            Sym::List(items) | Sym::Record(_, items) => {
                self.note(&(*place, items.len()));
                items.iter().for_each(|item| self.add(item, place));
            }
            Sym::Number(_) | Sym::Value(Value::Number(_)) => {
                let part = hash(&(*place, sym));
                self.numbers.push((part, sym.open_form()));
                self.whole = self.whole.wrapping_add(part);
            }
            Sym::Gone => {}
            Sym::Value(_) | Sym::Pool(_) | Sym::Drawn(_) => self.note(&(*place, sym)),
        }
    }

    fn note(&mut self, part: &impl Hash) {
        self.whole = self.whole.wrapping_add(hash(part));
    }
}

fn hash(part: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    part.hash(&mut hasher);
    // Hashes are added up. Those of small numbers are nearly multiples of one number, and all orders of a list would
    // have one sum, were they not mixed.
    let hash = hasher.finish();
    let mixed = (hash ^ (hash >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}

/// The number (counted through the state) whose absorption leaves the fewest states.
fn best_number(list: &[(State, Weight)], meter: &Meter) -> Result<Option<usize>, OverBudget> {
    let mut prints: Vec<Print<'_>> = Vec::with_capacity(list.len());
    for (state, _) in list {
        meter.charge(8 + 2 * state.breadth() as u64)?;
        prints.push(Print::of(state));
    }
    let numbers = prints.iter().map(|print| print.numbers.len()).max().unwrap_or(0);
    let mut best: Option<(usize, usize)> = None;
    for number in 0..numbers {
        let part = |print: &Print<'_>| print.numbers.get(number).map(|(part, _)| *part);
        let first = part(&prints[0]);
        if prints.iter().all(|print| part(print) == first) {
            continue;
        }
        let mut groups: FxHashSet<u64> = FxHashSet::default();
        groups.reserve(list.len());
        let mut size = 0;
        for ((state, _), print) in list.iter().zip(&prints) {
            let open = print.numbers.get(number).is_some_and(|(_, form)| form.is_some());
            meter.charge(if open { copied(state) } else { 4 })?;
            match print_without(state, print, number) {
                Some(rest) => size += usize::from(groups.insert(rest)),
                None => size += 1,
            }
        }
        if size < list.len() && best.is_none_or(|(_, least)| size < least) {
            best = Some((number, size));
        }
    }
    Ok(best.map(|(number, _)| number))
}

/// What it costs to copy a state and to look through the copy for each of its variables, in steps of the budget.
fn copied(state: &State) -> u64 {
    60 + 8 * state.breadth() as u64 + (state.laws.len() as u64).pow(2) / 8
}

/// The print with a number blotted out; none if other parts mention its variables.
fn print_without(state: &State, print: &Print<'_>, number: usize) -> Option<u64> {
    let (part, form) = print.numbers.get(number)?;
    let Some(form) = form else { return Some(print.whole.wrapping_sub(*part)) };
    let mut mentions = 0;
    state.syms().for_each(|sym| {
        sym.visit(&mut |var| mentions += usize::from(form.coefficient(var).is_some()));
    });
    if mentions > form.terms.len() {
        return None;
    }
    let (rest, _) = without(state, number)?;
    let print = Print::of(&rest);
    Some(print.whole.wrapping_sub(print.numbers.get(number)?.0))
}

/// A state with a number blotted out, and the states that are alike but for it.
type Group = (State, Vec<(State, Form, Weight)>);

/// Joins the states that are alike but for this number.
fn absorb(
    list: Vec<(State, Weight)>,
    number: usize,
    meter: &Meter,
) -> Result<Vec<(State, Weight)>, OverBudget> {
    let mut known: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut kept = Vec::new();
    for (state, weight) in list {
        meter.charge(copied(&state))?;
        let Some((rest, form)) = without(&state, number) else {
            kept.push((state, weight));
            continue;
        };
        let places = known.entry(Print::of(&rest).whole).or_default();
        match places.iter().find(|at| groups[**at].0 == rest) {
            Some(at) => groups[*at].1.push((state, form, weight)),
            None => {
                places.push(groups.len());
                groups.push((rest, vec![(state, form, weight)]));
            }
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
    let mass = sum_of(members.iter().map(|(_, _, weight)| weight));
    let numbers = members.iter().map(|(state, form, weight)| (state, Some(form.clone()), weight));
    let law = mixed(numbers, meter)?.unwrap_or_else(|| Law::constant(Rational::ZERO));
    let var = rest.variable(VarLaw::Number(Shared::new(law)));
    put(&mut rest, number, Sym::Number(Form::variable(var)));
    rest.tidy();
    Ok((rest, mass))
}

/// The state with a number blotted out, and the number; none if other parts mention its variables.
fn without(state: &State, number: usize) -> Option<(State, Form)> {
    let mut rest = state.clone();
    let blot = Sym::Value(Value::Number(Number::ZERO));
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

/// Puts a value where the number stands, and returns what stood there.
fn put(state: &mut State, number: usize, value: Sym) -> Option<Sym> {
    let mut at = 0;
    let mut value = Some(value);
    let mut old = None;
    state.syms_mut().for_each(|sym| {
        sym.leaves_mut(&mut |leaf| {
            if !leaf.is_number() {
                return;
            }
            if at == number {
                old = value.take().map(|value| std::mem::replace(leaf, value));
            }
            at += 1;
        });
    });
    old
}
