//! What several cases have in common: the same option, or the same way to find one in a list.
//!
//! Of a hand, `[5, 6]` may be kept here and `[6, 6]` there; what both have in common is that all dice of 5 or more are kept.

use std::sync::Arc;

use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::Cases;

/// Ways to find an item of a list are bits of a word.
const MOST_WAYS: usize = 64;

/// What is taken in each case, and in which ways it is found.
pub(super) struct Answers {
    labels: Vec<Arc<str>>,
    ways: Vec<String>,
    of: Vec<Agreed>,
}

/// What some cases have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Agreed {
    /// The option, by its number, if it is the same.
    label: Option<u32>,
    /// The ways that find it.
    ways: u64,
}

impl Agreed {
    /// What these and those have in common; none if nothing.
    pub(super) fn with(self, other: Agreed) -> Option<Agreed> {
        let label = self.label.filter(|_| self.label == other.label);
        let ways = self.ways & other.ways;
        (label.is_some() || ways != 0).then_some(Agreed { label, ways })
    }
}

impl Answers {
    pub(super) fn of(cases: &Cases) -> Answers {
        let mut labels: Vec<Arc<str>> = Vec::new();
        let mut numbers: FxHashMap<Vec<&str>, u32> = FxHashMap::default();
        let ways = if cases.of_list { ways(cases) } else { Vec::new() };
        let of = cases.items.iter().map(|item| {
            let taken = Taken::of(&item.taken, cases.is_unordered);
            let ways = taken.found_by(&ways, &item.values);
            let label = *numbers.entry(taken.parts).or_insert_with(|| {
                labels.push(item.taken.clone());
                labels.len() as u32 - 1
            });
            Agreed { label: Some(label), ways }
        });
        let of = of.collect();
        let ways = ways.iter().map(|way| way.words(&cases.names[way.column])).collect();
        Answers { labels, ways, of }
    }

    /// What is taken in a case.
    pub(super) fn at(&self, case: usize) -> Agreed {
        self.of[case]
    }

    /// What all cases have in common.
    pub(super) fn of_all(&self, cases: &[usize]) -> Option<Agreed> {
        let (first, others) = cases.split_first()?;
        others.iter().try_fold(self.of[*first], |agreed, at| agreed.with(self.of[*at]))
    }

    /// Whether all cases with the same key have something in common.
    pub(super) fn agree_by(&self, cases: &[usize], key: impl Fn(usize) -> Vec<u32>) -> bool {
        let mut known: FxHashMap<Vec<u32>, Agreed> = FxHashMap::default();
        cases.iter().all(|at| {
            let own = self.of[*at];
            let agreed = known.entry(key(*at)).or_insert(own);
            match agreed.with(own) {
                Some(both) => {
                    *agreed = both;
                    true
                }
                None => false,
            }
        })
    }

    /// What is taken, in words.
    pub(super) fn words(&self, agreed: Agreed) -> String {
        match agreed.label {
            Some(label) => self.labels[label as usize].to_string(),
            None => {
                self.ways.get(agreed.ways.trailing_zeros() as usize).cloned().unwrap_or_default()
            }
        }
    }
}

/// The items of a list that is written out, whatever their order; of anything else, itself.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let list = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let mut parts: Vec<&str> = list.map_or_else(|| vec![text], |list| list.split(", ").collect());
    parts.sort_unstable();
    parts
}

/// What is taken, as it is called.
struct Taken<'t> {
    text: &'t str,
    is_unordered: bool,
    /// Its items in order, where that is not told; else the text.
    parts: Vec<&'t str>,
    /// How many items it has, if it is a list.
    count: Option<usize>,
}

impl<'t> Taken<'t> {
    fn of(text: &'t str, is_unordered: bool) -> Taken<'t> {
        let count = match text {
            "[]" => Some(0),
            _ => text.starts_with('[').then(|| text.split(", ").count()),
        };
        let parts = if is_unordered { parts(text) } else { vec![text] };
        Taken { text, is_unordered, parts, count }
    }

    /// The ways that find it, as bits.
    fn found_by(&self, ways: &[Way], values: &[Value]) -> u64 {
        let mut bits = 0;
        // The ways of a column stand together.
        for own in ways.chunk_by(|a, b| a.column == b.column) {
            let Some(value) = own.first().and_then(|way| values.get(way.column)) else { continue };
            let items = numbers(value);
            let number = own.iter().filter(|way| way.finds(value, items.as_deref(), self));
            number.for_each(|way| bits |= 1 << way.number);
        }
        bits
    }

    /// Whether it is this list.
    fn is_list<'n>(&self, items: impl Iterator<Item = &'n Number> + Clone) -> bool {
        self.count == Some(items.clone().count())
            && self.is(&Value::List(items.map(|item| Value::Number(item.clone())).collect()))
    }

    fn is(&self, value: &Value) -> bool {
        let text = value.to_string();
        if self.is_unordered { parts(&text) == self.parts } else { text == self.text }
    }
}

