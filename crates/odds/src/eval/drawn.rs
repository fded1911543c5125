//! Drawing from a bag.
//!
//! Dice that are drawn are a pool like any other whose first stage says so. What is out of the bag is decided
//! first: then the rest is a bag of its own.

use std::hash::Hash;
use std::ops::AddAssign;
use std::sync::Arc;

use astragal_prob::pool::{Die as PlainDie, Pool, Source, Stage, dice};
use astragal_prob::{Distribution, Natural, Rational};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, RecordShape, Value};
use rustc_hash::FxHashMap;

use super::dice::{lay_table, number_at, take_faces, whole_count, with_any_sum, with_sums};
use super::record::pop;
use super::{Live, Machine, Outcome, put_aside};
use crate::failure::{Failure, pool_fault};
use crate::plain::{Store, Word};
use crate::plan::{Kind, Node};
use crate::state::{State, States, Sym, Table};
use crate::ways;

/// A bag with so many of each face.
pub(crate) fn bag_of(faces: Vec<(Rational, u64)>) -> Option<PlainDie> {
    PlainDie::bag(faces.into_iter().map(|(face, copies)| (face, Natural::from(copies))))
}

impl<'p> Machine<'p> {
    pub(super) fn drawn(
        &mut self,
        dice: &'p Node,
        without: &'p [Node],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let around = without.iter().fold(live.clone(), |live, node| live.and(node));
        let gone = without.len();
        match &dice.kind {
            Kind::Dice { count, die } => {
                let states = self.dice_or_bag(count, die, true, dice.span, states, &around)?;
                let states = self.run_gone(without, states, live, span)?;
                let states = self.each(states, |machine, mut state, weight, after| {
                    let gone = machine.gone(&mut state, gone, span)?;
                    machine.draw_dice(&gone, without, state, weight, span, after)
                })?;
                self.meet(states, span)
            }
            Kind::Symbols { count, faces } => {
                let single = count.is_none();
                let states = self.run_faces_of(count.as_deref(), faces, span, states, &around)?;
                let states = self.run_gone(without, states, live, span)?;
                let states = self.each(states, |machine, mut state, weight, after| {
                    let gone = machine.gone(&mut state, gone, span)?;
                    let mut bag = take_faces(&mut state, faces, weight)?;
                    machine.pay_for(&gone, bag.len(), span)?;
                    take_out(&mut bag, &gone, without, weight)?;
                    let count = match count {
                        Some(count) => pop_count(&mut state, weight, count.span)?,
                        None => 1,
                    };
                    holds(count, total(&bag), weight, span)?;
                    machine.draw_symbols(bag, count, single, &state, weight, span, after)
                })?;
                self.meet(states, span)
            }
            Kind::Tally { count, shape, fields, faces } => {
                let states = self.run_faces_of(Some(count), faces, span, states, live)?;
                let states = self.each(states, |machine, mut state, weight, after| {
                    let bag = take_faces(&mut state, faces, weight)?;
                    let count = pop_count(&mut state, weight, count.span)?;
                    holds(count, total(&bag), weight, span)?;
                    machine.draw_tally(&bag, count, (shape, fields), &state, weight, span, after)
                })?;
                self.meet(states, span)
            }
            // Only these are drawn.
            _ => Err(Failure::refused(FaultKind::NotKnown, span)),
        }
    }

    /// What is out of the bag, decided.
    fn run_gone(
        &mut self,
        without: &'p [Node],
        states: States,
        live: &Live,
        span: Span,
    ) -> Outcome {
        if without.is_empty() {
            return Ok(states);
        }
        let states = self.run_all(without, states, live)?;
        self.decided(states, without.len(), span)
    }

    /// Takes what is out of the bag off the stack: for each of so many values the faces.
    fn gone(
        &mut self,
        state: &mut State,
        count: usize,
        span: Span,
    ) -> Result<Vec<Vec<Value>>, Failure> {
        let mut gone = Vec::with_capacity(count);
        for value in pop(state, count) {
            gone.push(match &value {
                Sym::Pool(lying) => {
                    let table = state.table(lying.var).map(|table| table.with(&lying.later));
                    self.shown(
                        &table.unwrap_or(Pool { groups: Vec::new(), stages: Vec::new() }),
                        span,
                    )?
                }
                other => match other.to_value() {
                    Some(Value::List(items)) => items.iter().cloned().collect(),
                    _ => return Err(Failure::refused(FaultKind::NotKnown, span)),
                },
            });
        }
        Ok(gone)
    }

    /// Pays for looking up faces in a bag.
    fn pay_for(&self, gone: &[Vec<Value>], faces: usize, span: Span) -> Result<(), Failure> {
        let gone = gone.iter().map(Vec::len).sum::<usize>() as u64;
        self.pay((faces as u64).saturating_mul(gone.saturating_add(1)), span)
    }

