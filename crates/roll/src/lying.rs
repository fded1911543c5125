//! Dice that lie on the table as they were thrown.
//!
//! Equal dice whose faces are consecutive whole numbers, thrown one after the other and in no other pool,
//! need no list of their own: a range of the table says which they are, and what is dropped, marked or
//! exploded is noted there. `4d6kh3` drops the die of rank 0 from the lowest, equal dice ranked as thrown.

use std::ops::Range;

use astragal_program::core::{Comparison, End};

use crate::dice::Dice;
use crate::explanation::DieId;
use crate::faces::DieFaces;

/// So many dice are ranked without memory of their own.
const FEW: usize = 16;

/// The sum of fewer dice than this, of faces below 2³², is a word.
pub(crate) const MANY: u64 = 1 << 30;

/// Dice on the table, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lying {
    pub(crate) first: DieId,
    /// How many were thrown.
    pub(crate) count: u32,
    /// How many of them count.
    pub(crate) left: u32,
    /// What the first face shows.
    pub(crate) lowest: i64,
    /// The sum of those that count, and their marks.
    pub(crate) sum: i64,
    pub(crate) marks: i64,
}

/// What a suffix that throws nothing does to dice, with its number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    Keep(End, usize),
    Drop(End, usize),
    /// Once for or once against.
    Mark(Comparison, i64, i64),
}

impl Lying {
    /// Dice that were just thrown; none if they show no consecutive numbers, or their sum could be beyond a
    /// word.
    #[inline]
    pub(crate) fn of(kind: &DieFaces, first: DieId, faces: &[u64]) -> Option<Lying> {
        let lowest = kind.counts_from()?;
        let (mut sum, mut seen) = (0u64, 0);
        for face in faces {
            sum = sum.wrapping_add(*face);
            seen |= face;
        }
        if faces.len() as u64 >= MANY || seen >= 1 << 32 {
            return None;
        }
        let count = faces.len() as u32;
        let sum = sum as i64 + lowest * i64::from(count);
        Some(Lying { first, count, left: count, lowest, sum, marks: 0 })
    }

    /// Whether nothing was thrown after them.
    pub(crate) fn are_last(&self, table: &Dice) -> bool {
        self.first + self.count == table.next()
    }

    /// Does what a suffix says; none may be dropped yet.
    #[inline]
    pub(crate) fn change(&mut self, table: &mut Dice, change: Change) {
        let all = self.count as usize;
        match change {
            Change::Keep(end, kept) => self.drop_ranks(table, all_but(end, all, kept)),
            Change::Drop(end, gone) => self.drop_ranks(table, these(end, all, gone)),
            Change::Mark(comparison, with, mark) => {
                self.mark(table, |shows| holds(comparison, &shows, &with), mark);
            }
        }
    }

    /// Drops the dice of these ranks and of those, which lie above them. None may be dropped yet.
    #[inline]
    pub(crate) fn drop_ranks(
        &mut self,
        table: &mut Dice,
        (some, more): (Range<usize>, Range<usize>),
    ) {
        let count = self.count as usize;
        let gone = some.len() + more.len();
        if gone == 0 {
            return;
        }
        self.left -= gone as u32;
        if gone == 1 && (some == (0..1) || more == (count - 1..count)) {
            let faces = table.faces(self.first, count);
            let (place, face) = if some.is_empty() { highest(faces) } else { lowest(faces) };
            return self.drop_one(table, face, place);
        }
        self.drop_several(table, some, more);
    }

    fn drop_several(&mut self, table: &mut Dice, some: Range<usize>, more: Range<usize>) {
        let count = self.count as usize;
        let faces = table.faces(self.first, count);
        let (mut few, mut many);
        let order: &mut [(u64, u32)] = if count <= FEW {
            few = [(0, 0); FEW];
            &mut few[..count]
        } else {
            many = vec![(0, 0); count];
            &mut many
        };
        for ((key, face), place) in order.iter_mut().zip(faces).zip(0..) {
            *key = (*face, place);
        }
        part(order, [some.start, some.end, more.start]);
        for &(face, place) in order[some].iter().chain(&order[more]) {
            self.drop_one(table, face, place);
        }
    }

    #[inline]
    fn drop_one(&mut self, table: &mut Dice, face: u64, place: u32) {
        self.sum -= self.lowest + face as i64;
        table.own_fates_mut(self.first + place).dropped = true;
    }

