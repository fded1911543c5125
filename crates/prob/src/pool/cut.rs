//! Endless dice for which no closed form is known: cut, with the chance given up.
//!
//! `3d10!! kl2` keeps the lowest of dice that can show any number. Each die is listed until what remains is below a
//! sliver, and read as a die with so many faces; the chance that any of them goes beyond is given up, and the caller is
//! told so.

use super::explosions::{Faces, Parts, acts_on_shown, by_explosions, changed};
use super::{Die, End, Pool, Reading, Source, Stage, Style, read};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;

/// The pool with its endless dice cut, so that less than a sliver of each is left out, and the chance that is given up.
/// None if it has none that can be cut one by one, and none that grow.
fn cut(pool: &Pool, sliver: &Rational, meter: &Meter) -> Option<(Pool, Rational)> {
    let head = pool.stages.iter().position(compounds).map_or(0, |at| at + 1);
    let (head, tail) = pool.stages.split_at(head);
    let each = tail.iter().take_while(|stage| acts_on_shown(stage)).count();
    // What clamps a number can stay where it is.
    let again = tail[..each].iter().rposition(Stage::throws).map_or(0, |at| at + 1);
    let (again, tail) = tail.split_at(again);
    if tail.iter().any(Stage::throws) || head.iter().any(multiplies) {
        return None;
    }
    let mut groups = Vec::new();
    let mut stays = Rational::ONE;
    for (count, source) in &pool.groups {
        let one = Pool { groups: vec![(1, source.clone())], stages: head.to_vec() };
        let law = match source {
            // What a die grows to is read die by die: of several that lie there, only if nothing is thrown.
            Source::Fixed(_, Some(_)) if !head.is_empty() => return None,
            Source::Fixed(..) | Source::Total(_) if !again.is_empty() => return None,
            Source::Fixed(..) => {
                groups.push((*count, source.clone()));
                continue;
            }
            Source::Total(law) if head.is_empty() => law.clone(),
            Source::Die(_) | Source::Total(_) => read(&one, &Reading::Sum, meter).ok()?,
        };
        let (law, rest) = shortened(&law, sliver, meter)?;
        let law = match source {
            Source::Die(die) if !again.is_empty() => thrown_again(&law, again, die, meter)?,
            _ => law,
        };
        groups.push((*count, Source::Total(law)));
        stays *= (0..*count).fold(Rational::ONE, |stays, _| stays * (Rational::ONE - &rest));
    }
    let lost = Rational::ONE - stays;
    (!lost.is_zero() || !head.is_empty()).then(|| (Pool { groups, stages: tail.to_vec() }, lost))
}

/// The law of a die that is thrown again where it shows what suffixes say, then as it is.
fn thrown_again(law: &Law, stages: &[Stage], die: &Die, meter: &Meter) -> Option<Law> {
    let table = law.as_table()?;
    meter.charge((stages.len() * (table.count() + die.faces().len())) as u64).ok()?;
    let faces: Faces = table.outcomes().map(|(face, weight)| (face, weight.clone())).collect();
    Law::from_weights(stages.iter().try_fold(faces, |faces, stage| changed(faces, stage, die))?)
}

/// The pool with dice that grow to one number each as such numbers; none if it has none, or they have no end.
pub fn grown(pool: &Pool, meter: &Meter) -> Option<Pool> {
    pool.stages.iter().any(compounds).then_some(())?;
    let (pool, lost) = cut(pool, &Rational::ONE, meter)?;
    lost.is_zero().then_some(pool)
}

/// Plain pools in place of one whose dice explode or have no end, each with its chance, and the chance that is given
/// up. None if there are no such dice.
pub fn in_parts(
    pool: &Pool,
    sliver: &Rational,
    meter: &Meter,
) -> Result<Option<Parts>, OverBudget> {
    if let Some(parts) = by_explosions(pool, sliver, meter)? {
        return Ok(Some(parts));
    }
    let cut = cut(pool, sliver, meter);
    Ok(cut.map(|(pool, lost)| (vec![(pool, Rational::ONE - &lost)], lost)))
}

/// Several pools at once, each case with its chance.
pub type AllParts = (Vec<(Vec<Pool>, Rational)>, Rational);

/// The same for several pools. None if none of them has such dice.
pub fn all_in_parts(
    pools: &[Pool],
    sliver: &Rational,
    meter: &Meter,
) -> Result<Option<AllParts>, OverBudget> {
    let mut parts = vec![(Vec::new(), Rational::ONE)];
    let (mut stays, mut told) = (Rational::ONE, false);
    for pool in pools {
        let cases = in_parts(pool, sliver, meter)?;
        told |= cases.is_some();
        let (cases, lost) =
            cases.unwrap_or_else(|| (vec![(pool.clone(), Rational::ONE)], Rational::ZERO));
        stays *= Rational::ONE - lost;
        meter.charge((parts.len() * cases.len()) as u64)?;
        let more = parts.iter().flat_map(|(pools, chance)| {
            cases.iter().map(move |(pool, part)| {
                ([pools.as_slice(), std::slice::from_ref(pool)].concat(), chance * part)
            })
        });
        parts = more.collect();
    }
    Ok(told.then(|| (parts, Rational::ONE - stays)))
}

impl Source {
    /// The same die, which is not to be thrown again.
    #[must_use]
    pub fn frozen(self) -> Source {
        match &self {
            Source::Die(die) => {
                let law = Law::from_weights(die.faces().iter().cloned());
                law.map_or(self, Source::Total)
            }
            Source::Total(_) | Source::Fixed(_, None) => self,
            Source::Fixed(dice, Some(_)) => Source::Fixed(dice.clone(), None),
        }
    }
}

/// The better or the worse of totals, `{d4!, d6}kh1`: exact while at most one of them is endless.
pub fn best_total(pool: &Pool, reading: &Reading, meter: &Meter) -> Option<Law> {
    let highest = match (reading, pool.stages.as_slice()) {
        (Reading::Sum, [Stage::Keep(End::Highest, 1)]) => true,
        (Reading::Sum, [Stage::Keep(End::Lowest, 1)]) => false,
        _ => return None,
    };
    let mut best: Option<Law> = None;
    for (count, source) in &pool.groups {
        let (1, Source::Total(law)) = (count, source) else { return None };
        best = Some(match best {
            None => law.clone(),
            Some(known) if highest => known.max(law, meter).ok()?,
            Some(known) => known.min(law, meter).ok()?,
        });
    }
    best
}

/// A finite law that leaves out less than a sliver, and what it leaves out.
fn shortened(law: &Law, sliver: &Rational, meter: &Meter) -> Option<(Law, Rational)> {
    if !law.is_endless() {
        return Some((law.clone(), Rational::ZERO));
    }
    let listing = law.listing(sliver, None, meter).ok()?;
    let mass = Rational::ONE - &listing.rest;
    let outcomes = listing.outcomes.into_iter().map(|(value, chance)| (value, chance / &mass));
    Some((Law::from_chances(outcomes.collect())?, listing.rest))
}

fn compounds(stage: &Stage) -> bool {
    matches!(stage, Stage::Explode { style: Style::Compound, .. })
}

/// Whether a suffix makes several dice of one, or looks at all dice together.
fn multiplies(stage: &Stage) -> bool {
    match stage {
        Stage::Explode { style, .. } => *style != Style::Compound,
        Stage::InAll { .. } | Stage::Keep(..) | Stage::Drop(..) => true,
        Stage::Unique | Stage::Drawn => true,
        Stage::Reroll { .. } | Stage::AtLeast(_) | Stage::AtMost(_) => false,
    }
}
