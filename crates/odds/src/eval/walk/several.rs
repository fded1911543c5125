//! Walks with several numbers that are only added to, set apart as one.
//!
//! ```text
//! versus(20d6, 20d6)      {ahead, wins, losses, ties}
//! ```
//!
//! With one of them set apart ([`super::lifted`]) the others stay in the states, of which there are many then. With all of
//! them, only how far one side is ahead is left. Two numbers are one: `wins + k * losses`, if there are always fewer than
//! `k` wins. As steps never take any away, it is enough that there are fewer at the end, and that is known from a walk in
//! which they alone are counted.
//!
//! A third number may be known from the other two: if all three together always come to the same, by where the walk ends
//! without them, it is what is left of that. A walk that counts their sum tells.

use std::sync::Arc;

use astragal_prob::pool::{LiftedEnds, Pool, Way, dice_in};
use astragal_prob::{Rational, Sums};
use astragal_value::Value;
use rustc_hash::FxHashMap;

use super::Walked;
use super::lifted::StepsApart;
use crate::code::{Manner, Part, Word};
use crate::eval::Machine;
use crate::failure::Failure;
use crate::plan::Walk;
use crate::state::{Aside, State, Values};
use crate::ways;

/// How numbers are found again.
struct Packed {
    low: usize,
    high: usize,
    /// What the higher one counts.
    base: i64,
    /// A third one, and what all three come to by where the walk ends.
    third: Option<(usize, FxHashMap<Value, i64>)>,
}

impl<'p> Machine<'p> {
    /// What a walk comes to, with two or three numbers set apart; none if it has none such, or they are no use.
    pub(super) fn walk_with_sums(
        &mut self,
        way: &'p Walk,
        start: &State,
        pools: &[Pool],
        manner: &Way,
    ) -> Result<Option<Walked>, Failure> {
        let dice = pools.iter().map(|pool| dice_in(&pool.groups)).fold(0, u64::saturating_add);
        let sums = match self.translated(way) {
            Some(translated) if dice >= ways::MANY_DICE => translated.sums.clone(),
            _ => return Ok(None),
        };
        // Where the walk ends with fields set apart, each times so much.
        let ends_of = |machine: &mut Self, fields: Vec<(usize, i64)>| {
            let part = Part { field: fields.first().map(|(field, _)| *field), manner: Manner::Sum };
            let steps = StepsApart::with(machine, way, start, (part, fields));
            steps.map_or(Ok(None), |steps| steps.ends(pools, manner))
        };
        let is_asked = |sum: &&usize| way.asked.as_ref().is_none_or(|asked| asked.contains(sum));
        let asked: Vec<usize> = sums.iter().filter(is_asked).copied().collect();
        let (low, high, third) = match asked.as_slice() {
            [low, high] => (*low, *high, None),
            [low, high, third] => (*low, *high, Some(*third)),
            _ => return Ok(None),
        };
        let times =
            |known: &dyn Fn(usize) -> i64| sums.iter().map(|sum| (*sum, known(*sum))).collect();
        let Some((_, ends)) = ends_of(self, times(&|sum| i64::from(sum == low)))? else {
            return Ok(None);
        };
        let Some(base) = ends.weights.iter().map(|(_, number, _)| *number + 1).max() else {
            return Ok(None);
        };
        let mut packed = Packed { low, high, base, third: None };
        if let Some(third) = third {
            let all = times(&|sum| i64::from(asked.contains(&sum)));
            let known = ends_of(self, all)?.and_then(|(steps, ends)| steps.only(&ends));
            let Some(known) = known else { return Ok(None) };
            packed.third = Some((third, known));
        }
        let both = times(&|sum| if sum == low { 1 } else { i64::from(sum == high) * base });
        let ends = ends_of(self, both)?;
        Ok(ends.and_then(|(steps, ends)| steps.unpacked(ends, &packed)))
    }
}

impl StepsApart<'_> {
    /// The number apart by where the walk ends, if there is only one for each.
    fn only(&self, ends: &LiftedEnds) -> Option<FxHashMap<Value, i64>> {
        let mut known = FxHashMap::default();
        for (end, number, _) in &ends.weights {
            let end = self.store.value(self.ends.words[*end]);
            if *known.entry(end).or_insert(*number) != *number {
                return None;
            }
        }
        Some(known)
    }

    /// What the walk comes to; none if a number has become too large.
    fn unpacked(mut self, ends: LiftedEnds, packed: &Packed) -> Option<Walked> {
        let mut sums = Sums::default();
        for (end, number, weight) in ends.weights {
            let (low, high) = (number % packed.base, number / packed.base);
            let end = self.ends.words[end];
            let third = packed
                .third
                .as_ref()
                .map(|(third, all)| Some((*third, all.get(&self.store.value(end))? - low - high)));
            let found = [(packed.low, low), (packed.high, high)];
            let found: Vec<(usize, i64)> = match third {
                Some(third) => found.into_iter().chain([third?]).collect(),
                None => found.into(),
            };
            let word = self.store.with_fields(end, |words| {
                found.iter().try_for_each(|(field, number)| {
                    *words.get_mut(*field)? = Word::number(*number)?;
                    Some(())
                })
            })?;
            sums.add(word, weight);
        }
        let values = Values::new(Arc::new(self.store), sums.list, ends.total);
        let end = (values.count() > 0).then(|| (values.into(), Rational::ONE));
        Some(Walked { end, aside: Aside::default() })
    }
}
