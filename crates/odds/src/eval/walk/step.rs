//! The steps of a walk: the carried value after one face.
//!
//! A step that needs nothing but plain expressions is translated once for the walk ([`crate::plain`]). One
//! that fails, or holds what cannot be translated, is run as any other part of the program.

mod names;

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::pool::{Ends, Named, Steps};
use astragal_prob::{Natural, Rational, Rent};
use astragal_program::core::LocalId;
use astragal_program::fault::FaultKind;
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::super::call::variables;
use super::super::fold::set;
use super::super::{Live, Machine};
use super::Walked;
use crate::failure::{Failure, over_budget};
use crate::plain::{Kept, Lane, Lanes, Part, Program, Runner, Store, Stored, Word, compile, part};
use crate::plan::Walk;
use crate::state::{Aside, State, States, Sym, Values};
use crate::ways;
use names::Namer;

/// The steps of a walk from given variables.
pub(super) struct StepsOfWalk<'m, 'p> {
    machine: &'m mut Machine<'p>,
    way: &'p Walk,
    start: &'m State,
    store: Store,
    plain: Option<PlainSteps>,
    /// The states of the walk, and their numbers.
    carried: Vec<Carried>,
    known: Numbers,
    stops: Vec<Stop>,
    faces: Vec<Value>,
    /// Whether every step so far was plain.
    all_plain: bool,
    /// What states with names are, and what several steps at once come to.
    named: Stored,
    words: Vec<Word>,
    /// What values took when it was last paid for.
    bytes: u64,
    others: u64,
    rent: Rent,
}

/// The step of a walk as code, and the values in it.
#[derive(Debug)]
pub(in crate::eval) struct Translated {
    program: Program,
    pub(super) store: Store,
    pub(super) cost: u64,
    /// What can be set apart from the carried value.
    pub(super) apart: Option<Part>,
    /// Whether two steps commute, and whether a die more is a round more (see [`crate::plain`]).
    commutes: bool,
    goes_on: bool,
}

/// Translated steps of a walk from given variables.
pub(super) struct PlainSteps {
    translated: Rc<Translated>,
    runner: Runner,
    /// The terms for each face, and the face whose terms the runner has.
    terms: Vec<Vec<Option<Word>>>,
    face: Option<usize>,
}

/// What many steps have in common, from whichever carried value: the numbers of dice and the terms.
pub(super) struct Common {
    slots: Vec<(u32, Lane)>,
    terms: Vec<(u32, Lane)>,
}

/// A state of a walk: a carried value, or what stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Carried {
    Value(Word),
    /// A failure, or evidence that does not hold.
    Stopped(usize),
}

/// Why a walk does not go on.
enum Stop {
    Failed(Failure),
    Rejected(Failure),
}

impl Stop {
    fn is_same(&self, other: &Stop) -> bool {
        match (self, other) {
            (Stop::Failed(a), Stop::Failed(b)) => a.is_same(b),
            (Stop::Rejected(_), Stop::Rejected(_)) => true,
            _ => false,
        }
    }
}

/// What a step comes to.
enum Stepped {
    Value(Value),
    Stopped(Stop),
}

/// Where the variables of a step stand: what is carried, the face, the counts, then all others.
const CARRY: usize = 0;
const FACE: usize = 1;
const COUNTS: usize = 2;

impl<'m, 'p> StepsOfWalk<'m, 'p> {
    pub(super) fn new(machine: &'m mut Machine<'p>, way: &'p Walk, start: &'m State) -> Self {
        let translated = machine.translated(way);
        let mut store = match &translated {
            Some(translated) => translated.store.clone(),
            None => Store::new(),
        };
        let first = start.locals.get(way.carry.0 as usize).and_then(Sym::to_value);
        let first = Carried::Value(store.word(&first.unwrap_or(Value::None)));
        let plain = translated.and_then(|code| PlainSteps::of(code, way, start, &mut store));
        let named = match first {
            Carried::Value(word) => word.as_stored().map(|(kind, _)| kind),
            Carried::Stopped(_) => None,
        };
        let (bytes, others, rent) = (store.bytes(), store.others(), machine.meter.rent());
        StepsOfWalk {
            machine,
            way,
            start,
            store,
            plain,
            carried: vec![first],
            known: Numbers::starting_with(first),
            stops: Vec::new(),
            faces: Vec::new(),
            all_plain: true,
            named: named.unwrap_or(Stored::List),
            words: Vec::new(),
            bytes,
            others,
            rent,
        }
    }

