//! Dropping dice by their rank, and marking them.
//!
//! `4d6kh3` drops the die of rank 0 from the lowest, equal dice ranked as thrown. Dice that nothing was
//! done to yet are ranked by their faces as they lie on the table, and what is dropped or marked is noted
//! there: no list of the pool is made for it.

use std::ops::Range;

use crate::dice::Dice;

use super::Interpreter;
use super::datum::{Pool, PoolDice, PoolDie, Thrown};
use super::suffix::Test;

/// So many dice are ranked without memory of their own.
const FEW: usize = 16;

impl Interpreter<'_> {
    /// Drops the dice of these ranks and of those, which lie above them.
    pub(super) fn drop_ranks(&mut self, pool: &mut Pool, some: Range<usize>, more: Range<usize>) {
        if some.is_empty() && more.is_empty() {
            return;
        }
        match &mut pool.dice {
            PoolDice::Thrown(thrown) if thrown.left == thrown.count && !pool.marked => {
                drop_thrown(thrown, self.recorder.dice_mut(), some, more);
            }
            dice => {
                let dice = dice.each(self.recorder.dice());
                let gone = gone(dice, some, more);
                let mut index = 0;
                dice.retain(|die| {
                    index += 1;
                    if gone[index - 1] {
                        self.recorder.drops(pool.step, die.place, die.behind);
                    }
                    !gone[index - 1]
                });
            }
        }
    }
}

/// Which dice have these ranks or those.
fn gone(dice: &[PoolDie], some: Range<usize>, more: Range<usize>) -> Vec<bool> {
    let mut order: Vec<u32> = (0..dice.len() as u32).collect();
    order.sort_by(|&a, &b| dice[a as usize].shows.cmp(&dice[b as usize].shows));
    let mut gone = vec![false; dice.len()];
    for place in order[some].iter().chain(&order[more]) {
        gone[*place as usize] = true;
    }
    gone
}

fn drop_thrown(thrown: &mut Thrown, table: &mut Dice, some: Range<usize>, more: Range<usize>) {
    let count = thrown.count as usize;
    let gone = some.len() + more.len();
    thrown.left -= gone as u32;
    if gone == 1 && (some == (0..1) || more == (count - 1..count)) {
        let end = if some.is_empty() { highest } else { lowest };
        let (place, face) = end(table.faces(thrown.first, count));
        return drop_one(thrown, table, face, place);
    }
    let faces = table.faces(thrown.first, count);
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
        drop_one(thrown, table, face, place);
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

fn drop_one(thrown: &mut Thrown, table: &mut Dice, face: u64, place: u32) {
    thrown.sum -= thrown.lowest() + face as i64;
    table.own_fates_mut(thrown.first + place).dropped = true;
}

/// The place and face of the die of rank 0: the first of the lowest.
fn lowest(faces: &[u64]) -> (u32, u64) {
    let better = |best: (u32, u64), die: (u32, u64)| if die.1 < best.1 { die } else { best };
    (0..).zip(faces.iter().copied()).reduce(better).unwrap_or_default()
}

/// The place and face of the die of the last rank: the last of the highest.
fn highest(faces: &[u64]) -> (u32, u64) {
    let better = |best: (u32, u64), die: (u32, u64)| if die.1 >= best.1 { die } else { best };
    (0..).zip(faces.iter().copied()).reduce(better).unwrap_or_default()
}

/// Marks the dice that pass the test, once for or once against.
pub(super) fn mark_thrown(thrown: &mut Thrown, table: &mut Dice, test: &Test, mark: i64) {
    let lowest = thrown.lowest();
    for id in thrown.first..thrown.first + thrown.count {
        let Some(face) = table.face(id) else { continue };
        if test.holds(&(lowest + face as i64).into()) && !table.own_fates(id).dropped {
            table.own_fates_mut(id).count(mark);
            thrown.marks += mark;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::{DieFaces, Faces, Seeded};
    use crate::recorder::StepId;

    /// A pool of dice that were just thrown.
    fn pool(table: &mut Dice, source: &mut Seeded, count: u32) -> Pool {
        let (kind, first) = (DieFaces::sides(4), table.next());
        let faces = table.thrown(&kind, count as usize);
        source.throw_all(&kind, faces).expect("a seed has all faces");
        let sum = faces.iter().map(|face| *face as i64 + 1).sum();
        let thrown = Thrown { kind, first, count, left: count, sum, marks: 0 };
        Pool::of(PoolDice::Thrown(thrown), StepId::NOWHERE)
    }

    fn thrown(pool: &mut Pool) -> &mut Thrown {
        match &mut pool.dice {
            PoolDice::Thrown(thrown) => thrown,
            PoolDice::Each(_) => panic!("they were just thrown"),
        }
    }

    #[test]
    fn dice_on_the_table_are_dropped_as_listed_ones_are() {
        let (mut table, mut source) = (Dice::default(), Seeded::new(1, 0));
        for count in [1, 2, 3, 5, 16, 17, 40] {
            let all = count as usize;
            for (bottom, top) in [(1, 0), (0, 1), (1, 1), (2, 0), (all / 2, all / 3)] {
                if bottom + top > all {
                    continue;
                }
                let mut pool = pool(&mut table, &mut source, count);
                let listed = pool.dice.list(&table).into_owned();
                let gone = gone(&listed, 0..bottom, all - top..all);
                drop_thrown(thrown(&mut pool), &mut table, 0..bottom, all - top..all);
                let stay = listed.iter().zip(&gone).filter(|(_, gone)| !**gone);
                let stay: Vec<_> = stay.map(|(die, _)| (die.place, die.shows.clone())).collect();
                let left = pool.dice.list(&table);
                let left: Vec<_> = left.iter().map(|die| (die.place, die.shows.clone())).collect();
                assert_eq!(left, stay, "{count} dice without {bottom} and {top}");
                assert_eq!(pool.dice.len(), left.len());
                let summed = pool.dice.sum();
                pool.dice.each(&table);
                assert_eq!(summed, pool.dice.sum());
            }
        }
    }
}
