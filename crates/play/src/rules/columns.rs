//! What may matter at a choice: what is known, and what can be read off it at a glance.
//!
//! Dice on the table are their sum, as everywhere; of a list of numbers also the highest may matter, or how many there are; of a
//! record, its fields.

use astragal_value::{Number, Value};

mod read_off;

use super::Cases;
use crate::advice::in_order;
use crate::policy::NAMELESS;
pub(super) use read_off::at_a_glance;

/// Something that may matter.
pub(super) struct Column {
    pub(super) name: String,
    /// Whether it is a number, whose values make ranges.
    pub(super) is_number: bool,
    /// The value of each case, by its place among all values.
    pub(super) ranks: Vec<u32>,
    /// All values in order.
    pub(super) values: Vec<Value>,
    /// Where one number is held against another: the name of that. The values are -1, 0 and 1.
    pub(super) against: Option<String>,
    /// Whether it is read off something that is no number: then there is nothing beyond what is listed.
    pub(super) is_derived: bool,
}

/// Of more numbers, none are held against each other.
const MOST_HELD_AGAINST: usize = 6;

/// All that may matter, numbers first. What is the same in all cases that are met does not.
pub(super) fn columns(cases: &Cases, met: &[usize]) -> Vec<Column> {
    let mut all: Vec<Column> = Vec::new();
    for (at, name) in cases.names.iter().enumerate() {
        let dice = cases.dice.get(at).copied().unwrap_or_default();
        let values = cases.items.iter().map(|item| item.values.get(at).cloned());
        let values: Vec<Value> = values.map(|value| value.unwrap_or(Value::None)).collect();
        read_off(name, values, dice, &mut all);
    }
    held_against(cases, &mut all);
    all.retain(|column| varies(column, met));
    all.sort_by_key(|column| {
        (!column.is_number, column.against.is_some(), column.name == NAMELESS)
    });
    let mut told: Vec<Column> = Vec::new();
    for column in all {
        if told.iter().all(|known| known.ranks != column.ranks) {
            told.push(column);
        }
    }
    told
}

/// Whether something is not the same in all of these cases.
fn varies(column: &Column, met: &[usize]) -> bool {
    let mut ranks = met.iter().map(|at| column.ranks[*at]);
    let first = ranks.next();
    ranks.any(|rank| Some(rank) != first)
}

/// A column, and what can be read off it.
fn read_off(name: &str, values: Vec<Value>, dice: bool, all: &mut Vec<Column>) {
    let lists: Option<Vec<Vec<&Number>>> = values.iter().map(numbers).collect();
    if let Some(lists) = lists {
        let sum = |list: &Vec<&Number>| {
            let sum = list.iter().try_fold(Number::ZERO, |sum, number| sum.add(number));
            sum.map_or(Value::None, Value::Number)
        };
        let sums = lists.iter().map(sum).collect();
        all.push(column(if dice { name.into() } else { format!("the sum of {name}") }, sums));
        let of = |pick: &dyn Fn(&Vec<&Number>) -> Option<Number>| {
            lists.iter().map(|list| pick(list).map_or(Value::None, Value::Number)).collect()
        };
        let highest = of(&|list| list.iter().max().map(|number| (*number).clone()));
        let lowest = of(&|list| list.iter().min().map(|number| (*number).clone()));
        all.push(column(format!("the highest of {name}"), highest));
        all.push(column(format!("the lowest of {name}"), lowest));
    }
    if values.iter().all(|value| matches!(value, Value::List(_))) {
        let count = values.iter().map(|value| match value {
            Value::List(items) => Value::whole(items.len() as i64),
            _ => Value::None,
        });
        all.push(column(format!("the number of {name}"), count.collect()));
        // Mostly it does not matter in which order they stand.
        let list = if dice { format!("the dice of {name}") } else { name.into() };
        all.push(column(list, values.iter().map(in_order).collect()));
        all.push(column(format!("{name} in its order"), values));
        return;
    }
    if let Some(Value::Record(shape, _)) = values.first() {
        for (at, field) in shape.fields.iter().enumerate() {
            let of = |value: &Value| match value {
                Value::Record(_, fields) => fields.get(at).cloned().unwrap_or(Value::None),
                _ => Value::None,
            };
            all.push(column(format!("{name}.{field}"), values.iter().map(of).collect()));
        }
    }
    all.push(column(name.into(), values));
}

fn column(name: String, of_cases: Vec<Value>) -> Column {
    let mut values = of_cases.clone();
    values.sort();
    values.dedup();
    let rank = |value: &Value| values.binary_search(value).unwrap_or_default() as u32;
    let ranks = of_cases.iter().map(rank).collect();
    let is_number = values.iter().all(|value| value.as_number().is_some());
    Column { name, is_number, ranks, values, against: None, is_derived: false }
}

/// Numbers that are known by name, held against each other: `b at least a`.
fn held_against(cases: &Cases, all: &mut Vec<Column>) {
    let numbers: Vec<usize> = (0..all.len())
        .filter(|at| all[*at].is_number && cases.names.iter().any(|name| **name == *all[*at].name))
        .collect();
    if numbers.len() > MOST_HELD_AGAINST {
        return;
    }
    for (at, a) in numbers.iter().enumerate() {
        for b in &numbers[at + 1..] {
            let (a, b) = (&all[*a], &all[*b]);
            let each = a.ranks.iter().zip(&b.ranks).map(|(of_a, of_b)| {
                let order = b.values[*of_b as usize].cmp(&a.values[*of_a as usize]);
                Value::whole(order as i64)
            });
            let held = column(b.name.clone(), each.collect());
            all.push(Column { against: Some(a.name.clone()), ..held });
        }
    }
}

fn numbers(value: &Value) -> Option<Vec<&Number>> {
    match value {
        Value::List(items) => items.iter().map(Value::as_number).collect(),
        _ => None,
    }
}
