//! A quotient of polynomials from its first coefficients.
//!
//! How many rounds a loop takes is a number whose chances obey a recurrence: as many terms as the loop has
//! nodes, often far fewer. The first chances are found by following the loop, and the shortest recurrence that
//! they obey by the algorithm of Berlekamp and Massey, modulo as many primes as its coefficients need:
//!
//! ```text
//! 0, 1, 1, 2, 3, 5, 8, 13, …        x / (1 − x − x²)
//! ```
//!
//! Two quotients `P/Q` and `P*/Q*`, all four of degrees below or at M, differ by `(P·Q* − P*·Q)/(Q·Q*)`, so they are the
//! same if 2M coefficients agree. So a recurrence of whole numbers that *all* given terms obey is the right one, whatever
//! led to it.
//!
//! Several rows of terms get one denominator: the shortest recurrence of a mixture of them is one for all.

use super::Series;
use super::modular::{Field, Residues, primes};
use crate::meter::{Meter, OverBudget, price_of_row};
use crate::number::{Integer, Natural, Rational};
use crate::poly::Poly;
use dashu_base::BitTest;

/// Coefficients of several series: that of `x^k` is the term `k` of its row over `base · under^k`.
pub struct Terms<'a> {
    /// Rows of one length, which is at least twice the degree of every denominator, and more than that of every numerator.
    pub rows: &'a [Vec<Natural>],
    /// What all of them are over.
    pub base: &'a Natural,
    /// What one more power of `x` is over.
    pub under: &'a Natural,
    /// Factors `under^m − w·x^m` that the denominator may have, as `(m, w)`.
    pub likely: &'a [(usize, Natural)],
}

impl Terms<'_> {
    /// The series with these coefficients; none if they obey no recurrence that is short enough.
    pub(crate) fn series(&self, meter: &Meter) -> Result<Option<Vec<Series>>, OverBudget> {
        let Some((recurrence, order)) = self.recurrence(meter)? else { return Ok(None) };
        let mut numerators = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            let Some(numerator) = applied(&recurrence, order, row, meter)? else { return Ok(None) };
            numerators.push(numerator);
        }
        let reciprocal = self.reciprocal(Poly::new(recurrence), meter)?;
        let over_base = Rational::from_parts(Integer::ONE, self.base.clone());
        let series = numerators.into_iter().map(|numerator| {
            let (num, scale) = self.stretched(&numerator);
            Ok(Series::polynomial(0, num, scale).times(&reciprocal, meter)?.scaled(&over_base))
        });
        series.collect::<Result<_, _>>().map(Some)
    }

    /// A polynomial in `x/under`, as one in `x` and what it is over.
    fn stretched(&self, poly: &Poly) -> (Poly, Natural) {
        let mut power = Natural::ONE;
        let mut coefficients = poly.coefficients().to_vec();
        for coefficient in coefficients.iter_mut().rev() {
            *coefficient *= Integer::from(power.clone());
            power *= self.under;
        }
        (Poly::new(coefficients), power / self.under)
    }

    /// 1 over the denominator, which is taken apart as far as its factors are known.
    fn reciprocal(&self, mut rest: Poly, meter: &Meter) -> Result<Series, OverBudget> {
        let mut reciprocal = Series::one();
        let mut over = |factor: &Poly, power: u64| -> Result<(), OverBudget> {
            let (num, scale) = self.stretched(factor);
            if let Some(inverse) = Series::polynomial(0, num, scale).inverse(meter)? {
                reciprocal = reciprocal.times(&inverse.power(power, meter)?, meter)?;
            }
            Ok(())
        };
        for (gap, weight) in self.likely.iter().filter(|(_, weight)| !weight.is_zero()) {
            let mut factor = vec![Integer::ZERO; gap + 1];
            (factor[0], factor[*gap]) = (Integer::ONE, -Integer::from(weight.clone()));
            let factor = Poly::new(factor);
            let mut power = 0;
            while let Some(quotient) = rest.divided_by(&factor) {
                meter.charge_product(rest.len(), 1, rest.bits())?;
                (rest, power) = (quotient, power + 1);
            }
            over(&factor, power)?;
        }
        over(&rest, 1)?;
        Ok(reciprocal)
    }

    /// Whole numbers `1, c₁, c₂, …` with `Σ c_i·row[k−i] = 0` for all `k` from the order on, in all likelihood.
    fn recurrence(&self, meter: &Meter) -> Result<Option<(Vec<Integer>, usize)>, OverBudget> {
        let size = self.rows.first().map_or(0, Vec::len);
        let most = size / 2 * (2 + self.under.bit_len());
        let mut found = Found::default();
        for prime in primes() {
            let field = Field(prime);
            meter.charge_product(size, size.max(8 * self.rows.len()), 0)?;
            if found.add(field, shortest(field, &self.mixed(field))) {
                return Ok((2 * found.order <= size).then_some((found.whole, found.order)));
            }
            if found.modulus.bit_len() > most + 128 {
                break;
            }
        }
        Ok(None)
    }

    /// The rows, mixed in proportions that have nothing to do with them.
    fn mixed(&self, field: Field) -> Residues {
        let mut mixed = vec![0; self.rows.first().map_or(0, Vec::len)];
        let mut share = 1u64;
        for row in self.rows {
            for (sum, term) in mixed.iter_mut().zip(row) {
                *sum = (*sum + field.times(term % field.0, share)) % field.0;
            }
            share = field.times(share, 0x1234_5678_9abc_def1 % field.0);
        }
        mixed
    }
}

