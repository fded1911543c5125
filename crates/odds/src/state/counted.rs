//! Deciding only how many dice of a pool show what is counted.
//!
//! ```text
//! let a = 10d6; let b = 10d6; [versus(a, b).wins, a cs=6]
//! ```
//!
//! Ten dice have 3003 hands, but only the number of sixes is asked for besides. Given that `k` dice show a six, the
//! pool is `k` sixes and `10 − k` dice that show 1 to 5, each for itself: again a pool of independent dice, and
//! there are 11 cases. With several counts the faces fall into classes of those that count alike, and
//!
//! ```text
//! P(kᵢ dice show a face of class i) = n!/∏ kᵢ! · ∏ pᵢ^kᵢ
//! ```

use std::collections::BTreeMap;

use astragal_prob::pool::{Die, Source};
use astragal_prob::{Meter, Natural, OverBudget, Rational};
use dashu_base::BitTest;

use super::{State, Table, Var, Weight};
use crate::ways;

/// A state, what was counted in it, and its chance.
pub(crate) type Counted = (State, Vec<i64>, Weight);

/// Some dice, what was counted of them, and in how many ways they show it.
type Case = (Vec<(u64, Source)>, Vec<i64>, Natural);

impl State {
    /// One state for each case of what is counted, where a die that shows a face has these worths. None if the dice
    /// are not plainly independent, or there are nearly as many cases as hands.
    pub(crate) fn decide_counts(
        &self,
        var: Var,
        worths: &dyn Fn(&Rational) -> Vec<i64>,
        meter: &Meter,
    ) -> Result<Option<Vec<Counted>>, OverBudget> {
        let Some(table) = self.table(var) else { return Ok(None) };
        let Some(groups) = groups(table, worths) else { return Ok(None) };
        let count = |group: &Group| hands(group.count, group.classes.len() as u64);
        let all = |group: &Group| hands(group.count, group.faces);
        let cases = groups.iter().map(count).fold(1, u64::saturating_mul);
        if groups.iter().map(all).fold(1, u64::saturating_mul) / ways::WORTH_COUNTING < cases {
            return Ok(None);
        }
        let bits = |group: &Group| group.count.saturating_mul(group.total.bit_len() as u64);
        let limbs = 1 + groups.iter().map(bits).fold(0, u64::saturating_add) / 64;
        let each = limbs.saturating_mul(limbs).saturating_add(8);
        let cost = cases.saturating_mul(each.saturating_mul(groups.len() as u64));
        if cost > meter.left() / 4 {
            return Ok(None);
        }
        meter.charge(cost)?;
        let total = groups.iter().fold(Natural::ONE, |all, group| {
            all * group.total.pow(usize::try_from(group.count).unwrap_or(usize::MAX))
        });
        let none = worths(&Rational::ZERO).len();
        let mut sums: Vec<Case> = vec![(Vec::new(), vec![0; none], Natural::ONE)];
        for group in &groups {
            let parts = group.cases(none);
            let each = |sum: &Case| parts.iter().map(|part| joined(sum, part)).collect::<Vec<_>>();
            sums = sums.iter().flat_map(each).collect();
        }
        let total = Rational::from(total);
        let case = |(dice, counts, ways)| {
            (self.with_table(var, dice), counts, Rational::from(ways) / &total)
        };
        Ok(Some(sums.into_iter().map(case).collect()))
    }
}

/// How many hands there are: dice with these faces, without order.
fn hands(dice: u64, faces: u64) -> u64 {
    let others = faces.saturating_sub(1);
    let (few, many) = (dice.min(others), dice.max(others));
    let hands = (1..=few).try_fold(1u64, |hands, n| {
        let more = u128::from(hands) * (u128::from(many) + u128::from(n)) / u128::from(n);
        u64::try_from(more).ok()
    });
    hands.unwrap_or(u64::MAX)
}

/// Equal dice whose faces are sorted by what they count for.
struct Group {
    count: u64,
    faces: u64,
    total: Natural,
    /// For each class what a die counts for, the die that shows only its faces, and their weight.
    classes: Vec<(Vec<i64>, Source, Natural)>,
}

/// The groups of a table that no suffix has touched.
fn groups(table: &Table, worths: &dyn Fn(&Rational) -> Vec<i64>) -> Option<Vec<Group>> {
    if table.random.is_some() || !table.stages.is_empty() {
        return None;
    }
    let mut groups = Vec::with_capacity(table.groups.len());
    for (count, source) in &table.groups {
        match source {
            Source::Total(_) => return None,
            Source::Die(die) => groups.push(of_dice(*count, die, worths)?),
            Source::Fixed(dice) => groups.extend(dice.iter().map(|die| {
                let class = (worths(&die.shown), Source::Fixed(vec![die.clone()]), Natural::ONE);
                Group { count: 1, faces: 1, total: Natural::ONE, classes: vec![class] }
            })),
        }
    }
    Some(groups)
}

fn of_dice(count: u64, die: &Die, worths: &dyn Fn(&Rational) -> Vec<i64>) -> Option<Group> {
    let mut classes: BTreeMap<Vec<i64>, Vec<(Rational, Natural)>> = BTreeMap::new();
    for face in die.faces() {
        classes.entry(worths(&face.0)).or_default().push(face.clone());
    }
    let class = |(worths, faces): (Vec<i64>, Vec<(Rational, Natural)>)| {
        let weight = faces.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
        Some((worths, Source::Die(Die::bag(faces)?), weight))
    };
    let classes = classes.into_iter().map(class).collect::<Option<Vec<_>>>()?;
    Some(Group { count, faces: die.faces().len() as u64, total: die.total().clone(), classes })
}

impl Group {
    /// All ways in which the dice fall into the classes.
    fn cases(&self, counts: usize) -> Vec<Case> {
        // With how many dice are left.
        let mut cases: Vec<(u64, Case)> =
            vec![(self.count, (Vec::new(), vec![0; counts], Natural::ONE))];
        for (at, (worths, source, weight)) in self.classes.iter().enumerate() {
            let last = at + 1 == self.classes.len();
            let mut next = Vec::new();
            for (left, (dice, counts, ways)) in cases {
                let mut ways = ways * if last { weight.pow(left as usize) } else { Natural::ONE };
                for count in if last { left } else { 0 }..=left {
                    let mut dice = dice.clone();
                    if count > 0 {
                        dice.push((count, source.clone()));
                    }
                    let sum = counts.iter().zip(worths);
                    let sum = sum
                        .map(|(sum, worth)| sum.saturating_add(worth.saturating_mul(count as i64)));
                    next.push((left - count, (dice, sum.collect(), ways.clone())));
                    ways = ways * weight * (left - count) / (count + 1);
                }
            }
            cases = next;
        }
        cases.into_iter().map(|(_, case)| case).collect()
    }
}

fn joined(a: &Case, b: &Case) -> Case {
    let dice = a.0.iter().chain(&b.0).cloned().collect();
    let counts = a.1.iter().zip(&b.1).map(|(a, b)| a.saturating_add(*b)).collect();
    (dice, counts, &a.2 * &b.2)
}
