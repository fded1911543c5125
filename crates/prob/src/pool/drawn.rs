//! Dice drawn from a bag, without putting them back.
//!
//! A face of which `m` lie in the bag is among `n` drawn `c` times in `C(m, c)` ways, out of the `C(N, n)`
//! ways to draw `n` of all `N`; in which order does not matter. So the sum of what is drawn is a
//! coefficient of a product,
//!
//! ```text
//! [yⁿ] Π_f (1 + y·x^f)^{m_f}
//! ```
//!
//! and a keep or drop only leaves out ranks, which follow from how many dice came before. Four aces among
//! thirteen cards: `C(4, 4)·C(48, 9)` of `C(52, 13)` hands. Fair dice that must all differ are the same, one
//! of each face.
//!
//! What dice show is known once they are drawn: clamping them is clamping the faces in the bag.

use super::dice::bytes_of_table;
use super::marks::Worth;
use super::order::{Ranked, Ranks, binomials};
use super::piece::{Setup, telling};
use super::plain::{Counted, ranks_of};
use super::ranks::at_ranks_drawn;
use super::{Die, Pool, PoolError, Reading, Source, Stage, TableDie};
use crate::distribution::Distribution;
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use crate::words::{self, Word};
use dashu_base::BitTest;

/// Dice that are drawn.
pub(crate) struct Draw {
    /// How many.
    pub(crate) count: u64,
    /// The faces, each with how many of it lie in the bag.
    pub(crate) bag: Die,
    /// Which of the drawn dice count.
    pub(crate) ranks: Ranks,
}

impl Draw {
    /// A pool that is drawn, or as good as drawn; none if it is thrown.
    pub(crate) fn of(pool: &Pool) -> Result<Option<Draw>, PoolError> {
        if let [Stage::Unique, later @ ..] = pool.stages.as_slice() {
            return Ok(Draw::of_different(pool, later));
        }
        if !pool.stages.contains(&Stage::Drawn) {
            return Ok(None);
        }
        let stages = telling(&pool.stages);
        let ([(count, Source::Die(die))], [Stage::Drawn, later @ ..]) =
            (pool.groups.as_slice(), &*stages)
        else {
            return Err(PoolError::CannotThrow);
        };
        if Natural::from(*count) > *die.total() {
            return Err(PoolError::EmptyBag);
        }
        // Nobody counts more copies than a word of any machine can.
        u32::try_from(die.total()).map_err(|_| OverBudget::Steps)?;
        Draw::after(*count, die, later).ok_or(PoolError::CannotThrow).map(Some)
    }

    /// Equal fair dice that must all differ are one of each face, drawn; none if that cannot be, or if dice are
    /// thrown later on.
    fn of_different(pool: &Pool, later: &[Stage]) -> Option<Draw> {
        let [(count, Source::Die(die))] = pool.groups.as_slice() else { return None };
        let fair = match die.plain() {
            Some(faces) => faces.iter().all(|(_, weight)| *weight == 1),
            None => die.faces().iter().all(|(_, weight)| weight.is_one()),
        };
        let enough = Natural::from(*count) <= *die.total();
        if fair && enough { Draw::after(*count, die, later) } else { None }
    }

    /// Drawn dice after some stages; none if one of them throws.
    fn after(count: u64, bag: &Die, later: &[Stage]) -> Option<Draw> {
        let mut draw = Draw { count, bag: bag.clone(), ranks: Ranks::all(count) };
        for stage in later {
            match stage {
                Stage::Keep(..) | Stage::Drop(..) => draw.ranks = draw.ranks.after(stage),
                Stage::AtLeast(bound) => draw.bag = clamped(&draw.bag, |face| face.max(bound))?,
                Stage::AtMost(bound) => draw.bag = clamped(&draw.bag, |face| face.min(bound))?,
                Stage::Reroll { .. }
                | Stage::Explode { .. }
                | Stage::InAll { .. }
                | Stage::Unique
                | Stage::Drawn => return None,
            }
        }
        Some(draw)
    }

    /// The law of a number read off the dice.
    pub(crate) fn read(&self, reading: &Reading, meter: &Meter) -> Result<Law, PoolError> {
        let Some((ranks, share)) = ranks_of(reading, &self.ranks) else {
            return Err(PoolError::TooFewDice);
        };
        let law = ranks_of_drawn(&self.ranked(reading, meter)?, &ranks, meter)?;
        match share {
            Some(share) => Ok(law.affine(&share, &Rational::ZERO, meter)?),
            None => Ok(law),
        }
    }

