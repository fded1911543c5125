//! Pure operations on values that may be undecided.
//!
//! Sums, differences and multiples of undecided numbers stay undecided. A question (a comparison) is
//! answered in [`super::compare`], and so is which of two numbers is the greater one where both are still
//! needed. For every other operation there are two ways: if nothing else needs
//! the variables, the operation is applied to the law; otherwise a shared variable is decided and the
//! operation tried again.

use astragal_prob::{Comparison, Growing, Law, LawError, Meter, Natural, OverBudget, Rational};
use astragal_syntax::span::Span;
use astragal_value::{Number, Op, OpError, Value, apply};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use super::call::variables;
use super::compare::{Question, comparison};
use super::decide::{Done, Turn};
use super::record::pop;
use super::{Live, Machine, Outcome, put_aside};
use crate::failure::{Failure, too_much};
use crate::plan::Node;
use crate::state::{Form, State, States, Sym, Var};
use crate::ways;

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn operation(
        &mut self,
        op: Op,
        operands: &'p [Node],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run_all(operands, states, live)?;
        self.each(states, span, |machine, mut state, turn| {
            let operands = pop(&mut state, operands.len());
            machine.apply(op, operands, state, turn)
        })
    }

    pub(super) fn apply(
        &mut self,
        op: Op,
        operands: Vec<Sym>,
        state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        if let Some(value) = undecided(op, &operands) {
            return turn.push(state, value);
        }
        if let Some(values) = operands.iter().map(Sym::to_value).collect::<Option<Vec<_>>>() {
            let value = apply(op, &values).map_err(|error| turn.fails(error.into()))?;
            return turn.push(state, Sym::from_value(&value));
        }
        let numbers = match operands.as_slice() {
            [a, b] => a.as_form().zip(b.as_form()),
            _ => None,
        };
        if let Some(comparison) = comparison(op)
            && let Some((a, b)) = &numbers
        {
            let question = Question { form: a.minus(b), comparison };
            return self.compare(&question, state, turn);
        }
        if let Some(form) = whole(op, &operands, &state, self.meter).map_err(too_much(turn.span))? {
            return turn.push(state, Sym::number(form));
        }
        let mut vars = variables(&operands);
        // What is carried stays undecided, if anything else can be decided.
        if op == Op::Multiply {
            let is_known = |var: &Var| state.law(*var).is_none_or(|law| !law.has_unknown());
            if vars.iter().any(is_known) {
                vars.retain(is_known);
            }
        }
        match (shared(&vars, &operands, &state), numbers) {
            (Some(_), Some((a, b))) if matches!(op, Op::Min | Op::Max) => {
                self.either(op, [a, b], state, turn)
            }
            (Some(var), _) => self.apply_decided(var, op, operands, state, turn),
            // A list cannot be undecided in its length, a text not at all.
            (None, _) if matches!(op, Op::Range | Op::Join | Op::Word) => {
                self.apply_decided(vars[0], op, operands, state, turn)
            }
            (None, _) => self.apply_to_laws(op, operands, state, turn),
        }
    }

    /// Decides a variable and applies the operation in each case. What lies beyond the list of an endless variable goes
    /// on as a phantom, with any number for the result.
    fn apply_decided(
        &mut self,
        var: Var,
        op: Op,
        operands: Vec<Sym>,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        let count = operands.len();
        let any = |machine: &Self, mut state: State, turn: &mut Turn<'_>| {
            pop(&mut state, count);
            let any = Law::anything(machine.meter).map_err(too_much(turn.span))?;
            turn.push_law(state, any)
        };
        let endless = yields_number(op) && state.law(var).is_some_and(|law| law.is_endless());
        if endless
            && state.phantom
            && let Some(law) = self.law_apart(op, &operands, &state).map_err(too_much(turn.span))?
        {
            return turn.push_law(state, law);
        }
        state.stack.extend(operands);
        let parts = match endless {
            true if state.phantom => return any(self, state, turn),
            true => self.split_listed(&state, var, turn, any)?,
            false => self.split(&state, var, turn)?,
        };
        for (mut state, weight) in parts {
            let operands = pop(&mut state, count);
            let result = self.apply(op, operands, state, &mut turn.with(&weight));
            put_aside(result, turn.after)?;
        }
        Ok(())
    }

    /// The lesser or greater of two numbers that are still needed is one of them: which one is a question, and
    /// leaves both undecided.
    fn either(&mut self, op: Op, [a, b]: [Form; 2], mut state: State, turn: &mut Turn<'_>) -> Done {
        let question = Question { form: a.minus(&b), comparison: Comparison::AtLeast };
        state.stack.extend([a, b].map(Sym::number));
        let mut asked = States::default();
        self.compare(&question, state, &mut Turn { after: &mut asked, ..*turn })?;
        for (mut state, weight) in asked.list {
            let a_is_greater = matches!(state.stack.pop(), Some(Sym::Value(Value::Bool(true))));
            let mut both = pop(&mut state, 2);
            both.truncate(if a_is_greater == (op == Op::Max) { 1 } else { 2 });
            turn.with(&weight).push(state, both.pop().unwrap_or(Sym::Gone))?;
        }
        turn.after.aside.join(asked.aside);
        Ok(())
    }

    /// Nothing else needs the variables: the operation acts on the laws.
    fn apply_to_laws(
        &mut self,
        op: Op,
        operands: Vec<Sym>,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        let refuse = too_much(turn.span);
        if let (Op::Sort, [Sym::List(items)]) = (op, operands.as_slice())
            && let Some(values) =
                self.meter.by(ways::SORTED, || self.sorted(items, &state, turn.span))?
        {
            let value = state.draw(values.into());
            return turn.push(state, value);
        }
        let Some(laws) = self.laws_of(&operands, &state).map_err(refuse)? else {
            // A text or a list with undecided numbers in it: decide them one by one.
            let var = variables(&operands)[0];
            return self.apply_decided(var, op, operands, state, turn);
        };
        if let Some(law) = self.of_laws(op, &laws).map_err(refuse)? {
            return turn.push_law(state, law);
        }
        if laws.iter().any(Law::is_endless) {
            // With the finite numbers decided, an endless one is often exact.
            let var = self.cheapest(&variables(&operands), &state);
            return self.apply_decided(var, op, operands, state, turn);
        }
        let combined = self.combine(op, &laws, turn.span)?;
        if let Some(law) = combined.law {
            turn.with(&(turn.weight * &combined.mass)).push_law(state, law)?;
        }
        match combined.failed {
            Some(error) => {
                let chance = turn.weight * (Rational::ONE - combined.mass);
                Err(turn.with(&chance).fails(error.into()))
            }
            None => Ok(()),
        }
    }

    /// The law of an operation as if nothing else needed its operands: of a phantom only what it may come to counts.
    fn law_apart(
        &self,
        op: Op,
        operands: &[Sym],
        state: &State,
    ) -> Result<Option<Law>, OverBudget> {
        let laws = self.laws_of(operands, state)?;
        laws.map_or(Ok(None), |laws| self.of_laws(op, &laws))
    }

    /// The laws of numbers; none if one is something else.
    fn laws_of(&self, operands: &[Sym], state: &State) -> Result<Option<Vec<Law>>, OverBudget> {
        let law = |operand: &Sym| Some(state.law_of(&operand.as_form()?, self.meter));
        operands
            .iter()
            .map(law)
            .collect::<Option<Vec<_>>>()
            .map(|laws| laws.into_iter().collect())
            .transpose()
    }

    /// What is known of laws as a whole: the least or greatest of numbers, and of endless ones what is exact beyond
    /// sums, which is rounding and division by a number.
    fn of_laws(&self, op: Op, laws: &[Law]) -> Result<Option<Law>, OverBudget> {
        let meter = self.meter;
        let found = match (op, laws) {
            (Op::Max, [first, rest @ ..]) => {
                rest.iter().try_fold(first.clone(), |most, law| most.max(law, meter))
            }
            (Op::Min, [first, rest @ ..]) => {
                rest.iter().try_fold(first.clone(), |least, law| least.min(law, meter))
            }
            _ if !laws.iter().any(Law::is_endless) => return Ok(None),
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
        let refuse = too_much(span);
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
        // A combination multiplies weights, and these may be long numbers, as may be the values.
        let limbs = 1 + total.bit_len() as u64 / 64;
        let ends = columns.iter().flat_map(|column| [column.first(), column.last()]).flatten();
        let length =
            ends.filter_map(|(value, _)| Some(value.as_number()?.bits() as u64 / 64)).max();
        let length = length.filter(|length| *length > 1).map_or(0, |length| 8 + length);
        let price = 16 + 4 * (limbs + length);
        self.meter.afford(size.saturating_mul(price)).map_err(refuse)?;
        let mut rent = self.meter.rent();
        let entry = 2 * size_of::<(Rational, Natural)>() as u64 + 8 * limbs;
        // What long numbers take, in words: each is kept, and as a fraction again.
        let mut words = 0;
        let mut outcomes: FxHashMap<Number, Natural> = FxHashMap::default();
        let mut failed: Option<OpError> = None;
        let combined = product(&columns, &mut Vec::new(), &Natural::ONE, &mut |values, weight| {
            self.meter.charge(price)?;
            match apply(op, values) {
                Ok(Value::Number(n)) => {
                    let long = n.bits() as u64 / 64;
                    words += long;
                    self.meter.charge(4 * long + long * long / 32)?;
                    outcomes.make_room(1, self.meter)?;
                    *outcomes.entry(n).or_default() += weight;
                }
                Ok(_) => failed = Some(OpError::Mismatch),
                Err(error) => failed = failed.take().or(Some(error)),
            }
            rent.grow(outcomes.capacity() as u64 * entry + 24 * words, self.meter)
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
        let law = Law::from_many(outcomes, self.meter).map_err(refuse)?;
        Ok(Combined { law, mass, failed })
    }
}

/// The law of an operation where it has a value, the chance of that, and why it has none elsewhere.
struct Combined {
    law: Option<Law>,
    mass: Rational,
    failed: Option<OpError>,
}

/// Whether the value of an operation is always a number.
fn yields_number(op: Op) -> bool {
    match op {
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::FloorDivide => true,
        Op::Remainder | Op::Power | Op::Negate => true,
        Op::Floor | Op::Ceil | Op::Round | Op::Abs | Op::Min | Op::Max => true,
        Op::Equal | Op::NotEqual | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast => false,
        Op::Not | Op::Join | Op::Range | Op::Length | Op::At => false,
        Op::Append | Op::Sort | Op::Reverse | Op::Word => false,
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

/// A number of which nothing but the moments is known, divided and rounded, where the quotient is whole anyway.
fn whole(
    op: Op,
    operands: &[Sym],
    state: &State,
    meter: &Meter,
) -> Result<Option<Form>, OverBudget> {
    let form = match (op, operands) {
        (Op::Floor | Op::Ceil | Op::Round, [number]) => number.as_form(),
        (Op::FloorDivide, [number, by]) => match by.as_form() {
            Some(by) if by.terms.is_empty() && !by.constant.is_zero() => {
                number.as_form().map(|form| form.scaled(&(Rational::ONE / &by.constant)))
            }
            _ => None,
        },
        _ => None,
    };
    let Some(form) = form else { return Ok(None) };
    let mut is_whole = form.constant.is_int() && !form.terms.is_empty();
    for (var, factor) in &form.terms {
        let Some(law) = state.law(*var).filter(|law| law.has_unknown()) else { return Ok(None) };
        is_whole = is_whole && law.affine(factor, &Rational::ZERO, meter)?.is_whole();
    }
    Ok(is_whole.then_some(form))
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