/// The row times the recurrence; none if anything is left from the order on.
fn applied(
    recurrence: &[Integer],
    order: usize,
    row: &[Natural],
    meter: &Meter,
) -> Result<Option<Poly>, OverBudget> {
    let bits = row.iter().map(BitTest::bit_len).max().unwrap_or(0);
    let each = price_of_row(recurrence.len(), bits);
    meter.afford(each.saturating_mul(row.len() as u64))?;
    let mut numerator = Vec::with_capacity(order);
    for k in 0..row.len() {
        meter.charge(each)?;
        let terms = recurrence.iter().zip(row[..=k].iter().rev());
        let sum = terms.fold(Integer::ZERO, |sum, (c, term)| sum + c * term);
        match k < order {
            true => numerator.push(sum),
            false if sum.is_zero() => {}
            false => return Ok(None),
        }
    }
    Ok(Some(Poly::new(numerator)))
}

/// A recurrence of whole numbers, from what it is modulo some primes.
#[derive(Default)]
struct Found {
    order: usize,
    modulus: Natural,
    /// Between 0 and the modulus.
    residues: Vec<Natural>,
    /// Between half the modulus and its negative.
    whole: Vec<Integer>,
}

impl Found {
    /// Takes up one more prime; true if that has changed nothing.
    fn add(&mut self, field: Field, (recurrence, order): (Residues, usize)) -> bool {
        // By chance, a recurrence modulo a prime may be shorter than it is without.
        if order < self.order {
            return false;
        }
        if order > self.order || self.residues.is_empty() {
            *self = Found { order, modulus: Natural::ONE, ..Found::default() };
        }
        self.residues.resize(self.residues.len().max(recurrence.len()), Natural::ZERO);
        let inverse = field.inverse(&self.modulus % field.0);
        for (at, residue) in self.residues.iter_mut().enumerate() {
            let wanted = recurrence.get(at).copied().unwrap_or(0);
            let more = field.minus(wanted, &*residue % field.0);
            *residue += &self.modulus * field.times(more, inverse);
        }
        self.modulus *= field.0;
        let half = &self.modulus >> 1usize;
        let signed = |residue: &Natural| match *residue > half {
            true => Integer::from(residue.clone()) - Integer::from(self.modulus.clone()),
            false => Integer::from(residue.clone()),
        };
        let whole: Vec<Integer> = self.residues.iter().map(signed).collect();
        let same = whole == self.whole;
        self.whole = whole;
        same
    }
}

