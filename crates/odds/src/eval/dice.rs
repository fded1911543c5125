//! Dice on the table: pools, groups, repeated rolls, symbol dice.

use std::sync::Arc;

use astragal_prob::pool::{Die as PlainDie, Source, in_order};
use astragal_prob::{Distribution, Law, Meter, Natural, OverBudget, Rational};
use astragal_program::core::{self, LocalId};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, RecordShape, Value};
use dashu_base::BitTest;

use super::call::{Body, Yield, part_of, place, variables};
use super::decide::{Done, Turn, pop_number, pop_value};
use super::drawn::{bag_of, holds, pop_count, total};
use super::judged::{Must, Part, of_faces};
use super::record::pop;
use super::{Live, Machine, Outcome};
use crate::asked::{self, weighted};
use crate::code::Store;
use crate::failure::{Failure, too_much};
use crate::plan::{Die, Face, Node};
use crate::state::{Aside, PoolRef, Shared, State, States, Sym, Table, Values, Var, VarLaw};
use crate::ways;
use astragal_prob::Weighted;

impl<'p> Machine<'p> {
    /// Dice on the table; if they are to be drawn, with the weights of their faces as written.
    #[inline(never)]
    pub(super) fn dice(
        &mut self,
        count: &'p Node,
        die: &'p Die,
        drawn: bool,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let mut parts: Vec<Part<'p>> = vec![(count, Must::Count)];
        match die {
            Die::Sides(sides) => parts.push((sides, Must::Sides)),
            Die::Percent | Die::Fate => {}
            Die::Faces(faces) => parts.extend(of_faces(faces)),
        }
        let states = self.run_parts(&parts, states, live)?;
        let states = self.decided(states, parts.len() - 1, span)?;
        self.each(states, count.span, |machine, mut state, turn| {
            let numbers = pop(&mut state, parts.len() - 1);
            let numbers: Vec<Value> = numbers.iter().filter_map(Sym::to_value).collect();
            let die = die_of(die, &numbers, drawn, machine.meter).map_err(too_much(span))?;
            let die = die.ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
            machine.lay(Source::Die(die), state, turn)
        })
    }

    /// Lays dice on the table: as many as the number on top of the stack says.
    fn lay(&mut self, source: Source, mut state: State, turn: &mut Turn<'_>) -> Done {
        let count = state.stack.pop().unwrap_or(Sym::Gone);
        let Sym::Number(form) = &count else {
            let count = whole_count(&count, turn.weight, turn.span)?;
            lay_groups(&mut state, vec![(count, source)]);
            return turn.go_on(state);
        };
        let law = state.law_of(form, self.meter).map_err(too_much(turn.span))?;
        let natural = law.is_whole() && law.lowest().is_some_and(|least| least >= Rational::ZERO);
        let vars = variables(std::slice::from_ref(&count));
        if natural && !state.mentions(&vars) {
            let random = Some((Shared::new(law), source));
            lay_table(&mut state, Table { groups: Vec::new(), random, stages: Vec::new() });
            return turn.go_on(state);
        }
        state.stack.push(count);
        self.in_each_case(&state, vars[0], turn, |machine, state, turn| {
            machine.lay(source.clone(), state, turn)
        })
    }

    /// Dice whose faces are not numbers, thrown, or drawn without some of the bag: each decides.
    #[inline(never)]
    pub(super) fn symbols(
        &mut self,
        count: Option<&'p Node>,
        faces: &'p [Face],
        drawn: Option<&'p [Node]>,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let without = drawn.unwrap_or_default();
        let count_part = count.into_iter().map(|count| (count, Must::Count));
        let parts: Vec<Part<'p>> = count_part.chain(of_faces(faces)).collect();
        let states = self.run_parts(&parts, states, &live.and_all(without))?;
        let states = self.run_gone(without, states, live, span)?;
        let decided = usize::from(count.is_some()) + 2 * faces.len() + without.len();
        let states = self.decided(states, decided, span)?;
        let states = self.each(states, span, |machine, mut state, turn| {
            let gone = machine.gone(&mut state, without.len(), span)?;
            let mut bag = take_faces(&mut state, faces);
            machine.take_out(&mut bag, &gone, without, turn)?;
            let dice = match count {
                Some(count) => pop_count(&mut state, turn.weight, count.span)?,
                None => 1,
            };
            if drawn.is_some() {
                holds(dice, total(&bag), turn)?;
            }
            let copies: Vec<u64> = bag.iter().map(|(_, copies)| *copies).collect();
            let hands = in_order(&copies, dice, drawn.is_some(), machine.meter);
            let hands = hands.map_err(too_much(span))?;
            let each = dice.saturating_mul(size_of::<Sym>() as u64) + 2 * state.bytes();
            let mut rent = machine.meter.rent();
            for (number, (hand, chance)) in (1..).zip(hands) {
                state.pay_for_one(machine.meter).map_err(too_much(span))?;
                rent.grow(each.saturating_mul(number), machine.meter).map_err(too_much(span))?;
                let mut hand = hand.into_iter().map(|place| Sym::from_value(&bag[place].0));
                let value = match count {
                    Some(_) => Sym::List(hand.collect()),
                    None => hand.next().unwrap_or(Sym::Gone),
                };
                turn.with(&(turn.weight * chance)).push(state.clone(), value)?;
            }
            Ok(())
        })?;
        self.meet(states, span)
    }

