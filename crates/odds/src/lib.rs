//! Meaning two: a checked program's exact distribution.
//!
//! The odds are those of the very program that is rolled: *odds = roll over every sequence of faces*.
//! The program is pruned to what is asked ([`plan`]), then explored state by state ([`state`],
//! [`eval`]), with undecided numbers kept as laws ([`astragal_prob`]), and the states at its end are
//! turned into outcomes ([`answer`]).

mod answer;
mod chain;
mod direct;
mod eval;
mod failure;
mod graph;
mod listed;
mod moments;
mod outcomes;
mod plain;
mod plan;
mod state;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal_prob::{Law, Meter, Natural, Rational, Watcher};
use astragal_program::core::Program;
use astragal_program::fault::FaultKind;
use astragal_program::types::Type;
use astragal_value::Value;

pub use answer::{Answer, Extent};
pub use failure::Failure;
pub use moments::Moments;
pub use outcomes::Outcomes;

use direct::Yield;
use eval::Machine;
use eval::paths::Lasting;
use plan::Demand;
use rustc_hash::FxHashMap;
use state::{State, States, Sym};

/// How much a request may cost.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Steps of work, about one small operation each.
    pub steps: u64,
    /// States kept at one place.
    pub states: usize,
    /// Outcomes listed.
    pub outcomes: usize,
    /// Set by another thread to stop the request.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Is told now and then how far the work is.
    pub watcher: Option<Watcher>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            steps: 50_000_000,
            states: 200_000,
            outcomes: 200_000,
            cancel: None,
            watcher: None,
        }
    }
}

impl Budget {
    /// The budget for so many steps. More steps than usual allow more states and outcomes too.
    pub fn of_steps(steps: u64) -> Budget {
        let usual = Budget::default();
        let times = usize::try_from(steps / usual.steps).unwrap_or(usize::MAX).max(1);
        Budget {
            steps,
            states: usual.states.saturating_mul(times),
            outcomes: usual.outcomes.saturating_mul(times),
            ..usual
        }
    }
}

/// What is asked of a program.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Values for the program's inputs, by index; the defaults where absent.
    pub inputs: Vec<Option<Value>>,
    /// Which part of the result: field indices from the outside in. Empty: all of it.
    pub field: Vec<usize>,
    /// The fields of a record are asked for one by one, each with its own distribution.
    pub apart: bool,
    /// List endless results at least up to this number.
    pub until: Option<Rational>,
}

/// What is known of a program.
#[derive(Clone, Debug)]
pub struct Known {
    /// One answer a result, or several where its fields were asked for apart.
    pub answers: Vec<Answer>,
    /// The steps of work that it took.
    pub used: u64,
}

/// The exact distribution of each result of a program.
pub fn odds(program: &Program, question: &Question, budget: &Budget) -> Result<Known, Failure> {
    let several = program.results.len() != 1 || program.results[0].name.is_some();
    let meter = meter(budget);
    let mut known = Lasting::default();
    let mut answers = Vec::with_capacity(program.results.len());
    for (index, result) in program.results.iter().enumerate() {
        let mut parts = fields(&result.ty, question);
        for part in &mut parts {
            part.path.splice(0..0, several.then_some(index));
        }
        let request = Request { program, question, budget, meter: &meter };
        let found = match request.directly(&parts)? {
            Some(found) => found,
            None => match request.together(&parts, &mut known)? {
                Some(found) => found,
                None => request.each(&parts, &mut known)?,
            },
        };
        for (part, answer) in parts.into_iter().zip(found) {
            answers.push(Answer { name: result.name.clone(), field: part.names, ..answer });
        }
    }
    Ok(Known { answers, used: budget.steps - meter.left() })
}

fn meter(budget: &Budget) -> Meter {
    let mut meter = Meter::new(budget.steps);
    if let Some(flag) = &budget.cancel {
        meter = meter.with_cancel(Arc::clone(flag));
    }
    if let Some(watcher) = &budget.watcher {
        meter = meter.with_watcher(watcher.clone());
    }
    meter
}