    /// What dice on the table show.
    fn shown(&self, pool: &Pool, span: Span) -> Result<Vec<Value>, Failure> {
        let tables = dice(pool, self.meter);
        let tables = tables.map_err(|error| Failure::refused(pool_fault(error), span))?;
        let only = tables.outcomes().first().map(|(table, _)| table.iter()).into_iter().flatten();
        Ok(only.map(|die| Value::Number(Number::from(die.shown.clone()))).collect())
    }

    fn draw_dice(
        &mut self,
        gone: &[Vec<Value>],
        without: &[Node],
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let Some(Sym::Pool(pool)) = state.stack.last() else {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        };
        let var = pool.var;
        // Whether a bag holds enough depends on how many are drawn.
        if state.table(var).is_some_and(|table| table.random.is_some()) {
            for (state, weight) in self.split(&state, var, weight, span, after)? {
                let result = self.draw_dice(gone, without, state, &weight, span, after);
                put_aside(result, after)?;
            }
            return Ok(());
        }
        let Some([(count, Source::Die(bag))]) =
            state.table(var).map(|table| table.groups.as_slice())
        else {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        };
        let (count, mut bag) = (*count, bag.clone());
        let mut held = bag.total().clone();
        if !gone.is_empty() {
            let copies = |copies: &Natural| u64::try_from(copies).unwrap_or(u64::MAX);
            let number = |face: &Rational| Value::Number(Number::from(face.clone()));
            let faces = bag.faces().iter();
            let mut faces: Vec<(Value, u64)> =
                faces.map(|(face, n)| (number(face), copies(n))).collect();
            self.pay_for(gone, faces.len(), span)?;
            take_out(&mut faces, gone, without, weight)?;
            held = total(&faces);
            let left = faces.into_iter().filter_map(|(face, copies)| {
                face.as_number().map(|face| (face.to_rational(), copies))
            });
            // An empty bag is as good as any for none to be drawn.
            bag = bag_of(left.collect()).unwrap_or(bag);
        }
        holds(count, held, weight, span)?;
        pop(&mut state, 1);
        let groups = vec![(count, Source::Die(bag))];
        lay_table(&mut state, Table { groups, random: None, stages: vec![Stage::Drawn] });
        after.list.push((state, weight.clone()));
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "a state and what becomes of it")]
    fn draw_symbols(
        &mut self,
        bag: Vec<(Value, u64)>,
        count: u64,
        single: bool,
        state: &State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let copies: Vec<u64> = bag.iter().map(|(_, copies)| *copies).collect();
        let mut hands: Vec<(Vec<Sym>, Vec<u64>, Rational)> =
            vec![(Vec::new(), copies, weight.clone())];
        for drawn in 0..count {
            let each = (bag.len() as u64).saturating_mul(drawn.saturating_add(bag.len() as u64));
            self.pay((hands.len() as u64).saturating_mul(each.saturating_add(4)), span)?;
            let mut longer = Vec::with_capacity(hands.len());
            for (hand, left, weight) in &hands {
                let all = left.iter().fold(Natural::ZERO, |sum, left| sum + *left);
                for (place, (value, _)) in bag.iter().enumerate().filter(|(p, _)| left[*p] > 0) {
                    let next = hand.iter().cloned().chain([Sym::from_value(value)]).collect();
                    let chance = Rational::from(left[place]) / Rational::from(all.clone());
                    let mut left = left.clone();
                    left[place] -= 1;
                    longer.push((next, left, weight * chance));
                }
            }
            hands = longer;
        }
        for (mut hand, _, weight) in hands {
            let mut state = state.clone();
            let value = if single { hand.pop().unwrap_or(Sym::Gone) } else { Sym::List(hand) };
            state.stack.push(value);
            after.list.push((state, weight));
        }
        Ok(())
    }

    /// The demanded fields of the sum of what is drawn. Of a face that is there `m` times, `c` are drawn in
    /// `C(m, c)` ways.
    #[expect(clippy::too_many_arguments, reason = "a state and what becomes of it")]
    fn draw_tally(
        &mut self,
        bag: &[(Value, u64)],
        count: u64,
        (shape, fields): (&Arc<RecordShape>, &[usize]),
        state: &State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let shows = |face: &Value| match face {
            Value::Record(_, values) => fields.iter().map(|at| number_at(values, *at)).collect(),
            _ => vec![Rational::ZERO; fields.len()],
        };
        let bag: Vec<(Vec<Rational>, u64)> =
            bag.iter().map(|(face, copies)| (shows(face), *copies)).collect();
        let whole = |shows: &Vec<Rational>| -> Option<Vec<i64>> {
            shows
                .iter()
                .map(|n| Number::from(n.clone()).to_i64().filter(|n| n.abs() < 1 << 31))
                .collect()
        };
        let whole = bag.iter().map(|(shows, copies)| Some((whole(shows)?, *copies)));
        let sums = match whole.collect::<Option<Vec<_>>>() {
            Some(bag) if count < 1 << 31 => {
                let exact = |sum: Vec<i64>| sum.into_iter().map(Rational::from).collect();
                let sums = self.tallied(&bag, count, vec![0; fields.len()], span)?;
                if fields.len() > 1 && sums.len() > ways::FEW_RESULTS {
                    let words =
                        |sum: Vec<i64>| sum.into_iter().map(Word::number).collect::<Option<_>>();
                    let rows = sums.into_iter().map(|(sum, ways)| Some((words(sum)?, ways)));
                    let rows: Option<Vec<_>> = rows.collect();
                    let rows = rows.ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
                    let state = with_any_sum(state, Store::new(), rows, (shape, fields));
                    after.list.push((state, weight.clone()));
                    return Ok(());
                }
                sums.into_iter().map(|(sum, ways)| (exact(sum), ways)).collect::<Vec<_>>()
            }
            _ => self.tallied(&bag, count, vec![Rational::ZERO; fields.len()], span)?,
        };
        let sums: Option<Distribution<Vec<Rational>>> = Distribution::from_weights(sums);
        let sums = sums.ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
        after.list.extend(with_sums(state, weight, &sums, (shape, fields)));
        Ok(())
    }

    /// The sums of what is drawn, with the ways to draw them.
    fn tallied<N: Clone + Eq + Hash + for<'n> AddAssign<&'n N>>(
        &self,
        bag: &[(Vec<N>, u64)],
        count: u64,
        zero: Vec<N>,
        span: Span,
    ) -> Result<Vec<(Vec<N>, Natural)>, Failure> {
        let mut sums: FxHashMap<(u64, Vec<N>), Natural> = FxHashMap::default();
        sums.insert((0, zero), Natural::ONE);
        let mut to_come = bag.iter().fold(Natural::ZERO, |sum, (_, copies)| sum + *copies);
        for (shows, copies) in bag {
            to_come -= *copies;
            let most = (*copies).min(count);
            self.pay((sums.len() as u64).saturating_mul(most.saturating_add(4)), span)?;
            // What the later faces cannot provide must be drawn here.
            let later = u64::try_from(&to_come).unwrap_or(u64::MAX);
            let mut next: FxHashMap<(u64, Vec<N>), Natural> = FxHashMap::default();
            for ((drawn, sum), ways) in sums {
                let (mut sum, mut ways) = (sum, ways);
                for more in 0..=most.min(count - drawn) {
                    if count - drawn - more <= later {
                        *next.entry((drawn + more, sum.clone())).or_default() += &ways;
                    }
                    sum.iter_mut().zip(shows).for_each(|(sum, shows)| *sum += shows);
                    ways = ways * (copies - more) / (more + 1);
                }
            }
            sums = next;
        }
        Ok(sums.into_iter().map(|((_, sum), ways)| (sum, ways)).collect())
    }
}

