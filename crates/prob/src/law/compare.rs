//! Comparisons with a number: their chance, and the law on each side.
//!
//! An endless law is cut exactly: the powers below a place are finitely many on one side, and what
//! is left of the generating function is a generating function again. Given `d6! >= 7`, the law is
//! `6 + d6!` because the cut of `(x + … + x⁵)/(6 − x⁶)` at 7 is `x⁶/6` times itself.

use super::endless::{Endless, place_at_least};
use super::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Natural, Rational};
use crate::series::Series;
use dashu_base::BitTest;
use std::ops::Range;

impl Law {
    /// The chance of one value.
    pub fn chance(&self, value: &Rational, meter: &Meter) -> Result<Rational, OverBudget> {
        self.compare(Comparison::Equal, value, meter)
    }

    /// The chance that the number compares so with `value`.
    pub fn compare(
        &self,
        comparison: Comparison,
        value: &Rational,
        meter: &Meter,
    ) -> Result<Rational, OverBudget> {
        match self {
            Law::Finite(table) if comparison == Comparison::Equal => Ok(table.chance(value)),
            Law::Finite(table) => {
                let (mut weight, each) = (Natural::ZERO, 1 + table.total().bit_len() as u64 / 512);
                for (places, sign) in pieces_at(table, value) {
                    if comparison.holds(&sign, &0) {
                        let mut from = places.start;
                        meter.in_pieces(places.len(), each, |done| {
                            weight += table.weight_at(from..places.start + done);
                            from = places.start + done;
                        })?;
                    }
                }
                Ok(table.chance_of(&weight))
            }
            Law::Endless(endless) => endless_chance(endless, comparison, value, meter),
            Law::Grown(grown) => grown.compare(comparison, value, meter),
        }
    }

    /// The chance that the comparison holds with the law given that it does, and the same for
    /// where it fails. A side of no chance has no law.
    pub fn split(
        &self,
        comparison: Comparison,
        value: &Rational,
        meter: &Meter,
    ) -> Result<[(Rational, Option<Law>); 2], OverBudget> {
        match self {
            Law::Finite(table) => split_table(table, comparison, value, meter),
            Law::Endless(endless) => split_endless(endless, comparison, value, meter),
            Law::Grown(grown) => grown.split(comparison, value, meter),
        }
    }

    /// The chance that one number compares so with another, independent one.
    pub fn independent_compare(
        comparison: Comparison,
        left: &Law,
        right: &Law,
        meter: &Meter,
    ) -> Result<Rational, OverBudget> {
        if let (Law::Finite(left), Law::Finite(right)) = (left, right) {
            return compare_tables(comparison, left, right, meter);
        }
        let difference = left.sum(&right.negate(meter)?, meter)?;
        difference.compare(comparison, &Rational::ZERO, meter)
    }
}

fn compare_tables(
    comparison: Comparison,
    left: &Table,
    right: &Table,
    meter: &Meter,
) -> Result<Rational, OverBudget> {
    meter.charge_product(left.size() + right.size(), 4, 0)?;
    let right_side: Vec<(Rational, &Natural)> = right.outcomes().collect();
    let (mut below, mut next) = (Natural::ZERO, 0);
    let mut favourable = Natural::ZERO;
    for (value, weight) in left.outcomes() {
        while next < right_side.len() && right_side[next].0 < value {
            below += right_side[next].1;
            next += 1;
        }
        let tied = right_side.get(next).filter(|(other, _)| *other == value);
        let equal = tied.map_or(Natural::ZERO, |(_, weight)| (*weight).clone());
        favourable += weight * matching(comparison, below.clone(), equal, right.total());
    }
    Ok(number::ratio(favourable, left.total() * right.total()))
}

/// The weight on the right that a value on the left compares so with.
fn matching(comparison: Comparison, below: Natural, equal: Natural, total: &Natural) -> Natural {
    match comparison {
        Comparison::Equal => equal,
        Comparison::NotEqual => total - equal,
        Comparison::Greater => below,
        Comparison::AtLeast => below + equal,
        Comparison::Less => total - (below + equal),
        Comparison::AtMost => total - below,
    }
}

