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
use super::keep::Weight;
use super::order::{Faces, Ranked};
use super::tails;
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{Integer, Natural, Rational};
use crate::ways;

/// The law of the summed worth of the dice at the ranks from `a` to before `b`, for one group of dice.
pub(crate) fn middle(pool: &Ranked, (a, b): (u64, u64), meter: &Meter) -> Result<Law, PoolError> {
    meter.took(ways::MIDDLE);
    let sized = |number: u64| usize::try_from(number).map_err(|_| OverBudget::Steps);
    let (Some(group), Some(span)) = (pool.groups.first(), pool.worths.iter().max()) else {
        return Err(PoolError::TooFewDice);
    };
    let (n, a, b) = (sized(group.count)?, sized(a)?, sized(b)?);
    let (kept, values, bits) = (b - a, pool.worths.len(), pool.bits()?);
    let carried = kept.saturating_mul(kept).saturating_mul(kept * span + 1) / 2;
    meter.charge_product(values, carried.saturating_add(n - a), 2 * bits)?;
    meter.charge_product(n, 2, bits)?;
    let sum = if bits < 126 {
        let sum = added::<i128>(pool, group, (n, a, b));
        sum.into_iter().map(Weight::into_natural).collect()
    } else {
        let sum = added::<Integer>(pool, group, (n, a, b));
        sum.into_iter().map(Weight::into_natural).collect()
    };
    let offset = &pool.lowest * Rational::from(kept as u64);
    let table = Table::on_lattice(offset.clone(), pool.step.clone(), sum);
    Ok(Law::Finite(table.unwrap_or_else(|| Table::constant(offset))))
}

/// Weights by what the kept dice are worth, in steps.
fn added<W: Weight>(pool: &Ranked, group: &Faces, (n, a, b): (usize, usize, usize)) -> Vec<W> {
    let kept = b - a;
    let span = pool.worths.iter().max().copied().unwrap_or(0);
    let total = W::cut(&group.total);
    let ways: Vec<W> = binomials(n, n + 1);
    let mut both = Vec::new();
    for at in 0..kept.saturating_sub(1) {
        for (p, ways) in ways.iter().enumerate().take(b - at).skip(a + 1) {
            let others: Vec<W> = binomials(n - p, at + 1);
            both.extend(others.last().map(|others| (at, p, ways.times(others))));
        }
    }
    let range = Range { n, a, b, ways, hands: total.power(n), both };
    let ways = (a + 1..b).map(|p| binomials(p, kept)).collect();
    let mut carried: Carried<W> = Carried { hands: vec![Vec::new(); kept - 1], ways };
    let mut sum = vec![W::zero(); kept * span + 1];
    let mut below = W::zero();
    let words = pool.words().and_then(|groups| groups.into_iter().next()).map(|(_, words)| words);
    let words = words.filter(|_| W::LONG);
    for (at, (weight, worth)) in group.weights.iter().zip(&pool.worths).enumerate() {
        if weight.is_zero() {
            continue;
        }
        let weight = W::cut(weight);
        let mut beyond = total.clone();
        beyond.subtract(&below);
        beyond.subtract(&weight);
        let words = words.as_ref().map(|weights| {
            let [before, from] = [&weights[..at], &weights[at..]].map(|list| list.iter().sum());
            let own: u64 = weights[at];
            [before, own, from - own]
        });
        let worth = *worth;
        let place = Place { below: &below, weight: &weight, beyond: &beyond, worth, words };
        range.finish(&carried, &place, &mut sum);
        carried.go_on(a, &place);
        below.add(&weight);
    }
    sum
}

/// One value: the weights of a die below it, at it and beyond it, and what it is worth.
struct Place<'a, W> {
    below: &'a W,
    weight: &'a W,
    beyond: &'a W,
    worth: usize,
    /// The three weights in machine words, if all hands together are too many for one.
    words: Option<[u64; 3]>,
}

struct Range<W> {
    n: usize,
    a: usize,
    b: usize,
    /// `C(n, p)`.
    ways: Vec<W>,
    /// The weight of all hands.
    hands: W,
    /// With `p` dice below a value, more than `n − b` beyond it and `at` at it: the ways to choose them.
    both: Vec<(usize, usize, W)>,
}

impl<W: Weight> Range<W> {
    /// Adds the hands of which the last kept die shows a value.
    fn finish(&self, carried: &Carried<W>, place: &Place<'_, W>, sum: &mut [W]) {
        let Range { n, a, b, .. } = *self;
        for (at, hands) in carried.hands.iter().enumerate().filter(|(_, hands)| !hands.is_empty()) {
            let seen = a + 1 + at;
            // At least `b − seen` of the others show the value.
            let mut rest = total(place.weight, place.beyond).power(n - seen);
            let ways = binomials(n - seen, b - seen);
            rest.subtract(&fewer_than(n - seen, b - seen, place.weight, place.beyond, &ways));
            add(sum, hands, &rest.times(&self.ways[seen]), place.worth * (b - seen));
        }
        sum[place.worth * (b - a)].add(&self.all_at(place));
    }

