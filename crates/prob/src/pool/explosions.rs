//! Dice that explode, told apart by how often they do.
//!
//! `4d6!` throws four dice that end their chains, each on a face that does not fire, and before them K
//! dice on faces that fire, all independent once K is known: a mixture of plain pools, with K a negative
//! binomial number. K is listed until what is left is a sliver; the rest is given up, and said.
//!
//! With a limit of L explosions for each die, a chain that reaches the limit ends with any face. Its last die fires
//! or not as well, so the dice still are some that show faces that fire and some that show others, and nothing
//! is given up: of `n` chains, `c` end on a face that fires, and the others have any number of explosions up to L.

use super::order::binomials;
use super::piece::face_fires;
use super::{Die, Pool, Source, Stage, Style};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use dashu_base::BitTest;

/// Plain pools with their chances, and the chance that is given up.
pub type Parts = (Vec<(Pool, Rational)>, Rational);

/// A pool whose first suffix is an explosion as plain pools; less than `sliver` is given up
/// for each group of dice. None if it is not such a pool.
pub(super) fn by_explosions(
    pool: &Pool,
    sliver: &Rational,
    meter: &Meter,
) -> Result<Option<Parts>, OverBudget> {
    let Some((Stage::Explode { trigger, style: Style::Separate, limit }, later)) =
        pool.stages.split_first()
    else {
        return Ok(None);
    };
    // What is thrown again later would be thrown with the whole die.
    if later.iter().any(super::states::throws) {
        return Ok(None);
    }
    let mut parts = vec![(Vec::new(), Rational::ONE)];
    let mut kept = Rational::ONE;
    for (count, source) in &pool.groups {
        let Source::Die(die) = source else { return Ok(None) };
        let faces = die.faces().iter().cloned();
        let split = faces.partition(|(face, _)| face_fires(trigger, die, face));
        let chains = match limit {
            None => chains(*count, die, split, sliver, meter)?,
            Some(limit) => limited(*count, *limit, split, meter)?,
        };
        let Some(chains) = chains else { return Ok(None) };
        kept *= chains.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
        meter.charge((parts.len() * chains.len()) as u64)?;
        let longer = parts.iter().flat_map(|(groups, chance)| {
            chains
                .iter()
                .map(move |(more, part)| ([groups.as_slice(), more].concat(), chance * part))
        });
        parts = longer.collect();
    }
    let pools =
        parts.into_iter().map(|(groups, chance)| (Pool { groups, stages: later.to_vec() }, chance));
    Ok(Some((pools.collect(), Rational::ONE - kept)))
}

/// Faces with weights.
type Faces = Vec<(Rational, Natural)>;

/// Dice with the chance that it is these.
type Chains = Vec<(Vec<(u64, Source)>, Rational)>;

/// More cases than this are left to others.
const MOST: u64 = 4096;

/// The dice of a group for each number of explosions up to a limit for each die.
fn limited(
    count: u64,
    limit: u64,
    (fires, stops): (Faces, Faces),
    meter: &Meter,
) -> Result<Option<Chains>, OverBudget> {
    if count.saturating_mul(limit.saturating_add(1)).saturating_mul(count + 1) > 2 * MOST {
        return Ok(None);
    }
    let weight = |faces: &Faces| faces.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
    let (fire, stop) = (weight(&fires), weight(&stops));
    let total = &fire + &stop;
    let (count, limit) = (count as usize, limit as usize);
    let bits = total.bit_len() * (limit + 1) * count;
    meter.charge_product(count * count * (limit + 1), limit + 2, bits)?;
    // Of a chain that stops: weights by its explosions.
    let one: Vec<Natural> =
        (0..=limit).map(|n| fire.pow(n) * total.pow(limit - n) * &stop).collect();
    let mut stopped = vec![vec![Natural::ONE]];
    for chains in 0..count {
        let mut next = vec![Natural::ZERO; chains * limit + limit + 1];
        for (explosions, weight) in stopped[chains].iter().enumerate() {
            for (more, factor) in one.iter().enumerate() {
                next[explosions + more] += weight * factor;
            }
        }
        stopped.push(next);
    }
    let all = total.pow((limit + 1) * count);
    let [fires, stops] = [fires, stops].map(Die::from_weights);
    let mut chains = Vec::new();
    for (ways, full) in binomials(count as u64, count + 1).zip(0..) {
        let ways = ways * fire.pow((limit + 1) * full);
        for (explosions, weight) in stopped[count - full].iter().enumerate() {
            if weight.is_zero() || ways.is_zero() {
                continue;
            }
            let dice = [(count - full, &stops), (explosions + (limit + 1) * full, &fires)];
            let group = |(count, die): (usize, &Option<Die>)| {
                Some((count as u64, Source::Die(die.as_ref().filter(|_| count > 0)?.clone())))
            };
            let dice = dice.into_iter().filter_map(group).collect();
            chains.push((dice, number::ratio(weight * &ways, all.clone())));
        }
    }
    Ok(Some(chains))
}