/// What is asked, and what it may cost.
struct Request<'a> {
    program: &'a Program,
    question: &'a Question,
    budget: &'a Budget,
    meter: &'a Meter,
}

impl Request<'_> {
    /// The distribution of each part of the result.
    fn each(&self, parts: &[Field], known: &mut Lasting) -> Result<Vec<Answer>, Failure> {
        let demands = parts.iter().map(Field::demand);
        let plan = plan::lower(self.program, &self.question.inputs, demands);
        let mut machine = Machine::new(&plan, self.meter, self.budget.states);
        machine.remember(std::mem::take(known));
        let mut answers = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let mut states = machine.main(at)?;
            refuse(&mut states)?;
            for (state, _) in &mut states.list {
                let whole = state.stack.pop().unwrap_or(Sym::Gone);
                let picked =
                    part.path.iter().fold(whole, |value, index| pick(state, value, *index));
                state.stack.push(picked);
            }
            let notices = std::mem::take(&mut machine.notices);
            answers.push(self.answer(states, plan.conditioned, &part.ty, notices)?);
        }
        *known = machine.remembered();
        Ok(answers)
    }

    /// The distribution of a whole result that names no variable.
    fn directly(&self, parts: &[Field]) -> Result<Option<Vec<Answer>>, Failure> {
        let [part] = parts else { return Ok(None) };
        if !part.path.is_empty() {
            return Ok(None);
        }
        let body = &self.program.main.body;
        let state = match direct::directly(body, &self.question.inputs, self.meter) {
            None => return Ok(None),
            Some(Yield::Several(state)) => state,
            Some(Yield::Number(Law::Finite(table))) => {
                let most = self.budget.outcomes;
                let answer = answer::of_table(table, &part.ty, most, self.meter);
                return answer.map(|answer| Some(vec![answer])).map_err(|kind| self.refused(kind));
            }
            Some(Yield::Number(law)) => direct::state_of(law),
        };
        Ok(Some(vec![self.answer(States::one(state), false, &part.ty, Vec::new())?]))
    }

    fn refused(&self, kind: FaultKind) -> Failure {
        Failure::refused(kind, self.program.main.body.span)
    }

    /// The distributions of all parts of the result from their joint one, if that is easily found.
    fn together(
        &self,
        parts: &[Field],
        known: &mut Lasting,
    ) -> Result<Option<Vec<Answer>>, Failure> {
        if parts.len() < 2 {
            return Ok(None);
        }
        let demand = parts.iter().fold(Demand::Nothing, |all, part| all.join(part.demand()));
        let plan = plan::lower(self.program, &self.question.inputs, [demand].into_iter());
        let mut machine = Machine::new(&plan, self.meter, self.budget.states);
        machine.remember(std::mem::take(known));
        let values = machine.main_by_paths();
        *known = machine.remembered();
        let Some((values, total)) = values else { return Ok(None) };
        let notices = machine.notices;
        let answers = parts.iter().map(|part| {
            let states = part.states(&values, &total);
            self.answer(states, plan.conditioned, &part.ty, notices.clone())
        });
        answers.collect::<Result<_, _>>().map(Some)
    }

    fn answer(
        &self,
        states: States,
        conditioned: bool,
        ty: &Type,
        notices: Vec<Arc<str>>,
    ) -> Result<Answer, Failure> {
        let Budget { outcomes, .. } = *self.budget;
        let answer = match answer::plain(&states, conditioned, ty, outcomes, self.meter) {
            Ok(None) => {
                let rest_below = Rational::ONE / Rational::from(1_000_000_000u64);
                let until = self.question.until.clone();
                let extent = Extent { rest_below, until, most: outcomes };
                answer::answer(states, conditioned, ty, &extent, self.meter)
            }
            Ok(Some(answer)) => Ok(answer),
            Err(kind) => Err(kind),
        };
        let mut answer = answer.map_err(|kind| self.refused(kind))?;
        answer.notices = notices;
        Ok(answer)
    }
}

