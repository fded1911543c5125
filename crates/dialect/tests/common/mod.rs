//! The verbs of these tests: what a text becomes, and that it means what its tool means.

#![allow(dead_code, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::collections::BTreeMap;

use astragal_dialect::{Dialect, convert, convert_noted};
use astragal_testing::checks;

/// Our spelling.
pub fn ours(text: &str, dialect: Dialect) -> String {
    match convert(text, dialect) {
        Ok(ours) => ours,
        Err(errors) => panic!("{dialect} {text}: {errors:?}"),
    }
}

/// The code of the refusal.
pub fn refused(text: &str, dialect: Dialect) -> &'static str {
    match convert(text, dialect) {
        Ok(ours) => panic!("{dialect} {text} became {ours}"),
        Err(errors) => errors[0].code,
    }
}

/// How many notices there are.
pub fn notices(text: &str, dialect: Dialect) -> usize {
    convert_noted(text, dialect).unwrap().notices.len()
}

/// The faces of a plain die.
pub fn die(sides: i64) -> Vec<i64> {
    (1..=sides).collect()
}

/// What a die shows that is thrown once more where `again` holds, each equally likely.
pub fn once(sides: i64, again: impl Fn(i64) -> bool) -> Vec<i64> {
    let second = |first| move |other| if first == 0 { other } else { first };
    let firsts = die(sides).into_iter().map(|first| if again(first) { 0 } else { first });
    firsts.flat_map(|first| die(sides).into_iter().map(second(first))).collect()
}

/// The total of the given dice has the odds of the converted text, by going through all throws.
pub fn means(
    text: &str,
    dialect: Dialect,
    dice: &[Vec<i64>],
    total: impl Fn(&[i64]) -> i64,
) -> String {
    let ours = ours(text, dialect);
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    let mut all = 0;
    for_each(dice, &mut Vec::new(), &mut |faces| {
        *counts.entry(total(faces)).or_default() += 1;
        all += 1;
    });
    let listed = counts.iter().map(|(value, count)| format!("{value} {}", fraction(*count, all)));
    checks::odds(&ours, &listed.collect::<Vec<_>>().join(", "));
    ours
}

fn for_each(dice: &[Vec<i64>], thrown: &mut Vec<i64>, with: &mut impl FnMut(&[i64])) {
    let Some((first, rest)) = dice.split_first() else { return with(thrown) };
    for face in first {
        thrown.push(*face);
        for_each(rest, thrown, with);
        thrown.pop();
    }
}

fn fraction(count: u64, all: u64) -> String {
    let (mut a, mut b) = (count, all);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    if all == a { (count / a).to_string() } else { format!("{}/{}", count / a, all / a) }
}

/// The mean of the converted text.
pub fn mean(text: &str, dialect: Dialect, mean: &str) {
    checks::mean(&ours(text, dialect), mean);
}

/// The best so many.
pub fn best(faces: &[i64], count: usize) -> Vec<i64> {
    let mut sorted = faces.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    sorted.truncate(count);
    sorted
}

/// How many pass.
pub fn count(faces: &[i64], passes: impl Fn(i64) -> bool) -> i64 {
    i64::try_from(faces.iter().filter(|face| passes(**face)).count()).unwrap()
}

pub fn sum(faces: &[i64]) -> i64 {
    faces.iter().sum()
}
