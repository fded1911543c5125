//! The steps of a walk with a number of the carried value set apart ([`crate::code::part`]).

use std::sync::Arc;

use astragal_prob::pool::{Lift, LiftedEnds, LiftedSteps, Pool, WalkError, Way, walk_lifted};
use astragal_prob::{Meter, Rational};
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::super::Machine;
use super::Walked;
use super::step::{Carried, PlainSteps};
use crate::code::{Manner, Part, Reach, Store, Word};
use crate::failure::{Failure, too_much};
use crate::plan::Walk;
use crate::state::{Aside, State, Sym, Values};
use crate::ways;
use astragal_prob::Sums;

/// Steps on carried values whose number apart is one that changes nothing.
pub(super) struct StepsApart<'p> {
    way: &'p Walk,
    meter: &'p Meter,
    part: Part,
    /// The fields that are set apart, as one number: each times so much. None: all of the carried value is a number.
    fields: Vec<(usize, i64)>,
    nothing: Word,
    /// The carried value at first, and the number apart in it.
    start: Word,
    first: i64,
    plain: PlainSteps,
    pub(super) store: Store,
    carried: Carried,
    /// The same without what is not asked for at the end.
    pub(super) ends: Carried,
    end_of: Vec<Option<usize>>,
    /// How many dice of each pool show a face, in each lane.
    counts: Vec<Reach>,
    /// How many faces there are, and the records that were offered, by their numbers.
    faces: usize,
    offered: FxHashMap<i64, Word>,
}

impl<'p> StepsApart<'p> {
    /// None if nothing can be set apart.
    pub(super) fn of(machine: &mut Machine<'p>, way: &'p Walk, start: &State) -> Option<Self> {
        let part = machine.translated(way)?.apart?;
        let fields = part.field.iter().map(|field| (*field, 1)).collect();
        StepsApart::with(machine, way, start, (part, fields))
    }

    /// With these fields set apart, each times so much.
    pub(super) fn with(
        machine: &mut Machine<'p>,
        way: &'p Walk,
        start: &State,
        (part, fields): (Part, Vec<(usize, i64)>),
    ) -> Option<Self> {
        let translated = machine.translated(way)?;
        let mut store = translated.store.clone();
        let first = start.locals.get(way.carry.0 as usize).and_then(Sym::to_value)?;
        let first = store.word(&first);
        let nothing = Word::number(part.manner.nothing())?;
        let (number, core) = match fields.as_slice() {
            [] => (first.as_number()?, nothing),
            fields => {
                let number = number_in(fields, |field| store.field(first, *field)?.as_number())?;
                (number, without(&mut store, first, fields, nothing)?)
            }
        };
        let plain = PlainSteps::of(translated, way, start, &mut store)?;
        Some(StepsApart {
            meter: machine.meter,
            way,
            part,
            fields,
            nothing,
            start: first,
            first: number,
            plain,
            store,
            carried: Carried::starting_with(core),
            ends: Carried::default(),
            end_of: Vec::new(),
            counts: Vec::new(),
            faces: 0,
            offered: FxHashMap::default(),
        })
    }

    /// Where the walk ends, and its steps; none if it is no use to set numbers apart.
    pub(super) fn ends(
        mut self,
        pools: &[Pool],
        manner: &Way,
    ) -> Result<Option<(Self, LiftedEnds)>, Failure> {
        let (lift, meter) = (self.lift(), self.meter);
        let all: &mut dyn LiftedSteps<Error = Failure> = &mut self;
        match walk_lifted(pools, manner, lift, all, meter) {
            Ok(ends) => Ok(ends.map(|ends| (self, ends))),
            Err(WalkError::Step(failure)) => Err(failure),
            // Whatever it is, the walk without a number set apart says it.
            Err(WalkError::Pool(_)) => Ok(None),
        }
    }

    /// How the number apart changes, as a walk sees it: the lowest number is the highest of those below zero.
    fn lift(&self) -> Lift {
        match self.part.manner {
            Manner::Sum => Lift::Sum,
            _ => Lift::Highest,
        }
    }

