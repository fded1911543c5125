//! From the last states to the answer: outcomes with exact chances, and what lies beyond them.
//!
//! A number has one law, the mixture over all states, and the law knows its moments. Anything else is
//! listed outcome by outcome. Where a record or a list holds endless numbers, each such place is cut at
//! one bound for all states, so that a listed outcome has its whole chance and `rest` is exact.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_prob::{Law, Meter, OverBudget, Rational, Table};
use astragal_program::fault::{Costly, FaultKind};
use astragal_program::types::Type;
use astragal_value::{Number, Value};
use dashu_base::BitTest;

use crate::failure::over_budget;
use crate::listed::{Listed, listed};
use crate::moments::{Moments, moments};
use crate::outcomes::Outcomes;
use crate::phantom::Phantom;
use crate::state::{Form, Shared, State, States, Sym, Values, Var, VarLaw};

/// The exact distribution of one result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The name after `show`, or none.
    pub name: Option<Arc<str>>,
    /// The names of the fields that lead to this part of the result, from the outside in; empty: it is
    /// all of it.
    pub field: Vec<Arc<str>>,
    /// The type of the outcomes.
    pub ty: Type,
    /// The outcomes in ascending order. Where [`Answer::lost`] is not zero, each chance is the lower end
    /// of an interval as wide as `lost`.
    pub outcomes: Outcomes,
    /// The chance of everything that is not listed, `lost` included.
    pub rest: Rational,
    /// The chance of everything that had to be given up because an endless value was used in a way for
    /// which no exact answer is known. Zero: everything here is exact.
    pub lost: Rational,
    /// The chance that the program runs for ever, exactly; part of `rest`.
    pub never: Rational,
    /// The law of a number, with all that is beyond the list, given that the program comes to an end.
    pub law: Option<Law>,
    /// If the program has a `given`: the chance that the evidence holds, of which everything else here is
    /// given. Where [`Answer::lost`] is not zero, see [`Answer::evidence_at_most`].
    pub evidence: Option<Rational>,
    /// How the numbers of a record move together; none if there are not two, or part was given up.
    pub moments: Option<Moments>,
    /// The notes that are certain.
    pub notices: Vec<Arc<str>>,
}

impl Answer {
    /// The exact mean, if the outcomes are numbers, nothing was given up and the program always ends.
    pub fn mean(&self) -> Option<Rational> {
        self.exact_law().map(Law::mean)
    }

    /// The exact variance, where there is a [mean](Answer::mean).
    pub fn variance(&self) -> Option<Rational> {
        self.exact_law().map(Law::variance)
    }

    /// The highest chance that the evidence may have: what was given up may all have counted.
    pub fn evidence_at_most(&self) -> Option<Rational> {
        let counts = Rational::ONE - &self.lost;
        self.evidence
            .as_ref()
            .map(|known| if counts.is_zero() { Rational::ONE } else { known / counts })
    }

    /// The chance of an outcome that is listed, or of any outcome of a finite result.
    pub fn chance(&self, value: &Value) -> Rational {
        if let (Some(table), Some(number)) = (self.whole_table(), value.as_number()) {
            return table.chance(&number.to_rational());
        }
        match self.outcomes.binary_search_by(|(known, _)| known.cmp(value)) {
            Ok(at) => self.outcomes[at].1.clone(),
            Err(_) => Rational::ZERO,
        }
    }

    /// The distribution of one field of a record, by the names from the outside in. None if there is no
    /// such field, or if not every outcome is listed: then ask for the odds of the field itself.
    pub fn marginal(&self, path: &[&str]) -> Option<Vec<(Value, Rational)>> {
        if !self.rest.is_zero() {
            return None;
        }
        let mut marginal: BTreeMap<Value, Rational> = BTreeMap::new();
        for (value, chance) in &self.outcomes {
            let part = path.iter().try_fold(value, |value, name| match value {
                Value::Record(shape, fields) => {
                    fields.get(shape.fields.iter().position(|field| **field == **name)?)
                }
                _ => None,
            });
            *marginal.entry(part?.clone()).or_insert(Rational::ZERO) += chance;
        }
        Some(marginal.into_iter().collect())
    }

    /// The exact covariance of two fields of a record that are numbers or truths (which count 1 and 0),
    /// such as `attacker.total`.
    pub fn covariance(&self, a: &str, b: &str) -> Option<Rational> {
        let moments = self.moments.as_ref()?;
        let (a, b) = (moments.place(a)?, moments.place(b)?);
        Some(moments.covariances[a][b].clone())
    }

