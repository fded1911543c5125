//! Pure operations on values that may be undecided.
//!
//! Sums, differences and multiples of undecided numbers stay undecided. A question (a comparison) is
//! answered in [`super::compare`], and so is which of two numbers is the greater one where both are still
//! needed. For every other operation there are two ways: if nothing else needs
//! the variables, the operation is applied to the law; otherwise a shared variable is decided and the
//! operation tried again.

use astragal_prob::{Comparison, Law, LawError, Meter, Natural, OverBudget, Rational};
use astragal_syntax::span::Span;
use astragal_value::{Number, Op, OpError, Value, apply};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use super::call::variables;
use super::compare::{Question, comparison, restrict, tails};
use super::record::pop;
use super::{Live, Machine, Outcome, put_aside};
use crate::failure::{Failure, over_budget};
use crate::plan::{Kind, Node};
use crate::small::in_words;
use crate::state::{Form, Shared, State, States, Sym, Var};
use crate::ways;

impl<'p> Machine<'p> {
    pub(super) fn operation(
        &mut self,
        node: &'p Node,
        (op, operands): (Op, &'p [Node]),
        mut states: States,
        live: &Live,
    ) -> Outcome {
        let span = node.span;
        let constant = |operand: &Node| match &operand.kind {
            Kind::Constant(value) => Some(Sym::from_value(value)),
            _ => None,
        };
        let mut done = Vec::new();
        let mut open =
            operands.iter().enumerate().filter(|(_, operand)| constant(operand).is_none());
        let only = match (open.next(), open.next()) {
            (Some((at, operand)), None) => Some((at, operand)),
            _ => None,
        };
        if let Some((_, operand)) = only {
            states = self.run_open(operand, states, live)?;
            (done, states) = self.whole_in(node, operand, states)?;
            states = self.drawn_decided(states, operand.span)?;
        } else {
            states = self.run_all(operands, states, live)?;
        }
        let mut states = self.each(states, |machine, mut state, weight, after| {
            let given = match only {
                Some((at, _)) => {
                    let mut given: Vec<Sym> =
                        operands.iter().map(|part| constant(part).unwrap_or(Sym::Gone)).collect();
                    given[at] = state.stack.pop().unwrap_or(Sym::Gone);
                    given
                }
                None => pop(&mut state, operands.len()),
            };
            machine.apply(op, given, state, weight, span, after)
        })?;
        states.list.extend(done);
        Ok(states)
    }

    pub(super) fn apply(
        &mut self,
        op: Op,
        operands: Vec<Sym>,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        if let Some(value) = undecided(op, &operands) {
            state.stack.push(value);
            after.list.push((state, weight.clone()));
            return Ok(());
        }
        if let Some(values) = operands.iter().map(finished).collect::<Option<Vec<_>>>() {
            let value = apply(op, &values)
                .map_err(|error| Failure::new(error.into(), span, weight.clone()))?;
            state.stack.push(Sym::from_value(&value));
            after.list.push((state, weight.clone()));
            return Ok(());
        }
        if let Some(comparison) = comparison(op)
            && let [a, b] = operands.as_slice()
            && let (Some(a), Some(b)) = (a.as_form(), b.as_form())
        {
            let question = Question { form: a.minus(&b), comparison };
            return self.compare(&question, state, weight, span, after);
        }
        let vars = variables(&operands);
        match shared(&vars, &operands, &state) {
            Some(_)
                if let (Op::Min | Op::Max, [a, b]) = (op, operands.as_slice())
                    && let (Some(a), Some(b)) = (a.as_form(), b.as_form()) =>
            {
                self.either(op, [a, b], state, weight, span, after)
            }
            Some(var) => self.apply_decided(var, op, operands, state, weight, span, after),
            // A list cannot be undecided in its length, a text not at all.
            None if matches!(op, Op::Range | Op::Join) => {
                self.apply_decided(vars[0], op, operands, state, weight, span, after)
            }
            None => self.apply_to_laws(op, operands, state, weight, span, after),
        }
    }

    /// Decides a variable and applies the operation in each case.
    #[expect(clippy::too_many_arguments, reason = "a step of an operation in progress")]
    fn apply_decided(
        &mut self,
        var: Var,
        op: Op,
        operands: Vec<Sym>,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let count = operands.len();
        let endless = state.law(var).filter(|law| law.is_endless() && yields_number(op)).cloned();
        let parts = match endless {
            Some(law) => self.split_listed((&law, var), operands, state, weight, span, after)?,
            None => {
                state.stack.extend(operands);
                self.split(&state, var, weight, span, after)?
            }
        };
        for (mut state, weight) in parts {
            let operands = pop(&mut state, count);
            let result = self.apply(op, operands, state, &weight, span, after);
            put_aside(result, after)?;
        }
        Ok(())
    }

    /// One state for each listed value of an endless variable, with the operands on its stack. What lies beyond the
    /// list goes on as a phantom, with any number for the result.
    fn split_listed(
        &mut self,
        (law, var): (&Law, Var),
        operands: Vec<Sym>,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<Vec<(State, Rational)>, Failure> {
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        let any = any_number(self.meter).map_err(refuse)?;
        let mut phantom = |mut state: State, weight: Rational| {
            state.phantom = true;
            let value = state.number(any.clone());
            state.stack.push(value);
            after.list.push((state, weight));
        };
        if state.phantom {
            phantom(state, weight.clone());
            return Ok(Vec::new());
        }
        self.worth_deciding(&state, var, span)?;
        let listing = self.listing(&state, var).map_err(refuse)?;
        for (chance, tail) in tails(law, &listing, self.meter).map_err(refuse)? {
            let mut state = state.clone();
            restrict(&mut state, var, &Shared::new(tail));
            phantom(state, weight * chance);
        }
        state.stack.extend(operands);
        let parts = state.decide(var, &listing);
        Ok(parts.into_iter().map(|(state, chance)| (state, weight * chance)).collect())
    }

    /// The lesser or greater of two numbers that are still needed is one of them: which one is a question, and
    /// leaves both undecided.
    fn either(
        &mut self,
        op: Op,
        [a, b]: [Form; 2],
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let question = Question { form: a.minus(&b), comparison: Comparison::AtLeast };
        state.stack.extend([a, b].map(Sym::number));
        let mut asked = States::default();
        self.compare(&question, state, weight, span, &mut asked)?;
        for (mut state, weight) in asked.list {
            let a_is_greater = matches!(state.stack.pop(), Some(Sym::Value(Value::Bool(true))));
            let mut both = pop(&mut state, 2);
            both.truncate(if a_is_greater == (op == Op::Max) { 1 } else { 2 });
            state.stack.extend(both.pop());
            after.list.push((state, weight));
        }
        after.aside.join(asked.aside);
        Ok(())
    }

    /// Nothing else needs the variables: the operation acts on the laws.
    fn apply_to_laws(
        &mut self,
        op: Op,
        operands: Vec<Sym>,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        if let (Op::Sort, [Sym::List(items)]) = (op, operands.as_slice())
            && let Some(values) =
                self.meter.by(ways::SORTED, || self.sorted(items, &state, span))?
        {
            let value = state.draw(values.into());
            state.stack.push(value);
            after.list.push((state, weight.clone()));
            return Ok(());
        }
        let mut laws = Vec::new();
        for operand in &operands {
            let Some(form) = operand.as_form() else {
                // A text or a list with undecided numbers in it: decide them one by one.
                let var = variables(&operands)[0];
                return self.apply_decided(var, op, operands, state, weight, span, after);
            };
            laws.push(state.law_of(&form, self.meter).map_err(refuse)?);
        }
        if let Some(law) = self.endless_operation(op, &laws).map_err(refuse)? {
            let value = state.number(law);
            state.stack.push(value);
            after.list.push((state, weight.clone()));
            return Ok(());
        }
        if laws.iter().any(Law::is_endless) {
            // With the finite numbers decided, an endless one is often exact.
            let var = self.cheapest(&variables(&operands), &state);
            return self.apply_decided(var, op, operands, state, weight, span, after);
        }
        let combined = self.combine(op, &laws, span)?;
        if let Some(law) = combined.law {
            let value = state.number(law);
            state.stack.push(value);
            after.list.push((state, weight * &combined.mass));
        }
        match combined.failed {
            Some(error) => {
                let chance = weight * (Rational::ONE - combined.mass);
                Err(Failure::new(error.into(), span, chance))
            }
            None => Ok(()),
        }
    }

    /// What is exact on endless numbers beyond sums: clamps, rounding, division by a number.
    fn endless_operation(&self, op: Op, laws: &[Law]) -> Result<Option<Law>, OverBudget> {
        if !laws.iter().any(Law::is_endless) {
            return Ok(None);
        }
        let meter = self.meter;
        let found = match (op, laws) {
            (Op::Floor | Op::Ceil | Op::Round, [law]) if law.is_whole() => Ok(law.clone()),
            (Op::Floor, [law]) => law.floor(meter),
            (Op::Ceil, [law]) => law.ceil(meter),
            (Op::Round, [law]) => law.round(meter),
            (Op::Abs, [law]) => law.abs(meter),
            (Op::FloorDivide | Op::Remainder, [law, by])
                if let Some(by) = by.as_constant().filter(|by| !by.is_zero()) =>
            {
                match op {
                    Op::Remainder => law.remainder(by, meter),
                    _ => law
                        .affine(&(Rational::ONE / by), &Rational::ZERO, meter)
                        .map_err(LawError::from)
                        .and_then(|quotient| quotient.floor(meter)),
                }
            }
            (Op::Min | Op::Max, [a, b]) => match (a.as_constant(), b.as_constant()) {
                (Some(bound), None) => Ok(clamp(op, b, bound, meter)?),
                (None, Some(bound)) => Ok(clamp(op, a, bound, meter)?),
                _ if op == Op::Max => a.max(b, meter),
                _ => a.min(b, meter),
            },
            _ => Err(LawError::NoClosedForm),
        };
        match found {
            Ok(law) => Ok(Some(law)),
            Err(LawError::OverBudget(refusal)) => Err(refusal),
            Err(LawError::NoClosedForm | LawError::NotACount(_)) => Ok(None),
        }
    }

    /// The law of an operation on independent finite numbers.
    fn combine(&self, op: Op, laws: &[Law], span: Span) -> Result<Combined, Failure> {
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        if let (Op::Min | Op::Max, [first, rest @ ..]) = (op, laws) {
            let mut others = rest.iter();
            let law = others.try_fold(first.clone(), |best, law| match op {
                Op::Max => best.max(law, self.meter),
                _ => best.min(law, self.meter),
            });
            match law {
                Ok(law) => {
                    return Ok(Combined { law: Some(law), mass: Rational::ONE, failed: None });
                }
                Err(LawError::OverBudget(refusal)) => return Err(refuse(refusal)),
                Err(_) => {}
            }
        }
        if let Some(law) = in_words(op, laws, self.meter).map_err(refuse)? {
            return Ok(Combined { law: Some(law), mass: Rational::ONE, failed: None });
        }
        let tables = laws.iter().filter_map(Law::as_table);
        let mut columns: Vec<Vec<(Value, Natural)>> = Vec::with_capacity(laws.len());
        let (mut size, mut total) = (1u64, Natural::ONE);
        for table in tables {
            size = size.saturating_mul(table.count() as u64);
            total *= table.total();
            let number = |value: Rational| Value::Number(Number::from(value));
            self.meter.charge(table.count() as u64).map_err(refuse)?;
            columns.push(table.outcomes().map(|(v, weight)| (number(v), weight.clone())).collect());
        }
        // A combination multiplies weights, and these may be long numbers.
        let limbs = 1 + total.bit_len() as u64 / 64;
        self.meter.afford(size.saturating_mul(16 + 4 * limbs)).map_err(refuse)?;
        let mut rent = self.meter.rent();
        let entry = 2 * size_of::<(Number, Natural)>() as u64 + 8 * limbs;
        let mut outcomes: FxHashMap<Number, Natural> = FxHashMap::default();
        let mut failed: Option<OpError> = None;
        let combined = product(&columns, &mut Vec::new(), &Natural::ONE, &mut |values, weight| {
            self.meter.charge(16 + 4 * limbs)?;
            match apply(op, values) {
                Ok(Value::Number(n)) => *outcomes.entry(n).or_default() += weight,
                Ok(_) => failed = Some(OpError::Mismatch),
                Err(error) => failed = failed.take().or(Some(error)),
            }
            rent.grow(outcomes.capacity() as u64 * entry, self.meter)
        });
        combined.map_err(refuse)?;
        let mass = match failed {
            None => Rational::ONE,
            Some(_) => {
                let known = outcomes.values().fold(Natural::ZERO, |sum, weight| sum + weight);
                Rational::from_parts(known.into(), total)
            }
        };
        let outcomes = outcomes.into_iter().map(|(n, weight)| (n.to_rational(), weight));
        Ok(Combined { law: Law::from_weights(outcomes), mass, failed })
    }
}

/// The law of an operation where it has a value, the chance of that, and why it has none elsewhere.
struct Combined {
    law: Option<Law>,
    mass: Rational,
    failed: Option<OpError>,
}

fn clamp(op: Op, law: &Law, bound: &Rational, meter: &Meter) -> Result<Law, OverBudget> {
    if op == Op::Min { law.min_with(bound, meter) } else { law.max_with(bound, meter) }
}

/// The law of a number that may be anything.
fn any_number(meter: &Meter) -> Result<Law, OverBudget> {
    let half = Rational::ONE / Rational::from(2u8);
    let up = Law::geometric(&half, meter)?;
    up.sum(&up.negate(meter)?, meter)
}

/// Whether the value of an operation is always a number.
fn yields_number(op: Op) -> bool {
    match op {
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::FloorDivide => true,
        Op::Remainder | Op::Power | Op::Negate => true,
        Op::Floor | Op::Ceil | Op::Round | Op::Abs | Op::Min | Op::Max => true,
        Op::Equal | Op::NotEqual | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast => false,
        Op::Not | Op::Join | Op::Range | Op::Length | Op::At => false,
        Op::Append | Op::Sort | Op::Reverse => false,
    }
}

/// Calls `see` with every combination of one outcome a column.
fn product(
    columns: &[Vec<(Value, Natural)>],
    chosen: &mut Vec<Value>,
    weight: &Natural,
    see: &mut impl FnMut(&[Value], &Natural) -> Result<(), OverBudget>,
) -> Result<(), OverBudget> {
    let Some((column, rest)) = columns.split_first() else { return see(chosen, weight) };
    for (value, times) in column {
        chosen.push(value.clone());
        product(rest, chosen, &(weight * times), see)?;
        chosen.pop();
    }
    Ok(())
}

/// Operations that leave the numbers undecided.
fn undecided(op: Op, operands: &[Sym]) -> Option<Sym> {
    match (op, operands) {
        (Op::Length, [Sym::List(items)]) => {
            return Some(Sym::Value(Value::whole(items.len() as i64)));
        }
        (Op::Append, [Sym::List(items), item]) => {
            return Some(Sym::List(items.iter().cloned().chain([item.clone()]).collect()));
        }
        (Op::Reverse, [Sym::List(items)]) => {
            return Some(Sym::List(items.iter().rev().cloned().collect()));
        }
        (Op::At, [Sym::List(items), Sym::Value(Value::Number(n))]) => {
            let place = n.to_i64().and_then(|n| usize::try_from(n.checked_sub(1)?).ok())?;
            return items.get(place).cloned();
        }
        _ => {}
    }
    if !operands.iter().any(|operand| matches!(operand, Sym::Number(_))) {
        return None;
    }
    let forms: Vec<Form> = operands.iter().map(Sym::as_form).collect::<Option<_>>()?;
    let form = match (op, forms.as_slice()) {
        (Op::Add, [a, b]) => a.plus(b),
        (Op::Subtract, [a, b]) => a.minus(b),
        (Op::Negate, [a]) => a.scaled(&-Rational::ONE),
        (Op::Multiply, [a, b]) if b.terms.is_empty() => a.scaled(&b.constant),
        (Op::Multiply, [a, b]) if a.terms.is_empty() => b.scaled(&a.constant),
        (Op::Divide, [a, b]) if b.terms.is_empty() && !b.constant.is_zero() => {
            a.scaled(&(Rational::ONE / &b.constant))
        }
        (Op::Min | Op::Max, [a]) => a.clone(),
        _ => return None,
    };
    Some(Sym::number(form))
}

fn finished(sym: &Sym) -> Option<Value> {
    sym.to_value()
}

/// A variable that other parts of the state need, or that two operands share.
fn shared(vars: &[Var], operands: &[Sym], state: &State) -> Option<Var> {
    let in_several = |var: &Var| {
        let mentions = |operand: &&Sym| {
            let mut found = false;
            operand.visit(&mut |other| found |= other == *var);
            found
        };
        operands.iter().filter(mentions).count() > 1
    };
    vars.iter().copied().find(|var| in_several(var) || state.mentions(&[*var]))
}
