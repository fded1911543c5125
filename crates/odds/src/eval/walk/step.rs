//! The steps of a walk: the carried value after one face.
//!
//! A step that needs nothing but plain expressions is translated once for the walk ([`crate::code`]). One
//! that fails, or holds what cannot be translated, is run as any other part of the program.

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::pool::{Ends, Steps};
use astragal_prob::{Growing, Numbered, OverBudget, Rational, Rent};
use astragal_program::core::LocalId;
use astragal_program::fault::FaultKind;
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::super::call::variables;
use super::super::fold::set;
use super::super::{Live, Machine};
use super::Walked;
use crate::code::{Code, Kept, Part, Program, Reach, Runner, Store, Word, compile, part, sums};
use crate::failure::{Failure, over_budget};
use crate::plan::Walk;
use crate::state::{Aside, State, States, Sym, Values};
use crate::ways;

/// The steps of a walk from given variables.
pub(super) struct StepsOfWalk<'m, 'p> {
    machine: &'m mut Machine<'p>,
    way: &'p Walk,
    start: &'m State,
    store: Store,
    plain: Option<PlainSteps>,
    carried: Carried,
    stops: Vec<Stop>,
    faces: Vec<Value>,
    /// Whether every step so far was plain.
    all_plain: bool,
    /// How many steps were made, and what values took, when values were last paid for.
    unpaid: u32,
    bytes: u64,
    others: u64,
    rent: Rent,
}

/// The step of a walk as code, and the values in it.
#[derive(Debug)]
pub(in crate::eval) struct Translated {
    program: Program,
    pub(super) store: Store,
    cost: u64,
    /// What can be set apart from the carried value.
    pub(super) apart: Option<Part>,
    /// The fields that are only added to.
    pub(super) sums: Vec<usize>,
    commutes: bool,
}

/// Translated steps of a walk from given variables.
pub(super) struct PlainSteps {
    translated: Rc<Translated>,
    runner: Runner,
    /// The terms for each face, and the face whose terms the runner has.
    terms: Vec<Vec<Option<Word>>>,
    face: Option<usize>,
}

/// The states of a walk, each with its number: carried values, and what stopped it (a failure, or evidence that does
/// not hold).
#[derive(Default)]
pub(super) struct Carried {
    pub(super) words: Vec<Word>,
    /// Numbers by those of lists and of records in the store; [`NEW`]: no state.
    lists: Vec<u32>,
    records: Vec<u32>,
    others: FxHashMap<Word, u32>,
}

/// No state yet.
const NEW: u32 = u32::MAX;

impl Carried {
    pub(super) fn starting_with(first: Word) -> Carried {
        let mut carried = Carried::default();
        carried.number(first);
        carried
    }

    /// The number of a state, which may be new.
    #[inline]
    pub(super) fn number(&mut self, state: Word) -> usize {
        let number = match (state.as_list(), state.as_record()) {
            (Some(at), _) => place(&mut self.lists, at),
            (_, Some(at)) => place(&mut self.records, at),
            (None, None) => self.others.entry(state).or_insert(NEW),
        };
        if *number == NEW {
            *number = self.words.len() as u32;
            self.words.push(state);
        }
        *number as usize
    }
}