    /// The table of a finite number that nothing is missing from.
    fn whole_table(&self) -> Option<&Table> {
        self.exact_law().and_then(Law::as_table)
    }

    /// The law, unless part of it was given up or the program may run for ever.
    pub fn exact_law(&self) -> Option<&Law> {
        self.law.as_ref().filter(|_| self.lost.is_zero() && self.never.is_zero())
    }
}

/// How much is listed of an endless result.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Until the rest is below this.
    pub rest_below: Rational,
    /// And at least up to this number.
    pub until: Option<Rational>,
    /// At most so many outcomes.
    pub most: usize,
}

/// The answer of a program that came to one state with a finite number, and nothing else: no evidence, nothing
/// given up. That is what [`answer`] says of it too, in fewer words.
pub(crate) fn of_one_number(
    states: &States,
    conditioned: bool,
    ty: &Type,
    most: usize,
    meter: &Meter,
) -> Result<Option<Answer>, FaultKind> {
    let [(state, weight)] = states.list.as_slice() else { return Ok(None) };
    let aside = &states.aside;
    let clear = aside.lost.is_zero() && aside.never.is_zero() && aside.rejected.is_none();
    if conditioned || state.phantom || !weight.is_one() || !clear {
        return Ok(None);
    }
    let Some(form) = state.stack.last().and_then(Sym::as_form) else { return Ok(None) };
    let Law::Finite(table) = state.law_of(&form, meter).map_err(over_budget)? else {
        return Ok(None);
    };
    of_table(table, ty, most, meter).map(Some)
}

/// The answer of a finite number.
pub(crate) fn of_table(
    table: Table,
    ty: &Type,
    most: usize,
    meter: &Meter,
) -> Result<Answer, FaultKind> {
    let count = table.count();
    let limbs = table.total().bit_len() as u64 / 64;
    meter.charge((count as u64).saturating_mul(1 + limbs / 8)).map_err(over_budget)?;
    if count > most {
        return Err(FaultKind::OverBudget(Costly::Outcomes));
    }
    Ok(Answer {
        name: None,
        field: Vec::new(),
        ty: ty.clone(),
        outcomes: Outcomes::of(table.clone()),
        rest: Rational::ZERO,
        lost: Rational::ZERO,
        never: Rational::ZERO,
        law: Some(Law::Finite(table)),
        evidence: None,
        moments: None,
        notices: Vec::new(),
    })
}

/// `conditioned`: whether the program knows evidence. Everything is divided here, once, by the chance of
/// all that counts. What was given up may or may not have counted: with the chances a of an outcome, s of
/// all that counts for certain and l given up, the outcome's chance lies between a/(s + l) and
/// (a + l)/(s + l), an interval as wide as l/(s + l).
pub(crate) fn answer(
    states: States,
    conditioned: bool,
    ty: &Type,
    extent: &Extent,
    meter: &Meter,
) -> Result<Answer, FaultKind> {
    let evidence = conditioned.then(|| states.mass());
    let loose = states.list.iter().any(|(state, _)| state.loose);
    let (mut states, phantoms) = part(states);
    let whole = states.list.len() == 1 && phantoms.is_empty();
    if !whole {
        states = decided(states, meter).map_err(over_budget)?;
    }
    let counts = match &states.aside.rejected {
        None => Rational::ONE,
        Some(rejected) => Rational::ONE - &rejected.chance,
    };
    if counts != Rational::ONE {
        states.list.iter_mut().for_each(|(_, weight)| *weight = &*weight / &counts);
    }
    // Every chance that is not in a state was given up; phantoms are, unless nothing listed can be theirs.
    let never = match counts.is_zero() {
        true => Rational::ZERO,
        false => &states.aside.never / &counts,
    };
    let ends = states.mass();
    let given_up = Rational::ONE - &ends - &never;
    // With evidence, a phantom that counts would make everything else less likely.
    let unlisted = states.aside.lost.is_zero() && !(conditioned && loose);
    let exact = states.aside.lost.is_zero() && never.is_zero() && phantoms.is_empty();
    let moments = match exact {
        true => moments(&states, ty, meter).map_err(over_budget)?,
        false => None,
    };
    let rest = Rest { ends, never, given_up, unlisted };
    let told = told(states, &phantoms, &rest, extent, meter)?;
    if told.outcomes.len() > extent.most {
        return Err(FaultKind::OverBudget(Costly::Outcomes));
    }
    let Told { law, outcomes, rest: unseen, lost } = told;
    Ok(Answer {
        name: None,
        field: Vec::new(),
        ty: ty.clone(),
        outcomes,
        rest: unseen,
        lost,
        never: rest.never,
        law,
        evidence,
        moments,
        notices: Vec::new(),
    })
}

