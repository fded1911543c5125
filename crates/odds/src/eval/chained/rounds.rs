//! Where a round leads, from each of the nodes of a loop.
//!
//! A node is what is carried, as words. From a node the throws are made one after the other, and for each of
//! their values the rest of the round is run as code. Weights with the same target are added up before
//! anything is multiplied. Where the last throw has many values, ranges of them are tried first: all those
//! that end the loop in the same way make one step ([`crate::plain::Reach`]), and an endless throw has to end
//! in such a range. What two ends have in common is decided by what follows the loop, if that is known: ends
//! are told apart by what becomes of them.

use std::rc::Rc;

use astragal_prob::{Law, Natural};
use astragal_program::core::LocalId;
use astragal_value::Value;
use dashu_base::Gcd;
use rustc_hash::FxHashMap;

use super::cast::Cast;
use super::throws::{Keys, Thrown};
use crate::chain::{Node as ChainNode, Step, To};
use crate::eval::Machine;
use crate::eval::paths::Limits;
use crate::failure::{Failure, over_budget};
use crate::plain::{Around, FARTHEST, Kept, Program, Reach, Runner, Store, Stored, Word};
use crate::plain::{as_record, compile, compile_around};
use crate::plan::{Node, Repeat};

/// More paths than this from one node are too many.
const MOST_PATHS: usize = 20_000;

/// A throw with fewer values is not looked at in ranges.
const FEW: usize = 10;

/// Why the nodes of a loop are not followed on.
pub(super) enum Stop {
    /// It is not so simple.
    Not,
    /// An endless throw ends it in endless many ways.
    Open,
    Failed(Failure),
}

/// What follows a loop: an expression without chance, with the loop's record in a variable.
#[derive(Clone, Copy)]
pub(in crate::eval) struct Finish<'p> {
    pub(in crate::eval) last: LocalId,
    pub(in crate::eval) body: &'p Node,
}

/// The rounds of a loop.
pub(super) struct Rounds<'p> {
    repeat: &'p Repeat,
    counter: Option<usize>,
    pub(super) store: Store,
    runner: Runner,
    /// The round, with holes for its throws.
    round: Program,
    cost: u64,
    throws: Vec<Throw<'p>>,
    first_hole: usize,
    finish: Option<(Program, Runner)>,
    shape: u32,
    /// The variables of the round; what is carried is set where it is needed.
    values: Vec<Value>,
    nodes: Places,
    ends: Places,
    /// The targets of steps, and by the number of a record in the store which of them it leads to.
    targets: Vec<(To, i64)>,
    known_targets: FxHashMap<(To, i64), u32>,
    by_record: Vec<u32>,
    sums: Sums,
    /// The laws of endless throws with which the loop may end.
    laws: Vec<Rc<Law>>,
    /// For an open end the chance of the values of its throw, as a weight and a total.
    tails: FxHashMap<usize, (Natural, Natural)>,
}

/// An end with a number that has a law: which of the carried values it is, the endless throw from some value on
/// and so much more.
pub(super) struct OpenEnd {
    pub(super) at: usize,
    pub(super) from: i64,
    pub(super) shift: i64,
    pub(super) law: Rc<Law>,
    /// The chance of those values of the throw, as a weight and a total.
    pub(super) tail: (Natural, Natural),
}

/// How many words tell whether an end is open.
const OPEN: usize = 3;

/// Not known yet.
const NEW: u32 = u32::MAX;

/// Rows of words, each once.
struct Places {
    size: usize,
    words: Vec<Word>,
    known: FxHashMap<Box<[Word]>, usize>,
}

impl Places {
    fn new(size: usize) -> Places {
        Places { size, words: Vec::new(), known: FxHashMap::default() }
    }

    fn place(&mut self, words: &[Word]) -> usize {
        if let Some(place) = self.known.get(words) {
            return *place;
        }
        let place = self.known.len();
        self.known.insert(words.into(), place);
        self.words.extend_from_slice(words);
        place
    }

    fn row(&self, place: usize) -> &[Word] {
        &self.words[place * self.size..(place + 1) * self.size]
    }
}

/// The weights of the steps from one node, over a total.
#[derive(Default)]
struct Sums {
    total: Natural,
    list: Vec<(u32, Natural)>,
    /// For each target its place in the list, as of the node with this number.
    places: Vec<(usize, u32)>,
    node: usize,
    paths: usize,
}

