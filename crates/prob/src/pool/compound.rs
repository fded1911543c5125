//! Keep, and single ranks, of dice that explode into themselves.
//!
//! Three d10 that compound on 10, keep the highest two: the values have no end, so the thresholds of
//! [`threshold`](super::threshold) have none either, but they *repeat*. A die that explodes on one
//! value `m` has the same chances beyond any `v` as beyond `v + m`, except for a factor `ρ`:
//! `A_{v+m}(x) = ρ·x^m·A_v(x)` from some `V` on, where `A_v` is the part at or above `v`, of mass
//! `a_v`. Put `v = V + r + m·q`. With `n` equal dice the term of the telescoped sum is
//!
//! ```text
//! x^{v(k−j)} [y^j] P_{≥v} = x^{v(k−j)} C(n,j) (1 − a_v)^{n−j} A_v^j
//!   = Σ_i C(n,j) C(n−j,i) (−a_{V+r})^i A_{V+r}^j x^{(V+r)(k−j)} · (ρ^{i+j} x^{mk})^q
//! ```
//!
//! so that the sum over all `q` is a geometric series for each `e = i + j`:
//!
//! ```text
//! keep highest k  =  Σ_{v<V} …  +  Σ_{e=1..n} B_e(x) / (1 − ρ^e x^{mk})
//! B_e = Σ_{r<m} Σ_{j<k} x^{(V+r)(k−j)} C(n,j) C(n−j,e−j) ((−a_{V+r+1})^{e−j} A_{V+r+1}^j − (−a_{V+r})^{e−j} A_{V+r}^j)
//! ```
//!
//! The term `e = 0` is the same for both thresholds of a value and cancels. A single rank is
//! simpler: the chance that the r-th highest is at least `v` is a polynomial `H` in `a_v`, and
//! `Σ_v x^v (H(a_v) − H(a_{v+1}))` has denominators `1 − ρ^e x^m`.

use super::PoolError;
use super::order::binomials;
use super::piece::Setup;
use super::still::shown_law;
use crate::law::{Endless, Law};
use crate::meter::{Meter, OverBudget};
use crate::number::{Integer, Natural, Rational};
use crate::series::Series;

/// Equal dice whose chances repeat.
pub(crate) struct Repeating<'a> {
    count: u64,
    die: Endless,
    /// `V`, `m` and `ρ`, on the lattice of the die.
    start: i64,
    period: i64,
    ratio: Rational,
    /// `A_v` for `v` from the lowest value to `V + m`, and one more.
    above: Vec<Series>,
    meter: &'a Meter,
}

impl<'a> Repeating<'a> {
    /// The dice of a pool, if they are equal and repeat.
    pub(crate) fn of(setup: &Setup, meter: &'a Meter) -> Result<Self, PoolError> {
        let [group] = setup.groups.as_slice() else { return Err(PoolError::NoClosedForm) };
        let Law::Endless(die) = shown_law(group, meter)? else {
            return Err(PoolError::NoClosedForm);
        };
        let repeats = if die.down().is_zero() { die.up().period() } else { None };
        let (start, period, ratio) = repeats.ok_or(PoolError::NoClosedForm)?;
        let mut above = Vec::new();
        for value in die.up().lowest()..=start.saturating_add(period) {
            let earlier = above.last().unwrap_or(die.up());
            meter.charge(earlier.size() as u64)?;
            above.push(earlier.cut(value, meter)?.1);
        }
        Ok(Repeating { count: group.count, die, start, period, ratio, above, meter })
    }

    fn lowest(&self) -> i64 {
        self.die.up().lowest()
    }

    fn above(&self, value: i64) -> &Series {
        // Only values from the lowest to V + m are asked for.
        let place = usize::try_from(value - self.lowest()).unwrap_or(0);
        &self.above[place.min(self.above.len() - 1)]
    }

    /// The sum of the `k` highest.
    pub(crate) fn keep_highest(&self, k: u64) -> Result<Law, PoolError> {
        let size = usize::try_from(k).map_err(|_| OverBudget::Steps)?;
        let dice = usize::try_from(self.count).map_err(|_| OverBudget::Steps)?;
        let values = self.above.len();
        self.meter.charge_product(size.saturating_mul(dice), values.saturating_mul(16), 0)?;
        let powers = self.powers(size)?;
        let mut terms = self.early_terms(&powers, size)?;
        for e in 1..=self.count {
            let part = self.part(&powers, size, e)?;
            terms.push(self.repeated(&part, e, k)?);
        }
        self.assemble(&terms, k)
    }

    /// `A_v^j` for every value and `j < k`.
    fn powers(&self, size: usize) -> Result<Vec<Vec<Series>>, OverBudget> {
        let powers =
            |series: &Series| (0..size as u64).map(|j| series.power(j, self.meter)).collect();
        self.above.iter().map(powers).collect()
    }

