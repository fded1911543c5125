//! What a rule takes: an arm by its name, or something of a list by how it is found in what is known.

use astragal::{Case, Rational, Value};

use super::State;
use super::when::number;

/// The options that a rule names in a state.
pub(super) fn taken(take: &str, state: &State<'_>, case: &Case, of_list: bool) -> Vec<usize> {
    let is = |text: &str| {
        let options = 0..case.options.len();
        options.filter(|option| *case.options[*option].0 == *text).collect::<Vec<usize>>()
    };
    if !of_list {
        return is(take);
    }
    let Some(found) = found(take, state) else { return of_items(&is, take, case) };
    of_items(&is, &found, case)
}

/// The options that are written so; if there are none, those with the same items.
fn of_items(is: &dyn Fn(&str) -> Vec<usize>, text: &str, case: &Case) -> Vec<usize> {
    let exact = is(text);
    if !exact.is_empty() {
        return exact;
    }
    let own = items(text);
    let options = 0..case.options.len();
    options.filter(|option| items(&case.options[*option].0) == own).collect()
}

/// The items of a list that is written out, in an order of their own.
fn items(text: &str) -> Vec<&str> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let mut items: Vec<&str> =
        inner.map_or_else(|| vec![text], |inner| inner.split(", ").collect());
    items.sort_unstable();
    items
}

/// What is found by these words, as it is written; none if they are no such words.
fn found(take: &str, state: &State<'_>) -> Option<String> {
    whole(take, state)
        .or_else(|| one(take, state))
        .or_else(|| some(take, state).map(|items| written(&items)))
}

/// The thing itself.
fn whole(take: &str, state: &State<'_>) -> Option<String> {
    let all = take.strip_prefix("all of ").unwrap_or(take);
    let named = state.named(all).into_iter().find(|(_, _, rest)| rest.is_empty());
    named.map(|(value, ..)| value.to_string())
}

/// `up to 3 of what dice has most often (…), and of the rest all from 4 up`
fn often(take: &str, state: &State<'_>) -> Option<Vec<Rational>> {
    let (most, words) = match take.strip_prefix("up to ").and_then(|t| t.split_once(" of what ")) {
        Some((most, words)) => (most.parse().ok()?, words),
        None => (usize::MAX, take.strip_prefix("what ")?),
    };
    let (name, words) = words.split_once(" has most often (of several the ")?;
    let (which, rest) = words.split_once("; nothing that is there once)")?;
    let items = list(name, "", state)?;
    let count_of_all = alike(&items);
    let found = items.iter().filter(|item| count_of_all > 1 && count(&items, item) == count_of_all);
    let own = if which == "highest" { found.max() } else { found.min() };
    let (mut taken, mut others): (Vec<Rational>, Vec<Rational>) = (Vec::new(), Vec::new());
    for item in &items {
        let is_own = Some(item) == own && taken.len() < most;
        if is_own { &mut taken } else { &mut others }.push(item.clone());
    }
    match rest {
        "" => {}
        ", and the highest other" | ", and the lowest other" => {
            let others = others.iter().filter(|item| Some(*item) != own);
            let other = if rest.contains("highest") { others.max() } else { others.min() };
            taken.extend(other.cloned());
        }
        rest => {
            let from = rest.strip_prefix(", and of the rest all from ")?.strip_suffix(" up")?;
            let from = number(from)?;
            taken.extend(others.into_iter().filter(|item| *item >= from));
        }
    }
    Some(taken)
}

/// One item of it.
fn one(take: &str, state: &State<'_>) -> Option<String> {
    let (rest, is_highest) = match take.strip_prefix("the highest of ") {
        Some(rest) => (rest, true),
        None => (take.strip_prefix("the lowest of ")?, false),
    };
    let items = list(rest, "", state)?;
    let item = if is_highest { items.iter().max() } else { items.iter().min() };
    item.map(ToString::to_string)
}

