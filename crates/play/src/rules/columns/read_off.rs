//! What is seen of a hand at a glance: how many are alike, the pairs, the longest run, how many show a number.

use astragal_value::{Number, Value};
use rustc_hash::FxHashSet;

use super::super::Cases;
use super::{Column, column, numbers, varies};

/// Of more numbers that hands show, none is counted alone.
const MOST_SHOWN: usize = 8;

/// All that may matter of hands besides what is looked at first; nothing that is there already.
pub(in super::super) fn at_a_glance(cases: &Cases, known: &[Column], met: &[usize]) -> Vec<Column> {
    let mut all: Vec<Column> = Vec::new();
    for (at, name) in cases.names.iter().enumerate() {
        let value = |item: &super::super::Item| item.values.get(at).cloned();
        let values: Option<Vec<Value>> = cases.items.iter().map(value).collect();
        let Some(values) = values else { continue };
        let hands: Option<Vec<Vec<&Number>>> = values.iter().map(numbers).collect();
        if let Some(hands) = hands {
            of_hands(name, &hands, &mut all);
        }
    }
    let mut seen: FxHashSet<Vec<u32>> = known.iter().map(|column| column.ranks.clone()).collect();
    all.retain(|column| varies(column, met) && seen.insert(column.ranks.clone()));
    all.iter_mut().for_each(|column| column.is_derived = true);
    all
}

fn of_hands(name: &str, hands: &[Vec<&Number>], all: &mut Vec<Column>) {
    let mut add = |name: String, of: &dyn Fn(&[&Number]) -> usize| {
        all.push(column(name, hands.iter().map(|hand| Value::whole(of(hand) as i64)).collect()));
    };
    add(format!("the most alike of {name}"), &|hand| counts(hand).into_iter().max().unwrap_or(0));
    add(format!("the pairs of {name}"), &|hand| {
        counts(hand).into_iter().filter(|count| *count > 1).count()
    });
    add(format!("the different of {name}"), &|hand| distinct(hand).len());
    add(format!("the longest run of {name}"), &longest_run);
    let mut shown: Vec<&Number> = hands.iter().flatten().copied().collect();
    shown.sort();
    shown.dedup();
    if shown.len() > MOST_SHOWN {
        return;
    }
    for face in &shown {
        add(format!("how many {face} of {name}"), &|hand| {
            hand.iter().filter(|own| own == &face).count()
        });
    }
    for (at, from) in shown.iter().enumerate() {
        for to in shown.iter().skip(at + 2) {
            add(format!("the different from {from} to {to} of {name}"), &|hand| {
                distinct(hand).into_iter().filter(|own| own >= from && own <= to).count()
            });
        }
    }
}

fn distinct<'n>(hand: &[&'n Number]) -> Vec<&'n Number> {
    let mut own = hand.to_vec();
    own.sort();
    own.dedup();
    own
}

/// How often each number is there.
fn counts(hand: &[&Number]) -> Vec<usize> {
    let count = |number: &&Number| hand.iter().filter(|own| own == &number).count();
    distinct(hand).iter().map(count).collect()
}

/// How many numbers follow each other by one.
fn longest_run(hand: &[&Number]) -> usize {
    let (mut best, mut run) = (0, 0);
    let mut last: Option<&Number> = None;
    for number in distinct(hand) {
        let follows =
            last.and_then(|last| last.add(&Number::ONE).ok()).is_some_and(|next| next == *number);
        run = if follows { run + 1 } else { 1 };
        best = best.max(run);
        last = Some(number);
    }
    best
}
