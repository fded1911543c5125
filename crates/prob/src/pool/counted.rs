//! Telling only how many dice of a pool show what is counted.
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

use dashu_base::BitTest;

use super::{Die, Source};
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};

/// Some dice, what was counted of them, and in how many ways they show it.
pub type Counted = (Vec<(u64, Source)>, Vec<i64>, Natural);

/// All cases of what is counted, where a die that shows a face has these worths, and the weight of all. None if the
/// dice are not plainly independent, or there are not so many times fewer cases than hands.
pub fn counted(
    dice: &[(u64, Source)],
    worths: &dyn Fn(&Rational) -> Vec<i64>,
    times_fewer: u64,
    meter: &Meter,
) -> Result<Option<(Vec<Counted>, Natural)>, OverBudget> {
    let Some(groups) = groups(dice, worths) else { return Ok(None) };
    let count = |group: &Group| hands(group.count, group.classes.len() as u64);
    let all = |group: &Group| hands(group.count, group.faces);
    let cases = groups.iter().map(count).fold(1, u64::saturating_mul);
    if groups.iter().map(all).fold(1, u64::saturating_mul) / times_fewer < cases {
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
    let mut sums: Vec<Counted> = vec![(Vec::new(), vec![0; none], Natural::ONE)];
    for group in &groups {
        let parts = group.cases(none);
        let each = |sum: &Counted| parts.iter().map(|part| joined(sum, part)).collect::<Vec<_>>();
        sums = sums.iter().flat_map(each).collect();
    }
    Ok(Some((sums, total)))
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

fn groups(dice: &[(u64, Source)], worths: &dyn Fn(&Rational) -> Vec<i64>) -> Option<Vec<Group>> {
    let mut groups = Vec::with_capacity(dice.len());
    for (count, source) in dice {
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
    fn cases(&self, counts: usize) -> Vec<Counted> {
        // With how many dice are left.
        let mut cases: Vec<(u64, Counted)> =
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

fn joined(a: &Counted, b: &Counted) -> Counted {
    let dice = a.0.iter().chain(&b.0).cloned().collect();
    let counts = a.1.iter().zip(&b.1).map(|(a, b)| a.saturating_add(*b)).collect();
    (dice, counts, &a.2 * &b.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_dice_show_a_six_so_often() {
        let six = |face: &Rational| vec![i64::from(*face == Rational::from(6))];
        let meter = Meter::new(1_000_000);
        let die = Die::fair(6, &meter).unwrap().unwrap();
        let (cases, total) = counted(&[(3, Source::Die(die))], &six, 4, &meter).unwrap().unwrap();
        let told = cases.iter().map(|(_, counts, ways)| (counts[0], ways.clone()));
        let ways = |n: u64| Natural::from(n);
        let all: BTreeMap<i64, Natural> = told.collect();
        assert_eq!(
            all,
            BTreeMap::from([(0, ways(125)), (1, ways(75)), (2, ways(15)), (3, ways(1))])
        );
        assert_eq!(total, ways(216));
    }
}