    fn next(&mut self, word: Word, face: usize, counts: &[u64]) -> Result<Carried, Failure> {
        if let Some(plain) = &mut self.plain {
            let next = plain.next(word, face, counts, &mut self.store);
            let cost = plain.translated.cost + plain.runner.folded;
            self.pay(cost)?;
            if let Some(next) = next {
                return Ok(Carried::Value(next));
            }
        }
        self.all_plain = false;
        let carried = Sym::from_value(&self.store.value(word));
        let face = self.faces.get(face).cloned().unwrap_or(Value::None);
        Ok(match self.machine.step_of_walk(self.way, self.start, carried, face, counts)? {
            Stepped::Value(value) => Carried::Value(self.store.word(&value)),
            Stepped::Stopped(stop) => {
                let same = self.stops.iter().position(|known| known.is_same(&stop));
                Carried::Stopped(same.unwrap_or_else(|| {
                    self.stops.push(stop);
                    self.stops.len() - 1
                }))
            }
        })
    }

    /// The number of a state, which may be new.
    fn number(&mut self, state: Carried) -> usize {
        let number = self.known.number(state, self.carried.len());
        if number == self.carried.len() {
            self.carried.push(state);
        }
        number
    }

    fn pay(&mut self, cost: u64) -> Result<(), Failure> {
        const BYTES_IN_A_STEP: u64 = 8;
        const STEPS_OF_ANOTHER: u64 = 40;
        let meter = self.machine.meter;
        // What is new is written down, and looked up to see that it is new.
        let bytes = self.store.bytes() + (self.carried.len() * 4 * size_of::<Carried>()) as u64;
        let new = bytes.saturating_sub(self.bytes) / BYTES_IN_A_STEP;
        let others = (self.store.others() - self.others) * STEPS_OF_ANOTHER;
        (self.bytes, self.others) = (bytes, self.store.others());
        let paid = meter.charge(4 + cost + new + others);
        let paid = paid.and_then(|()| self.rent.grow(bytes + bytes / 2, meter));
        paid.map_err(|refusal| Failure::refused(over_budget(refusal), self.way.body.span))
    }

    /// The same ends with states that have numbers instead of names.
    pub(super) fn numbered(&mut self, ends: Ends) -> Ends {
        let named = match ends.named {
            Named::Words(words) => {
                words.into_iter().map(|(name, word)| (name, word.into())).collect()
            }
            Named::Any(named) => named,
        };
        let kind = self.named;
        let number =
            |(name, weight)| (self.number(Carried::Value(Word::stored(kind, name))), weight);
        let weights = ends.weights.into_iter().chain(named.into_iter().map(number)).collect();
        Ends { weights, total: ends.total, ..Ends::default() }
    }

    /// What the walk comes to, with the chance of what was given up.
    pub(super) fn walked(mut self, ends: Ends, lost: Rational) -> Walked {
        let mut aside = Aside { lost, ..Aside::default() };
        // Weights that are words stay words: there may be very many.
        if let Named::Words(words) = ends.named {
            let sum: u128 = words.iter().map(|(_, weight)| u128::from(*weight)).sum();
            let kind = self.named;
            let words = words.into_iter().map(|(name, weight)| (Word::stored(kind, name), weight));
            let values = Values::of_words(Arc::new(self.store), words.collect(), sum.into());
            return Walked::of(values, &Rational::from(ends.total), aside);
        }
        let ends = self.numbered(ends);
        let total = Rational::from(ends.total);
        let mut weights = Vec::with_capacity(ends.weights.len());
        let mut sum = Natural::ZERO;
        for (state, weight) in ends.weights {
            match self.carried[state] {
                Carried::Value(word) => {
                    sum += &weight;
                    weights.push((word, weight));
                }
                Carried::Stopped(at) => {
                    let chance = Rational::from(weight) / &total;
                    match &self.stops[at] {
                        Stop::Failed(failure) => aside.fail(Failure { chance, ..failure.clone() }),
                        Stop::Rejected(rejected) => {
                            aside.reject(Failure { chance, ..rejected.clone() });
                        }
                    }
                }
            }
        }
        Walked::of(Values::new(Arc::new(self.store), weights, sum), &total, aside)
    }
}

