//! `G = K₀(x) + K₁(x)·G + K₂(x)·G² + …`: a number made of something known and of k copies of itself.
//!
//! The Kₖ have no negative coefficients and sum to 1 at x = 1, or to less; their masses are the chances cₖ of k
//! copies. Three questions:
//!
//! *Does it end?* The chance of ending is the least root in [0, 1] of q = Σ cₖ·qᵏ. It is 1 if Σ k·cₖ ≤ 1 (and the
//! chances sum to 1: less is left where some of it fails or does not count);
//! beyond, the right side minus q is convex, positive at 0 and negative just below 1, so halving finds
//! the root. If it is rational, G/q solves an equation of the same kind, with Kₖ·qᵏ⁻¹, and ends surely.
//!
//! *With which chances?* If every Kₖ with k ≥ 2 starts beyond x⁰, or G itself does, then the n-th
//! coefficient on the right depends on earlier ones of G alone, but for K₁'s x⁰, which is divided out.
//!
//! *Mean and variance*, with J the known part and M, V those of G: M·(1 − Σ k·cₖ) = E[J], and
//! V·(1 − Σ k·cₖ) = E[(J + k·M)²] − M².

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use super::scaled::Scaled;
use super::stream::{Stream, known};
use super::vague::Vague;
use super::{Body, Grown, one_way};
use crate::law::{Endless, Law};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Rational};
use crate::series::Series;
use dashu_base::BitTest;

/// An equation in order: by the number of copies, and no part is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Equation {
    parts: Vec<(u64, Series)>,
    found: Found,
}

/// The coefficients found so far; they say nothing that the equation does not say.
#[derive(Debug, Default)]
struct Found(Mutex<Vec<Rational>>);

impl Found {
    /// The first ones, if there are so many.
    fn first(&self, places: usize) -> Option<Vec<Rational>> {
        self.0.lock().ok()?.get(..places).map(<[Rational]>::to_vec)
    }

    fn keep(&self, coefficients: &[Rational]) {
        if let Ok(mut found) = self.0.lock() {
            *found = coefficients.to_vec();
        }
    }
}

impl Clone for Found {
    fn clone(&self) -> Self {
        Found::default()
    }
}

impl PartialEq for Found {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Found {}

impl Hash for Found {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// What becomes of something that grows by copies of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Growth {
    /// It ends with this chance, and then has this law.
    Exact {
        /// The chance that it ends.
        ends: Rational,
        /// The law, given that it ends.
        law: Law,
    },
    /// The chance that it ends is no fraction.
    Within {
        /// The likeliest values.
        listed: Law,
        /// The exact chance of all of them together.
        chance: Rational,
        /// It goes on for ever with at least this chance; what is left of 1 is not known.
        never: Rational,
    },
}

impl Growth {
    /// What ends surely, with this law.
    fn certain(law: Law) -> Growth {
        Growth::Exact { ends: Rational::ONE, law }
    }

    /// So many independent ones, one after the other; `None` if there is no closed form.
    pub fn times(self, count: u64, meter: &Meter) -> Result<Option<Growth>, OverBudget> {
        match self {
            Growth::Exact { ends, law } => {
                meter.charge(count)?;
                let all = (0..count).fold(Rational::ONE, |all, _| all * &ends);
                Ok(Some(Growth::Exact { ends: all, law: law.times(count, meter)? }))
            }
            Growth::Within { .. } => Ok((count == 1).then_some(self)),
        }
    }
}

impl Law {
    /// What grows so: with each chance something of this law, and so many copies of the whole. The
    /// chances sum to 1. `None` if there is no closed form.
    pub fn grown(
        parts: &[(Rational, Law, u64)],
        meter: &Meter,
    ) -> Result<Option<Growth>, OverBudget> {
        let zero = Rational::ZERO;
        let low = parts.iter().all(|(_, law, _)| law.lowest().is_some_and(|low| low >= zero));
        let high = parts.iter().all(|(_, law, _)| law.highest().is_some_and(|high| high <= zero));
        if !low && high {
            let turned: Result<Vec<_>, OverBudget> = parts
                .iter()
                .map(|(chance, law, copies)| Ok((chance.clone(), law.negate(meter)?, *copies)))
                .collect();
            return match Law::grown(&turned?, meter)? {
                Some(Growth::Exact { ends, law }) => {
                    Ok(Some(Growth::Exact { ends, law: law.negate(meter)? }))
                }
                _ => Ok(None),
            };
        }
        if !low || parts.iter().any(|(_, law, _)| matches!(law, Law::Grown(_))) {
            return Ok(None);
        }
        let mut placed = Vec::new();
        let mut step = Rational::ZERO;
        for (chance, law, copies) in parts {
            let (offset, own, stream) = one_way(law, true, meter)?;
            step = number::common_step(&number::common_step(&step, &own), &offset);
            placed.push((chance, offset, own, stream, *copies));
        }
        let step = if step.is_zero() { Rational::ONE } else { step };
        let mut sum: BTreeMap<u64, Series> = BTreeMap::new();
        for (chance, offset, own, stream, copies) in placed {
            let Stream::Known(series) = stream else { return Ok(None) };
            let by = number::steps_in(&own, &step).unwrap_or(1).max(1);
            let places = number::steps_in(&offset, &step).ok_or(OverBudget::Steps)?;
            let series = series.stretched(by, meter)?.shifted(places).scaled(chance);
            add(&mut sum, copies, &series, meter)?;
        }
        solve(sum, &step, meter)
    }

