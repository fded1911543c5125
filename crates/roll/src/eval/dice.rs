//! Throwing dice: pools of equal dice, symbols, groups, mixed pools, repeated rolls.

use std::sync::Arc;

use astragal_program::core::{Die, Expr, Face, RecordShape};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value};

use super::datum::{Datum, Pool, PoolDice, PoolDie, Thrown};
use super::word::Found;
use super::{At, Eval, Interpreter};
use crate::explanation::DieId;
use crate::faces::DieFaces;
use crate::lying::Lying;
use crate::recorder::{Behind, StepId};
use crate::steps::{Base, Worth};

/// Equal dice that were just thrown.
pub(super) struct Cast {
    pub(super) kind: DieFaces,
    pub(super) first: DieId,
    /// If their faces are consecutive numbers and their sum is surely a word.
    pub(super) lying: Option<Lying>,
}

/// The most dice that are thrown before the wish to cancel is looked at.
const MOST_AT_ONCE: u64 = 1 << 12;

impl<'a> Interpreter<'a> {
    /// `4d6`
    pub(super) fn dice(&mut self, span: Span, count: &'a Expr, die: &'a Die) -> Eval<Pool> {
        let cast = self.cast(span, count, die)?;
        self.laid(span, cast)
    }

    /// Equal dice that lie on the table now, as a pool.
    #[inline]
    pub(super) fn laid(&mut self, span: Span, cast: Cast) -> Eval<Pool> {
        let Cast { kind, first, lying } = cast;
        let Some(lying) = lying else { return self.odd_dice(span, kind, first) };
        let step = self.recorder.pool(span, kind.clone(), first, Worth::Whole(lying.sum));
        Ok(Pool::of(PoolDice::Thrown(Thrown { kind, lying }), step))
    }

    /// The sum of dice to which nothing is done.
    pub(super) fn dice_total(&mut self, span: Span, count: &'a Expr, die: &'a Die) -> Eval<Found> {
        let Cast { kind, first, lying } = self.cast(span, count, die)?;
        match lying {
            Some(Lying { sum, .. }) => {
                self.recorder.pool(span, kind, first, Worth::Whole(sum));
                Ok(Found::Whole(sum))
            }
            None => self.odd_dice(span, kind, first)?.found().at(span),
        }
    }

    /// Dice whose numbers are as somebody listed them, or are beyond a word.
    pub(super) fn odd_dice(&mut self, span: Span, kind: DieFaces, first: DieId) -> Eval<Pool> {
        let places = 0..self.recorder.dice().next() - first;
        let dice = places.map(|place| self.on_table(span, &kind, first + place, place));
        let dice = PoolDice::Each(dice.collect::<Eval<_>>()?);
        let total = dice.sum().map_or(Value::None, Value::Number);
        let step = self.recorder.pool(span, kind, first, total.into());
        Ok(Pool::of(dice, step))
    }

    /// Throws equal dice.
    #[inline]
    pub(super) fn cast(&mut self, span: Span, count: &'a Expr, die: &'a Die) -> Eval<Cast> {
        let count = self.count(count)?;
        let kind = self.die(span, die)?;
        let first = self.throw_all(span, count, &kind)?;
        Ok(self.last_dice(kind, first))
    }

    /// The last dice, from this one on.
    #[inline]
    pub(super) fn last_dice(&self, kind: DieFaces, first: DieId) -> Cast {
        let lying = Lying::of(&kind, first, self.faces_from(first));
        Cast { kind, first, lying }
    }

    /// `d{hit, miss}`
    #[inline(never)]
    pub(super) fn symbols(
        &mut self,
        span: Span,
        count: Option<&'a Expr>,
        faces: &'a [Face],
    ) -> Eval {
        let number = count.map(|count| self.count(count)).transpose()?;
        let kind = self.listed(span, faces)?;
        let first = self.throw_all(span, number.unwrap_or(1), &kind)?;
        let value = self.shown(&kind, number.is_none(), first);
        self.recorder.pool(span, kind, first, value.clone().into());
        Ok(Datum::Value(value))
    }

    /// What the last dice show: a single one its face, others a list.
    pub(super) fn shown(&self, kind: &DieFaces, single: bool, first: DieId) -> Value {
        match (single, self.faces_from(first)) {
            (true, [only]) => kind.value(*only),
            (_, faces) => Value::List(faces.iter().map(|face| kind.value(*face)).collect()),
        }
    }