impl Steps for StepsOfWalk<'_, '_> {
    type Error = Failure;

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        let value = |face: &Rational| Value::Number(Number::from(face.clone()));
        self.faces = faces.iter().map(value).collect();
        match &mut self.plain {
            Some(plain) => plain.kinds(&self.faces, &mut self.store),
            None if self.way.body.free.contains(self.way.face) => (0..faces.len()).collect(),
            None => vec![0; faces.len()],
        }
    }

    fn step(&mut self, state: usize, face: usize, counts: &[u64]) -> Result<usize, Failure> {
        let next = match self.carried[state] {
            stopped @ Carried::Stopped(_) => stopped,
            Carried::Value(word) => self.next(word, face, counts)?,
        };
        if next == self.carried[state] {
            return Ok(state);
        }
        Ok(self.number(next))
    }

    fn repeated(
        &mut self,
        mut state: usize,
        count: u64,
        times: usize,
        leads: &mut Vec<usize>,
    ) -> Result<(), Failure> {
        let end = leads.len() + times;
        if let (Carried::Value(word), Some(plain)) = (self.carried[state], &mut self.plain) {
            self.words.clear();
            plain.repeated(word, count, times, &mut self.words, &mut self.store);
            let taken = self.words.len();
            let cost = plain.translated.cost * taken as u64 + plain.runner.folded;
            self.pay(cost)?;
            for at in 0..taken {
                state = self.number(Carried::Value(self.words[at]));
                leads.push(state);
            }
        }
        // What is not plain, and what changes nothing any more.
        while leads.len() < end {
            let next = self.step(state, 0, &[count])?;
            if next == state {
                leads.resize(end, state);
            } else {
                leads.push(next);
            }
            state = next;
        }
        Ok(())
    }

    /// A state is named by its number in the store, if it is a list, or a record with one: such values seldom meet.
    fn first_name(&self) -> Option<u32> {
        let Some(Carried::Value(word)) = self.carried.first() else { return None };
        let stored =
            word.as_stored().filter(|_| self.plain.is_some() && self.store.has_list(*word));
        stored.map(|(_, number)| number as u32)
    }

    fn expect_names(&mut self, count: usize) {
        if self.named == Stored::List {
            self.store.expect_lists(count);
        }
    }

    fn new_names(
        &mut self,
        face: usize,
        from: &[(u32, u32)],
        all: bool,
        names: &mut Vec<u32>,
    ) -> Result<bool, Failure> {
        let Some(plain) = &mut self.plain else { return Ok(false) };
        let known = self.store.count(self.named);
        let namer = Namer { kind: self.named, known, all, names, cost: 0 };
        let (new, cost) = plain.new_names(face, from, namer, &mut self.words, &mut self.store);
        self.pay(cost)?;
        Ok(new.is_some())
    }

    fn commute(&self) -> bool {
        self.all_plain && self.plain.as_ref().is_some_and(|plain| plain.translated.commutes)
    }
}

/// The numbers of the states of a walk.
pub(super) struct Numbers {
    /// By the numbers of lists and of records in the store; [`NEW`]: no state.
    lists: Vec<u32>,
    records: Vec<u32>,
    others: FxHashMap<Carried, usize>,
}

/// No state yet.
const NEW: u32 = u32::MAX;

impl Numbers {
    pub(super) fn new() -> Numbers {
        Numbers { lists: Vec::new(), records: Vec::new(), others: FxHashMap::default() }
    }

    pub(super) fn starting_with(first: Carried) -> Numbers {
        let mut numbers = Numbers::new();
        numbers.number(first, 0);
        numbers
    }

