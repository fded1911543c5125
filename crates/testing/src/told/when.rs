//! Whether a rule fits: `always`, `otherwise`, or what is known, each with what it is.
//!
//! ```text
//! when  := "always" | "otherwise" | part (", " part)*
//! part  := THING " " VALUES | NAME " " ORDER " " NAME
//! THING := NAME | NAME "." FIELD | NAME " in its order" | "the sum of " NAME | …
//! VALUES := V | V " or " V | V " to " V | V " or more" | V " or less" | V ", " V …
//! ```

use astragal::{Rational, Value};

use super::State;
use super::take::{alike, distinct, longest_run, numbers};

/// Whether all of it is so.
pub(super) fn fits(when: &str, state: &State<'_>) -> Result<bool, String> {
    if when == "always" || when == "otherwise" {
        return Ok(true);
    }
    let mut rest = when;
    let mut all = true;
    loop {
        let (is, after) = part(rest, state).ok_or_else(|| format!("`{rest}` cannot be read"))?;
        all &= is;
        match after.strip_prefix(", ") {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(all),
            None => return Err(format!("`{after}` cannot be read")),
        }
    }
}

/// What is known of something.
#[derive(Debug)]
enum Thing {
    Number(Rational),
    /// Something else, as it is written.
    Text(String),
}

fn thing_of(value: &Value) -> Thing {
    match value {
        Value::Number(number) => Thing::Number(number.to_rational()),
        other => Thing::Text(other.to_string()),
    }
}

/// The first part of a text, and what follows it.
fn part<'t>(text: &'t str, state: &State<'_>) -> Option<(bool, &'t str)> {
    let found = things(text, state);
    found.into_iter().find_map(|(thing, rest)| {
        let rest = rest.strip_prefix(' ')?;
        against(&thing, rest, state).or_else(|| values(&thing, rest, state))
    })
}

/// All that the beginning of a text may name, and what follows it.
fn things<'t>(text: &'t str, state: &State<'_>) -> Vec<(Thing, &'t str)> {
    let mut found = Vec::new();
    let whole = |number: usize| Some(Rational::from(number));
    let mut read = |rest: &'t str, of: &dyn Fn(&[Rational]) -> Option<Rational>| {
        for (value, _, after) in state.named(rest) {
            let thing = numbers(value).and_then(|items| of(&items));
            found.push((thing.map_or(Thing::Text("none".into()), Thing::Number), after));
        }
    };
    type Of = fn(&[Rational]) -> Option<Rational>;
    let readings: [(&str, Of); 7] = [
        ("the sum of ", |items| Some(items.iter().fold(Rational::ZERO, |sum, item| sum + item))),
        ("the highest of ", |items| items.iter().max().cloned()),
        ("the lowest of ", |items| items.iter().min().cloned()),
        ("the most alike of ", |items| Some(Rational::from(alike(items)))),
        ("the longest run of ", |items| Some(Rational::from(longest_run(items).len()))),
        ("the different of ", |items| Some(Rational::from(distinct(items).len()))),
        ("the pairs of ", |items| {
            let count = |item: &Rational| items.iter().filter(|own| *own == item).count();
            Some(Rational::from(distinct(items).iter().filter(|item| count(item) > 1).count()))
        }),
    ];
    for (words, of) in readings {
        if let Some(rest) = text.strip_prefix(words) {
            read(rest, &of);
        }
    }
    if let Some((ends, rest)) =
        text.strip_prefix("the different from ").and_then(|text| text.split_once(" of "))
        && let Some((from, to)) = ends.split_once(" to ")
        && let (Some(from), Some(to)) = (number(from), number(to))
    {
        read(rest, &|items| {
            let own: Vec<Rational> =
                items.iter().filter(|item| **item >= from && **item <= to).cloned().collect();
            whole(distinct(&own).len())
        });
    }
    if let Some((face, rest)) = text.strip_prefix("how many ").and_then(|t| t.split_once(" of "))
        && let Some(face) = number(face)
    {
        read(rest, &|items| whole(items.iter().filter(|item| **item == face).count()));
    }
    if let Some(rest) = text.strip_prefix("the number of ") {
        for (value, _, after) in state.named(rest) {
            if let Value::List(items) = value {
                found.push((Thing::Number(Rational::from(items.len())), after));
            }
        }
    }
    if let Some(rest) = text.strip_prefix("the dice of ") {
        for (value, dice, after) in state.named(rest) {
            if dice {
                found.push((Thing::Text(sorted(value).to_string()), after));
            }
        }
    }
    for (value, dice, after) in state.named(text) {
        if let Some(after) = after.strip_prefix(" in its order") {
            found.push((Thing::Text(value.to_string()), after));
        }
        if let (Value::Record(shape, fields), Some(after)) = (value, after.strip_prefix('.')) {
            for (name, field) in shape.fields.iter().zip(fields.iter()) {
                if let Some(after) = after.strip_prefix(&**name) {
                    found.push((thing_of(field), after));
                }
            }
        }
        let sum = numbers(value).filter(|_| dice);
        let sum = sum.map(|items| items.iter().fold(Rational::ZERO, |sum, item| sum + item));
        found.push((sum.map_or_else(|| thing_of(&sorted(value)), Thing::Number), after));
    }
    found
}