/// Some items of it.
fn some(take: &str, state: &State<'_>) -> Option<Vec<Rational>> {
    let of = |before: &str, after: &str| list(take.strip_prefix(before)?, after, state);
    if let Some((all, from)) = split_last(take, " from ")
        && let Some(from) = from.strip_suffix(" up").and_then(number)
        && let Some(name) = all.strip_prefix("all of ")
    {
        let items = list(name, "", state)?;
        return Some(items.into_iter().filter(|item| *item >= from).collect());
    }
    if let Some((all, below)) = split_last(take, " below ")
        && let Some(below) = number(below)
        && let Some(name) = all.strip_prefix("all of ")
    {
        let items = list(name, "", state)?;
        return Some(items.into_iter().filter(|item| *item < below).collect());
    }
    if let Some(items) = often(take, state) {
        return Some(items);
    }
    for (words, is_highest) in
        [(" (of several the highest)", true), (" (of several the lowest)", false)]
    {
        if let Some(items) = of("the longest run of ", words) {
            return Some(run(&items, is_highest));
        }
    }
    if let Some((face, name)) = take.strip_prefix("every ").and_then(|t| t.split_once(" of "))
        && let Some(face) = number(face)
    {
        let items = list(name, "", state)?;
        return Some(items.into_iter().filter(|item| *item == face).collect());
    }
    if let Some((name, ends)) = split_last(take, " from ")
        && let Some(name) = name.strip_prefix("one of each of ")
        && let Some((from, to)) = ends.split_once(" to ")
    {
        let (from, to) = (number(from)?, number(to)?);
        let items = distinct(&list(name, "", state)?);
        return Some(items.into_iter().filter(|item| *item >= from && *item <= to).collect());
    }
    if let Some(items) = of("all of ", " that is there twice or more") {
        return Some(items.iter().filter(|item| count(&items, item) > 1).cloned().collect());
    }
    None
}

fn split_last<'t>(text: &'t str, at: &str) -> Option<(&'t str, &'t str)> {
    text.rfind(at).map(|place| (&text[..place], &text[place + at.len()..]))
}

/// The numbers of what is named, if that is all there is.
fn list(text: &str, after: &str, state: &State<'_>) -> Option<Vec<Rational>> {
    let named = state.named(text).into_iter().find(|(_, _, rest)| *rest == after);
    named.and_then(|(value, ..)| numbers(value))
}

fn written(items: &[Rational]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    format!("[{}]", items.join(", "))
}

/// The numbers of a list.
pub(super) fn numbers(value: &Value) -> Option<Vec<Rational>> {
    let Value::List(items) = value else { return None };
    let number = |item: &Value| item.as_number().map(|number| number.to_rational());
    items.iter().map(number).collect()
}

fn count(items: &[Rational], item: &Rational) -> usize {
    items.iter().filter(|own| *own == item).count()
}

/// How often that is there which is there most often.
pub(super) fn alike(items: &[Rational]) -> usize {
    items.iter().map(|item| count(items, item)).max().unwrap_or(0)
}

pub(super) fn distinct(items: &[Rational]) -> Vec<Rational> {
    let first = |at: &usize| !items[..*at].contains(&items[*at]);
    (0..items.len()).filter(first).map(|at| items[at].clone()).collect()
}

/// The longest stretch of numbers each of which is one more than the last. One of each.
pub(super) fn longest_run(items: &[Rational]) -> Vec<Rational> {
    run(items, true)
}

fn run(items: &[Rational], is_highest: bool) -> Vec<Rational> {
    let mut sorted = distinct(items);
    sorted.sort();
    let mut best: Vec<Rational> = Vec::new();
    let mut run: Vec<Rational> = Vec::new();
    for item in sorted {
        if run.last().is_some_and(|last| last + Rational::ONE != item) {
            run.clear();
        }
        run.push(item);
        if run.len() > best.len() || is_highest && run.len() == best.len() {
            best.clone_from(&run);
        }
    }
    best
}