    /// How many independent copies of the [unknown](Law::unknown) of this number it is made of; none if that
    /// differs, or is not known.
    pub fn copies(&self, id: u32, meter: &Meter) -> Result<Option<u64>, OverBudget> {
        let Law::Grown(grown) = self else { return Ok(Some(0)) };
        if grown.0.stream.is_stretched_unknown(id) {
            return Ok(Some(1));
        }
        let Some(parts) = expanded(&grown.0.stream, id, meter)? else { return Ok(None) };
        let mut copies = parts.into_iter().filter(|(_, part)| !part.is_zero()).map(|part| part.0);
        let first = copies.next().unwrap_or(0);
        Ok(copies.all(|other| other == first).then_some(first))
    }

    /// The solution of `U = self`, where `self` is made with the [unknown](Law::unknown) U of this
    /// number, and happens with the chance `mass`; otherwise there is no end. `None` if there is no closed form.
    pub fn solved(
        &self,
        id: u32,
        mass: &Rational,
        meter: &Meter,
    ) -> Result<Option<Growth>, OverBudget> {
        let Law::Grown(grown) = self else { return Ok(None) };
        let body = &grown.0;
        let places = i64::try_from(body.offset.numerator()).ok();
        let places = places.filter(|places| *places >= 0 && body.offset.is_int());
        let (Some(places), true) = (places, body.step.is_one()) else { return Ok(None) };
        if let Some(scaled) = Scaled::of(&body.stream, id, places, meter)? {
            return Ok(mass.is_one().then(|| scaled.law()).flatten().map(Growth::certain));
        }
        let Some(parts) = expanded(&body.stream, id, meter)? else { return Ok(None) };
        let place = |(copies, part): (u64, Series)| (copies, part.shifted(places).scaled(mass));
        solve(parts.into_iter().map(place).collect(), &Rational::ONE, meter)
    }
}

type Parts = BTreeMap<u64, Series>;

fn add(parts: &mut Parts, copies: u64, more: &Series, meter: &Meter) -> Result<(), OverBudget> {
    let sum = match parts.remove(&copies) {
        Some(known) => known.plus(more, meter)?,
        None => more.clone(),
    };
    parts.insert(copies, sum);
    Ok(())
}

/// A stream with an unknown in it, as a polynomial in the unknown.
fn expanded(stream: &Stream, id: u32, meter: &Meter) -> Result<Option<Parts>, OverBudget> {
    Ok(match stream {
        Stream::Known(series) => Some(Parts::from([(0, series.clone())])),
        Stream::Unknown(own) if *own == id => Some(Parts::from([(1, Series::one())])),
        Stream::Product(factors) => {
            let mut product = Parts::from([(0, Series::one())]);
            for factor in factors {
                let Some(factor) = expanded(factor, id, meter)? else { return Ok(None) };
                product = multiplied(&product, &factor, meter)?;
            }
            Some(product)
        }
        Stream::Power(inner, count) => {
            let Some(inner) = expanded(inner, id, meter)? else { return Ok(None) };
            let mut product = Parts::from([(0, Series::one())]);
            for _ in 0..*count {
                product = multiplied(&product, &inner, meter)?;
            }
            Some(product)
        }
        Stream::Blend(blend) => {
            let mut sum = Parts::new();
            for (weight, part) in blend {
                let Some(part) = expanded(part, id, meter)? else { return Ok(None) };
                for (copies, series) in part {
                    add(&mut sum, copies, &series.scaled(weight), meter)?;
                }
            }
            Some(sum)
        }
        Stream::Shifted(inner, by) => {
            let by = i64::try_from(*by).map_err(|_| OverBudget::Steps)?;
            let inner = expanded(inner, id, meter)?;
            inner.map(|inner| inner.into_iter().map(|(k, part)| (k, part.shifted(by))).collect())
        }
        Stream::Unknown(_) | Stream::Solution(_) | Stream::Multiples(_) => None,
        Stream::Stretched(inner, by) if let Stream::Known(series) = &**inner => {
            let by = i64::try_from(*by).map_err(|_| OverBudget::Steps)?;
            Some(Parts::from([(0, series.stretched(by, meter)?)]))
        }
        Stream::Stretched(..) | Stream::Beyond(..) => None,
    })
}

fn multiplied(left: &Parts, right: &Parts, meter: &Meter) -> Result<Parts, OverBudget> {
    let mut product = Parts::new();
    for (copies, part) in left {
        for (more, other) in right {
            let copies = copies.checked_add(*more).ok_or(OverBudget::Steps)?;
            add(&mut product, copies, &part.times(other, meter)?, meter)?;
        }
    }
    Ok(product)
}

fn solve(parts: Parts, step: &Rational, meter: &Meter) -> Result<Option<Growth>, OverBudget> {
    let parts: Vec<(u64, Series)> = parts.into_iter().filter(|(_, part)| !part.is_zero()).collect();
    let equation = Equation { parts, found: Found::default() };
    let copies = equation.copies();
    if equation.parts.first().is_none_or(|(copies, _)| *copies > 0) {
        let law = Law::constant(Rational::ZERO);
        return Ok(Some(Growth::Exact { ends: Rational::ZERO, law }));
    }
    let whole = equation.parts.iter().fold(Rational::ZERO, |sum, (_, part)| sum + part.mass());
    if whole.is_one() && copies == Rational::ONE {
        return Ok(None);
    }
    if whole.is_one() && copies < Rational::ONE {
        let law = equation.law(step, meter)?;
        return Ok(law.map(Growth::certain));
    }
    match equation.ends(meter)? {
        Root::Exactly(ends) => {
            let law = equation.given_that_it_ends(&ends).law(step, meter)?;
            Ok(law.map(|law| Growth::Exact { ends, law }))
        }
        Root::Between(least, most) if equation.is_constant() => {
            let (listed, never) = (Law::constant(Rational::ZERO), Rational::ONE - most);
            Ok(Some(Growth::Within { listed, chance: least, never }))
        }
        Root::Between(_, most) if equation.is_solvable() => equation.within(&most, step, meter),
        Root::Between(..) => Ok(None),
    }
}

/// The chance of ending.
enum Root {
    Exactly(Rational),
    /// No fraction of reasonable size, but between these, which differ by less than 2⁻⁸⁰.
    Between(Rational, Rational),
}

impl Equation {
    pub(super) fn lowest(&self) -> u64 {
        self.parts.first().map_or(0, |(_, part)| u64::try_from(part.lowest()).unwrap_or(0))
    }