/// A way to find something in what is known.
struct Way {
    number: usize,
    column: usize,
    how: How,
}

enum How {
    /// The thing itself.
    Same,
    /// All items of a list from a number up.
    AtLeast(Number),
    /// All items down from a number.
    AtMost(Number),
    /// The item with the greatest number.
    Highest,
    /// The item with the least.
    Lowest,
    /// All items that show what is shown most often; of several the highest or the lowest. Once is not often.
    Often { highest: bool },
    /// All items that show one number.
    Only(Number),
    /// All items of which there is another.
    Repeated,
    /// One item of each number between two.
    OneOfEach(Number, Number),
}

/// Of more numbers, no ranges are tried.
const MOST_SHOWN: usize = 8;

/// All ways that may find something in all cases.
fn ways(cases: &Cases) -> Vec<Way> {
    let mut all = Vec::new();
    for column in 0..cases.names.len() {
        let values = || cases.items.iter().filter_map(|item| item.values.get(column));
        all.push(Way { number: 0, column, how: How::Same });
        if !values().all(|value| numbers(value).is_some()) {
            continue;
        }
        all.extend([How::Highest, How::Lowest].map(|how| Way { number: 0, column, how }));
        all.extend([true, false].map(|highest| Way {
            number: 0,
            column,
            how: How::Often { highest },
        }));
        let mut shown: Vec<Number> = values().filter_map(numbers).flatten().cloned().collect();
        shown.sort();
        shown.dedup();
        let mut add = |how: How| all.push(Way { number: 0, column, how });
        for number in shown.iter().skip(1) {
            add(How::AtLeast(number.clone()));
            add(How::AtMost(number.clone()));
        }
        add(How::Repeated);
        if shown.len() <= MOST_SHOWN {
            shown.iter().for_each(|number| add(How::Only(number.clone())));
            for (at, from) in shown.iter().enumerate() {
                let tos = shown[at + 1..].iter();
                tos.for_each(|to| add(How::OneOfEach(from.clone(), to.clone())));
            }
        }
    }
    all.truncate(MOST_WAYS);
    all.iter_mut().zip(0..).for_each(|(way, number)| way.number = number);
    all
}

fn numbers(value: &Value) -> Option<Vec<&Number>> {
    match value {
        Value::List(items) => items.iter().map(Value::as_number).collect(),
        _ => None,
    }
}

impl Way {
    /// Whether it finds what is taken, in a value or the numbers that it is a list of.
    fn finds(&self, value: &Value, items: Option<&[&Number]>, taken: &Taken<'_>) -> bool {
        let items = match (&self.how, items) {
            (How::Same, Some(items)) => return taken.is_list(items.iter().copied()),
            (How::Same, None) => return taken.is(value),
            (_, None) => return false,
            (_, Some(items)) => items,
        };
        let one = |item: Option<&&Number>| {
            taken.count.is_none() && item.is_some_and(|item| item.to_string() == taken.text)
        };
        let some = |keep: &dyn Fn(&Number) -> bool| {
            taken.is_list(items.iter().copied().filter(|item| keep(item)))
        };
        match &self.how {
            How::Same => false,
            How::AtLeast(least) => some(&|item| item >= least),
            How::AtMost(most) => some(&|item| item < most),
            How::Highest => one(items.iter().max()),
            How::Lowest => one(items.iter().min()),
            How::Often { highest } => {
                let often = often(items, *highest);
                some(&|item| Some(item) == often)
            }
            How::Only(number) => some(&|item| item == number),
            How::Repeated => some(&|item| items.iter().filter(|own| **own == item).count() > 1),
            How::OneOfEach(from, to) => {
                let first = |at: usize| items[..at].iter().all(|before| *before != items[at]);
                let own = (0..items.len()).filter(|at| first(*at)).map(|at| items[at]);
                taken.is_list(own.filter(|item| *item >= from && *item <= to))
            }
        }
    }

    fn words(&self, name: &str) -> String {
        match &self.how {
            How::Same => name.to_owned(),
            How::AtLeast(least) => format!("all of {name} from {least} up"),
            How::AtMost(most) => format!("all of {name} below {most}"),
            How::Highest => format!("the highest of {name}"),
            How::Lowest => format!("the lowest of {name}"),
            How::Often { highest } => {
                let which = if *highest { "highest" } else { "lowest" };
                format!(
                    "what {name} has most often (of several the {which}; nothing that is there once)"
                )
            }
            How::Only(number) => format!("every {number} of {name}"),
            How::Repeated => format!("all of {name} that is there twice or more"),
            How::OneOfEach(from, to) => format!("one of each of {name} from {from} to {to}"),
        }
    }
}

/// The number that is there most often, and at least twice.
fn often<'n>(items: &[&'n Number], highest: bool) -> Option<&'n Number> {
    let count = |number: &Number| items.iter().filter(|item| **item == number).count();
    let most = items.iter().map(|item| count(item)).max().filter(|most| *most > 1)?;
    let found = items.iter().filter(|item| count(item) == most).copied();
    if highest { found.max() } else { found.min() }
}
