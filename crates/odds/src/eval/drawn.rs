//! Drawing from a bag.
//!
//! Dice that are drawn are a pool like any other whose first stage says so. What is out of the bag is decided
//! first: then the rest is a bag of its own.

use astragal_prob::pool::{Die as PlainDie, Pool, Source, Stage, dice};
use astragal_prob::{Natural, Rational};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::decide::{Done, Turn};
use super::dice::{lay_table, whole_count};
use super::record::pop;
use super::{Live, Machine, Outcome};
use crate::failure::{Failure, pool_fault};
use crate::plan::{Kind, Node};
use crate::state::{State, States, Sym, Table};

/// A bag with so many of each face.
pub(crate) fn bag_of(faces: Vec<(Rational, u64)>) -> Option<PlainDie> {
    PlainDie::bag(faces.into_iter().map(|(face, copies)| (face, Natural::from(copies))))
}

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn drawn(
        &mut self,
        dice: &'p Node,
        without: &'p [Node],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        match &dice.kind {
            Kind::Dice { count, die } => {
                let later = live.and_all(without);
                let states = self.dice(count, die, true, dice.span, states, &later)?;
                let states = self.run_gone(without, states, live, span)?;
                let states = self.each(states, span, |machine, mut state, turn| {
                    let gone = machine.gone(&mut state, without.len(), span)?;
                    machine.draw_dice(&gone, without, state, turn)
                })?;
                self.meet(states, span)
            }
            Kind::Symbols { count, faces } => {
                self.symbols(count.as_deref(), faces, Some(without), span, states, live)
            }
            Kind::Tally { count, shape, fields, faces } => {
                self.tally(count, (shape, fields), faces, true, span, states, live)
            }
            // Only these are drawn.
            _ => Err(Failure::refused(FaultKind::NotKnown, span)),
        }
    }

    /// What is out of the bag, decided.
    pub(super) fn run_gone(
        &mut self,
        without: &'p [Node],
        states: States,
        live: &Live,
        span: Span,
    ) -> Outcome {
        let states = self.run_all(without, states, live)?;
        self.decided(states, without.len(), span)
    }

    /// Takes what is out of the bag off the stack: for each of so many values the faces.
    pub(super) fn gone(
        &mut self,
        state: &mut State,
        count: usize,
        span: Span,
    ) -> Result<Vec<Vec<Value>>, Failure> {
        let mut gone = Vec::with_capacity(count);
        for value in pop(state, count) {
            gone.push(match &value {
                Sym::Pool(lying) => match state.table(lying.var) {
                    Some(table) => self.shown(&table.with(&lying.later), span)?,
                    None => Vec::new(),
                },
                other => match other.to_value() {
                    Some(Value::List(items)) => items.iter().cloned().collect(),
                    _ => return Err(Failure::refused(FaultKind::NotKnown, span)),
                },
            });
        }
        Ok(gone)
    }

    /// Takes faces out of a bag; each was asked for by one of the nodes.
    pub(super) fn take_out(
        &self,
        bag: &mut [(Value, u64)],
        gone: &[Vec<Value>],
        without: &[Node],
        turn: &Turn<'_>,
    ) -> Done {
        let looked_up = gone.iter().map(Vec::len).sum::<usize>() as u64;
        self.pay((bag.len() as u64).saturating_mul(looked_up.saturating_add(1)), turn.span)?;
        for (faces, node) in gone.iter().zip(without) {
            for face in faces {
                match bag.iter_mut().find(|(known, copies)| known == face && *copies > 0) {
                    Some((_, copies)) => *copies -= 1,
                    None => {
                        let kind = FaultKind::NotInBag(face.clone());
                        return Err(Failure::new(kind, node.span, turn.weight.clone()));
                    }
                }
            }
        }
        Ok(())
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
        turn: &mut Turn<'_>,
    ) -> Done {
        let span = turn.span;
        let Some(Sym::Pool(pool)) = state.stack.last() else {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        };
        let var = pool.var;
        // Whether a bag holds enough depends on how many are drawn.
        if state.table(var).is_some_and(|table| table.random.is_some()) {
            return self.in_each_case(&state, var, turn, |machine, state, turn| {
                machine.draw_dice(gone, without, state, turn)
            });
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
            self.take_out(&mut faces, gone, without, turn)?;
            held = total(&faces);
            let left = faces.into_iter().filter_map(|(face, copies)| {
                face.as_number().map(|face| (face.to_rational(), copies))
            });
            // An empty bag is as good as any for none to be drawn.
            bag = bag_of(left.collect()).unwrap_or(bag);
        }
        holds(count, held, turn)?;
        pop(&mut state, 1);
        let groups = vec![(count, Source::Die(bag))];
        lay_table(&mut state, Table { groups, random: None, stages: vec![Stage::Drawn] });
        turn.go_on(state)
    }
}

/// A decided number of dice on top of the stack.
pub(super) fn pop_count(state: &mut State, weight: &Rational, span: Span) -> Result<u64, Failure> {
    let count = state.stack.pop().unwrap_or(Sym::Gone);
    whole_count(&count, weight, span)
}

pub(super) fn total(bag: &[(Value, u64)]) -> Natural {
    bag.iter().fold(Natural::ZERO, |sum, (_, copies)| sum + *copies)
}

/// Refuses to draw more than there is.
pub(super) fn holds(count: u64, held: Natural, turn: &Turn<'_>) -> Done {
    if Natural::from(count) <= held {
        return Ok(());
    }
    let held = u64::try_from(held).unwrap_or(u64::MAX);
    Err(turn.fails(FaultKind::EmptyBag(count, held)))
}
