//! The slow twin of every algorithm on pools: the stages acted out, over every sequence of faces.
//!
//! Dice lie in throw order; a rerolled die keeps its place, extra dice are laid at the end. Throws
//! longer than a depth are cut off, and their chance is the `rest`.

use super::*;
use crate::number::{Natural, ratio};
use std::collections::BTreeMap;

#[derive(Clone)]
struct Lying {
    die: Option<Die>,
    thrown: Rational,
    shown: Rational,
}

/// A source of faces that goes through all sequences like an odometer.
struct Odometer {
    digits: Vec<usize>,
    next: usize,
    depth: usize,
    chance: Rational,
}

/// The sequence is longer than the depth.
struct TooLong;

impl Odometer {
    fn throw(&mut self, die: &Die) -> Result<Rational, TooLong> {
        if self.next == self.depth {
            return Err(TooLong);
        }
        if self.next == self.digits.len() {
            self.digits.push(0);
        }
        let (face, weight) = &die.faces()[self.digits[self.next]];
        self.next += 1;
        self.chance *= ratio(weight.clone(), die.total().clone());
        Ok(face.clone())
    }
}

/// The chances of every table of dice, and the chance of what was cut off.
pub(crate) fn tables(pool: &Pool, depth: usize) -> (BTreeMap<Vec<TableDie>, Rational>, Rational) {
    let mut chances: BTreeMap<Vec<TableDie>, Rational> = BTreeMap::new();
    let mut rest = Rational::ZERO;
    let mut digits: Vec<usize> = Vec::new();
    loop {
        let mut odometer = Odometer { digits, next: 0, depth, chance: Rational::ONE };
        let mut seen = Vec::new();
        let run = act(pool, &mut |die| {
            let face = odometer.throw(die)?;
            seen.push(die.faces().len());
            Ok(face)
        });
        let sizes = seen;
        match run {
            Ok(dice) => {
                let mut table: Vec<TableDie> = dice
                    .into_iter()
                    .map(|d| TableDie { shown: d.shown, thrown: d.thrown })
                    .collect();
                table.sort();
                *chances.entry(table).or_default() += odometer.chance;
            }
            Err(TooLong) => rest += odometer.chance,
        }
        digits = odometer.digits;
        digits.truncate(sizes.len());
        loop {
            let Some(last) = digits.pop() else { return (chances, rest) };
            if last + 1 < sizes[digits.len()] {
                digits.push(last + 1);
                break;
            }
        }
    }
}

type Throw<'a> = &'a mut dyn FnMut(&Die) -> Result<Rational, TooLong>;

fn act(pool: &Pool, throw: Throw<'_>) -> Result<Vec<Lying>, TooLong> {
    let mut table = Vec::new();
    if pool.stages.first() == Some(&Stage::Drawn) {
        table = draw(pool, throw)?;
        for stage in &pool.stages[1..] {
            table = act_stage(stage, table, throw)?;
        }
        return Ok(table);
    }
    for (count, source) in &pool.groups {
        for _ in 0..*count {
            match source {
                Source::Die(die) => {
                    let thrown = throw(die)?;
                    table.push(Lying { die: Some(die.clone()), shown: thrown.clone(), thrown });
                }
                Source::Total(law) => {
                    let faces = law.as_table().unwrap().outcomes();
                    let die = Die::new(faces.map(|(v, w)| (v, u64::try_from(w).unwrap()))).unwrap();
                    let shown = throw(&die)?;
                    table.push(Lying { die: None, shown, thrown: Rational::ZERO });
                }
                Source::Fixed(dice, again) => {
                    for TableDie { shown, thrown } in dice.clone() {
                        table.push(Lying { die: again.clone(), shown, thrown });
                    }
                }
            }
        }
    }
    for stage in &pool.stages {
        table = act_stage(stage, table, throw)?;
    }
    Ok(table)
}

/// One die after the other, from what the bag still holds.
fn draw(pool: &Pool, throw: Throw<'_>) -> Result<Vec<Lying>, TooLong> {
    let [(count, Source::Die(bag))] = pool.groups.as_slice() else { panic!("not drawn") };
    let mut left: Vec<(Rational, Natural)> = bag.faces().to_vec();
    let mut table = Vec::new();
    for _ in 0..*count {
        let thrown = throw(&Die::bag(left.clone()).unwrap())?;
        left.iter_mut().find(|(face, _)| *face == thrown).unwrap().1 -= 1u8;
        table.push(Lying { die: None, shown: thrown.clone(), thrown });
    }
    Ok(table)
}

/// The places of the dice in the order of their turns.
fn turns(table: &[Lying], first: Order) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..table.len()).collect();
    turns.sort_by(|&a, &b| match first {
        Order::Thrown => a.cmp(&b),
        Order::Lowest => table[a].shown.cmp(&table[b].shown).then(a.cmp(&b)),
        Order::Highest => table[b].shown.cmp(&table[a].shown).then(a.cmp(&b)),
    });
    turns
}