    /// The number of a state, which is `next` if it is new.
    pub(super) fn number(&mut self, state: Carried, next: usize) -> usize {
        let stored = match state {
            Carried::Value(word) => word.as_stored(),
            Carried::Stopped(_) => None,
        };
        let (numbers, at) = match stored {
            Some((Stored::List, at)) => (&mut self.lists, at),
            Some((Stored::Record, at)) => (&mut self.records, at),
            None => return *self.others.entry(state).or_insert(next),
        };
        if numbers.len() <= at {
            numbers.resize((at + 1).max(2 * numbers.len()), NEW);
        }
        if numbers[at] == NEW {
            numbers[at] = u32::try_from(next).unwrap_or(NEW);
        }
        numbers[at] as usize
    }
}

impl PlainSteps {
    pub(super) fn of(
        translated: Rc<Translated>,
        way: &Walk,
        start: &State,
        store: &mut Store,
    ) -> Option<Self> {
        let mut runner = Runner::new(translated.program.slots);
        for (slot, local) in outside(way).enumerate() {
            let value = start.locals.get(local.0 as usize)?.to_value()?;
            runner.set(COUNTS + way.counts.len() + slot, store.word(&value));
        }
        Some(PlainSteps { translated, runner, terms: Vec::new(), face: None })
    }

    pub(super) fn kinds(&mut self, faces: &[Value], store: &mut Store) -> Vec<usize> {
        self.terms.clear();
        self.face = None;
        let mut kinds: FxHashMap<Vec<Option<Word>>, usize> = FxHashMap::default();
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let mut numbers = Vec::with_capacity(faces.len());
        for face in faces {
            self.runner.set(FACE, store.word(face));
            let program = &self.translated.program;
            let terms = self.runner.work_out(&program.terms, store);
            let used: Vec<Option<Word>> =
                program.used.iter().map(|term| terms[*term as usize]).collect();
            // Where a term has no value, the step may still have one, in the general way.
            let plain = used.iter().all(Option::is_some);
            numbers.push(if plain { *kinds.entry(used).or_insert_with(&mut next) } else { next() });
            self.terms.push(terms);
        }
        numbers
    }

    pub(super) fn next(
        &mut self,
        word: Word,
        face: usize,
        counts: &[u64],
        store: &mut Store,
    ) -> Option<Word> {
        self.set(word, face, counts)?;
        self.runner.run(&self.translated.program.code, store)
    }

    /// The carried value after a step and what the step does to the part that is set apart.
    pub(super) fn next_apart(
        &mut self,
        word: Word,
        face: usize,
        counts: &[u64],
        part: Part,
        nothing: Word,
        store: &mut Store,
    ) -> Option<(Word, i64)> {
        self.set(word, face, counts)?;
        self.runner.run_apart(&self.translated.program.code, part, nothing, store)
    }

    /// What steps on each of these faces with each of these numbers of dice have in common.
    pub(super) fn lanes(&self, faces: &[usize], counts: Vec<Lane>, each: usize) -> Option<Common> {
        let slots = counts.into_iter().enumerate();
        let slots = slots.map(|(at, lane)| ((COUNTS + at) as u32, lane)).collect();
        let used = &self.translated.program.used;
        let mut terms = Vec::with_capacity(used.len());
        for &term in used {
            let word = |face: &usize| self.terms.get(*face)?[term as usize];
            let words = faces.iter().map(word).collect::<Option<Vec<Word>>>()?;
            terms.push((term, Lane::of(&words, each)?));
        }
        Some(Common { slots, terms })
    }

    /// The fields of the carried values after many steps from one.
    pub(super) fn next_in_lanes(
        &self,
        word: Word,
        common: &Common,
        store: &Store,
    ) -> Option<Vec<Lane>> {
        let carried = (CARRY as u32, word);
        let mut lanes = Lanes::new(store, &common.terms, carried, common.slots.clone());
        lanes.fields(&self.translated.program.code)
    }

    /// Sets the terms and the carried value of a step.
    fn begin(&mut self, word: Word, face: usize) -> Option<()> {
        if self.face != Some(face) {
            self.runner.set_terms(self.terms.get(face)?);
            self.face = Some(face);
        }
        self.runner.begin();
        self.runner.set(CARRY, word);
        Some(())
    }

