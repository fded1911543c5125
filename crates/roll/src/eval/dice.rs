//! Throwing dice: pools of equal dice, symbols, groups, mixed pools, repeated rolls.

use std::rc::Rc;
use std::sync::Arc;

use astragal_program::core::{Die, Expr, Face, RecordShape};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value};

use super::datum::{Datum, Pool, PoolDie};
use super::{At, Eval, Interpreter};
use crate::explanation::{Base, DieId};
use crate::faces::DieFaces;
use crate::recorder::{Behind, StepId};

impl<'a> Interpreter<'a> {
    /// `4d6`
    pub(super) fn dice(&mut self, span: Span, count: &'a Expr, die: &'a Die) -> Eval {
        let count = self.count(count)?;
        let kind = Rc::new(self.die(span, die)?);
        self.meter.expect_dice(count).at(span)?;
        let step = self.recorder.pool(span, || many(count, &kind));
        let mut pool = Pool::new(step);
        pool.dice.reserve(count as usize);
        for _ in 0..count {
            let die = self.throw(span, step, &kind, None)?;
            pool.dice.push(die);
        }
        self.show_total(&pool);
        Ok(Datum::Pool(Rc::new(pool)))
    }

    /// `d{hit, miss}`
    pub(super) fn symbols(
        &mut self,
        span: Span,
        count: Option<&'a Expr>,
        faces: &'a [Face],
    ) -> Eval {
        let number = count.map(|count| self.count(count)).transpose()?;
        let kind = self.listed(span, faces)?;
        self.meter.expect_dice(number.unwrap_or(1)).at(span)?;
        let step = self.recorder.pool(span, || many(number.unwrap_or(1), &kind));
        let mut shown = Vec::new();
        for _ in 0..number.unwrap_or(1) {
            let (face, id) = self.face(span, &kind, None)?;
            let value = kind.value(face);
            self.recorder.joins(step, Behind::Die(id), value.clone());
            shown.push(value);
        }
        let value = match (number, shown.pop()) {
            (None, Some(only)) => only,
            (_, last) => Value::List(shown.into_iter().chain(last).collect()),
        };
        self.recorder.total(step, || value.clone());
        Ok(Datum::Value(value))
    }

    /// `3d{{hits: 1}, {hits: 2, glory: 1}}`
    pub(super) fn tally(
        &mut self,
        span: Span,
        count: &'a Expr,
        shape: &Arc<RecordShape>,
        faces: &'a [Face],
    ) -> Eval {
        let count = self.count(count)?;
        let kind = self.listed(span, faces)?;
        self.meter.expect_dice(count).at(span)?;
        let step = self.recorder.pool(span, || many(count, &kind));
        let mut sums = vec![Number::ZERO; shape.fields.len()];
        for _ in 0..count {
            let (face, id) = self.face(span, &kind, None)?;
            let value = kind.value(face);
            if let Value::Record(_, fields) = &value {
                for (sum, field) in sums.iter_mut().zip(fields.iter()) {
                    let number = field.as_number().ok_or(OpError::Mismatch).at(span)?;
                    *sum = sum.add(number).at(span)?;
                }
            }
            self.recorder.joins(step, Behind::Die(id), value);
        }
        let fields = sums.into_iter().map(Value::Number).collect();
        let value = Value::Record(Arc::clone(shape), fields);
        self.recorder.total(step, || value.clone());
        Ok(Datum::Value(value))
    }

    /// `{2d20, d12}`
    pub(super) fn gather(&mut self, span: Span, members: &'a [Expr]) -> Eval {
        let mut pool = Pool::new(self.recorder.pool(span, || Base::Source(span)));
        self.recorder.enter();
        for member in members {
            self.member(&mut pool, member)?;
        }
        self.recorder.leave();
        self.show_total(&pool);
        Ok(Datum::Pool(Rc::new(pool)))
    }

    /// `{2d6 + d8}`
    pub(super) fn merge(&mut self, span: Span, members: &'a [Expr]) -> Eval {
        let mut pool = Pool::new(self.recorder.pool(span, || Base::Source(span)));
        self.recorder.enter();
        for member in members {
            let Datum::Pool(part) = self.eval(member)? else {
                return Err(OpError::Mismatch).at(member.span);
            };
            let part = Rc::unwrap_or_clone(part);
            if part.fixed.is_none() {
                self.recorder.merges(part.step);
            }
            for mut die in part.dice {
                die.place =
                    self.recorder.joins(pool.step, die.behind, Value::Number(die.shows.clone()));
                pool.dice.push(die);
            }
            pool.labels.extend(part.labels);
        }
        self.recorder.leave();
        self.show_total(&pool);
        Ok(Datum::Pool(Rc::new(pool)))
    }