    /// `3d{{hits: 1}, {hits: 2, glory: 1}}`
    #[inline(never)]
    pub(super) fn tally(
        &mut self,
        span: Span,
        count: &'a Expr,
        shape: &Arc<RecordShape>,
        faces: &'a [Face],
    ) -> Eval {
        let count = self.count(count)?;
        let kind = self.listed(span, faces)?;
        let first = self.throw_all(span, count, &kind)?;
        let value = self.tallied(span, &kind, shape, first)?;
        self.recorder.pool(span, kind, first, value.clone().into());
        Ok(Datum::Value(value))
    }

    /// The sum of what the last dice show, field by field.
    pub(super) fn tallied(
        &self,
        span: Span,
        kind: &DieFaces,
        shape: &Arc<RecordShape>,
        first: DieId,
    ) -> Eval<Value> {
        let mut sums = vec![Number::ZERO; shape.fields.len()];
        for face in self.faces_from(first) {
            if let Value::Record(_, fields) = &kind.value(*face) {
                for (sum, field) in sums.iter_mut().zip(fields.iter()) {
                    let number = field.as_number().ok_or(OpError::Mismatch).at(span)?;
                    *sum = sum.add(number).at(span)?;
                }
            }
        }
        let fields = sums.into_iter().map(Value::Number).collect();
        Ok(Value::Record(Arc::clone(shape), fields))
    }

    /// `{2d20, d12}`
    #[inline(never)]
    pub(super) fn gather(&mut self, span: Span, members: &'a [Expr]) -> Eval<Pool> {
        let mut pool = Pool::new(self.recorder.group(span, || Base::Source(span)));
        self.recorder.enter();
        let mut dice = Vec::with_capacity(members.len());
        for member in members {
            dice.push(self.member(&mut pool, member)?);
        }
        pool.dice = PoolDice::Each(dice);
        self.recorder.leave();
        self.show_total(&pool);
        Ok(pool)
    }

    /// `{2d6 + d8}`
    #[inline(never)]
    pub(super) fn merge(&mut self, span: Span, members: &'a [Expr]) -> Eval<Pool> {
        let mut pool = Pool::new(self.recorder.group(span, || Base::Source(span)));
        let mut dice = Vec::new();
        self.recorder.enter();
        for member in members {
            let mut part = self.pool(member)?;
            if part.fixed.is_none() {
                self.recorder.merges(part.step);
            }
            for mut die in part.dice.each(self.recorder.dice()).drain(..) {
                die.place = self.recorder.joins(pool.step, die.behind, &die.shows);
                dice.push(die);
            }
            pool.labels.extend(part.labels);
        }
        pool.dice = PoolDice::Each(dice);
        self.recorder.leave();
        self.show_total(&pool);
        Ok(pool)
    }

    /// `times(12, 3d6)`
    #[inline(never)]
    pub(super) fn times(&mut self, span: Span, count: &'a Expr, each: &'a Expr) -> Eval<Pool> {
        let count = self.count(count)?;
        self.meter.expect_dice(count, span)?;
        let mut pool = Pool::new(self.recorder.group(span, || Base::Source(span)));
        self.recorder.enter();
        let mut dice = Vec::new();
        for _ in 0..count {
            dice.push(self.member(&mut pool, each)?);
        }
        pool.dice = PoolDice::Each(dice);
        self.recorder.leave();
        self.show_total(&pool);
        Ok(pool)
    }

    /// A number that counts as one die.
    fn member(&mut self, pool: &mut Pool, member: &'a Expr) -> Eval<PoolDie> {
        let first = self.recorder.dice().next();
        let (shows, shares) = match self.settled(member)? {
            Datum::Value(Value::Number(number)) => (number, None),
            Datum::Labelled(number, shares) => (number, Some(shares)),
            Datum::Value(_) | Datum::List(_) | Datum::Record(..) | Datum::Pool(_) => {
                return Err(OpError::Mismatch).at(member.span);
            }
        };
        if let Some(shares) = &shares {
            pool.labels.extend(shares.labels().cloned());
        }
        let behind = Behind::Total(first, self.recorder.dice().next());
        let place = self.recorder.joins(pool.step, behind, &shows);
        Ok(PoolDie { shows, kind: None, marks: 0, shares, place, behind })
    }