    /// Dice whose faces are records, thrown or drawn: all demanded fields of the sum at once.
    #[expect(clippy::too_many_arguments, reason = "what a form says, and the states before it")]
    #[inline(never)]
    pub(super) fn tally(
        &mut self,
        count: &'p Node,
        (shape, fields): (&Arc<RecordShape>, &[usize]),
        faces: &'p [Face],
        drawn: bool,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let count_part = [(count, Must::Count)];
        let parts: Vec<Part<'p>> = count_part.into_iter().chain(of_faces(faces)).collect();
        let states = self.run_parts(&parts, states, live)?;
        let states = self.decided(states, 1 + 2 * faces.len(), span)?;
        let states = self.each(states, span, |machine, mut state, turn| {
            let bag = take_faces(&mut state, faces);
            let dice = pop_count(&mut state, turn.weight, count.span)?;
            if drawn {
                holds(dice, total(&bag), turn)?;
            }
            let sums = sums_of(&bag, fields, dice, drawn, machine.meter);
            let sums = sums.map_err(|refusal| machine.refuse(refusal, span))?;
            let sums = sums.ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
            let record = |numbers: &Vec<Number>| {
                let mut record = vec![Value::None; shape.fields.len()];
                for (at, number) in fields.iter().zip(numbers) {
                    record[*at] = Value::Number(number.clone());
                }
                Value::Record(Arc::clone(shape), record.into())
            };
            let total = sums.total().clone();
            let sums = sums.outcomes().iter().map(|(sum, ways)| (record(sum), ways.clone()));
            // A single number meets in one state.
            let few = if fields.len() > 1 { ways::FEW_RESULTS } else { usize::MAX };
            let sums = Weighted { outcomes: sums.collect(), total };
            turn.after.list.extend(with_values(&state, turn.weight, sums, few));
            Ok(())
        })?;
        self.meet(states, span)
    }

    /// `{2d20, d12}`: each number is one die.
    #[inline(never)]
    pub(super) fn gather_one(
        &mut self,
        count: usize,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        let members = pop(&mut state, count);
        if let Some(var) = tied(&members, &state) {
            state.stack.extend(members);
            return self.in_each_case(&state, var, turn, |machine, state, turn| {
                machine.gather_one(count, state, turn)
            });
        }
        let mut groups = Vec::new();
        for form in members.iter().filter_map(Sym::as_form) {
            let law = state.law_of(&form, self.meter).map_err(too_much(turn.span))?;
            groups.push((1, Source::Total(law)));
        }
        lay_groups(&mut state, groups);
        turn.go_on(state)
    }

    /// `{2d6 + d8}`: one pool of all the dice.
    #[inline(never)]
    pub(super) fn merge_one(
        &mut self,
        count: usize,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        let mut members = pop(&mut state, count);
        if members.len() == 1 {
            state.stack.append(&mut members);
            return turn.go_on(state);
        }
        // Dice that something else mentions are the same there and here; dice that suffixes or chance have touched
        // are decided, too, and can still be thrown again. Plain ones lie side by side.
        let open = tied(&members, &state).or_else(|| {
            members = members.drain(..).map(|member| state.acted(member)).collect();
            touched(&members, &state)
        });
        if let Some(var) = open {
            state.stack.append(&mut members);
            let again = state.table(var).and_then(|table| table.one_die().cloned());
            return self.in_each_case_as_thrown(&state, var, turn, |machine, mut state, turn| {
                state.throw_again_with(var, again.as_ref());
                machine.merge_one(count, state, turn)
            });
        }
        let mut groups = Vec::new();
        for member in &members {
            if let Sym::Pool(pool) = member
                && let Some(table) = state.table(pool.var)
            {
                groups.extend(table.groups.iter().cloned());
            }
        }
        lay_groups(&mut state, groups);
        turn.go_on(state)
    }

