//! Where a round leads, from each of the nodes of a loop.
//!
//! A node is what is carried, as words. From a node the throws are made as they are wanted, and for each of
//! their values the rest of the round is run as code ([`crate::eval::hoisted`]). Weights with the same target are
//! added up before anything is multiplied. Where the last throw has many values, ranges of them are tried first: all
//! those that end the loop in the same way make one step ([`crate::code::Reach`]), and an endless throw has to end
//! in such a range. What two ends have in common is decided by what follows the loop, if that is known: ends
//! are told apart by what becomes of them. Where throws together have many values, a round is cut between them
//! ([`cut`]).

mod cut;
mod ranges;
mod targets;

use std::rc::Rc;

use astragal_prob::chain::{Node as ChainNode, Step, To};
use astragal_prob::{Natural, Numbered, Rent};
use astragal_program::core::LocalId;
use astragal_value::Value;
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use crate::code::{Code, Kept, Program, Runner, Store, Word, compile};
use crate::eval::Machine;
use crate::eval::hoisted::{Column, Limits, Standing, Sums, Throw, times};
use crate::failure::{Failure, too_much};
use crate::plan::{Node, Repeat};
use crate::state::Sym;
use crate::ways;
use cut::Rest;

/// Why the nodes of a loop are not followed on.
pub(in crate::eval) enum Stop {
    /// It is not so simple.
    Not,
    /// There seems to be no end of nodes.
    Endless,
    Failed(Box<Failure>),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failed(Box::new(failure))
    }
}

/// What follows a loop: an expression without chance, with the loop's record in a variable.
pub(in crate::eval) struct Finish<'p> {
    last: LocalId,
    body: &'p Node,
    /// The other variables that it reads.
    others: Vec<(LocalId, Value)>,
}

