//! Keep and drop on a pool that grows, by telescoped thresholds.
//!
//! Give every die that shows at least `u` the weight `y·x^worth`, every other the weight 1, and let
//! `P_u(y)` be the generating functional of the whole pool: `[y^j] P_u` belongs to exactly `j` dice
//! at or above `u`. The k-th highest die shows `v` iff fewer than `k` dice lie above `v` and at
//! least `k` do not lie below it. Then the `j < k` dice above `v` are kept, and `k − j` that show
//! `v`; so with `P_{>v}` for dice strictly above,
//!
//! ```text
//! keep highest k  =  Σ_v Σ_{j<k} x^{v(k−j)} ([y^j] P_{>v} − [y^j] P_{≥v})  +  Σ_{j<k} [y^j] P_all
//! ```
//!
//! *Proof.* In the term for `v`, a throw with `j` dice above `v` and `m` dice at `v`, `j + m < k`,
//! counts in `[y^j]P_{>v}` with `x^{above + v(k−j)}`, and in `[y^{j+m}]P_{≥v}` with
//! `x^{above + vm + v(k−j−m)}`: the same, so it cancels. What is left are the throws with `j < k`
//! above and `j + m ≥ k`, each with the worth of its kept dice. A throw of fewer than `k` dice in
//! all cancels everywhere, keeps everything, and is the last sum. ∎
//!
//! Dropping the lowest `d` marks the other dice: `y` (worth nothing) below `u`, `x^worth` at or
//! above it, functional `Q_u`. The d-th lowest shows `v` iff `j < d` dice lie below `v` and at
//! least `d` do not lie above it; the dice at or above `v` are kept except `d − j` that show `v`:
//!
//! ```text
//! drop lowest d  =  Σ_v Σ_{j<d} x^{−v(d−j)} ([y^j] Q_{≥v} − [y^j] Q_{>v})  +  Σ_{j<d} [y^j] Q_none
//! ```
//!
//! by the same cancellation (`x^{v(m−(d−j))}` from both terms when `j + m < d`); a throw of fewer
//! than `d` dice leaves nothing and is counted in the last sum, where no die is at or above. ∎
//!
//! Keeping needs only `y` below degree `k`, so an endless chain contributes polynomials in `x`;
//! dropping keeps the endless part, and its coefficients are quotients. The other end of the dice
//! is the mirror image: "above" is then "below". Worths need not be the values themselves: marks
//! work as well, for dice that show the same are worth the same.

use super::growth::{Algebra, Growth};
use super::marks::Worth;
use super::piece::{Piece, Setup, Shown, split};
use super::stops::shown_values;
use super::{Condition, End, PoolError, Reading, Stage};
use crate::law::Law;
use crate::meter::Meter;
use crate::number::{self, Comparison, Rational};
use crate::series::Series;

/// Which dice count as above the threshold.
pub(crate) enum Above {
    Everything,
    Nothing,
    When(Condition),
}

/// Power series in `y`, cut off at a degree, whose coefficients are series in `x`.
pub(crate) struct Marked<'a> {
    pub(crate) above: Above,
    /// Whether the dice above carry the `y`, or those below.
    pub(crate) count_above: bool,
    /// Only powers of `y` below this are kept.
    pub(crate) degrees: usize,
    pub(crate) worth: &'a Worth<'a>,
    pub(crate) meter: &'a Meter,
}

impl Marked<'_> {
    /// The algebra for plain sums: everything is worth something and nothing is counted.
    pub(crate) fn plain<'a>(worth: &'a Worth<'a>, meter: &'a Meter) -> Marked<'a> {
        Marked { above: Above::Everything, count_above: false, degrees: 1, worth, meter }
    }

    /// `series · y^power`.
    fn term(&self, series: Series, counted: bool) -> Vec<Series> {
        let mut element = vec![Series::zero(); self.degrees.min(2)];
        if let Some(place) = element.get_mut(usize::from(counted)) {
            *place = series;
        }
        element
    }

    fn above_term(&self, piece: &Piece) -> Result<Vec<Series>, PoolError> {
        Ok(self.term(self.worth.series(piece, self.meter)?, self.count_above))
    }

    fn below_term(&self) -> Vec<Series> {
        self.below_of(&Rational::ONE)
    }

    fn below_of(&self, chance: &Rational) -> Vec<Series> {
        let counted = !self.count_above && !matches!(self.above, Above::Everything);
        self.term(Series::constant(chance), counted)
    }
}