impl Sums {
    fn begin(&mut self, node: usize) {
        (self.node, self.paths) = (node + 1, 0);
        self.total = Natural::ZERO;
        self.list.clear();
    }

    fn add(&mut self, target: u32, mut weight: Natural, total: &Natural) {
        if self.total != *total {
            if self.total.is_zero() {
                self.total.clone_from(total);
            }
            let common = (&self.total).gcd(total);
            let (mine, theirs) = (total / &common, &self.total / &common);
            if !mine.is_one() {
                self.list.iter_mut().for_each(|(_, weight)| *weight *= &mine);
                self.total *= mine;
            }
            weight *= theirs;
        }
        let at = target as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, (0, 0));
        }
        match self.places[at] {
            (node, place) if node == self.node => self.list[place as usize].1 += weight,
            _ => {
                self.places[at] = (self.node, self.list.len() as u32);
                self.list.push((target, weight));
            }
        }
    }
}

/// A throw, and its values so far.
struct Throw<'p> {
    node: &'p Node,
    /// Whether it is all of the round.
    is_all: bool,
    keys: Vec<Key>,
    /// The variables that it reads and that differ from round to round.
    reads: Vec<(LocalId, Key)>,
    known: FxHashMap<Vec<Word>, Rc<Cast>>,
    /// Its values, if they depend on nothing.
    only: Option<Rc<Cast>>,
    /// What it depended on the last time.
    key: Vec<Word>,
    /// Where the values began that are all alike, at the last node, and at the one before.
    tails: (usize, usize),
}

impl Throw<'_> {
    /// These are its values for what it depended on the last time.
    fn knows(&mut self, cast: &Rc<Cast>) {
        if self.keys.is_empty() {
            self.only = Some(Rc::clone(cast));
        } else {
            self.known.insert(self.key.clone(), Rc::clone(cast));
        }
    }
}

/// A value before a throw: of a variable, or worked out.
enum Key {
    Slot(usize),
    Code(Program),
}

/// What is known of a range of values.
enum Range {
    /// They all lead to the same.
    Alike(u32),
    /// They all lead to different nodes.
    Apart,
    /// They end the loop, but not in one way: what is known of what is carried then.
    Ends(Vec<Reach>),
    Unknown,
}

