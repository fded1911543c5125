//! Where a round leads, from each of the nodes of a loop.
//!
//! A node is what is carried, as words. From a node the throws are made one after the other, and for each of
//! their values the rest of the round is run as code. Weights with the same target are added up before
//! anything is multiplied. Where the last throw has many values, ranges of them are tried first: all those
//! that end the loop in the same way make one step ([`crate::plain::Reach`]), and an endless throw has to end
//! in such a range. What two ends have in common is decided by what follows the loop, if that is known: ends
//! are told apart by what becomes of them. Where throws together have many values, a round is cut between them
//! ([`cut`]).

mod cut;
mod ranges;
mod sums;
mod targets;

use std::rc::Rc;

use astragal_prob::{Law, Natural};
use astragal_program::core::LocalId;
use astragal_value::Value;
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use super::cast::Cast;
use super::throws::{Keys, Thrown};
use crate::chain::{Node as ChainNode, Step, To};
use crate::eval::Machine;
use crate::eval::hoisted::Limits;
use crate::failure::{Failure, over_budget};
use crate::plain::{Around, Code, Kept, Program, Runner, Store, Word, compile, compile_around};
use crate::plan::{Node, NodeId, Repeat};
use crate::ways;
use cut::Rest;
use sums::{Places, Sums, times};
use targets::OPEN;
pub(super) use targets::OpenEnd;

/// Why the nodes of a loop are not followed on.
pub(super) enum Stop {
    /// It is not so simple.
    Not,
    /// An endless throw ends it in endless many ways.
    Open,
    /// There seems to be no end of nodes.
    Endless,
    Failed(Failure),
}
/// What follows a loop: an expression without chance, with the loop's record in a variable.
#[derive(Clone, Copy)]
pub(in crate::eval) struct Finish<'p> {
    pub(in crate::eval) last: LocalId,
    pub(in crate::eval) body: &'p Node,
}

impl<'p> Finish<'p> {
    /// As code whose first variable is the loop's record, with the others set.
    fn compiled(
        self,
        machine: &Machine<'p>,
        values: &[Option<Value>],
        store: &mut Store,
    ) -> Option<(Program, Runner)> {
        let others = outside(self.body, &[self.last]);
        let all = [&[self.last], others.as_slice()].concat();
        let variables: Vec<_> = all.into_iter().map(|local| (local, Kept::No)).collect();
        let program = compile(self.body, &variables, machine.plan, store)?;
        let mut runner = Runner::new(program.slots);
        for (at, local) in others.iter().enumerate() {
            runner.set(1 + at, store.word(values.get(local.0 as usize)?.as_ref()?));
        }
        Some((program, runner))
    }
}

/// The rounds of a loop.
pub(super) struct Rounds<'p> {
    repeat: &'p Repeat,
    counter: Option<usize>,
    pub(super) store: Store,
    runner: Runner,
    /// What a round works out once a node.
    terms: Vec<Code>,
    cost: u64,
    /// A whole round, with holes for its throws, and what is left of the one in hand.
    whole: Rc<Rest>,
    rest: Rc<Rest>,
    /// What is left of rounds that were cut, with the targets that they are.
    rests: FxHashMap<Rc<Rest>, u32>,
    cuts: bool,
    throws: Vec<Throw<'p>>,
    first_hole: usize,
    finish: Option<(Program, Runner)>,
    shape: u32,
    /// For each carried value whether a round looks at it.
    read: Vec<bool>,
    /// The variables of the round; what is carried is set where it is needed.
    values: Vec<Option<Value>>,
    nodes: Vec<Here>,
    /// What is carried at the beginning of rounds, and which nodes these are.
    carried: Places,
    starts: Vec<usize>,
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

/// Where a node is.
enum Here {
    /// At the beginning of a round, with what is carried by its place.
    Start(usize),
    /// Within a round.
    Within(Rc<Rest>),
}

/// A throw, and its values so far.
struct Throw<'p> {
    node: &'p Node,
    /// Whether it is all of the round.
    is_all: bool,
    /// The variables that it reads and that differ from round to round.
    reads: Vec<LocalId>,
    known: FxHashMap<Vec<Word>, Rc<Cast>>,
    /// Its values, if they depend on nothing.
    only: Option<Rc<Cast>>,
    /// What it depended on the last time, and how many values it had.
    key: Vec<Word>,
    size: usize,
    /// Where the values began that are all alike, at the last node, and at the one before.
    tails: (usize, usize),
}

