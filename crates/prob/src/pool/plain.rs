//! Everyday pools in machine words.
//!
//! The dice of `10d10 ro<=7 ! up to 9 cs>=8` show small whole numbers with small weights, and so do nearly
//! all dice that anybody throws. Such a pool is laid out as faces and weights in machine words: stages that
//! act on one die change that list, and only the last step, many dice together, may need long numbers. The
//! general way ([`read`](super::read)) does the same with fractions and generating functionals; it is asked
//! whenever something here does not fit, is endless, or would be refused.

mod grown;
mod stages;

use super::few::{self, Words};
use super::keep::keep_many;
use super::middle::middle;
use super::nested;
use super::order::{Ranked, Ranks, at_rank};
use super::piece::{head_and_tail, telling};
use super::{End, Pool, PoolError, Reading, Source, Stage};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use crate::ways;

use grown::one_grown;
use stages::after_all;

/// What one die shows, with weights, in ascending order.
pub(crate) type Faces = Vec<(i64, u64)>;

/// A condition on a whole number.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    op: number::Comparison,
    value: i64,
}

impl Limit {
    pub(crate) fn of(condition: &super::Condition) -> Option<Limit> {
        Some(Limit { op: condition.op, value: number::to_i64(&condition.value)? })
    }

    pub(crate) fn holds(self, value: i64) -> bool {
        self.op.holds(&value, &self.value)
    }
}

/// What a die is worth to a reading.
pub(crate) enum Counted {
    /// What it shows.
    Shown,
    /// The marks whose conditions it fulfils.
    Marks(Vec<(Limit, i64)>),
}

impl Counted {
    pub(crate) fn of(reading: &Reading) -> Option<Counted> {
        let Reading::Marks(marks) = reading else { return Some(Counted::Shown) };
        let mark = |(when, mark): &(super::Condition, i8)| Some((Limit::of(when)?, (*mark).into()));
        marks.iter().map(mark).collect::<Option<Vec<_>>>().map(Counted::Marks)
    }

    pub(crate) fn worth(&self, shown: i64) -> i64 {
        match self {
            Counted::Shown => shown,
            Counted::Marks(marks) => {
                marks.iter().filter(|(when, _)| when.holds(shown)).map(|(_, mark)| mark).sum()
            }
        }
    }
}

/// The law of a reading; `None` if the pool is not that simple.
pub(crate) fn read_plain(
    pool: &Pool,
    reading: &Reading,
    meter: &Meter,
) -> Result<Option<Law>, PoolError> {
    let Some(counted) = Counted::of(reading) else { return Ok(None) };
    let stages = telling(&pool.stages);
    let (head, tail) = head_and_tail(&stages);
    if !tail.iter().all(|stage| matches!(stage, Stage::Keep(..) | Stage::Drop(..))) {
        return Ok(None);
    }
    if let Some((Stage::Explode { style, .. }, before)) = head.split_last()
        && *style != super::Style::Compound
    {
        let additive = matches!(reading, Reading::Sum | Reading::Marks(_));
        if !additive || !tail.is_empty() {
            return Ok(None);
        }
        return grown_sum(pool, before, &head[before.len()], &counted, meter);
    }
    // Equal dice that nothing is done to need not be laid out.
    if let ([], [(count, Source::Die(die))]) = (stages.as_ref(), pool.groups.as_slice())
        && matches!(reading, Reading::Sum | Reading::Marks(_))
        && let (1.., Some(faces)) = (*count, die.plain())
    {
        meter.charge(faces.len() as u64)?;
        let Some(table) = table_of(faces, &counted) else { return Ok(None) };
        return Ok(Some(Law::Finite(table).times(*count, meter)?));
    }
    let Some(groups) = settled(pool, head, meter)? else { return Ok(None) };
    let count = groups.iter().fold(0u64, |sum, (count, _)| sum.saturating_add(*count));
    let ranks = tail.iter().fold(Ranks::all(count), |ranks, stage| ranks.after(stage));
    let Some((ranks, share)) = ranks_of(reading, &ranks) else { return Ok(None) };
    let law = if ranks.count() == count && count > 0 {
        added_up(&groups, &counted, meter)?
    } else if ranks.count() == 0 {
        Some(Law::constant(Rational::ZERO))
    } else {
        chosen(&groups, &ranks, &counted, meter)?
    };
    match (law, share) {
        (Some(law), Some(share)) => Ok(Some(law.affine(&share, &Rational::ZERO, meter)?)),
        (law, _) => Ok(law),
    }
}

