//! The steps of a walk with a number of the carried value set apart ([`crate::plain::part`]).

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::pool::{Lift, LiftedEnds, LiftedSteps};
use astragal_prob::{Meter, Natural, Rational};
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::super::Machine;
use super::Walked;
use super::step::{Carried, Common, Numbers, PlainSteps, Translated};
use crate::failure::{Failure, over_budget};
use crate::plain::{Lane, Manner, Part, Store, Word};
use crate::plan::Walk;
use crate::state::{Aside, State, Sym, Values};
use crate::ways;

/// Steps on carried values whose number apart is one that changes nothing.
pub(super) struct StepsApart<'m, 'p> {
    way: &'p Walk,
    meter: &'m Meter,
    part: Part,
    nothing: Word,
    /// The carried value at first, and the number apart in it.
    start: Word,
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
    end_of: Vec<Option<usize>>,
    /// What the steps on some faces have in common.
    common: Option<(Vec<usize>, Option<Common>)>,
    /// How many faces there are, and the records that were offered, by their numbers.
    faces: usize,
    offered: FxHashMap<i64, Word>,
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
            start: first,
            first: number,
            translated,
            plain,
            store,
            carried: vec![core],
            known: Numbers::starting_with(Carried::Value(core)),
            ends: Vec::new(),
            known_ends: Numbers::new(),
            end_of: Vec::new(),
            common: None,
            faces: 0,
            offered: FxHashMap::default(),
        })
    }

    /// How the number apart changes, as a walk sees it: the lowest number is the highest of those below zero.
    pub(super) fn lift(&self) -> Lift {
        match self.part.manner {
            Manner::Sum => Lift::Sum,
            Manner::Highest | Manner::Lowest | Manner::Best { .. } => Lift::Highest,
        }
    }

    /// A number apart as a walk sees it; of records that are kept as a whole with the place of the face that
    /// offered it, or the place before all faces. None if that is too large.
    fn seen(&self, number: i64, face: Option<usize>) -> Option<i64> {
        let (highest, last) = match self.part.manner {
            Manner::Sum | Manner::Highest => return Some(number),
            Manner::Lowest => return number.checked_neg(),
            Manner::Best { highest, last } => (highest, last),
        };
        let places = i64::try_from(self.faces + 1).ok()?;
        let place = face.map_or(0, |face| face as i64 + 1);
        let place = if last { place } else { places - 1 - place };
        let number = if highest { number } else { number.checked_neg()? };
        number.checked_mul(places)?.checked_add(place)
    }

    /// The fields of the carried values after many steps from one.
    fn in_lanes(
        &mut self,
        state: usize,
        faces: &[usize],
        tellings: &[usize],
    ) -> Result<Option<Vec<Lane>>, Failure> {
        if let Manner::Best { .. } = self.part.manner {
            return Ok(None);
        }
        let each: usize = tellings.iter().product();
        let cost = self.translated.cost.saturating_mul((each * faces.len()) as u64);
        let paid = self.meter.charge(1 + cost / 2);
        paid.map_err(|refusal| Failure::refused(over_budget(refusal), self.way.body.span))?;
        let same = |(known, _): &(Vec<usize>, Option<Common>)| known == faces;
        if !self.common.as_ref().is_some_and(same) {
            let counts = counts_in_lanes(tellings, each, faces.len());
            self.common = Some((faces.to_vec(), self.plain.lanes(faces, counts, each)));
        }
        let common = self.common.as_ref().and_then(|(_, common)| common.as_ref());
        let word = self.carried[state];
        Ok(common.and_then(|common| self.plain.next_in_lanes(word, common, &self.store)))
    }

    /// The states and the changes of the number apart in each lane.
    fn leads(&mut self, word: Word, fields: &[Lane], lanes: usize) -> Option<Vec<(usize, i64)>> {
        let by = &fields[self.part.field.unwrap_or(0)];
        let sign = if self.part.manner == Manner::Lowest { -1 } else { 1 };
        if self.part.field.is_none() {
            return Some((0..lanes).map(|lane| (0, sign * by.at(lane))).collect());
        }
        // The states by what varies in them.
        let mut places = 1usize;
        let mut varied = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            if Some(at) != self.part.field && matches!(field, Lane::Many(_)) {
                let (low, high) = field.bounds();
                let span = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
                varied.push((field, low, places));
                places = places.checked_mul(span).filter(|places| *places <= ways::MOST_PLACES)?;
            }
        }
        let mut states = vec![None; places];
        let mut leads = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            let varied = varied.iter();
            let place: usize =
                varied.map(|(field, low, stride)| (field.at(lane) - low) as usize * stride).sum();
            let state = match states[place] {
                Some(state) => state,
                None => {
                    let state = self.state_of(word, fields, lane)?;
                    states[place] = Some(state);
                    state
                }
            };
            leads.push((state, sign * by.at(lane)));
        }
        Some(leads)
    }

    /// The number of the state whose carried value has these fields.
    fn state_of(&mut self, word: Word, fields: &[Lane], lane: usize) -> Option<usize> {
        let mut words = Vec::with_capacity(fields.len());
        for (at, field) in fields.iter().enumerate() {
            // What a field is does not change from step to step.
            words.push(match (field, self.store.field(word, at)?.as_bool()) {
                _ if Some(at) == self.part.field => self.nothing,
                (Lane::Nothing, _) => Word::NONE,
                (field, Some(_)) => Word::bool(field.at(lane) != 0),
                (field, None) => Word::number(field.at(lane))?,
            });
        }
        let next = self.store.with_fields(word, &words)?;
        let number = self.known.number(Carried::Value(next), self.carried.len());
        if number == self.carried.len() {
            self.carried.push(next);
        }
        Some(number)
    }

    /// What the walk comes to; none if a number has become too large.
    pub(super) fn walked(mut self, ends: LiftedEnds) -> Option<Walked> {
        let mut weights: Vec<(Word, Natural)> = Vec::with_capacity(ends.weights.len());
        let mut places: FxHashMap<Word, usize> = FxHashMap::default();
        for (end, apart, weight) in ends.weights {
            let word = match (self.part.manner, self.part.field) {
                (Manner::Best { .. }, _) => {
                    let asked = self.way.asked.as_deref();
                    let word = self.store.with_only(*self.offered.get(&apart)?, asked);
                    // Without what is not asked for, several may be the same.
                    let place = *places.entry(word).or_insert(weights.len());
                    if let Some((_, known)) = weights.get_mut(place) {
                        *known += weight;
                        continue;
                    }
                    word
                }
                (_, None) => Word::number(self.seen(apart, None)?)?,
                (_, Some(field)) => {
                    let number = Word::number(self.seen(apart, None)?)?;
                    self.store.with_field(self.ends[end], field, number)?
                }
            };
            weights.push((word, weight));
        }
        let values = Values::new(Arc::new(self.store), weights, ends.total);
        let end = (values.count() > 0).then(|| (values.into(), Rational::ONE));
        Some(Walked { end, aside: Aside::default() })
    }

    /// A step where records are kept as a whole: what it offers, if anything.
    fn offer(&mut self, face: usize, counts: &[u64]) -> Option<i64> {
        let word = self.carried[0];
        let next = self.plain.next(word, face, counts, &mut self.store)?;
        if next == word {
            return Some(i64::MIN);
        }
        let number = self.store.field(next, self.part.field?)?.as_number()?;
        let seen = self.seen(number, Some(face))?;
        (*self.offered.entry(seen).or_insert(next) == next).then_some(seen)
    }
}