    /// Marks the dice that pass, once for or once against.
    pub(crate) fn mark(&mut self, table: &mut Dice, passes: impl Fn(i64) -> bool, mark: i64) {
        for place in 0..self.count {
            let id = self.first + place;
            let Some(face) = table.face(id) else { continue };
            if passes(self.lowest + face as i64) && !table.own_fates(id).dropped {
                table.own_fates_mut(id).count(mark);
                self.marks += mark;
            }
        }
    }

    /// Whether any die that counts passes.
    pub(crate) fn any(&self, table: &Dice, passes: impl Fn(i64) -> bool) -> bool {
        let faces = table.faces(self.first, self.count as usize);
        (self.first..)
            .zip(faces)
            .any(|(id, face)| passes(self.lowest + *face as i64) && !table.own_fates(id).dropped)
    }

    /// Each die that fires is followed by one more at the end of the table, which may fire in turn, at most so
    /// many for each: the whole chain of one die before the next. They must be the last dice on the table.
    /// Which die came from which is noted if it is `told`.
    pub(crate) fn explode<E>(
        &mut self,
        table: &mut Dice,
        told: bool,
        fires: impl Fn(i64) -> bool,
        limit: u64,
        mut throw: impl FnMut(&mut Dice) -> Result<(), E>,
    ) -> Result<(), E> {
        for id in self.first..self.first + self.count {
            let mut last = id;
            for _ in 0..limit {
                let Some(face) = table.face(last) else { break };
                if !fires(self.lowest + face as i64) || table.own_fates(last).dropped {
                    break;
                }
                let from = std::mem::replace(&mut last, table.next());
                throw(table)?;
                if told {
                    table.own_fates_mut(from).exploded = true;
                    table.come_from(last, from);
                }
                let face = table.face(last).unwrap_or_default();
                self.sum += self.lowest + face as i64;
                self.count += 1;
                self.left += 1;
            }
        }
        Ok(())
    }
}

/// The ranks that are dropped to keep so many of all dice.
#[inline]
pub(crate) fn all_but(end: End, all: usize, kept: usize) -> (Range<usize>, Range<usize>) {
    let extra = all.saturating_sub(kept);
    let (bottom, top) = match end {
        End::Highest => (extra, 0),
        End::Lowest => (0, extra),
        End::Middle => (extra / 2, extra - extra / 2),
    };
    (0..bottom, all - top..all)
}

/// The ranks of so many of all dice, which are dropped.
#[inline]
pub(crate) fn these(end: End, all: usize, gone: usize) -> (Range<usize>, Range<usize>) {
    let gone = gone.min(all);
    let from = match end {
        End::Highest => all - gone,
        End::Lowest => 0,
        End::Middle => (all - gone) / 2,
    };
    (from..from + gone, all..all)
}

/// Whether a number compares so with another.
#[inline]
pub(crate) fn holds<T: Ord>(comparison: Comparison, number: &T, with: &T) -> bool {
    match comparison {
        Comparison::Equal => number == with,
        Comparison::NotEqual => number != with,
        Comparison::Less => number < with,
        Comparison::AtMost => number <= with,
        Comparison::Greater => number > with,
        Comparison::AtLeast => number >= with,
    }
}

/// Parts dice at these ranks, from the lowest: each part holds the dice of its ranks, in no order. Their
/// places tell equal faces apart.
fn part(order: &mut [(u64, u32)], ranks: [usize; 3]) {
    let mut from = 0;
    for rank in ranks {
        if from < rank && rank < order.len() {
            order[from..].select_nth_unstable(rank - from);
            from = rank;
        }
    }
}

/// The place and face of the die of rank 0: the first of the lowest.
#[inline]
fn lowest(faces: &[u64]) -> (u32, u64) {
    let better = |best: (u32, u64), die: (u32, u64)| if die.1 < best.1 { die } else { best };
    (0..).zip(faces.iter().copied()).reduce(better).unwrap_or_default()
}

/// The place and face of the die of the last rank: the last of the highest.
#[inline]
fn highest(faces: &[u64]) -> (u32, u64) {
    let better = |best: (u32, u64), die: (u32, u64)| if die.1 >= best.1 { die } else { best };
    (0..).zip(faces.iter().copied()).reduce(better).unwrap_or_default()
}
