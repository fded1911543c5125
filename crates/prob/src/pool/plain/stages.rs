//! Stages that leave a die one die, on faces and weights in machine words.

use super::super::{Condition, PoolError, Stage, Style, Trigger};
use super::{Faces, Limit};
use crate::meter::Meter;
use crate::number;
use crate::words::gcd;

/// What a die may be after some stages: the face it was thrown with, what it shows, its weight.
pub(super) type Pieces = Vec<(i64, i64, u64)>;

/// What one die shows after the stages; `None` if that is endless or not small.
pub(super) fn after_all(
    die: &[(i64, u64)],
    stages: &[Stage],
    meter: &Meter,
) -> Result<Option<Faces>, PoolError> {
    if stages.is_empty() {
        meter.charge(die.len() as u64)?;
        return Ok(Some(die.to_vec()));
    }
    let Some(mut pieces) = pieces_after(die, stages, meter)? else { return Ok(None) };
    pieces.sort_unstable_by_key(|(_, shown, _)| *shown);
    let mut faces: Faces = Vec::with_capacity(pieces.len());
    for (_, shown, weight) in pieces {
        match faces.last_mut() {
            Some((last, sum)) if *last == shown => match sum.checked_add(weight) {
                Some(more) => *sum = more,
                None => return Ok(None),
            },
            _ => faces.push((shown, weight)),
        }
    }
    Ok(Some(faces))
}

/// The same with the face that was thrown.
pub(super) fn pieces_after(
    die: &[(i64, u64)],
    stages: &[Stage],
    meter: &Meter,
) -> Result<Option<Pieces>, PoolError> {
    let mut pieces: Pieces = die.iter().map(|(face, weight)| (*face, *face, *weight)).collect();
    for stage in stages {
        meter.charge((pieces.len() + die.len()) as u64)?;
        let next = match stage {
            Stage::Reroll { when, once } => rerolled(&pieces, die, when, *once),
            Stage::AtLeast(bound) => clamped(&pieces, bound, i64::max),
            Stage::AtMost(bound) => clamped(&pieces, bound, i64::min),
            Stage::Explode { trigger, style: Style::Compound, limit: Some(limit) } => {
                compounded(&pieces, die, trigger, *limit, meter)?
            }
            _ => None,
        };
        match next {
            Some(next) => pieces = next,
            None => return Ok(None),
        }
    }
    Ok(Some(pieces))
}

fn rerolled(pieces: &Pieces, die: &[(i64, u64)], when: &Condition, once: bool) -> Option<Pieces> {
    let when = Limit::of(when)?;
    let fresh = || die.iter().filter(|(face, _)| once || !when.holds(*face));
    let mass = fresh().map(|(_, weight)| u128::from(*weight)).sum::<u128>();
    // A die of which every face is thrown again is another's business.
    if mass == 0 {
        return None;
    }
    let stay = pieces.iter().filter(|(_, shown, _)| !when.holds(*shown));
    let fired = pieces.iter().filter(|(_, shown, _)| when.holds(*shown));
    let fired = fired.map(|(.., weight)| u128::from(*weight)).sum::<u128>();
    let mut next = Vec::with_capacity(pieces.len() + die.len());
    for (thrown, shown, weight) in stay {
        next.push((*thrown, *shown, u128::from(*weight).checked_mul(mass)?));
    }
    if fired > 0 {
        for (face, weight) in fresh() {
            next.push((*face, *face, u128::from(*weight).checked_mul(fired)?));
        }
    }
    reduced(next)
}

fn clamped(
    pieces: &Pieces,
    bound: &number::Rational,
    clamp: impl Fn(i64, i64) -> i64,
) -> Option<Pieces> {
    let bound = number::to_i64(bound)?;
    let moved = pieces
        .iter()
        .map(|(thrown, shown, weight)| (*thrown, clamp(*shown, bound), u128::from(*weight)));
    reduced(moved.collect())
}

/// Whether a trigger fires on a die that shows something and was thrown with something.
pub(super) fn fires(trigger: &Trigger, die: &[(i64, u64)]) -> Option<impl Fn(i64, i64) -> bool> {
    let highest = die.last()?.0;
    let when = match trigger {
        Trigger::Highest => None,
        Trigger::When(condition) => Some(Limit::of(condition)?),
    };
    Some(move |thrown, shown| match when {
        None => thrown == highest,
        Some(when) => when.holds(shown),
    })
}

/// What a chain of at most `limit` further throws adds up to: `chain = stop + fire·chain`, by length.
fn compounded(
    pieces: &Pieces,
    die: &[(i64, u64)],
    trigger: &Trigger,
    limit: u64,
    meter: &Meter,
) -> Result<Option<Pieces>, PoolError> {
    let Some(fires) = fires(trigger, die) else { return Ok(None) };
    let total: u128 = die.iter().map(|(_, weight)| u128::from(*weight)).sum();
    let mut chain: Vec<(i64, u128)> = vec![(0, 1)];
    let mut scale: u128 = 1;
    for _ in 0..limit {
        meter.charge_product(chain.len(), die.len(), 0)?;
        let mut longer: Vec<(i64, u128)> = Vec::with_capacity(chain.len() + die.len());
        for (face, weight) in die {
            let weight = u128::from(*weight);
            let mut add = |value: i64, times: u128| {
                let product = weight.checked_mul(times);
                product.map(|product| longer.push((value, product))).is_some()
            };
            let fits = if fires(*face, *face) {
                chain.iter().all(|(value, times)| add(face + value, *times))
            } else {
                add(*face, scale)
            };
            if !fits {
                return Ok(None);
            }
        }
        longer.sort_unstable_by_key(|(value, _)| *value);
        longer.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        chain = longer;
        let Some(more) = scale.checked_mul(total) else { return Ok(None) };
        scale = more;
    }
    let mut next = Vec::with_capacity(pieces.len() + chain.len());
    for (thrown, shown, weight) in pieces {
        let weight = u128::from(*weight);
        let mut add = |value: i64, times: u128| {
            let product = weight.checked_mul(times);
            product.map(|product| next.push((*thrown, value, product))).is_some()
        };
        let fits = if fires(*thrown, *shown) {
            chain.iter().all(|(value, times)| add(shown + value, *times))
        } else {
            add(*shown, scale)
        };
        if !fits {
            return Ok(None);
        }
    }
    Ok(reduced(next))
}

/// Equal pieces in one, with weights that have no common divisor; `None` if they are not small.
fn reduced(mut pieces: Vec<(i64, i64, u128)>) -> Option<Pieces> {
    pieces.sort_unstable_by_key(|(thrown, shown, _)| (*thrown, *shown));
    let mut joined: Vec<(i64, i64, u128)> = Vec::with_capacity(pieces.len());
    for (thrown, shown, weight) in pieces {
        match joined.last_mut() {
            Some((t, s, sum)) if (*t, *s) == (thrown, shown) => *sum = sum.checked_add(weight)?,
            _ => joined.push((thrown, shown, weight)),
        }
    }
    let mut common = 0;
    for (.., weight) in &joined {
        common = gcd(common, *weight);
        if common == 1 {
            break;
        }
    }
    let small = |(thrown, shown, weight): (i64, i64, u128)| {
        let value = i32::try_from(shown).ok()?;
        Some((thrown, i64::from(value), u64::try_from(weight / common.max(1)).ok()?))
    };
    joined.into_iter().map(small).collect()
}