impl LiftedSteps for StepsApart<'_, '_> {
    type Error = Failure;

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        let value = |face: &Rational| Value::Number(Number::from(face.clone()));
        let faces: Vec<Value> = faces.iter().map(value).collect();
        self.faces = faces.len();
        let kinds = self.plain.kinds(&faces, &mut self.store);
        if let Manner::Best { .. } = self.part.manner {
            let Some(first) = self.first() else { return kinds };
            self.offered.insert(first, self.start);
            return (0..faces.len()).collect();
        }
        kinds
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
        let paid = self.meter.charge(10 + 2 * self.translated.cost);
        paid.map_err(|refusal| Failure::refused(over_budget(refusal), self.way.body.span))?;
        if let Manner::Best { .. } = self.part.manner {
            return Ok(self.offer(face, counts).map(|offer| (0, offer)));
        }
        let word = self.carried[state];
        let plain = &mut self.plain;
        let next = plain.next_apart(word, face, counts, self.part, self.nothing, &mut self.store);
        let Some((next, by)) = next else { return Ok(None) };
        let Some(by) = self.seen(by, None) else { return Ok(None) };
        if next == word {
            return Ok(Some((state, by)));
        }
        let number = self.known.number(Carried::Value(next), self.carried.len());
        if number == self.carried.len() {
            self.carried.push(next);
        }
        Ok(Some((number, by)))
    }

    fn all_steps(
        &mut self,
        state: usize,
        face: usize,
        tellings: &[usize],
    ) -> Result<Option<Vec<(usize, i64)>>, Failure> {
        let lanes = tellings.iter().product();
        let fields = self.in_lanes(state, &[face], tellings)?;
        let word = self.carried[state];
        Ok(fields.and_then(|fields| self.leads(word, &fields, lanes)))
    }

    fn foresee(
        &mut self,
        state: usize,
        faces: &[usize],
        tellings: &[usize],
    ) -> Result<Option<Vec<i64>>, Failure> {
        // Where steps see only whether there are dice, there is one thing to tell.
        let tellings = if tellings == [2] { &[1] } else { tellings };
        let lanes = faces.len() * tellings.iter().product::<usize>();
        let Some(fields) = self.in_lanes(state, faces, tellings)? else { return Ok(None) };
        let (word, apart) = (self.carried[state], self.part.field);
        // What the fields are where nothing changes.
        let before = (0..fields.len()).map(|at| match apart {
            None => None,
            Some(field) if at == field => None,
            Some(_) => self.store.field(word, at).and_then(Word::as_plain),
        });
        let before: Vec<Option<i64>> = before.collect();
        let mut does = Vec::with_capacity(lanes * fields.len());
        for lane in 0..lanes {
            let fields = fields.iter().zip(&before).enumerate();
            let stays = fields.clone().all(|(at, (field, before))| {
                Some(at) == apart || apart.is_none() || *before == Some(field.at(lane))
            });
            does.extend(fields.map(|(at, (field, _))| match stays && Some(at) != apart {
                true => i64::MAX,
                false => field.at(lane),
            }));
        }
        Ok(Some(does))
    }

    fn end(&mut self, state: usize) -> usize {
        if let Some(end) = self.end_of.get(state).copied().flatten() {
            return end;
        }
        let end = self.store.with_only(self.carried[state], self.way.asked.as_deref());
        let number = self.known_ends.number(Carried::Value(end), self.ends.len());
        if number == self.ends.len() {
            self.ends.push(end);
        }
        if self.end_of.len() <= state {
            self.end_of.resize(self.carried.len(), None);
        }
        self.end_of[state] = Some(number);
        number
    }
}

/// How many dice of each pool show a face, in each lane; the first pool has the most weight, and the same is
/// repeated for each face. There is nothing to step over with no dice at all, and that lane has a die too.
fn counts_in_lanes(tellings: &[usize], each: usize, faces: usize) -> Vec<Lane> {
    let mut stride = each;
    let mut counts: Vec<Vec<i64>> = Vec::with_capacity(tellings.len());
    for &size in tellings {
        stride /= size;
        let count = |lane: usize| (lane / stride % size) as i64;
        counts.push((0..each).map(count).collect());
    }
    if let Some(last) = counts.last_mut() {
        last[0] = 1;
    }
    counts.into_iter().map(|counts| Lane::many(counts.repeat(faces))).collect()
}
