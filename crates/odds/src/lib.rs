//! Meaning two: a checked program's exact distribution.
//!
//! The odds are those of the very program that is rolled: *odds = roll over every sequence of faces*.
//! The program is pruned to what is asked ([`plan`]), then explored state by state ([`state`],
//! [`eval`]), with undecided numbers kept as laws ([`astragal_prob`]), and the states at its end are
//! turned into outcomes ([`answer`]).

mod answer;
mod eval;
mod failure;
mod graph;
mod joint;
mod moments;
mod outcomes;
mod plain;
mod plan;
mod state;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal_prob::{Meter, Rational, Watcher};
use astragal_program::core::Program;
use astragal_program::fault::FaultKind;
use astragal_program::types::Type;
use astragal_value::Value;

pub use answer::{Answer, Extent};
pub use failure::Failure;
pub use moments::Moments;
pub use outcomes::Outcomes;

use eval::Machine;
use plan::Demand;
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
    let mut answers = Vec::new();
    for (index, result) in program.results.iter().enumerate() {
        for field in fields(&result.ty, question) {
            let path: Vec<usize> = several.then_some(index).into_iter().chain(field.path).collect();
            let mut answer = one(program, question, &path, &field.ty, budget, &meter)?;
            answer.name.clone_from(&result.name);
            answer.field = field.names;
            answers.push(answer);
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

/// The distribution of the part of the result that the path leads to.
fn one(
    program: &Program,
    question: &Question,
    path: &[usize],
    ty: &Type,
    budget: &Budget,
    meter: &Meter,
) -> Result<Answer, Failure> {
    let demand = path
        .iter()
        .rev()
        .fold(Demand::All, |inner, index| Demand::Fields(BTreeMap::from([(*index, inner)])));
    let plan = plan::lower(program, &question.inputs, &demand);
    let mut machine = Machine::new(&plan, meter, budget.states);
    let mut states = machine.main()?;
    refuse(&mut states)?;
    for (state, _) in &mut states.list {
        let whole = state.stack.pop().unwrap_or(Sym::Gone);
        let part = path.iter().fold(whole, |value, index| pick(state, value, *index));
        state.stack.push(part);
    }
    let extent = Extent {
        rest_below: Rational::ONE / Rational::from(1_000_000_000u64),
        until: question.until.clone(),
        most: budget.outcomes,
    };
    let notices = machine.notices;
    let mut answer = answer::answer(states, plan.conditioned, ty, &extent, meter)
        .map_err(|kind| Failure::refused(kind, program.main.body.span))?;
    answer.notices = notices;
    Ok(answer)
}

/// A program has no odds if it can fail, or if its evidence never holds. Of all that counts, a failure has
/// the share that a roll would see.
fn refuse(states: &mut States) -> Result<(), Failure> {
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
