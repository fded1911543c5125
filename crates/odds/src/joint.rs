//! The joint distribution of finite, independent numbers in a list or a record.
//!
//! In `[6d6kh1, 6d6kh1, d8 + d4]` no two numbers share a variable. Each has a table then, and an outcome is
//! one value of each, with the product of their weights; the weights of several states are brought to one
//! denominator before. Endless or tied numbers are listed in [`crate::answer`].

use std::sync::Arc;

use astragal_prob::{Law, Meter, Natural, Rational, Table};
use astragal_program::fault::{Costly, FaultKind};
use astragal_value::{Number, Value};
use dashu_base::{Gcd, UnsignedAbs};
use rustc_hash::FxHashMap;

use crate::failure::over_budget;
use crate::plain::{Store, Word};
use crate::state::{Form, State, States, Sym, Values, Var};

/// The results of all states; none if one holds numbers that are endless or tied, or nothing at all.
pub(crate) fn values(
    states: &States,
    most: usize,
    meter: &Meter,
) -> Result<Option<Values>, FaultKind> {
    let mut results = Vec::with_capacity(states.list.len());
    for (state, weight) in &states.list {
        let Some(result) = Independent::of(state, weight, meter)? else { return Ok(None) };
        results.push(result);
    }
    let total = results.iter().fold(Natural::ONE, |total, result| {
        let denominator = result.scale.denominator();
        if denominator.is_one() { total } else { lcm(&total, denominator) }
    });
    let mut gathered =
        Gathered { store: Store::new(), places: FxHashMap::default(), weights: Vec::new(), most };
    for result in &results {
        let factor = (&result.scale * Rational::from(total.clone())).numerator().unsigned_abs();
        let size = result
            .tables
            .iter()
            .fold(1u64, |size, table| size.saturating_mul(table.count() as u64));
        meter.charge(size.saturating_mul(4)).map_err(over_budget)?;
        gathered.add(result, factor)?;
    }
    let Gathered { store, weights, .. } = gathered;
    Ok(Some(Values::new(Arc::new(store), weights, total)))
}

fn lcm(a: &Natural, b: &Natural) -> Natural {
    a / a.gcd(b) * b
}

/// A result whose undecided numbers are independent.
struct Independent<'a> {
    result: &'a Sym,
    /// The tables of its undecided numbers, in order.
    tables: Vec<Table>,
    /// Its chance divided by the totals of the tables.
    scale: Rational,
}

impl Independent<'_> {
    fn of<'a>(
        state: &'a State,
        weight: &Rational,
        meter: &Meter,
    ) -> Result<Option<Independent<'a>>, FaultKind> {
        let Some(result) = state.stack.last() else { return Ok(None) };
        let mut forms = Vec::new();
        if !undecided(result, &mut forms) {
            return Ok(None);
        }
        let mut seen: Vec<Var> = Vec::new();
        let mut scale = weight.clone();
        let mut tables = Vec::with_capacity(forms.len());
        for form in forms {
            if form.variables().any(|var| seen.contains(&var)) {
                return Ok(None);
            }
            seen.extend(form.variables());
            match state.law_of(form, meter).map_err(over_budget)? {
                Law::Finite(table) => {
                    scale /= Rational::from(table.total().clone());
                    tables.push(table);
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(Independent { result, tables, scale }))
    }
}

/// The undecided numbers of a value, in order; whether all else in it is decided.
fn undecided<'a>(sym: &'a Sym, forms: &mut Vec<&'a Form>) -> bool {
    match sym {
        Sym::Value(_) | Sym::Gone => true,
        Sym::Number(form) => {
            forms.push(form);
            true
        }
        Sym::List(items) | Sym::Record(_, items) => items.iter().all(|item| undecided(item, forms)),
        Sym::Pool(_) | Sym::Drawn(_) => false,
    }
}

struct Gathered {
    store: Store,
    places: FxHashMap<Word, usize>,
    weights: Vec<(Word, Natural)>,
    most: usize,
}

impl Gathered {
    fn add(&mut self, result: &Independent<'_>, factor: Natural) -> Result<(), FaultKind> {
        let columns: Vec<Vec<(Word, &Natural)>> = result
            .tables
            .iter()
            .map(|table| {
                let number = |value| Value::Number(Number::from(value));
                let word = |(value, weight)| (self.store.word(&number(value)), weight);
                table.outcomes().map(word).collect()
            })
            .collect();
        let mut chosen = Vec::with_capacity(columns.len());
        self.choose(result.result, &columns, &mut chosen, factor)
    }

    /// One value of each column after the other.
    fn choose(
        &mut self,
        result: &Sym,
        columns: &[Vec<(Word, &Natural)>],
        chosen: &mut Vec<Word>,
        weight: Natural,
    ) -> Result<(), FaultKind> {
        let Some((column, rest)) = columns.split_first() else {
            let word = self.filled(result, &mut chosen.iter());
            match self.places.get(&word) {
                Some(place) => self.weights[*place].1 += weight,
                None if self.weights.len() >= self.most => {
                    return Err(FaultKind::OverBudget(Costly::Outcomes));
                }
                None => {
                    self.places.insert(word, self.weights.len());
                    self.weights.push((word, weight));
                }
            }
            return Ok(());
        };
        for (value, factor) in column {
            chosen.push(*value);
            self.choose(result, rest, chosen, &weight * *factor)?;
            chosen.pop();
        }
        Ok(())
    }

    /// The result with its undecided numbers put in.
    fn filled(&mut self, sym: &Sym, numbers: &mut std::slice::Iter<'_, Word>) -> Word {
        match sym {
            Sym::Value(value) => self.store.word(value),
            Sym::Number(_) => numbers.next().copied().unwrap_or(Word::NONE),
            Sym::List(items) => items.iter().fold(Word::EMPTY, |list, item| {
                let item = self.filled(item, numbers);
                self.store.append(list.as_list().unwrap_or(0), item)
            }),
            Sym::Record(shape, fields) => {
                let shape = self.store.shape(shape);
                let fields: Vec<Word> =
                    fields.iter().map(|field| self.filled(field, numbers)).collect();
                self.store.record(shape, &fields)
            }
            Sym::Gone | Sym::Pool(_) | Sym::Drawn(_) => Word::NONE,
        }
    }
}