/// The chances of an end, of none, and of what was given up; and whether the latter is no matter for what is listed.
struct Rest {
    ends: Rational,
    never: Rational,
    given_up: Rational,
    unlisted: bool,
}

impl Rest {
    /// Whether little is left besides what is listed with this chance. What a phantom may come to is not listed,
    /// unless nothing worth while is left then.
    fn is_little_besides(&self, chance: &Rational, extent: &Extent) -> bool {
        let beyond = &extent.rest_below + &self.given_up;
        Rational::ONE - chance - &self.never <= &beyond + &beyond
    }
}

/// What is told of a result: the law of a number, what is listed, and the chances of all else and of what was given up.
struct Told {
    law: Option<Law>,
    outcomes: Outcomes,
    rest: Rational,
    lost: Rational,
}

fn told(
    mut states: States,
    phantoms: &[Phantom],
    rest: &Rest,
    extent: &Extent,
    meter: &Meter,
) -> Result<Told, FaultKind> {
    let given_up = || if rest.unlisted { Rational::ZERO } else { rest.given_up.clone() };
    match law(&states, meter).map_err(over_budget)? {
        Some(Law::Finite(table)) if rest.ends.is_one() => {
            meter.charge(table.count() as u64).map_err(over_budget)?;
            let outcomes = Outcomes::of(table.clone());
            let (law, none) = (Some(Law::Finite(table)), Rational::ZERO);
            Ok(Told { law, outcomes, rest: none.clone(), lost: none })
        }
        Some(law)
            if rest.unlisted
                && let Some(told) = beside(&law, phantoms, &rest.ends, extent, meter)?
                    .filter(|told| rest.is_little_besides(&told.chance, extent)) =>
        {
            let Listed { outcomes, chance, lost } = told;
            Ok(Told { law: None, outcomes, rest: Rational::ONE - chance, lost })
        }
        Some(law) => told_of_law(law, rest, extent, meter),
        None if let Some((values, chance)) = drawn(&states) => {
            meter.charge(values.count() as u64).map_err(over_budget)?;
            let outcomes = Outcomes::of_values(values, chance);
            Ok(Told { law: None, outcomes, rest: Rational::ONE - &rest.ends, lost: given_up() })
        }
        None => {
            untangle_all(&mut states, meter).map_err(over_budget)?;
            let told = listed(&states, phantoms, extent, meter)?;
            let alone = phantoms.is_empty();
            let exact = rest.unlisted && (alone || rest.is_little_besides(&told.chance, extent));
            let told = if exact || alone { told } else { listed(&states, &[], extent, meter)? };
            let lost = if exact { told.lost } else { told.lost + &rest.given_up };
            let Listed { outcomes, chance, .. } = told;
            Ok(Told { law: None, outcomes, rest: Rational::ONE - chance, lost })
        }
    }
}

/// A number that is endless, or does not always come about, as far as it is listed.
fn told_of_law(law: Law, rest: &Rest, extent: &Extent, meter: &Meter) -> Result<Told, FaultKind> {
    let listing = law.listing(&extent.rest_below, extent.until.as_ref(), meter);
    let listing = listing.map_err(over_budget)?;
    let scaled = |chance| if rest.ends.is_one() { chance } else { chance * &rest.ends };
    let outcomes = listing.outcomes.into_iter();
    let outcomes: Vec<_> =
        outcomes.map(|(value, chance)| (number(value), scaled(chance))).collect();
    let lost = rest.given_up.clone();
    let unseen = listing.rest * &rest.ends + &lost + &rest.never;
    Ok(Told { law: Some(law), outcomes: outcomes.into(), rest: unseen, lost })
}

/// The values of a number that no phantom may have; none if there is no phantom.
fn beside(
    law: &Law,
    phantoms: &[Phantom],
    scale: &Rational,
    extent: &Extent,
    meter: &Meter,
) -> Result<Option<Listed>, FaultKind> {
    if phantoms.is_empty() {
        return Ok(None);
    }
    let listing = law.listing(&extent.rest_below, extent.until.as_ref(), meter);
    let outcomes = listing.map_err(over_budget)?.outcomes.into_iter();
    let outcomes = outcomes.map(|(value, chance)| (number(value), chance * scale));
    let theirs = |value: &Value| phantoms.iter().any(|phantom| phantom.may_be(value));
    let outcomes: Vec<_> = outcomes.filter(|(value, _)| !theirs(value)).collect();
    let chance = outcomes.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
    Ok(Some(Listed { outcomes: outcomes.into(), chance, lost: Rational::ZERO }))
}

