//! Dice on the table: pools, groups, repeated rolls, symbol dice.

use std::sync::Arc;

use astragal_prob::pool::{Die as PlainDie, Source};
use astragal_prob::{Distribution, Law, Natural, Rational};
use astragal_program::core::LocalId;
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, RecordShape, Value};
use dashu_base::BitTest;

use super::call::{Body, Yield, part_of, variables};
use super::decide::{pop_number, pop_value};
use super::drawn::bag_of;
use super::record::pop;
use super::{Live, Machine, Outcome, put_aside};
use crate::failure::{Failure, over_budget};
use crate::plain::{Store, Word};
use crate::plan::{Die, Face, Node};
use crate::state::{Aside, Form, PoolRef, Shared, State, States, Sym, Table, Values, Var, VarLaw};
use crate::ways;

impl<'p> Machine<'p> {
    pub(super) fn dice(
        &mut self,
        count: &'p Node,
        die: &'p Die,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        self.dice_or_bag(count, die, false, span, states, live)
    }

    /// Dice on the table; if they are to be drawn, with the weights of their faces as written.
    pub(super) fn dice_or_bag(
        &mut self,
        count: &'p Node,
        die: &'p Die,
        bag: bool,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        match die {
            Die::Sides(sides) => {
                let states = self.run(count, states, &live.and(sides))?;
                let states = self.run(sides, states, live)?;
                let states = self.decided(states, 1, span)?;
                self.each(states, |machine, mut state, weight, after| {
                    let n = pop_number(&mut state);
                    let fits = n.to_i64().and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0);
                    let Some(fits) = fits else {
                        if n.is_whole() && n > Number::ZERO {
                            return Err(Failure::refused(OpError::TooLarge.into(), sides.span));
                        }
                        let kind = FaultKind::BadSides(n);
                        return Err(Failure::new(kind, sides.span, weight.clone()));
                    };
                    let die = machine.fair_die(fits, span)?;
                    machine.lay(Source::Die(die), state, weight, count.span, after)
                })
            }
            Die::Percent | Die::Fate => {
                let die = match die {
                    Die::Fate => self.custom_die(vec![(-1, 1), (0, 1), (1, 1)], span)?,
                    _ => self.fair_die(100, span)?,
                };
                let states = self.run(count, states, live)?;
                self.each(states, |machine, state, weight, after| {
                    machine.lay(Source::Die(die.clone()), state, weight, count.span, after)
                })
            }
            Die::Faces(faces) => {
                let around = faces.iter().fold(live.clone(), |l, f| l.and(&f.value).and(&f.weight));
                let states = self.run(count, states, &around)?;
                let states = self.run_faces(faces, states, live, span)?;
                self.each(states, |machine, mut state, weight, after| {
                    let faces = take_faces(&mut state, faces, weight)?;
                    let faces = faces.into_iter().filter_map(|(value, weight)| {
                        value.as_number().map(|n| (n.to_rational(), weight))
                    });
                    let faces = faces.collect::<Vec<_>>();
                    let die = if bag { bag_of(faces) } else { PlainDie::new(faces) };
                    let die = die.ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
                    machine.lay(Source::Die(die), state, weight, count.span, after)
                })
            }
        }
    }

    pub(super) fn fair_die(&self, sides: u64, span: Span) -> Result<PlainDie, Failure> {
        let die = PlainDie::fair(sides, self.meter);
        let die = die.map_err(|refusal| Failure::refused(over_budget(refusal), span))?;
        die.ok_or_else(|| Failure::refused(FaultKind::BadSides(Number::ZERO), span))
    }

    fn custom_die(&self, faces: Vec<(i64, u64)>, span: Span) -> Result<PlainDie, Failure> {
        let faces = faces.into_iter().map(|(face, weight)| (Rational::from(face), weight));
        let die = PlainDie::new(faces.collect::<Vec<_>>());
        die.ok_or_else(|| Failure::refused(FaultKind::BadSides(Number::ZERO), span))
    }

    /// Lays dice on the table: as many as the number on top of the stack says.
    fn lay(
        &mut self,
        source: Source,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let count = state.stack.pop().unwrap_or(Sym::Gone);
        let Sym::Number(form) = &count else {
            let count = whole_count(&count, weight, span)?;
            let table = Table { groups: vec![(count, source)], random: None, stages: Vec::new() };
            lay_table(&mut state, table);
            after.list.push((state, weight.clone()));
            return Ok(());
        };
        let law = state
            .law_of(form, self.meter)
            .map_err(|refusal| Failure::refused(over_budget(refusal), span))?;
        let natural = law.is_whole() && law.lowest().is_some_and(|least| least >= Rational::ZERO);
        let vars = variables(std::slice::from_ref(&count));
        if natural && !state.mentions(&vars) {
            let random = Some((Shared::new(law), source));
            lay_table(&mut state, Table { groups: Vec::new(), random, stages: Vec::new() });
            after.list.push((state, weight.clone()));
            return Ok(());
        }
        state.stack.push(count);
        for (state, weight) in self.split(&state, vars[0], weight, span, after)? {
            let result = self.lay(source.clone(), state, &weight, span, after);
            put_aside(result, after)?;
        }
        Ok(())
    }

    /// Dice whose faces are not numbers: each throw decides.
    pub(super) fn symbols(
        &mut self,
        count: Option<&'p Node>,
        faces: &'p [Face],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run_faces_of(count, faces, span, states, live)?;
        let states = self.each(states, |machine, mut state, weight, after| {
            let faces = take_faces(&mut state, faces, weight)?;
            let dice = match count {
                Some(_) => {
                    let count = state.stack.pop().unwrap_or(Sym::Gone);
                    Some(whole_count(&count, weight, span)?)
                }
                None => None,
            };
            machine.throw_symbols(&faces, dice, state, weight, span, after)
        })?;
        self.meet(states, span)
    }

    fn throw_symbols(
        &mut self,
        faces: &[(Value, u64)],
        count: Option<u64>,
        state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let total: u64 = faces.iter().fold(0, |sum: u64, (_, weight)| sum.saturating_add(*weight));
        let chance = |weight: u64| Rational::from(weight) / Rational::from(total);
        let mut hands: Vec<(Vec<Sym>, Rational)> = vec![(Vec::new(), weight.clone())];
        for _ in 0..count.unwrap_or(1) {
            self.pay(hands.len() as u64 * faces.len() as u64, span)?;
            hands = hands
                .iter()
                .flat_map(|(hand, weight)| {
                    faces.iter().map(move |(value, times)| {
                        let next = hand.iter().cloned().chain([Sym::from_value(value)]).collect();
                        (next, weight * chance(*times))
                    })
                })
                .collect();
        }
        for (mut hand, weight) in hands {
            let mut state = state.clone();
            let value = match count {
                Some(_) => Sym::List(hand),
                None => hand.pop().unwrap_or(Sym::Gone),
            };
            state.stack.push(value);
            after.list.push((state, weight));
        }
        Ok(())
    }

    /// Dice whose faces are records: all demanded fields of the sum at once.
    pub(super) fn tally(
        &mut self,
        count: &'p Node,
        (shape, fields): (&Arc<RecordShape>, &[usize]),
        faces: &'p [Face],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run_faces_of(Some(count), faces, span, states, live)?;
        let states = self.each(states, |machine, mut state, weight, after| {
            let faces = take_faces(&mut state, faces, weight)?;
            let count = state.stack.pop().unwrap_or(Sym::Gone);
            let count = whole_count(&count, weight, span)?;
            let numbers = |value: &Value| match value {
                Value::Record(_, values) => {
                    fields.iter().map(|at| number_at(values, *at)).collect()
                }
                _ => Vec::new(),
            };
            let faces = faces.iter().map(|(value, times)| (numbers(value), (*times).into()));
            let die: Option<Distribution<Vec<Rational>>> = Distribution::from_weights(faces);
            let die = die.ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
            let zero = vec![Rational::ZERO; fields.len()];
            let add = |a: &Vec<Rational>, b: &Vec<Rational>| {
                a.iter().zip(b).map(|(a, b)| a + b).collect()
            };
            let sum = die.sum_of(count, zero, add, machine.meter);
            let sum = sum.map_err(|refusal| machine.refuse(refusal, span))?;
            after.list.extend(with_sums(&state, weight, &sum, (shape, fields)));
            Ok(())
        })?;
        self.meet(states, span)
    }

    /// `{2d20, d12}`: each number is one die.
    pub(super) fn gather(
        &mut self,
        members: &'p [Node],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run_all(members, states, live)?;
        self.each(states, |machine, state, weight, after| {
            machine.gather_one(members.len(), state, weight, span, after)
        })
    }

    fn gather_one(
        &mut self,
        count: usize,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let members = pop(&mut state, count);
        if let Some(var) = tied(&members, &state) {
            state.stack.extend(members);
            for (state, weight) in self.split(&state, var, weight, span, after)? {
                self.gather_one(count, state, &weight, span, after)?;
            }
            return Ok(());
        }
        let mut groups = Vec::new();
        for member in &members {
            let Some(form) = member.as_form() else { continue };
            let law = state
                .law_of(&form, self.meter)
                .map_err(|refusal| Failure::refused(over_budget(refusal), span))?;
            groups.push((1, Source::Total(law)));
        }
        lay_table(&mut state, Table { groups, random: None, stages: Vec::new() });
        after.list.push((state, weight.clone()));
        Ok(())
    }

    /// `{2d6 + d8}`: one pool of all the dice.
    pub(super) fn merge_pools(
        &mut self,
        members: &'p [Node],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run_all(members, states, live)?;
        self.each(states, |machine, state, weight, after| {
            machine.merge_one(members.len(), state, weight, span, after)
        })
    }

    fn merge_one(
        &mut self,
        count: usize,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let mut members = pop(&mut state, count);
        if members.len() == 1 {
            state.stack.append(&mut members);
            after.list.push((state, weight.clone()));
            return Ok(());
        }
        // Dice that something else mentions are the same there and here; dice that suffixes or chance have touched
        // are decided, too. Plain ones lie side by side.
        let open = tied(&members, &state).or_else(|| {
            members = members.drain(..).map(|member| state.acted(member)).collect();
            touched(&members, &state)
        });
        if let Some(var) = open {
            state.stack.append(&mut members);
            for (state, weight) in self.split(&state, var, weight, span, after)? {
                self.merge_one(count, state, &weight, span, after)?;
            }
            return Ok(());
        }
        let mut groups = Vec::new();
        for member in &members {
            if let Sym::Pool(pool) = member
                && let Some(table) = state.table(pool.var)
            {
                groups.extend(table.groups.iter().cloned());
            }
        }
        lay_table(&mut state, Table { groups, random: None, stages: Vec::new() });
        after.list.push((state, weight.clone()));
        Ok(())
    }

    /// `times(12, 3d6)`: a die for each fresh evaluation.
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
        self.each(states, |machine, mut state, weight, after| {
            let (law, aside) = machine.law_of_part(each, &state, span)?;
            super::forget(&mut state, live);
            let leaves = aside.failed.iter().chain(&aside.rejected);
            let leaves = leaves.fold(Rational::ZERO, |sum, left| sum + &left.chance);
            if leaves.is_zero() {
                return machine.lay(Source::Total(law), state, weight, count.span, after);
            }
            // Each of the repetitions may fail or not count, so it matters how many there are.
            let decided =
                machine.decided(States::weighted(state, weight.clone()), 1, count.span)?;
            after.aside.join(decided.aside);
            for (state, weight) in decided.list {
                let dice = state.stack.last().unwrap_or(&Sym::Gone);
                let dice = whole_count(dice, &weight, count.span)?;
                let stays = Rational::ONE - &leaves;
                let limbs = (stays.denominator().bit_len() as u64).saturating_mul(dice) / 64;
                machine.pay(limbs.saturating_mul(limbs), count.span)?;
                let all_stay = stays.pow(isize::try_from(dice).unwrap_or(isize::MAX));
                let share = &weight * (Rational::ONE - &all_stay) / &leaves;
                if dice > 0 {
                    after.aside.join(part_of(&aside, &share, None));
                }
                if !all_stay.is_zero() {
                    let weight = weight * all_stay;
                    machine.lay(Source::Total(law.clone()), state, &weight, count.span, after)?;
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
    fn law_of_part(
        &mut self,
        part: &'p Node,
        state: &State,
        span: Span,
    ) -> Result<(Law, Aside), Failure> {
        let mut locals = state.locals.clone();
        let kept: Vec<_> = part.free.iter().collect();
        for (index, slot) in locals.iter_mut().enumerate() {
            if !kept.iter().any(|local| local.0 as usize == index) {
                *slot = Sym::Gone;
            }
        }
        let key = Body::Part(part.id);
        let summary = self.summary(key, part, locals, &state.laws)?;
        let known = summary.results.iter().all(Yield::is_known) && summary.aside.again.is_zero();
        if !known || !summary.aside.lost.is_zero() || !summary.aside.never.is_zero() {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        }
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        let mass =
            summary.results.iter().fold(Rational::ZERO, |mass, result| mass + &result.chance);
        let mut parts = Vec::new();
        for result in &summary.results {
            let Some(form) = result.value.as_form() else { continue };
            let law = result.state.law_of(&form, self.meter).map_err(refuse)?;
            parts.push((&result.chance / &mass, law));
        }
        if parts.is_empty() {
            return Ok((Law::constant(Rational::ZERO), summary.aside.clone()));
        }
        let law = Law::mixture(&parts, self.meter).map_err(refuse)?;
        Ok((law, summary.aside.clone()))
    }

    /// A decided count, and decided faces with their weights above it.
    pub(super) fn run_faces_of(
        &mut self,
        count: Option<&'p Node>,
        faces: &'p [Face],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let around = faces.iter().fold(live.clone(), |l, f| l.and(&f.value).and(&f.weight));
        let states = match count {
            Some(count) => {
                let states = self.run(count, states, &around)?;
                self.decided(states, 1, span)?
            }
            None => states,
        };
        self.run_faces(faces, states, live, span)
    }

    fn run_faces(
        &mut self,
        faces: &'p [Face],
        mut states: States,
        live: &Live,
        span: Span,
    ) -> Outcome {
        for (at, face) in faces.iter().enumerate() {
            let later =
                faces[at + 1..].iter().fold(live.clone(), |l, f| l.and(&f.value).and(&f.weight));
            states = self.run(&face.value, states, &later.and(&face.weight))?;
            states = self.run(&face.weight, states, &later)?;
        }
        self.decided(states, faces.len() * 2, span)
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
    Ok(number.to_i64().and_then(|n| u64::try_from(n).ok()).unwrap_or(u64::MAX))
}

/// A state with each sum of records on its stack: these fields of the shape are known. Many of them are one variable.
pub(super) fn with_sums(
    state: &State,
    weight: &Rational,
    sums: &Distribution<Vec<Rational>>,
    (shape, fields): (&Arc<RecordShape>, &[usize]),
) -> Vec<(State, Rational)> {
    if fields.len() > 1 && sums.outcomes().len() > ways::FEW_RESULTS {
        let number = |value: &Rational| Value::Number(Number::from(value.clone()));
        let mut store = Store::new();
        let rows = sums.outcomes().iter().map(|(values, ways)| {
            let words = values.iter().map(|value| store.word(&number(value))).collect();
            (words, ways.clone())
        });
        let rows = rows.collect();
        return vec![(with_any_sum(state, store, rows, (shape, fields)), weight.clone())];
    }
    let states = sums.chances().map(|(values, chance)| {
        let mut record = vec![Sym::Gone; shape.fields.len()];
        for (at, value) in fields.iter().zip(values) {
            record[*at] = Sym::number(Form::constant(value.clone()));
        }
        let mut state = state.clone();
        state.stack.push(Sym::Record(Arc::clone(shape), record));
        (state, weight * chance)
    });
    states.collect()
}

/// A state with a sum of records on its stack that is undecided as a whole.
pub(super) fn with_any_sum(
    state: &State,
    mut store: Store,
    sums: Vec<(Vec<Word>, Natural)>,
    (shape, fields): (&Arc<RecordShape>, &[usize]),
) -> State {
    let known = store.shape(shape);
    let mut record = vec![Word::NONE; shape.fields.len()];
    let mut total = Natural::ZERO;
    let weights = sums.into_iter().map(|(words, ways)| {
        fields.iter().zip(words).for_each(|(at, word)| record[*at] = word);
        total += &ways;
        (store.record(known, &record), ways)
    });
    let weights: Vec<_> = weights.collect();
    let mut state = state.clone();
    let value = state.draw(Values::new(Arc::new(store), weights, total).into());
    state.stack.push(value);
    state
}

pub(super) fn number_at(values: &[Value], at: usize) -> Rational {
    values.get(at).and_then(Value::as_number).map_or(Rational::ZERO, Number::to_rational)
}

/// Takes the faces of a die off the stack. The first that has no weight fails, as it does in a roll.
pub(super) fn take_faces(
    state: &mut State,
    faces: &[Face],
    weight: &Rational,
) -> Result<Vec<(Value, u64)>, Failure> {
    let mut taken: Vec<(Number, Value)> =
        faces.iter().map(|_| (pop_number(state), pop_value(state))).collect();
    taken.reverse();
    let weighed = |((times, value), face): ((Number, Value), &Face)| {
        let span = face.weight.span;
        match times.to_i64().and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0) {
            Some(n) => Ok((value, n)),
            None if times.is_whole() && times > Number::ZERO => {
                Err(Failure::refused(OpError::TooLarge.into(), span))
            }
            None => Err(Failure::new(FaultKind::BadWeight(times), span, weight.clone())),
        }
    };
    taken.into_iter().zip(faces).map(weighed).collect()
}
