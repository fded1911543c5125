//! Ranks of different dice that are alike as far as they go: d4, d6 and d12 in one pool.
//!
//! A d12 that shows at most 6 is a d6. So going down the values, dice of which nothing has been seen yet are all of one
//! kind, however many kinds there are: at the value `v` these are the dice that can show it at all, without those that
//! showed more. A state is how many dice have been seen, and carries a polynomial of what the counted ones among them
//! are worth; with `A` dice that can show `v`, of which `s` have been seen,
//!
//! ```text
//! h_{s+c}  gains  C(A−s, c) w^c x^{worth of the counted ones} h_s                     while s + c < b
//! sum      gains  h_s x^{…} Σ_{c ≥ b−s} C(A−s, c) w^c W^{A−s−c} · Π (all of the lesser dice)
//! ```
//!
//! where the ranks from `a` to before `b` count, from the top, `w` is the weight of `v` and `W` that of all below. A
//! factor is a number, so a step is a sum of long numbers side by side ([`Rows`]). Worths are counted down from that of
//! the highest value, which keeps the polynomials short. A fair die of any size is alike any other; so are weighted
//! ones whose weights are in the same proportions.

use super::order::{Ranked, binomials};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};
use crate::rows::{Limbs, Rows};
use dashu_base::BitTest;

/// Dice that are alike as far as they go.
pub(crate) struct Nested {
    /// For each value its weight, that of all values below it, and how much less it is worth than the highest.
    values: Vec<Value>,
    /// For each kind of dice how many there are, and how many values they have.
    kinds: Vec<(u64, usize)>,
    bits: usize,
    count: usize,
}

struct Value {
    weight: Natural,
    below: Natural,
    less: usize,
    /// How many dice can show it.
    dice: usize,
}

/// The law of the summed worth of the dice at the ranks from `a` to before `b`, counted from the lowest; none if the
/// dice are not alike as far as they go.
pub(crate) fn at_range(
    pool: &Ranked,
    (a, b): (u64, u64),
    meter: &Meter,
) -> Result<Option<Law>, OverBudget> {
    let Some(nested) = Nested::of(pool) else { return Ok(None) };
    let sized = |number: u64| usize::try_from(number).map_err(|_| OverBudget::Steps);
    let (a, b) = (sized(a)?, sized(b)?);
    let weights = nested.kept(nested.count - b, nested.count - a, meter)?;
    let offset = &pool.lowest * Rational::from((b - a) as u64);
    let table = Table::on_lattice(offset.clone(), pool.step.clone(), weights);
    Ok(Some(Law::Finite(table.unwrap_or_else(|| Table::constant(offset)))))
}

impl Nested {
    /// None if the dice are not so, or their worths go down somewhere.
    pub(crate) fn of(pool: &Ranked) -> Option<Nested> {
        if pool.worths.windows(2).any(|pair| pair[0] > pair[1]) {
            return None;
        }
        let size = |weights: &[Natural]| {
            weights.iter().rposition(|weight| !weight.is_zero()).map_or(0, |last| last + 1)
        };
        let longest = pool.groups.iter().max_by_key(|group| size(&group.weights))?;
        let (weights, top) = (&longest.weights, *pool.worths.last()?);
        let mut kinds = Vec::with_capacity(pool.groups.len());
        for group in &pool.groups {
            let values = size(&group.weights);
            let (own, its) = (group.weights.get(values.checked_sub(1)?)?, &weights[values - 1]);
            let alike = |(a, b): (&Natural, &Natural)| a * its == b * own;
            // A value that only the lesser dice have is one that the others do not pass through.
            if its.is_zero() || !group.weights[..values].iter().zip(weights).all(alike) {
                return None;
            }
            kinds.push((group.count, values));
        }
        let count = usize::try_from(pool.count()).ok()?;
        let mut below = Natural::ZERO;
        let mut values = Vec::with_capacity(weights.len());
        for (at, weight) in weights.iter().enumerate() {
            let dice = kinds.iter().filter(|(_, values)| *values > at).map(|(count, _)| *count);
            let dice = usize::try_from(dice.sum::<u64>()).ok()?;
            let less = top - pool.worths[at];
            values.push(Value { weight: weight.clone(), below: below.clone(), less, dice });
            below += weight;
        }
        let bits = kinds.iter().map(|(count, size)| {
            let last = &values[size - 1];
            (&last.below + &last.weight).bit_len().saturating_mul(*count as usize)
        });
        let bits = bits.fold(1, usize::saturating_add);
        Some(Nested { values, kinds, bits, count })
    }