fn pop_count(state: &mut State, weight: &Rational, span: Span) -> Result<u64, Failure> {
    let count = state.stack.pop().unwrap_or(Sym::Gone);
    whole_count(&count, weight, span)
}

fn total(bag: &[(Value, u64)]) -> Natural {
    bag.iter().fold(Natural::ZERO, |sum, (_, copies)| sum + *copies)
}

/// Refuses to draw more than there is.
fn holds(count: u64, held: Natural, weight: &Rational, span: Span) -> Result<(), Failure> {
    if Natural::from(count) <= held {
        return Ok(());
    }
    let held = u64::try_from(held).unwrap_or(u64::MAX);
    Err(Failure::new(FaultKind::EmptyBag(count, held), span, weight.clone()))
}

/// Takes faces out of a bag; each was asked for by one of the nodes.
fn take_out(
    bag: &mut [(Value, u64)],
    gone: &[Vec<Value>],
    without: &[Node],
    weight: &Rational,
) -> Result<(), Failure> {
    for (faces, node) in gone.iter().zip(without) {
        for face in faces {
            match bag.iter_mut().find(|(known, copies)| known == face && *copies > 0) {
                Some((_, copies)) => *copies -= 1,
                None => {
                    let kind = FaultKind::NotInBag(face.clone());
                    return Err(Failure::new(kind, node.span, weight.clone()));
                }
            }
        }
    }
    Ok(())
}
