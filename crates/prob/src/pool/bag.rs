//! The kept dice of an endless pool, as tables.
//!
//! However many dice `3d6!` adds, `keep highest 2` leaves two of six faces each: finitely many
//! tables. Their chances come from the thresholds of [`threshold`](super::threshold) with the dice
//! themselves in place of `x^worth`: polynomials whose monomials are multisets of dice, cut off at
//! fewer than `k` dice. A table whose k-th highest die shows `v` is a multiset of `j < k` dice above
//! `v`, filled up with dice that show `v`; the cancellation proved there holds monomial by monomial.

use super::growth::{Algebra, Growth};
use super::piece::{Piece, Setup};
use super::states::{Names, States, Token};
use super::stops::reached;
use super::{Condition, End, PoolError, Stage};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Integer, Natural, Rational};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Chances by multiset.
type Bag = FxHashMap<Vec<u32>, Rational>;

/// Multisets of the dice above a threshold, of fewer than `size` dice.
struct Bags<'a> {
    /// One die for each value, in ascending order: those that show the same stand for each other.
    values: &'a [Token],
    above: Option<Condition>,
    size: usize,
    names: &'a RefCell<Names>,
    meter: &'a Meter,
}

impl Algebra for Bags<'_> {
    type Element = Bag;

    fn mark(&self, piece: &Piece) -> Result<Bag, PoolError> {
        let token = Token::of(piece)?;
        let above = self.above.as_ref().is_some_and(|condition| condition.holds(&token.shown));
        let mut multiset = Vec::new();
        if above && let Ok(place) = self.values.binary_search_by(|t| t.shown.cmp(&token.shown)) {
            multiset.push(self.names.borrow_mut().number(self.values[place].clone()));
        }
        let fits = multiset.len() < self.size;
        Ok(fits.then_some((multiset, Rational::ONE)).into_iter().collect())
    }

    fn one(&self) -> Bag {
        [(Vec::new(), Rational::ONE)].into_iter().collect()
    }

    fn sum(&self, terms: &[(Rational, Bag)]) -> Result<Bag, PoolError> {
        let mut sum = Bag::default();
        for (factor, bag) in terms {
            self.meter.charge_product(bag.len(), 4, 0)?;
            for (multiset, chance) in bag {
                *sum.entry(multiset.clone()).or_default() += chance * factor;
            }
        }
        Ok(sum)
    }

    fn product(&self, a: &Bag, b: &Bag) -> Result<Bag, PoolError> {
        self.meter.charge_product(a.len(), 40 * b.len(), 0)?;
        let mut product = Bag::default();
        for (left, chance) in a {
            for (right, factor) in
                b.iter().filter(|(right, _)| left.len() + right.len() < self.size)
            {
                let mut multiset = [left.as_slice(), right.as_slice()].concat();
                multiset.sort_unstable();
                *product.entry(multiset).or_default() += chance * factor;
            }
        }
        Ok(product)
    }

    /// `g = g₀·(1 + e'·g)` where `e'` adds at least one die: exact after `size` rounds.
    fn geometric(&self, element: &Bag) -> Result<Bag, PoolError> {
        let mut rest = element.clone();
        let stays = rest.remove(&Vec::new()).unwrap_or_default();
        let start = number::quotient(&Rational::ONE, &(Rational::ONE - stays));
        let mut result = self.one();
        for _ in 0..self.size {
            let longer = self.product(&rest, &result)?;
            result = self.sum(&[(start.clone(), self.one()), (start.clone(), longer)])?;
        }
        Ok(result)
    }
}

/// The tables that are left when the `count` dice at one end of a growing pool are kept. Dice that
/// show the same must not differ in anything that matters later.
pub(crate) fn kept_tables(
    setup: &Setup,
    head: &[Stage],
    end: End,
    count: u64,
    meter: &Meter,
) -> Result<States, PoolError> {
    if end == End::Middle {
        return Err(PoolError::NoClosedForm);
    }
    let size = usize::try_from(count).map_err(|_| OverBudget::Steps)?;
    if size == 0 {
        let nothing = [(Vec::new(), Natural::ONE)].into_iter().collect();
        return Ok(States::known(Names::default(), nothing));
    }
    let names = RefCell::new(Names::default());
    let op = if end == End::Highest { Comparison::AtLeast } else { Comparison::AtMost };
    let mut tokens = Vec::new();
    for piece in reached(setup, head, meter)? {
        tokens.push(Token::of(&piece)?);
    }
    tokens.sort();
    tokens.dedup_by(|a, b| a.shown == b.shown);
    let values = tokens.clone();
    if end == End::Lowest {
        tokens.reverse();
    }
    let functional = |above: Option<&Token>| {
        let above = above.map(|token| Condition { op, value: token.shown.clone() });
        let bags = Bags { values: &values, above, size, names: &names, meter };
        Growth::new(setup, head, &bags, meter).pool()
    };
    let mut tables = Bag::default();
    let mut at_or_above = functional(tokens.first())?;
    for (multiset, chance) in &at_or_above {
        *tables.entry(multiset.clone()).or_default() += chance;
    }
    for (place, token) in tokens.iter().enumerate() {
        let above = functional(tokens.get(place + 1))?;
        let filler = names.borrow_mut().number(token.clone());
        for (bag, sign) in [(&above, Rational::ONE), (&at_or_above, -Rational::ONE)] {
            for (multiset, chance) in bag {
                let mut table = multiset.clone();
                table.resize(size, filler);
                table.sort_unstable();
                *tables.entry(table).or_default() += chance * &sign;
            }
        }
        at_or_above = above;
    }
    tables.retain(|_, chance| !chance.is_zero());
    Ok(States::known(names.into_inner(), weights(tables)))
}

fn weights(tables: Bag) -> FxHashMap<Vec<u32>, Natural> {
    let common =
        tables.values().fold(Natural::ONE, |c, chance| number::lcm(&c, chance.denominator()));
    let weight = |chance: &Rational| {
        number::magnitude(chance.numerator() * Integer::from(&common / chance.denominator()))
    };
    tables.into_iter().map(|(table, chance)| (table, weight(&chance))).collect()
}