fn endless_chance(
    endless: &Endless,
    comparison: Comparison,
    value: &Rational,
    meter: &Meter,
) -> Result<Rational, OverBudget> {
    let place = place_at_least(value, endless)?;
    let below = |place| chance_below(endless, place, meter);
    let next = || if endless.value(place) == *value { place.saturating_add(1) } else { place };
    Ok(match comparison {
        Comparison::Less => below(place)?,
        Comparison::AtLeast => Rational::ONE - below(place)?,
        Comparison::AtMost => below(next())?,
        Comparison::Greater => Rational::ONE - below(next())?,
        Comparison::Equal | Comparison::NotEqual => {
            let equal = if endless.value(place) == *value {
                endless.up().coefficient(place, meter)?
                    + endless.down().coefficient(place.saturating_neg(), meter)?
            } else {
                Rational::ZERO
            };
            if comparison == Comparison::Equal { equal } else { Rational::ONE - equal }
        }
    })
}

/// The chance of the places below this one.
fn chance_below(endless: &Endless, place: i64, meter: &Meter) -> Result<Rational, OverBudget> {
    let up = endless.up().coefficients_below(place, meter)?.sum();
    if endless.down().is_zero() {
        return Ok(up);
    }
    let above = endless.down().coefficients_below(1i64.saturating_sub(place), meter)?.sum();
    Ok(up + endless.down().mass() - above)
}

fn split_table(
    table: &Table,
    comparison: Comparison,
    value: &Rational,
    meter: &Meter,
) -> Result<[(Rational, Option<Law>); 2], OverBudget> {
    let bits = table.total().bit_len();
    meter.room_for_rows(table.places(), 192 + bits)?;
    let pieces = pieces_at(table, value);
    let side = |wanted: bool| {
        let chosen = pieces.iter().filter(|(_, sign)| comparison.holds(sign, &0) == wanted);
        let (mass, part) = table.part(chosen.map(|(places, _)| places.clone()), meter)?;
        Ok((table.chance_of(&mass), part.map(Law::Finite)))
    };
    Ok([side(true)?, side(false)?])
}

/// The places of a table below a value, at it and above it, with the sign of that.
fn pieces_at(table: &Table, value: &Rational) -> [(Range<usize>, i32); 3] {
    let (below, equal) = table.place_of(value);
    let after = below + usize::from(equal);
    [(0..below, -1), (below..after, 0), (after..table.places(), 1)]
}

/// A part of an endless law: series in `x` and in `1/x` on its lattice.
type Piece = (Series, Series);

fn split_endless(
    endless: &Endless,
    comparison: Comparison,
    value: &Rational,
    meter: &Meter,
) -> Result<[(Rational, Option<Law>); 2], OverBudget> {
    let place = place_at_least(value, endless)?;
    let next = if endless.value(place) == *value { place.saturating_add(1) } else { place };
    let whole = (endless.up().clone(), endless.down().clone());
    let pieces = match comparison {
        Comparison::Less | Comparison::AtLeast => {
            let (below, rest) = cut(&whole, place, meter)?;
            vec![(below, -1), (rest, 1)]
        }
        Comparison::AtMost | Comparison::Greater => {
            let (rest, above) = cut(&whole, next, meter)?;
            vec![(rest, -1), (above, 1)]
        }
        Comparison::Equal | Comparison::NotEqual => {
            let (below, rest) = cut(&whole, place, meter)?;
            let (equal, above) = cut(&rest, next, meter)?;
            vec![(below, -1), (equal, 0), (above, 1)]
        }
    };
    let side = |wanted: bool| {
        let chosen: Vec<&Piece> = pieces
            .iter()
            .filter(|(_, sign)| comparison.holds(sign, &0) == wanted)
            .map(|(piece, _)| piece)
            .collect();
        conditional(endless, &chosen, meter)
    };
    Ok([side(true)?, side(false)?])
}

/// The places below `place`, and the others.
fn cut(piece: &Piece, place: i64, meter: &Meter) -> Result<(Piece, Piece), OverBudget> {
    let (up_below, up_above) = piece.0.cut(place, meter)?;
    let (down_above, down_below) = piece.1.cut(1i64.saturating_sub(place), meter)?;
    Ok(((up_below, down_below), (up_above, down_above)))
}