impl<'p> Rounds<'p> {
    /// The rounds of a loop with these throws; none if the rest of a round is not plain.
    pub(super) fn new(
        machine: &Machine<'p>,
        repeat: &'p Repeat,
        counter: Option<usize>,
        thrown: Vec<Thrown<'p>>,
        finish: Option<Finish<'p>>,
        values: Vec<Value>,
    ) -> Option<Rounds<'p>> {
        let mut store = Store::new();
        let outside: Vec<LocalId> = outside(&repeat.round, &repeat.state);
        let carried = repeat.state.iter().chain(&outside);
        let kept = |kept: Kept| carried.clone().map(|local| (*local, kept)).collect::<Vec<_>>();
        let (between, within) = (kept(Kept::Yes), kept(Kept::No));
        let holes: Vec<usize> =
            thrown.iter().map(|thrown| std::ptr::from_ref(thrown.node) as usize).collect();
        let around = Around { holes: &holes, bindings: &[] };
        let round = compile_around(&repeat.round, &between, around, machine.plan, &mut store)?;
        let mut slots = round.slots;
        let mut code = |node: &Node, bindings: &[(LocalId, &Node)]| {
            let around = Around { holes: &holes, bindings };
            let program = compile_around(node, &within, around, machine.plan, &mut store)?;
            slots = slots.max(program.slots);
            Some(Key::Code(program))
        };
        let mut throws = Vec::with_capacity(thrown.len());
        for Thrown { node, bindings, keys } in thrown {
            let mut reads = Vec::new();
            for (slot, local) in repeat.state.iter().enumerate() {
                if node.free.contains(*local) {
                    reads.push((*local, Key::Slot(slot)));
                }
            }
            let is_all = matches!(keys, Keys::State);
            let keys = match keys {
                Keys::State => (0..repeat.state.len()).map(Key::Slot).collect(),
                Keys::These(keys) => {
                    keys.iter().map(|key| code(key, &bindings)).collect::<Option<_>>()?
                }
            };
            for (at, (local, value)) in bindings.iter().enumerate() {
                if node.free.contains(*local) {
                    reads.push((*local, code(value, &bindings[..at])?));
                }
            }
            let (known, only, key) = (FxHashMap::default(), None, Vec::new());
            throws.push(Throw { node, is_all, keys, reads, known, only, key, tails: (0, 0) });
        }
        let mut runner = Runner::new(slots);
        for (at, local) in outside.iter().enumerate() {
            let value = values.get(local.0 as usize)?;
            runner.set(repeat.state.len() + at, store.word(value));
        }
        let finish = match finish {
            None => None,
            Some(Finish { last, body }) => {
                let others = self::outside(body, &[last]);
                let variables: Vec<_> =
                    [last].iter().chain(&others).map(|local| (*local, Kept::No)).collect();
                let program = compile(body, &variables, machine.plan, &mut store)?;
                let mut runner = Runner::new(program.slots);
                for (at, local) in others.iter().enumerate() {
                    runner.set(1 + at, store.word(values.get(local.0 as usize)?));
                }
                Some((program, runner))
            }
        };
        let size = repeat.state.len();
        let shape = store.shape(&repeat.shape);
        Some(Rounds {
            repeat,
            counter,
            store,
            runner,
            cost: round.code.size(),
            round,
            throws,
            first_hole: size + outside.len(),
            ends: Places::new(if finish.is_some() { 1 } else { size + OPEN }),
            finish,
            shape,
            values,
            nodes: Places::new(size),
            targets: Vec::new(),
            known_targets: FxHashMap::default(),
            by_record: Vec::new(),
            sums: Sums::default(),
            laws: Vec::new(),
            tails: FxHashMap::default(),
        })
    }

    /// The first node.
    pub(super) fn start(&mut self, first: &[Value]) {
        let words: Vec<Word> = first.iter().map(|value| self.store.word(value)).collect();
        self.nodes.place(&words);
    }

    /// How many nodes are known.
    pub(super) fn count(&self) -> usize {
        self.nodes.known.len()
    }

    /// How many ends are known.
    pub(super) fn ends(&self) -> usize {
        self.ends.known.len()
    }

    /// What an end is: the carried values, or what becomes of them.
    pub(super) fn end(&self, at: usize) -> &[Word] {
        let row = self.ends.row(at);
        if self.finish.is_some() { row } else { &row[..row.len() - OPEN] }
    }

    /// Whether an end is open.
    pub(super) fn open_end(&self, at: usize) -> Option<OpenEnd> {
        let [.., field, from, law] = self.ends.row(at) else { return None };
        let at_field = usize::try_from(field.as_number()?).ok()?;
        let shift = self.end(at)[at_field].as_number()?;
        let law = self.laws.get(usize::try_from(law.as_number()?).ok()?)?;
        let (from, tail) = (from.as_number()?, self.tails.get(&at)?.clone());
        Some(OpenEnd { at: at_field, from, shift, law: Rc::clone(law), tail })
    }

    /// Where a round leads from a node.
    pub(super) fn node(&mut self, machine: &mut Machine<'p>, at: usize) -> Result<ChainNode, Stop> {
        for (slot, word) in self.nodes.row(at).iter().enumerate() {
            self.runner.set(slot, *word);
        }
        self.runner.prepare(&self.round.terms, &mut self.store);
        self.sums.begin(at);
        let one = Natural::ONE;
        self.throw(machine, 0, &one, &one)?;
        let steps = self.sums.list.drain(..).map(|(target, weight)| {
            let (to, tick) = self.targets[target as usize];
            Step { to, tick, weight }
        });
        Ok(ChainNode { steps: steps.collect(), total: self.sums.total.clone() })
    }

    /// Makes the throws from this one on, on a path with this weight.
    fn throw(
        &mut self,
        machine: &mut Machine<'p>,
        at: usize,
        weight: &Natural,
        total: &Natural,
    ) -> Result<(), Stop> {
        if at == self.throws.len() {
            let target = self.run(machine)?;
            self.sums.add(target, weight.clone(), total);
            return Ok(());
        }
        let cast = self.cast(machine, at)?;
        let last = at + 1 == self.throws.len();
        if last && (cast.is_open() || cast.numbers.len() >= FEW) {
            return self.in_ranges(machine, cast, weight, total);
        }
        if cast.is_open() {
            return Err(Stop::Not);
        }
        let total = times(total, &cast.total);
        for (word, part) in cast.words.iter().zip(&cast.weights) {
            self.runner.set(self.first_hole + at, *word);
            if last {
                let target = self.run(machine)?;
                self.sums.add(target, times(weight, part), &total);
            } else {
                self.throw(machine, at + 1, &times(weight, part), &total)?;
            }
        }
        Ok(())
    }

    /// Runs the rest of the round, with all throws made.
    fn run(&mut self, machine: &Machine<'p>) -> Result<u32, Stop> {
        self.pay(machine)?;
        self.runner.begin();
        let record = self.runner.run(&self.round.code, &mut self.store).ok_or(Stop::Not)?;
        self.target(record).ok_or(Stop::Not)
    }

    fn pay(&mut self, machine: &Machine<'p>) -> Result<(), Stop> {
        self.sums.paths += 1;
        if self.sums.paths > MOST_PATHS {
            return Err(Stop::Not);
        }
        let refused =
            |refusal| Stop::Failed(Failure::refused(over_budget(refusal), self.repeat.round.span));
        machine.meter.charge(4 + self.cost + self.runner.folded).map_err(refused)
    }

    /// The values of a throw from the node in hand.
    fn cast(&mut self, machine: &mut Machine<'p>, at: usize) -> Result<Rc<Cast>, Stop> {
        let Rounds { throws, runner, store, values, .. } = self;
        let throw = throws.get_mut(at).ok_or(Stop::Not)?;
        if let Some(only) = &throw.only {
            return Ok(Rc::clone(only));
        }
        let key = &mut throw.key;
        key.clear();
        for part in &throw.keys {
            key.push(part.word(runner, store).ok_or(Stop::Not)?);
        }
        if let Some(known) = throw.known.get(key) {
            return Ok(Rc::clone(known));
        }
        for (local, part) in &throw.reads {
            let word = part.word(runner, store).ok_or(Stop::Not)?;
            *values.get_mut(local.0 as usize).ok_or(Stop::Not)? = store.value(word);
        }
        let cast = match machine.atom_by_paths(throw.node, values, Limits::ROUND) {
            Some(atom) => Cast::of(atom, store),
            None if throw.is_all => return Err(Stop::Not),
            None => match machine.atom_by_states(throw.node, values) {
                Some(atom) => Cast::of(atom, store),
                None => {
                    let law = machine.law_by_states(throw.node, values).ok_or(Stop::Not)?;
                    Cast::endless(law, machine.meter).ok_or(Stop::Not)?
                }
            },
        };
        let cast = Rc::new(cast);
        throw.knows(&cast);
        Ok(cast)
    }

    /// Where the values of the last throw lead, as few ranges of them as may be.
    fn in_ranges(
        &mut self,
        machine: &Machine<'p>,
        mut cast: Rc<Cast>,
        weight: &Natural,
        total: &Natural,
    ) -> Result<(), Stop> {
        let (tail, target) = loop {
            if let Some(found) = self.tail(machine, &cast)? {
                break found;
            }
            cast = Rc::new(cast.longer(machine.meter).ok_or(Stop::Not)?);
            self.throws.last_mut().ok_or(Stop::Not)?.knows(&cast);
        };
        let total = times(total, &cast.total);
        self.sums.add(target, times(weight, &cast.weight_from(tail)), &total);
        let mut ranges = vec![(0, tail)];
        while let Some((from, to)) = ranges.pop() {
            let range = match to - from {
                0 => continue,
                1..=4 => Range::Apart,
                _ => self.range(machine, cast.numbers[from], cast.numbers[to - 1])?,
            };
            match range {
                Range::Alike(target) => {
                    self.sums.add(target, times(weight, &cast.weight(from, to)), &total);
                }
                Range::Apart => {
                    for at in from..to {
                        self.set_last(cast.words[at]);
                        let target = self.run(machine)?;
                        self.sums.add(target, times(weight, &cast.weights[at]), &total);
                    }
                }
                Range::Ends(_) | Range::Unknown => {
                    let middle = from.midpoint(to);
                    ranges.push((middle, to));
                    ranges.push((from, middle));
                }
            }
        }
        Ok(())
    }

    /// The first place from which on all values of the last throw are alike, and where they lead. It is near
    /// those of the nodes before. None if an endless throw is not listed so far.
    fn tail(&mut self, machine: &Machine<'p>, cast: &Cast) -> Result<Option<(usize, u32)>, Stop> {
        let last = cast.numbers.len() - 1;
        let top = if cast.is_open() { FARTHEST } else { cast.numbers[last] };
        let (before, earlier) = self.throws.last().map_or((0, 0), |throw| throw.tails);
        let mut at = (2 * before).saturating_sub(earlier).min(last);
        let mut alike = |from: usize| {
            let range = self.range(machine, cast.numbers[from], top)?;
            match (range, &cast.law) {
                (Range::Alike(target), _) => Ok(Some((from, target))),
                (Range::Ends(fields), Some(law)) => {
                    let target = self.opened(fields, cast, from, law);
                    Ok(Some((from, target.ok_or(Stop::Open)?)))
                }
                (Range::Apart | Range::Ends(_) | Range::Unknown, _) => Ok(None),
            }
        };
        let mut step = 1;
        let mut below = None;
        let mut found = alike(at)?;
        while found.is_none() {
            if at == last {
                return if cast.is_open() { Ok(None) } else { Err(Stop::Not) };
            }
            below = Some(at);
            at = (at + step).min(last);
            step *= 2;
            found = alike(at)?;
        }
        let Some(mut found) = found else { return Ok(None) };
        while below.is_none() && found.0 > 0 {
            let next = found.0.saturating_sub(step);
            step *= 2;
            match alike(next)? {
                Some(more) => found = more,
                None => below = Some(next),
            }
        }
        while let Some(not) = below
            && found.0 - not > 1
        {
            let middle = not.midpoint(found.0);
            match alike(middle)? {
                Some(more) => found = more,
                None => below = Some(middle),
            }
        }
        if let Some(throw) = self.throws.last_mut() {
            throw.tails = (found.0, before);
        }
        Ok(Some(found))
    }

    fn set_last(&mut self, word: Word) {
        self.runner.set(self.first_hole + self.throws.len() - 1, word);
    }

    /// What is known of the values of the last throw from one number to another.
    fn range(&mut self, machine: &Machine<'p>, from: i64, to: i64) -> Result<Range, Stop> {
        self.pay(machine)?;
        let slot = self.first_hole + self.throws.len() - 1;
        let known = match Word::number(from) {
            Some(word) if from == to => Reach::Word(word),
            _ => Reach::Moved(from, to, 0),
        };
        let reach = self.runner.reach(&self.round.code, slot, known, &mut self.store);
        let target = match reach {
            Some(Reach::Word(record)) => self.target(record),
            Some(Reach::Record(mut fields)) => match fields.pop() {
                Some(Reach::Word(until)) if until.as_bool() == Some(true) => {
                    let open = if to == FARTHEST { fields.clone() } else { Vec::new() };
                    return Ok(match self.end_of(fields) {
                        Some(target) => Range::Alike(target),
                        None => Range::Ends(open),
                    });
                }
                Some(Reach::Word(_)) => {
                    let apart = |field: &Reach| match field {
                        Reach::Moved(..) => true,
                        Reach::Range(a, b) => b - a == to - from,
                        Reach::Word(_) | Reach::Either | Reach::Record(_) => false,
                    };
                    return Ok(match fields.iter().any(apart) {
                        true => Range::Apart,
                        false => Range::Unknown,
                    });
                }
                _ => None,
            },
            Some(Reach::Range(..) | Reach::Moved(..) | Reach::Either) | None => None,
        };
        Ok(target.map_or(Range::Unknown, Range::Alike))
    }

    /// Where a round leads that yields this record. None if what it counts is no whole number, or what
    /// follows the loop is not plain.
    fn target(&mut self, record: Word) -> Option<u32> {
        let (Stored::Record, number) = record.as_stored()? else { return None };
        if let Some(target) = self.by_record.get(number).filter(|target| **target != NEW) {
            return Some(*target);
        }
        let size = self.repeat.state.len();
        let field = |at| self.store.field(record, at);
        let mut fields: Vec<Word> = (0..size).map(field).collect::<Option<_>>()?;
        let until = self.store.field(record, size)?.as_bool()?;
        let target = if until {
            self.end_of(fields.into_iter().map(Reach::Word).collect())?
        } else {
            let mut tick = 0;
            if let Some(at) = self.counter {
                tick = ticked(fields[at])?;
                fields[at] = Word::number(0)?;
            }
            let to = To::Node(self.nodes.place(&fields));
            self.targeted(to, tick)
        };
        if self.by_record.len() <= number {
            self.by_record.resize((number + 1).max(2 * self.by_record.len()), NEW);
        }
        self.by_record[number] = target;
        Some(target)
    }

    /// The end with what is known of these carried values; none if that is too little.
    fn end_of(&mut self, mut fields: Vec<Reach>) -> Option<u32> {
        for (field, asked) in fields.iter_mut().zip(&self.repeat.asked) {
            if !asked {
                *field = Reach::Word(Word::NONE);
            }
        }
        let mut tick = 0;
        if let Some(at) = self.counter {
            let Some(Reach::Word(word)) = fields.get_mut(at) else { return None };
            if self.repeat.asked[at] {
                tick = ticked(*word)?;
                *word = Word::number(0)?;
            }
        }
        let place = match &mut self.finish {
            None => {
                let words: Option<Vec<Word>> = fields.iter().map(Reach::word).collect();
                let mut words = words?;
                words.extend([Word::NONE; OPEN]);
                self.ends.place(&words)
            }
            Some((program, runner)) => {
                let known = as_record(self.shape, fields, &mut self.store);
                let end = runner.reach(&program.code, 0, known, &mut self.store)?;
                let Reach::Word(end) = end else { return None };
                self.ends.place(&[end])
            }
        };
        Some(self.targeted(To::End(place), tick))
    }

    /// The end with one number that is an endless throw from some value on, and something more; none if it
    /// is not so.
    fn opened(
        &mut self,
        fields: Vec<Reach>,
        cast: &Cast,
        from: usize,
        law: &Rc<Law>,
    ) -> Option<u32> {
        if self.finish.is_some() || self.counter.is_some() {
            return None;
        }
        let mut words = Vec::with_capacity(fields.len() + OPEN);
        let mut open = None;
        for (at, (field, asked)) in fields.iter().zip(&self.repeat.asked).enumerate() {
            words.push(match field {
                _ if !asked => Word::NONE,
                Reach::Moved(_, _, shift) if open.is_none() => {
                    open = Some(at);
                    Word::number(*shift)?
                }
                field => field.word()?,
            });
        }
        let known = self.laws.iter().position(|known| Rc::ptr_eq(known, law));
        let law = known.unwrap_or_else(|| {
            self.laws.push(Rc::clone(law));
            self.laws.len() - 1
        });
        for number in [open? as i64, cast.numbers[from], law as i64] {
            words.push(Word::number(number)?);
        }
        let place = self.ends.place(&words);
        self.tails.entry(place).or_insert_with(|| (cast.weight_from(from), cast.total.clone()));
        Some(self.targeted(To::End(place), 0))
    }

    fn targeted(&mut self, to: To, tick: i64) -> u32 {
        *self.known_targets.entry((to, tick)).or_insert_with(|| {
            self.targets.push((to, tick));
            self.targets.len() as u32 - 1
        })
    }
}

impl Key {
    fn word(&self, runner: &mut Runner, store: &mut Store) -> Option<Word> {
        match self {
            Key::Slot(slot) => Some(runner.get(*slot)),
            Key::Code(program) => {
                runner.begin();
                runner.run(&program.code, store)
            }
        }
    }
}

/// What is counted; none if it is no whole number, or a large one.
fn ticked(word: Word) -> Option<i64> {
    word.as_number().filter(|tick| tick.abs() < 1 << 14)
}

/// The variables from outside that an expression reads.
fn outside(node: &Node, bound: &[LocalId]) -> Vec<LocalId> {
    node.free.iter().filter(|local| !bound.contains(local)).collect()
}

fn times(a: &Natural, b: &Natural) -> Natural {
    if a.is_one() { b.clone() } else { a * b }
}
