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
mod sums;

use std::rc::Rc;

use astragal_prob::{Natural, Rational};
use astragal_program::core::LocalId;
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
use ends::Ends;
pub(super) use sums::{Sums, times};

/// What is too much, and left to the general way.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// How often the code is run.
    runs: u32,
    /// Values of one throw that are numbers: they can stay undecided elsewhere.
    values: usize,
    /// What may be a throw as a whole.
    whole: Whole,
    /// Whether throws within throws have the same limits, and not those of a function.
    within: bool,
}

impl Limits {
    /// For a function: a number that is only added to others is better left undecided.
    pub(super) const FEW: Limits = Limits {
        runs: ways::RUNS_OF_A_CALL,
        values: ways::FEW_NUMBERS,
        whole: Whole::Small,
        within: false,
    };
    /// For a whole program: as often as can be paid for.
    const ALL: Limits = Limits { runs: u32::MAX, values: ways::MOST_VALUES, ..Limits::FEW };
    /// For a round of a loop, whose next state must be decided in any case.
    pub(super) const ROUND: Limits = Limits {
        runs: ways::RUNS_OF_A_ROUND,
        values: ways::MOST_VALUES,
        whole: Whole::Loop,
        within: false,
    };
    /// For a round that is told apart as a whole.
    pub(super) const ROUNDS: Limits = Limits { whole: Whole::Round, ..Limits::ROUND };
    /// For what is asked again and again.
    const STANDING: Limits = Limits { whole: Whole::Small, within: true, ..Limits::ROUND };
}

/// An expression whose throws are told from the rest: code with throws, and the values of throws so far.
pub(crate) struct Standing<'p> {
    pub(super) program: Program,
    pub(super) throws: Vec<Throw<'p>>,
    pub(super) runner: Runner,
    limits: Limits,
    /// What a run of the code costs, but for lists that it goes through.
    cost: u64,
}

/// Such an expression under way.
struct Work<'w, 'p> {
    machine: &'w mut Machine<'p>,
    standing: &'w mut Standing<'p>,
    store: &'w mut Store,
    runs: u32,
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
        let atom = self.run_as_code(node, variables, limits);
        match atom {
            None => drop(self.known.hopeless.insert(node.id)),
            Some(_) => self.meter.took(ways::HOISTED),
        }
        atom
    }

    /// The values of a program, however often its code has to be run.
    pub(super) fn as_code(&mut self, node: &'p Node, locals: usize) -> Option<Atom> {
        let atom = self.run_as_code(node, &vec![None; locals], Limits::ALL)?;
        self.meter.took(ways::AS_CODE);
        Some(atom)
    }

    /// What that takes at most; none where throws depend on others, or it would be too much.
    pub(super) fn price_of(&mut self, node: &'p Node, locals: usize) -> Option<u64> {
        let most = self.meter.left() / ways::SHARE_OF_CODE;
        let mut store = Store::new();
        let mut standing =
            self.told_apart(node, &vec![None; locals], &[], Limits::ALL, &mut store)?;
        let mut price = 12 + standing.cost;
        if standing.throws.iter().any(|throw| !throw.thrown.keys.is_empty()) {
            return None;
        }
        let mut work = standing.begin(self, &mut store);
        for at in 0..work.standing.throws.len() {
            let values = work.column(at)?.words.len() as u64;
            price = price.checked_mul(values).filter(|price| *price < most)?;
        }
        Some(price)
    }

    fn run_as_code(
        &mut self,
        node: &'p Node,
        variables: &[Option<Value>],
        limits: Limits,
    ) -> Option<Atom> {
        let mut store = Store::new();
        let mut standing = self.told_apart(node, variables, &[], limits, &mut store)?;
        // What is certain is worked out already.
        self.meter.charge(store.bytes() / 16).ok()?;
        standing.runner.prepare(&standing.program.terms, &mut store);
        let ends = standing.begin(self, &mut store).ends()?;
        ends.atom(&store)
    }

    /// An expression that is asked with other values of these variables each time; none if what it does with its throws
    /// is not plain.
    pub(crate) fn standing(
        &self,
        node: &'p Node,
        locals: usize,
        reads: &[LocalId],
        store: &mut Store,
    ) -> Option<Standing<'p>> {
        let locals = vec![None; if self.meter.may(ways::HOISTED) { locals } else { return None }];
        self.told_apart(node, &locals, reads, Limits::STANDING, store)
    }

    /// An expression in variables with these values, and in others that have the first slots; none if what it does with
    /// its throws is not plain.
    pub(super) fn told_apart(
        &self,
        node: &'p Node,
        variables: &[Option<Value>],
        carried: &[LocalId],
        limits: Limits,
        store: &mut Store,
    ) -> Option<Standing<'p>> {
        let word = |value: &Option<Value>| value.as_ref().map(|value| store.word(value));
        let words: Vec<Option<Word>> = variables.iter().map(word).collect();
        let (program, throws) =
            compile_hoisted(node, &words, carried, limits.whole, self.plan, store)?;
        let mut runner = Runner::new(program.slots);
        let throws = Throw::all(throws, &mut runner);
        let cost = 4 + program.code.size();
        Some(Standing { program, throws, runner, limits, cost })
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