fn conditional(
    endless: &Endless,
    pieces: &[&Piece],
    meter: &Meter,
) -> Result<(Rational, Option<Law>), OverBudget> {
    let up = Series::sum(&pieces.iter().map(|piece| &piece.0).collect::<Vec<_>>(), meter)?;
    let down = Series::sum(&pieces.iter().map(|piece| &piece.1).collect::<Vec<_>>(), meter)?;
    let mass = up.mass() + down.mass();
    if mass.is_zero() {
        return Ok((mass, None));
    }
    let factor = number::quotient(&Rational::ONE, &mass);
    let (offset, step) = (endless.offset().clone(), endless.step().clone());
    let parts = (offset, step, up.scaled(&factor), down.scaled(&factor));
    Ok((mass, Some(Endless::assemble(parts, meter)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;
    use Comparison::*;
    use proptest::prelude::*;

    #[test]
    fn an_exploding_die_beyond_six_is_six_and_a_fresh_one() {
        let meter = Meter::unlimited();
        let [(chance, high), (_, low)] = d6_again().split(Greater, &whole(6), &meter).unwrap();
        assert_eq!(chance, fraction(1, 6));
        assert_eq!(high.unwrap(), d6_again().affine(&whole(1), &whole(6), &meter).unwrap());
        assert_eq!(low.unwrap(), d(5));
        assert_eq!(d6_again().compare(AtLeast, &whole(12), &meter), Ok(fraction(1, 36)));
    }

    #[test]
    fn exploding_dice_compare_exactly() {
        let meter = Meter::unlimited();
        let wins = Law::independent_compare(Greater, &d6_again(), &d6_again(), &meter);
        assert_eq!(wins, Ok(fraction(3, 7)));
        let five = d6_again().times(5, &meter).unwrap();
        let wins = Law::independent_compare(Greater, &five, &five, &meter);
        assert_eq!(wins, Ok(fraction(215_634_365_309, 450_375_078_125)));
        let against_plain = Law::independent_compare(Less, &d(6), &d6_again(), &meter).unwrap();
        let slow: Rational = (1..=6)
            .map(|v| d6_again().compare(Greater, &whole(v), &meter).unwrap() * fraction(1, 6))
            .fold(Rational::ZERO, |a, b| a + b);
        assert_eq!(against_plain, slow);
    }

    proptest! {
        #[test]
        fn every_side_of_a_split_is_the_law_given_that_side(at in -30i64..40, half in any::<bool>(), op in 0usize..6) {
            let meter = Meter::unlimited();
            let op = [Equal, NotEqual, Less, AtMost, Greater, AtLeast][op];
            let at = if half { whole(at) + fraction(1, 2) } else { whole(at) };
            let two = d6_again().times(2, &meter).unwrap();
            let law = two.sum(&d6_again().negate(&meter).unwrap(), &meter).unwrap();
            let sides = law.split(op, &at, &meter).unwrap();
            prop_assert_eq!(&sides[0].0, &law.compare(op, &at, &meter).unwrap());
            prop_assert_eq!(&sides[0].0 + &sides[1].0, Rational::ONE);
            for value in -8..12 {
                let value = whole(value);
                let side = if op.holds(&value, &at) { &sides[0] } else { &sides[1] };
                let given = side.1.as_ref().unwrap().chance(&value, &meter).unwrap();
                prop_assert_eq!(given * &side.0, law.chance(&value, &meter).unwrap());
            }
            let parts: Vec<_> = sides.into_iter().filter_map(|(c, l)| Some((c, l?))).collect();
            prop_assert_eq!(Law::mixture(&parts, &meter).unwrap(), law);
        }

        #[test]
        fn tables_compare_as_their_pairs_do(
            a in prop::collection::btree_map(-3i64..6, 1u64..5, 1..6),
            b in prop::collection::btree_map(-3i64..6, 1u64..5, 1..6),
            op in 0usize..6,
        ) {
            let meter = Meter::unlimited();
            let op = [Equal, NotEqual, Less, AtMost, Greater, AtLeast][op];
            let law = |m: &std::collections::BTreeMap<i64, u64>| Law::from_weights(
                m.iter().map(|(&v, &w)| (whole(v), Natural::from(w)))).unwrap();
            let (x, y) = (law(&a), law(&b));
            let difference = x.sum(&y.negate(&meter).unwrap(), &meter).unwrap();
            prop_assert_eq!(Law::independent_compare(op, &x, &y, &meter), difference.compare(op, &whole(0), &meter));
        }
    }
}