    /// `times(12, 3d6)`: a die for each fresh evaluation.
    #[inline(never)]
    pub(super) fn times(
        &mut self,
        count: &'p Node,
        each: &'p Node,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run(count, states, &live.and(each))?;
        // What the repeated roll reads must be decided: every repetition reads the same.
        let states = self.with_locals_decided(each, &[], states, span)?;
        self.each(states, count.span, |machine, mut state, turn| {
            let (law, aside) = machine.law_of_part(each, &state, span)?;
            super::forget(&mut state, live);
            let leaves = aside.failed.iter().chain(&aside.rejected);
            let leaves = leaves.fold(Rational::ZERO, |sum, left| sum + &left.chance);
            if leaves.is_zero() {
                return machine.lay(Source::Total(law), state, turn);
            }
            // Each of the repetitions may fail or not count, so it matters how many there are.
            let state = States::weighted(state, turn.weight.clone());
            let decided = machine.decided(state, 1, count.span)?;
            turn.after.aside.join(decided.aside);
            for (state, weight) in decided.list {
                let dice = state.stack.last().unwrap_or(&Sym::Gone);
                let dice = whole_count(dice, &weight, count.span)?;
                let stays = Rational::ONE - &leaves;
                let limbs = (stays.denominator().bit_len() as u64).saturating_mul(dice) / 64;
                machine.pay(limbs.saturating_mul(limbs), count.span)?;
                let all_stay = stays.pow(isize::try_from(dice).unwrap_or(isize::MAX));
                let share = &weight * (Rational::ONE - &all_stay) / &leaves;
                if dice > 0 {
                    turn.after.aside.join(part_of(&aside, &share, None));
                }
                if !all_stay.is_zero() {
                    let weight = weight * all_stay;
                    machine.lay(Source::Total(law.clone()), state, &mut turn.with(&weight))?;
                }
            }
            Ok(())
        })
    }

    /// Decides every variable in the locals that a part reads, but for those that it binds anew.
    pub(super) fn with_locals_decided(
        &mut self,
        part: &'p Node,
        bound: &[LocalId],
        mut states: States,
        span: Span,
    ) -> Outcome {
        let locals: Vec<_> = part.free.iter().filter(|local| !bound.contains(local)).collect();
        for (state, _) in &mut states.list {
            let values: Vec<Sym> =
                locals.iter().filter_map(|l| state.locals.get(l.0 as usize).cloned()).collect();
            state.stack.extend(values);
        }
        let mut states = self.decided(states, locals.len(), span)?;
        for (state, _) in &mut states.list {
            pop(state, locals.len());
        }
        Ok(states)
    }

    /// The law of a number that a part of the program yields, its locals being decided, where it counts and
    /// does not fail, and what did not get through (if nothing does, the law is any).
    pub(super) fn law_of_part(
        &mut self,
        part: &'p Node,
        state: &State,
        span: Span,
    ) -> Result<(Law, Aside), Failure> {
        let mut start = state.clone();
        super::forget(&mut start, &Live::default().and(part));
        let summary = self.summary(place(Body::Part(part.id), start.locals, &state.laws), part)?;
        let known = summary.results.iter().all(Yield::is_known);
        if !known || !summary.aside.lost.is_zero() || !summary.aside.never.is_zero() {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        }
        let law = summary.law(self.meter).map_err(too_much(span))?;
        Ok((law.unwrap_or_else(|| Law::constant(Rational::ZERO)), summary.aside.clone()))
    }
}

/// A variable that several of these members mention, or one of them and the rest of the state, so that they are
/// not thrown apart from each other; none if there is no such variable, or what it stands for is decided.
fn tied(members: &[Sym], state: &State) -> Option<Var> {
    let vars = variables(members);
    let lies = |var: Var| state.table(var).is_some_and(|table| table.is_fixed());
    let again = |at: usize, var: Var| vars[..at].contains(&var) || state.mentions(&[var]);
    let mut found = vars.iter().copied().enumerate();
    found.find(|(at, var)| !lies(*var) && again(*at, *var)).map(|(_, var)| var)
}

/// Dice among these members that are not just so many dice.
fn touched(members: &[Sym], state: &State) -> Option<Var> {
    let plain = |table: &Table| table.stages.is_empty() && table.random.is_none();
    variables(members).into_iter().find(|var| state.table(*var).is_some_and(|table| !plain(table)))
}

