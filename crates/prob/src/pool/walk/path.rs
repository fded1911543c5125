//! What a walk passes: the faces in order, and groups of equal dice that may show them.
//!
//! A group is followed by how far it is used up. In how many ways the dice that came so far can have
//! shown what they did is counted among those dice alone, so that the weights of the first faces are small.

use super::super::order::binomials;
use super::{Walked, Way};
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};
use dashu_base::BitTest;

/// How the dice of a group show a face.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// Any number of them: `C(used + c, c)·wᶜ` ways.
    Any,
    /// As many as there are: of a face that lies in the bag `m` times, `C(m, c)` ways. In which order they are
    /// drawn does not matter. Dice that must differ are drawn from one of each face.
    Drawn,
    /// Fair dice of which the steps only see whether any shows the face, thrown, or drawn with as many of each
    /// face. Used up are not dice but faces; in how many ways all the dice show just these faces is multiplied
    /// in at the end.
    Cover,
}

/// Equal dice, on the list of all faces.
pub(super) struct Group {
    pub(super) pool: usize,
    pub(super) count: u64,
    pub(super) manner: Manner,
    drawn: bool,
    pub(super) weights: Vec<Natural>,
    pub(super) total: Natural,
    /// The place of its last face: what is left must show it.
    pub(super) last: usize,
    /// For each place how many of its faces are there or beyond; if they are drawn, with their copies.
    to_come: Vec<usize>,
}

impl Group {
    /// The weight of all that its dice can show.
    pub(super) fn all(&self) -> Natural {
        let count = self.dice();
        if !self.drawn {
            return self.total.pow(count);
        }
        let all = u64::try_from(&self.total).unwrap_or(u64::MAX);
        binomials(all, count.saturating_add(1)).last().unwrap_or_default()
    }

    fn dice(&self) -> usize {
        usize::try_from(self.count).unwrap_or(usize::MAX)
    }

    /// How many of a face lie in the bag.
    pub(super) fn copies(&self, place: usize) -> usize {
        self.to_come[place] - self.to_come.get(place + 1).copied().unwrap_or(0)
    }

    fn faces(&self) -> usize {
        self.to_come.first().copied().unwrap_or(0)
    }

    /// How much of it can be used up.
    pub(super) fn most(&self) -> usize {
        if self.manner == Manner::Cover { self.dice().min(self.faces()) } else { self.dice() }
    }

    /// The least and the most that this face may use up, after so much has been used up.
    #[inline]
    pub(super) fn at(&self, place: usize, used: usize) -> (usize, usize) {
        let left = self.most() - used;
        let shows = !self.weights[place].is_zero();
        match self.manner {
            Manner::Any if place == self.last => (left, left),
            Manner::Any => (0, if shows { left } else { 0 }),
            Manner::Drawn => {
                let beyond = self.to_come.get(place + 1).copied().unwrap_or(0);
                let most = left.min(self.to_come[place] - beyond);
                (left.saturating_sub(beyond).min(most), most)
            }
            Manner::Cover => (0, usize::from(shows && left > 0)),
        }
    }

    /// The same for a face that shows, if every face is like every other.
    pub(super) fn at_any(&self, used: usize) -> (usize, usize) {
        let left = self.most() - used;
        let most = match self.manner {
            Manner::Any => left,
            Manner::Drawn => left.min(self.copies(0)),
            Manner::Cover => left.min(1),
        };
        (0, most)
    }

    /// The same for some faces in a row that it has, if it shows each at most once.
    pub(super) fn at_run(&self, place: usize, run: usize, used: usize) -> (usize, usize) {
        let left = self.most() - used;
        let beyond = self.to_come.get(place + run).copied().unwrap_or(0);
        let least = if self.manner == Manner::Drawn { left.saturating_sub(beyond) } else { 0 };
        (least, left.min(run))
    }

    /// Whether all faces of the walk have the same weight.
    fn is_even(&self) -> bool {
        self.weights.iter().all(|weight| !weight.is_zero() && *weight == self.weights[0])
    }

    /// An upper bound for the bits of a weight after this face.
    fn bits(&self, place: usize) -> usize {
        let before = |place: usize| self.faces() - self.to_come.get(place).copied().unwrap_or(0);
        match self.manner {
            Manner::Any => {
                let passed = &self.weights[..=place];
                let total = passed.iter().fold(Natural::ZERO, |sum, weight| sum + weight);
                power_bits(&total, self.dice())
            }
            // So many of those that were passed.
            Manner::Drawn => {
                let passed = before(place + 1);
                let word = (usize::BITS - passed.leading_zeros()) as usize;
                passed.min(word.saturating_mul(self.dice())) + 1
            }
            Manner::Cover => before(place + 1) + 1,
        }
    }

