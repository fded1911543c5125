//! Dice of one throw in their order: `1@4d6`, `[highest 3 of 4d6]`.

use std::collections::{BTreeMap, BTreeSet};

use astragal_prob::pool::{Die as PoolDie, End, Pool, PoolError, Reading, Source, Stage, read};
use astragal_prob::{Integer, Law, Meter, Natural, OverBudget, Rational};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use crate::fault::Ran;
use crate::make::law_of;
use crate::value::{Die, Throw, faces, power};

/// The sum of the highest, or lowest, of several kinds of dice thrown together.
pub(crate) fn keep(dice: &[&Die], count: u64, end: End, meter: &Meter) -> Ran<Throw> {
    let (pool, mass) = pool(dice, vec![Stage::Keep(end, count)], meter)?;
    if pool.groups.len() < dice.len() {
        return Ok(Throw::nothing());
    }
    // A pool pays for every place between its faces; where they lie far apart, only the faces are gone through.
    let law = match read(&pool, &Reading::Sum, meter) {
        Ok(law) => Some(law),
        Err(PoolError::OverBudget(OverBudget::Steps | OverBudget::Memory)) => {
            law_of(of_several(dice, count, end, meter)?)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Throw { law, mass })
}

/// The sum of the dice kept of several kinds, face by face: so many of each kind lie already, and what is kept of them adds
/// up to that.
fn of_several(dice: &[&Die], keep: u64, end: End, meter: &Meter) -> Ran<Vec<(Integer, Natural)>> {
    let counts: Vec<usize> =
        dice.iter().map(|die| usize::try_from(die.count()).unwrap_or(usize::MAX)).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    meter.room(most as u64)?;
    let ways = binomials(most, meter)?;
    let laws: Vec<BTreeMap<Integer, Natural>> = dice
        .iter()
        .map(|die| {
            let law = die.each().law.iter();
            law.flat_map(faces).map(|(face, weight)| (face, weight.clone())).collect()
        })
        .collect();
    let all: BTreeSet<&Integer> = laws.iter().flat_map(BTreeMap::keys).collect();
    let mut order: Vec<&Integer> = all.into_iter().collect();
    if end == End::Highest {
        order.reverse();
    }
    let mut lying: FxHashMap<(Vec<usize>, Integer), Natural> = FxHashMap::default();
    lying.insert((vec![0; dice.len()], Integer::ZERO), Natural::ONE);
    for face in order {
        // Kind by kind: how many show this face; those that still count are added.
        for (kind, law) in laws.iter().enumerate() {
            let Some(weight) = law.get(face) else { continue };
            let powers = powers(weight, counts[kind], meter)?;
            let mut next: FxHashMap<(Vec<usize>, Integer), Natural> = FxHashMap::default();
            for ((placed, sum), weight) in lying {
                let left = counts[kind] - placed[kind];
                let before: usize = placed.iter().sum();
                meter.charge(20 * (left as u64 + 1))?;
                for more in 0..=left {
                    let mut placed = placed.clone();
                    placed[kind] += more;
                    let kept = (before + more).min(keep as usize).saturating_sub(before);
                    let sum = &sum + face * Integer::from(kept);
                    let weight = &weight * &ways[left][more] * &powers[more];
                    *next.entry((placed, sum)).or_default() += weight;
                }
            }
            meter.room(next.len() as u64 * 200)?;
            lying = next;
        }
    }
    let done = lying.into_iter().filter(|((placed, _), _)| *placed == counts);
    let mut ends: BTreeMap<Integer, Natural> = BTreeMap::new();
    done.for_each(|((_, sum), weight)| *ends.entry(sum).or_default() += weight);
    Ok(ends.into_iter().collect())
}

/// Dice as a pool, and the chance that all of them show something. Dice without faces are left out.
fn pool(dice: &[&Die], stages: Vec<Stage>, meter: &Meter) -> Ran<(Pool, Rational)> {
    let mut groups = Vec::new();
    let mut mass = Rational::ONE;
    for die in dice {
        let law = die.each().law.as_ref();
        let faces = law.and_then(Law::as_table).map(|table| table.outcomes());
        let faces = faces.into_iter().flatten().map(|(face, weight)| (face, weight.clone()));
        groups.extend(PoolDie::bag(faces).map(|each| (die.count(), Source::Die(each))));
        mass *= power(&die.each().mass, die.count(), meter)?;
    }
    Ok((Pool { groups, stages }, mass))
}

/// The places that are picked at all.
fn places(times: &[u64]) -> Vec<usize> {
    times.iter().enumerate().filter(|(_, times)| **times > 0).map(|(at, _)| at).collect()
}

/// The sum of the dice at these places, from the highest; each place as often as it is given.
pub(crate) fn picked(die: &Die, times: &[u64], meter: &Meter) -> Ran<Throw> {
    let Some(law) = &die.each().law else { return Ok(Throw::nothing()) };
    let taken = times.iter().filter(|times| **times > 0).count();
    let once = times.iter().all(|times| *times <= 1);
    let run =
        |places: &mut dyn Iterator<Item = &u64>| places.take_while(|times| **times == 1).count();
    if taken == 0 {
        return Ok(Throw::constant(Integer::ZERO));
    }
    if let ([at], true) = (places(times).as_slice(), once) {
        let (pool, mass) = pool(&[die], Vec::new(), meter)?;
        let law = read(&pool, &Reading::NthHighest(*at as u64 + 1), meter)?;
        return Ok(Throw { law: Some(law), mass });
    }
    if once && run(&mut times.iter()) == taken {
        return keep(&[die], taken as u64, End::Highest, meter);
    }
    if once && run(&mut times.iter().rev()) == taken {
        return keep(&[die], taken as u64, End::Lowest, meter);
    }
    let summed = by_faces(law, times, meter)?;
    let mass = power(&die.each().mass, die.count(), meter)?;
    Ok(Throw { law: law_of(summed), mass })
}

/// Face by face from the highest: so many dice lie already, and what is picked of them adds up to that.
fn by_faces(law: &Law, times: &[u64], meter: &Meter) -> Ran<Vec<(Integer, Natural)>> {
    let dice = times.len();
    let mut picks = vec![0_u64];
    picks.extend(times.iter().scan(0, |sum, times| {
        *sum += times;
        Some(*sum)
    }));
    let rows = binomials(dice, meter)?;
    let mut lying: Vec<FxHashMap<Integer, Natural>> = vec![FxHashMap::default(); dice + 1];
    lying[0].insert(Integer::ZERO, Natural::ONE);
    let mut faces: Vec<(Integer, Natural)> =
        faces(law).map(|(face, weight)| (face, weight.clone())).collect();
    faces.reverse();
    for (face, weight) in faces {
        let powers = powers(&weight, dice, meter)?;
        // Those with more dice first: they are not counted twice.
        for from in (0..dice).rev() {
            let sums: Vec<(Integer, Natural)> =
                lying[from].iter().map(|(sum, ways)| (sum.clone(), ways.clone())).collect();
            let bits = powers[dice - from].bit_len() as u64;
            meter.charge((sums.len() * (dice - from)) as u64 * (10 + bits / 32))?;
            for more in 1..=dice - from {
                let added = &face * Integer::from(picks[from + more] - picks[from]);
                let factor = &rows[dice - from][more] * &powers[more];
                for (sum, ways) in &sums {
                    *lying[from + more].entry(sum + &added).or_default() += ways * &factor;
                }
            }
        }
    }
    let mut ends: Vec<(Integer, Natural)> = std::mem::take(&mut lying[dice]).into_iter().collect();
    ends.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(ends)
}

/// In how many ways some of so many dice are chosen.
pub(crate) fn binomials(most: usize, meter: &Meter) -> Result<Vec<Vec<Natural>>, OverBudget> {
    meter.charge((most as u64).saturating_mul(most as u64))?;
    meter.room((most as u64).saturating_mul(most as u64).saturating_mul(32))?;
    let mut rows = vec![vec![Natural::ONE]];
    for size in 1..=most {
        let above = &rows[size - 1];
        let inner = (1..size).map(|at| &above[at - 1] + &above[at]);
        let row = std::iter::once(Natural::ONE).chain(inner).chain([Natural::ONE]).collect();
        rows.push(row);
    }
    Ok(rows)
}

/// 1, w, w², …
pub(crate) fn powers(
    weight: &Natural,
    most: usize,
    meter: &Meter,
) -> Result<Vec<Natural>, OverBudget> {
    meter.charge((most as u64).saturating_mul(1 + weight.bit_len() as u64 * most as u64 / 4096))?;
    let mut powers = vec![Natural::ONE];
    for at in 0..most {
        let next = &powers[at] * weight;
        powers.push(next);
    }
    Ok(powers)
}
