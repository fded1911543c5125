//! One of several laws, chosen by chance.
//!
//! All parts are brought to one total and one lattice: `Σ pᵢ·wᵢ/tᵢ` with the common denominator of
//! the `pᵢ/tᵢ`, found once per part and not once per value.

use super::endless::{Endless, refine};
use super::grown::mixture_of;
use super::{Law, Table};
use crate::meter::{Meter, OverBudget, price_of_products};
use crate::number::{self, Natural, Rational};
use crate::series::Series;
use dashu_base::BitTest;

impl Law {
    /// The mixture of laws with chances that sum to 1. Parts of no chance are left out; a mixture
    /// of nothing is the constant 0.
    pub fn mixture(parts: &[(Rational, Law)], meter: &Meter) -> Result<Law, OverBudget> {
        let parts: Vec<(&Rational, &Law)> = parts
            .iter()
            .filter(|(chance, _)| *chance > Rational::ZERO)
            .map(|(chance, law)| (chance, law))
            .collect();
        match parts.as_slice() {
            [] => return Ok(Law::constant(Rational::ZERO)),
            [(_, law)] => return Ok((*law).clone()),
            _ => {}
        }
        let tables: Option<Vec<(&Rational, &Table)>> = parts
            .iter()
            .map(|(chance, law)| law.as_table().map(|table| (*chance, table)))
            .collect();
        match tables {
            Some(tables) => mixture_of_tables(&tables, meter),
            None if parts.iter().any(|(_, law)| matches!(law, Law::Grown(_))) => {
                mixture_of(&parts, meter)
            }
            None => mixture_of_series(&parts, meter),
        }
    }
}

fn mixture_of_tables(parts: &[(&Rational, &Table)], meter: &Meter) -> Result<Law, OverBudget> {
    let mut common = Natural::ONE;
    for (chance, table) in parts {
        common = number::lcm(&common, &(chance.denominator() * table.total()));
    }
    let values: usize = parts.iter().map(|(_, table)| table.count()).sum();
    meter.afford(price_of_products(values, 2, common.bit_len()))?;
    let factor = |chance: &Rational, table: &Table| {
        let spread = &common / (chance.denominator() * table.total());
        spread * number::magnitude(chance.numerator().clone())
    };
    if let Some(lattice) = Lattice::of(parts, values) {
        meter.room_for_rows(lattice.places, 192 + common.bit_len())?;
        meter.charge(lattice.places as u64)?;
        let mut weights = vec![Natural::ZERO; lattice.places];
        for (chance, table) in parts {
            meter.charge_product(table.count(), 2, common.bit_len())?;
            lattice.add(table, &factor(chance, table), &mut weights);
        }
        if let Some(table) = Table::on_lattice(lattice.offset, lattice.step, weights) {
            return Ok(Law::Finite(table));
        }
    }
    meter.charge_product(values, 2, common.bit_len())?;
    meter.room_for_rows(values, 16 * size_of::<(Rational, Natural)>() + common.bit_len())?;
    let weights = parts.iter().flat_map(|(chance, table)| {
        let factor = factor(chance, table);
        table.outcomes().map(move |(value, weight)| (value, weight * &factor))
    });
    Ok(Law::from_many(weights, meter)?.unwrap_or_else(|| Law::constant(Rational::ZERO)))
}

/// A lattice that holds several dense tables without too many gaps.
struct Lattice {
    offset: Rational,
    step: Rational,
    places: usize,
}