    /// The values after one step, two steps and so on with so many dice, until something is not plain or changes
    /// nothing.
    fn repeated(
        &mut self,
        mut word: Word,
        count: u64,
        times: usize,
        words: &mut Vec<Word>,
        store: &mut Store,
    ) -> Option<()> {
        self.begin(word, 0)?;
        self.runner.set(COUNTS, Word::number(i64::try_from(count).ok()?)?);
        for _ in 0..times {
            self.runner.set(CARRY, word);
            let next = self.runner.run(&self.translated.program.code, store)?;
            if next == word {
                break;
            }
            words.push(next);
            word = next;
        }
        Some(())
    }

    /// Sets the variables of a step.
    fn set(&mut self, word: Word, face: usize, counts: &[u64]) -> Option<()> {
        self.begin(word, face)?;
        for (at, count) in counts.iter().enumerate() {
            self.runner.set(COUNTS + at, Word::number(i64::try_from(*count).ok()?)?);
        }
        Some(())
    }
}

/// The variables from outside that the step of a walk reads.
fn outside(way: &Walk) -> impl Iterator<Item = LocalId> {
    let bound = way.bound();
    way.body.free.iter().filter(move |local| !bound.contains(local))
}

impl<'p> Machine<'p> {
    /// The step of a walk as code, if it is plain.
    pub(super) fn translated(&mut self, way: &'p Walk) -> Option<Rc<Translated>> {
        let key = way.body.id;
        if let Some(known) = self.steps.get(&key) {
            return known.clone();
        }
        let mut store = Store::new();
        let kept = |at: usize| if at == FACE { Kept::Yes } else { Kept::No };
        let bound = way.bound().into_iter().enumerate().map(|(at, local)| (local, kept(at)));
        let outside = outside(way).map(|local| (local, Kept::Yes));
        let variables: Vec<(LocalId, Kept)> = bound.chain(outside).collect();
        let program = match self.meter.may(ways::STEPS_AS_CODE) {
            true => compile(&way.body, &variables, self.plan, &mut store),
            false => None,
        };
        let translated = program.map(|program| {
            self.meter.took(ways::STEPS_AS_CODE);
            // What a machine does in a few moments is less than a step.
            let cost = 1 + program.code.size() / 8;
            let commutes = program.code.commutes(CARRY as u32);
            let goes_on = way.counts.len() == 1 && program.code.goes_on_by(COUNTS as u32);
            let apart = part(&program.code, CARRY as u32);
            Rc::new(Translated { program, store, cost, apart, commutes, goes_on })
        });
        self.steps.insert(key, translated.clone());
        translated
    }

    /// The carried value after one face, or what stopped the walk there, in the general way.
    fn step_of_walk(
        &mut self,
        way: &'p Walk,
        start: &State,
        carried: Sym,
        face: Value,
        counts: &[u64],
    ) -> Result<Stepped, Failure> {
        let mut state = start.clone();
        set(&mut state.locals, way.carry, carried);
        set(&mut state.locals, way.face, Sym::Value(face));
        for (local, count) in way.counts.iter().zip(counts) {
            let count = Number::from(Rational::from(*count));
            set(&mut state.locals, *local, Sym::Value(Value::Number(count)));
        }
        let mut states = self.run(&way.body, States::one(state), &Live::default())?;
        if let Some(failure) = states.aside.failed.pop() {
            return Ok(Stepped::Stopped(Stop::Failed(failure)));
        }
        if let Some(rejected) = states.aside.rejected.filter(|_| states.list.is_empty()) {
            return Ok(Stepped::Stopped(Stop::Rejected(rejected)));
        }
        // The checker saw to it that a step throws nothing; what it could not see is not known.
        let unknown = || Failure::refused(FaultKind::NotKnown, way.body.span);
        let (Some((mut state, _)), true) = (states.list.pop(), states.list.is_empty()) else {
            return Err(unknown());
        };
        let value =
            state.stack.pop().filter(|value| variables(std::slice::from_ref(value)).is_empty());
        value.and_then(|value| value.to_value()).map(Stepped::Value).ok_or_else(unknown)
    }
}
