//! Dice on the table, what suffixes do to them, and what is read off them.
//!
//! `3d6 ! kh2`: three dice are thrown; each that shows a six adds a die behind all others, again and again,
//! before the next has its turn; then the two highest count. Dice that do not count stay on the table, and no
//! later suffix sees them.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal::{Number, Value};
use astragal_program::core::{Comparison, Condition, End, ExplodeStyle, Order, Suffix, SuffixKind};
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_value::OpError;

use super::run::{Run, Stop, Thing, fails};

/// The faces of a die, or what is left in a bag, each as often as its weight says.
#[derive(Clone, Debug, Default)]
pub(super) struct Bag(Vec<(Value, u64)>);

impl Bag {
    pub(super) fn numbered(from: i64, to: i64) -> Bag {
        Bag((from..=to).map(|face| (Value::whole(face), 1)).collect())
    }

    pub(super) fn put(&mut self, face: Value, copies: u64) {
        self.0.push((face, copies));
    }

    pub(super) fn weights(&self) -> Vec<u64> {
        self.0.iter().map(|(_, copies)| *copies).collect()
    }

    pub(super) fn face(&self, index: usize) -> &Value {
        &self.0[index].0
    }

    pub(super) fn take_out(&mut self, index: usize) {
        self.0[index].1 -= 1;
        self.0.retain(|(_, copies)| *copies > 0);
    }

    /// Takes out one of the faces that are equal to this one.
    pub(super) fn remove(&mut self, face: &Value) -> Result<(), FaultKind> {
        match self.0.iter().position(|(known, _)| known == face) {
            Some(index) => {
                self.take_out(index);
                Ok(())
            }
            None => Err(FaultKind::NotInBag(face.clone())),
        }
    }

    /// Whether so many can be drawn.
    pub(super) fn holds(&self, wanted: u64) -> Result<(), FaultKind> {
        let held = self.weights().iter().sum();
        if wanted > held { Err(FaultKind::EmptyBag(wanted, held)) } else { Ok(()) }
    }

    fn numbers(&self) -> impl Iterator<Item = &Number> {
        self.0.iter().map(|(face, _)| face.as_number().expect("the faces of a pool are numbers"))
    }
}

/// One die on the table.
#[derive(Clone, Debug)]
struct Die {
    /// What it can show; nothing for a total.
    faces: Option<Arc<Bag>>,
    /// The face as it fell, and what it counts as.
    fell: Number,
    shows: Number,
    counts: bool,
    /// The marks for it minus the marks against it.
    marks: i64,
}

/// Dice in the order in which they were thrown.
#[derive(Clone, Debug, Default)]
pub(super) struct Dice {
    dice: Vec<Die>,
    marked: bool,
}

impl Dice {
    pub(super) fn add(&mut self, faces: &Arc<Bag>, index: usize) {
        let fell = faces.numbers().nth(index).expect("a face of the die").clone();
        let shows = fell.clone();
        let faces = Some(Arc::clone(faces));
        self.dice.push(Die { faces, fell, shows, counts: true, marks: 0 });
    }

    /// Numbers that count as dice.
    pub(super) fn totals(numbers: Vec<Number>) -> Dice {
        let die = |number: Number| Die {
            faces: None,
            fell: number.clone(),
            shows: number,
            counts: true,
            marks: 0,
        };
        Dice { dice: numbers.into_iter().map(die).collect(), marked: false }
    }

    /// All dice of several pools.
    pub(super) fn together(pools: Vec<Dice>) -> Dice {
        let marked = pools.iter().any(|pool| pool.marked);
        Dice { dice: pools.into_iter().flat_map(|pool| pool.dice).collect(), marked }
    }

    /// The places of the dice that count, as thrown.
    fn counting(&self) -> Vec<usize> {
        (0..self.dice.len()).filter(|place| self.dice[*place].counts).collect()
    }

    /// The same from the lowest face up, equal ones as thrown.
    fn ascending(&self) -> Vec<usize> {
        let mut places = self.counting();
        places.sort_by(|a, b| self.dice[*a].shows.cmp(&self.dice[*b].shows));
        places
    }

