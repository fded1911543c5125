//! Small functions and rounds as code: throw by throw, on finished values.
//!
//! The states of the evaluator can hold undecided numbers, and that has its price: a state is copied, hashed
//! and weighed at each step. Where all variables are decided and little can happen, as in a round of a loop or
//! a call with given arguments, it is cheaper to tell the throws from the rest ([`crate::plain::Thrown`]) and to
//! run the rest as code. The code runs until it wants a throw; then each value of the throw is tried in turn,
//! and the code runs again. A throw is worked out once for what it depends on.
//!
//! Only a shortcut: what is endless, fails, or has too many paths yields nothing, and the caller takes the
//! general way.

mod atom;
mod ends;

use std::rc::Rc;

use astragal_prob::Natural;
use astragal_value::{Op, Value};
use rustc_hash::FxHashMap;

use super::Machine;
use crate::plain::{Program, Reach, Runner, Store, Thrown, Word, compile_hoisted, is_of_calls};
use crate::plan::{Kind, Node, Together};
use crate::state::Sym;
use crate::ways;
pub(crate) use atom::Lasting;
pub(super) use atom::{Atom, Known, locals_of};
use ends::{Chance, Ends};

/// What is too much, and left to the general way.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// How often the code is run.
    runs: u32,
    /// Values of one throw that are numbers: they can stay undecided elsewhere.
    values: usize,
    /// Whether a loop may be a throw: it is work that is done twice if the rest comes to nothing.
    loops: bool,
}

impl Limits {
    /// For a function: a number that is only added to others is better left undecided.
    pub(super) const FEW: Limits =
        Limits { runs: ways::RUNS_OF_A_CALL, values: ways::FEW_NUMBERS, loops: false };
    /// For a round of a loop, whose next state must be decided in any case.
    pub(super) const ROUND: Limits =
        Limits { runs: ways::RUNS_OF_A_ROUND, values: ways::MOST_VALUES, loops: true };
}

/// An expression under way.
struct Work<'m, 'p> {
    machine: &'m mut Machine<'p>,
    program: Program,
    throws: Vec<Thrown<'p>>,
    /// The values of throws, by their place and what they depend on.
    columns: FxHashMap<(usize, Vec<Word>), Rc<Column>>,
    store: Store,
    runner: Runner,
    runs: u32,
    values: usize,
    cost: u64,
    ends: Ends,
}

