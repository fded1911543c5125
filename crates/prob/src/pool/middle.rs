//! The sum of equal dice at ranks that stand side by side, such as the two middle ones of fifty.
//!
//! Going up the values, `p` dice have been seen below `v`. As long as `p ≤ a`, where the ranks from `a` to
//! before `b` count, nothing has been added up, and once `p ≥ b` nothing more will be: both are numbers in
//! closed form, since the dice below `v` and those beyond it are free. Only the `b − a − 1` counts between carry
//! a polynomial, so the work depends on how many dice are kept and not on how many are thrown. With `L` the
//! weight below `v`, `w` that of `v` and `U` that beyond, and `h_p` the hands of the `p` lowest dice by what
//! their kept ones are worth,
//!
//! ```text
//! h_p  becomes  Σ_{c<p−a} C(p,c) w^c x^{vc} h_{p−c}  +  x^{v(p−a)} Σ_{q≤a} C(p,q) L^q w^{p−q}
//! sum  gains    C(n,p) h_p x^{v(b−p)} Σ_{c≥b−p} C(n−p,c) w^c U^{n−p−c}      for a < p < b
//! ```
//!
//! and `x^{v(b−a)}` times the hands in which all these ranks show `v`: all hands, without those with more than `a`
//! dice below `v` and those with more than `n − b` beyond it; hands that are both were taken away twice.
//! Sums that run over most of `0…p` are taken as the whole binomial formula without the rest.

use super::PoolError;
use super::order::Ranked;
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};

/// The law of the summed worth of the dice at the ranks from `a` to before `b`, for one group of dice.
pub(crate) fn middle(pool: &Ranked, (a, b): (u64, u64), meter: &Meter) -> Result<Law, PoolError> {
    let sized = |number: u64| usize::try_from(number).map_err(|_| OverBudget::Steps);
    let (Some(group), Some(span)) = (pool.groups.first(), pool.worths.iter().max()) else {
        return Err(PoolError::TooFewDice);
    };
    let (n, a, b) = (sized(group.count)?, sized(a)?, sized(b)?);
    let (kept, values, bits) = (b - a, pool.worths.len(), pool.bits()?);
    let carried = kept.saturating_mul(kept).saturating_mul(kept * span + 1) / 2;
    meter.charge_product(values, carried.saturating_add(n - a), 2 * bits)?;
    meter.charge_product(n, 2, bits)?;
    let range = Range { n, a, b, ways: binomials(n), hands: group.total.pow(n) };
    let mut carried = Carried { hands: vec![Vec::new(); kept - 1], ways: by_count(a, b) };
    let mut sum = vec![Natural::ZERO; kept * span + 1];
    let mut below = Natural::ZERO;
    for (weight, worth) in group.weights.iter().zip(&pool.worths) {
        if weight.is_zero() {
            continue;
        }
        let beyond = &group.total - &below - weight;
        let place = Place { below: &below, weight, beyond: &beyond, worth: *worth };
        range.finish(&carried, &place, &mut sum);
        carried.go_on(a, &place);
        below += weight;
    }
    let offset = &pool.lowest * Rational::from(kept as u64);
    let table = Table::on_lattice(offset.clone(), pool.step.clone(), sum);
    Ok(Law::Finite(table.unwrap_or_else(|| Table::constant(offset))))
}

/// One value: the weights of a die below it, at it and beyond it, and what it is worth.
struct Place<'a> {
    below: &'a Natural,
    weight: &'a Natural,
    beyond: &'a Natural,
    worth: usize,
}

struct Range {
    n: usize,
    a: usize,
    b: usize,
    /// `C(n, p)`.
    ways: Vec<Natural>,
    /// The weight of all hands.
    hands: Natural,
}

impl Range {
    /// Adds the hands of which the last kept die shows a value.
    fn finish(&self, carried: &Carried, place: &Place<'_>, sum: &mut [Natural]) {
        let Range { n, a, b, .. } = *self;
        for (at, hands) in carried.hands.iter().enumerate().filter(|(_, hands)| !hands.is_empty()) {
            let seen = a + 1 + at;
            let rest = at_least(n - seen, b - seen, place.weight, place.beyond);
            let factor = rest * &self.ways[seen];
            add(sum, hands, &factor, place.worth * (b - seen));
        }
        sum[place.worth * (b - a)] += self.all_at(place);
    }

