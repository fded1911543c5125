//! Dice that explode without end, told apart by how often they do.
//!
//! `4d6!` throws four dice that end their chains, each on a face that does not fire, and before them K
//! dice on faces that fire, all independent once K is known: a mixture of plain pools, with K a negative
//! binomial number. K is listed until what is left is a sliver; the rest is given up, and said.

use super::piece::face_fires;
use super::{Die, Pool, Source, Stage, Style, Trigger};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};

/// Plain pools with their chances, and the chance that is given up.
pub type Parts = (Vec<(Pool, Rational)>, Rational);

/// A pool whose first suffix is an unlimited explosion as plain pools; less than `sliver` is given up
/// for each group of dice. None if it is not such a pool.
pub fn by_explosions(
    pool: &Pool,
    sliver: &Rational,
    meter: &Meter,
) -> Result<Option<Parts>, OverBudget> {
    let Some((Stage::Explode { trigger, style: Style::Separate, limit: None }, later)) =
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
        let Some(chains) = chains(*count, die, trigger, sliver, meter)? else { return Ok(None) };
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

/// The dice of a group for each number of explosions, with the chance of that number.
#[expect(clippy::type_complexity, reason = "groups with their chances")]
fn chains(
    count: u64,
    die: &Die,
    trigger: &Trigger,
    sliver: &Rational,
    meter: &Meter,
) -> Result<Option<Vec<(Vec<(u64, Source)>, Rational)>>, OverBudget> {
    let faces = die.faces().iter().cloned();
    let (fires, stops): (Vec<_>, Vec<_>) =
        faces.partition(|(face, _)| face_fires(trigger, die, face));
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
