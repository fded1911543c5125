//! The law of a value that is undecided as a whole.
//!
//! ```text
//! let best = best_set(20d10); [best.size, best.face]
//! ```
//!
//! A walk may end with a hundred thousand carried values. As long as nobody looks at them, they are one
//! variable of one state: values with weights. What needs no dice is done to all of them at once
//! ([`crate::eval`]); only what cannot be done so decides the variable.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use astragal_prob::{Law, Natural, Numbered, Rational, Sums, Weighted};
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::{Form, Shared, State, Sym, Var, VarLaw};
use crate::code::{Store, Word};

/// Values with their weights, each value once.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    store: Arc<Store>,
    weights: Vec<(Word, Natural)>,
    total: Natural,
}

impl Values {
    /// Values with weights that add up to `total`.
    pub(crate) fn new(store: Arc<Store>, weights: Vec<(Word, Natural)>, total: Natural) -> Values {
        Values { store, weights, total }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn total(&self) -> &Natural {
        &self.total
    }

    pub(crate) fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The values with their weights.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (Value, Natural)> {
        self.weights.iter().map(|(word, weight)| (self.store.value(*word), weight.clone()))
    }

    /// The law of what becomes of each value; none if of one of them nothing does. `store` has grown from
    /// the one of this law.
    pub(crate) fn map_in(
        &self,
        mut store: Store,
        mut change: impl FnMut(Word, &mut Store) -> Option<Word>,
    ) -> Option<Values> {
        let weights = self.gathered(|word| change(word, &mut store))?;
        Some(Values::new(Arc::new(store), weights, self.total.clone()))
    }

    /// The law of a field of a record.
    pub(crate) fn field(&self, index: usize) -> Option<Values> {
        let weights = self.gathered(|word| self.store.field(word, index))?;
        Some(Values::new(Arc::clone(&self.store), weights, self.total.clone()))
    }

    /// The values by one of their fields: what it is, those that have it, and how likely that is.
    pub(crate) fn by_field(&self, index: usize) -> Vec<(Value, Values, Rational)> {
        let mut fields = Numbered::default();
        let mut parts: Vec<Vec<(Word, Natural)>> = Vec::new();
        for (word, weight) in self.weights.iter() {
            let field = self.store.field(*word, index).unwrap_or(Word::NONE);
            let at = fields.number(field);
            parts.resize_with(fields.list.len(), Vec::new);
            parts[at].push((*word, weight.clone()));
        }
        let part = |(field, weights): (Word, Vec<(Word, Natural)>)| {
            let mass = weights.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
            let chance = Rational::from_parts(mass.clone().into(), self.total.clone());
            let values = Values::new(Arc::clone(&self.store), weights, mass);
            (self.store.value(field), values, chance)
        };
        fields.list.into_iter().zip(parts).map(part).collect()
    }

    fn gathered(
        &self,
        mut change: impl FnMut(Word) -> Option<Word>,
    ) -> Option<Vec<(Word, Natural)>> {
        let mut sums = Sums::default();
        for (word, weight) in &self.weights {
            sums.add(change(*word)?, weight.clone());
        }
        Some(sums.list)
    }

    /// The law of a number; none if it is something else.
    fn law(&self) -> Option<Law> {
        let whole = |(word, weight): &(Word, Natural)| Some((word.as_number()?, weight.clone()));
        if let Some(weights) = self.weights.iter().map(whole).collect::<Option<Vec<_>>>() {
            return Law::of_whole(weights);
        }
        let numbers = self.outcomes().map(|(value, weight)| match value {
            Value::Number(n) => Some((n.to_rational(), weight)),
            _ => None,
        });
        Law::from_weights(numbers.collect::<Option<Vec<_>>>()?)
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        if self.total != other.total || self.count() != other.count() {
            return false;
        }
        if Arc::ptr_eq(&self.store, &other.store) && self.weights == other.weights {
            return true;
        }
        let theirs: FxHashMap<Value, Natural> = other.outcomes().collect();
        self.outcomes().all(|(value, weight)| theirs.get(&value) == Some(&weight))
    }
}

impl Eq for Values {}

/// A few numbers tell laws apart.
impl Hash for Values {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.total.hash(state);
        state.write_usize(self.count());
    }
}

/// A value in no state yet: decided, or with a law.
#[derive(Clone, Debug)]
pub(crate) enum Drawn {
    Decided(Sym),
    Number(Shared<Law>),
    Values(Shared<Values>),
}

impl From<Values> for Drawn {
    fn from(values: Values) -> Drawn {
        if let [(word, _)] = values.weights.as_slice() {
            return Drawn::Decided(Sym::from_value(&values.store.value(*word)));
        }
        match values.law() {
            Some(law) => Drawn::Number(Shared::new(law)),
            None => Drawn::Values(Shared::new(values)),
        }
    }
}

impl Drawn {
    /// Its values with weights; none if there are more than `most`.
    pub(crate) fn weights(&self, most: usize) -> Option<Weighted<Value>> {
        let (outcomes, total) = match self {
            Drawn::Decided(sym) => (vec![(sym.to_value()?, Natural::ONE)], Natural::ONE),
            Drawn::Number(law) => {
                let table = law.as_table().filter(|table| table.count() <= most)?;
                let number = |value| Value::Number(Number::from(value));
                let outcomes = table.outcomes().map(|(value, weight)| (number(value), weight));
                let outcomes = outcomes.map(|(value, weight)| (value, weight.clone()));
                (outcomes.collect(), table.total().clone())
            }
            Drawn::Values(values) if values.count() <= most => {
                (values.outcomes().collect(), values.total().clone())
            }
            Drawn::Values(_) => return None,
        };
        Some(Weighted { outcomes, total })
    }
}

impl State {
    /// The value, as a new variable if it is undecided.
    pub(crate) fn draw(&mut self, drawn: Drawn) -> Sym {
        match drawn {
            Drawn::Decided(sym) => sym,
            Drawn::Number(law) => Sym::number(Form::variable(self.variable(VarLaw::Number(law)))),
            Drawn::Values(values) => Sym::Drawn(self.variable(VarLaw::Values(values))),
        }
    }

    /// The law of a value that is undecided as a whole.
    pub(crate) fn values(&self, var: Var) -> Option<&Shared<Values>> {
        match self.laws.get(var.0 as usize) {
            Some(VarLaw::Values(values)) => Some(values),
            _ => None,
        }
    }

    /// The law of the value on top of the stack, if it is undecided as a whole.
    pub(crate) fn top_values(&self) -> Option<&Shared<Values>> {
        match self.stack.last() {
            Some(Sym::Drawn(var)) => self.values(*var),
            _ => None,
        }
    }

    /// The state in which such a variable is one of these values.
    pub(crate) fn restricted(&self, var: Var, values: Values) -> State {
        if let [(word, _)] = values.weights.as_slice() {
            return self.with_value(var, &values.store.value(*word));
        }
        self.with_law(var, VarLaw::Values(Shared::new(values)))
    }

    /// The state in which such a variable has this value.
    pub(crate) fn with_value(&self, var: Var, value: &Value) -> State {
        let mut state = self.clone();
        state.syms_mut().for_each(|sym| sym.draw(var, value));
        state
    }
}