    pub(super) fn size(&self) -> usize {
        self.parts.iter().map(|(_, part)| part.size()).sum()
    }

    /// The mean number of copies.
    fn copies(&self) -> Rational {
        let of = |(copies, part): &(u64, Series)| Rational::from(*copies) * part.mass();
        self.parts.iter().fold(Rational::ZERO, |sum, part| sum + of(part))
    }

    fn is_solvable(&self) -> bool {
        let at_once = |(copies, part): &(u64, Series)| *copies >= 2 && part.lowest() == 0;
        self.lowest() > 0 || !self.parts.iter().any(at_once)
    }

    /// Whether nothing is added up: then only the chance of ending is asked for.
    fn is_constant(&self) -> bool {
        self.parts.iter().all(|(_, part)| {
            part.lowest() == 0 && part.is_polynomial() && part.as_polynomial().1.len() <= 1
        })
    }

    /// The solution as a law of mass 1.
    fn law(&self, step: &Rational, meter: &Meter) -> Result<Option<Law>, OverBudget> {
        if self.is_constant() {
            return Ok(Some(Law::constant(Rational::ZERO)));
        }
        match self.parts.as_slice() {
            [(0, known)] => return self.assembled(known.clone(), step, meter).map(Some),
            [(0, known), (1, again)] => {
                let Some(runs) = again.geometric(meter)? else { return Ok(None) };
                return self.assembled(known.times(&runs, meter)?, step, meter).map(Some);
            }
            _ if !self.is_solvable() => return Ok(None),
            _ => {}
        }
        let (mean, variance) = self.moments();
        Ok(Some(Grown::law(Body {
            offset: Rational::ZERO,
            step: step.clone(),
            stream: Stream::Solution(Arc::new(self.clone())),
            mean: mean * step,
            variance: variance * step * step,
            vague: Vague::default(),
        })))
    }