impl Algebra for Marked<'_> {
    type Element = Vec<Series>;

    fn mark(&self, piece: &Piece) -> Result<Vec<Series>, PoolError> {
        let when = match &self.above {
            Above::Everything => return self.above_term(piece),
            Above::Nothing => return Ok(self.below_term()),
            Above::When(condition) => condition,
        };
        if let Shown::Number(value) = &piece.shown {
            return if when.holds(value) { self.above_term(piece) } else { Ok(self.below_term()) };
        }
        let [above, below] = split(piece, when, self.meter)?;
        let mut terms = Vec::new();
        if let Some((piece, chance)) = above {
            terms.push((chance, self.above_term(&piece)?));
        }
        if let Some((_, chance)) = below {
            terms.push((chance, self.below_term()));
        }
        self.sum(&terms)
    }

    fn one(&self) -> Vec<Series> {
        vec![Series::one()]
    }

    fn sum(&self, terms: &[(Rational, Vec<Series>)]) -> Result<Vec<Series>, PoolError> {
        let degrees = terms.iter().map(|(_, element)| element.len()).max().unwrap_or(0);
        let mut sum = Vec::with_capacity(degrees);
        for j in 0..degrees {
            let parts: Vec<Series> = terms
                .iter()
                .filter_map(|(chance, element)| Some(element.get(j)?.scaled(chance)))
                .collect();
            sum.push(Series::sum(&parts.iter().collect::<Vec<_>>(), self.meter)?);
        }
        Ok(sum)
    }

    fn product(&self, a: &Vec<Series>, b: &Vec<Series>) -> Result<Vec<Series>, PoolError> {
        let degrees = (a.len() + b.len()).saturating_sub(1).min(self.degrees);
        let mut product = Vec::with_capacity(degrees);
        for j in 0..degrees {
            let mut parts = Vec::new();
            for (i, left) in a.iter().enumerate().take(j + 1) {
                if let Some(right) = b.get(j - i).filter(|s| !s.is_zero() && !left.is_zero()) {
                    parts.push(left.times(right, self.meter)?);
                }
            }
            product.push(Series::sum(&parts.iter().collect::<Vec<_>>(), self.meter)?);
        }
        while product.len() > 1 && product.last().is_some_and(Series::is_zero) {
            product.pop();
        }
        Ok(product)
    }

    /// With `e = e₀ + e₁y + …`: `g₀ = 1/(1 − e₀)` and `g_j = g₀ Σ e_i g_{j−i}`.
    fn geometric(&self, element: &Vec<Series>) -> Result<Vec<Series>, PoolError> {
        let first = element.first().cloned().unwrap_or_else(Series::zero);
        if !first.is_zero() && first.lowest() < 0 {
            return Err(PoolError::NoClosedForm);
        }
        let start = first.geometric(self.meter)?.ok_or(PoolError::NoClosedForm)?;
        let mut result = vec![start.clone()];
        if element.iter().skip(1).all(Series::is_zero) {
            return Ok(result);
        }
        // Each is longer than the one before, and about so many such rows are there at a time.
        const ROWS: u64 = 4;
        let (mut rent, mut bytes) = (self.meter.rent(), 0);
        for j in 1..self.degrees {
            let mut parts = Vec::new();
            for (i, factor) in element.iter().enumerate().skip(1).take(j) {
                if !factor.is_zero() {
                    parts.push(factor.times(&result[j - i], self.meter)?);
                }
            }
            let sum = Series::sum(&parts.iter().collect::<Vec<_>>(), self.meter)?;
            let next = sum.times(&start, self.meter)?;
            self.meter
                .charge_fractions(1, usize::try_from(4 * next.bytes()).unwrap_or(usize::MAX))?;
            bytes += ROWS * next.bytes();
            rent.grow(bytes, self.meter)?;
            result.push(next);
        }
        Ok(result)
    }

    fn power(&self, element: &Vec<Series>, count: u64) -> Result<Vec<Series>, PoolError> {
        if let [only] = element.as_slice() {
            return Ok(vec![only.power(count, self.meter)?]);
        }
        self.by_squares(element, count)
    }
}

/// Which end is kept or dropped, and how many.
pub(crate) struct Cut {
    pub(crate) keep: bool,
    pub(crate) end: End,
    pub(crate) count: u64,
}

/// The law of a sum or count over a pool that grows and is then cut at one end.
pub(crate) fn cut_pool(
    setup: &Setup,
    head: &[Stage],
    cut: &Cut,
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let worth = Worth::of(reading, setup, head);
    if cut.keep && cut.count == 0 {
        return Ok(Law::constant(Rational::ZERO));
    }
    match cut_with(setup, head, cut, &worth, meter) {
        Err(PoolError::NoClosedForm) => cut_with(setup, head, cut, &worth.mirrored(), meter),
        answer => answer,
    }
}

