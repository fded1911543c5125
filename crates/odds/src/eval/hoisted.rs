//! Small functions and rounds as code: throw by throw, on finished values.
//!
//! The states of the evaluator can hold undecided numbers, and that has its price: a state is copied, hashed
//! and weighed at each step. Where all variables are decided and little can happen, as in a round of a loop or
//! a call with given arguments, it is cheaper to tell the throws from the rest ([`crate::code::Thrown`]) and to
//! run the rest as code. The code runs until it wants a throw; then each value of the throw is tried in turn,
//! and the code runs again. A throw is worked out once for what it depends on.
//!
//! Only a shortcut: what is endless, fails, or has too many paths yields nothing, and the caller takes the
//! general way.

mod atom;
mod column;
mod ends;
mod standing;

use std::rc::Rc;

use astragal_prob::Natural;
use astragal_value::Value;

use super::{Machine, comparison};
use crate::code::{Program, Reach, Runner, Store, Whole, Word, compile_hoisted, is_of_calls};
use crate::plan::{Kind, Node};
use crate::state::Sym;
use crate::ways;
pub(crate) use atom::Lasting;
pub(super) use atom::{Atom, Known, law_of, locals_of};
use column::is_dealt;
pub(super) use column::{Column, Needs, Throw};
use ends::{Chance, Ends};
pub(crate) use standing::Standing;

/// What is too much, and left to the general way.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// How often the code is run.
    runs: u32,
    /// Values of one throw that are numbers: they can stay undecided elsewhere.
    values: usize,
    /// What may be a throw as a whole.
    whole: Whole,
}

impl Limits {
    /// For a function: a number that is only added to others is better left undecided.
    pub(super) const FEW: Limits =
        Limits { runs: ways::RUNS_OF_A_CALL, values: ways::FEW_NUMBERS, whole: Whole::Small };
    /// For a whole program: as often as can be paid for.
    const ALL: Limits = Limits { runs: u32::MAX, values: ways::MOST_VALUES, whole: Whole::Small };
    /// For a round of a loop, whose next state must be decided in any case.
    pub(super) const ROUND: Limits =
        Limits { runs: ways::RUNS_OF_A_ROUND, values: ways::MOST_VALUES, whole: Whole::Loop };
}

/// An expression under way.
struct Work<'m, 'p> {
    machine: &'m mut Machine<'p>,
    program: Program,
    throws: Vec<Throw<'p>>,
    store: Store,
    runner: Runner,
    runs: u32,
    limits: Limits,
    cost: u64,
    ends: Ends,
}

impl<'p> Machine<'p> {
    /// The values of an expression whose variables are decided, with their chances, which add up to 1. None
    /// if it is not worth while to try all throws.
    pub(super) fn hoisted(
        &mut self,
        node: &'p Node,
        variables: &[Option<Value>],
        limits: Limits,
    ) -> Option<Atom> {
        let may = self.meter.may(ways::HOISTED);
        // Numbers that are read off one pool together stay undecided, and have their joint law.
        let tried = may && is_composed(node) && !self.known.hopeless.contains(&node.id);
        if !tried || self.binds_for_readings(node) {
            return None;
        }
        let atom = self.work(node, variables, limits).and_then(Work::atom);
        match atom {
            None => drop(self.known.hopeless.insert(node.id)),
            Some(_) => self.meter.took(ways::HOISTED),
        }
        atom
    }

    /// The values of a program, however often its code has to be run.
    pub(super) fn as_code(&mut self, node: &'p Node, locals: usize) -> Option<Atom> {
        let atom = self.work(node, &vec![None; locals], Limits::ALL)?.atom()?;
        self.meter.took(ways::AS_CODE);
        Some(atom)
    }

    /// What that takes at most; none where throws depend on others, or it would be too much.
    pub(super) fn price_of(&mut self, node: &'p Node, locals: usize) -> Option<u64> {
        let most = self.meter.left() / ways::SHARE_OF_CODE;
        let mut work = self.work(node, &vec![None; locals], Limits::ALL)?;
        let mut price = 12 + work.cost;
        for at in 0..work.throws.len() {
            if !work.throws[at].thrown.keys.is_empty() {
                return None;
            }
            let values = work.column(at)?.words.len() as u64;
            price = price.checked_mul(values).filter(|price| *price < most)?;
        }
        Some(price)
    }

    fn work(
        &mut self,
        node: &'p Node,
        variables: &[Option<Value>],
        limits: Limits,
    ) -> Option<Work<'_, 'p>> {
        let mut store = Store::new();
        let word = |value: &Option<Value>| value.as_ref().map(|value| store.word(value));
        let variables: Vec<Option<Word>> = variables.iter().map(word).collect();
        let (program, throws) =
            compile_hoisted(node, &variables, &[], limits.whole, self.plan, &mut store)?;
        // What is certain is worked out already.
        self.meter.charge(store.bytes() / 16).ok()?;
        let mut runner = Runner::new(program.slots);
        let throws = Throw::all(throws, &mut runner);
        runner.prepare(&program.terms, &mut store);
        let cost = 4 + program.code.size();
        let (machine, runs, ends) = (self, limits.runs, Ends::default());
        Some(Work { machine, program, throws, store, runner, runs, limits, cost, ends })
    }

