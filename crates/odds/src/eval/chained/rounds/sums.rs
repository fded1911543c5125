//! Small tables of the rounds of a loop: rows of words by their places, and the weights of steps.

use astragal_prob::Natural;
use dashu_base::Gcd;
use rustc_hash::FxHashMap;

use crate::code::Word;

/// Rows of words, each once.
pub(super) struct Places {
    size: usize,
    words: Vec<Word>,
    pub(super) known: FxHashMap<Box<[Word]>, usize>,
}

impl Places {
    pub(super) fn new(size: usize) -> Places {
        Places { size, words: Vec::new(), known: FxHashMap::default() }
    }

    pub(super) fn place(&mut self, words: &[Word]) -> usize {
        if let Some(place) = self.known.get(words) {
            return *place;
        }
        let place = self.known.len();
        self.known.insert(words.into(), place);
        self.words.extend_from_slice(words);
        place
    }

    pub(super) fn row(&self, place: usize) -> &[Word] {
        &self.words[place * self.size..(place + 1) * self.size]
    }
}

/// The weights of the steps from one node, over a total.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) total: Natural,
    pub(super) list: Vec<(u32, Natural)>,
    /// For each target its place in the list, as of the node with this number.
    places: Vec<(usize, u32)>,
    node: usize,
    /// How many paths there were.
    pub(super) paths: usize,
}

impl Sums {
    pub(super) fn begin(&mut self, node: usize) {
        (self.node, self.paths) = (node + 1, 0);
        self.total = Natural::ZERO;
        self.list.clear();
    }

    pub(super) fn add(&mut self, target: u32, mut weight: Natural, total: &Natural) {
        if self.total != *total {
            if self.total.is_zero() {
                self.total.clone_from(total);
            }
            let common = (&self.total).gcd(total);
            let (mine, theirs) = (total / &common, &self.total / &common);
            if !mine.is_one() {
                self.list.iter_mut().for_each(|(_, weight)| *weight *= &mine);
                self.total *= mine;
            }
            weight *= theirs;
        }
        let at = target as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, (0, 0));
        }
        match self.places[at] {
            (node, place) if node == self.node => self.list[place as usize].1 += weight,
            _ => {
                self.places[at] = (self.node, self.list.len() as u32);
                self.list.push((target, weight));
            }
        }
    }
}

/// The product; most often the first factor is 1.
pub(super) fn times(a: &Natural, b: &Natural) -> Natural {
    if a.is_one() { b.clone() } else { a * b }
}
