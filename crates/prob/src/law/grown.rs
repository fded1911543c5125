//! Numbers that grow by copies of themselves: the third kind of law.
//!
//! A d6 where a six stays and adds two more such dice has the generating function
//! `G = (x + … + x⁵)/6 + x⁶/6 · G²`. No quotient of polynomials solves that, but everything asked of it
//! is still exact: a coefficient follows from those before it ([`equation`]), the rest beyond a list is
//! what they leave of 1, and mean and variance follow from linear equations.
//!
//! A [`Grown`] law is such a solution or something made of solutions: sums are products of streams,
//! mixtures are blends, a cut leaves the places beyond. It keeps to one side: the value is
//! `offset + step·k` for `k ≥ 0`, and a negative step runs down. What has no exact answer here (a sum of
//! one that runs up and one that runs down) is refused as [`OverBudget::NotKnown`].
//!
//! While an equation is being read off a program, its solution stands in as [`Law::unknown`]. Such a law
//! can only be added and mixed; every other question is refused.

mod equation;
mod scaled;
mod stream;
mod vague;

use std::sync::Arc;

use super::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Rational};
pub use equation::Growth;
use stream::Stream;
pub use vague::Moment;
use vague::Vague;

/// The law of a number that grows by copies of itself; see the module's header.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Grown(Arc<Body>);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Body {
    offset: Rational,
    /// Not zero.
    step: Rational,
    stream: Stream,
    mean: Rational,
    variance: Rational,
    /// Of a number of which only the moments are known.
    vague: Vague,
}

impl Grown {
    fn law(body: Body) -> Law {
        Law::Grown(Grown(Arc::new(body)))
    }

    fn is_unknown(&self) -> bool {
        self.0.stream.has_unknown()
    }

    fn runs_up(&self) -> bool {
        self.0.step > Rational::ZERO
    }

    fn value(&self, place: usize) -> Rational {
        &self.0.offset + &self.0.step * Rational::from(place as u64)
    }

    fn nearest_to_zero(&self) -> Rational {
        self.value(usize::try_from(self.0.stream.lowest()).unwrap_or(0))
    }

    pub(crate) fn lowest(&self) -> Option<Rational> {
        (self.runs_up() && !self.is_unbounded()).then(|| self.nearest_to_zero())
    }

    pub(crate) fn highest(&self) -> Option<Rational> {
        (!self.runs_up() && !self.is_unbounded()).then(|| self.nearest_to_zero())
    }

    pub(crate) fn mean_and_variance(&self) -> (Rational, Rational) {
        (self.0.mean.clone(), self.0.variance.clone())
    }

    pub(crate) fn size(&self) -> usize {
        self.0.stream.size()
    }

    pub(crate) fn is_whole(&self) -> bool {
        match self.is_unbounded() {
            true => self.0.vague.multiple.as_ref().is_some_and(Rational::is_int),
            false => self.0.offset.is_int() && self.0.step.is_int(),
        }
    }

    pub(crate) fn affine(&self, factor: &Rational, shift: &Rational) -> Law {
        let body = &self.0;
        let mean = &body.mean * factor + shift;
        let variance = &body.variance * factor * factor;
        let vague = body.vague.affine(factor, shift);
        if self.is_vague() {
            return Grown::vague(mean, variance, vague);
        }
        let (offset, step) = (&body.offset * factor + shift, &body.step * factor);
        Grown::law(Body { offset, step, stream: body.stream.clone(), mean, variance, vague })
    }

    pub(crate) fn times(&self, count: u64) -> Law {
        let (body, times) = (&self.0, Rational::from(count));
        let (mean, variance) = (&body.mean * &times, &body.variance * &times);
        if self.is_vague() {
            return Grown::vague(mean, variance, body.vague.clone());
        }
        Grown::law(Body {
            offset: &body.offset * &times,
            step: body.step.clone(),
            stream: Stream::Power(Arc::new(body.stream.clone()), count),
            mean,
            variance,
            vague: Vague::default(),
        })
    }