#[inline]
fn place(numbers: &mut Vec<u32>, at: usize) -> &mut u32 {
    if numbers.len() <= at {
        numbers.resize((at + 1).max(2 * numbers.len()), NEW);
    }
    &mut numbers[at]
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
        let first = store.word(&first.unwrap_or(Value::None));
        let plain = translated.and_then(|code| PlainSteps::of(code, way, start, &mut store));
        let (bytes, others, rent) = (store.bytes(), store.others(), machine.meter.rent());
        StepsOfWalk {
            machine,
            way,
            start,
            store,
            plain,
            carried: Carried::starting_with(first),
            stops: Vec::new(),
            faces: Vec::new(),
            all_plain: true,
            unpaid: 0,
            bytes,
            others,
            rent,
        }
    }

    fn next(&mut self, word: Word, face: usize, counts: &[u64]) -> Result<Word, Failure> {
        if let Some(plain) = &mut self.plain {
            let next = plain.next(word, face, counts, &mut self.store);
            let cost = plain.translated.cost + plain.runner.folded;
            self.pay(cost)?;
            if let Some(next) = next {
                return Ok(next);
            }
        }
        self.all_plain = false;
        let carried = Sym::from_value(&self.store.value(word));
        let face = self.faces.get(face).cloned().unwrap_or(Value::None);
        Ok(match self.machine.step_of_walk(self.way, self.start, carried, face, counts)? {
            Ok(value) => self.store.word(&value),
            Err(stop) => {
                let same = self.stops.iter().position(|known| known.is_same(&stop));
                Word::stopped(same.unwrap_or_else(|| {
                    self.stops.push(stop);
                    self.stops.len() - 1
                }))
            }
        })
    }

    #[inline]
    fn pay(&mut self, cost: u64) -> Result<(), Failure> {
        const AT_ONCE: u32 = 32;
        self.unpaid += 1;
        let paid = self.machine.meter.charge(4 + cost);
        match if self.unpaid < AT_ONCE { paid } else { paid.and_then(|()| self.pay_for_values()) } {
            Ok(()) => Ok(()),
            Err(refusal) => Err(Failure::refused(over_budget(refusal), self.way.body.span)),
        }
    }

    /// What is new is written down, and looked up to see that it is new.
    fn pay_for_values(&mut self) -> Result<(), OverBudget> {
        const BYTES_IN_A_STEP: u64 = 8;
        const STEPS_OF_ANOTHER: u64 = 40;
        const MORE: usize = 1 << 10;
        let meter = self.machine.meter;
        let states = self.carried.words.len() * 8 * size_of::<Word>();
        let bytes = self.store.bytes() + states as u64;
        let new = bytes.saturating_sub(self.bytes) / BYTES_IN_A_STEP;
        let others = (self.store.others() - self.others) * STEPS_OF_ANOTHER;
        (self.bytes, self.others, self.unpaid) = (bytes, self.store.others(), 0);
        meter.charge(new + others)?;
        self.carried.words.make_room(MORE, meter)?;
        self.carried.others.make_room(MORE, meter)?;
        self.rent.grow(bytes + bytes / 2, meter)
    }

    /// What the walk comes to, with the chance of what was given up.
    pub(super) fn walked(self, ends: Ends, lost: Rational) -> Walked {
        let each = (Rational::ONE - &lost) / Rational::from(ends.total.clone());
        let mut aside = Aside { lost, ..Aside::default() };
        let mut weights = Vec::with_capacity(ends.weights.len());
        let mut sum = ends.total;
        for (state, weight) in ends.weights {
            let word = self.carried.words[state];
            let Some(stopped) = word.as_stopped() else {
                weights.push((word, weight));
                continue;
            };
            sum -= &weight;
            let chance = Rational::from(weight) * &each;
            match &self.stops[stopped] {
                Stop::Failed(failure) => aside.fail(Failure { chance, ..failure.clone() }),
                Stop::Rejected(rejected) => aside.reject(Failure { chance, ..rejected.clone() }),
            }
        }
        let chance = Rational::from(sum.clone()) * each;
        let values = Values::new(Arc::new(self.store), weights, sum);
        let end = (values.count() > 0).then(|| (values.into(), chance));
        Walked { end, aside }
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
        let word = self.carried.words[state];
        if word.as_stopped().is_some() {
            return Ok(state);
        }
        let next = self.next(word, face, counts)?;
        Ok(if next == word { state } else { self.carried.number(next) })
    }

    /// Lists seldom meet.
    fn hardly_meet(&self) -> bool {
        self.plain.is_some() && self.store.has_list(self.carried.words[0])
    }

    fn expect(&mut self, states: usize) {
        self.carried.words.reserve(states);
        self.carried.lists.reserve(states);
    }

    fn after(
        &mut self,
        face: usize,
        from: &[(usize, usize)],
        all: bool,
        leads: &mut Vec<usize>,
    ) -> Result<(), Failure> {
        let appended = self.plain.as_ref().and_then(|plain| plain.appended(face));
        let mut rounds = 0;
        for &(state, left) in from {
            let first = if all { left } else { 1 };
            let list = self.carried.words[state].as_list();
            let (Some(item), Some(mut list)) = (appended, list) else {
                for count in first..=left {
                    leads.push(self.step(state, face, &[count as u64])?);
                }
                continue;
            };
            // A hand that is kept as it is: each die appends its face.
            for count in 1..=left {
                let longer = self.store.append(list, item);
                list = longer.as_list().unwrap_or(list);
                if count >= first {
                    leads.push(self.carried.number(longer));
                }
            }
            rounds += left as u64;
        }
        self.pay(rounds)
    }

    fn commute(&self) -> bool {
        self.all_plain && self.plain.as_ref().is_some_and(|plain| plain.translated.commutes)
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
        for (slot, local) in way.outside().into_iter().enumerate() {
            let value = start.locals.get(local.0 as usize)?.to_value()?;
            runner.set(COUNTS + way.counts.len() + slot, store.word(&value));
        }
        Some(PlainSteps { translated, runner, terms: Vec::new(), face: None })
    }

    pub(super) fn kinds(&mut self, faces: &[Value], store: &mut Store) -> Vec<usize> {
        self.terms.clear();
        self.face = None;
        let mut kinds = Numbered::default();
        let mut numbers = Vec::with_capacity(faces.len());
        for (at, face) in faces.iter().enumerate() {
            self.runner.set(FACE, store.word(face));
            let program = &self.translated.program;
            let terms = self.runner.work_out(&program.terms, store);
            let used: Vec<Option<Word>> =
                program.used.iter().map(|term| terms[*term as usize]).collect();
            // Where a term has no value, the step may still have one, in the general way.
            let plain = used.iter().all(Option::is_some);
            numbers.push(kinds.number((used, (!plain).then_some(at))));
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

    /// What a step costs.
    pub(super) fn cost(&self) -> u64 {
        self.translated.cost
    }

    /// What steps with numbers of dice that are only known so far come to.
    pub(super) fn reach(
        &mut self,
        word: Word,
        face: usize,
        counts: &[Reach],
        store: &mut Store,
    ) -> Option<Reach> {
        self.begin(word, face)?;
        let slots = (COUNTS as u32..).zip(counts.iter().cloned());
        self.runner.reach_of(&self.translated.program.code, slots.collect(), store)
    }

    /// What each die appends to the carried list, if that is all that it does.
    fn appended(&self, face: usize) -> Option<Word> {
        match self.translated.program.code.appended(CARRY as u32, COUNTS as u32)? {
            Code::Word(word) => Some(*word),
            Code::Term(term) => *self.terms.get(face)?.get(*term as usize)?,
            _ => None,
        }
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

    /// Sets the variables of a step.
    fn set(&mut self, word: Word, face: usize, counts: &[u64]) -> Option<()> {
        self.begin(word, face)?;
        for (at, count) in counts.iter().enumerate() {
            self.runner.set(COUNTS + at, Word::number(i64::try_from(*count).ok()?)?);
        }
        Some(())
    }
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
        let outside = way.outside().into_iter().map(|local| (local, Kept::Yes));
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
            let apart = part(&program.code, CARRY as u32);
            let sums = sums(&program.code, CARRY as u32);
            Rc::new(Translated { program, store, cost, apart, sums, commutes })
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
    ) -> Result<Result<Value, Stop>, Failure> {
        let mut state = start.clone();
        set(&mut state.locals, way.carry, carried);
        set(&mut state.locals, way.face, Sym::Value(face));
        for (local, count) in way.counts.iter().zip(counts) {
            let count = Number::from(Rational::from(*count));
            set(&mut state.locals, *local, Sym::Value(Value::Number(count)));
        }
        let mut states = self.run(&way.body, States::one(state), &Live::default())?;
        if let Some(failure) = states.aside.failed.pop() {
            return Ok(Err(Stop::Failed(failure)));
        }
        if let Some(rejected) = states.aside.rejected.filter(|_| states.list.is_empty()) {
            return Ok(Err(Stop::Rejected(rejected)));
        }
        // The checker saw to it that a step throws nothing; what it could not see is not known.
        let unknown = || Failure::refused(FaultKind::NotKnown, way.body.span);
        let (Some((mut state, _)), true) = (states.list.pop(), states.list.is_empty()) else {
            return Err(unknown());
        };
        let value =
            state.stack.pop().filter(|value| variables(std::slice::from_ref(value)).is_empty());
        value.and_then(|value| value.to_value()).map(Ok).ok_or_else(unknown)
    }
}