/// A limit in all: every die has its turn and is finished before the next.
fn act_in_all(
    act: &Stage,
    most: u64,
    first: Order,
    mut table: Vec<Lying>,
    throw: Throw<'_>,
) -> Result<Vec<Lying>, TooLong> {
    let mut left = most;
    let mut extras = Vec::new();
    for place in turns(&table, first) {
        let lying = &mut table[place];
        match act {
            Stage::Reroll { when, once } => {
                let mut own = if *once { 1 } else { u64::MAX };
                while when.holds(&lying.shown) && own > 0 && left > 0 {
                    lying.thrown = throw(lying.die.as_ref().unwrap())?;
                    lying.shown = lying.thrown.clone();
                    own -= 1;
                    left -= 1;
                }
            }
            Stage::Explode { trigger, style, limit } => {
                let limit = Some(limit.unwrap_or(u64::MAX).min(left));
                let own = Stage::Explode { trigger: trigger.clone(), style: *style, limit };
                let mut thrown = 0;
                let mut counted = |die: &Die| {
                    thrown += 1;
                    throw(die)
                };
                let mut after = act_stage(&own, vec![lying.clone()], &mut counted)?;
                left -= thrown;
                extras.extend(after.drain(1..));
                *lying = after.remove(0);
            }
            _ => unreachable!(),
        }
    }
    table.extend(extras);
    Ok(table)
}

fn act_stage(
    stage: &Stage,
    mut table: Vec<Lying>,
    throw: Throw<'_>,
) -> Result<Vec<Lying>, TooLong> {
    match stage {
        Stage::InAll { act, most, first } => {
            return act_in_all(act, *most, *first, table, throw);
        }
        Stage::AtLeast(bound) => {
            table.iter_mut().for_each(|d| d.shown = d.shown.clone().max(bound.clone()))
        }
        Stage::AtMost(bound) => {
            table.iter_mut().for_each(|d| d.shown = d.shown.clone().min(bound.clone()))
        }
        Stage::Reroll { when, once } => {
            for lying in &mut table {
                let mut first = true;
                while when.holds(&lying.shown) && (first || !once) {
                    lying.thrown = throw(lying.die.as_ref().unwrap())?;
                    lying.shown = lying.thrown.clone();
                    first = false;
                }
            }
        }
        Stage::Explode { trigger, style, limit } => {
            let mut extras = Vec::new();
            for lying in &mut table {
                let die = lying.die.clone().unwrap();
                let mut fires = match trigger {
                    Trigger::Highest => die.highest() == Some(&lying.thrown),
                    Trigger::When(condition) => condition.holds(&lying.shown),
                };
                let mut left = limit.unwrap_or(u64::MAX);
                while fires && left > 0 {
                    let face = throw(&die)?;
                    left -= 1;
                    fires = match trigger {
                        Trigger::Highest => die.highest() == Some(&face),
                        Trigger::When(condition) => condition.holds(&face),
                    };
                    match style {
                        Style::Compound => lying.shown += face,
                        Style::Separate => extras.push(Lying {
                            die: Some(die.clone()),
                            shown: face.clone(),
                            thrown: face,
                        }),
                        Style::Penetrate => extras.push(Lying {
                            die: Some(die.clone()),
                            shown: &face - Rational::ONE,
                            thrown: face,
                        }),
                    }
                }
            }
            table.extend(extras);
        }
        Stage::Drawn => unreachable!("is the first stage"),
        Stage::Unique => {
            for place in 0..table.len() {
                while table[..place].iter().any(|earlier| earlier.shown == table[place].shown) {
                    let face = throw(table[place].die.as_ref().unwrap())?;
                    table[place].thrown = face.clone();
                    table[place].shown = face;
                }
            }
        }
        Stage::Keep(end, count) | Stage::Drop(end, count) => {
            let mut order: Vec<usize> = (0..table.len()).collect();
            order.sort_by_key(|&place| (table[place].shown.clone(), place));
            let size = table.len();
            let count = usize::try_from(*count).unwrap_or(usize::MAX).min(size);
            let start = match end {
                End::Lowest => 0,
                End::Highest => size - count,
                End::Middle => (size - count) / 2,
            };
            let chosen = &order[start..start + count];
            let keep = matches!(stage, Stage::Keep(..));
            let mut place = 0;
            table.retain(|_| {
                place += 1;
                chosen.contains(&(place - 1)) == keep
            });
        }
    }
    Ok(table)
}

/// The reading of one table.
pub(crate) fn read_table(table: &[TableDie], reading: &Reading) -> Option<Rational> {
    let mut shown: Vec<&Rational> = table.iter().map(|die| &die.shown).collect();
    shown.sort();
    let size = shown.len();
    let at = |place: usize| shown.get(place).map(|value| (*value).clone());
    match reading {
        Reading::Sum => Some(shown.iter().fold(Rational::ZERO, |sum, value| sum + *value)),
        Reading::Marks(marks) => Some(shown.iter().fold(Rational::ZERO, |sum, value| {
            sum + marks
                .iter()
                .filter(|(when, _)| when.holds(value))
                .fold(Rational::ZERO, |sum, (_, mark)| sum + crate::number::whole((*mark).into()))
        })),
        Reading::NthHighest(nth) => at(size.checked_sub(*nth as usize)?),
        Reading::NthLowest(nth) => at((*nth as usize).checked_sub(1)?),
        Reading::Median => {
            Some((at(size.checked_sub(1)? / 2)? + at(size / 2)?) / Rational::from(2))
        }
    }
}
