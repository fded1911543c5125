//! Dice that add dice, by a generating functional.
//!
//! Until dice are compared with one another (keep, drop, unique) each die that was thrown grows on
//! its own, and everything about its offspring is in `F(φ) = E[ Π φ(die) ]`, the product over the
//! dice that it has become. A stage is a substitution on `φ`, so the stages are worked off from
//! the right: with `φ` what follows a stage, a die that shows `f` contributes before it
//!
//! ```text
//! reroll once         φ(f)   or, where it fires, E[φ(fresh)]
//! reroll              φ(f)   or, where it fires, E[φ(fresh) | fresh does not fire]
//! at least, at most   φ(clamped f)
//! explode             φ(f)   times, where it fires, chain = N + E·chain = N / (1 − E)
//! explode up to n     φ(f)   times, where it fires, cₙ with cₙ = N + E·cₙ₋₁ and c₀ = 1
//! ```
//!
//! where `N` and `E` are the parts of `E[φ(fresh)]` in which the fresh die does not fire, and does.
//! For a penetrating die fresh dice show one less. With `φ(die) = x^shown` the result is the
//! generating function of the sum: for `d6!`, `N = (x + … + x⁵)/6` and `E = x⁶/6`. What `φ` is
//! depends on the question, so the substitution is written once for any [`Algebra`].

use super::piece::{Group, Piece, Setup, Shown, face_fires, showing, split, split_fired};
use super::{Condition, Die, PoolError, Stage, Style, Trigger};
use crate::law::{Endless, Law};
use crate::meter::Meter;
use crate::number::{self, Integer, Rational};
use crate::series::Series;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The values of a functional: a commutative ring with `1/(1 − e)`.
pub(crate) trait Algebra {
    type Element: Clone;
    /// What one die on the table at the end contributes.
    fn mark(&self, piece: &Piece) -> Result<Self::Element, PoolError>;
    fn one(&self) -> Self::Element;
    /// A sum with rational weights.
    fn sum(&self, terms: &[(Rational, Self::Element)]) -> Result<Self::Element, PoolError>;
    fn product(&self, a: &Self::Element, b: &Self::Element) -> Result<Self::Element, PoolError>;
    fn geometric(&self, element: &Self::Element) -> Result<Self::Element, PoolError>;
    fn power(&self, element: &Self::Element, count: u64) -> Result<Self::Element, PoolError> {
        self.by_squares(element, count)
    }
    /// The power by squaring again and again.
    fn by_squares(&self, element: &Self::Element, count: u64) -> Result<Self::Element, PoolError> {
        let mut result = self.one();
        for bit in (0..u64::BITS - count.leading_zeros()).rev() {
            result = self.product(&result, &result)?;
            if count >> bit & 1 == 1 {
                result = self.product(&result, element)?;
            }
        }
        Ok(result)
    }
}

/// The functional of a pool through some stages.
pub(crate) struct Growth<'a, A: Algebra> {
    setup: &'a Setup,
    stages: &'a [Stage],
    algebra: &'a A,
    meter: &'a Meter,
    /// What a stage throws for a die, by stage and die.
    thrown: RefCell<FxHashMap<(usize, usize), A::Element>>,
}

impl<'a, A: Algebra> Growth<'a, A> {
    pub(crate) fn new(
        setup: &'a Setup,
        stages: &'a [Stage],
        algebra: &'a A,
        meter: &'a Meter,
    ) -> Self {
        Growth { setup, stages, algebra, meter, thrown: RefCell::default() }
    }

    /// The functional of the whole pool.
    pub(crate) fn pool(&self) -> Result<A::Element, PoolError> {
        let mut product = self.algebra.one();
        for group in &self.setup.groups {
            let all = self.algebra.power(&self.group(group)?, group.count)?;
            product = self.algebra.product(&product, &all)?;
        }
        Ok(product)
    }

    /// The functional of one die of a group.
    pub(crate) fn group(&self, group: &Group) -> Result<A::Element, PoolError> {
        let mut terms = Vec::with_capacity(group.pieces.len());
        for (piece, chance) in &group.pieces {
            terms.push((chance.clone(), self.from(0, piece)?));
        }
        self.algebra.sum(&terms)
    }