    /// What weights at the end are multiplied with: for each use the ways of all dice.
    pub(super) fn at_end(&self) -> Vec<Natural> {
        let most = self.most();
        if self.manner != Manner::Cover {
            let mut ways = vec![Natural::ZERO; most];
            ways.push(Natural::ONE);
            return ways;
        }
        let weight = self.weights.iter().find(|weight| !weight.is_zero()).cloned();
        let weight = weight.unwrap_or(Natural::ONE);
        if self.drawn {
            return drawn_onto(self.dice(), most, u64::try_from(&weight).unwrap_or(u64::MAX));
        }
        let weight = weight.pow(self.dice());
        onto(self.dice(), most).into_iter().map(|ways| ways * &weight).collect()
    }
}

/// An upper bound for the bits of a power, without working it out where it is large.
fn power_bits(base: &Natural, exponent: usize) -> usize {
    match exponent {
        _ if base.is_zero() => 1,
        ..=16 => base.pow(exponent).bit_len(),
        _ => exponent.saturating_mul(base.pow(16).bit_len()) / 16 + 1,
    }
}

/// In how many ways n dice show each of 0, 1, 2… given faces and no other.
fn onto(dice: usize, most: usize) -> Vec<Natural> {
    // One die more shows one of the k faces, or the one that was missing: T(n, k) = k (T(n-1, k) + T(n-1, k-1)).
    let mut ways = vec![Natural::ZERO; most + 1];
    ways[0] = Natural::ONE;
    for _ in 0..dice {
        for k in (1..=most).rev() {
            ways[k] = (&ways[k] + &ways[k - 1]) * k;
        }
        ways[0] = Natural::ZERO;
    }
    ways
}

/// The same for dice drawn with so many of each face: the coefficients of `((1 + y)^copies - 1)^k` at `y^dice`.
fn drawn_onto(dice: usize, most: usize, copies: u64) -> Vec<Natural> {
    let one: Vec<Natural> = binomials(copies, dice + 1).collect();
    let mut power = vec![Natural::ZERO; dice + 1];
    power[0] = Natural::ONE;
    let mut ways = vec![power[dice].clone()];
    for _ in 0..most {
        let mut next = vec![Natural::ZERO; dice + 1];
        for (drawn, ways) in power.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
            for (more, choose) in one.iter().enumerate().skip(1).take(dice - drawn) {
                next[drawn + more] += ways * choose;
            }
        }
        power = next;
        ways.push(power[dice].clone());
    }
    ways
}

/// In which way a step is told of a pool.
#[derive(Clone, Copy)]
pub(super) enum Telling {
    /// How many dice show the face.
    Counted,
    /// Whether any does.
    Seen,
    /// That of the dice at ranks which count.
    Ranked,
}

/// All that a walk passes.
pub(super) struct Path<'a> {
    pub(super) pools: &'a [Walked],
    pub(super) way: &'a Way,
    pub(super) faces: Vec<Rational>,
    pub(super) groups: Vec<Group>,
    /// Dice that can show one face only: for each pool and face how many.
    pub(super) certain: Vec<Vec<u64>>,
    /// For each pool whether all its dice count.
    pub(super) whole: Vec<bool>,
}

