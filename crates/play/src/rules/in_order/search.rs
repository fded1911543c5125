//! The search for the next rule: right for most of what is left, wrong for nothing that it fits.

use super::super::agreed::{ANSWERS, Set};
use super::{Asked, Bits, MOST_GROWN, MOST_LAST, MOST_LOOKS, Test, count, each, is_in, is_none};

/// A rule that was found: what is asked, and the answer by its bit.
pub(super) struct Found {
    pub(super) tests: Vec<usize>,
    pub(super) answer: usize,
}

pub(super) struct Search {
    /// What is right in each case.
    pub(super) sets: Vec<Set>,
    /// The cases in which each answer is right.
    pub(super) right: Vec<Bits>,
    /// What each column has in each case.
    pub(super) ranks: Vec<Vec<u32>>,
    pub(super) tests: Vec<Test>,
    pub(super) asked: Vec<Asked>,
    pub(super) looks: usize,
}

impl Search {
    /// The answers that are right most often in a play, and those that are right in most cases.
    pub(super) fn commonest(&self, weights: &[u64]) -> Vec<usize> {
        let mut often = vec![(0u64, 0usize); 64 * ANSWERS];
        for (set, weight) in self.sets.iter().zip(weights) {
            each(set, |bit| {
                often[bit].0 = often[bit].0.saturating_add(*weight);
                often[bit].1 += 1;
            });
        }
        let known = (0..often.len()).filter(|bit| often[*bit].1 > 0);
        let mut order: Vec<usize> = known.clone().collect();
        order.sort_by_key(|bit| (usize::MAX - often[*bit].1, *bit));
        order.truncate(MOST_LAST);
        let in_a_play = known.max_by_key(|bit| (often[*bit], usize::MAX - *bit));
        order.retain(|bit| Some(*bit) != in_a_play);
        in_a_play.into_iter().chain(order).collect()
    }

    pub(super) fn cost(&self, found: &[Found]) -> usize {
        found.iter().map(|found| self.parts(&found.tests).max(1)).sum()
    }

    /// The columns that are asked.
    fn parts(&self, tests: &[usize]) -> usize {
        self.when(tests).len()
    }

    /// What is asked, by columns: two ends of one column are a range.
    pub(super) fn when(&self, tests: &[usize]) -> Vec<(usize, Vec<u32>)> {
        let mut when: Vec<(usize, Vec<u32>)> = Vec::new();
        for test in tests.iter().map(|test| &self.tests[*test]) {
            let own = test.from..=test.to;
            match when.iter_mut().find(|(column, _)| *column == test.column) {
                Some((_, ranks)) => ranks.retain(|rank| own.contains(rank)),
                None => when.push((test.column, own.collect())),
            }
        }
        when
    }

    pub(super) fn fits(&self, tests: &[usize], at: usize) -> bool {
        tests.iter().all(|test| is_in(&self.tests[*test].bits, at))
    }

    /// The rules before what comes last; none if that has to be remembered more.
    pub(super) fn rules(&mut self, last: usize, most: usize) -> Option<Vec<Found>> {
        let words = self.sets.len().div_ceil(64);
        let (mut left, mut wrong) = (vec![0u64; words], vec![0u64; words]);
        for (at, set) in self.sets.iter().enumerate() {
            left[at / 64] |= 1 << (at % 64);
            if set[last / 64] >> (last % 64) & 1 == 0 {
                wrong[at / 64] |= 1 << (at % 64);
            }
        }
        let mut found: Vec<Found> = Vec::new();
        while !is_none(&wrong) {
            if self.cost(&found) + 1 >= most {
                return None;
            }
            let next = match self.next(&left, &wrong) {
                Some(next) => next,
                None => self.grown(&left, &wrong)?,
            };
            for at in 0..self.sets.len() {
                if self.fits(&next.tests, at) {
                    left[at / 64] &= !(1 << (at % 64));
                    wrong[at / 64] &= !(1 << (at % 64));
                }
            }
            found.push(next);
        }
        found.push(Found { tests: Vec::new(), answer: last });
        Some(found)
    }

    /// The rule that is right for most of what the last one is wrong for, and wrong for nothing that is left.
    fn next(&mut self, left: &[u64], wrong: &[u64]) -> Option<Found> {
        let mut best: Option<(usize, Found)> = None;
        let mut looks = self.looks;
        for asked in &self.asked {
            let worst = best.as_ref().map_or(0, |(score, _)| *score);
            if 4 * asked.count <= worst {
                break;
            }
            if looks > MOST_LOOKS {
                break;
            }
            let (one, other) = asked.tests;
            let own = |word: usize| {
                let other = other.map_or(u64::MAX, |other| self.tests[other].bits[word]);
                self.tests[one].bits[word] & other
            };
            looks += left.len();
            let gain: usize =
                (0..left.len()).map(|word| (own(word) & wrong[word]).count_ones() as usize).sum();
            let price = match other.map(|other| self.parts(&[one, other])) {
                Some(2) => 5,
                _ => 4,
            };
            let score = 16 * gain / price;
            if score <= worst {
                continue;
            }
            if let Some(answer) = self.answer(left, own, &mut looks) {
                let tests = [Some(one), other].into_iter().flatten().collect();
                best = Some((score, Found { tests, answer }));
            }
        }
        self.looks = looks;
        best.map(|(_, found)| found)
    }

