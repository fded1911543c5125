//! Rules that are read in their order: the first that fits says what is taken.
//!
//! ```text
//! the most alike of dice 3 to 5: up to 3 of what dice has most often …
//! the pairs of dice 2: all of dice that is there twice or more
//! otherwise: …
//! ```
//!
//! What is right mostly comes last. What it is wrong for is told before it, by the rule that is right for most of that and wrong for nothing
//! that it fits, again and again until nothing is left. So a rule may fit what a later one is right for as well, and be shorter for it.

use super::Cases;
mod search;

use super::agreed::{ANSWERS, Answers, Set};
use super::columns::Column;
use super::drafts::Draft;
use astragal_prob::Rational;
use search::{Found, Search};

/// The most values by which something is asked for its ends,
const MOST_ENDS: usize = 200;
/// and for each of them alone.
const MOST_ALONE: usize = 24;
/// The most words that are looked at.
const MOST_LOOKS: usize = 60_000_000;
/// The most cases for which rules are looked for in this way.
const MOST_CASES: usize = 4_000;
/// So many conditions are joined in pairs: those that hold most often.
const MOST_PAIRED: usize = 320;
/// So many answers are tried where more than two things have to be asked.
const MOST_GROWN: usize = 6;
/// So many of what is right most often are tried as what comes last.
const MOST_LAST: usize = 2;

/// One thing that may be asked: whether a column has a value between two.
struct Test {
    column: usize,
    from: u32,
    to: u32,
    bits: Bits,
}

/// A condition: one or two things that are asked.
struct Asked {
    tests: (usize, Option<usize>),
    count: usize,
}

/// Some of the cases.
type Bits = Vec<u64>;

fn count(bits: &[u64]) -> usize {
    bits.iter().map(|word| word.count_ones() as usize).sum()
}

fn is_none(bits: &[u64]) -> bool {
    bits.iter().all(|word| *word == 0)
}

/// The rules, and how much has to be remembered; none if they are not found.
pub(super) fn in_order(
    cases: &Cases,
    answers: &Answers,
    columns: &[Column],
    met: &[usize],
    below: usize,
) -> Option<(Vec<Draft>, usize)> {
    if met.len() > MOST_CASES {
        return None;
    }
    let (sets, labels) = answers.sets(met);
    let tests = tests(columns, met);
    let asked = asked(&tests, met.len());
    let right = right(&sets);
    let ranks = columns.iter().map(|column| met.iter().map(|at| column.ranks[*at]).collect());
    let mut search = Search { sets, right, tests, asked, ranks: ranks.collect(), looks: 0 };
    let mut best: Option<(Vec<Found>, usize)> = None;
    let weights: Vec<u64> = met.iter().map(|at| weight(&cases.items[*at].chance)).collect();
    for last in search.commonest(&weights) {
        let most = best.as_ref().map_or(below, |(_, cost)| *cost);
        if let Some(found) = search.rules(last, most) {
            let cost = search.cost(&found);
            if cost < most {
                best = Some((found, cost));
            }
        }
    }
    let (found, cost) = best?;
    let mut left = vec![u64::MAX; met.len().div_ceil(64)];
    let drafts = found.into_iter().map(|Found { tests, answer }| {
        let when = search.when(&tests);
        let fits: Vec<usize> =
            (0..met.len()).filter(|at| search.fits(&tests, *at) && is_in(&left, *at)).collect();
        fits.iter().for_each(|at| left[*at / 64] &= !(1 << (*at % 64)));
        let chances = fits.iter().map(|at| &cases.items[met[*at]].chance);
        let chance = chances.fold(Rational::ZERO, |sum, chance| sum + chance);
        Draft { when, agreed: answers.answer(answer, &labels), chance }
    });
    Some((drafts.collect(), cost))
}

/// About how often something is.
fn weight(chance: &Rational) -> u64 {
    let parts = chance * Rational::from(1u64 << 32);
    u64::try_from(parts.floor()).unwrap_or(u64::from(u32::MAX))
}

fn is_in(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

/// All that may be asked; of what holds for the same cases, the first.
fn tests(columns: &[Column], met: &[usize]) -> Vec<Test> {
    let mut all: Vec<Test> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for (number, column) in columns.iter().enumerate() {
        let mut ranks: Vec<u32> = met.iter().map(|at| column.ranks[*at]).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let (first, last) = match ranks.as_slice() {
            [first, .., last] => (*first, *last),
            _ => continue,
        };
        let mut add = |from: u32, to: u32| {
            let mut bits = vec![0u64; met.len().div_ceil(64)];
            for (at, case) in met.iter().enumerate() {
                if (from..=to).contains(&column.ranks[*case]) {
                    bits[at / 64] |= 1 << (at % 64);
                }
            }
            if seen.insert(bits.clone()) {
                all.push(Test { column: number, from, to, bits });
            }
        };
        if column.is_number && ranks.len() <= MOST_ENDS {
            ranks.iter().skip(1).for_each(|rank| add(*rank, last));
            ranks.iter().rev().skip(1).for_each(|rank| add(first, *rank));
        }
        if ranks.len() <= MOST_ALONE {
            ranks.iter().for_each(|rank| add(*rank, *rank));
        }
    }
    all
}

/// All conditions, those that hold most often first.
fn asked(tests: &[Test], cases: usize) -> Vec<Asked> {
    let counts: Vec<usize> = tests.iter().map(|test| count(&test.bits)).collect();
    let single = |at: usize| Asked { tests: (at, None), count: counts[at] };
    let mut all: Vec<Asked> = (0..tests.len()).map(single).collect();
    let mut often: Vec<usize> = (0..tests.len()).collect();
    often.sort_by_key(|at| usize::MAX - counts[*at]);
    // With many cases, fewer are joined.
    let most = MOST_PAIRED.min(1 + 40_000 / cases.div_ceil(64)).min(often.len());
    for (at, one) in often[..most].iter().enumerate() {
        for other in &often[at + 1..most] {
            let (a, b) = (&tests[*one], &tests[*other]);
            let both = a.bits.iter().zip(&b.bits);
            let own: usize = both.map(|(a, b)| (a & b).count_ones() as usize).sum();
            if own > 0 && own < counts[*one] && own < counts[*other] {
                all.push(Asked { tests: (*one, Some(*other)), count: own });
            }
        }
    }
    all.sort_by_key(|asked| (usize::MAX - asked.count, asked.tests.1.is_some()));
    all
}

/// The cases in which each answer is right.
fn right(sets: &[Set]) -> Vec<Bits> {
    let mut right = vec![vec![0u64; sets.len().div_ceil(64)]; 64 * ANSWERS];
    for (at, set) in sets.iter().enumerate() {
        each(set, |bit| right[bit][at / 64] |= 1 << (at % 64));
    }
    right
}

/// Each bit of a set, in order.
fn each(set: &Set, mut tell: impl FnMut(usize)) {
    for (word, bits) in set.iter().enumerate() {
        let mut bits = *bits;
        while bits != 0 {
            tell(64 * word + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}
