//! Chances over one common denominator, summed up.
//!
//! `10000d6cs>=5` has ten thousand outcomes whose denominators have thousands of digits. Adding such
//! fractions one by one takes a minute, because each sum is reduced; adding their numerators over a
//! common denominator takes no time. So weights are summed once, as whole numbers, and a fraction is
//! made only of what is shown.

use astragal::{Answer, Law, Rational, Value};
use dashu_base::Gcd;
use dashu_int::UBig;

use crate::decimal::{percent, percent_of};

/// The chances of outcomes in a row, as sums of weights.
#[derive(Clone, Debug)]
pub struct Weights {
    total: UBig,
    /// The weight of everything before each place; one more than there are places.
    before: Vec<UBig>,
    /// The chance of what lies below the first place, and above the last.
    below: Rational,
    above: Rational,
    /// Whether `below` and `above` are known.
    ends_known: bool,
}

impl Weights {
    /// The weights of an answer at these values, which hold all of its outcomes and are in order.
    pub fn of(answer: &Answer, values: &[&Value]) -> Weights {
        let table = answer.exact_law().and_then(Law::as_table);
        let table = table.filter(|table| table.count() == answer.outcomes.len());
        // Those of a table may be long, and are gone through without a copy of all.
        let (weights, total): (Box<dyn Iterator<Item = UBig> + '_>, UBig) = match table {
            Some(table) => {
                let weights = table.outcomes().map(|(_, weight)| weight.clone());
                (Box::new(weights), table.total().clone())
            }
            None => {
                let (weights, total) = weights(answer);
                (Box::new(weights.into_iter()), total)
            }
        };
        let mut before = Vec::with_capacity(values.len() + 1);
        let mut sum = UBig::ZERO;
        let mut own = answer.outcomes.values().iter().zip(weights).peekable();
        before.push(sum.clone());
        for value in values {
            while let Some((_, weight)) = own.next_if(|(known, _)| known <= value) {
                sum += weight;
            }
            before.push(sum.clone());
        }
        let (below, above, ends_known) = ends(answer);
        Weights { total, before, below, above, ends_known }
    }

    /// The weight of the places from `start` up to, not including, `end`.
    pub fn weight(&self, start: usize, end: usize) -> UBig {
        &self.before[end] - &self.before[start]
    }

    /// How many places there are.
    pub fn count(&self) -> usize {
        self.before.len() - 1
    }

    /// The common denominator: a weight divided by it is a chance.
    pub fn total(&self) -> &UBig {
        &self.total
    }

    /// The chances of what lies below the first place and above the last, where they are known.
    pub fn ends(&self) -> Option<(&Rational, &Rational)> {
        self.ends_known.then_some((&self.below, &self.above))
    }

    /// The chance of the places from `start` up to, not including, `end`.
    pub fn between(&self, start: usize, end: usize) -> Rational {
        Rational::from_parts(self.weight(start, end).into(), self.total.clone())
    }

    /// The chance of the places from `start` on, and all above.
    pub fn at_least(&self, start: usize) -> Option<Rational> {
        let listed = self.between(start, self.count());
        self.ends_known.then(|| sum(listed, &self.above))
    }

    /// The same in percent, which needs no fraction in lowest terms.
    pub fn percent_from(&self, start: usize) -> Option<String> {
        match self.above.is_zero() {
            true => {
                self.ends_known.then(|| percent_of(&self.weight(start, self.count()), &self.total))
            }
            false => self.at_least(start).map(|chance| percent(&chance)),
        }
    }

    /// The chance of the places before `end`, and all below.
    pub fn at_most(&self, end: usize) -> Option<Rational> {
        self.ends_known.then(|| sum(self.between(0, end), &self.below))
    }

    /// Whether the places have together a chance below one in `many`.
    pub fn is_below_one_in(&self, many: u32, start: usize, end: usize) -> bool {
        self.weight(start, end) * UBig::from(many) < self.total
    }

    /// The first place at which the chance of it or less reaches so many percent.
    pub fn percentile(&self, percent: u8) -> Option<usize> {
        if !self.ends_known {
            return None;
        }
        let wanted = Rational::from(percent) / Rational::from(100u8) - &self.below;
        let wanted = (wanted * Rational::from(self.total.clone())).ceil();
        let reached =
            self.before.partition_point(|sum| dashu_int::IBig::from(sum.clone()) < wanted);
        (reached < self.before.len()).then(|| reached.saturating_sub(1))
    }
}

/// A sum that does not reduce a long fraction once more for nothing.
fn sum(listed: Rational, rest: &Rational) -> Rational {
    if rest.is_zero() { listed } else { listed + rest }
}

/// Whole weights of the outcomes, and their total.
fn weights(answer: &Answer) -> (Vec<UBig>, UBig) {
    let total = answer.outcomes.iter().fold(UBig::ONE, |total, (_, chance)| {
        let bottom = chance.denominator();
        if (&total % bottom).is_zero() {
            return total;
        }
        let common = (&total).gcd(bottom);
        total / common * bottom
    });
    let weight = |chance: &Rational| {
        let (_, top) = chance.numerator().clone().into_parts();
        top * (&total / chance.denominator())
    };
    (answer.outcomes.iter().map(|(_, chance)| weight(chance)).collect(), total)
}

/// What lies below and above the outcomes, and whether that is known.
fn ends(answer: &Answer) -> (Rational, Rational, bool) {
    let zero = || Rational::ZERO;
    let Some(law) = answer.exact_law() else { return (zero(), zero(), answer.rest.is_zero()) };
    match (law.lowest(), law.highest()) {
        (Some(_), Some(_)) => (zero(), zero(), true),
        (Some(_), None) => (zero(), answer.rest.clone(), true),
        (None, Some(_)) => (answer.rest.clone(), zero(), true),
        (None, None) => (zero(), zero(), false),
    }
}