/// So many dice side by side in the middle are better counted on the way down than one by one.
const MANY: usize = 8;

/// The ranks that a reading adds up, and by what their sum is multiplied; `None` where there is no such die.
pub(crate) fn ranks_of(reading: &Reading, ranks: &Ranks) -> Option<(Ranks, Option<Rational>)> {
    let size = ranks.count();
    match reading {
        Reading::Sum | Reading::Marks(_) => Some((ranks.clone(), None)),
        Reading::NthHighest(nth) | Reading::NthLowest(nth) if *nth == 0 || *nth > size => None,
        Reading::NthHighest(nth) => Some((ranks.positions(size - nth, size - nth + 1), None)),
        Reading::NthLowest(nth) => Some((ranks.positions(nth - 1, *nth), None)),
        Reading::Median if size == 0 => None,
        Reading::Median => {
            let middle = ranks.positions((size - 1) / 2, size / 2 + 1);
            let share = number::ratio(1, Natural::from(middle.count()));
            Some((middle, (!share.is_one()).then_some(share)))
        }
    }
}

/// Each group of dice with what one of them shows after stages that act on it alone.
pub(crate) fn settled(
    pool: &Pool,
    head: &[Stage],
    meter: &Meter,
) -> Result<Option<Vec<(u64, Faces)>>, PoolError> {
    let mut groups: Vec<(u64, Faces)> = Vec::with_capacity(pool.groups.len());
    for (count, source) in pool.groups.iter().filter(|(count, _)| *count > 0) {
        let faces = match source {
            Source::Die(die) => match die.plain() {
                Some(faces) => after_all(faces, head, meter)?,
                None => None,
            },
            Source::Total(Law::Finite(table)) if head.is_empty() => faces_of(table, meter)?,
            Source::Total(_) | Source::Fixed(..) => None,
        };
        let Some(faces) = faces else { return Ok(None) };
        // Dice that are not thrown again have no order: equal ones are one group.
        match groups.iter_mut().find(|(_, known)| *known == faces) {
            Some((sum, _)) => *sum = sum.saturating_add(*count),
            None => groups.push((*count, faces)),
        }
    }
    Ok(Some(groups))
}

fn faces_of(table: &Table, meter: &Meter) -> Result<Option<Faces>, PoolError> {
    let Some(small) = table.words() else { return Ok(None) };
    meter.charge(small.weights.len() as u64)?;
    let taken = small.weights.iter().enumerate().filter(|(_, weight)| **weight > 0);
    let face = |(k, weight): (usize, &u64)| (small.offset + small.step * k as i64, *weight);
    Ok(Some(taken.map(face).collect()))
}

/// The table of what one die is worth; `None` if it is too wide to be kept place by place.
fn table_of(faces: &[(i64, u64)], counted: &Counted) -> Option<Table> {
    let worths = || faces.iter().map(|(shown, _)| counted.worth(*shown));
    let (least, most) = (worths().min()?, worths().max()?);
    let size = usize::try_from(most - least).ok().filter(|size| *size <= 16 * faces.len() + 64)?;
    let mut weights = vec![0u64; size + 1];
    for (shown, weight) in faces {
        let place = usize::try_from(counted.worth(*shown) - least).ok()?;
        weights[place] = weights[place].checked_add(*weight)?;
    }
    Table::of_words(least, 1, weights)
}