    /// At most one copy: a quotient of polynomials after all.
    fn assembled(&self, up: Series, step: &Rational, meter: &Meter) -> Result<Law, OverBudget> {
        Endless::assemble((Rational::ZERO, step.clone(), up, Series::zero()), meter)
    }

    fn moments(&self) -> (Rational, Rational) {
        let left = Rational::ONE - self.copies();
        let first = |part: &Series| part.moments().first;
        let known = self.parts.iter().fold(Rational::ZERO, |sum, (_, part)| sum + first(part));
        let mean = known / &left;
        let mut square = Rational::ZERO;
        for (copies, part) in &self.parts {
            let (own, theirs) = (part.moments(), Rational::from(*copies) * &mean);
            square += own.second + own.first * &theirs * Rational::from(2u8);
            square += part.mass() * &theirs * &theirs;
        }
        let variance = (square - &mean * &mean) / left;
        (mean, variance)
    }

    /// The equation of the solution over the chance that it ends.
    fn given_that_it_ends(&self, ends: &Rational) -> Equation {
        let scaled = |(copies, part): &(u64, Series)| {
            let factor = (0..*copies).fold(Rational::ONE / ends, |factor, _| factor * ends);
            (*copies, part.scaled(&factor))
        };
        let parts = self.parts.iter().map(scaled).collect();
        Equation { parts, found: Found::default() }
    }

    /// The least root of q = Σ cₖ·qᵏ, which is less than 1.
    fn ends(&self, meter: &Meter) -> Result<Root, OverBudget> {
        const HALVINGS: u32 = 80;
        let masses: Vec<(u64, Rational)> =
            self.parts.iter().map(|(copies, part)| (*copies, part.mass())).collect();
        let most = masses.last().map_or(0, |(copies, _)| *copies);
        if let [(0, ends), (1, again)] = masses.as_slice() {
            return Ok(Root::Exactly(ends / (Rational::ONE - again)));
        }
        if let [(0, ends)] = masses.as_slice() {
            return Ok(Root::Exactly(ends.clone()));
        }
        meter.charge((u64::from(HALVINGS) * most).saturating_mul(most + 8))?;
        let excess = |q: &Rational| {
            let (mut sum, mut power, mut at) = (-q.clone(), Rational::ONE, 0);
            for (copies, mass) in &masses {
                (at..*copies).for_each(|_| power *= q);
                at = *copies;
                sum += mass * &power;
            }
            sum
        };
        let half = Rational::ONE / Rational::from(2u8);
        let (mut low, mut high) = (Rational::ZERO, half.clone());
        while excess(&high) > Rational::ZERO {
            low = high.clone();
            high = (&high + Rational::ONE) * &half;
            meter.charge(most + 1)?;
        }
        for _ in 0..HALVINGS {
            let middle = (&low + &high) * &half;
            if excess(&middle) > Rational::ZERO { low = middle } else { high = middle }
        }
        let simple = simplest(&low, &high);
        Ok(if excess(&simple).is_zero() { Root::Exactly(simple) } else { Root::Between(low, high) })
    }