    /// The chances of the first places.
    fn chances(&self, places: usize, meter: &Meter) -> Result<Vec<Rational>, OverBudget> {
        self.0.stream.coefficients(places, meter)
    }

    /// How many places lie before this value on the way from the start.
    fn places_before(&self, value: &Rational) -> Result<usize, OverBudget> {
        let places = number::quotient(&(value - &self.0.offset), &self.0.step).ceil();
        if places <= number::Integer::ZERO {
            return Ok(0);
        }
        usize::try_from(&places).map_err(|_| OverBudget::Steps)
    }

    /// The chances before a value, of the value, and after it, on the way from the start.
    fn around(
        &self,
        value: &Rational,
        meter: &Meter,
    ) -> Result<(Vec<Rational>, Rational, Rational), OverBudget> {
        let places = self.places_before(value)?;
        let mut chances = self.chances(places.saturating_add(1), meter)?;
        let last = chances.pop().unwrap_or(Rational::ZERO);
        let at = if self.value(places) == *value { last } else { Rational::ZERO };
        let before = sum(&chances);
        let after = Rational::ONE - before - &at;
        Ok((chances, at, after))
    }

    pub(crate) fn compare(
        &self,
        comparison: Comparison,
        value: &Rational,
        meter: &Meter,
    ) -> Result<Rational, OverBudget> {
        let (before, at, after) = self.around(value, meter)?;
        let before = sum(&before);
        let (below, above) = if self.runs_up() { (before, after) } else { (after, before) };
        Ok(match comparison {
            Comparison::Less => below,
            Comparison::AtMost => below + at,
            Comparison::Greater => above,
            Comparison::AtLeast => above + at,
            Comparison::Equal => at,
            Comparison::NotEqual => Rational::ONE - at,
        })
    }

    pub(crate) fn split(
        &self,
        comparison: Comparison,
        value: &Rational,
        meter: &Meter,
    ) -> Result<[(Rational, Option<Law>); 2], OverBudget> {
        let (before, at, after) = self.around(value, meter)?;
        let places = before.len();
        let side = |sign: i8| if self.runs_up() { sign } else { -sign };
        let before = before
            .into_iter()
            .enumerate()
            .map(|(place, chance)| (side(-1), self.value(place), chance));
        let near: Vec<(i8, Rational, Rational)> =
            before.chain([(0, value.clone(), at.clone())]).collect();
        let beyond = places + usize::from(!at.is_zero());
        let half = |wanted: bool| {
            let kept = near.iter().filter(|(sign, ..)| comparison.holds(sign, &0) == wanted);
            let kept: Vec<(Rational, Rational)> = kept
                .filter(|(.., chance)| !chance.is_zero())
                .map(|(_, value, chance)| (value.clone(), chance.clone()))
                .collect();
            let far = comparison.holds(&side(1), &0) == wanted;
            self.part(&kept, far.then_some((beyond, &after)), &near, meter)
        };
        Ok([half(true)?, half(false)?])
    }

    /// Some near values and perhaps everything from a place on: its chance, and the law given it.
    fn part(
        &self,
        kept: &[(Rational, Rational)],
        far: Option<(usize, &Rational)>,
        near: &[(i8, Rational, Rational)],
        meter: &Meter,
    ) -> Result<(Rational, Option<Law>), OverBudget> {
        let mass = kept.iter().fold(Rational::ZERO, |mass, (_, chance)| mass + chance);
        let given = |mass: &Rational| {
            let chances = kept.iter().map(|(value, chance)| (value.clone(), chance / mass));
            Law::from_chances(chances.collect())
        };
        let Some((place, after)) = far.filter(|(_, after)| !after.is_zero()) else {
            return Ok(if mass.is_zero() { (mass, None) } else { (mass.clone(), given(&mass)) });
        };
        let beyond = self.beyond(place, after, near);
        let whole = &mass + after;
        let law = match given(&mass).filter(|_| !mass.is_zero()) {
            Some(near) => Law::mixture(&[(&mass / &whole, near), (after / &whole, beyond)], meter)?,
            None => beyond,
        };
        Ok((whole, Some(law)))
    }