    /// What the dice that count show.
    pub(super) fn shown(&self) -> Vec<Number> {
        self.counting().into_iter().map(|place| self.dice[place].shows.clone()).collect()
    }

    fn sorted(&self) -> Vec<Number> {
        self.ascending().into_iter().map(|place| self.dice[place].shows.clone()).collect()
    }

    // Readings.

    pub(super) fn total(&self) -> Result<Number, FaultKind> {
        if self.marked {
            let marks = self.counting().into_iter().map(|place| self.dice[place].marks);
            return Ok(marks.sum::<i64>().into());
        }
        let sum = self.shown().iter().try_fold(Number::ZERO, |sum, shows| sum.add(shows));
        sum.map_err(FaultKind::from)
    }

    pub(super) fn nth_lowest(&self, n: &Number) -> Result<Number, FaultKind> {
        nth(&self.sorted(), n)
    }

    pub(super) fn nth_highest(&self, n: &Number) -> Result<Number, FaultKind> {
        let mut sorted = self.sorted();
        sorted.reverse();
        nth(&sorted, n)
    }

    pub(super) fn median(&self) -> Result<Number, FaultKind> {
        let sorted = self.sorted();
        let (Some(low), high) = (sorted.len().checked_sub(1), sorted.len() / 2) else {
            return Err(FaultKind::NoDice);
        };
        let both = sorted[low / 2].add(&sorted[high]).map_err(FaultKind::from)?;
        both.divide(&2.into()).map_err(FaultKind::from)
    }

    // Suffixes that throw nothing.

    /// Of the dice that count, from the lowest up, only those between two places still do.
    fn keep(&mut self, places: std::ops::Range<usize>) {
        for (rank, place) in self.ascending().into_iter().enumerate() {
            self.dice[place].counts = places.contains(&rank);
        }
    }

    /// Of so many dice, which are the `taken` at this end.
    fn end(&self, end: End, taken: u64) -> std::ops::Range<usize> {
        let all = self.counting().len();
        let taken = usize::try_from(taken).unwrap_or(all).min(all);
        match end {
            End::Highest => all - taken..all,
            End::Lowest => 0..taken,
            End::Middle => (all - taken) / 2..(all - taken) / 2 + taken,
        }
    }

    fn drop(&mut self, gone: std::ops::Range<usize>) {
        for (rank, place) in self.ascending().into_iter().enumerate() {
            self.dice[place].counts = !gone.contains(&rank);
        }
    }

    fn show(&mut self, change: impl Fn(&Number) -> Number) {
        for place in self.counting() {
            self.dice[place].shows = change(&self.dice[place].shows);
        }
    }

    fn mark(&mut self, by: i64, holds: impl Fn(&Number) -> bool) {
        self.marked = true;
        for place in self.counting() {
            self.dice[place].marks += if holds(&self.dice[place].shows) { by } else { 0 };
        }
    }
}

fn nth(sorted: &[Number], n: &Number) -> Result<Number, FaultKind> {
    let place = n.to_i64().and_then(|n| usize::try_from(n - 1).ok());
    let die = place.and_then(|place| sorted.get(place)).cloned();
    die.ok_or_else(|| FaultKind::NoSuchDie(n.clone(), sorted.len()))
}

/// The faces that the dice show, in order, and how many of each pool show them.
pub(super) fn faces_shown(pools: &[Dice], down: bool) -> Vec<(Number, Vec<i64>)> {
    let mut faces = BTreeMap::<Number, Vec<i64>>::new();
    for (index, pool) in pools.iter().enumerate() {
        for shows in pool.shown() {
            faces.entry(shows).or_insert_with(|| vec![0; pools.len()])[index] += 1;
        }
    }
    let mut faces: Vec<_> = faces.into_iter().collect();
    if down {
        faces.reverse();
    }
    faces
}

