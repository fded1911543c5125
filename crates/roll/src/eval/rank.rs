//! Dropping dice by their rank.
//!
//! Dice that nothing was done to yet are ranked as they lie on the table; others are listed first.

use std::ops::Range;

use super::Interpreter;
use super::datum::{Pool, PoolDice, PoolDie};

impl Interpreter<'_> {
    /// Drops the dice of these ranks and of those, which lie above them.
    pub(super) fn drop_ranks(
        &mut self,
        pool: &mut Pool,
        (some, more): (Range<usize>, Range<usize>),
    ) {
        if some.is_empty() && more.is_empty() {
            return;
        }
        match &mut pool.dice {
            PoolDice::Thrown(thrown) if thrown.are_all_left() && !pool.marked => {
                thrown.lying.drop_ranks(self.recorder.dice_mut(), (some, more));
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

#[cfg(test)]
mod tests {
    use super::super::datum::Thrown;
    use super::*;
    use crate::dice::Dice;
    use crate::faces::{DieFaces, Faces, Seeded};
    use crate::lying::Lying;
    use crate::recorder::StepId;

    /// A pool of dice that were just thrown.
    fn pool(table: &mut Dice, source: &mut Seeded, count: u32) -> Pool {
        let (kind, first) = (DieFaces::sides(4), table.next());
        let faces = table.thrown(&kind, count as usize);
        source.throw_all(&kind, faces).expect("a seed has all faces");
        let lying = Lying::of(&kind, first, faces).expect("few dice");
        let thrown = Thrown { kind, lying };
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
                thrown(&mut pool).lying.drop_ranks(&mut table, (0..bottom, all - top..all));
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