/// The sum of what all dice are worth.
fn added_up(
    groups: &[(u64, Faces)],
    counted: &Counted,
    meter: &Meter,
) -> Result<Option<Law>, PoolError> {
    let mut sum: Option<Law> = None;
    for (count, faces) in groups {
        let Some(table) = table_of(faces, counted) else { return Ok(None) };
        let all = Law::Finite(table).times(*count, meter)?;
        sum = Some(match sum {
            None => all,
            Some(sum) => sum.sum(&all, meter)?,
        });
    }
    Ok(sum)
}

/// The sum of what the dice at some ranks are worth.
fn chosen(
    groups: &[(u64, Faces)],
    ranks: &Ranks,
    counted: &Counted,
    meter: &Meter,
) -> Result<Option<Law>, PoolError> {
    let worth = |shown| counted.worth(shown);
    let shown = matches!(counted, Counted::Shown);
    let total = groups.iter().fold(0u64, |sum, (count, _)| sum.saturating_add(*count));
    if let (Some(rank), true, [(count, faces)]) = (ranks.single(), shown, groups)
        && let Some(law) =
            meter.by(ways::FEW_THROWS, || few::at_rank(*count, faces, rank, meter))?
    {
        return Ok(Some(law));
    }
    let size = usize::try_from(ranks.count()).unwrap_or(usize::MAX);
    if let Some(end) = ranks.end(total).filter(|_| meter.may(ways::FEW_THROWS))
        && let Some(words) = Words::plain(groups, worth, end == End::Highest)
        && let Some(law) = meter.by(ways::FEW_THROWS, || words.kept(size, meter))?
    {
        return Ok(Some(law));
    }
    let ranked = Ranked::plain(groups, worth, meter)?;
    let size = usize::try_from(ranks.count()).map_err(|_| OverBudget::Steps)?;
    let one_kind = ranked.groups.len() == 1;
    let may = meter.may(ways::MIDDLE);
    let nested = |range| meter.by(ways::NESTED, || nested::at_range(&ranked, range, meter));
    Ok(Some(match (ranks.single(), ranks.end(total), ranks.range()) {
        (Some(rank), ..) if shown => at_rank(ranked, rank, meter)?,
        (_, Some(End::Highest), _) => keep_many(&ranked, size, meter)?,
        (_, Some(_), Some(range)) if !one_kind => match nested(range)? {
            Some(law) => law,
            None => keep_many(&ranked.reversed(), size, meter)?,
        },
        (_, Some(_), _) => keep_many(&ranked.reversed(), size, meter)?,
        (_, None, Some(range)) if !one_kind || size >= MANY => match nested(range)? {
            Some(law) => law,
            None if one_kind && may => middle(&ranked, range, meter)?,
            None => return Ok(None),
        },
        (_, None, Some(range)) if may => middle(&ranked, range, meter)?,
        (_, None, Some(_)) => return Ok(None),
        (_, None, None) => return Ok(None),
    }))
}

/// The sum of what dice are worth that add dice.
fn grown_sum(
    pool: &Pool,
    before: &[Stage],
    explode: &Stage,
    counted: &Counted,
    meter: &Meter,
) -> Result<Option<Law>, PoolError> {
    let mut sum: Option<Law> = None;
    for (count, source) in pool.groups.iter().filter(|(count, _)| *count > 0) {
        let Source::Die(die) = source else { return Ok(None) };
        let Some(faces) = die.plain() else { return Ok(None) };
        let worth = |shown: i64| counted.worth(shown);
        let Some(each) = one_grown(faces, before, explode, worth, meter)? else {
            return Ok(None);
        };
        let all = Law::Finite(each).times(*count, meter)?;
        sum = Some(match sum {
            None => all,
            Some(sum) => sum.sum(&all, meter)?,
        });
    }
    Ok(sum)
}
