//! What is asked of one result, and the ways to answer: at once, in one run for all its parts, or part by part.

use astragal_prob::{Law, Meter, Moment, Rational};
use astragal_program::core::Program;
use astragal_program::fault::FaultKind;
use astragal_program::types::Type;

use crate::answer::{self, Answer, Extent};
use crate::direct::{self, Yield};
use crate::eval::{Lasting, Machine};
use crate::failure::{Failure, over_budget};
use crate::parts::{Part, parts};
use crate::plan::{self, Demand};
use crate::state::{self, Aside, State, States, Sym};
use crate::ways;
use crate::{Budget, Question};

/// What is asked, and what it may cost.
pub(crate) struct Request<'a> {
    pub(crate) program: &'a Program,
    pub(crate) question: &'a Question,
    pub(crate) budget: &'a Budget,
    pub(crate) meter: &'a Meter,
}

impl Request<'_> {
    /// The answers to what is asked of each result, given how its parts are answered.
    pub(crate) fn for_each_result(
        &self,
        mut answer: impl FnMut(&[Part]) -> Result<Vec<Answer>, Failure>,
    ) -> Result<Vec<Answer>, Failure> {
        let results = &self.program.results;
        let several = results.len() != 1 || results[0].name.is_some();
        let mut answers = Vec::with_capacity(results.len());
        for (index, result) in results.iter().enumerate() {
            let mut parts = parts(&result.ty, self.question);
            for part in &mut parts {
                part.path.splice(0..0, several.then_some(index));
            }
            for (part, answer) in parts.iter().zip(answer(&parts)?) {
                let field = part.names.clone();
                answers.push(Answer { name: result.name.clone(), field, ..answer });
            }
        }
        Ok(answers)
    }

    /// The same for last states that are known, each with the whole result on its stack.
    pub(crate) fn answers_from(
        &self,
        mut ends: States,
        conditioned: bool,
    ) -> Result<Vec<Answer>, Failure> {
        refuse(&mut ends)?;
        self.for_each_result(|parts| {
            parts.iter().map(|part| self.of_part(part, &ends, conditioned)).collect()
        })
    }

    /// The distribution of each part of the result, by the quickest way.
    pub(crate) fn answers(
        &self,
        parts: &[Part],
        known: &mut Lasting,
    ) -> Result<Vec<Answer>, Failure> {
        if let Some(found) = self.meter.by(ways::DIRECT, || self.directly(parts))? {
            return Ok(found);
        }
        match self.meter.by(ways::ALL_FIELDS, || self.together(parts, known))? {
            Some(found) => Ok(found),
            None => self.each(parts, known),
        }
    }

    /// The distribution of each part of the result, from a run for each.
    fn each(&self, parts: &[Part], known: &mut Lasting) -> Result<Vec<Answer>, Failure> {
        let demands = parts.iter().map(Part::demand);
        let inputs = &self.question.inputs;
        let plan = plan::lower(self.program, inputs, demands, None, self.meter);
        let mut machine = Machine::new(&plan, self.meter, self.budget.states);
        machine.remember(std::mem::take(known));
        let mut answers = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let mut states = self.explored(&plan, &mut machine, at)?;
            refuse(&mut states)?;
            let states = part.picked(states);
            let mut answer = self.answer(states, plan.conditioned, &part.ty)?;
            if answer.exact_law().is_none()
                && !machine.followed.is_empty()
                && part.ty == Type::Number
            {
                let moments =
                    self.meter.by(ways::MOMENTS, || self.moments(&plan, &machine, (at, part)))?;
                (answer.mean_besides, answer.variance_besides) = moments.unzip();
            }
            answers.push(answer);
        }
        *known = machine.remembered();
        Ok(answers)
    }

    /// The mean and the variance of a number, asked for by themselves. None if that is too much for a share of the budget.
    fn moments(
        &self,
        plan: &plan::Plan,
        before: &Machine<'_>,
        (at, part): (usize, &Part),
    ) -> Result<Option<(Moment, Moment)>, Failure> {
        let attempt = self.meter.part(ways::SHARE_OF_ATTEMPT);
        let mut machine = Machine::new(plan, &attempt, self.budget.states);
        machine.by_moments.clone_from(&before.followed);
        let whole = |states: &States| {
            let Aside { lost, never, failed, .. } = &states.aside;
            let phantom = states.list.iter().any(|(state, _)| state.phantom);
            lost.is_zero() && never.is_zero() && failed.is_empty() && !phantom
        };
        let states = machine.main(at).ok().filter(whole);
        let law = states.and_then(|states| answer::law(&part.picked(states), &attempt).ok()?);
        self.meter.join(&attempt).map_err(|over| self.refused(over_budget(over)))?;
        Ok(law.map(|law| law.moments()))
    }

    /// The last states for one of the demands. Where all could be run as code as well, states may take as long as that
    /// would at most.
    fn explored<'p>(
        &'p self,
        plan: &'p plan::Plan,
        machine: &mut Machine<'p>,
        demand: usize,
    ) -> Result<States, Failure> {
        let may = self.meter.may(ways::AS_CODE);
        let price = if may { machine.price_as_code(demand) } else { None };
        let Some(price) = price else { return machine.main(demand) };
        let attempt = self.meter.part(self.meter.left() / price);
        let mut first = Machine::new(plan, &attempt, self.budget.states);
        let states = first.main(demand);
        self.meter.join(&attempt).map_err(|over| self.refused(over_budget(over)))?;
        machine.followed.extend(first.followed);
        match states {
            Err(failure) if matches!(failure.fault.kind, FaultKind::OverBudget(_)) => {
                machine.main_as_code(demand).map_or_else(|| machine.main(demand), Ok)
            }
            known => known,
        }
    }

    /// The distribution of a whole result that names no variable.
    fn directly(&self, parts: &[Part]) -> Result<Option<Vec<Answer>>, Failure> {
        let [part] = parts else { return Ok(None) };
        if !part.path.is_empty() {
            return Ok(None);
        }
        let body = &self.program.main.body;
        let laws = match direct::directly(body, &self.question.inputs, self.meter) {
            None => return Ok(None),
            Some(Yield::Number(Law::Finite(table))) => {
                let most = self.budget.outcomes;
                let answer = answer::of_table(table, &part.ty, most, self.meter);
                return answer.map(|answer| Some(vec![answer])).map_err(|kind| self.refused(kind));
            }
            Some(Yield::Number(_)) => return Ok(None),
            Some(Yield::List(laws)) => laws,
        };
        let mut state = State::default();
        let list = Sym::List(laws.into_iter().map(|law| state.number(law)).collect());
        state.stack.push(list);
        Ok(Some(vec![self.answer(States::one(state), false, &part.ty)?]))
    }

    pub(crate) fn refused(&self, kind: FaultKind) -> Failure {
        Failure::refused(kind, self.program.main.body.span)
    }

    /// The distributions of all parts of the result from one run that keeps them all, if that costs little: where
    /// parts hang together through many values, each is better asked for alone.
    fn together(
        &self,
        parts: &[Part],
        known: &mut Lasting,
    ) -> Result<Option<Vec<Answer>>, Failure> {
        if parts.len() < 2 {
            return Ok(None);
        }
        let demand = parts.iter().fold(Demand::Nothing, |all, part| all.join(part.demand()));
        let (inputs, demand) = (&self.question.inputs, [demand].into_iter());
        let plan = plan::lower(self.program, inputs, demand, None, self.meter);
        let attempt = self.meter.part(ways::SHARE_OF_ATTEMPT);
        let mut machine = Machine::new(&plan, &attempt, ways::FEW_STATES);
        machine.attempt = true;
        machine.remember(std::mem::take(known));
        let ends = machine.main(0);
        *known = machine.remembered();
        self.meter.join(&attempt).map_err(|over| self.refused(over_budget(over)))?;
        // A failure is found again, with its own chance, and so is what had to be given up.
        let is_plain = |ends: &States| {
            ends.aside.is_nothing() && !ends.list.iter().any(|(state, _)| state.phantom)
        };
        let Some(ends) = ends.ok().filter(is_plain) else { return Ok(None) };
        let answers = parts.iter().map(|part| self.of_part(part, &ends, plan.conditioned));
        answers.collect::<Result<_, _>>().map(Some)
    }

    /// The distribution of a part of the result, from last states that hold all of it.
    fn of_part(&self, part: &Part, ends: &States, conditioned: bool) -> Result<Answer, Failure> {
        let merged = state::merge(part.picked(ends.clone()), self.meter);
        let merged = merged.map_err(|over| self.refused(over_budget(over)))?;
        self.answer(merged, conditioned, &part.ty)
    }

    fn answer(&self, states: States, conditioned: bool, ty: &Type) -> Result<Answer, Failure> {
        let rest_below = Rational::ONE / Rational::from(1_000_000_000u64);
        let until = self.question.until.clone();
        let extent = Extent { rest_below, until, most: self.budget.outcomes };
        let answer = answer::answer(states, conditioned, ty, &extent, self.meter);
        answer.map_err(|kind| self.refused(kind))
    }
}

/// The chance of what is only possible; each way it may have gone counts.
fn phantoms(states: &States) -> Rational {
    let phantoms = states.list.iter().filter(|(state, _)| state.phantom);
    phantoms.fold(Rational::ZERO, |sum, (_, weight)| sum + weight)
}

/// A program has no odds if it can fail, or if its evidence never holds. Of all that counts, a failure has
/// the share that a roll would see; what was given up may fail there too.
fn refuse(states: &mut States) -> Result<(), Failure> {
    if states.aside.failed.is_empty() && states.aside.rejected.is_none() {
        return Ok(());
    }
    let counts = Rational::ONE - states.aside.rejected_chance();
    if let Some(failure) = std::mem::take(&mut states.aside.failed).into_iter().next() {
        let share = |chance: Rational| if counts.is_zero() { chance } else { chance / &counts };
        let lost = share(states.aside.lost.clone() + phantoms(states));
        let chance = share(failure.chance.clone());
        return Err(Failure { chance, lost, ..failure });
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
