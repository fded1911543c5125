//! How likely a path is, and what the paths come to.

use std::rc::Rc;

use astragal_prob::Natural;
use astragal_value::Value;
use dashu_base::Gcd;
use rustc_hash::FxHashMap;

use super::atom::Atom;

/// The chance of a path.
#[derive(Clone)]
pub(super) struct Chance {
    pub(super) weight: Natural,
    pub(super) total: Rc<Natural>,
}

impl Chance {
    pub(super) fn certain() -> Chance {
        Chance { weight: Natural::ONE, total: Rc::new(Natural::ONE) }
    }

    /// The total after a throw with this one.
    pub(super) fn total_with(&self, total: &Natural) -> Rc<Natural> {
        Rc::new(if self.total.is_one() { total.clone() } else { &*self.total * total })
    }

    pub(super) fn and(&self, weight: &Natural, total: &Rc<Natural>) -> Chance {
        let weight = if self.weight.is_one() { weight.clone() } else { &self.weight * weight };
        Chance { weight, total: Rc::clone(total) }
    }
}

/// The values that paths end with. Paths mostly share their total, so weights are added as they are.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) places: FxHashMap<Value, usize>,
    pub(super) list: Vec<(Value, Vec<Chance>)>,
}

impl Ends {
    pub(super) fn add(&mut self, value: Value, chance: &Chance) {
        let Some(at) = self.places.get(&value) else {
            self.places.insert(value.clone(), self.list.len());
            self.list.push((value, vec![chance.clone()]));
            return;
        };
        let known = &mut self.list[*at].1;
        let alike = |known: &&mut Chance| {
            Rc::ptr_eq(&known.total, &chance.total) || known.total == chance.total
        };
        match known.iter_mut().find(alike) {
            Some(known) => known.weight += &chance.weight,
            None => known.push(chance.clone()),
        }
    }

    /// The weights over one total.
    pub(super) fn atom(self) -> Option<Atom> {
        let mut totals: Vec<Rc<Natural>> = Vec::new();
        for chance in self.list.iter().flat_map(|(_, chances)| chances) {
            if !totals.iter().any(|known| Rc::ptr_eq(known, &chance.total)) {
                totals.push(Rc::clone(&chance.total));
            }
        }
        let total = totals.iter().fold(Natural::ONE, |total, more| {
            let common = (&total).gcd(&**more);
            total / common * &**more
        });
        let factors: Vec<Natural> = totals.iter().map(|one| &total / &**one).collect();
        let weight = |chance: Chance| {
            let at = totals.iter().position(|known| Rc::ptr_eq(known, &chance.total)).unwrap_or(0);
            if factors[at].is_one() { chance.weight } else { chance.weight * &factors[at] }
        };
        let outcomes = self.list.into_iter().map(|(value, chances)| {
            (value, chances.into_iter().map(weight).fold(Natural::ZERO, |sum, one| sum + one))
        });
        Some(Atom { outcomes: outcomes.collect(), total, notes: Vec::new() })
    }
}