    /// A number apart as a walk sees it; of records that are kept as a whole with the place of the face that
    /// offered it, or the place before all faces. None if that is too large.
    fn seen(&self, number: i64, face: Option<usize>) -> Option<i64> {
        let Manner::Best { highest, last } = self.part.manner else {
            return if self.part.manner == Manner::Lowest {
                number.checked_neg()
            } else {
                Some(number)
            };
        };
        let places = i64::try_from(self.faces + 1).ok()?;
        let place = face.map_or(0, |face| face as i64 + 1);
        let place = if last { place } else { places - 1 - place };
        let number = if highest { number } else { number.checked_neg()? };
        number.checked_mul(places)?.checked_add(place)
    }

    /// The states and what is added to the number apart in each lane.
    fn leads(&mut self, word: Word, next: &Reach, lanes: usize) -> Option<Vec<(usize, i64)>> {
        if self.fields.is_empty() {
            return (0..lanes).map(|lane| Some((0, next.in_lane(lane)?))).collect();
        }
        let mut fields = next.fields(&self.store)?;
        let by = self.fields.iter().map(|(field, times)| {
            let by = std::mem::replace(fields.get_mut(*field)?, Reach::Word(self.nothing));
            Some((by, *times))
        });
        let by: Vec<(Reach, i64)> = by.collect::<Option<_>>()?;
        let rows: Vec<&[i64]> = fields.iter().filter_map(Reach::as_row).collect();
        // The states by what varies in them.
        let mut known: FxHashMap<Vec<i64>, usize> = FxHashMap::default();
        let mut varied = Vec::with_capacity(rows.len());
        let mut leads = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            varied.clear();
            varied.extend(rows.iter().map(|row| row[lane]));
            let state = match known.get(&varied) {
                Some(state) => *state,
                None => {
                    let next = self.in_lane(word, &fields, lane)?;
                    let state = self.carried.number(next);
                    known.insert(varied.clone(), state);
                    state
                }
            };
            leads.push((state, number_in(&by, |by| by.in_lane(lane))?));
        }
        Some(leads)
    }

    /// The carried value with these fields in a lane. What a field is does not change from step to step.
    fn in_lane(&mut self, word: Word, fields: &[Reach], lane: usize) -> Option<Word> {
        self.store.with_fields(word, |words| {
            for (word, field) in words.iter_mut().zip(fields) {
                *word = match (field, word.as_bool()) {
                    (Reach::Word(field), _) => *field,
                    (field, Some(_)) => Word::bool(field.in_lane(lane)? != 0),
                    (field, None) => Word::number(field.in_lane(lane)?)?,
                };
            }
            Some(())
        })
    }

    fn pay(&self, cost: u64) -> Result<(), Failure> {
        self.meter.charge(cost).map_err(too_much(self.way.body.span))
    }

    /// What the walk comes to; none if a number has become too large.
    pub(super) fn walked(mut self, ends: LiftedEnds) -> Option<Walked> {
        // Without what is not asked for, several may be the same.
        let mut sums = Sums::default();
        for (end, apart, weight) in ends.weights {
            let word = match (self.part.manner, self.part.field) {
                (Manner::Best { .. }, _) => {
                    self.store.with_only(*self.offered.get(&apart)?, self.way.asked.as_deref())
                }
                (_, None) => Word::number(self.seen(apart, None)?)?,
                (_, Some(field)) => {
                    let number = Word::number(self.seen(apart, None)?)?;
                    self.store.with_field(self.ends.words[end], field, number)?
                }
            };
            sums.add(word, weight);
        }
        let values = Values::new(Arc::new(self.store), sums.list, ends.total);
        let end = (values.count() > 0).then(|| (values.into(), Rational::ONE));
        Some(Walked { end, aside: Aside::default() })
    }

    /// The carried value after a step, and what the step does to the number apart.
    fn next(&mut self, word: Word, face: usize, counts: &[u64]) -> Option<(Word, i64)> {
        let next = self.plain.next(word, face, counts, &mut self.store)?;
        if self.fields.is_empty() {
            return Some((word, self.seen(next.as_number()?, None)?));
        }
        let by = number_in(&self.fields, |field| self.store.field(next, *field)?.as_number())?;
        if let Manner::Best { .. } = self.part.manner {
            if next == word {
                return Some((word, i64::MIN));
            }
            let seen = self.seen(by, Some(face))?;
            return (*self.offered.entry(seen).or_insert(next) == next).then_some((word, seen));
        }
        let core = without(&mut self.store, next, &self.fields, self.nothing)?;
        Some((core, self.seen(by, None)?))
    }
}

