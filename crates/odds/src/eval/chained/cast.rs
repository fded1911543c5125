//! The values of a throw, as words with weights over a total.

use std::rc::Rc;

use astragal_prob::{Law, Meter, Natural, Rational};
use astragal_value::Number;

use crate::eval::hoisted::Atom;
use crate::plain::{Store, Word};
use crate::ways;
use astragal_prob::Weighted;

/// The values of a throw.
pub(super) struct Cast {
    pub(super) words: Vec<Word>,
    pub(super) weights: Vec<Natural>,
    pub(super) total: Natural,
    /// The words as numbers in ascending order, where they are numbers.
    pub(super) numbers: Vec<i64>,
    /// The weights before each number, added up.
    sums: Vec<Natural>,
    /// The law of an endless throw, of which only the beginning is listed.
    pub(super) law: Option<Rc<Law>>,
}

impl Cast {
    pub(super) fn of(atom: Atom, store: &mut Store) -> Cast {
        let (mut outcomes, total) = (atom.outcomes, atom.total);
        let number = |value: &astragal_value::Value| value.as_number().and_then(Number::to_i64);
        let whole = outcomes.iter().all(|(value, _)| number(value).is_some());
        if whole {
            outcomes.sort_by_key(|(value, _)| number(value));
        }
        let words = outcomes.iter().map(|(value, _)| store.word(value)).collect();
        let weights = outcomes.into_iter().map(|(_, weight)| weight).collect();
        let mut cast = Cast { words, weights, total, ..Cast::empty() };
        if whole {
            cast.add_up();
        }
        cast
    }

    /// An endless throw of whole numbers that has a lowest; none if it is something else.
    pub(super) fn endless(law: Law, meter: &Meter) -> Option<Cast> {
        if !law.is_endless() || !law.is_whole() || law.has_unknown() {
            return None;
        }
        let least = Number::from(law.lowest()?)
            .to_i64()
            .filter(|least| least.unsigned_abs() < ways::MOST_VALUES as u64)?;
        let mut cast = Cast { law: Some(Rc::new(law)), ..Cast::empty() };
        cast.list(least + ways::FIRST_LISTED, meter)?;
        Some(cast)
    }

    /// Whether there are values beyond those listed.
    pub(super) fn is_open(&self) -> bool {
        self.law.is_some()
    }

    /// Lists twice as many values; none if that is too many.
    pub(super) fn longer(&self, meter: &Meter) -> Option<Cast> {
        let law = self.law.clone()?;
        let (first, last) = (self.numbers.first()?, self.numbers.last()?);
        let mut cast = Cast { law: Some(law), ..Cast::empty() };
        cast.list(first + 2 * (last - first + 1), meter)?;
        Some(cast)
    }

    fn empty() -> Cast {
        Cast {
            words: Vec::new(),
            weights: Vec::new(),
            total: Natural::ONE,
            numbers: Vec::new(),
            sums: Vec::new(),
            law: None,
        }
    }

    fn list(&mut self, until: i64, meter: &Meter) -> Option<()> {
        let until = Some(until).filter(|until| *until <= ways::MOST_VALUES as i64)?;
        let anything = Rational::from(2);
        let listing =
            self.law.as_ref()?.listing(&anything, Some(&Rational::from(until)), meter).ok()?;
        let rest = (None, listing.rest);
        let listed = listing.outcomes.into_iter().map(|(value, chance)| (Some(value), chance));
        let listed = Weighted::of_chances(listed.chain([rest]).collect())?;
        for (value, weight) in listed.outcomes {
            let Some(value) = value else { continue };
            self.words.push(Word::number(Number::from(value).to_i64()?)?);
            self.weights.push(weight);
        }
        self.total = listed.total;
        self.add_up();
        (self.numbers.len() > 1).then_some(())
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

    /// The weight of the values with numbers from `from` up to `to`, that one not included.
    pub(super) fn weight(&self, from: usize, to: usize) -> Natural {
        if from + 1 == to {
            return self.weights[from].clone();
        }
        if from == 0 {
            return self.sums[to].clone();
        }
        &self.sums[to] - &self.sums[from]
    }

    /// The weight of everything from `from` on.
    pub(super) fn weight_from(&self, from: usize) -> Natural {
        &self.total - &self.sums[from]
    }
}