    /// The law from a place on, given that it lies there; `near` is everything before.
    fn beyond(&self, place: usize, chance: &Rational, near: &[(i8, Rational, Rational)]) -> Law {
        let body = &self.0;
        let (mut first, mut second) = (body.mean.clone(), &body.variance + &body.mean * &body.mean);
        for (_, value, chance) in near {
            first -= value * chance;
            second -= value * value * chance;
        }
        let (first, second) = (first / chance, second / chance);
        let tail = Stream::Beyond(Arc::new(body.stream.clone()), place as u64);
        Grown::law(Body {
            offset: body.offset.clone(),
            step: body.step.clone(),
            stream: Stream::Blend(vec![(Rational::ONE / chance, tail)]),
            variance: second - &first * &first,
            mean: first,
            vague: Vague::default(),
        })
    }

    /// Outcomes from the start until the rest is small and `until` is reached, and the rest.
    #[allow(clippy::type_complexity, reason = "the parts of a listing")]
    pub(crate) fn listed(
        &self,
        rest_below: &Rational,
        until: Option<&Rational>,
        meter: &Meter,
    ) -> Result<(Vec<(Rational, Rational)>, Rational), OverBudget> {
        let far = until.map(|until| if self.runs_up() { until.clone() } else { -until });
        let needed = far.map_or(Ok(0), |far| self.places_before(&far).map(|places| places + 1))?;
        let mut places = needed.max(32);
        loop {
            let chances = self.chances(places, meter)?;
            let mut rest = Rational::ONE - sum(&chances);
            if rest >= *rest_below {
                places = places.saturating_mul(2);
                continue;
            }
            let mut outcomes: Vec<(usize, Rational)> = chances.into_iter().enumerate().collect();
            while let Some((_, chance)) = outcomes
                .pop_if(|(place, chance)| *place >= needed && &rest + &*chance < *rest_below)
            {
                rest += chance;
            }
            let outcomes = outcomes.into_iter().filter(|(_, chance)| !chance.is_zero());
            let mut outcomes: Vec<(Rational, Rational)> =
                outcomes.map(|(place, chance)| (self.value(place), chance)).collect();
            if !self.runs_up() {
                outcomes.reverse();
            }
            return Ok((outcomes, rest));
        }
    }
}

fn sum(chances: &[Rational]) -> Rational {
    chances.iter().fold(Rational::ZERO, |sum, chance| sum + chance)
}

/// Offset, step and stream of a law that runs this way; a constant has step 0.
fn one_way(law: &Law, up: bool, meter: &Meter) -> Result<(Rational, Rational, Stream), OverBudget> {
    if let Law::Grown(grown) = law {
        if grown.runs_up() != up {
            return Err(OverBudget::NotKnown);
        }
        let body = &grown.0;
        return Ok((body.offset.clone(), body.step.clone(), body.stream.clone()));
    }
    if !up {
        let (offset, step, stream) = one_way(&law.negate(meter)?, true, meter)?;
        return Ok((-offset, -step, stream));
    }
    let (offset, step, up, down) = law.parts(meter)?;
    if !down.is_zero() {
        return Err(OverBudget::NotKnown);
    }
    let start = up.lowest();
    let offset = offset + &step * number::whole(start);
    Ok((offset, step, Stream::Known(up.shifted(-start))))
}

fn runs_up(laws: &[&Law]) -> bool {
    laws.iter().any(|law| matches!(law, Law::Grown(grown) if grown.runs_up()))
}