/// The shortest recurrence of terms modulo a prime, and its order (Berlekamp and Massey).
fn shortest(field: Field, terms: &[u64]) -> (Residues, usize) {
    let (mut now, mut before): (Residues, Residues) = (vec![1], vec![1]);
    let (mut order, mut since, mut left_before) = (0, 1, 1);
    for k in 0..terms.len() {
        let left = field.sum_of_products(&now, terms[..=k].iter().rev());
        if left == 0 {
            since += 1;
            continue;
        }
        let factor = field.times(left, field.inverse(left_before));
        let longer = 2 * order <= k;
        let kept = longer.then(|| now.clone());
        now.resize(now.len().max(before.len() + since), 0);
        for (place, b) in now[since..].iter_mut().zip(&before) {
            *place = field.minus(*place, field.times(factor, *b));
        }
        since += 1;
        if let Some(kept) = kept {
            (before, left_before, since, order) = (kept, left, 1, k + 1 - order);
        }
    }
    (now, order)
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;
    use proptest::prelude::*;

    fn found(rows: &[&Series], count: usize, under: u64) -> Vec<Series> {
        let meter = Meter::unlimited();
        let under = Natural::from(under);
        let terms = |series: &&Series| {
            let term = |k: usize| {
                let chance = series.coefficient(k as i64, &meter).unwrap();
                let whole = chance * Rational::from(under.pow(k + 4));
                assert!(whole.is_int());
                Natural::try_from(whole.numerator().clone()).unwrap()
            };
            (0..count).map(term).collect::<Vec<_>>()
        };
        let rows: Vec<_> = rows.iter().map(terms).collect();
        let likely = [(1, Natural::ONE)];
        let base = under.pow(4);
        let terms = Terms { rows: &rows, base: &base, under: &under, likely: &likely };
        terms.series(&meter).unwrap().unwrap()
    }

    #[test]
    fn exploding_dice_are_known_by_their_first_chances() {
        let meter = Meter::unlimited();
        let die = exploding_d6();
        let three = die.power(3, &meter).unwrap();
        let twice = found(&[&die, &three], 40, 6);
        assert_eq!(twice[0].coefficient(123, &meter), die.coefficient(123, &meter));
        assert_eq!(twice[1].coefficient(123, &meter), three.coefficient(123, &meter));
        assert_eq!(twice[1].moments().second, three.moments().second);
    }

    #[test]
    fn terms_that_obey_no_short_recurrence_give_no_series() {
        let meter = Meter::unlimited();
        for row in [[1u8, 5, 2, 7, 3, 9], [0, 0, 0, 0, 0, 7]] {
            let rows = [row.map(Natural::from).to_vec()];
            let (base, under) = (Natural::ONE, Natural::from(10u8));
            let terms = Terms { rows: &rows, base: &base, under: &under, likely: &[] };
            assert!(terms.series(&meter).unwrap().is_none());
        }
    }

    proptest! {
        #[test]
        fn quotients_are_found_from_their_coefficients(
            num in prop::collection::vec(0i64..9, 1..6),
            rest in prop::collection::vec(0i64..3, 1..4),
            again in 0u64..3,
        ) {
            let meter = Meter::unlimited();
            // 7^k is enough to make the k-th coefficient whole.
            let den: Vec<i64> = [7].into_iter().chain(rest.iter().map(|c| -c)).collect();
            let one = series(&num, &den);
            let other = one.times(&series(&[1], &[7, -1]).power(again, &meter).unwrap(), &meter).unwrap();
            for k in [1u32, 0] {
                let rows = if k == 0 { vec![&one, &other] } else { vec![&one] };
                for (found, wanted) in found(&rows, 30, 7).iter().zip(rows) {
                    prop_assert_eq!(found.coefficient(50, &meter), wanted.coefficient(50, &meter));
                    prop_assert_eq!(found.mass(), wanted.mass());
                }
            }
        }
    }
}