/// The values of a throw.
struct Column {
    words: Vec<Word>,
    weights: Vec<Natural>,
    total: Natural,
    /// What dice on the table answer: for each question and each hand.
    answers: Option<Rc<Vec<Vec<Word>>>>,
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
        let bound = matches!(node.together.as_deref(), Some(Together::Bound(_)));
        let apart = !bound && is_composed(node);
        if !may || !apart || self.known.is_hopeless(node) {
            return None;
        }
        let mut store = Store::new();
        let word = |value: &Option<Value>| value.as_ref().map(|value| store.word(value));
        let variables: Vec<Option<Word>> = variables.iter().map(word).collect();
        let compiled = compile_hoisted(node, &variables, limits.loops, self.plan, &mut store);
        let atom = compiled.and_then(|(program, throws)| {
            let mut runner = Runner::new(program.slots);
            throws.iter().for_each(|thrown| runner.set(thrown.slot as usize, Word::UNTHROWN));
            runner.prepare(&program.terms, &mut store);
            let cost = 4 + program.code.size();
            let Limits { runs, values, .. } = limits;
            let (columns, ends) = (FxHashMap::default(), Ends::default());
            let machine = &mut *self;
            let mut work =
                Work { machine, program, throws, columns, store, runner, runs, values, cost, ends };
            work.follow(&Chance::certain())?;
            let Work { store, ends, .. } = work;
            Some(ends.atom(&store))
        });
        match atom {
            None => self.known.is_hopeless_from_now(node),
            Some(_) => self.meter.took(ways::HOISTED),
        }
        atom
    }

    /// The value of an expression without chance.
    pub(super) fn still_value(&self, node: &'p Node, variables: &[Option<Value>]) -> Option<Value> {
        let mut store = Store::new();
        let word = |value: &Option<Value>| value.as_ref().map(|value| store.word(value));
        let variables: Vec<Option<Word>> = variables.iter().map(word).collect();
        let (program, _) = compile_hoisted(node, &variables, false, self.plan, &mut store)?;
        let mut runner = Runner::new(program.slots);
        runner.prepare(&program.terms, &mut store);
        runner.begin();
        let word = runner.run(&program.code, &mut store)?;
        self.meter.charge(program.code.size() + runner.folded).ok()?;
        Some(store.value(word))
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
        let at = self.throws.iter().position(|thrown| thrown.slot == slot)?;
        let Some(key) = self.key(at) else {
            // What it depends on is to be thrown first.
            let first = self.runner.wanted.take()?;
            return self.throw(first, chance);
        };
        let column = self.column(at, key)?;
        if let Some(answers) = &column.answers {
            self.runner.lay(slot, Rc::clone(answers));
        }
        let total = chance.total_with(&column.total);
        let is_numbers = column.answers.is_none()
            && column.words.len() >= ways::SHORTEST_RANGE
            && column.words.iter().all(|word| word.as_number().is_some());
        if is_numbers {
            self.in_ranges(slot, &column, (0, column.words.len()), chance, &total)?;
        } else {
            for (word, weight) in column.words.iter().zip(&column.weights) {
                self.runner.set(slot as usize, *word);
                self.follow(&chance.and(weight, &total))?;
            }
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
            let ends = (column.words[from].as_number()?, column.words[to - 1].as_number()?);
            let range = Reach::Moved(ends.0, ends.1, 0);
            let code = &self.program.code;
            let reach = self.runner.reach(code, slot as usize, range, &mut self.store);
            self.runner.wanted = None;
            if let Some(Reach::Word(word)) = reach {
                let weights = column.weights[from..to].iter();
                let weight = weights.fold(Natural::ZERO, |sum, weight| sum + weight);
                self.ends.add(word, &chance.and(&weight, total));
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

    /// What a throw depends on here.
    fn key(&mut self, at: usize) -> Option<Vec<Word>> {
        let mut key = Vec::with_capacity(self.throws[at].reads.len());
        for (_, code) in &self.throws[at].reads {
            key.push(self.runner.run(code, &mut self.store)?);
        }
        Some(key)
    }

    /// The values of a throw, from what it depends on.
    fn column(&mut self, at: usize, key: Vec<Word>) -> Option<Rc<Column>> {
        let key = (at, key);
        if let Some(known) = self.columns.get(&key) {
            return Some(Rc::clone(known));
        }
        let thrown = &self.throws[at];
        let mut values = vec![None; thrown.locals];
        for ((local, _), word) in thrown.reads.iter().zip(&key.1) {
            *values.get_mut(local.0 as usize)? = Some(self.store.value(*word));
        }
        let column = match &thrown.asked {
            None => {
                let atom = self.machine.atom(thrown.node, thrown.function, &values)?;
                self.allow(&atom)?;
                let words = atom.outcomes.iter().map(|(value, _)| self.store.word(value));
                let words: Vec<Word> = words.collect();
                self.columned(words, &atom)
            }
            Some(_) => self.hands(at, &values)?,
        };
        let column = Rc::new(column);
        self.columns.insert(key, Rc::clone(&column));
        Some(column)
    }

    /// Whether a throw has few enough values.
    fn allow(&mut self, atom: &Atom) -> Option<()> {
        if atom.outcomes.len() <= self.values {
            return Some(());
        }
        // What is no number has to be decided value by value in any case.
        let is_number = matches!(atom.outcomes.first(), Some((Value::Number(_), _)));
        if is_number || atom.outcomes.len() > ways::FEW_VALUES {
            return None;
        }
        self.runs = self.runs.max(ways::RUNS_OF_A_ROUND);
        Some(())
    }

    fn columned(&mut self, words: Vec<Word>, atom: &Atom) -> Column {
        let weights = atom.outcomes.iter().map(|(_, weight)| weight.clone()).collect();
        let mut column = Column { words, weights, total: atom.total.clone(), answers: None };
        if column.words.len() >= ways::SHORTEST_RANGE
            && column.words.iter().all(|word| word.as_number().is_some())
        {
            let mut pairs: Vec<_> = column.words.into_iter().zip(column.weights).collect();
            pairs.sort_by_key(|(word, _)| word.as_number());
            (column.words, column.weights) = pairs.into_iter().unzip();
        }
        column
    }

    /// The hands that dice on the table may show, with their answers.
    fn hands(&mut self, at: usize, values: &[Option<Value>]) -> Option<Column> {
        let thrown = &self.throws[at];
        let asked = thrown.asked.as_ref()?;
        if !self.machine.meter.may(ways::ASKED_DICE) {
            return None;
        }
        let joint = self.machine.joint(thrown.node, values, asked)?;
        let several = asked.questions.len() > 1;
        let dealt = asked.deal.as_ref().is_some_and(|deal| deal.hands() > 1);
        if !several && !dealt && joint.hands.len() > self.values {
            return None;
        }
        self.machine.meter.took(if dealt { ways::DEALS } else { ways::ASKED_DICE });
        self.runs = self.runs.max(if dealt { ways::RUNS_OF_A_DEAL } else { ways::RUNS_OF_A_ROUND });
        let mut answers = Vec::with_capacity(joint.answers.len());
        for (question, known) in joint.answers.iter().enumerate() {
            let known: Vec<Word> = known.iter().map(|value| self.store.word(value)).collect();
            let hands = joint.hands.iter();
            answers.push(hands.map(|(numbers, _)| known[numbers[question] as usize]).collect());
        }
        let words = (0..joint.hands.len() as i64).map(Word::number).collect::<Option<_>>()?;
        let weights = joint.hands.iter().map(|(_, weight)| weight.clone()).collect();
        let total = joint.total.clone();
        Some(Column { words, weights, total, answers: Some(Rc::new(answers)) })
    }
}

/// Whether an expression is made of others, so that telling its throws apart may save work.
fn is_composed(node: &Node) -> bool {
    match &node.kind {
        // Sums are better left undecided.
        Kind::Operation { op, .. } => matches!(
            op,
            Op::Equal | Op::NotEqual | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast
        ),
        Kind::Let { .. }
        | Kind::If { .. }
        | Kind::List(_)
        | Kind::Record { .. }
        | Kind::Field { .. }
        | Kind::Enter { .. }
        | Kind::Require { .. } => true,
        Kind::Call { .. } => is_of_calls(node),
        Kind::Nothing
        | Kind::Constant(_)
        | Kind::Local(_)
        | Kind::Fold { .. }
        | Kind::Walk(_)
        | Kind::Repeat(_)
        | Kind::Given { .. }
        | Kind::Dice { .. }
        | Kind::Symbols { .. }
        | Kind::Tally { .. }
        | Kind::Drawn { .. }
        | Kind::Gather(_)
        | Kind::Merge(_)
        | Kind::Times { .. }
        | Kind::Suffixed { .. }
        | Kind::Read { .. } => false,
    }
}
