//! Many items in order, sorted in pieces so that a request can be stopped in between.
//!
//! Some thousand items are sorted at once. Such runs then meet two by two, and where all of one come before all of the
//! other, as in what is in order already, nothing is compared.

use std::cmp::Ordering;

use crate::meter::{Meter, OverBudget};

/// So many items are sorted at once.
const AT_ONCE: usize = 10_000;

/// Items in ascending order; those that are equal become one. Each has this price when it is sorted, and
/// an eighth of it whenever two runs meet.
pub fn in_order<T>(
    items: impl IntoIterator<Item = T>,
    order: impl Fn(&T, &T) -> Ordering,
    join: impl Fn(&mut T, T),
    price: u64,
    meter: &Meter,
) -> Result<Vec<T>, OverBudget> {
    let mut items = items.into_iter();
    let mut runs: Vec<Vec<T>> = Vec::new();
    loop {
        let mut run: Vec<T> = items.by_ref().take(AT_ONCE).collect();
        if run.is_empty() {
            break;
        }
        meter.charge(run.len() as u64 * price)?;
        run.sort_by(&order);
        runs.push(joined(run, &order, &join));
    }
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut left = runs.into_iter();
        while let Some(one) = left.next() {
            merged.push(match left.next() {
                Some(other) => merge(one, other, (&order, &join), price, meter)?,
                None => one,
            });
        }
        runs = merged;
    }
    Ok(runs.pop().unwrap_or_default())
}

/// Sorted items, equal ones as one.
fn joined<T>(
    run: Vec<T>,
    order: &impl Fn(&T, &T) -> Ordering,
    join: &impl Fn(&mut T, T),
) -> Vec<T> {
    if run.is_sorted_by(|one, other| order(one, other).is_lt()) {
        return run;
    }
    let mut all: Vec<T> = Vec::with_capacity(run.len());
    for item in run {
        match all.last_mut() {
            Some(last) if order(last, &item).is_eq() => join(last, item),
            _ => all.push(item),
        }
    }
    all
}

/// Two runs as one.
fn merge<T>(
    one: Vec<T>,
    other: Vec<T>,
    (order, join): (&impl Fn(&T, &T) -> Ordering, &impl Fn(&mut T, T)),
    price: u64,
    meter: &Meter,
) -> Result<Vec<T>, OverBudget> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    let apart = matches!((one.last(), other.first()), (Some(a), Some(b)) if order(a, b).is_lt());
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    while one.len() + other.len() > 0 {
        let piece = (one.len() + other.len()).min(AT_ONCE);
        let price = if apart { 1 } else { price.div_ceil(8) };
        meter.charge(piece as u64 * price)?;
        if apart {
            all.extend(one.by_ref().chain(other.by_ref()).take(piece));
            continue;
        }
        for _ in 0..piece {
            let (Some(a), Some(b)) = (one.as_slice().first(), other.as_slice().first()) else {
                all.extend(one.next().or_else(|| other.next()));
                continue;
            };
            let comes = order(a, b);
            let next = if comes.is_gt() { other.next() } else { one.next() };
            all.extend(next);
            let equal = if comes.is_eq() { other.next() } else { None };
            if let (Some(last), Some(equal)) = (all.last_mut(), equal) {
                join(last, equal);
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summed(items: impl IntoIterator<Item = (u64, u64)>, meter: &Meter) -> Vec<(u64, u64)> {
        let order = |a: &(u64, u64), b: &(u64, u64)| a.0.cmp(&b.0);
        in_order(items, order, |sum, more| sum.1 += more.1, 10, meter).unwrap()
    }

    #[test]
    fn many_items_are_in_order_and_equal_ones_met() {
        let meter = Meter::unlimited();
        let mixed = |k: u64| (k * 7919 % 35_003, 1);
        let all = summed((0..70_006).map(mixed), &meter);
        assert_eq!(all, (0..35_003).map(|k| (k, 2)).collect::<Vec<_>>());
        let again = summed(all.clone(), &meter);
        assert_eq!(again, all);
        assert!(summed([], &meter).is_empty());
    }

    #[test]
    fn sorting_is_paid_for_in_pieces() {
        let meter = Meter::new(250_000);
        let items = (0..100_000).map(|k: u64| k * 7919 % 100_003);
        let refused = in_order(items, Ord::cmp, |_, _| (), 10, &meter);
        assert_eq!(refused, Err(OverBudget::Steps));
        assert_eq!(meter.used(), 200_000);
    }
}