impl Throw<'_> {
    /// These are its values for what it depended on the last time.
    fn knows(&mut self, cast: &Rc<Cast>) {
        if self.key.is_empty() {
            self.only = Some(Rc::clone(cast));
        } else {
            self.known.insert(self.key.clone(), Rc::clone(cast));
        }
    }
}

impl<'p> Rounds<'p> {
    /// The rounds of a loop with these throws; none if the rest of a round is not plain.
    pub(super) fn new(
        machine: &Machine<'p>,
        repeat: &'p Repeat,
        counter: Option<usize>,
        thrown: Vec<Thrown<'p>>,
        finish: Option<Finish<'p>>,
        values: Vec<Option<Value>>,
    ) -> Option<Rounds<'p>> {
        let mut store = Store::new();
        let outside: Vec<LocalId> = outside(&repeat.round, &repeat.state);
        let carried = repeat.state.iter().chain(&outside);
        let kept = |kept: Kept| carried.clone().map(|local| (*local, kept)).collect::<Vec<_>>();
        let (between, within) = (kept(Kept::Yes), kept(Kept::No));
        let holes: Vec<NodeId> = thrown.iter().map(|thrown| thrown.node.id).collect();
        let around = Around { holes: &holes, ..Around::default() };
        let round = compile_around(&repeat.round, &between, around, machine.plan, &mut store)?;
        let mut slots = round.slots;
        let mut code = |node: &Node, bindings: &[(LocalId, &Node)]| {
            let around = Around { holes: &holes, bindings };
            let program = compile_around(node, &within, around, machine.plan, &mut store)?;
            slots = slots.max(program.slots);
            // Terms would be taken for those of the round.
            program.terms.is_empty().then_some(program.code)
        };
        let mut throws = Vec::with_capacity(thrown.len());
        let (mut all_keys, mut all_reads) = (Vec::new(), Vec::new());
        for Thrown { node, bindings, keys } in thrown {
            let is_all = matches!(keys, Keys::State);
            all_keys.push(match keys {
                Keys::State => (0..repeat.state.len() as u32).map(Code::Local).collect(),
                Keys::These(keys) => {
                    keys.iter().map(|key| code(key, &bindings)).collect::<Option<Vec<_>>>()?
                }
            });
            let (mut reads, mut values) = (Vec::new(), Vec::new());
            for (slot, local) in repeat.state.iter().enumerate() {
                if node.free.contains(*local) {
                    reads.push(*local);
                    values.push(Code::Local(slot as u32));
                }
            }
            for (at, (local, value)) in bindings.iter().enumerate() {
                if node.free.contains(*local) {
                    reads.push(*local);
                    values.push(code(value, &bindings[..at])?);
                }
            }
            all_reads.push(values);
            let (known, only, key) = (FxHashMap::default(), None, Vec::new());
            let (size, tails) = (ways::SHORTEST_RANGE, (0, 0));
            throws.push(Throw { node, is_all, reads, known, only, key, size, tails });
        }
        let mut runner = Runner::new(slots);
        for (at, local) in outside.iter().enumerate() {
            let value = values.get(local.0 as usize)?.as_ref()?;
            runner.set(repeat.state.len() + at, store.word(value));
        }
        let finish = match finish {
            None => None,
            Some(finish) => Some(finish.compiled(machine, &values, &mut store)?),
        };
        let finishing = finish.as_ref().map_or(0, |(program, _)| program.code.size());
        let size = repeat.state.len();
        let shape = store.shape(&repeat.shape);
        let cost = round.code.size() + finishing;
        let whole = Rc::new(Rest { next: 0, code: round.code, keys: all_keys, reads: all_reads });
        Some(Rounds {
            repeat,
            counter,
            store,
            runner,
            terms: round.terms,
            cost,
            rest: Rc::clone(&whole),
            whole,
            rests: FxHashMap::default(),
            cuts: machine.meter.may(ways::CUT_ROUNDS),
            throws,
            first_hole: size + outside.len(),
            ends: Places::new(if finish.is_some() { 1 } else { size + OPEN }),
            finish,
            shape,
            read: repeat.state.iter().map(|local| repeat.round.free.contains(*local)).collect(),
            values,
            nodes: Vec::new(),
            carried: Places::new(size),
            starts: Vec::new(),
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
        let mut words: Vec<Word> = first.iter().map(|value| self.store.word(value)).collect();
        self.forget(&mut words);
        self.start_of(&words);
    }

    /// The node at which rounds begin with these words.
    fn start_of(&mut self, words: &[Word]) -> usize {
        let place = self.carried.place(words);
        if place == self.starts.len() {
            self.starts.push(self.nodes.len());
            self.nodes.push(Here::Start(place));
        }
        self.starts[place]
    }

    /// How many nodes are known.
    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// At how many of them a round begins.
    pub(super) fn starts(&self) -> usize {
        self.starts.len()
    }

    /// Where a round leads from a node.
    pub(super) fn node(&mut self, machine: &mut Machine<'p>, at: usize) -> Result<ChainNode, Stop> {
        match self.nodes.get(at).ok_or(Stop::Not)? {
            Here::Within(rest) => self.rest = Rc::clone(rest),
            Here::Start(place) => {
                for (slot, word) in self.carried.row(*place).iter().enumerate() {
                    if is_vast(*word, &self.store) {
                        return Err(Stop::Endless);
                    }
                    self.runner.set(slot, *word);
                }
                self.runner.prepare(&self.terms, &mut self.store);
                self.rest = Rc::clone(&self.whole);
            }
        }
        self.sums.begin(at);
        let one = Natural::ONE;
        self.throw(machine, self.rest.next, &one, &one)?;
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
        if last && (cast.is_open() || cast.numbers.len() >= ways::SHORTEST_RANGE) {
            return self.in_ranges(machine, cast, weight, total);
        }
        if cast.is_open() {
            return Err(Stop::Not);
        }
        if !last && self.is_cut_after(at, &cast) {
            return self.cut(machine, at, &cast, weight, total);
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
        let record = self.runner.run(&self.rest.code, &mut self.store).ok_or(Stop::Not)?;
        self.target(record).ok_or(Stop::Not)
    }

    fn pay(&mut self, machine: &Machine<'p>) -> Result<(), Stop> {
        self.sums.paths += 1;
        if self.sums.paths > ways::MOST_PATHS {
            return Err(Stop::Not);
        }
        let refused =
            |refusal| Stop::Failed(Failure::refused(over_budget(refusal), self.repeat.round.span));
        // What folds took is known only afterwards, and paid the next time.
        let folded =
            self.finish.as_mut().map_or(0, |(_, runner)| std::mem::take(&mut runner.folded));
        let folded = folded + std::mem::take(&mut self.runner.folded);
        machine.meter.charge(12 + 2 * self.cost + folded).map_err(refused)
    }

    /// The values of a throw from the node in hand.
    fn cast(&mut self, machine: &mut Machine<'p>, at: usize) -> Result<Rc<Cast>, Stop> {
        let Rounds { throws, runner, store, values, rest, .. } = self;
        let throw = throws.get_mut(at).ok_or(Stop::Not)?;
        if let Some(only) = &throw.only {
            return Ok(Rc::clone(only));
        }
        let mut word = |code: &Code, store: &mut Store| {
            runner.begin();
            runner.run(code, store).ok_or(Stop::Not)
        };
        throw.key.clear();
        for key in &rest.keys[at] {
            throw.key.push(word(key, store)?);
        }
        if let Some(known) = throw.known.get(&throw.key) {
            throw.size = known.words.len();
            return Ok(Rc::clone(known));
        }
        for (local, value) in throw.reads.iter().zip(&rest.reads[at]) {
            let word = word(value, store)?;
            *values.get_mut(local.0 as usize).ok_or(Stop::Not)? = Some(store.value(word));
        }
        let cast = match machine.hoisted(throw.node, values, Limits::ROUND) {
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
        throw.size = cast.words.len();
        throw.knows(&cast);
        Ok(cast)
    }
}

/// Whether a word is a number of very many bits.
fn is_vast(word: Word, store: &Store) -> bool {
    word.is_large()
        && store.value(word).as_number().is_some_and(|number| {
            let number = number.to_rational();
            number.numerator().bit_len() + number.denominator().bit_len() > ways::MOST_BITS
        })
}

/// The variables from outside that an expression reads.
fn outside(node: &Node, bound: &[LocalId]) -> Vec<LocalId> {
    node.free.iter().filter(|local| !bound.contains(local)).collect()
}
