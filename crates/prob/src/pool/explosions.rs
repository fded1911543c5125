//! Dice that explode, told apart by how often they do.
//!
//! `4d6!` throws four dice that end their chains, each on a face that does not fire, and before them K
//! dice on faces that fire, all independent once K is known: a mixture of plain pools, with K a negative
//! binomial number. K is listed until what is left is a sliver; the rest is given up, and said.
//!
//! With a limit of L explosions for each die, a chain that reaches the limit ends with any face. Its last die fires
//! or not as well, so the dice still are some that show faces that fire and some that show others, and nothing
//! is given up: of `n` chains, `c` end on a face that fires, and the others have any number of explosions up to L.
//!
//! Of `4d6!p` each die after the first of its chain shows one less. So it is told how many chains explode at all: their
//! first dice show faces that fire, all later ones one less, and the number of these is a negative binomial number again.
//!
//! So are dice that are thrown again before they explode (`4d6 ro=1 !`): only the first of each chain is.
//!
//! What is done to each die by itself afterwards (`4d6! rr=1`) makes other dice of those that fire and those that do not.

use super::order::binomials;
use super::piece::face_fires;
use super::{Die, Pool, Source, Stage, Style};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural, Rational};
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
    // Dice that are thrown again before they explode: only the first of each chain.
    let before = pool.stages.iter().take_while(|stage| matches!(stage, Stage::Reroll { .. }));
    let (before, rest) = pool.stages.split_at(before.count());
    let Some((Stage::Explode { trigger, style, limit }, later)) = rest.split_first() else {
        return Ok(None);
    };
    let each = later.iter().take_while(|stage| acts_on_shown(stage)).count();
    let (each, later) = later.split_at(each);
    // What is thrown again later would be thrown with the whole die.
    if later.iter().any(super::states::throws) {
        return Ok(None);
    }
    let mut parts = vec![(Vec::new(), Rational::ONE)];
    let mut kept = Rational::ONE;
    for (count, source) in &pool.groups {
        let Source::Die(die) = source else { return Ok(None) };
        let split = |faces: Faces| -> (Faces, Faces) {
            faces.into_iter().partition(|(face, _)| face_fires(trigger, die, face))
        };
        let all = die.faces().to_vec();
        let chains = match (style, limit) {
            (Style::Separate, None) if before.is_empty() => {
                chains(*count, die, split(all), sliver, meter)?
            }
            (Style::Separate, Some(limit)) if before.is_empty() => {
                limited(*count, *limit, split(all), meter)?
            }
            (Style::Separate | Style::Penetrate, None) => {
                let first =
                    before.iter().try_fold(all.clone(), |faces, stage| changed(faces, stage, die));
                let Some(first) = first else { return Ok(None) };
                let less = Rational::from(Integer::from(u8::from(*style == Style::Penetrate)));
                later_alike(*count, (split(first), split(all)), &less, sliver, meter)?
            }
            (Style::Separate | Style::Penetrate, Some(_)) | (Style::Compound, _) => None,
        };
        let chains = chains.map(|chains| after(chains, each, die, meter)).transpose()?.flatten();
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
pub(super) type Faces = Vec<(Rational, Natural)>;

/// Dice with the chance that it is these.
type Chains = Vec<(Vec<(u64, Source)>, Rational)>;

/// Whether a suffix makes something of what a die shows, and of nothing else.
pub(super) fn acts_on_shown(stage: &Stage) -> bool {
    matches!(stage, Stage::Reroll { .. } | Stage::AtLeast(_) | Stage::AtMost(_))
}

/// The dice after suffixes that act on each by itself; none if some are thrown again for ever.
fn after(
    mut chains: Chains,
    stages: &[Stage],
    die: &Die,
    meter: &Meter,
) -> Result<Option<Chains>, OverBudget> {
    if stages.is_empty() {
        return Ok(Some(chains));
    }
    // There are a few dice, in many chains.
    let mut known: Vec<(Die, Die)> = Vec::new();
    for (_, source) in chains.iter_mut().flat_map(|(groups, _)| groups) {
        let Source::Die(before) = source else { return Ok(None) };
        let after = match known.iter().find(|(known, _)| known == before) {
            Some((_, after)) => after.clone(),
            None => {
                meter.charge((stages.len() * die.faces().len()) as u64)?;
                let faces = stages
                    .iter()
                    .try_fold(before.faces().to_vec(), |faces, stage| changed(faces, stage, die));
                let Some(after) = faces.and_then(Die::from_weights) else { return Ok(None) };
                known.push((before.clone(), after.clone()));
                after
            }
        };
        *source = Source::Die(after);
    }
    Ok(Some(chains))
}

/// What faces become by a suffix that acts on each by itself; thrown again is the whole die.
pub(super) fn changed(faces: Faces, stage: &Stage, die: &Die) -> Option<Faces> {
    let (when, once) = match stage {
        Stage::AtLeast(least) => {
            return Some(
                faces.into_iter().map(|(f, weight)| (f.max(least.clone()), weight)).collect(),
            );
        }
        Stage::AtMost(most) => {
            return Some(
                faces.into_iter().map(|(f, weight)| (f.min(most.clone()), weight)).collect(),
            );
        }
        Stage::Reroll { when, once } => (when, once),
        _ => return None,
    };
    let (again, mut stay): (Faces, Faces) = faces.into_iter().partition(|(f, _)| when.holds(f));
    if again.is_empty() {
        return Some(stay);
    }
    let fresh = die.faces().iter().filter(|(face, _)| *once || !when.holds(face));
    let fresh: Faces = fresh.cloned().collect();
    let weight = |faces: &Faces| faces.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
    let (all, mass) = (weight(&fresh), weight(&again));
    (!all.is_zero()).then_some(())?;
    stay.iter_mut().for_each(|(_, weight)| *weight *= &all);
    stay.extend(fresh.into_iter().map(|(face, weight)| (face, weight * &mass)));
    Some(stay)
}

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

/// The same where the first die of a chain differs from those after it, which show so much less: for each number of
/// chains that explode, and of explosions after the first of each.
fn later_alike(
    count: u64,
    (first, later): ((Faces, Faces), (Faces, Faces)),
    less: &Rational,
    sliver: &Rational,
    meter: &Meter,
) -> Result<Option<Chains>, OverBudget> {
    let weight = |faces: &Faces| faces.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
    let fires_of = |(fires, stops): &(Faces, Faces)| {
        let fire = weight(fires);
        number::ratio(fire.clone(), fire + weight(stops))
    };
    let (fire_first, fire) = (fires_of(&first), fires_of(&later));
    let (stay_first, stay) = (Rational::ONE - &fire_first, Rational::ONE - &fire);
    if stay.is_zero() {
        return Ok(None);
    }
    let shown = |faces: Faces| faces.into_iter().map(|(f, weight)| (f - less, weight)).collect();
    let later: [Faces; 2] = [shown(later.0), shown(later.1)];
    let [fires, stops] = [first.0, first.1].map(Die::from_weights);
    let [later_fires, later_stops] = later.map(Die::from_weights);
    let power = |base: &Rational, times: u64| (0..times).fold(Rational::ONE, |all, _| all * base);
    let mut chains = Vec::new();
    for (ways, exploding) in binomials(count, count as usize + 1).zip(0u64..) {
        meter.charge(8 + count)?;
        let others = power(&fire_first, exploding) * power(&stay_first, count - exploding);
        let likely = Rational::from(ways) * others;
        let mut chance = likely.clone() * power(&stay, exploding);
        let mut left = likely;
        for explosions in 0u64.. {
            if chance.is_zero() {
                break;
            }
            meter.charge(8 + count)?;
            left -= &chance;
            let dice = [
                (count - exploding, &stops),
                (exploding, &fires),
                (explosions, &later_fires),
                (exploding, &later_stops),
            ];
            let group = |(count, die): (u64, &Option<Die>)| {
                Some((count, Source::Die(die.as_ref().filter(|_| count > 0)?.clone())))
            };
            chains.push((dice.into_iter().filter_map(group).collect(), chance.clone()));
            if &left * Rational::from(count + 1) < *sliver || chains.len() as u64 > MOST {
                break;
            }
            chance = chance
                * &fire
                * number::ratio(exploding + explosions, Natural::from(explosions + 1));
        }
    }
    Ok((chains.len() as u64 <= MOST).then_some(chains))
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

        #[test]
        fn chains_of_any_length_agree_with_their_beginnings(
            count in 1u64..3,
            sides in 2u64..4,
            penetrates: bool,
            later in 0usize..5,
            again: bool,
        ) {
            // With a limit that is never met below the sliver, all that is listed is the same, but for what is lost.
            let (op, value) = (Comparison::Equal, number::whole(1));
            let later = match later {
                0 => vec![],
                1 => vec![Stage::Reroll { when: Condition { op, value }, once: true }],
                2 => vec![Stage::Reroll { when: Condition { op, value }, once: false }],
                3 => vec![Stage::AtLeast(number::whole(2)), Stage::Keep(super::super::End::Highest, 1)],
                _ => vec![Stage::AtMost(number::whole(2)), Stage::Reroll { when: Condition { op, value }, once: true }],
            };
            let style = if penetrates { Style::Penetrate } else { Style::Separate };
            let pool = |limit| {
                let explode = Stage::Explode { trigger: Trigger::Highest, style, limit };
                let die = Die::fair(sides, &Meter::unlimited()).unwrap().unwrap();
                let when = Condition { op, value: number::whole(1) };
                let first = again.then_some(Stage::Reroll { when, once: true });
                let stages = first.into_iter().chain([explode]).chain(later.clone()).collect();
                Pool { groups: vec![(count, Source::Die(die))], stages }
            };
            let (mut slow, mut fast) = (BTreeMap::new(), BTreeMap::new());
            hands(&pool(Some(7)), &Rational::ONE, &mut slow);
            let sliver = number::ratio(1, Natural::from(9u8));
            let (parts, lost) =
                by_explosions(&pool(None), &sliver, &Meter::unlimited()).unwrap().unwrap();
            prop_assert!(!lost.is_zero() && lost < sliver);
            parts.iter().for_each(|(pool, part)| hands(pool, part, &mut fast));
            let all = fast.values().fold(Rational::ZERO, |sum, part| sum + part);
            prop_assert_eq!(all + lost, Rational::ONE);
            // What is listed has at most so many explosions in all that no chain meets the limit.
            for (hand, part) in &fast {
                prop_assert!(slow.get(hand).is_some_and(|whole| part <= whole), "{:?}", hand);
            }
        }
    }
}