/// The states, and apart from them the phantoms.
fn part(states: States) -> (States, Vec<Phantom>) {
    if !states.list.iter().any(|(state, _)| state.phantom) {
        return (states, Vec::new());
    }
    let (phantoms, list): (Vec<_>, Vec<_>) =
        states.list.into_iter().partition(|(state, _)| state.phantom);
    let phantoms = phantoms.iter().map(|(state, _)| Phantom::of(state)).collect();
    (States { list, aside: states.aside }, phantoms)
}

/// The states with each result decided that is undecided as a whole.
fn decided(states: States, meter: &Meter) -> Result<States, OverBudget> {
    let mut list = Vec::with_capacity(states.list.len());
    for (state, weight) in states.list {
        match state.stack.last() {
            Some(Sym::Drawn(var)) if let Some(values) = state.values(*var) => {
                let parts = state.decide_value(*var, values, meter)?;
                list.extend(parts.into_iter().map(|(state, chance)| (state, &weight * chance)));
            }
            _ => list.push((state, weight)),
        }
    }
    Ok(States { list, aside: states.aside })
}

/// The law of the only result, if it is undecided as a whole, and its chance.
fn drawn(states: &States) -> Option<(Shared<Values>, Rational)> {
    let [(state, weight)] = states.list.as_slice() else { return None };
    state.top_values().map(|values| (values.clone(), weight.clone()))
}

fn number(value: Rational) -> Value {
    Value::Number(Number::from(value))
}

/// The law of a number; none if the result is something else.
fn law(states: &States, meter: &Meter) -> Result<Option<Law>, OverBudget> {
    let number = |(state, _): &(State, Rational)| state.stack.last().is_some_and(Sym::is_number);
    if !states.list.iter().all(number) {
        return Ok(None);
    }
    let mass = states.mass();
    let mut parts = Vec::new();
    for (state, weight) in &states.list {
        let Some(form) = state.stack.last().and_then(Sym::as_form) else { return Ok(None) };
        parts.push((weight / &mass, state.law_of(&form, meter)?));
    }
    if parts.is_empty() {
        return Ok(None);
    }
    Law::mixture(&parts, meter).map(Some)
}

/// Leaves nothing in each state but its result, with as few variables as it can have.
fn untangle_all(states: &mut States, meter: &Meter) -> Result<(), OverBudget> {
    for (state, _) in &mut states.list {
        let result = state.stack.pop().unwrap_or(Sym::Gone);
        let single = result.has_single_terms();
        *state = State {
            stack: vec![result],
            laws: std::mem::take(&mut state.laws),
            ..State::default()
        };
        if !single {
            untangle(state, meter)?;
        }
    }
    Ok(())
}

/// A number whose variables nothing else mentions becomes one variable.
fn untangle(state: &mut State, meter: &Meter) -> Result<(), OverBudget> {
    for form in forms(state) {
        if form.terms.len() < 2 {
            continue;
        }
        let vars: Vec<Var> = form.variables().collect();
        let alone =
            forms(state).iter().filter(|f| f.variables().any(|v| vars.contains(&v))).count();
        if alone == 1 {
            let combination = Form { constant: Rational::ZERO, terms: form.terms.clone() };
            let law = state.law_of(&combination, meter)?;
            let new = state.variable(VarLaw::Number(Shared::new(law)));
            let replaced =
                Form { constant: form.constant.clone(), terms: vec![(new, Rational::ONE)] };
            state.syms_mut().for_each(|sym| {
                sym.map_forms(&|old: &Form| {
                    if *old == form { replaced.clone() } else { old.clone() }
                });
            });
        }
    }
    Ok(())
}

/// The undecided numbers of a state, in order.
fn forms(state: &State) -> Vec<Form> {
    let mut state = state.clone();
    let mut forms = Vec::new();
    state.syms_mut().for_each(|sym| {
        sym.numbers(&mut |leaf| {
            if let Sym::Number(form) = leaf {
                forms.push(form.clone());
            }
        });
    });
    forms
}