    /// The variables that an expression reads; none if one is not decided.
    pub(super) fn variables_of(&self, node: &Node, locals: &[Sym]) -> Option<Vec<Option<Value>>> {
        let mut values = vec![None; locals.len()];
        for local in node.free.iter() {
            let at = local.0 as usize;
            *values.get_mut(at)? = Some(locals.get(at)?.to_value()?);
        }
        Some(values)
    }
}

impl<'p> Work<'_, 'p> {
    /// All values with their weights.
    fn atom(mut self) -> Option<Atom> {
        self.follow(&Chance::certain())?;
        self.ends.atom(&self.store)
    }

    /// Runs the code on one path, and on all that go on from it.
    fn follow(&mut self, chance: &Chance) -> Option<()> {
        self.pay()?;
        self.runner.begin();
        match self.runner.run(&self.program.code, &mut self.store) {
            Some(word) => {
                self.ends.add(word, chance);
                Some(())
            }
            None => {
                let slot = self.runner.wanted.take()?;
                self.throw(slot, chance)
            }
        }
    }

    fn pay(&mut self) -> Option<()> {
        self.runs = self.runs.checked_sub(1)?;
        // A run multiplies chances and looks its end up, besides what its code does.
        self.machine.meter.charge(24 + 2 * self.cost + self.runner.folded).ok()
    }

    /// Goes on with each value of a throw.
    fn throw(&mut self, slot: u32, chance: &Chance) -> Option<()> {
        let at = self.throws.iter().position(|throw| throw.thrown.slot == slot)?;
        if self.throws[at].look(None, &mut self.runner, &mut self.store).is_none() {
            // What it depends on is to be thrown first.
            let first = self.runner.wanted.take()?;
            return self.throw(first, chance);
        }
        let column = self.column(at)?;
        if let Some(answers) = &column.answers {
            self.runner.lay(slot, Rc::clone(answers));
        }
        let total = chance.total_with(&column.total);
        if column.numbers.is_empty() {
            for (word, weight) in column.words.iter().zip(&column.weights) {
                self.runner.set(slot as usize, *word);
                self.follow(&chance.and(weight, &total))?;
            }
        } else {
            self.in_ranges(slot, &column, (0, column.words.len()), chance, &total)?;
        }
        self.runner.set(slot as usize, Word::UNTHROWN);
        Some(())
    }

    /// Goes on with the values of a throw that lie in a range, as few ranges of them as may be.
    fn in_ranges(
        &mut self,
        slot: u32,
        column: &Column,
        (from, to): (usize, usize),
        chance: &Chance,
        total: &Rc<Natural>,
    ) -> Option<()> {
        if to - from >= ways::SHORTEST_RANGE {
            self.pay()?;
            let range = Reach::Moved(column.numbers[from], column.numbers[to - 1], 0);
            let code = &self.program.code;
            let reach = self.runner.reach(code, slot as usize, range, &mut self.store);
            self.runner.wanted = None;
            if let Some(Reach::Word(word)) = reach {
                self.ends.add(word, &chance.and(&column.weight(from, to), total));
                return Some(());
            }
            let middle = from.midpoint(to);
            self.in_ranges(slot, column, (from, middle), chance, total)?;
            return self.in_ranges(slot, column, (middle, to), chance, total);
        }
        for at in from..to {
            self.runner.set(slot as usize, column.words[at]);
            self.follow(&chance.and(&column.weights[at], total))?;
        }
        Some(())
    }

    /// The values of a throw, from what it depends on.
    fn column(&mut self, at: usize) -> Option<Rc<Column>> {
        let Work { machine, throws, runner, store, .. } = self;
        if let Some(known) = throws[at].known() {
            return Some(known);
        }
        let values = throws[at].variables(None, runner, store)?;
        let is_asked = throws[at].thrown.asked.is_some();
        let limits = if is_asked { self.limits } else { Limits::FEW };
        let column = Rc::new(machine.column(&throws[at].thrown, &values, limits, store)?);
        throws[at].knows(&column);
        self.allow(at, &column)?;
        Some(column)
    }

    /// Whether a throw has few enough values.
    fn allow(&mut self, at: usize, column: &Column) -> Option<()> {
        let runs = match &self.throws[at].thrown.asked {
            Some(asked) if is_dealt(asked) => ways::RUNS_OF_A_DEAL,
            Some(_) => ways::RUNS_OF_A_ROUND,
            None if column.words.len() <= self.limits.values => self.runs,
            // What is no number has to be decided value by value in any case.
            None if column.is_number(&self.store) || column.words.len() > ways::FEW_VALUES => {
                return None;
            }
            None => ways::RUNS_OF_A_ROUND,
        };
        self.runs = self.runs.max(runs);
        Some(())
    }
}

/// Whether an expression is made of others, so that telling its throws apart may save work.
fn is_composed(node: &Node) -> bool {
    match &node.kind {
        // Sums are better left undecided.
        Kind::Operation { op, .. } => comparison(*op).is_some(),
        Kind::Call { .. } => is_of_calls(node),
        kind => matches!(
            kind,
            Kind::Let { .. }
                | Kind::If { .. }
                | Kind::List(_)
                | Kind::Record { .. }
                | Kind::Field { .. }
                | Kind::Enter { .. }
                | Kind::Require { .. }
        ),
    }
}