    /// Throws equal dice; returns the first.
    #[inline]
    fn throw_all(&mut self, span: Span, count: u64, kind: &DieFaces) -> Eval<DieId> {
        self.meter.expect_dice(count, span)?;
        let first = self.recorder.dice().next();
        let mut left = count;
        while left > 0 {
            let now = left.min(MOST_AT_ONCE);
            self.faces(span, kind, now)?;
            left -= now;
        }
        Ok(first)
    }

    /// Asks for faces: the only place where chance comes in.
    #[inline]
    fn faces(&mut self, span: Span, kind: &DieFaces, count: u64) -> Eval<()> {
        self.meter.dice(count, span)?;
        self.faces.throw_all(kind, self.recorder.dice_mut().thrown(kind, count as usize)).at(span)
    }

    /// The faces of the last dice, from this one on.
    fn faces_from(&self, first: DieId) -> &[u64] {
        let table = self.recorder.dice();
        table.faces(first, table.len() - first as usize)
    }

    /// A die on the table as one of a pool.
    fn on_table(&self, span: Span, kind: &DieFaces, id: DieId, place: u32) -> Eval<PoolDie> {
        let face = self.recorder.dice().face(id).and_then(|face| kind.number(face));
        let shows = face.ok_or(OpError::Mismatch).at(span)?;
        let (kind, behind) = (Some(kind.clone()), Behind::Die(id));
        Ok(PoolDie { shows, kind, marks: 0, shares: None, place, behind })
    }

    /// Throws one die into a pool's step.
    pub(super) fn throw(
        &mut self,
        span: Span,
        step: StepId,
        kind: &DieFaces,
        from: Option<DieId>,
    ) -> Eval<PoolDie> {
        let id = self.recorder.dice().next();
        self.faces(span, kind, 1)?;
        self.recorder.comes_from(id, from);
        let place = self.recorder.thrown(step);
        self.on_table(span, kind, id, place)
    }

    /// A face that is added to another die instead of being a die of its own.
    pub(super) fn bare_face(&mut self, span: Span, kind: &DieFaces) -> Eval<Number> {
        self.meter.dice(1, span)?;
        let face = self.faces.throw(kind).at(span)?;
        kind.number(face).ok_or(OpError::Mismatch).at(span)
    }

    pub(super) fn show_total(&mut self, pool: &Pool) {
        if self.recorder.on {
            let total = pool.total().map_or(Value::None, Value::Number);
            self.recorder.total(pool.step, total.into());
        }
    }

    #[inline]
    pub(super) fn die(&mut self, span: Span, die: &'a Die) -> Eval<DieFaces> {
        match die {
            Die::Sides(sides) => match self.known(sides) {
                Some(known @ 1..) => Ok(DieFaces::sides(known.unsigned_abs())),
                _ => sided(self.number(sides)?).at(sides.span),
            },
            Die::Percent => Ok(DieFaces::percent()),
            Die::Fate => Ok(DieFaces::fate()),
            Die::Faces(faces) => self.listed(span, faces),
        }
    }

    pub(super) fn listed(&mut self, span: Span, faces: &'a [Face]) -> Eval<DieFaces> {
        let mut listed = Vec::with_capacity(faces.len());
        for face in faces {
            let value = self.value(&face.value)?;
            let weight = self.number(&face.weight)?;
            listed.push((value, weighed(weight).at(face.weight.span)?));
        }
        DieFaces::listed(listed).at(span)
    }
}

fn sided(number: Number) -> Result<DieFaces, FaultKind> {
    if !number.is_whole() || number < Number::ONE {
        return Err(FaultKind::BadSides(number));
    }
    let sides = number.to_i64().ok_or(OpError::TooLarge)?;
    Ok(DieFaces::sides(sides.unsigned_abs()))
}

fn weighed(number: Number) -> Result<u64, FaultKind> {
    if !number.is_whole() || number < Number::ONE {
        return Err(FaultKind::BadWeight(number));
    }
    Ok(number.to_i64().ok_or(OpError::TooLarge)?.unsigned_abs())
}