    /// The faces in order, with what each is worth.
    fn ranked(&self, reading: &Reading, meter: &Meter) -> Result<Ranked, PoolError> {
        if let (Some(faces), Some(counted)) = (self.bag.plain(), Counted::of(reading)) {
            let dice = [(self.count, faces.to_vec())];
            return Ok(Ranked::plain(&dice, |shown| counted.worth(shown), meter)?);
        }
        let groups = vec![(self.count, Source::Die(self.bag.clone()))];
        let setup = Setup::of(&Pool { groups, stages: Vec::new() }, meter)?;
        let added = match reading {
            Reading::Marks(_) => reading,
            // What single dice show is a sum of one.
            _ => &Reading::Sum,
        };
        let mut ranked = Ranked::of(&setup, &Worth::of(added, &setup, &[]), meter)?;
        let copies = self.bag.faces().iter().map(|(_, copies)| copies.clone());
        if let [group] = ranked.groups.as_mut_slice() {
            group.weights = copies.collect();
        }
        Ok(ranked)
    }

    /// The distribution of the dice on the table, each table in ascending order.
    pub(crate) fn tables(&self, meter: &Meter) -> Result<Distribution<Vec<TableDie>>, PoolError> {
        let size = usize::try_from(self.count).map_err(|_| OverBudget::Steps)?;
        meter.charge_product(size, self.bag.faces().len(), 0)?;
        let mut tables: Vec<(Vec<TableDie>, Natural)> = vec![(Vec::new(), Natural::ONE)];
        let mut to_come = self.bag.total().clone();
        let mut rent = meter.rent();
        for (face, copies) in self.bag.faces() {
            to_come -= copies;
            let copies = u64::try_from(copies).unwrap_or(u64::MAX);
            let ways: Vec<Natural> = binomials(copies, size + 1).collect();
            let die = TableDie { shown: face.clone(), thrown: face.clone() };
            let before = tables.len();
            let mut next: Vec<(Vec<TableDie>, Natural)> = Vec::new();
            for (table, weight) in tables {
                let most = (size - table.len()).min(ways.len() - 1);
                meter.charge_product(most + 1, 40 + 4 * size, weight.bit_len() / 4)?;
                let each = bytes_of_table(size) + weight.bit_len() as u64 / 8;
                rent.grow((before + next.capacity()) as u64 * each, meter)?;
                for (count, ways) in ways.iter().enumerate().take(most + 1) {
                    if Natural::from(size - table.len() - count) > to_come {
                        continue;
                    }
                    let mut longer = table.clone();
                    longer.extend(std::iter::repeat_n(die.clone(), count));
                    next.push((longer, &weight * ways));
                }
            }
            tables = next;
        }
        meter.charge_product(tables.len(), 8 + size, 0)?;
        let kept = tables.into_iter().map(|(table, weight)| {
            let counts = |rank: &usize| self.ranks.within(*rank as u64, *rank as u64 + 1) == 1;
            let ranks = (0..table.len()).filter(counts);
            (ranks.map(|rank| table[rank].clone()).collect(), weight)
        });
        Distribution::from_weights(kept).ok_or(PoolError::TooFewDice)
    }
}

fn clamped<'a>(bag: &'a Die, shows: impl Fn(&'a Rational) -> &'a Rational) -> Option<Die> {
    Die::bag(bag.faces().iter().map(|(face, copies)| (shows(face).clone(), copies.clone())))
}

/// The law of the summed worth of some ranks of dice that are drawn; the weights are how many of each face
/// lie in the bag.
pub(crate) fn ranks_of_drawn(
    ranked: &Ranked,
    ranks: &Ranks,
    meter: &Meter,
) -> Result<Law, PoolError> {
    if ranks.count() == 0 {
        return Ok(Law::constant(Rational::ZERO));
    }
    match in_words(ranked, ranks, meter)? {
        Some(law) => Ok(law),
        None => at_ranks_drawn(ranked, ranks, meter),
    }
}