fn cut_with(
    setup: &Setup,
    head: &[Stage],
    cut: &Cut,
    worth: &Worth<'_>,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let degrees = usize::try_from(cut.count).map_err(|_| crate::OverBudget::Steps)?;
    meter.charge_product(degrees, 1, 0)?;
    // From the far end: keep highest and drop lowest look upward, the others downward.
    let upward = (cut.end == End::Highest) == cut.keep;
    let mut values: Vec<Rational> = shown_values(setup, head, meter)?;
    let at_least = if upward { Comparison::AtLeast } else { Comparison::AtMost };
    if !upward {
        values.reverse();
    }
    let functional = |above: Above| {
        let marked = Marked { above, count_above: cut.keep, degrees, worth, meter };
        Growth::new(setup, head, &marked, meter).pool()
    };
    let mut terms: Vec<Series> = Vec::new();
    let (mut rent, mut bytes) = (meter.rent(), 0);
    let whole = if cut.keep { Above::Everything } else { Above::Nothing };
    terms.extend(functional(whole)?.into_iter().take(degrees));
    let mut at_or_above = match values.first() {
        Some(value) => functional(Above::When(Condition { op: at_least, value: value.clone() }))?,
        None => Vec::new(),
    };
    for (place, value) in values.iter().enumerate() {
        let above = match values.get(place + 1) {
            Some(next) => functional(Above::When(Condition { op: at_least, value: next.clone() }))?,
            None => functional(Above::Nothing)?,
        };
        let (plus, minus) = if cut.keep { (&above, &at_or_above) } else { (&at_or_above, &above) };
        let each = worth.places(value)?;
        let each = if cut.keep { each } else { -each };
        for j in 0..degrees {
            let missing = i64::try_from(degrees - j).unwrap_or(i64::MAX);
            let places = each.checked_mul(missing).ok_or(crate::OverBudget::Steps)?;
            let zero = Series::zero();
            let (plus, minus) = (plus.get(j).unwrap_or(&zero), minus.get(j).unwrap_or(&zero));
            let term = plus.minus(minus, meter)?.shifted(places);
            bytes += term.bytes();
            rent.grow(bytes, meter)?;
            terms.push(term);
        }
        at_or_above = above;
    }
    let sum = Series::sum(&terms.iter().collect::<Vec<_>>(), meter)?;
    worth.assemble(sum, meter)
}

/// The law of the n-th die from the top (or from the bottom) of a pool that grows.
pub(crate) fn nth_of_pool(
    setup: &Setup,
    head: &[Stage],
    end: End,
    nth: u64,
    meter: &Meter,
) -> Result<Law, PoolError> {
    if nth == 0 || nth > most_certain_dice(setup, head) {
        return Err(PoolError::TooFewDice);
    }
    meter.charge(nth)?;
    let degrees = usize::try_from(nth).map_err(|_| crate::OverBudget::Steps)?;
    let reading = Reading::NthHighest(nth);
    let worth = Worth::of(&reading, setup, head);
    let mut values = shown_values(setup, head, meter)?;
    let op = if end == End::Lowest { Comparison::AtMost } else { Comparison::AtLeast };
    if end == End::Lowest {
        values.reverse();
    }
    // The chance that fewer than n dice lie at or beyond a value.
    let fewer = |value: &Rational| {
        let above = Above::When(Condition { op, value: value.clone() });
        let marked = Marked { above, count_above: true, degrees, worth: &worth, meter };
        let counts = Growth::new(setup, head, &marked, meter).pool()?;
        let sum = counts.iter().take(degrees).fold(Rational::ZERO, |sum, s| sum + s.mass());
        Ok::<_, PoolError>(sum)
    };
    let mut parts = Vec::new();
    let mut before = Rational::ZERO;
    // A pool that grows may have enough dice at all times: `dF !o<2` has two.
    if nth > setup.count()
        && let Some(all) = values.first()
        && !fewer(all)?.is_zero()
    {
        return Err(PoolError::TooFewDice);
    }
    for (place, value) in values.iter().enumerate() {
        let beyond = values.get(place + 1).map_or(Ok(Rational::ONE), &fewer)?;
        parts.push((&beyond - &before, Law::constant(value.clone())));
        before = beyond;
    }
    debug_assert!(before == Rational::ONE || number::whole(0) == before);
    Ok(Law::mixture(&parts, meter)?)
}

/// No more dice than this can be there at all times, however they fall: a limited explosion may fire as often as it
/// can on every die, be it that others reroll or explode the faces on which it does not; an endless one stops after
/// one die more. A pool in which more are asked for is refused without a closer look.
fn most_certain_dice(setup: &Setup, head: &[Stage]) -> u64 {
    head.iter().fold(setup.count(), |dice, stage| match stage {
        Stage::Explode { limit, .. } => {
            dice.saturating_mul(limit.map_or(2, |limit| limit.saturating_add(1)))
        }
        _ => dice,
    })
}