/// A program has no odds if it can fail, or if its evidence never holds. Of all that counts, a failure has
/// the share that a roll would see.
fn refuse(states: &mut States) -> Result<(), Failure> {
    if states.aside.failed.is_empty() && states.aside.rejected.is_none() {
        return Ok(());
    }
    let counts = Rational::ONE - states.aside.rejected_chance();
    if let Some(failure) = std::mem::take(&mut states.aside.failed).into_iter().next() {
        let chance = if counts.is_zero() { failure.chance } else { failure.chance / counts };
        return Err(Failure { chance, ..failure });
    }
    match &states.aside.rejected {
        Some(rejected) if counts.is_zero() => Err(rejected.clone()),
        // It may hold only in what had to be given up.
        Some(rejected) if states.mass().is_zero() => {
            Err(Failure::refused(FaultKind::NotKnown, rejected.fault.span))
        }
        _ => Ok(()),
    }
}

fn pick(state: &mut State, value: Sym, index: usize) -> Sym {
    match value {
        Sym::Record(_, mut fields) if index < fields.len() => fields.swap_remove(index),
        Sym::Drawn(var) => match state.values(var).and_then(|values| values.field(index)) {
            Some(field) => state.draw(field.into()),
            None => value,
        },
        other => other,
    }
}

/// A part of a result.
#[derive(Clone)]
struct Field {
    path: Vec<usize>,
    names: Vec<Arc<str>>,
    ty: Type,
}

/// The parts of a result that are asked for: the one that is named, or where they are asked for apart,
/// each field that is no record itself.
fn fields(ty: &Type, question: &Question) -> Vec<Field> {
    let whole = Field { path: Vec::new(), names: Vec::new(), ty: ty.clone() };
    let named = question.field.iter().fold(whole, |field, index| field.inner(*index));
    if question.apart { named.apart() } else { vec![named] }
}

impl Field {
    /// So much of the result is asked for.
    fn demand(&self) -> Demand {
        let inner = |demand, index: &usize| Demand::Fields(BTreeMap::from([(*index, demand)]));
        self.path.iter().rev().fold(Demand::All, inner)
    }

    /// The values that this part has, given those of the whole result with their weights.
    fn states(&self, wholes: &[(Value, Natural)], total: &Natural) -> States {
        let mut values: FxHashMap<&Value, Natural> = FxHashMap::default();
        for (whole, weight) in wholes {
            let value = self.path.iter().fold(whole, |value, index| match value {
                Value::Record(_, fields) => fields.get(*index).unwrap_or(value),
                _ => value,
            });
            *values.entry(value).or_insert(Natural::ZERO) += weight;
        }
        let number = |(value, weight): (&&Value, &Natural)| {
            Some((value.as_number()?.to_rational(), weight.clone()))
        };
        let numbers: Option<Vec<(Rational, Natural)>> = values.iter().map(number).collect();
        if let Some(law) = numbers.and_then(Law::from_weights) {
            let mut state = State::default();
            let number = state.number(law);
            state.stack.push(number);
            return States::one(state);
        }
        let list = values.into_iter().map(|(value, weight)| {
            let stack = vec![Sym::from_value(value)];
            let chance = Rational::from_parts(weight.into(), total.clone());
            (State { stack, ..State::default() }, chance)
        });
        States { list: list.collect(), ..States::default() }
    }

    fn inner(mut self, index: usize) -> Field {
        let field = match &self.ty {
            Type::Record(record) => record.fields.get(index).cloned(),
            _ => None,
        };
        self.path.push(index);
        if let Some((name, ty)) = field {
            self.names.push(name);
            self.ty = ty;
        }
        self
    }

    fn apart(self) -> Vec<Field> {
        let count = match &self.ty {
            Type::Record(record) => record.fields.len(),
            _ => 0,
        };
        if count == 0 {
            return vec![self];
        }
        let inner = (0..count).map(|index| self.clone().inner(index));
        inner.flat_map(Field::apart).collect()
    }
}
