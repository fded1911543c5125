//! The steps of a walk with a number of the carried value set apart ([`crate::plain::part`]).

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::pool::{Apart, Lift, LiftedEnds, LiftedSteps};
use astragal_prob::{Meter, Natural, Rational};
use astragal_value::{Number, Value};

use super::super::Machine;
use super::Walked;
use super::step::{Carried, Numbers, PlainSteps, Translated};
use crate::failure::{Failure, over_budget};
use crate::plain::{Manner, Part, Store, Word};
use crate::plan::Walk;
use crate::state::{Aside, State, Sym, Values};

/// Steps on carried values whose number apart is one that changes nothing.
pub(super) struct StepsApart<'m, 'p> {
    way: &'p Walk,
    meter: &'m Meter,
    part: Part,
    nothing: Word,
    first: i64,
    translated: Rc<Translated>,
    plain: PlainSteps,
    store: Store,
    /// The states of the walk, and their numbers.
    carried: Vec<Word>,
    known: Numbers,
    /// The same without what is not asked for at the end.
    ends: Vec<Word>,
    known_ends: Numbers,
}

impl<'m, 'p> StepsApart<'m, 'p> {
    /// None if nothing can be set apart.
    pub(super) fn of(
        machine: &mut Machine<'p>,
        meter: &'m Meter,
        way: &'p Walk,
        start: &State,
    ) -> Option<Self> {
        let translated = machine.translated(way)?;
        let part = translated.apart?;
        let mut store = translated.store.clone();
        let first = start.locals.get(way.carry.0 as usize).and_then(Sym::to_value)?;
        let first = store.word(&first);
        let nothing = Word::number(part.manner.nothing())?;
        let (number, core) = match part.field {
            None => (first, nothing),
            Some(field) => (store.field(first, field)?, store.with_field(first, field, nothing)?),
        };
        let number = number.as_number()?;
        let plain = PlainSteps::of(Rc::clone(&translated), way, start, &mut store)?;
        Some(StepsApart {
            meter,
            way,
            part,
            nothing,
            first: number,
            translated,
            plain,
            store,
            carried: vec![core],
            known: Numbers::starting_with(Carried::Value(core)),
            ends: Vec::new(),
            known_ends: Numbers::new(),
        })
    }

    /// The number apart, as a walk sees it: the lowest number is the highest of those below zero.
    pub(super) fn apart(&self) -> Apart {
        match self.part.manner {
            Manner::Sum => Apart { lift: Lift::Sum, first: self.first },
            Manner::Highest => Apart { lift: Lift::Highest, first: self.first },
            Manner::Lowest => Apart { lift: Lift::Highest, first: -self.first },
        }
    }

    /// What the walk comes to; none if a number has become too large.
    pub(super) fn walked(mut self, ends: LiftedEnds) -> Option<Walked> {
        let number = |number: i64| match self.part.manner {
            Manner::Sum | Manner::Highest => Word::number(number),
            Manner::Lowest => Word::number(number.checked_neg()?),
        };
        let mut weights: Vec<(Word, Natural)> = Vec::with_capacity(ends.weights.len());
        for (end, apart, weight) in ends.weights {
            let number = number(apart)?;
            let word = match self.part.field {
                None => number,
                Some(field) => self.store.with_field(self.ends[end], field, number)?,
            };
            weights.push((word, weight));
        }
        let values = Values::new(Arc::new(self.store), weights, ends.total);
        let end = (values.count() > 0).then(|| (values.into(), Rational::ONE));
        Some(Walked { end, aside: Aside::default() })
    }
}

impl LiftedSteps for StepsApart<'_, '_> {
    type Error = Failure;

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        let value = |face: &Rational| Value::Number(Number::from(face.clone()));
        let faces: Vec<Value> = faces.iter().map(value).collect();
        self.plain.kinds(&faces, &mut self.store)
    }

    fn step(
        &mut self,
        state: usize,
        face: usize,
        counts: &[u64],
    ) -> Result<Option<(usize, i64)>, Failure> {
        let cost = self.translated.cost;
        let paid = self.meter.charge(cost);
        paid.map_err(|refusal| Failure::refused(over_budget(refusal), self.way.body.span))?;
        let word = self.carried[state];
        let plain = &mut self.plain;
        let next = plain.next_apart(word, face, counts, self.part, self.nothing, &mut self.store);
        let Some((next, by)) = next else { return Ok(None) };
        let by = if self.part.manner == Manner::Lowest { -by } else { by };
        if next == word {
            return Ok(Some((state, by)));
        }
        let number = self.known.number(Carried::Value(next), self.carried.len());
        if number == self.carried.len() {
            self.carried.push(next);
        }
        Ok(Some((number, by)))
    }

    fn end(&mut self, state: usize) -> usize {
        let end = self.store.with_only(self.carried[state], self.way.asked.as_deref());
        let number = self.known_ends.number(Carried::Value(end), self.ends.len());
        if number == self.ends.len() {
            self.ends.push(end);
        }
        number
    }
}