    /// The weights by what the dice at the ranks from `a` to before `b` are worth, counted from the top; in steps
    /// above as many times the least worth.
    pub(crate) fn kept(
        &self,
        a: usize,
        b: usize,
        meter: &Meter,
    ) -> Result<Vec<Natural>, OverBudget> {
        let price = self.price(a, b);
        meter.afford(price.saturating_mul(self.values.len() as u64))?;
        let span = self.values.first().map_or(0, |value| value.less);
        let mut sum = Rows::zeros((b - a) * span + 1, self.bits);
        let mut seen: Vec<Option<Rows>> = (0..b).map(|_| None).collect();
        if let Some(none) = seen.first_mut() {
            let mut one = Rows::with_room(1, self.bits);
            one.push(&Natural::ONE);
            *none = Some(one);
        }
        let counted = |seen: usize| seen.saturating_sub(a);
        for (place, value) in self.values.iter().enumerate().rev() {
            if value.weight.is_zero() {
                continue;
            }
            meter.charge(price)?;
            let lesser = self.lesser(place);
            // From the most dice seen on, so that what is added now is not taken up at once.
            for s in (0..b.min(value.dice + 1)).rev() {
                let Some(before) = seen[s].take() else { continue };
                let left = value.dice - s;
                let mut ways: Vec<Natural> = binomials(left as u64, left + 1).collect();
                let mut power = Natural::ONE;
                for ways in &mut ways {
                    *ways *= &power;
                    power *= &value.weight;
                }
                let enough = b - s;
                if left >= enough {
                    let shift = (counted(b) - counted(s)) * value.less;
                    let end = at_least(&ways, enough, &value.below) * &lesser;
                    sum.add_multiple(&before, shift, &Limbs::of(&end));
                }
                for (c, ways) in ways.iter().enumerate().take(enough).skip(1) {
                    let shift = (counted(s + c) - counted(s)) * value.less;
                    let longest = counted(s + c) * value.less + 1;
                    let target = seen[s + c].take();
                    let mut target = grown(target, longest.max(before.len() + shift), self.bits);
                    target.add_multiple(&before, shift, &Limbs::of(ways));
                    seen[s + c] = Some(target);
                }
                seen[s] = Some(before);
            }
        }
        let mut weights = sum.naturals();
        weights.reverse();
        Ok(weights)
    }

    /// The ways of all dice that cannot show a value.
    fn lesser(&self, place: usize) -> Natural {
        let lesser = self.kinds.iter().filter(|(_, values)| *values <= place);
        lesser.fold(Natural::ONE, |ways, (count, values)| {
            let last = &self.values[values - 1];
            ways * (&last.below + &last.weight).pow(*count as usize)
        })
    }

    /// What each value costs: the pairs of states, times the length of a polynomial where something is counted, times the
    /// products of limbs.
    fn price(&self, a: usize, b: usize) -> u64 {
        let span = self.values.first().map_or(0, |value| value.less);
        let kept = b - a;
        let cube = kept.saturating_mul(kept).saturating_mul(kept);
        let counted = (cube / 12 + kept).saturating_mul(span);
        let rows = counted.saturating_add(b.saturating_mul(b));
        let limbs = 1 + self.bits as u64 / 64;
        let products = (rows as u64).saturating_mul(limbs + limbs * limbs / 32) / 6;
        let binomials = (self.count as u64).saturating_mul(b as u64).saturating_mul(limbs);
        products.saturating_add(binomials)
    }
}

