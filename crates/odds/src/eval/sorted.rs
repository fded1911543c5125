//! Sorting a list of undecided numbers.
//!
//! `sort([d6, d6, d6, d6, d6])` has 252 outcomes, and there are 7,776 ways to throw them. If the numbers are
//! independent and nothing else needs them, they are put into the list one after the other, each at its place: then
//! there are never more lists than there are outcomes. The list is one variable, undecided as a whole.

use std::sync::Arc;

use astragal_prob::{Natural, OverBudget};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::Machine;
use crate::failure::{Failure, over_budget};
use crate::plain::{Store, Word};
use crate::state::{State, Sym, Values, Var};
use crate::weighted::Sums;

impl Machine<'_> {
    /// The law of the sorted list; none if its numbers depend on each other, or one is endless or no number.
    pub(super) fn sorted(
        &self,
        items: &[Sym],
        state: &State,
        span: Span,
    ) -> Result<Option<Values>, Failure> {
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        let mut seen: Vec<Var> = Vec::new();
        let mut lists = vec![(Word::EMPTY, Natural::ONE)];
        let mut total = Natural::ONE;
        let mut store = Store::new();
        let mut rent = self.meter.rent();
        for item in items {
            let Some(form) = item.as_form() else { return Ok(None) };
            if form.variables().any(|var| seen.contains(&var)) {
                return Ok(None);
            }
            seen.extend(form.variables());
            let law = state.law_of(&form, self.meter).map_err(refuse)?;
            let Some(table) = law.as_table() else { return Ok(None) };
            let each = table.count() as u64 * (24 + 4 * items.len() as u64);
            self.meter.afford(each.saturating_mul(lists.len() as u64)).map_err(refuse)?;
            total *= table.total();
            let mut number = |value| store.word(&Value::Number(Number::from(value)));
            let values = table.outcomes().map(|(value, weight)| (number(value), weight.clone()));
            let values: Vec<(Word, Natural)> = values.collect();
            let mut pay = |lists: usize, store: &Store| {
                let bytes = store.bytes() + (lists * 4 * size_of::<(Word, Natural)>()) as u64;
                self.meter.charge(each)?;
                rent.grow(bytes + bytes / 2, self.meter)
            };
            lists = inserted(&lists, &values, &mut store, &mut pay).map_err(refuse)?;
        }
        Ok(Some(Values::new(Arc::new(store), lists, total)))
    }
}

/// Sorted lists with one more of some numbers each, with the weights of both.
fn inserted(
    lists: &[(Word, Natural)],
    values: &[(Word, Natural)],
    store: &mut Store,
    pay: &mut impl FnMut(usize, &Store) -> Result<(), OverBudget>,
) -> Result<Vec<(Word, Natural)>, OverBudget> {
    let (mut longer, mut room) = (Sums::default(), Vec::new());
    for (list, weight) in lists {
        pay(longer.list.len(), store)?;
        for (value, times) in values {
            let list = store.insert_any(list.as_list().unwrap_or(0), *value, &mut room);
            longer.add(list, weight * times);
        }
    }
    Ok(longer.list)
}