impl<'a> Path<'a> {
    pub(super) fn of(pools: &'a [Walked], way: &'a Way) -> Path<'a> {
        let mut faces: Vec<Rational> =
            pools.iter().flat_map(|pool| pool.faces.values.iter().cloned()).collect();
        if pools.len() > 1 {
            faces.sort();
            faces.dedup();
            if way.down {
                faces.reverse();
            }
        }
        let certain = vec![vec![0; faces.len()]; pools.len()];
        let is_whole = |pool: &Walked| pool.ranks.count() == pool.faces.count();
        let whole = pools.iter().map(is_whole).collect();
        let mut path = Path { pools, way, faces, groups: Vec::new(), certain, whole };
        for (number, pool) in pools.iter().enumerate() {
            path.add(number, pool);
        }
        path
    }

    fn add(&mut self, number: usize, pool: &Walked) {
        let place = |value: &Rational| match self.way.down {
            true => self.faces.binary_search_by(|face| value.cmp(face)).ok(),
            false => self.faces.binary_search(value).ok(),
        };
        let places: Vec<usize> = pool.faces.values.iter().filter_map(place).collect();
        for dice in &pool.faces.groups {
            let mut weights = vec![Natural::ZERO; self.faces.len()];
            for (place, weight) in places.iter().zip(&dice.weights) {
                weights[*place] = weight.clone();
            }
            let shown: Vec<usize> =
                (0..weights.len()).filter(|place| !weights[*place].is_zero()).collect();
            match shown.as_slice() {
                [] => {}
                [only] => self.certain[number][*only] += dice.count,
                [first, .., last] => {
                    let fair = shown.iter().all(|place| weights[*place] == weights[*first]);
                    let seen = !self.way.counts[number] && self.whole[number];
                    let several = !weights[*first].is_one();
                    let manner = match (pool.drawn, fair && seen) {
                        (false, true) => Manner::Cover,
                        (true, true) if several => Manner::Cover,
                        (true, _) => Manner::Drawn,
                        (false, false) => Manner::Any,
                    };
                    let mut to_come = vec![0; weights.len()];
                    let mut beyond = 0usize;
                    for (place, weight) in weights.iter().enumerate().rev() {
                        let copies = match manner {
                            Manner::Drawn => usize::try_from(weight).unwrap_or(usize::MAX),
                            Manner::Any | Manner::Cover => usize::from(!weight.is_zero()),
                        };
                        beyond = beyond.saturating_add(copies);
                        to_come[place] = beyond;
                    }
                    let (count, total) = (dice.count, dice.total.clone());
                    let last = *last;
                    self.groups.push(Group {
                        pool: number,
                        count,
                        manner,
                        drawn: pool.drawn,
                        weights,
                        total,
                        last,
                        to_come,
                    });
                }
            }
        }
    }

    /// The ways of each face are listed for each number of dice to come, unless they are those of the face before: their
    /// cost, before any of it.
    pub(super) fn pay(&self, meter: &Meter) -> Result<(), OverBudget> {
        for group in &self.groups {
            let dice = group.dice();
            let bits = dice.saturating_mul(group.total.bit_len());
            let rows = match group.manner {
                Manner::Any => dice / 2 + 1,
                Manner::Cover if group.drawn => dice / 2 + 1,
                Manner::Drawn | Manner::Cover => 2,
            };
            let others = group.weights.windows(2).filter(|pair| pair[0] != pair[1]).count();
            let lists = others.saturating_add(1).saturating_mul(dice).saturating_mul(rows);
            meter.charge((lists as u64).saturating_mul(2 + bits as u64 / 1024))?;
        }
        Ok(())
    }

    /// Whether every face is like every other: all dice show all faces equally often.
    pub(super) fn is_even(&self) -> bool {
        self.certain.iter().flatten().all(|dice| *dice == 0)
            && self.groups.iter().all(|group| group.manner != Manner::Cover && group.is_even())
            && !self.groups.is_empty()
    }

    /// An upper bound for the bits of the weights after each face.
    pub(super) fn bits(&self, place: usize) -> usize {
        self.groups.iter().map(|group| group.bits(place)).fold(0, usize::saturating_add)
    }

    /// What a step is told of the dice of a pool at some ranks in the order of the walk.
    #[inline]
    pub(super) fn told(&self, number: usize, passed: u64, dice: u64) -> u64 {
        let counted = if self.whole[number] { dice } else { self.ranked(number, passed, dice) };
        if self.way.counts[number] { counted } else { counted.min(1) }
    }

    /// How many of these dice are at ranks that count.
    #[inline(never)]
    fn ranked(&self, number: usize, passed: u64, dice: u64) -> u64 {
        let pool = &self.pools[number];
        let all = pool.faces.count();
        match self.way.down {
            true => pool.ranks.within(all - passed - dice, all - passed),
            false => pool.ranks.within(passed, passed + dice),
        }
    }

    /// In which way a step is told of a pool.
    pub(super) fn telling_of(&self, number: usize) -> Telling {
        match (self.whole[number], self.way.counts[number]) {
            (true, true) => Telling::Counted,
            (true, false) => Telling::Seen,
            (false, _) => Telling::Ranked,
        }
    }

    /// How many different things a step may be told of a pool.
    pub(super) fn tellings(&self, number: usize) -> usize {
        match self.way.counts[number] {
            true => usize::try_from(self.pools[number].faces.count()).unwrap_or(usize::MAX),
            false => 1,
        }
        .saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_dice_show_three_given_faces_in_150_ways() {
        assert_eq!(onto(5, 3), [0u8, 1, 30, 150].map(Natural::from));
        assert_eq!(onto(0, 0), [Natural::ONE]);
        // Of five cards, those of two given ranks of four suits: 4·1 + 6·4 + 4·6 + 1·4 ways.
        assert_eq!(drawn_onto(5, 2, 4), [0u8, 0, 56].map(Natural::from));
    }
}