    /// What can be said where the chance of ending is no fraction.
    fn within(
        &self,
        most: &Rational,
        step: &Rational,
        meter: &Meter,
    ) -> Result<Option<Growth>, OverBudget> {
        const WINDOW: u64 = 1_000_000_000_000;
        let sliver = Rational::ONE / Rational::from(WINDOW);
        let mut places = 32;
        loop {
            let chances = self.coefficients(places, meter)?;
            let chance = super::sum(&chances);
            if most - &chance < sliver {
                let listed = (0u64..).zip(&chances).filter(|(_, own)| !own.is_zero());
                let listed =
                    listed.map(|(place, own)| (step * Rational::from(place), own / &chance));
                let listed = Law::from_chances(listed.collect());
                let never = Rational::ONE - most;
                return Ok(listed.map(|listed| Growth::Within { listed, chance, never }));
            }
            places *= 2;
        }
    }

    /// The first coefficients of the solution.
    pub(super) fn coefficients(
        &self,
        places: usize,
        meter: &Meter,
    ) -> Result<Vec<Rational>, OverBudget> {
        if let Some(found) = self.found.first(places) {
            return Ok(found);
        }
        let asked = places;
        // One more is often asked for next.
        let places = places.checked_next_power_of_two().ok_or(OverBudget::Steps)?.max(32);
        let most = self.parts.last().map_or(0, |(copies, _)| *copies);
        let most = usize::try_from(most).map_err(|_| OverBudget::Steps)?;
        let mut parts = Vec::new();
        for (copies, part) in &self.parts {
            parts.push((*copies as usize, known(part, places, meter)?));
        }
        let weights = parts.iter().flat_map(|(_, part)| part).filter(|weight| !weight.is_zero());
        let work = weights.count() + most * places / 2;
        // About a bit a place: a place costs at least one throw, and few places cost many.
        // Each product is reduced, and that takes several times as long.
        meter.afford((places as u64).saturating_mul(6 * work as u64))?;
        let again = parts.iter().find(|(copies, _)| *copies == 1);
        let again = again.and_then(|(_, part)| part.first().cloned()).unwrap_or(Rational::ZERO);
        let left = Rational::ONE - again;
        // The powers of the solution, from the 0th: powers[k][n].
        let mut powers: Vec<Vec<Rational>> = vec![vec![Rational::ZERO; places]; most.max(1) + 1];
        if let Some(first) = powers[0].first_mut() {
            *first = Rational::ONE;
        }
        let late = self.lowest() > 0;
        for n in 0..places {
            let bits = n.checked_sub(1).map_or(0, |last| powers[1][last].denominator().bit_len());
            let known = parts.iter().map(|(_, part)| part[..=n].iter());
            let known = known.flatten().filter(|weight| !weight.is_zero()).count();
            // Each is a product and a sum.
            meter.charge_fractions(2 * (known + most.saturating_sub(1) * (n + 1)), bits)?;
            // With no chance of 0, a power of two or more copies does not need the n-th coefficient.
            if late {
                fill(&mut powers, n);
            }
            let mut sum = Rational::ZERO;
            for (copies, part) in &parts {
                let own = &powers[*copies];
                // At place 0 of one copy stands the coefficient that is looked for.
                let first = usize::from(*copies == 1);
                for (weight, power) in
                    part[first..=n].iter().zip(own[..=n - first.min(n)].iter().rev())
                {
                    if !weight.is_zero() && !power.is_zero() {
                        sum += weight * power;
                    }
                }
            }
            powers[1][n] = sum / &left;
            if !late {
                fill(&mut powers, n);
            }
        }
        let mut solution = powers.swap_remove(1);
        self.found.keep(&solution);
        solution.truncate(asked);
        Ok(solution)
    }
}

/// The n-th coefficients of the second and higher powers.
fn fill(powers: &mut [Vec<Rational>], n: usize) {
    for k in 2..powers.len() {
        let (lower, upper) = powers.split_at_mut(k);
        let (first, before) = (&lower[1], &lower[k - 1]);
        let mut sum = Rational::ZERO;
        for l in 0..=n {
            if !first[l].is_zero() && !before[n - l].is_zero() {
                sum += &first[l] * &before[n - l];
            }
        }
        upper[0][n] = sum;
    }
}

/// The fraction with the least denominator between two positive ones.
fn simplest(low: &Rational, high: &Rational) -> Rational {
    let whole: Integer = low.ceil();
    let whole = Rational::from(whole);
    if whole <= *high {
        return whole;
    }
    let floor = Rational::from(low.floor());
    let inner = simplest(&(Rational::ONE / (high - &floor)), &(Rational::ONE / (low - &floor)));
    floor + Rational::ONE / inner
}
