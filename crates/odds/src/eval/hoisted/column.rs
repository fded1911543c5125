//! Throws, and their values: words with weights over a total.

use std::rc::Rc;

use astragal_prob::{Law, Meter, Natural, Rational, Weighted};
use astragal_value::{Number, Value};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use super::{Atom, Limits};
use crate::asked::{Asked, Deal};
use crate::code::{Code, Runner, Store, Thrown, Word};
use crate::eval::Machine;
use crate::ways;

/// A throw, and its values so far by what they depend on.
pub(in crate::eval) struct Throw<'p> {
    pub(in crate::eval) thrown: Thrown<'p>,
    /// What it depended on the last time.
    key: Vec<Word>,
    known: FxHashMap<Vec<Word>, Rc<Column>>,
    /// Its values, if they depend on nothing.
    only: Option<Rc<Column>>,
}

/// What is left of what a throw depends on and of the variables that it reads, where some of that is known.
#[derive(Clone, Debug, Default)]
pub(in crate::eval) struct Needs {
    pub(in crate::eval) keys: Vec<Code>,
    pub(in crate::eval) reads: Vec<Code>,
}

impl<'p> Throw<'p> {
    /// The throws of some code, none of which is made.
    pub(in crate::eval) fn all(thrown: Vec<Thrown<'p>>, runner: &mut Runner) -> Vec<Throw<'p>> {
        let throw = |thrown: Thrown<'p>| {
            runner.set(thrown.slot as usize, Word::UNTHROWN);
            Throw { thrown, key: Vec::new(), known: FxHashMap::default(), only: None }
        };
        thrown.into_iter().map(throw).collect()
    }

    /// Looks at what it depends on here; none if that is not known, or another throw is wanted first.
    pub(in crate::eval) fn look(
        &mut self,
        needs: Option<&Needs>,
        runner: &mut Runner,
        store: &mut Store,
    ) -> Option<()> {
        if self.only.is_some() {
            return Some(());
        }
        self.key.clear();
        for code in needs.map_or(&self.thrown.keys, |needs| &needs.keys) {
            self.key.push(runner.run(code, store)?);
        }
        Some(())
    }

    /// Its values for what it depended on the last time.
    pub(in crate::eval) fn known(&self) -> Option<Rc<Column>> {
        self.only.clone().or_else(|| self.known.get(&self.key).cloned())
    }

    /// These are its values for what it depended on the last time.
    pub(in crate::eval) fn knows(&mut self, column: &Rc<Column>) {
        if self.key.is_empty() {
            self.only = Some(Rc::clone(column));
        } else {
            self.known.insert(self.key.clone(), Rc::clone(column));
        }
    }

    /// The variables that it reads.
    pub(in crate::eval) fn variables(
        &self,
        needs: Option<&Needs>,
        runner: &mut Runner,
        store: &mut Store,
    ) -> Option<Vec<Option<Value>>> {
        let mut values = vec![None; self.thrown.locals];
        for (at, (local, code)) in self.thrown.reads.iter().enumerate() {
            let code = match needs {
                Some(needs) => needs.reads.get(at)?,
                None => code,
            };
            let word = runner.run(code, store)?;
            *values.get_mut(local.0 as usize)? = Some(store.value(word));
        }
        Some(values)
    }
}

/// The values of a throw.
pub(in crate::eval) struct Column {
    pub(in crate::eval) words: Vec<Word>,
    pub(in crate::eval) weights: Vec<Natural>,
    pub(in crate::eval) total: Natural,
    /// The words as numbers in ascending order, where they are numbers and many.
    pub(in crate::eval) numbers: Vec<i64>,
    /// The weights before each number, added up.
    sums: Vec<Natural>,
    /// The law of an endless throw, of which only the beginning is listed.
    pub(in crate::eval) law: Option<Rc<Law>>,
    /// What dice on the table answer: for each question and each hand.
    pub(in crate::eval) answers: Option<Rc<Vec<Vec<Word>>>>,
}

impl<'p> Machine<'p> {
    /// The values of a throw, from the variables that it reads.
    pub(in crate::eval) fn column(
        &mut self,
        thrown: &Thrown<'p>,
        values: &[Option<Value>],
        limits: Limits,
        store: &mut Store,
    ) -> Option<Column> {
        match &thrown.asked {
            None => {
                let atom = self.atom(thrown.node, thrown.function, values, limits)?;
                Some(Column::of(&atom, store))
            }
            Some(asked) => self.hands(thrown, asked, values, limits, store),
        }
    }

