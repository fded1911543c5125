//! Hands that differ only in the order of their dice are one case to a player.
//!
//! `concat(kept, hand((5 - length(kept))d6))` is the same five dice in as many orders as there are ways to keep some of them. What
//! is taken may differ all the same: of equal options it is the first of the list, and that is in the order of the hand. Then what
//! is taken from the sorted hand is as good for all of them.

use astragal_prob::Rational;
use astragal_value::Value;
use rustc_hash::FxHashMap;

use crate::policy::Case;
use crate::rules::{Item, parts};

/// So many options that are as good as the best may be told instead of it.
const MOST_AS_GOOD: usize = 32;

/// A case, how often it comes about, and whether it stands for all that is beyond it.
pub(super) struct Listed<'c> {
    pub(super) case: &'c Case,
    /// What is known.
    pub(super) values: Vec<Value>,
    pub(super) chance: Rational,
    pub(super) is_end: bool,
}

impl Listed<'_> {
    pub(super) fn item(&self) -> Item {
        let Listed { case, values, chance, is_end } = self;
        let taken = case.options[case.taken].0.clone();
        let best = &case.options[case.taken].1;
        let others = case.options.iter().filter(|(label, worth)| worth == best && *label != taken);
        let as_good = others.take(MOST_AS_GOOD).map(|(label, _)| label.clone()).collect();
        Item { values: values.clone(), taken, as_good, chance: chance.clone(), is_end: *is_end }
    }
}

/// Options by their items, whatever the order.
#[derive(Default)]
pub(super) struct Bags<'c> {
    texts: FxHashMap<&'c str, u32>,
    bags: FxHashMap<Vec<&'c str>, u32>,
}

impl<'c> Bags<'c> {
    fn of(&mut self, text: &'c str) -> u32 {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let next = self.bags.len() as u32;
        let number = *self.bags.entry(parts(text)).or_insert(next);
        self.texts.insert(text, number);
        number
    }

    /// Whether the options of a case differ in their items, not only in the order of them.
    pub(super) fn tells_apart(&mut self, case: &'c Case) -> bool {
        let mut seen: Vec<u32> = case.options.iter().map(|(label, _)| self.of(label)).collect();
        seen.sort_unstable();
        seen.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Whether an option is one of the best in a case.
    fn is_best(&mut self, case: &'c Case, bag: u32) -> bool {
        let best = &case.options[case.taken];
        self.of(&best.0) == bag
            || case.options.iter().any(|(label, worth)| *worth == best.1 && self.of(label) == bag)
    }
}

/// The cases, each hand once; none if its order matters.
pub(super) fn alike<'c>(listed: &[Listed<'c>], bags: &mut Bags<'c>) -> Option<Vec<Item>> {
    let mut numbers: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
    let mut found: Vec<(u32, Item)> = Vec::new();
    let (mut sorted, mut others) = (Vec::new(), Vec::new());
    for listed in listed {
        let own = if listed.values.iter().all(is_sorted) { &mut sorted } else { &mut others };
        own.push(listed);
    }
    for listed in sorted.into_iter().chain(others) {
        let values: Vec<Value> = listed.values.iter().map(in_order).collect();
        match numbers.get(&values).map(|at| &mut found[*at]) {
            Some((bag, known)) if bags.is_best(listed.case, *bag) => {
                known.as_good.retain(|label| is_as_good(listed.case, label));
                known.chance += &listed.chance;
                known.is_end &= listed.is_end;
            }
            Some(_) => return None,
            None => {
                let case = listed.case;
                let item = Item { values: values.clone(), ..listed.item() };
                numbers.insert(values, found.len());
                found.push((bags.of(&case.options[case.taken].0), item));
            }
        }
    }
    Some(found.into_iter().map(|(_, item)| item).collect())
}

/// Whether the items of an option are as good as what is taken in a case.
fn is_as_good(case: &Case, label: &str) -> bool {
    let best = &case.options[case.taken].1;
    let items = parts(label);
    case.options.iter().any(|(own, worth)| worth == best && parts(own) == items)
}

fn is_sorted(value: &Value) -> bool {
    match value {
        Value::List(items) => items.is_sorted_by(|a, b| a >= b),
        _ => true,
    }
}

/// A list with the highest first.
pub(crate) fn in_order(value: &Value) -> Value {
    match value {
        Value::List(items) if !is_sorted(value) => {
            let mut items = items.to_vec();
            items.sort_by(|a, b| b.cmp(a));
            Value::List(items.into())
        }
        value => value.clone(),
    }
}