impl<'p> Standing<'p> {
    /// What it may come to with these values, with chances; none if that is not so simple.
    pub(crate) fn outcomes(
        &mut self,
        machine: &mut Machine<'p>,
        words: &[Word],
        store: &mut Store,
    ) -> Option<Vec<(Word, Rational)>> {
        words.iter().enumerate().for_each(|(slot, word)| self.runner.set(slot, *word));
        self.runner.prepare(&self.program.terms, store);
        for throw in &self.throws {
            self.runner.set(throw.thrown.slot as usize, Word::UNTHROWN);
        }
        let ends = self.begin(machine, store).ends()?;
        machine.meter.took(ways::HOISTED);
        Some(ends.chances())
    }

    fn begin<'w>(&'w mut self, machine: &'w mut Machine<'p>, store: &'w mut Store) -> Work<'w, 'p> {
        let runs = self.limits.runs;
        Work { machine, standing: self, store, runs, ends: Ends::none() }
    }
}

impl<'p> Work<'_, 'p> {
    /// All values with their weights.
    fn ends(mut self) -> Option<Ends> {
        self.follow(&Natural::ONE, &Natural::ONE)?;
        Some(self.ends)
    }

    /// Runs the code on a path with this weight, and on all that go on from it.
    fn follow(&mut self, weight: &Natural, total: &Natural) -> Option<()> {
        self.pay()?;
        let Standing { program, runner, .. } = self.standing;
        runner.begin();
        match runner.run(&program.code, self.store) {
            Some(word) => {
                self.ends.add(word, weight.clone(), total);
                Some(())
            }
            None => {
                let slot = runner.wanted.take()?;
                self.throw(slot, weight, total)
            }
        }
    }

    fn pay(&mut self) -> Option<()> {
        self.runs = self.runs.checked_sub(1)?;
        // A run multiplies chances and looks its end up, besides what its code does.
        let cost = 24 + 2 * self.standing.cost + self.standing.runner.folded;
        self.machine.meter.charge(cost).ok()
    }

    /// Goes on with each value of a throw.
    fn throw(&mut self, slot: u32, weight: &Natural, total: &Natural) -> Option<()> {
        let Standing { throws, runner, .. } = self.standing;
        let at = throws.iter().position(|throw| throw.thrown.slot == slot)?;
        if throws[at].look(None, runner, self.store).is_none() {
            // What it depends on is to be thrown first.
            let first = runner.wanted.take()?;
            return self.throw(first, weight, total);
        }
        let column = self.column(at)?;
        if let Some(answers) = &column.answers {
            self.standing.runner.lay(slot, Rc::clone(answers));
        }
        let total = times(total, &column.total);
        self.in_ranges(slot, &column, (0, column.words.len()), weight, &total)?;
        self.standing.runner.set(slot as usize, Word::UNTHROWN);
        Some(())
    }

    /// Goes on with the values of a throw that lie in a range, as few ranges of them as may be.
    fn in_ranges(
        &mut self,
        slot: u32,
        column: &Column,
        (from, to): (usize, usize),
        before: &Natural,
        total: &Natural,
    ) -> Option<()> {
        if !column.numbers.is_empty() && to - from >= ways::SHORTEST_RANGE {
            self.pay()?;
            let range = Reach::Moved(column.numbers[from], column.numbers[to - 1], 0);
            let Standing { program, runner, .. } = self.standing;
            let reach = runner.reach(&program.code, slot as usize, range, self.store);
            runner.wanted = None;
            if let Some(Reach::Word(word)) = reach {
                self.ends.add(word, times(before, &column.weight(from, to)), total);
                return Some(());
            }
            let middle = from.midpoint(to);
            self.in_ranges(slot, column, (from, middle), before, total)?;
            return self.in_ranges(slot, column, (middle, to), before, total);
        }
        for at in from..to {
            self.standing.runner.set(slot as usize, column.words[at]);
            self.follow(&times(before, &column.weights[at]), total)?;
        }
        Some(())
    }

    /// The values of a throw, from what it depends on.
    fn column(&mut self, at: usize) -> Option<Rc<Column>> {
        let Standing { throws, runner, limits, .. } = self.standing;
        if let Some(known) = throws[at].known() {
            return Some(known);
        }
        let values = throws[at].variables(None, runner, self.store)?;
        let same = limits.within || throws[at].thrown.asked.is_some();
        let limits = if same { *limits } else { Limits::FEW };
        let column = self.machine.column(&throws[at].thrown, &values, limits, self.store)?;
        let column = Rc::new(column);
        throws[at].knows(&column);
        self.allow(at, &column)?;
        Some(column)
    }

    /// Whether a throw has few enough values.
    fn allow(&mut self, at: usize, column: &Column) -> Option<()> {
        let Standing { throws, limits, .. } = self.standing;
        let runs = match &throws[at].thrown.asked {
            Some(asked) if is_dealt(asked) => ways::RUNS_OF_A_DEAL,
            Some(_) => ways::RUNS_OF_A_ROUND,
            None if column.words.len() <= limits.values => self.runs,
            // What is no number has to be decided value by value in any case.
            None if column.is_number(self.store) || column.words.len() > ways::FEW_VALUES => {
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