/// A list with the highest first; anything else as it is.
fn sorted(value: &Value) -> Value {
    match value {
        Value::List(items) => {
            let mut items = items.to_vec();
            items.sort();
            items.reverse();
            Value::List(items.into())
        }
        other => other.clone(),
    }
}

/// `above a`
fn against<'t>(thing: &Thing, text: &'t str, state: &State<'_>) -> Option<(bool, &'t str)> {
    let Thing::Number(own) = thing else { return None };
    type Is = fn(&Rational, &Rational) -> bool;
    let orders: [(&str, Is); 6] = [
        ("below ", |a, b| a < b),
        ("equal to ", |a, b| a == b),
        ("above ", |a, b| a > b),
        ("up to ", |a, b| a <= b),
        ("at least ", |a, b| a >= b),
        ("other than ", |a, b| a != b),
    ];
    orders.into_iter().find_map(|(words, is)| {
        let other = text.strip_prefix(words)?;
        let (thing, after) = things(other, state).into_iter().find(|(thing, after)| {
            matches!(thing, Thing::Number(_)) && (after.is_empty() || after.starts_with(", "))
        })?;
        let Thing::Number(other) = thing else { return None };
        Some((is(own, &other), after))
    })
}

/// Some values: whether the thing is one of them.
fn values<'t>(thing: &Thing, text: &'t str, state: &State<'_>) -> Option<(bool, &'t str)> {
    let (first, mut rest) = value(text)?;
    if let Some(number) = number(first) {
        let is = |is: &dyn Fn(&Rational) -> bool| match thing {
            Thing::Number(own) => is(own),
            Thing::Text(_) => false,
        };
        if let Some(rest) = rest.strip_prefix(" or more") {
            return Some((is(&|own| *own >= number), rest));
        }
        if let Some(rest) = rest.strip_prefix(" or less") {
            return Some((is(&|own| *own <= number), rest));
        }
        if let Some(after) = rest.strip_prefix(" to ") {
            let (last, after) = value(after)?;
            let last = self::number(last)?;
            return Some((is(&|own| *own >= number && *own <= last), after));
        }
    }
    let mut is = is_value(thing, first);
    if let Some(after) = rest.strip_prefix(" or ") {
        let (second, after) = value(after)?;
        return Some((is || is_value(thing, second), after));
    }
    // As many more as there are before the next part.
    while let Some(after) = rest.strip_prefix(", ") {
        if part(after, state).is_some() {
            break;
        }
        let (next, after) = value(after)?;
        is |= is_value(thing, next);
        rest = after;
    }
    Some((is, rest))
}

fn is_value(thing: &Thing, text: &str) -> bool {
    match thing {
        Thing::Number(own) => number(text).is_some_and(|number| *own == number),
        Thing::Text(own) => own == text,
    }
}

/// The first value of a text, up to a word that joins it with the next.
fn value(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, sign) in text.char_indices() {
        match sign {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        let rest = &text[at..];
        if depth == 0 && [", ", " or ", " to "].iter().any(|word| rest.starts_with(word)) {
            return Some((&text[..at], rest));
        }
    }
    (!text.is_empty()).then_some((text, ""))
}

/// `3`, `-1/2`
pub(super) fn number(text: &str) -> Option<Rational> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (above, below): (i64, i64) = (above.parse().ok()?, below.parse().ok()?);
    (below != 0).then(|| Rational::from(above) / Rational::from(below))
}