    /// What a piece contributes that is on the table before the stage with this number.
    fn from(&self, number: usize, piece: &Piece) -> Result<A::Element, PoolError> {
        self.meter.charge(1)?;
        match self.stages.get(number) {
            None => self.algebra.mark(piece),
            Some(Stage::Reroll { when, once }) => self.reroll(number, piece, when, *once),
            Some(Stage::AtLeast(bound)) => {
                self.spread(number, piece, &piece.law().max_with(bound, self.meter)?)
            }
            Some(Stage::AtMost(bound)) => {
                self.spread(number, piece, &piece.law().min_with(bound, self.meter)?)
            }
            Some(Stage::Explode { trigger, style, limit }) => {
                self.explode(number, piece, trigger, *style, *limit)
            }
            Some(
                Stage::InAll { .. }
                | Stage::Unique
                | Stage::Drawn
                | Stage::Keep(..)
                | Stage::Drop(..),
            ) => Err(PoolError::NoClosedForm),
        }
    }

    /// The piece goes on showing a law.
    fn spread(&self, number: usize, piece: &Piece, law: &Law) -> Result<A::Element, PoolError> {
        let mut terms = Vec::new();
        for (piece, chance) in showing(piece, law, self.meter)? {
            terms.push((chance, self.from(number + 1, &piece)?));
        }
        self.algebra.sum(&terms)
    }

    fn reroll(
        &self,
        number: usize,
        piece: &Piece,
        when: &Condition,
        once: bool,
    ) -> Result<A::Element, PoolError> {
        let mut terms = Vec::new();
        let [fired, stays] = split(piece, when, self.meter)?;
        if let Some((piece, part)) = fired {
            let (origin, die) = self.setup.die_of(&piece)?;
            let fresh = self.remembered(number, origin, || {
                let faces: Vec<(&Rational, Rational)> =
                    die.chances().filter(|(face, _)| once || !when.holds(face)).collect();
                let mass = faces.iter().fold(Rational::ZERO, |sum, (_, c)| sum + c);
                let share = |(face, c)| (Piece::fresh(origin, face), number::quotient(&c, &mass));
                self.fresh(number, faces.into_iter().map(share))
            })?;
            terms.push((part, fresh));
        }
        if let Some((piece, part)) = stays {
            terms.push((part, self.from(number + 1, &piece)?));
        }
        self.algebra.sum(&terms)
    }

    fn explode(
        &self,
        number: usize,
        piece: &Piece,
        trigger: &Trigger,
        style: Style,
        limit: Option<u64>,
    ) -> Result<A::Element, PoolError> {
        let (origin, die) = self.setup.die_of(piece)?;
        let mut terms = Vec::new();
        let [fired, stays] = split_fired(piece, trigger, die, self.meter)?;
        if let Some((piece, part)) = fired {
            let grown = if style == Style::Compound {
                let chain = chain_total(die, |f| face_fires(trigger, die, f), limit, self.meter)?;
                self.spread(number, &piece, &piece.law().sum(&chain, self.meter)?)?
            } else {
                let less = Rational::from(Integer::from(u8::from(style == Style::Penetrate)));
                let chain = self.remembered(number, origin, || {
                    self.chain(number, origin, die, trigger, &less, limit)
                })?;
                self.algebra.product(&self.from(number + 1, &piece)?, &chain)?
            };
            terms.push((part, grown));
        }
        if let Some((piece, part)) = stays {
            terms.push((part, self.from(number + 1, &piece)?));
        }
        self.algebra.sum(&terms)
    }