/// The sum of two independent numbers, one of which has grown.
pub(crate) fn sum_of(left: &Law, right: &Law, meter: &Meter) -> Result<Law, OverBudget> {
    match (left, right) {
        (Law::Grown(grown), other) | (other, Law::Grown(grown)) => {
            if let Some(shift) = other.as_constant() {
                return Ok(grown.affine(&Rational::ONE, shift));
            }
        }
        _ => {}
    }
    meter.charge((left.size() + right.size()) as u64)?;
    let ((mean, variance), (add, vary)) = (left.mean_and_variance(), right.mean_and_variance());
    let (mean, variance) = (mean + add, variance + vary);
    if let Some(vague) = vaguely(&[left, right], meter)? {
        return Ok(Grown::vague(mean, variance, vague));
    }
    let up = runs_up(&[left, right]);
    let (offset, step, stream) = one_way(left, up, meter)?;
    let (other, other_step, more) = one_way(right, up, meter)?;
    let common = common(&[&step, &other_step], up);
    let product = vec![
        stream.stretched(places(&step, &common)?),
        more.stretched(places(&other_step, &common)?),
    ];
    Ok(Grown::law(Body {
        offset: offset + other,
        step: common,
        stream: Stream::Product(product),
        mean,
        variance,
        vague: Vague::default(),
    }))
}

/// A mixture of which one part has grown.
pub(crate) fn mixture_of(parts: &[(&Rational, &Law)], meter: &Meter) -> Result<Law, OverBudget> {
    let laws: Vec<&Law> = parts.iter().map(|(_, law)| *law).collect();
    let (mut mean, mut second) = (Rational::ZERO, Rational::ZERO);
    for (chance, law) in parts {
        let (own, variance) = law.mean_and_variance();
        second += *chance * (variance + &own * &own);
        mean += *chance * own;
    }
    let variance = second - &mean * &mean;
    if let Some(vague) = vaguely(&laws, meter)? {
        return Ok(Grown::vague(mean, variance, vague));
    }
    let up = runs_up(&laws);
    let mut placed = Vec::new();
    for (chance, law) in parts {
        placed.push((*chance, one_way(law, up, meter)?));
    }
    let nearest = |a: &Rational, b: &Rational| if (a < b) == up { a.clone() } else { b.clone() };
    let first = placed.first().map_or(Rational::ZERO, |(_, part)| part.0.clone());
    let offset = placed.iter().fold(first, |offset, (_, part)| nearest(&offset, &part.0));
    let gaps: Vec<Rational> = placed.iter().map(|(_, part)| &part.0 - &offset).collect();
    let steps: Vec<&Rational> = placed.iter().map(|(_, part)| &part.1).chain(&gaps).collect();
    let step = common(&steps, up);
    let mut blend = Vec::new();
    for ((chance, (_, own, stream)), gap) in placed.into_iter().zip(&gaps) {
        let stream = stream.stretched(places(&own, &step)?).shifted(places(gap, &step)?);
        blend.push((chance.clone(), stream));
    }
    let vague = Vague::default();
    Ok(Grown::law(Body { offset, step, stream: Stream::Blend(blend), mean, variance, vague }))
}

/// What is known of a sum or a mixture of these, if nothing but the moments is known of one; none if more is.
fn vaguely(laws: &[&Law], meter: &Meter) -> Result<Option<Vague>, OverBudget> {
    let is = |holds: fn(&Grown) -> bool| {
        laws.iter().any(|law| matches!(law, Law::Grown(grown) if holds(grown)))
    };
    if !is(Grown::is_vague) {
        return Ok(None);
    }
    if is(|grown| !grown.is_vague() && grown.is_unknown()) {
        return Err(OverBudget::NotKnown);
    }
    let mut all = Vague::of(laws[0], meter)?;
    for law in &laws[1..] {
        all = all.and(&Vague::of(law, meter)?)?;
    }
    Ok(Some(all))
}

/// The step of the coarsest lattice that holds these steps, in the right direction.
fn common(steps: &[&Rational], up: bool) -> Rational {
    let step = steps.iter().fold(Rational::ZERO, |step, other| number::common_step(&step, other));
    let step = if step.is_zero() { Rational::ONE } else { step };
    if up { step } else { -step }
}

/// How many steps a distance has.
fn places(distance: &Rational, step: &Rational) -> Result<u64, OverBudget> {
    let places = number::quotient(distance, step);
    u64::try_from(places.numerator()).map_err(|_| OverBudget::Steps)
}

