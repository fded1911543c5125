//! From the last states to the answer: outcomes with exact chances, and what lies beyond them.
//!
//! A number has one law, the mixture over all states, and the law knows its moments. Anything else is
//! listed outcome by outcome. Where a record or a list holds endless numbers, each such place is cut at
//! one bound for all states, so that a listed outcome has its whole chance and `rest` is exact.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_prob::{Law, Meter, Moment, OverBudget, Rational, Table};
use astragal_program::fault::{Costly, FaultKind};
use astragal_program::types::Type;
use astragal_value::{Number, Value};
use dashu_base::BitTest;

use crate::failure::over_budget;
use crate::listed::{Listed, listed};
use crate::moments::{Moments, moments};
use crate::outcomes::Outcomes;
use crate::phantom::may_be;
use crate::state::{Form, Shared, State, States, Sym, Values, mixed};

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
    /// Of another tool's program: the chance that is lost on the way, so that the chances add up to less than 1;
    /// part of `rest`. None for our own, which lose nothing.
    pub missing: Option<Rational>,
    /// The law of a number, with all that is beyond the list, given that the program comes to an end.
    pub law: Option<Law>,
    /// If the program has a `given`: the chance that the evidence holds, of which everything else here is
    /// given. Where [`Answer::lost`] is not zero, see [`Answer::evidence_at_most`].
    pub evidence: Option<Rational>,
    /// How the numbers of a record move together; none if there are not two, or part was given up.
    pub moments: Option<Moments>,
    /// The mean and the variance, where they are known although part of the law was given up.
    pub mean_besides: Option<Moment>,
    /// See [`Answer::mean_besides`].
    pub variance_besides: Option<Moment>,
    /// Between what the mean lies, where that is known of best play and it is not known exactly.
    pub mean_within: Option<(Rational, Rational)>,
    /// The notes that are certain.
    pub notices: Vec<Arc<str>>,
}

impl Answer {
    /// The exact mean, if the outcomes are numbers, the program always ends, and it is finite. Where something was given up, it is
    /// known of best play, which is worth it, and of loops that multiply what they carry.
    pub fn mean(&self) -> Option<Rational> {
        let besides = || self.mean_besides.as_ref()?.exactly().cloned();
        self.exact_law().map(Law::mean).or_else(besides)
    }

    /// The exact variance, under the same conditions.
    pub fn variance(&self) -> Option<Rational> {
        let besides = || self.variance_besides.as_ref()?.exactly().cloned();
        self.exact_law().map(Law::variance).or_else(besides)
    }

    /// Whether the mean is known to be infinite, and whether the variance is.
    pub fn infinite(&self) -> (bool, bool) {
        let is = |moment: &Option<Moment>| *moment == Some(Moment::Infinite);
        (is(&self.mean_besides), is(&self.variance_besides))
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
        let nothing_missing = self.missing.as_ref().is_none_or(Rational::is_zero);
        let whole = self.lost.is_zero() && self.never.is_zero() && nothing_missing;
        self.law.as_ref().filter(|_| whole)
    }