    /// All the extra dice that follow one die that has fired.
    fn chain(
        &self,
        number: usize,
        origin: usize,
        die: &Die,
        trigger: &Trigger,
        less: &Rational,
        limit: Option<u64>,
    ) -> Result<A::Element, PoolError> {
        let part = |fires: bool| {
            let faces = die.chances().filter(|(face, _)| face_fires(trigger, die, face) == fires);
            self.fresh(
                number,
                faces.map(|(face, chance)| {
                    let shown = Shown::Number(face - less);
                    (Piece { shown, ..Piece::fresh(origin, face) }, chance)
                }),
            )
        };
        let (last, again) = (part(false)?, part(true)?);
        let Some(limit) = limit else {
            return self.algebra.product(&last, &self.algebra.geometric(&again)?);
        };
        let mut chain = self.algebra.one();
        for _ in 0..limit {
            self.meter.charge(64)?;
            let longer = self.algebra.product(&again, &chain)?;
            let one = Rational::ONE;
            chain = self.algebra.sum(&[(one.clone(), last.clone()), (one, longer)])?;
        }
        Ok(chain)
    }

    /// The sum of what fresh dice contribute after the stage that throws them.
    fn fresh(
        &self,
        number: usize,
        pieces: impl Iterator<Item = (Piece, Rational)>,
    ) -> Result<A::Element, PoolError> {
        let mut terms = Vec::new();
        for (piece, chance) in pieces {
            terms.push((chance, self.from(number + 1, &piece)?));
        }
        self.algebra.sum(&terms)
    }

    fn remembered(
        &self,
        number: usize,
        origin: usize,
        compute: impl FnOnce() -> Result<A::Element, PoolError>,
    ) -> Result<A::Element, PoolError> {
        if let Some(known) = self.thrown.borrow().get(&(number, origin)) {
            return Ok(known.clone());
        }
        let element = compute()?;
        self.thrown.borrow_mut().insert((number, origin), element.clone());
        Ok(element)
    }
}

/// The law of the sum of all the extra dice that follow a die that has fired.
pub(crate) fn chain_total(
    die: &Die,
    fires: impl Fn(&Rational) -> bool,
    limit: Option<u64>,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let (again, last): (Vec<_>, Vec<_>) = die.chances().partition(|(face, _)| fires(face));
    if let Some(limit) = limit {
        return limited_total(&again, &last, limit, meter);
    }
    let zero = Rational::ZERO;
    let downward = again.iter().any(|(face, _)| **face < zero);
    if downward && again.iter().any(|(face, _)| **face > zero) {
        return Err(PoolError::NoClosedForm);
    }
    let sign = number::whole(if downward { -1 } else { 1 });
    let faces = || again.iter().chain(&last).map(|(face, _)| *face);
    let step = faces().fold(zero.clone(), |step, face| number::common_step(&step, face));
    let step = if step.is_zero() { Rational::ONE } else { step };
    let series = |faces: &[(&Rational, Rational)]| {
        let place = |face: &Rational| number::steps_in(&(face * &sign), &step);
        let terms: Option<Vec<Series>> =
            faces.iter().map(|(face, c)| Some(Series::monomial(c, place(face)?))).collect();
        let terms = terms.ok_or(PoolError::OverBudget(crate::OverBudget::Steps))?;
        Ok::<_, PoolError>(Series::sum(&terms.iter().collect::<Vec<_>>(), meter)?)
    };
    let again = series(&again)?.geometric(meter)?.ok_or(PoolError::NoClosedForm)?;
    let up = series(&last)?.times(&again, meter)?;
    let law = Endless::assemble((zero.clone(), step, up, Series::zero()), meter)?;
    Ok(law.affine(&sign, &zero, meter)?)
}

fn limited_total(
    again: &[(&Rational, Rational)],
    last: &[(&Rational, Rational)],
    limit: u64,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let mut total = Law::constant(Rational::ZERO);
    for _ in 0..limit {
        meter.charge(64)?;
        let mut parts: Vec<(Rational, Law)> = Vec::new();
        for (face, chance) in last {
            parts.push((chance.clone(), Law::constant((*face).clone())));
        }
        for (face, chance) in again {
            parts.push((chance.clone(), total.affine(&Rational::ONE, face, meter)?));
        }
        total = Law::mixture(&parts, meter)?;
        meter.charge(total.size() as u64)?;
    }
    Ok(total)
}