    /// The hands that dice on the table may show, with their answers.
    fn hands(
        &mut self,
        thrown: &Thrown<'p>,
        asked: &Asked<'p>,
        values: &[Option<Value>],
        limits: Limits,
        store: &mut Store,
    ) -> Option<Column> {
        let beside = !asked.beside.is_empty();
        if !self.meter.may(ways::ASKED_DICE) || beside && !self.meter.may(ways::SIDE_BY_SIDE) {
            return None;
        }
        let joint = self.joint(thrown.node, values, asked)?;
        let several = asked.questions.len() > 1;
        let dealt = is_dealt(asked);
        if !several && !dealt && joint.hands.len() > limits.values {
            return None;
        }
        self.meter.took(match (dealt, beside) {
            (true, _) => ways::DEALS,
            (_, true) => ways::SIDE_BY_SIDE,
            _ => ways::ASKED_DICE,
        });
        let mut answers = Vec::with_capacity(joint.answers.len());
        for (question, known) in joint.answers.iter().enumerate() {
            let known: Vec<Word> = known.iter().map(|value| store.word(value)).collect();
            let hands = joint.hands.iter();
            answers.push(hands.map(|(numbers, _)| known[numbers[question] as usize]).collect());
        }
        let words = (0..joint.hands.len() as i64).map(Word::number).collect::<Option<_>>()?;
        let weights = joint.hands.iter().map(|(_, weight)| weight.clone()).collect();
        let (total, answers) = (joint.total.clone(), Some(Rc::new(answers)));
        Some(Column { words, weights, total, answers, ..Column::empty() })
    }
}

/// Whether several hands are dealt from one bag.
pub(super) fn is_dealt(asked: &Asked<'_>) -> bool {
    asked.deal.as_ref().is_some_and(|deal: &Deal| deal.hands() > 1)
}

impl Column {
    fn of(atom: &Atom, store: &mut Store) -> Column {
        let mut words: Vec<(Word, Natural)> = Vec::with_capacity(atom.outcomes.len());
        words.extend(
            atom.outcomes.iter().map(|(value, weight)| (store.word(value), weight.clone())),
        );
        let is_range = words.len() >= ways::SHORTEST_RANGE
            && words.iter().all(|(word, _)| word.as_number().is_some());
        if is_range {
            words.sort_by_key(|(word, _)| word.as_number());
        }
        let (words, weights) = words.into_iter().unzip();
        let mut column = Column { words, weights, total: atom.total.clone(), ..Column::empty() };
        if is_range {
            column.add_up();
        }
        column
    }

    /// An endless throw of whole numbers that has a lowest; none if it is something else.
    pub(in crate::eval) fn endless(law: Law, meter: &Meter) -> Option<Column> {
        if !law.is_endless() || !law.is_whole() || law.has_unknown() {
            return None;
        }
        let least = Number::from(law.lowest()?)
            .to_i64()
            .filter(|least| least.unsigned_abs() < ways::MOST_VALUES as u64)?;
        Column::listed(Rc::new(law), least + ways::FIRST_LISTED, meter)
    }

    /// Lists twice as many values of an endless throw; none if that is too many.
    pub(in crate::eval) fn longer(&self, meter: &Meter) -> Option<Column> {
        let (first, last) = (self.numbers.first()?, self.numbers.last()?);
        Column::listed(self.law.clone()?, first + 2 * (last - first + 1), meter)
    }

    fn empty() -> Column {
        Column {
            words: Vec::new(),
            weights: Vec::new(),
            total: Natural::ONE,
            numbers: Vec::new(),
            sums: Vec::new(),
            law: None,
            answers: None,
        }
    }

    fn listed(law: Rc<Law>, until: i64, meter: &Meter) -> Option<Column> {
        let until = Some(until).filter(|until| *until <= ways::MOST_VALUES as i64)?;
        let anything = Rational::from(2);
        let listing = law.listing(&anything, Some(&Rational::from(until)), meter).ok()?;
        let rest = (None, listing.rest);
        let listed = listing.outcomes.into_iter().map(|(value, chance)| (Some(value), chance));
        let listed = Weighted::of_chances(listed.chain([rest]).collect())?;
        let mut column = Column { total: listed.total, law: Some(law), ..Column::empty() };
        for (value, weight) in listed.outcomes {
            let Some(value) = value else { continue };
            column.words.push(Word::number(Number::from(value).to_i64()?)?);
            column.weights.push(weight);
        }
        column.add_up();
        (column.numbers.len() > 1).then_some(column)
    }

    fn add_up(&mut self) {
        self.numbers = self.words.iter().filter_map(|word| word.as_number()).collect();
        let mut sum = Natural::ZERO;
        for weight in &self.weights {
            self.sums.push(sum.clone());
            sum += weight;
        }
        self.sums.push(sum);
    }

    /// Whether its first value is a number: then all are.
    pub(super) fn is_number(&self, store: &Store) -> bool {
        self.words.first().is_some_and(|word| matches!(store.value(*word), Value::Number(_)))
    }

    /// About how many bytes it takes.
    pub(in crate::eval) fn bytes(&self) -> u64 {
        let limbs = self.total.bit_len() as u64 / 64;
        let weight = size_of::<Natural>() as u64 + if limbs > 1 { 16 + 8 * limbs } else { 0 };
        (self.weights.len() + self.sums.len()) as u64 * (8 + weight)
    }

    /// Whether there are values beyond those listed.
    pub(in crate::eval) fn is_open(&self) -> bool {
        self.law.is_some()
    }

    /// The weight of the numbers from `from` up to `to`, that one not included.
    pub(in crate::eval) fn weight(&self, from: usize, to: usize) -> Natural {
        if from == 0 {
            return self.sums[to].clone();
        }
        &self.sums[to] - &self.sums[from]
    }

    /// The weight of everything from `from` on.
    pub(in crate::eval) fn weight_from(&self, from: usize) -> Natural {
        &self.total - &self.sums[from]
    }
}