impl LiftedSteps for StepsApart<'_> {
    type Error = Failure;

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        let value = |face: &Rational| Value::Number(Number::from(face.clone()));
        let faces: Vec<Value> = faces.iter().map(value).collect();
        self.faces = faces.len();
        let kinds = self.plain.kinds(&faces, &mut self.store);
        let Manner::Best { .. } = self.part.manner else { return kinds };
        // Which face offers a record is part of its number.
        self.offered.extend(self.first().map(|first| (first, self.start)));
        (0..faces.len()).collect()
    }

    fn first(&self) -> Option<i64> {
        self.seen(self.first, None)
    }

    fn step(
        &mut self,
        state: usize,
        face: usize,
        counts: &[u64],
    ) -> Result<Option<(usize, i64)>, Failure> {
        // A step may lead to a state that is new, and its number is looked up.
        self.pay(10 + 2 * self.plain.cost())?;
        let word = self.carried.words[state];
        let Some((next, by)) = self.next(word, face, counts) else { return Ok(None) };
        let next = if next == word { state } else { self.carried.number(next) };
        Ok(Some((next, by)))
    }

    fn all_steps(
        &mut self,
        state: usize,
        face: usize,
        tellings: &[usize],
    ) -> Result<Option<Vec<(usize, i64)>>, Failure> {
        let lanes: usize = tellings.iter().product();
        self.pay(1 + self.plain.cost().saturating_mul(lanes as u64) / 4)?;
        if self.counts.is_empty() {
            self.counts = counts_in_lanes(tellings, lanes);
        }
        let word = self.carried.words[state];
        let next = self.plain.reach(word, face, &self.counts, &mut self.store);
        Ok(next.and_then(|next| self.leads(word, &next, lanes)))
    }

    fn short_rows(&self) -> usize {
        let base = self.fields.iter().map(|(_, times)| *times).max().unwrap_or(0);
        base.saturating_mul(base).clamp(0, ways::LONGEST_ROW) as usize
    }

    fn end(&mut self, state: usize) -> usize {
        if let Some(end) = self.end_of.get(state).copied().flatten() {
            return end;
        }
        let end = self.store.with_only(self.carried.words[state], self.way.asked.as_deref());
        let number = self.ends.number(end);
        if self.end_of.len() <= state {
            self.end_of.resize(self.carried.words.len(), None);
        }
        self.end_of[state] = Some(number);
        number
    }
}

/// What fields are as one number: each times so much. Of several none may be below zero: they could not be told apart.
fn number_in<T>(fields: &[(T, i64)], own: impl Fn(&T) -> Option<i64>) -> Option<i64> {
    if let [(field, _)] = fields {
        return own(field);
    }
    fields.iter().try_fold(0i64, |sum, (field, times)| {
        let own = own(field).filter(|own| *own >= 0)?;
        sum.checked_add(own.checked_mul(*times)?)
    })
}

/// The record with something that changes nothing in these fields.
fn without(
    store: &mut Store,
    record: Word,
    fields: &[(usize, i64)],
    nothing: Word,
) -> Option<Word> {
    store.with_fields(record, |words| {
        fields.iter().try_for_each(|(field, _)| words.get_mut(*field).map(|word| *word = nothing))
    })
}

/// How many dice of each pool show a face, in each lane; the first pool has the most weight. There is nothing to step
/// over with no dice at all, and that lane has a die too.
fn counts_in_lanes(tellings: &[usize], lanes: usize) -> Vec<Reach> {
    let mut stride = lanes;
    let mut counts: Vec<Vec<i64>> = Vec::with_capacity(tellings.len());
    for &size in tellings {
        stride /= size;
        counts.push((0..lanes).map(|lane| (lane / stride % size) as i64).collect());
    }
    if let Some(last) = counts.last_mut() {
        last[0] = 1;
    }
    counts.into_iter().map(Reach::row).collect()
}