    /// The terms of the values before `V`.
    fn early_terms(&self, powers: &[Vec<Series>], size: usize) -> Result<Vec<Series>, OverBudget> {
        let mut terms = Vec::new();
        let binomials: Vec<Natural> = binomials(self.count, size).collect();
        for value in self.lowest()..self.start {
            let place = (value - self.lowest()) as usize;
            for (j, binomial) in binomials.iter().enumerate() {
                let weighted = |place: usize| {
                    let below = Rational::ONE - self.above[place].mass();
                    let ways =
                        power(&below, self.count - j as u64) * Rational::from(binomial.clone());
                    powers[place][j].scaled(&ways)
                };
                let change = weighted(place + 1).minus(&weighted(place), self.meter)?;
                terms.push(change.shifted(value.saturating_mul((size - j) as i64)));
            }
        }
        Ok(terms)
    }

    /// `B_e`.
    fn part(&self, powers: &[Vec<Series>], size: usize, e: u64) -> Result<Series, OverBudget> {
        let mut by_count = Vec::new();
        for (j, ways) in binomials(self.count, size).enumerate().take_while(|(j, _)| *j as u64 <= e)
        {
            let others = e - j as u64;
            let choose = binomials(self.count - j as u64, others as usize + 1).last();
            let ways = Rational::from(ways * choose.unwrap_or_default());
            let mut terms = Vec::new();
            for value in self.start..self.start + self.period {
                let shift = value.saturating_mul((size - j) as i64);
                for (value, sign) in [(value + 1, Rational::ONE), (value, -Rational::ONE)] {
                    let factor = power(&-self.above(value).mass(), others) * &ways * sign;
                    let place = (value - self.lowest()) as usize;
                    terms.push(powers[place][j].scaled(&factor).shifted(shift));
                }
            }
            by_count.push(Series::sum(&terms.iter().collect::<Vec<_>>(), self.meter)?);
        }
        Series::sum(&by_count.iter().collect::<Vec<_>>(), self.meter)
    }

    /// `part / (1 − ρ^e x^{mk})`.
    fn repeated(&self, part: &Series, e: u64, k: u64) -> Result<Series, PoolError> {
        let places = i64::try_from(k).ok().and_then(|k| self.period.checked_mul(k));
        let places = places.ok_or(OverBudget::Steps)?;
        let step = Series::monomial(&power(&self.ratio, e), places);
        let all = step.geometric(self.meter)?.ok_or(PoolError::NoClosedForm)?;
        Ok(part.times(&all, self.meter)?)
    }

    /// What the `nth` highest shows.
    pub(crate) fn nth_highest(&self, nth: u64) -> Result<Law, PoolError> {
        let dice = usize::try_from(self.count).map_err(|_| OverBudget::Steps)?;
        self.meter.charge_product(dice.saturating_mul(dice), 16 + self.above.len(), 0)?;
        let chances = at_least_nth(self.count, nth, dice);
        let mass = |value: i64| self.above(value).mass();
        let mut terms = Vec::new();
        for value in self.lowest()..self.start {
            let at_least = |t: Rational| {
                chances.iter().enumerate().fold(Rational::ZERO, |sum, (e, h)| {
                    sum + power(&t, e as u64) * Rational::from(h.clone())
                })
            };
            let change = at_least(mass(value)) - at_least(mass(value + 1));
            terms.push(Series::monomial(&change, value));
        }
        for (e, factor) in chances.iter().enumerate().skip(1) {
            let mut part = Vec::new();
            for value in self.start..self.start + self.period {
                let change = power(&mass(value), e as u64) - power(&mass(value + 1), e as u64);
                let change = change * Rational::from(factor.clone());
                part.push(Series::monomial(&change, value));
            }
            let part = Series::sum(&part.iter().collect::<Vec<_>>(), self.meter)?;
            terms.push(self.repeated(&part, e as u64, 1)?);
        }
        self.assemble(&terms, 1)
    }

    /// The law of a sum of `k` dice with this generating function.
    fn assemble(&self, terms: &[Series], k: u64) -> Result<Law, PoolError> {
        let sum = Series::sum(&terms.iter().collect::<Vec<_>>(), self.meter)?;
        let offset = self.die.offset() * Rational::from(Natural::from(k));
        let parts = (offset, self.die.step().clone(), sum, Series::zero());
        Ok(Endless::assemble(parts, self.meter)?)
    }
}

/// The chance that at least `nth` of `n` dice succeed, as a polynomial in the chance of one:
/// `Σ_{j≥nth} C(n,j) t^j (1−t)^{n−j}`.
fn at_least_nth(n: u64, nth: u64, size: usize) -> Vec<Integer> {
    let mut polynomial = vec![Integer::ZERO; size + 1];
    for (j, ways) in binomials(n, size + 1).enumerate().filter(|(j, _)| *j as u64 >= nth) {
        for (i, choose) in binomials(n - j as u64, size + 1 - j).enumerate() {
            let term = Integer::from(&ways * choose);
            if i % 2 == 0 { polynomial[i + j] += term } else { polynomial[i + j] -= term }
        }
    }
    polynomial
}

fn power(base: &Rational, exponent: u64) -> Rational {
    let exponent = usize::try_from(exponent).unwrap_or(usize::MAX);
    Rational::from_parts(base.numerator().pow(exponent), base.denominator().pow(exponent))
}