impl<'p> Finish<'p> {
    /// What follows a loop, if it throws nothing and looks at nothing undecided.
    pub(in crate::eval) fn of(last: LocalId, body: &'p Node, locals: &[Sym]) -> Option<Finish<'p>> {
        let others = body.free.iter().filter(|local| *local != last);
        let other = |local: LocalId| Some((local, locals.get(local.0 as usize)?.to_value()?));
        let others = others.map(other).collect::<Option<_>>().filter(|_| body.is_still())?;
        Some(Finish { last, body, others })
    }

    /// As code whose first variable is the loop's record, with the others set.
    fn compiled(&self, machine: &Machine<'p>, store: &mut Store) -> Option<(Program, Runner)> {
        let others = self.others.iter().map(|(local, _)| *local);
        let variables: Vec<_> =
            [self.last].into_iter().chain(others).map(|local| (local, Kept::No)).collect();
        let program = compile(self.body, &variables, machine.plan, store)?;
        let mut runner = Runner::new(program.slots);
        for (at, (_, value)) in self.others.iter().enumerate() {
            runner.set(1 + at, store.word(value));
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
    /// A whole round, and what is left of the one in hand.
    whole: Rc<Rest>,
    rest: Rc<Rest>,
    /// What is left of rounds that were cut, with the targets that they are.
    rests: FxHashMap<Rc<Rest>, u32>,
    cuts: bool,
    throws: Vec<Throw<'p>>,
    /// What their values take.
    rent: Rent,
    bytes: u64,
    /// What was seen of each throw.
    known: Vec<Known>,
    finish: Option<(Program, Runner)>,
    shape: u32,
    /// For each carried value whether a round looks at it.
    read: Vec<bool>,
    nodes: Vec<Here>,
    /// What is carried at the beginning of rounds, and which nodes these are.
    carried: Numbered<Box<[Word]>>,
    starts: Vec<usize>,
    ends: Numbered<Box<[Word]>>,
    /// The targets of steps, and by the number of a record in the store which of them it leads to.
    targets: Numbered<(To, i64)>,
    by_record: Vec<u32>,
    sums: Sums,
    /// How many paths there were from the node in hand.
    paths: usize,
}

/// Where a node is.
enum Here {
    /// At the beginning of a round, with what is carried by its place.
    Start(usize),
    /// Within a round.
    Within(Rc<Rest>),
}

/// What was seen of a throw at the nodes before.
#[derive(Clone, Copy)]
struct Known {
    /// How many values it had.
    size: usize,
    /// Where the values began that are all alike, at the last node, and at the one before.
    tails: (usize, usize),
}

impl<'p> Rounds<'p> {
    /// The rounds of a loop from these variables; none if what a round does with its throws is not plain.
    pub(super) fn new(
        machine: &Machine<'p>,
        repeat: &'p Repeat,
        counter: Option<usize>,
        finish: Option<&Finish<'p>>,
        values: &[Option<Value>],
    ) -> Option<Rounds<'p>> {
        let mut store = Store::new();
        let (round, state) = (&repeat.round, &repeat.state);
        let Standing { program, runner, throws, .. } =
            machine.told_apart(round, values, state, Limits::ROUNDS, &mut store)?;
        let finish = match finish {
            None => None,
            Some(finish) => Some(finish.compiled(machine, &mut store)?),
        };
        let finishing = finish.as_ref().map_or(0, |(program, _)| program.code.size());
        let cost = program.code.size() + finishing;
        let whole = Rc::new(Rest::whole(program.code, &throws));
        Some(Rounds {
            repeat,
            counter,
            shape: store.shape(&repeat.shape),
            store,
            runner,
            terms: program.terms,
            cost,
            rest: Rc::clone(&whole),
            whole,
            rests: FxHashMap::default(),
            cuts: machine.meter.may(ways::CUT_ROUNDS),
            known: vec![Known { size: ways::SHORTEST_RANGE, tails: (0, 0) }; throws.len()],
            throws,
            rent: machine.meter.rent(),
            bytes: 0,
            ends: Numbered::default(),
            finish,
            read: state.iter().map(|local| round.free.contains(*local)).collect(),
            nodes: Vec::new(),
            carried: Numbered::default(),
            starts: Vec::new(),
            targets: Numbered::default(),
            by_record: Vec::new(),
            sums: Sums::default(),
            paths: 0,
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
        let place = place(&mut self.carried, words);
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
                for (slot, word) in self.carried.list[*place].iter().enumerate() {
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
        self.paths = 0;
        let one = Natural::ONE;
        match self.rest.first {
            Some(first) => self.throw(machine, first, &one, &one)?,
            None => self.follow(machine, &one, &one)?,
        }
        let steps = self.sums.list.drain(..).map(|(target, weight)| {
            let (to, tick) = self.targets.list[target as usize];
            Step { to, tick, weight }
        });
        Ok(ChainNode { steps: steps.collect(), total: self.sums.total.clone() })
    }

    /// Goes on with a round on a path with this weight, until a throw is wanted.
    fn follow(
        &mut self,
        machine: &mut Machine<'p>,
        weight: &Natural,
        total: &Natural,
    ) -> Result<(), Stop> {
        self.pay(machine)?;
        self.runner.begin();
        match self.runner.run(&self.rest.code, &mut self.store) {
            Some(record) => {
                let target = self.target(record).ok_or(Stop::Not)?;
                self.sums.add(target, weight.clone(), total);
                Ok(())
            }
            None => {
                let wanted = self.runner.wanted.take().ok_or(Stop::Not)?;
                self.throw(machine, wanted, weight, total)
            }
        }
    }

    /// Makes a throw and goes on with each of its values.
    fn throw(
        &mut self,
        machine: &mut Machine<'p>,
        slot: u32,
        weight: &Natural,
        total: &Natural,
    ) -> Result<(), Stop> {
        let at = self.throws.iter().position(|throw| throw.thrown.slot == slot);
        let at = at.ok_or(Stop::Not)?;
        let Rounds { throws, rest, runner, store, .. } = self;
        if throws[at].look(rest.needs(at), runner, store).is_none() {
            // What it depends on is to be thrown first.
            let first = runner.wanted.take().ok_or(Stop::Not)?;
            return self.throw(machine, first, weight, total);
        }
        let column = self.column(machine, at)?;
        if let Some(answers) = &column.answers {
            self.runner.lay(slot, Rc::clone(answers));
        }
        let is_later =
            |later: &usize| *later != at && !self.runner.is_thrown(self.throws[*later].thrown.slot);
        let later: Vec<usize> = self.rest.left.iter().copied().filter(is_later).collect();
        if column.is_open() || later.is_empty() && !column.numbers.is_empty() {
            self.in_ranges(machine, at, column, weight, total)?;
        } else if !later.is_empty() && self.is_cut_after(&column, &later) {
            self.cut(machine, slot, &column, weight, total)?;
        } else {
            let total = times(total, &column.total);
            for (word, part) in column.words.iter().zip(&column.weights) {
                self.runner.set(slot as usize, *word);
                self.follow(machine, &times(weight, part), &total)?;
            }
        }
        self.runner.set(slot as usize, Word::UNTHROWN);
        Ok(())
    }

    fn pay(&mut self, machine: &Machine<'p>) -> Result<(), Stop> {
        self.paths += 1;
        if self.paths > ways::MOST_PATHS {
            return Err(Stop::Not);
        }
        // What folds took is known only afterwards, and paid the next time.
        let folded =
            self.finish.as_mut().map_or(0, |(_, runner)| std::mem::take(&mut runner.folded));
        let folded = folded + std::mem::take(&mut self.runner.folded);
        let paid = machine.meter.charge(12 + 2 * self.cost + folded);
        Ok(paid.map_err(too_much(self.repeat.round.span))?)
    }

    /// The values of a throw from the node in hand.
    fn column(&mut self, machine: &mut Machine<'p>, at: usize) -> Result<Rc<Column>, Stop> {
        let Rounds { throws, runner, store, rest, .. } = self;
        let column = match throws[at].known() {
            Some(known) => known,
            None => {
                let values = throws[at].variables(rest.needs(at), runner, store);
                let values = values.ok_or(Stop::Not)?;
                let thrown = &throws[at].thrown;
                let column = machine.column(thrown, &values, Limits::ROUND, store);
                let endless = || {
                    let law = machine.law_by_states(thrown.node, thrown.function, &values)?;
                    Column::endless(law, machine.meter)
                };
                let column = Rc::new(column.or_else(endless).ok_or(Stop::Not)?);
                self.bytes += column.bytes();
                let refuse = too_much(self.repeat.round.span);
                self.rent.grow(self.bytes, machine.meter).map_err(refuse)?;
                // Its weights are copied and added up.
                machine.meter.charge(column.bytes() / 16).map_err(refuse)?;
                throws[at].knows(&column);
                column
            }
        };
        self.known[at].size = column.words.len();
        Ok(column)
    }
}

/// The number of a row of words.
fn place(rows: &mut Numbered<Box<[Word]>>, row: &[Word]) -> usize {
    rows.known(row).unwrap_or_else(|| rows.number(row.into()))
}

/// Whether a word is a number of very many bits.
fn is_vast(word: Word, store: &Store) -> bool {
    word.is_large()
        && store.value(word).as_number().is_some_and(|number| {
            let number = number.to_rational();
            number.numerator().bit_len() + number.denominator().bit_len() > ways::MOST_BITS
        })
}