impl Lattice {
    fn of(parts: &[(&Rational, &Table)], values: usize) -> Option<Lattice> {
        let mut lattices = parts.iter().map(|(_, table)| table.dense());
        let (first, first_step, _) = lattices.next()??;
        let (mut offset, mut step) = (first.clone(), first_step.clone());
        for lattice in lattices {
            let (other, other_step, _) = lattice?;
            step = number::common_step(&step, other_step);
            step = number::common_step(&step, &(other - first));
            offset = offset.min(other.clone());
        }
        let step = if step.is_zero() { Rational::ONE } else { step };
        let highest = parts.iter().map(|(_, table)| table.highest()).max()?;
        let span = number::steps_in(&(highest - &offset), &step)?;
        let places = usize::try_from(span).ok()?.checked_add(1)?;
        (places <= 4 * values + 64).then_some(Lattice { offset, step, places })
    }

    fn add(&self, table: &Table, factor: &Natural, weights: &mut [Natural]) {
        let Some((offset, step, mine)) = table.dense() else { return };
        let start = number::steps_in(&(offset - &self.offset), &self.step).unwrap_or(0);
        let by = refine(step, &self.step).unwrap_or(1);
        for (k, weight) in mine.iter().enumerate().filter(|(_, w)| !w.is_zero()) {
            if let Some(sum) = weights.get_mut(start as usize + k * by as usize) {
                *sum += weight * factor;
            }
        }
    }
}

fn mixture_of_series(parts: &[(&Rational, &Law)], meter: &Meter) -> Result<Law, OverBudget> {
    let placed = parts
        .iter()
        .map(|(chance, law)| Ok((*chance, law.parts(meter)?)))
        .collect::<Result<Vec<_>, OverBudget>>()?;
    let offset = placed.first().map_or(Rational::ZERO, |(_, part)| part.0.clone());
    let step = placed.iter().fold(Rational::ZERO, |step, (_, part)| {
        let step = number::common_step(&step, &part.1);
        number::common_step(&step, &(&part.0 - &offset))
    });
    let (mut ups, mut downs) = (Vec::new(), Vec::new());
    for (chance, (start, own_step, up, down)) in placed {
        let by = refine(&own_step, &step)?;
        let places = number::steps_in(&(start - &offset), &step).ok_or(OverBudget::Steps)?;
        ups.push(up.stretched(by, meter)?.shifted(places).scaled(chance));
        downs.push(down.stretched(by, meter)?.shifted(-places).scaled(chance));
    }
    let up = Series::sum(&ups.iter().collect::<Vec<_>>(), meter)?;
    let down = Series::sum(&downs.iter().collect::<Vec<_>>(), meter)?;
    Endless::assemble((offset, step, up, down), meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;

    #[test]
    fn an_open_roll_adds_an_exploding_die_on_double_six() {
        let meter = Meter::unlimited();
        let two = d(6).times(2, &meter).unwrap();
        let [(open, twelve), (plain, rest)] =
            two.split(crate::Comparison::Equal, &whole(12), &meter).unwrap();
        let opened = twelve.unwrap().sum(&d6_again(), &meter).unwrap();
        let roll = Law::mixture(&[(open, opened), (plain, rest.unwrap())], &meter).unwrap();
        assert_eq!(roll.mean(), fraction(427, 60));
        assert_eq!(roll.variance(), fraction(27979, 3600));
        let far = roll.compare(crate::Comparison::Greater, &whole(60), &meter);
        assert_eq!(far, Ok(fraction(1, 60_466_176)));
    }

    #[test]
    fn lattices_that_do_not_match_are_merged_by_value() {
        let meter = Meter::unlimited();
        let parts = [
            (fraction(1, 2), Law::constant(fraction(1, 3))),
            (fraction(1, 3), d(2).affine(&fraction(1, 2), &whole(0), &meter).unwrap()),
            (fraction(1, 6), Law::constant(whole(1_000_000_000))),
        ];
        let mixed = Law::mixture(&parts, &meter).unwrap();
        assert_eq!(mixed.chance(&whole(1), &meter), Ok(fraction(1, 6)));
        assert_eq!(mixed.chance(&fraction(1, 3), &meter), Ok(fraction(1, 2)));
        assert_eq!(mixed.highest(), Some(whole(1_000_000_000)));
    }
}