    /// A rule for the first case that is left, which asks for more and more until it is wrong for nothing.
    fn grown(&mut self, left: &[u64], wrong: &[u64]) -> Option<Found> {
        if self.looks > 2 * MOST_LOOKS {
            return None;
        }
        let word = wrong.iter().position(|word| *word != 0)?;
        let seed = 64 * word + wrong[word].trailing_zeros() as usize;
        let known = self.tests.len();
        for column in 0..self.ranks.len() {
            self.ask_for(column, seed);
        }
        let mut often: Vec<(usize, usize)> = Vec::new();
        each(&self.sets[seed].clone(), |bit| {
            let own = self.right[bit].iter().zip(wrong);
            often.push((own.map(|(a, b)| (a & b).count_ones() as usize).sum(), bit));
        });
        often.sort_unstable_by(|a, b| b.cmp(a));
        let mut best: Option<(usize, Found)> = None;
        for (_, answer) in often.into_iter().take(MOST_GROWN) {
            let Some(tests) = self.asked_for(seed, answer, left, wrong) else { continue };
            let fits = (0..left.len()).map(|word| {
                let own = |test: &usize| self.tests[*test].bits[word];
                tests.iter().map(own).fold(wrong[word], |all, own| all & own)
            });
            let gain: usize = fits.map(|word| word.count_ones() as usize).sum();
            let score = 16 * gain / (3 + self.parts(&tests));
            if best.as_ref().is_none_or(|(known, _)| score > *known) {
                best = Some((score, Found { tests, answer }));
            }
        }
        // What was not needed is forgotten again.
        let found = best.map(|(_, found)| found)?;
        let last = found.tests.iter().max().copied().unwrap_or(0);
        self.tests.truncate(known.max(last + 1));
        Some(found)
    }

    /// Asks whether a column has what it has in a case.
    fn ask_for(&mut self, column: usize, seed: usize) {
        let rank = self.ranks[column][seed];
        let mut bits = vec![0u64; self.sets.len().div_ceil(64)];
        for (at, own) in self.ranks[column].iter().enumerate() {
            if *own == rank {
                bits[at / 64] |= 1 << (at % 64);
            }
        }
        self.looks += self.sets.len();
        self.tests.push(Test { column, from: rank, to: rank, bits });
    }

    /// What is asked so that a case fits and an answer is right for all that fit; none if that is not to be had.
    fn asked_for(
        &mut self,
        seed: usize,
        answer: usize,
        left: &[u64],
        wrong: &[u64],
    ) -> Option<Vec<usize>> {
        let right = &self.right[answer];
        let mut good: Bits = left.to_vec();
        let mut bad: Bits = left.iter().zip(right).map(|(left, right)| left & !right).collect();
        good.iter_mut().zip(right).zip(wrong).for_each(|((own, right), wrong)| {
            *own &= right & wrong;
        });
        let own: Vec<usize> =
            (0..self.tests.len()).filter(|at| is_in(&self.tests[*at].bits, seed)).collect();
        let mut tests = Vec::new();
        while !is_none(&bad) {
            let before = count(&bad);
            let mut best: Option<(usize, usize)> = None;
            for at in &own {
                let bits = &self.tests[*at].bits;
                let both = |of: &Bits| -> usize {
                    of.iter().zip(bits).map(|(a, b)| (a & b).count_ones() as usize).sum()
                };
                let (hits, misses) = (both(&good), both(&bad));
                self.looks += 2 * left.len();
                let score = 64 * hits * hits / (hits + misses).max(1);
                if misses < before && best.is_none_or(|(known, _)| score > known) {
                    best = Some((score, *at));
                }
            }
            let (_, next) = best?;
            let bits = &self.tests[next].bits;
            good.iter_mut().zip(bits).for_each(|(own, bits)| *own &= bits);
            bad.iter_mut().zip(bits).for_each(|(own, bits)| *own &= bits);
            tests.push(next);
        }
        Some(tests)
    }

    /// What is right for all of these cases.
    fn answer(&self, left: &[u64], own: impl Fn(usize) -> u64, looks: &mut usize) -> Option<usize> {
        let mut common: Set = [u64::MAX; ANSWERS];
        for (word, left) in left.iter().enumerate() {
            let mut bits = own(word) & left;
            while bits != 0 {
                let at = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                *looks += 1;
                common.iter_mut().zip(&self.sets[at]).for_each(|(all, own)| *all &= own);
                if is_none(&common) {
                    return None;
                }
            }
        }
        let mut first = None;
        each(&common, |bit| first = first.or(Some(bit)));
        first
    }
}