/// The same where the hands can be counted in a machine word.
fn in_words(ranked: &Ranked, ranks: &Ranks, meter: &Meter) -> Result<Option<Law>, PoolError> {
    let sized = |number: u64| usize::try_from(number).map_err(|_| OverBudget::Steps);
    let [group] = ranked.groups.as_slice() else { return Ok(None) };
    let count = sized(group.count)?;
    meter.charge_product(count, 2, 0)?;
    let copies = group.weights.iter().map(|copies| u64::try_from(copies).ok());
    let Some(mut copies) = copies.collect::<Option<Vec<u64>>>() else { return Ok(None) };
    let Some(all) = copies.iter().try_fold(0u64, |all, copies| all.checked_add(*copies)) else {
        return Ok(None);
    };
    if group.count > all {
        return Ok(None);
    }
    let hands = words::binomials(all, count.min((all - group.count) as usize) + 1);
    let hands = hands.and_then(|ways| ways.last().copied());
    let places = (number::to_i64(&ranked.lowest), number::to_i64(&ranked.step));
    let (Some(hands), (Some(lowest), Some(step))) = (hands, places) else { return Ok(None) };
    let kept = sized(ranks.count())?;
    let mut worths = ranked.worths.clone();
    let mut counts: Vec<bool> =
        (0..group.count).map(|rank| ranks.within(rank, rank + 1) == 1).collect();
    // Dice behind the last that counts need no sums: the end from which this comes sooner is the better one.
    let first = counts.iter().position(|counts| *counts).unwrap_or(0);
    let last = counts.iter().rposition(|counts| *counts).unwrap_or(0);
    if count - 1 - first < last {
        worths.reverse();
        copies.reverse();
        counts.reverse();
    }
    let span = worths.iter().max().copied().unwrap_or(0);
    let longest = kept.saturating_mul(span);
    let seen = counts.iter().rposition(|counts| *counts).unwrap_or(0) + 1;
    let ways = copies.iter().map(|copies| usize::try_from(*copies).unwrap_or(count).min(count));
    let ways = ways.fold(0, usize::saturating_add).saturating_mul(seen);
    meter.charge_product(ways, longest.saturating_add(8) / 8, 0)?;
    let faces = Faces { worths: &worths, copies: &copies, counts: &counts };
    let offset = lowest.checked_mul(kept as i64);
    let Some(offset) = offset else { return Ok(None) };
    let table = if u64::try_from(hands).is_ok() {
        faces.sums::<u64>().and_then(|sums| Table::of_words(offset, step, sums))
    } else {
        faces.sums::<u128>().and_then(|sums| Table::of_words(offset, step, sums))
    };
    Ok(table.map(Law::Finite))
}

/// What is drawn, from one end of the faces to the other.
struct Faces<'a> {
    worths: &'a [usize],
    copies: &'a [u64],
    /// For each rank, counted from this end, whether it counts.
    counts: &'a [bool],
}

impl Faces<'_> {
    /// The hands by the sum of the ranks that count. Going through the faces, sums are kept for each number of
    /// dice so far, until all that count have come; the others come in so many ways. No number is larger than
    /// that of all hands, because every hand so far is the beginning of one that is counted.
    fn sums<W: Word>(&self) -> Option<Vec<W>> {
        let count = self.counts.len();
        let before: Vec<usize> = std::iter::once(0)
            .chain(self.counts.iter().scan(0, |sum, counts| {
                *sum += usize::from(*counts);
                Some(*sum)
            }))
            .collect();
        let seen = self.counts.iter().rposition(|counts| *counts)? + 1;
        let mut by_size: Vec<Vec<W>> = vec![Vec::new(); seen];
        by_size[0].push(W::ONE);
        let mut done: Vec<W> = Vec::new();
        let mut to_come: u64 = self.copies.iter().sum();
        for (worth, copies) in self.worths.iter().zip(self.copies) {
            to_come -= copies;
            let ways = words::binomials(*copies, count.min(*copies as usize) + 1)?;
            let rest = words::binomials(to_come, count - seen + 1)?;
            for size in (0..seen).rev() {
                let (from, longer) = by_size[size..].split_first_mut()?;
                if from.is_empty() {
                    continue;
                }
                for (drawn, ways) in ways.iter().enumerate().skip(1).take(count - size) {
                    let reached = size + drawn;
                    if (count - reached) as u64 > to_come {
                        continue;
                    }
                    let shift = worth * (before[reached.min(seen)] - before[size]);
                    if reached < seen {
                        add(&mut longer[drawn - 1], from, shift, W::of(*ways));
                    } else {
                        let rest = rest.get(count - reached).copied().unwrap_or(0);
                        add(&mut done, from, shift, W::of(*ways).times(W::of(rest)));
                    }
                }
                if (count - size) as u64 > to_come {
                    from.clear();
                }
            }
        }
        Some(done)
    }
}

/// Adds a row, so many places on and so many times.
fn add<W: Word>(to: &mut Vec<W>, from: &[W], shift: usize, times: W) {
    if to.len() < from.len() + shift {
        to.resize(from.len() + shift, W::ZERO);
    }
    let sums = to[shift..].iter_mut().zip(from);
    if times == W::ONE {
        sums.for_each(|(sum, ways)| *sum = sum.plus(*ways));
    } else {
        sums.for_each(|(sum, ways)| *sum = sum.plus(ways.times(times)));
    }
}