    /// `times(12, 3d6)`
    pub(super) fn times(&mut self, span: Span, count: &'a Expr, each: &'a Expr) -> Eval {
        let count = self.count(count)?;
        self.meter.expect_dice(count).at(span)?;
        let mut pool = Pool::new(self.recorder.pool(span, || Base::Source(span)));
        self.recorder.enter();
        for _ in 0..count {
            self.member(&mut pool, each)?;
        }
        self.recorder.leave();
        self.show_total(&pool);
        Ok(Datum::Pool(Rc::new(pool)))
    }

    /// A number that counts as one die.
    fn member(&mut self, pool: &mut Pool, member: &'a Expr) -> Eval<()> {
        let first = self.recorder.next_die();
        let (shows, shares) = match self.eval(member)?.settle().at(member.span)? {
            Datum::Value(Value::Number(number)) => (number, None),
            Datum::Labelled(number, shares) => (number, Some(shares)),
            Datum::Value(_) | Datum::List(_) | Datum::Record(..) | Datum::Pool(_) => {
                return Err(OpError::Mismatch).at(member.span);
            }
        };
        if let Some(shares) = &shares {
            pool.labels.extend(shares.labels().cloned());
        }
        let behind = Behind::Total(first, self.recorder.next_die());
        let place = self.recorder.joins(pool.step, behind, Value::Number(shows.clone()));
        let face = shows.clone();
        pool.dice.push(PoolDie { shows, face, kind: None, marks: 0, shares, place, behind });
        Ok(())
    }

    /// Throws one die into a pool's step.
    pub(super) fn throw(
        &mut self,
        span: Span,
        step: StepId,
        kind: &Rc<DieFaces>,
        from: Option<DieId>,
    ) -> Eval<PoolDie> {
        let (face, id) = self.face(span, kind, from)?;
        let face = kind.number(face).ok_or(OpError::Mismatch).at(span)?;
        let behind = Behind::Die(id);
        let place = self.recorder.joins(step, behind, Value::Number(face.clone()));
        Ok(PoolDie {
            shows: face.clone(),
            face,
            kind: Some(kind.clone()),
            marks: 0,
            shares: None,
            place,
            behind,
        })
    }

    /// Asks for a face: the only place where chance comes in.
    fn face(&mut self, span: Span, kind: &DieFaces, from: Option<DieId>) -> Eval<(u64, DieId)> {
        self.meter.die().at(span)?;
        let face = self.faces.throw(kind).at(span)?;
        Ok((face, self.recorder.thrown(kind, face, from)))
    }

    /// A face that is added to another die instead of being a die of its own.
    pub(super) fn bare_face(&mut self, span: Span, kind: &DieFaces) -> Eval<Number> {
        self.meter.die().at(span)?;
        let face = self.faces.throw(kind).at(span)?;
        kind.number(face).ok_or(OpError::Mismatch).at(span)
    }

    pub(super) fn show_total(&mut self, pool: &Pool) {
        if self.recorder.on {
            let total = pool.total().map_or(Value::None, Value::Number);
            self.recorder.total(pool.step, || total);
        }
    }

    pub(super) fn die(&mut self, span: Span, die: &'a Die) -> Eval<DieFaces> {
        match die {
            Die::Sides(sides) => {
                let number = self.number(sides)?;
                sided(number).at(sides.span)
            }
            Die::Percent => Ok(DieFaces::percent()),
            Die::Fate => Ok(DieFaces::fate()),
            Die::Faces(faces) => self.listed(span, faces),
        }
    }

    fn listed(&mut self, span: Span, faces: &'a [Face]) -> Eval<DieFaces> {
        let mut listed = Vec::with_capacity(faces.len());
        for face in faces {
            let value = self.value(&face.value)?;
            let weight = self.number(&face.weight)?;
            listed.push((value, weighed(weight).at(face.weight.span)?));
        }
        DieFaces::listed(listed).at(span)
    }
}

fn many(count: u64, kind: &DieFaces) -> Base {
    Base::Words(match count {
        1 => kind.name(),
        _ => format!("{count}{}", kind.name()).into(),
    })
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