impl Law {
    /// The law that stands in for the solution of an equation while it is read off; the number tells
    /// several of them apart.
    pub fn unknown(id: u32) -> Law {
        let (offset, mean, variance) = (Rational::ZERO, Rational::ZERO, Rational::ZERO);
        Grown::law(Body {
            offset,
            step: Rational::ONE,
            stream: Stream::Unknown(id),
            mean,
            variance,
            vague: Vague::default(),
        })
    }

    /// Whether an [unknown](Law::unknown) is part of it.
    pub fn has_unknown(&self) -> bool {
        matches!(self, Law::Grown(grown) if grown.is_unknown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;

    /// A six stays and adds two more dice.
    fn two_more() -> Law {
        let (sixth, rest) = (fraction(1, 6), fraction(5, 6));
        let parts = [(rest, d(5), 0), (sixth, Law::constant(whole(6)), 2)];
        match Law::grown(&parts, &Meter::unlimited()) {
            Ok(Some(Growth::Exact { ends, law })) if ends == Rational::ONE => law,
            other => panic!("{other:?}"),
        }
    }

    /// The same by putting the equation into itself again and again.
    fn slowly(places: usize) -> Vec<Rational> {
        let mut solution = vec![Rational::ZERO; places];
        for _ in 0..places {
            let mut next = vec![Rational::ZERO; places];
            next.iter_mut().take(6).skip(1).for_each(|chance| *chance = fraction(1, 6));
            for i in 0..places {
                for j in 0..places.saturating_sub(i + 6) {
                    next[i + j + 6] += &solution[i] * &solution[j] * fraction(1, 6);
                }
            }
            solution = next;
        }
        solution
    }

    #[test]
    fn a_six_that_adds_two_more_dice() {
        let meter = Meter::unlimited();
        let law = two_more();
        assert_eq!(law.mean_and_variance(), (fraction(21, 4), fraction(1295, 32)));
        for (value, chance) in slowly(40).into_iter().enumerate() {
            assert_eq!(law.chance(&whole(value as i64), &meter), Ok(chance));
        }
        let listing = law.listing(&fraction(1, 1000), Some(&whole(80)), &meter).unwrap();
        let listed = listing.outcomes.iter().fold(Rational::ZERO, |sum, (_, c)| sum + c);
        assert_eq!(listed + listing.rest, Rational::ONE);
        assert_eq!(listing.outcomes.last().unwrap().0, whole(80));
    }

    #[test]
    fn sums_multiples_and_mixtures_of_grown_numbers() {
        let meter = Meter::unlimited();
        let law = two_more();
        let three = law.times(3, &meter).unwrap();
        let far = three.compare(Comparison::AtLeast, &whole(20), &meter);
        assert_eq!(far, Ok(fraction(2621, 10368)));
        let sum = law.sum(&law, &meter).unwrap().sum(&law, &meter).unwrap();
        assert_eq!(sum.compare(Comparison::Less, &whole(20), &meter), Ok(fraction(7747, 10368)));
        let more = law.sum(&d6_again(), &meter).unwrap();
        assert_eq!(more.mean(), fraction(21, 4) + fraction(21, 5));
        assert_eq!(more.chance(&whole(3), &meter), Ok(fraction(2, 36)));
        let half = fraction(1, 2);
        let mixed = [(half.clone(), law.clone()), (half.clone(), Law::constant(half.clone()))];
        let mixed = Law::mixture(&mixed, &meter).unwrap();
        assert_eq!(mixed.chance(&half, &meter), Ok(half.clone()));
        assert_eq!(mixed.chance(&whole(1), &meter), Ok(fraction(1, 12)));
        assert_eq!(mixed.mean(), fraction(21, 8) + fraction(1, 4));
        let down = law.affine(&whole(-2), &whole(1), &meter).unwrap();
        assert_eq!(down.compare(Comparison::AtMost, &whole(-23), &meter), Ok(fraction(13, 108)));
        assert_eq!(down.highest(), Some(whole(-1)));
        assert_eq!(law.sum(&down, &meter), Err(OverBudget::NotKnown));
    }

    #[test]
    fn each_side_of_a_split_is_the_law_given_that_side() {
        let meter = Meter::unlimited();
        for law in [two_more(), two_more().negate(&meter).unwrap()] {
            for comparison in [Comparison::Less, Comparison::AtLeast, Comparison::NotEqual] {
                let at = law.lowest().map_or(whole(-12), |_| whole(12));
                let sides = law.split(comparison, &at, &meter).unwrap();
                for value in [1, 5, 8, 12, 13, 20].map(|v| if at > whole(0) { v } else { -v }) {
                    let value = whole(value);
                    let side = &sides[usize::from(!comparison.holds(&value, &at))];
                    let given = side.1.as_ref().unwrap().chance(&value, &meter).unwrap();
                    assert_eq!(given * &side.0, law.chance(&value, &meter).unwrap());
                }
                let parts: Vec<_> = sides.into_iter().filter_map(|(c, l)| Some((c, l?))).collect();
                let whole = Law::mixture(&parts, &meter).unwrap();
                assert_eq!(whole.mean_and_variance(), law.mean_and_variance());
            }
        }
    }

    #[test]
    fn what_may_never_end_says_with_which_chance() {
        let meter = Meter::unlimited();
        let (third, tick) = (fraction(1, 3), Law::constant(whole(1)));
        let walk = [(third.clone(), tick.clone(), 0), (whole(1) - third, tick.clone(), 2)];
        let Ok(Some(Growth::Exact { ends, law })) = Law::grown(&walk, &meter) else { panic!() };
        assert_eq!(ends, fraction(1, 2));
        assert_eq!(law.chance(&whole(3), &meter), Ok(fraction(4, 27)));
        let half = fraction(1, 2);
        let golden = [(half.clone(), tick.clone(), 0), (half.clone(), tick.clone(), 3)];
        let Ok(Some(Growth::Within { chance, never, .. })) = Law::grown(&golden, &meter) else {
            panic!()
        };
        // The chance of ending is (√5 − 1)/2: its square and itself make 1.
        let ends = Rational::ONE - &never;
        assert!(&chance * &chance + &chance < Rational::ONE);
        assert!(&ends * &ends + &ends > Rational::ONE);
        assert!(ends - chance < fraction(1, 1_000_000_000_000));
        let even = [(half.clone(), tick.clone(), 0), (half, tick, 2)];
        assert_eq!(Law::grown(&even, &meter), Ok(None));
    }

    #[test]
    fn one_copy_at_most_is_a_quotient_of_polynomials() {
        let meter = Meter::unlimited();
        let parts = [(fraction(5, 6), d(5), 0), (fraction(1, 6), Law::constant(whole(6)), 1)];
        let grown = Law::grown(&parts, &meter);
        let law = d6_again();
        assert_eq!(grown, Ok(Some(Growth::Exact { ends: Rational::ONE, law })));
    }

    #[test]
    fn an_equation_is_read_off_what_is_made_with_an_unknown() {
        let meter = Meter::unlimited();
        let unknown = Law::unknown(7);
        let two = unknown.sum(&unknown, &meter).unwrap();
        let six = two.affine(&whole(1), &whole(6), &meter).unwrap();
        let parts = [(fraction(5, 6), d(5)), (fraction(1, 6), six)];
        let whole_ = Law::mixture(&parts, &meter).unwrap();
        let solved = whole_.solved(7, &whole(1), &meter);
        assert_eq!(solved, Ok(Some(Growth::Exact { ends: Rational::ONE, law: two_more() })));
        assert_eq!(whole_.solved(8, &whole(1), &meter), Ok(None));
        assert_eq!(whole_.chance(&whole(1), &meter), Err(OverBudget::NotKnown));
        let twice = unknown.affine(&whole(2), &whole(0), &meter).unwrap();
        assert_eq!(twice.solved(7, &whole(1), &meter), Ok(None));
    }
}
