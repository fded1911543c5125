//! Deciding only the lowest or the highest die of a pool.
//!
//! `let dice = 6d20; if nth_lowest(dice, 1) = 1 then …`: deciding all six dice makes 177,100 hands, but
//! only the lowest is asked for. Say the first die that shows the lowest face v is die i. Then the dice
//! before it show more than v and the dice after it at least v, each for itself, so the rest of the pool
//! is again a pool of independent dice, and there are only 6 · 20 cases:
//!
//! ```text
//! P(die i is the first lowest, showing v) = P(v) · P(> v)^(i−1) · P(≥ v)^(n−i)
//! ```

use astragal_prob::pool::{Source, TableDie};
use astragal_prob::{Comparison, Law, Meter, Natural, OverBudget, Rational};
use dashu_base::BitTest;

use super::{Shared, State, Table, Var, VarLaw, Weight};

/// A group of equal dice, and for one face v its dice that are beyond v and that are not before it.
struct Group {
    count: u64,
    law: Law,
}

/// A state, the face that is lowest (or highest) in it, and its chance.
pub(crate) type Case = (State, Rational, Weight);

/// What dice of a group can do, given the face that is lowest (or highest).
struct Around {
    at: Rational,
    beyond: (Rational, Option<Law>),
    not_before: (Rational, Option<Law>),
}

impl State {
    /// One state for each case of the lowest (or highest) die, with its face and its chance. None if the
    /// dice are not plainly independent, or endless.
    pub(crate) fn decide_extreme(
        &self,
        var: Var,
        highest: bool,
        meter: &Meter,
    ) -> Result<Option<Vec<Case>>, OverBudget> {
        let Some(groups) = self.table(var).and_then(|table| independent(table)) else {
            return Ok(None);
        };
        let mut faces: Vec<Rational> = Vec::new();
        for group in &groups {
            let Some(table) = group.law.as_table() else { return Ok(None) };
            faces.extend(table.outcomes().map(|(face, _)| face));
        }
        faces.sort();
        faces.dedup();
        let dice: u64 = groups.iter().map(|group| group.count).fold(0, u64::saturating_add);
        let size = (faces.len() as u64).saturating_mul(dice);
        if hands(dice, faces.len() as u64) < size.saturating_mul(WORTHWHILE) {
            return Ok(None);
        }
        // A case is a state of its own, and its chance a product of so many fractions.
        let bits: u64 = groups
            .iter()
            .map(|group| {
                let total = group.law.as_table().map_or(1, |table| table.total().bit_len());
                group.count.saturating_mul(total as u64)
            })
            .fold(0, u64::saturating_add);
        let limbs = 1 + bits / 64;
        let each = 40u64.saturating_add(limbs.saturating_mul(limbs).saturating_add(limbs) / 2);
        meter.charge(size.saturating_mul(each.saturating_mul(groups.len() as u64)))?;
        let mut cases = Vec::new();
        for face in faces {
            self.cases(var, &groups, &face, highest, meter, &mut cases)?;
        }
        Ok(Some(cases))
    }

    fn cases(
        &self,
        var: Var,
        groups: &[Group],
        face: &Rational,
        highest: bool,
        meter: &Meter,
        cases: &mut Vec<Case>,
    ) -> Result<(), OverBudget> {
        let around = groups.iter().map(|group| around(group, face, highest, meter));
        let around: Vec<Around> = around.collect::<Result<_, _>>()?;
        for (g, group) in groups.iter().enumerate() {
            for before in 0..group.count {
                let mut rest: Vec<(u64, Source)> = vec![(1, fixed(face))];
                let mut chance = around[g].at.clone();
                for (h, other) in groups.iter().enumerate() {
                    let (strict, loose) = match h.cmp(&g) {
                        std::cmp::Ordering::Less => (other.count, 0),
                        std::cmp::Ordering::Equal => (before, group.count - before - 1),
                        std::cmp::Ordering::Greater => (0, other.count),
                    };
                    for (count, (part, law)) in
                        [(strict, &around[h].beyond), (loose, &around[h].not_before)]
                    {
                        chance *= power(part, count);
                        if let Some(law) = law.as_ref().filter(|_| count > 0) {
                            rest.push((count, Source::Total(law.clone())));
                        }
                    }
                }
                if !chance.is_zero() {
                    cases.push((self.with_table(var, rest), face.clone(), chance));
                }
            }
        }
        Ok(())
    }

    fn with_table(&self, var: Var, groups: Vec<(u64, Source)>) -> State {
        let mut state = self.clone();
        if let Some(law) = state.laws.get_mut(var.0 as usize) {
            *law = VarLaw::Dice(Shared::new(Table { groups, random: None, stages: Vec::new() }));
        }
        state
    }
}

/// So many times fewer cases than hands make it worth while: the rest is still to be decided.
const WORTHWHILE: u64 = 20;

/// How many hands there are: dice with these faces, without order.
fn hands(dice: u64, faces: u64) -> u64 {
    (1..=dice).fold(1u64, |hands, n| {
        let more = u128::from(hands) * u128::from(faces + n - 1) / u128::from(n);
        u64::try_from(more).unwrap_or(u64::MAX)
    })
}

fn fixed(face: &Rational) -> Source {
    Source::Fixed(vec![TableDie { shown: face.clone(), thrown: face.clone() }])
}

fn around(
    group: &Group,
    face: &Rational,
    highest: bool,
    meter: &Meter,
) -> Result<Around, OverBudget> {
    let (strict, loose) = if highest {
        (Comparison::Less, Comparison::AtMost)
    } else {
        (Comparison::Greater, Comparison::AtLeast)
    };
    let [beyond, _] = group.law.split(strict, face, meter)?;
    let [not_before, _] = group.law.split(loose, face, meter)?;
    let at = group.law.chance(face, meter)?;
    Ok(Around { at, beyond, not_before })
}

fn power(chance: &Rational, count: u64) -> Rational {
    if chance.is_one() || (chance.is_zero() && count > 0) {
        return chance.clone();
    }
    // More dice than that were refused before.
    chance.pow(isize::try_from(count).unwrap_or(isize::MAX))
}

/// The groups of a table that no suffix has touched, each with the law of one die.
fn independent(table: &Table) -> Option<Vec<Group>> {
    if table.random.is_some() || !table.stages.is_empty() {
        return None;
    }
    let mut groups = Vec::new();
    for (count, source) in &table.groups {
        match source {
            Source::Die(die) => {
                let faces: Vec<(Rational, Natural)> = die.faces().to_vec();
                groups.push(Group { count: *count, law: Law::from_weights(faces)? });
            }
            Source::Total(law) => groups.push(Group { count: *count, law: law.clone() }),
            Source::Fixed(dice) => groups.extend(
                dice.iter().map(|die| Group { count: 1, law: Law::constant(die.shown.clone()) }),
            ),
        }
    }
    Some(groups)
}
