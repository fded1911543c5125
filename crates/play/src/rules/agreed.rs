//! What several cases have in common: the same option, or the same way to find one in a list.
//!
//! Of a hand, `[5, 6]` may be kept here and `[6, 6]` there; what both have in common is that all dice of 5 or more are kept.

use std::sync::Arc;

use astragal_value::Value;
use rustc_hash::FxHashMap;

use super::Cases;
use super::ways::{Found, Hand, How, Way, ways};

/// Ways to find an item of a list are bits of some words.
const MOST_WAYS: usize = 64 * WORDS;
const WORDS: usize = 4;

/// Answers of a set: ways, and behind them options by their numbers.
pub(super) const ANSWERS: usize = WORDS + 4;

/// A set of answers.
pub(super) type Set = [u64; ANSWERS];

/// Of more options that are as good as what is taken, none is told.
const MOST_EQUALS: usize = 200_000;
/// With more cases, only simple ways are tried.
const MOST_CASES: usize = 20_000;

/// What is taken in each case, and in which ways it is found.
pub(super) struct Answers {
    labels: Vec<Arc<str>>,
    ways: Vec<String>,
    of: Vec<Agreed>,
    /// All that is as good as what is taken, in each case.
    sets: Vec<Vec<u32>>,
}

/// What some cases have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Agreed {
    /// The option, by its number, if it is the same.
    label: Option<u32>,
    /// The ways that find it.
    ways: [u64; WORDS],
}

impl Agreed {
    /// What these and those have in common; none if nothing.
    pub(super) fn with(self, other: Agreed) -> Option<Agreed> {
        let label = self.label.filter(|_| self.label == other.label);
        let mut ways = self.ways;
        ways.iter_mut().zip(other.ways).for_each(|(own, other)| *own &= other);
        (label.is_some() || ways != [0; WORDS]).then_some(Agreed { label, ways })
    }
}

impl Answers {
    pub(super) fn of(cases: &Cases) -> Answers {
        let mut labels: Vec<Arc<str>> = Vec::new();
        let mut numbers: FxHashMap<Vec<&str>, u32> = FxHashMap::default();
        let is_long = cases.items.len() > MOST_CASES;
        let ways = if cases.of_list { ways(cases, is_long, MOST_WAYS) } else { Vec::new() };
        let equals = cases.items.iter().map(|item| item.as_good.len()).sum::<usize>();
        let tells_equals = equals <= MOST_EQUALS;
        let (mut of, mut sets) = (Vec::new(), Vec::new());
        for item in &cases.items {
            let as_good: &[Arc<str>] = if tells_equals { &item.as_good } else { &[] };
            let mut best: Vec<Taken<'_>> = Vec::with_capacity(1 + as_good.len());
            let mut own: Vec<u32> = Vec::with_capacity(1 + as_good.len());
            for text in std::iter::once(&item.taken).chain(as_good) {
                let taken = Taken::of(text, cases.is_unordered);
                own.push(*numbers.entry(taken.parts.clone()).or_insert_with(|| {
                    labels.push(Arc::clone(text));
                    labels.len() as u32 - 1
                }));
                best.push(taken);
            }
            let ways = found_by(&ways, &best, &item.values);
            of.push(Agreed { label: own.first().copied(), ways });
            sets.push(own);
        }
        let ways = ways.iter().map(|way| way.words(&cases.names[way.column])).collect();
        Answers { labels, ways, of, sets }
    }

    /// All that is right in each of these cases, as a set; of many options, only those that are right most often.
    pub(super) fn sets(&self, cases: &[usize]) -> (Vec<Set>, Vec<u32>) {
        let mut often: FxHashMap<u32, usize> = FxHashMap::default();
        for label in cases.iter().flat_map(|at| &self.sets[*at]) {
            *often.entry(*label).or_default() += 1;
        }
        let mut labels: Vec<u32> = often.keys().copied().collect();
        labels.sort_by_key(|label| (usize::MAX - often[label], *label));
        labels.truncate(64 * (ANSWERS - WORDS));
        let bits: FxHashMap<u32, usize> = labels.iter().copied().zip(64 * WORDS..).collect();
        let set = |at: &usize| {
            let mut set: Set = [0; ANSWERS];
            set[..WORDS].copy_from_slice(&self.of[*at].ways);
            for bit in self.sets[*at].iter().filter_map(|label| bits.get(label)) {
                set[bit / 64] |= 1 << (bit % 64);
            }
            set
        };
        (cases.iter().map(set).collect(), labels)
    }

    /// An answer of a set, by its bit.
    pub(super) fn answer(&self, bit: usize, labels: &[u32]) -> Agreed {
        let mut agreed = Agreed { label: None, ways: [0; WORDS] };
        match bit.checked_sub(64 * WORDS) {
            Some(label) => agreed.label = labels.get(label).copied(),
            None => agreed.ways[bit / 64] = 1 << (bit % 64),
        }
        agreed
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
        let first = (0..MOST_WAYS).find(|way| agreed.ways[way / 64] >> (way % 64) & 1 == 1);
        match (agreed.label, first) {
            (Some(label), _) => self.labels[label as usize].to_string(),
            (None, Some(way)) => self.ways.get(way).cloned().unwrap_or_default(),
            (None, None) => String::new(),
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
        Taken { is_unordered, parts, count }
    }

    fn is(&self, text: &str) -> bool {
        if self.is_unordered { parts(text) == self.parts } else { self.parts == [text] }
    }
}

/// The ways that find one of the best options.
fn found_by(ways: &[Way], best: &[Taken<'_>], values: &[Value]) -> [u64; WORDS] {
    let mut bits = [0; WORDS];
    // The ways of a column stand together.
    for own in ways.chunk_by(|a, b| a.column == b.column) {
        let Some(value) = own.first().and_then(|way| values.get(way.column)) else { continue };
        let hand = Hand::of(value);
        for way in own {
            let is_found = match (&hand, &way.how) {
                (Some(hand), how) => is_one_of(&how.of_hand(hand), best, hand),
                (None, How::Same) => {
                    let text = value.to_string();
                    best.iter().any(|taken| taken.is(&text))
                }
                (None, _) => false,
            };
            if is_found {
                bits[way.number / 64] |= 1 << (way.number % 64);
            }
        }
    }
    bits
}

/// Whether what was found is one of these options.
fn is_one_of(found: &Option<Found>, best: &[Taken<'_>], hand: &Hand<'_>) -> bool {
    match found {
        None => false,
        Some(Found::Item(item)) => best.iter().any(|taken| taken.is(item)),
        Some(Found::Some(items)) => best.iter().any(|taken| {
            taken.count == Some(items.len()) && {
                let texts: Vec<&str> = items.iter().map(|at| &*hand.texts[*at]).collect();
                taken.is(&format!("[{}]", texts.join(", ")))
            }
        }),
    }
}
