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
    // The places tell equal faces apart.
    order.sort_unstable();
    for &(face, place) in order[some].iter().chain(&order[more]) {
        drop_one(thrown, table, face, place);
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