fn compare(comparison: Comparison, a: &Number, b: &Number) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::AtMost => a <= b,
        Comparison::Greater => a > b,
        Comparison::AtLeast => a >= b,
    }
}

/// A limit for each die, or for all of them; none is no limit.
type Limit = Option<u64>;

/// Whether a die is thrown again: what the die can show, how it fell, and what it shows.
type Again<'a> = dyn Fn(&Bag, &Number, &Number) -> bool + 'a;

impl Run<'_> {
    /// The dice after one more suffix.
    pub(super) fn suffixed(
        &mut self,
        mut dice: Dice,
        suffix: &Suffix,
        locals: &mut Vec<Option<Thing>>,
    ) -> Result<Dice, Stop> {
        match &suffix.kind {
            SuffixKind::Keep(end, count) => {
                let kept = dice.end(*end, self.count(count, locals)?);
                dice.keep(kept);
            }
            SuffixKind::Drop(end, count) => {
                let gone = dice.end(*end, self.count(count, locals)?);
                dice.drop(gone);
            }
            SuffixKind::AtLeast(least) => {
                let least = self.number(least, locals)?;
                dice.show(|shows| shows.max(&least).clone());
            }
            SuffixKind::AtMost(most) => {
                let most = self.number(most, locals)?;
                dice.show(|shows| shows.min(&most).clone());
            }
            SuffixKind::CountFor(condition) => {
                let value = self.number(&condition.value, locals)?;
                dice.mark(1, |shows| compare(condition.comparison, shows, &value));
            }
            SuffixKind::CountAgainst(condition) => {
                let value = self.number(&condition.value, locals)?;
                dice.mark(-1, |shows| compare(condition.comparison, shows, &value));
            }
            SuffixKind::Explode { .. } | SuffixKind::Reroll { .. } => {
                self.throw_more(&mut dice, &suffix.kind, None, suffix, locals)?;
            }
            SuffixKind::InAll { act, most, first } => {
                self.throw_more(&mut dice, act, Some((most, *first)), suffix, locals)?;
            }
            SuffixKind::Unique => self.unique(&mut dice, suffix)?,
            SuffixKind::Ascending | SuffixKind::Descending => {}
        }
        Ok(dice)
    }

    /// An explosion or a reroll: each die has its turn, and is finished before the next.
    fn throw_more(
        &mut self,
        dice: &mut Dice,
        act: &SuffixKind,
        in_all: Option<(&astragal_program::core::Expr, Order)>,
        suffix: &Suffix,
        locals: &mut Vec<Option<Thing>>,
    ) -> Result<(), Stop> {
        let (condition, limit, style) = match act {
            SuffixKind::Explode { style, trigger, limit } => {
                (trigger.as_ref(), limit.as_deref(), Some(*style))
            }
            SuffixKind::Reroll { condition, .. } => (Some(condition), None, None),
            other => panic!("{other:?} throws no dice"),
        };
        let again = self.again(condition, locals)?;
        let mut limit = limit.map(|limit| self.count(limit, locals)).transpose()?;
        if matches!(act, SuffixKind::Reroll { once: true, .. }) {
            limit = Some(1);
        }
        let mut left = in_all.map(|(most, _)| self.count(most, locals)).transpose()?;
        for place in turns(dice, in_all.map_or(Order::Thrown, |(_, first)| first)) {
            match style {
                Some(style) => {
                    self.chain(dice, place, style, &again, (limit, &mut left), suffix)?
                }
                None => self.reroll(dice, place, &again, (limit, &mut left), suffix)?,
            }
        }
        Ok(())
    }

    /// When a die is thrown again: on its highest face as it fell, or where what it shows fits the condition.
    fn again(
        &mut self,
        condition: Option<&Condition>,
        locals: &mut Vec<Option<Thing>>,
    ) -> Result<Box<Again<'static>>, Stop> {
        let Some(condition) = condition else {
            return Ok(Box::new(|faces, fell, _| faces.numbers().max() == Some(fell)));
        };
        let (comparison, value) = (condition.comparison, self.number(&condition.value, locals)?);
        Ok(Box::new(move |_, _, shows| compare(comparison, shows, &value)))
    }

    fn chain(
        &mut self,
        dice: &mut Dice,
        place: usize,
        style: ExplodeStyle,
        again: &Again<'_>,
        (limit, left): (Limit, &mut Limit),
        suffix: &Suffix,
    ) -> Result<(), Stop> {
        let Die { faces, mut fell, mut shows, .. } = dice.dice[place].clone();
        let faces = faces.expect("totals do not explode");
        let mut extra = 0;
        while again(&faces, &fell, &shows) && limit != Some(extra) && *left != Some(0) {
            let ends = limit.is_some() || left.is_some();
            if !ends && faces.numbers().all(|face| again(&faces, face, face)) {
                return Err(fails(FaultKind::NeverStops(NeverStops::Explode), suffix.span));
            }
            let face = self.throw(&faces)?;
            dice.add(&faces, face);
            let last = dice.dice.len() - 1;
            fell = dice.dice[last].fell.clone();
            shows = fell.clone();
            match style {
                ExplodeStyle::Separate => {}
                ExplodeStyle::Penetrate => {
                    dice.dice[last].shows = number(shows.subtract(&Number::ONE), suffix)?;
                }
                ExplodeStyle::Compound => {
                    dice.dice.pop();
                    dice.dice[place].shows = number(dice.dice[place].shows.add(&shows), suffix)?;
                }
            }
            extra += 1;
            *left = left.map(|left| left - 1);
        }
        Ok(())
    }

    fn reroll(
        &mut self,
        dice: &mut Dice,
        place: usize,
        again: &Again<'_>,
        (limit, left): (Limit, &mut Limit),
        suffix: &Suffix,
    ) -> Result<(), Stop> {
        let faces = dice.dice[place].faces.clone().expect("totals are not thrown again");
        let mut thrown = 0;
        while again(&faces, &dice.dice[place].fell, &dice.dice[place].shows)
            && limit != Some(thrown)
            && *left != Some(0)
        {
            let ends = limit.is_some() || left.is_some();
            if !ends && faces.numbers().all(|face| again(&faces, face, face)) {
                return Err(fails(FaultKind::NeverStops(NeverStops::Reroll), suffix.span));
            }
            self.throw_again(dice, place, &faces)?;
            thrown += 1;
            *left = left.map(|left| left - 1);
        }
        Ok(())
    }

    /// A fresh, plain die in the place of another.
    fn throw_again(&mut self, dice: &mut Dice, place: usize, faces: &Arc<Bag>) -> Result<(), Stop> {
        let face = self.throw(faces)?;
        dice.add(faces, face);
        dice.dice.swap_remove(place);
        Ok(())
    }

    fn unique(&mut self, dice: &mut Dice, suffix: &Suffix) -> Result<(), Stop> {
        let mut earlier: Vec<Number> = Vec::new();
        for place in dice.counting() {
            let faces = dice.dice[place].faces.clone().expect("totals are not thrown again");
            while earlier.contains(&dice.dice[place].shows) {
                if faces.numbers().all(|face| earlier.contains(face)) {
                    return Err(fails(FaultKind::NeverStops(NeverStops::Unique), suffix.span));
                }
                self.throw_again(dice, place, &faces)?;
            }
            earlier.push(dice.dice[place].shows.clone());
        }
        Ok(())
    }
}

/// Whose turn it is: the places of the dice that count.
fn turns(dice: &Dice, first: Order) -> Vec<usize> {
    match first {
        Order::Thrown => dice.counting(),
        Order::Lowest => dice.ascending(),
        Order::Highest => {
            let mut places = dice.counting();
            places.sort_by(|a, b| dice.dice[*b].shows.cmp(&dice.dice[*a].shows));
            places
        }
    }
}

fn number(result: Result<Number, OpError>, suffix: &Suffix) -> Result<Number, Stop> {
    result.map_err(|error| fails(error, suffix.span))
}