/// The dice of a group for each number of explosions, with the chance of that number.
fn chains(
    count: u64,
    die: &Die,
    (fires, stops): (Faces, Faces),
    sliver: &Rational,
    meter: &Meter,
) -> Result<Option<Chains>, OverBudget> {
    let total = |faces: &[(Rational, Natural)]| {
        faces.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight)
    };
    let fire = number::ratio(total(&fires), die.total().clone());
    let Some(stops) = Die::from_weights(stops) else { return Ok(None) };
    let ends = (count, Source::Die(stops));
    let Some(fires) = Die::from_weights(fires) else {
        return Ok(Some(vec![(vec![ends], Rational::ONE)]));
    };
    let stay = Rational::ONE - &fire;
    let mut chance = (0..count).fold(Rational::ONE, |chance, _| chance * &stay);
    let mut left = Rational::ONE;
    let mut chains = Vec::new();
    for explosions in 0u64.. {
        meter.charge(8 + count)?;
        left -= &chance;
        let more = (explosions, Source::Die(fires.clone()));
        chains.push((vec![ends.clone(), more], chance.clone()));
        if left < *sliver {
            break;
        }
        // C(n + k, k + 1) = C(n + k − 1, k) · (n + k) / (k + 1)
        chance = chance * &fire * number::ratio(count + explosions, Natural::from(explosions + 1));
    }
    Ok(Some(chains))
}

#[cfg(test)]
mod tests {
    use super::super::{Condition, Trigger, dice};
    use super::*;
    use crate::number::Comparison;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// What the dice of a pool show, in ascending order, with the chances.
    fn hands(pool: &Pool, part: &Rational, all: &mut BTreeMap<Vec<Rational>, Rational>) {
        for (hand, chance) in dice(pool, &Meter::unlimited()).unwrap().chances() {
            let mut shown: Vec<Rational> = hand.iter().map(|die| die.shown.clone()).collect();
            shown.sort();
            *all.entry(shown).or_default() += chance * part;
        }
    }

    proptest! {
        #[test]
        fn limited_explosions_agree_with_every_hand(
            count in 0u64..4,
            weights in prop::collection::vec(1u64..3, 1..4),
            from in 1i64..5,
            limit in 0u64..3,
        ) {
            let faces = weights.iter().zip(1..).map(|(weight, face)| (number::whole(face), *weight));
            let when = Condition { op: Comparison::AtLeast, value: number::whole(from) };
            let explode = Stage::Explode {
                trigger: Trigger::When(when),
                style: Style::Separate,
                limit: Some(limit),
            };
            let die = Die::new(faces).unwrap();
            let pool = Pool { groups: vec![(count, Source::Die(die))], stages: vec![explode] };
            let (mut slow, mut fast) = (BTreeMap::new(), BTreeMap::new());
            hands(&pool, &Rational::ONE, &mut slow);
            let sliver = number::ratio(1, Natural::from(9u8));
            let (parts, lost) = by_explosions(&pool, &sliver, &Meter::unlimited()).unwrap().unwrap();
            prop_assert!(lost.is_zero());
            parts.iter().for_each(|(pool, part)| hands(pool, part, &mut fast));
            prop_assert_eq!(fast, slow);
        }
    }
}
