//! An expression that is asked again and again with other values of what it reads: its throws are told from the rest once.

use std::rc::Rc;

use astragal_prob::{Natural, Rational};
use astragal_program::core::LocalId;

use super::{Column, Limits, Machine, Throw};
use crate::code::{Program, Reach, Runner, Store, Whole, Word, compile_hoisted};
use crate::plan::Node;
use crate::ways;
use rustc_hash::FxHashMap;

/// Code with throws, and the values of throws so far.
pub(crate) struct Standing<'p> {
    program: Program,
    throws: Vec<Throw<'p>>,
    runner: Runner,
    runs: u32,
}

impl<'p> Machine<'p> {
    /// An expression that reads these variables; none if what it does with its throws is not plain.
    pub(crate) fn standing(
        &self,
        node: &'p Node,
        locals: usize,
        reads: &[LocalId],
        store: &mut Store,
    ) -> Option<Standing<'p>> {
        let may = self.meter.may(ways::HOISTED);
        let words = vec![None; if may { locals } else { return None }];
        let (program, thrown) =
            compile_hoisted(node, &words, reads, Whole::Small, self.plan, store)?;
        let mut runner = Runner::new(program.slots);
        let throws = Throw::all(thrown, &mut runner);
        Some(Standing { program, throws, runner, runs: 0 })
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
        self.runs = 0;
        let mut found = Vec::new();
        self.follow(machine, &Rational::ONE, store, &mut found)?;
        machine.meter.took(ways::HOISTED);
        let mut sums: Vec<(Word, Rational)> = Vec::new();
        let mut places: FxHashMap<Word, usize> = FxHashMap::default();
        for (word, chance) in found {
            let place = *places.entry(word).or_insert(sums.len());
            match sums.get_mut(place) {
                Some((_, known)) => *known += chance,
                None => sums.push((word, chance)),
            }
        }
        Some(sums)
    }

    fn follow(
        &mut self,
        machine: &mut Machine<'p>,
        chance: &Rational,
        store: &mut Store,
        found: &mut Vec<(Word, Rational)>,
    ) -> Option<()> {
        self.pay(machine)?;
        self.runner.begin();
        match self.runner.run(&self.program.code, store) {
            Some(word) => {
                found.push((word, chance.clone()));
                Some(())
            }
            None => {
                let slot = self.runner.wanted.take()?;
                self.throw(machine, slot, chance, store, found)
            }
        }
    }

    fn throw(
        &mut self,
        machine: &mut Machine<'p>,
        slot: u32,
        chance: &Rational,
        store: &mut Store,
        found: &mut Vec<(Word, Rational)>,
    ) -> Option<()> {
        let at = self.throws.iter().position(|throw| throw.thrown.slot == slot)?;
        let Standing { throws, runner, .. } = self;
        if throws[at].look(None, runner, store).is_none() {
            // What it depends on is to be thrown first.
            let first = runner.wanted.take()?;
            return self.throw(machine, first, chance, store, found);
        }
        let column = match throws[at].known() {
            Some(known) => known,
            None => {
                let values = throws[at].variables(None, runner, store)?;
                let column = machine.column(&throws[at].thrown, &values, Limits::ROUND, store)?;
                let column = Rc::new(column);
                throws[at].knows(&column);
                column
            }
        };
        if let Some(answers) = &column.answers {
            self.runner.lay(slot, Rc::clone(answers));
        }
        self.in_ranges(machine, slot, &column, (0, column.words.len()), chance, store, found)?;
        self.runner.set(slot as usize, Word::UNTHROWN);
        Some(())
    }

    /// Goes on with the values of a throw that lie in a range, as few ranges of them as may be.
    #[expect(clippy::too_many_arguments, reason = "a path and where it leads")]
    fn in_ranges(
        &mut self,
        machine: &mut Machine<'p>,
        slot: u32,
        column: &Column,
        (from, to): (usize, usize),
        chance: &Rational,
        store: &mut Store,
        found: &mut Vec<(Word, Rational)>,
    ) -> Option<()> {
        let share = |weight: Natural| {
            let share = Rational::from_parts(weight.into(), column.total.clone());
            if *chance == Rational::ONE { share } else { chance * share }
        };
        if !column.numbers.is_empty() && to - from >= ways::SHORTEST_RANGE {
            self.pay(machine)?;
            let range = Reach::Moved(column.numbers[from], column.numbers[to - 1], 0);
            let reach = self.runner.reach(&self.program.code, slot as usize, range, store);
            self.runner.wanted = None;
            if let Some(Reach::Word(word)) = reach {
                found.push((word, share(column.weight(from, to))));
                return Some(());
            }
            let middle = from.midpoint(to);
            self.in_ranges(machine, slot, column, (from, middle), chance, store, found)?;
            return self.in_ranges(machine, slot, column, (middle, to), chance, store, found);
        }
        for at in from..to {
            self.runner.set(slot as usize, column.words[at]);
            self.follow(machine, &share(column.weights[at].clone()), store, found)?;
        }
        Some(())
    }

    fn pay(&mut self, machine: &Machine<'p>) -> Option<()> {
        self.runs += 1;
        (self.runs <= ways::RUNS_OF_A_ROUND).then_some(())?;
        machine.meter.charge(24 + 2 * self.program.code.size() + self.runner.folded).ok()
    }
}
