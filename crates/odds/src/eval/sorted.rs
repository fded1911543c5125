//! Sorting a list of undecided numbers.
//!
//! `sort([d6, d6, d6, d6, d6])` has 252 outcomes, and there are 7,776 ways to throw them. If the numbers are
//! independent and nothing else needs them, the sorted list is what a pool of them shows, and hands of a pool are known
//! without their order. The list is one variable, undecided as a whole.

use std::sync::Arc;

use astragal_prob::pool::{Pool, PoolError, Source, dice};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::Machine;
use super::call::variables;
use crate::code::Store;
use crate::failure::{Failure, too_much};
use crate::state::{State, Sym, Values};

impl Machine<'_> {
    /// The law of the sorted list; none if its numbers depend on each other, or one is endless or no number.
    pub(super) fn sorted(
        &self,
        items: &[Sym],
        state: &State,
        span: Span,
    ) -> Result<Option<Values>, Failure> {
        let refuse = too_much(span);
        let mut vars = variables(items);
        vars.sort_unstable();
        if vars.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(None);
        }
        let mut groups: Vec<(u64, Source)> = Vec::new();
        for item in items {
            let Some(form) = item.as_form() else { return Ok(None) };
            let law = state.law_of(&form, self.meter).map_err(refuse)?;
            if law.is_endless() {
                return Ok(None);
            }
            let source = Source::Total(law);
            match groups.iter_mut().find(|(_, known)| *known == source) {
                Some((count, _)) => *count += 1,
                None => groups.push((1, source)),
            }
        }
        let hands = match dice(&Pool { groups, stages: Vec::new() }, self.meter) {
            Ok(hands) => hands,
            Err(PoolError::OverBudget(refusal)) => return Err(refuse(refusal)),
            Err(_) => return Ok(None),
        };
        let mut store = Store::new();
        let (total, mut lists) =
            (hands.total().clone(), Vec::with_capacity(hands.outcomes().len()));
        for (hand, weight) in hands.into_outcomes() {
            self.pay(20 + 10 * hand.len() as u64, span)?;
            let shown = hand.into_iter().map(|die| Value::Number(Number::from(die.shown)));
            lists.push((store.word(&Value::List(shown.collect())), weight));
        }
        Ok(Some(Values::new(Arc::new(store), lists, total)))
    }
}