    /// The hands in which every kept rank shows the value.
    fn all_at(&self, place: &Place<'_, W>) -> W {
        let Range { n, a, b, .. } = *self;
        let mut all = self.hands.clone();
        if let Some([below, weight, beyond]) = place.words {
            let [n, a, b] = [n, a, b].map(|number| number as u64);
            // At least `a + 1` below, and at least `n − b + 1` beyond: all but the others, on the shorter side.
            let (low, high) = (below, weight + beyond);
            all.subtract(&W::cut(&at_least(n, a + 1, low, high)));
            let (low, high) = (below + weight, beyond);
            all.subtract(&W::cut(&at_least(n, n - b + 1, high, low)));
        } else {
            all.subtract(&self.at_least(a + 1, place.below, &total(place.weight, place.beyond)));
            let up_to_here = total(place.below, place.weight);
            all.subtract(&self.at_least(n - b + 1, place.beyond, &up_to_here));
        }
        for (at, p, ways) in &self.both {
            let around = place.below.power(*p).times(&place.beyond.power(n - at - p));
            all.add_product(&around.times(&place.weight.power(*at)), ways);
        }
        all
    }

    /// `Σ_{c≥least} C(n,c) some^c others^{n−c}`.
    fn at_least(&self, least: usize, some: &W, others: &W) -> W {
        let n = self.n;
        if least > n {
            return W::zero();
        }
        // The shorter side is added up.
        if least > n / 2 {
            return fewer_than(n, n - least + 1, others, some, &self.ways);
        }
        let mut all = self.hands.clone();
        all.subtract(&fewer_than(n, least, some, others, &self.ways));
        all
    }
}

/// What the dice below a value can be, where some but not all kept ranks are among them.
struct Carried<W> {
    /// For `a + 1`, `a + 2`, … dice: weights by what the kept ones are worth; empty for none.
    hands: Vec<Vec<W>>,
    /// `C(p, c)` for those numbers of dice.
    ways: Vec<Vec<W>>,
}

impl<W: Weight> Carried<W> {
    fn go_on(&mut self, a: usize, place: &Place<'_, W>) {
        for at in (0..self.hands.len()).rev() {
            let (earlier, later) = self.hands.split_at_mut(at);
            let seen = a + 1 + at;
            let ways = &self.ways[at];
            let mut power = W::of(&Natural::ONE);
            for c in 1..=at {
                power = power.times(place.weight);
                let hands = &earlier[at - c];
                if !hands.is_empty() {
                    add_growing(&mut later[0], hands, &power.times(&ways[c]), place.worth * c);
                }
            }
            // At most `a` below: all but those with fewer than `seen − a` dice at the value.
            let mut first = total(place.below, place.weight).power(seen);
            first.subtract(&fewer_than(seen, seen - a, place.weight, place.below, ways));
            add_growing(&mut later[0], &[first], &W::of(&Natural::ONE), place.worth * (at + 1));
        }
    }
}

/// `Σ_{c≥least} C(n,c) some^c others^{n−c}`, from the shorter side.
fn at_least(n: u64, least: u64, some: u64, others: u64) -> Natural {
    if least > n / 2 {
        return tails::fewer_than(n, n + 1 - least.min(n + 1), others, some);
    }
    let all = Natural::from(u128::from(some) + u128::from(others)).pow(n as usize);
    all - tails::fewer_than(n, least, some, others)
}

fn total<W: Weight>(a: &W, b: &W) -> W {
    let mut sum = a.clone();
    sum.add(b);
    sum
}

fn add<W: Weight>(sum: &mut [W], hands: &[W], factor: &W, shift: usize) {
    if factor.is_nothing() {
        return;
    }
    for (place, hands) in sum[shift..].iter_mut().zip(hands).filter(|(_, h)| !h.is_nothing()) {
        place.add_product(hands, factor);
    }
}

fn add_growing<W: Weight>(sum: &mut Vec<W>, hands: &[W], factor: &W, shift: usize) {
    if sum.len() < hands.len() + shift {
        sum.resize(hands.len() + shift, W::zero());
    }
    add(sum, hands, factor, shift);
}

/// `Σ_{c<size} C(n,c) some^c others^{n−c}`, by Horner's rule; `ways` are the `C(n,c)`.
fn fewer_than<W: Weight>(n: usize, size: usize, some: &W, others: &W, ways: &[W]) -> W {
    let Some(last) = size.checked_sub(1) else { return W::zero() };
    // Σ C(n,c) some^c others^{last−c}, then others^{n−last}.
    let (mut sum, mut power) = (W::zero(), W::of(&Natural::ONE));
    for ways in &ways[..=last] {
        sum = sum.times(others);
        sum.add_product(&power, ways);
        power = power.times(some);
    }
    sum.times(&others.power(n - last))
}

/// `C(n, j)` for `j` below `size`.
fn binomials<W: Weight>(n: usize, size: usize) -> Vec<W> {
    super::order::binomials(n as u64, size).map(|ways| W::cut(&ways)).collect()
}
