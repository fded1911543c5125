//! What lies beyond the outcomes that are listed of an endless number.
//!
//! ```text
//! d6!      1, 2, … up to 107 are listed; beyond: 109 or more, with a chance of 6^-18, and by 3.2 more in the mean
//! ```
//!
//! What is listed of a number is complete up to some value. How likely it is that more comes than that, and how much more in the
//! mean, is known of the law: so what depends on it in a straight line is known exactly, although nobody lists it.

use astragal_prob::{Comparison, Law, Meter, OverBudget, Rational};
use rustc_hash::FxHashMap;

/// More of a number than is listed, on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Beyond {
    /// What it is at least; at most, if it lies below what is listed.
    pub nearest: Rational,
    /// Whether it lies above what is listed.
    pub is_above: bool,
    /// The chance of it.
    pub chance: Rational,
    /// How far it lies beyond the nearest in the mean.
    pub mean: Rational,
    /// Whether it is the total of dice that lie on the table, none of which shows less than 0.
    pub of_dice: bool,
}

/// What is not listed of a law; none if that is not known on each side.
pub(super) fn beyond(
    law: &Law,
    listed: &[(Rational, Rational)],
    lost: &Rational,
    meter: &Meter,
) -> Result<Option<Vec<Beyond>>, OverBudget> {
    let mut own: FxHashMap<&Rational, Rational> = FxHashMap::default();
    for (value, chance) in listed {
        *own.entry(value).or_insert(Rational::ZERO) += chance;
    }
    let ends = (own.keys().min(), own.keys().max());
    let (Some(first), Some(last)) = ends else { return Ok(None) };
    let all = law.within(Some(first), Some(last), meter)?;
    let exact = |weight| Rational::from(weight) / Rational::from(all.total.clone());
    let is_complete =
        |(value, weight): &(Rational, _)| own.get(value) == Some(&exact(Clone::clone(weight)));
    // From the likeliest on, as far as everything is listed.
    let likeliest = (0..all.outcomes.len()).max_by_key(|at| &all.outcomes[*at].1);
    let Some(middle) = likeliest.filter(|at| is_complete(&all.outcomes[*at])) else {
        return Ok(None);
    };
    let more = all.outcomes[middle..].iter().take_while(|outcome| is_complete(outcome)).count();
    let less = all.outcomes[..middle].iter().rev().take_while(|o| is_complete(o)).count();
    let complete = &all.outcomes[middle - less..middle + more];
    let mut found = Vec::new();
    let mut left = lost.clone();
    for (is_above, end) in [(false, complete.first()), (true, complete.last())] {
        let Some((end, _)) = end else { continue };
        let is_beyond = |value: &Rational| if is_above { value > end } else { value < end };
        let comparison = if is_above { Comparison::Greater } else { Comparison::Less };
        let [(mut chance, tail), _] = law.split(comparison, end, meter)?;
        let Some(tail) = tail else { continue };
        let mut moment = tail.mean() * &chance;
        for (value, own) in listed.iter().filter(|(value, _)| is_beyond(value)) {
            moment -= value * own;
            chance -= own;
        }
        if chance.is_zero() {
            continue;
        }
        left -= &chance;
        let step = Rational::from(u8::from(law.is_whole()));
        let nearest = if is_above { end + step } else { end - step };
        let mean = moment / &chance - &nearest;
        let mean = if is_above { mean } else { -mean };
        found.push(Beyond { nearest, is_above, chance, mean, of_dice: false });
    }
    Ok((left.is_zero() && !found.is_empty()).then_some(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_of_an_exploding_coin() {
        // How many heads come before the first tail.
        let meter = Meter::unlimited();
        let half = Rational::ONE / Rational::from(2u8);
        let law = Law::geometric(&half, &meter).expect("it is a law");
        let part = |by: u32| Rational::ONE / Rational::from(1u64 << by);
        let listed: Vec<(Rational, Rational)> =
            (0..4u32).map(|heads| (Rational::from(heads), part(heads + 1))).collect();
        let found = beyond(&law, &listed, &part(4), &meter).expect("it is cheap");
        let expected = Beyond {
            nearest: Rational::from(4),
            is_above: true,
            chance: part(4),
            mean: Rational::ONE,
            of_dice: false,
        };
        assert_eq!(found, Some(vec![expected.clone()]));
        // A value that is listed beyond a gap is no part of what is missing.
        let with_gap: Vec<_> =
            listed.iter().filter(|(value, _)| *value != Rational::from(2)).cloned().collect();
        let found = beyond(&law, &with_gap, &(part(4) + part(3)), &meter).expect("it is cheap");
        let found = found.expect("it is known");
        assert_eq!(found[0].nearest, Rational::from(2));
        assert_eq!(found[0].chance, part(4) + part(3));
    }
}