/// Rows, at least so many.
fn grown(rows: Option<Rows>, least: usize, bits: usize) -> Rows {
    match rows {
        Some(rows) if rows.len() >= least => rows,
        Some(rows) => {
            let mut more = Rows::zeros(least, bits);
            more.add(&rows, 0);
            more
        }
        None => Rows::zeros(least, bits),
    }
}

/// In how many ways at least so many of the dice show the value, and the others less.
fn at_least(ways: &[Natural], least: usize, below: &Natural) -> Natural {
    // `Σ ways[c] · below^(left − c)`, from the most on.
    let mut sum = Natural::ZERO;
    let mut power = Natural::ONE;
    for ways in ways[least..].iter().rev() {
        sum += ways * &power;
        power *= below;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::keep::different;
    use super::*;
    use proptest::prelude::*;

    /// Dice of so many sides each.
    fn pool(kinds: &[(u64, i64)], scale: u64) -> Ranked {
        let faces = |sides: i64, times: u64| {
            (1..=sides).map(move |face| (face, times * (1 + face as u64 % scale))).collect()
        };
        let dice: Vec<(u64, Vec<(i64, u64)>)> = kinds
            .iter()
            .enumerate()
            .map(|(at, (count, sides))| (*count, faces(*sides, 1 + at as u64)))
            .collect();
        Ranked::plain(&dice, |shown| shown, &Meter::unlimited()).unwrap()
    }

    #[test]
    fn dice_without_common_values_are_not_alike() {
        let dice = [(1, vec![(3, 1)]), (1, vec![(-2, 1)])];
        let dice = Ranked::plain(&dice, |shown| shown, &Meter::unlimited()).unwrap();
        assert!(Nested::of(&dice).is_none());
    }

    /// The same chances, whatever both are multiplied by.
    fn chances(weights: &[Natural]) -> Vec<Rational> {
        let total = weights.iter().fold(Natural::ZERO, |sum, weight| sum + weight);
        let chance = |weight: &Natural| crate::number::ratio(weight.clone(), total.clone());
        let last = weights.iter().rposition(|weight| !weight.is_zero()).map_or(0, |last| last + 1);
        weights[..last].iter().map(chance).collect()
    }

    proptest! {
        #[test]
        fn both_ends_agree_with_products_for_each_threshold(
            kinds in prop::collection::vec((1u64..5, 1i64..7), 1..4),
            scale in 1u64..4,
            keep in 1usize..8,
        ) {
            let meter = Meter::unlimited();
            let dice = pool(&kinds, scale);
            let count = dice.count() as usize;
            prop_assume!(keep <= count);
            let nested = Nested::of(&dice).expect("all dice have the same proportions");
            let fast = nested.kept(0, keep, &meter).unwrap();
            let slow = different(&dice, keep, &meter).unwrap();
            prop_assert_eq!(chances(&fast), chances(&slow));
            let fast = nested.kept(count - keep, count, &meter).unwrap();
            let slow = different(&dice.reversed(), keep, &meter).unwrap();
            prop_assert_eq!(chances(&fast), chances(&slow));
        }

        #[test]
        fn the_middle_agrees_with_one_kind(count in 3u64..9, sides in 2i64..6, a in 1u64..4, kept in 1u64..4) {
            prop_assume!(a + kept <= count);
            let meter = Meter::unlimited();
            let dice = pool(&[(count, sides)], 1);
            let fast = at_range(&dice, (a, a + kept), &meter).unwrap().unwrap();
            let slow = super::super::middle::middle(&dice, (a, a + kept), &meter).unwrap();
            prop_assert_eq!(fast, slow);
        }
    }
}