    /// The hands in which every kept rank shows the value.
    fn all_at(&self, place: &Place<'_>) -> Natural {
        let Range { n, a, b, .. } = *self;
        let from_here = place.weight + place.beyond;
        let up_to_here = place.below + place.weight;
        let below = at_least(n, a + 1, place.below, &from_here);
        let beyond = at_least(n, n - b + 1, place.beyond, &up_to_here);
        // With p below and q beyond, the others show the value: at most b − a − 2 of them.
        let mut both = Natural::ZERO;
        for at in 0..(b - a).saturating_sub(1) {
            let others = place.weight.pow(at);
            let mut ways = binomial(n, at) * others;
            let rest = n - at;
            let mut term_sum = Natural::ZERO;
            for p in a + 1..=rest.saturating_sub(n - b + 1) {
                term_sum += binomial(rest, p) * place.below.pow(p) * place.beyond.pow(rest - p);
            }
            ways *= term_sum;
            both += ways;
        }
        &self.hands + both - below - beyond
    }
}

/// What the dice below a value can be, where some but not all kept ranks are among them.
struct Carried {
    /// For `a + 1`, `a + 2`, … dice: weights by what the kept ones are worth; empty for none.
    hands: Vec<Vec<Natural>>,
    /// `C(p, c)` for those numbers of dice.
    ways: Vec<Vec<Natural>>,
}

impl Carried {
    fn go_on(&mut self, a: usize, place: &Place<'_>) {
        for at in (0..self.hands.len()).rev() {
            let (earlier, later) = self.hands.split_at_mut(at);
            let seen = a + 1 + at;
            let ways = &self.ways[at];
            let mut power = Natural::ONE;
            for c in 1..=at {
                power *= place.weight;
                let hands = &earlier[at - c];
                if !hands.is_empty() {
                    add_growing(&mut later[0], hands, &(&power * &ways[c]), place.worth * c);
                }
            }
            // At most `a` below: all but those with fewer than `seen − a` dice at the value.
            let up_to_here = place.below + place.weight;
            let few = fewer_than(seen, seen - a, place.weight, place.below, ways);
            let first = up_to_here.pow(seen) - few;
            add_growing(&mut later[0], &[first], &Natural::ONE, place.worth * (at + 1));
        }
    }
}

fn add(sum: &mut [Natural], hands: &[Natural], factor: &Natural, shift: usize) {
    if factor.is_zero() {
        return;
    }
    for (place, hands) in sum[shift..].iter_mut().zip(hands).filter(|(_, h)| !h.is_zero()) {
        *place += hands * factor;
    }
}

fn add_growing(sum: &mut Vec<Natural>, hands: &[Natural], factor: &Natural, shift: usize) {
    if sum.len() < hands.len() + shift {
        sum.resize(hands.len() + shift, Natural::ZERO);
    }
    add(sum, hands, factor, shift);
}

/// `Σ_{c≥least} C(n,c) some^c others^{n−c}`.
fn at_least(n: usize, least: usize, some: &Natural, others: &Natural) -> Natural {
    if least > n {
        return Natural::ZERO;
    }
    let ways = binomials(n);
    // The shorter side is added up.
    if least <= n / 2 {
        (some + others).pow(n) - fewer_than(n, least, some, others, &ways)
    } else {
        fewer_than(n, n - least + 1, others, some, &ways)
    }
}

/// `Σ_{c<size} C(n,c) some^c others^{n−c}`, by Horner's rule; `ways` are the `C(n,c)`.
fn fewer_than(
    n: usize,
    size: usize,
    some: &Natural,
    others: &Natural,
    ways: &[Natural],
) -> Natural {
    let Some(last) = size.checked_sub(1) else { return Natural::ZERO };
    // Σ C(n,c) some^c others^{last−c}, then others^{n−last}.
    let mut sum = Natural::ZERO;
    let mut power = Natural::ONE;
    for c in 0..=last {
        sum = sum * others + &power * &ways[c];
        power *= some;
    }
    sum * others.pow(n - last)
}

fn binomial(n: usize, k: usize) -> Natural {
    (0..k.min(n - k)).fold(Natural::ONE, |ways, j| ways * (n - j) / (j + 1))
}

/// `C(n, j)` for all `j`.
fn binomials(n: usize) -> Vec<Natural> {
    super::order::binomials(n as u64, n + 1).collect()
}

/// The binomials of `a + 1` to `b − 1`.
fn by_count(a: usize, b: usize) -> Vec<Vec<Natural>> {
    (a + 1..b).map(|p| super::order::binomials(p as u64, b - a).collect()).collect()
}