    /// The answer to a number that was worked out elsewhere, of which some chance may be missing. Without a law it
    /// has no outcomes.
    pub fn of_law(name: Arc<str>, law: Option<Law>, missing: Rational) -> Answer {
        let table = law.as_ref().and_then(Law::as_table);
        let outcomes = match table {
            None => Outcomes::default(),
            Some(table) if missing.is_zero() => Outcomes::of(table.clone()),
            Some(table) => {
                let share = Rational::ONE - &missing;
                let each = |(value, chance)| (Value::Number(Number::from(value)), chance * &share);
                Outcomes::from(table.chances().map(each).collect::<Vec<_>>())
            }
        };
        let rest = if outcomes.is_empty() { Rational::ZERO } else { missing.clone() };
        let told = Listed { outcomes, chance: Rational::ONE - rest, lost: Rational::ZERO };
        let answer = Answer::of(law, told, &Type::Number);
        Answer { name: Some(name), missing: Some(missing), ..answer }
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

impl Answer {
    /// What is listed of a result that is certain to come about.
    fn of(law: Option<Law>, told: Listed, ty: &Type) -> Answer {
        Answer {
            name: None,
            field: Vec::new(),
            ty: ty.clone(),
            outcomes: told.outcomes,
            rest: if told.chance.is_one() { Rational::ZERO } else { Rational::ONE - told.chance },
            lost: told.lost,
            never: Rational::ZERO,
            missing: None,
            law,
            evidence: None,
            moments: None,
            mean_besides: None,
            variance_besides: None,
            mean_within: None,
            notices: Vec::new(),
        }
    }
}

/// The answer of a finite number.
pub(crate) fn of_table(
    table: Table,
    ty: &Type,
    most: usize,
    meter: &Meter,
) -> Result<Answer, FaultKind> {
    let told = all_of(&table, most, meter)?;
    Ok(Answer::of(Some(Law::Finite(table)), told, ty))
}

fn all_of(table: &Table, most: usize, meter: &Meter) -> Result<Listed, FaultKind> {
    let limbs = table.total().bit_len() as u64 / 64;
    meter.charge((table.count() as u64).saturating_mul(limbs / 8)).map_err(over_budget)?;
    afford(table.count(), most, meter)?;
    let outcomes = Outcomes::of(table.clone());
    Ok(Listed { outcomes, chance: Rational::ONE, lost: Rational::ZERO })
}

/// Pays for so many outcomes, unless they are too many.
fn afford(count: usize, most: usize, meter: &Meter) -> Result<(), FaultKind> {
    meter.charge(count as u64).map_err(over_budget)?;
    if count > most { Err(FaultKind::OverBudget(Costly::Outcomes)) } else { Ok(()) }
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
    let counts = Rational::ONE - states.aside.rejected_chance();
    if !counts.is_one() {
        states.list.iter_mut().for_each(|(_, weight)| *weight = &*weight / &counts);
    }
    // Every chance that is not in a state was given up; phantoms are, unless nothing listed can be theirs.
    let never = match states.aside.never.is_zero() || counts.is_zero() {
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
    let (law, told) = told(states, &phantoms, &rest, extent, meter)?;
    Ok(Answer { never: rest.never, evidence, moments, ..Answer::of(law, told, ty) })
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

/// What a program has come to.
enum Reached {
    /// A number, given that it comes to an end.
    Number(Law),
    /// A value that is undecided as a whole, with its chance.
    Values(Shared<Values>, Rational),
    /// Anything else.
    States(Box<States>),
}

/// The law of a number, and what is listed: without what a phantom may come to, if that leaves enough.
fn told(
    states: States,
    phantoms: &[State],
    rest: &Rest,
    extent: &Extent,
    meter: &Meter,
) -> Result<(Option<Law>, Listed), FaultKind> {
    let result = Reached::of(states, meter).map_err(over_budget)?;
    let phantoms = if rest.ends.is_one() { &[] } else { phantoms };
    let mut told = result.listed(phantoms, &rest.ends, extent, meter)?;
    let alone = phantoms.is_empty();
    let exact = rest.unlisted && (alone || rest.is_little_besides(&told.chance, extent));
    if !exact {
        if !alone {
            told = result.listed(&[], &rest.ends, extent, meter)?;
        }
        told.lost += &rest.given_up;
    }
    match result {
        Reached::Number(law) if alone || !exact => Ok((Some(law), told)),
        _ => Ok((None, told)),
    }
}

impl Reached {
    fn of(mut states: States, meter: &Meter) -> Result<Reached, OverBudget> {
        if let Some(law) = law(&states, meter)? {
            return Ok(Reached::Number(law));
        }
        if let [(state, weight)] = states.list.as_slice()
            && let Some(values) = state.top_values()
        {
            return Ok(Reached::Values(values.clone(), weight.clone()));
        }
        untangle(&mut states, meter)?;
        Ok(Reached::States(Box::new(states)))
    }

    /// What is listed of it, without what one of these phantoms may have come to.
    fn listed(
        &self,
        phantoms: &[State],
        ends: &Rational,
        extent: &Extent,
        meter: &Meter,
    ) -> Result<Listed, FaultKind> {
        match self {
            Reached::Number(Law::Finite(table)) if ends.is_one() => {
                all_of(table, extent.most, meter)
            }
            Reached::Number(law) => {
                let listing = law.listing(&extent.rest_below, extent.until.as_ref(), meter);
                let listing = listing.map_err(over_budget)?;
                afford(listing.outcomes.len(), extent.most, meter)?;
                let mut chance = (Rational::ONE - listing.rest) * ends;
                let mut outcomes = Vec::with_capacity(listing.outcomes.len());
                for (value, own) in listing.outcomes {
                    let value = Value::Number(Number::from(value));
                    let own = if ends.is_one() { own } else { own * ends };
                    match may_be(phantoms, &value) {
                        true => chance -= own,
                        false => outcomes.push((value, own)),
                    }
                }
                Ok(Listed { outcomes: outcomes.into(), chance, lost: Rational::ZERO })
            }
            Reached::Values(values, chance) => {
                afford(values.count(), extent.most, meter)?;
                let outcomes = Outcomes::of_values(values.clone(), chance.clone());
                Ok(Listed { outcomes, chance: ends.clone(), lost: Rational::ZERO })
            }
            Reached::States(states) => listed(states, phantoms, extent, meter),
        }
    }
}

/// The states, and apart from them the phantoms.
fn part(states: States) -> (States, Vec<State>) {
    let (phantoms, list): (Vec<_>, Vec<_>) =
        states.list.into_iter().partition(|(state, _)| state.phantom);
    let phantoms = phantoms.into_iter().map(|(state, _)| state).collect();
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

/// The law of a number; none if the result is something else.
pub(crate) fn law(states: &States, meter: &Meter) -> Result<Option<Law>, OverBudget> {
    let top = |state: &State| state.stack.last().and_then(Sym::as_form);
    mixed(states.list.iter().map(|(state, weight)| (state, top(state), weight)), meter)
}

/// Leaves nothing in each state but its result, with as few variables as it can have: those that stand in one
/// combination only become one.
pub(crate) fn untangle(states: &mut States, meter: &Meter) -> Result<(), OverBudget> {
    for (state, _) in &mut states.list {
        state.locals.clear();
        state.frames.clear();
        state.stack.drain(..state.stack.len().saturating_sub(1));
        let mut forms: Vec<Form> = Vec::new();
        state.syms().for_each(|sym| {
            sym.leaves(&mut |leaf| forms.extend(leaf.open_form().cloned()));
        });
        for form in forms {
            // Unless it is one variable, or went with another.
            if form.terms.len() > 1 && state.mentions(&[form.terms[0].0]) {
                state.collapse(&form, meter)?;
            }
        }
    }
    Ok(())
}