fn lay_groups(state: &mut State, groups: Vec<(u64, Source)>) {
    lay_table(state, Table { groups, random: None, stages: Vec::new() });
}

pub(super) fn lay_table(state: &mut State, table: Table) {
    let var = state.variable(VarLaw::Dice(Shared::new(table)));
    state.stack.push(Sym::Pool(PoolRef { var, later: Vec::new(), marks: Vec::new() }));
}

/// A decided number of dice: whole and not negative.
pub(super) fn whole_count(count: &Sym, weight: &Rational, span: Span) -> Result<u64, Failure> {
    let number = match count {
        Sym::Value(Value::Number(n)) => n.clone(),
        _ => Number::ZERO,
    };
    if !number.is_whole() || number.is_negative() {
        return Err(Failure::new(FaultKind::BadCount(number), span, weight.clone()));
    }
    // More dice than a word can count are refused by the budget in any case.
    Ok(number.to_u64().unwrap_or(u64::MAX))
}

/// The sums of these fields of faces, of so many dice that are thrown or drawn.
fn sums_of(
    bag: &[(Value, u64)],
    fields: &[usize],
    dice: u64,
    drawn: bool,
    meter: &Meter,
) -> Result<Option<Distribution<Vec<Number>>>, OverBudget> {
    let number = |values: &[Value], at: usize| values.get(at)?.as_number().cloned();
    let shows = |face: &Value, at: usize| match face {
        Value::Record(_, values) => number(values, at).unwrap_or(Number::ZERO),
        _ => Number::ZERO,
    };
    let shows = |face: &Value| fields.iter().map(|at| shows(face, *at)).collect::<Vec<_>>();
    let bag: Vec<_> = bag.iter().map(|(face, copies)| (shows(face), *copies)).collect();
    let add = |a: &Vec<Number>, b: &Vec<Number>| a.iter().zip(b).map(|(a, b)| a.plus(b)).collect();
    let zero = vec![Number::ZERO; fields.len()];
    if drawn {
        return Distribution::sum_of_drawn(&bag, dice, zero, add, meter);
    }
    let die = bag.into_iter().map(|(shows, times)| (shows, Natural::from(times)));
    let die = Distribution::from_weights(die);
    die.map(|die| die.sum_of(dice, zero, add, meter)).transpose()
}

/// A state with each of these values on its stack. More than a few are one variable.
pub(super) fn with_values(
    state: &State,
    weight: &Rational,
    values: Weighted<Value>,
    few: usize,
) -> Vec<(State, Rational)> {
    let Weighted { outcomes, total } = values;
    if outcomes.len() > few {
        let mut store = Store::new();
        let word = |(value, weight)| (store.word(&value), weight);
        let weights: Vec<_> = outcomes.into_iter().map(word).collect();
        let mut state = state.clone();
        let value = state.draw(Values::new(Arc::new(store), weights, total).into());
        state.stack.push(value);
        return vec![(state, weight.clone())];
    }
    let states = outcomes.into_iter().map(|(value, own)| {
        let mut state = state.clone();
        state.stack.push(Sym::from_value(&value));
        (state, weight * Rational::from_parts(own.into(), total.clone()))
    });
    states.collect()
}

/// A die, the numbers in it being known, in order; as a bag it has as many of each face as is written. None if they make
/// no die.
pub(crate) fn die_of<E>(
    die: &core::Die<E>,
    numbers: &[Value],
    is_bag: bool,
    meter: &Meter,
) -> Result<Option<PlainDie>, OverBudget> {
    match die {
        core::Die::Sides(_) => match numbers.first().and_then(asked::whole) {
            Some(sides) => PlainDie::fair(sides, meter),
            None => Ok(None),
        },
        core::Die::Percent => PlainDie::fair(100, meter),
        core::Die::Fate => Ok(PlainDie::new([-1, 0, 1].map(|face| (Rational::from(face), 1)))),
        core::Die::Faces(_) => {
            let make = |faces| if is_bag { bag_of(faces) } else { PlainDie::new(faces) };
            Ok(weighted(numbers).and_then(make))
        }
    }
}

/// Takes the faces of a die with their weights off the stack.
fn take_faces(state: &mut State, faces: &[Face]) -> Vec<(Value, u64)> {
    let mut taken: Vec<(Value, u64)> = Vec::with_capacity(faces.len());
    for _ in faces {
        let weight = whole(&pop_number(state));
        taken.push((pop_value(state), weight));
    }
    taken.reverse();
    taken
}

/// Sides or a weight, which were judged.
fn whole(number: &Number) -> u64 {
    number.to_u64().unwrap_or(1)
}
