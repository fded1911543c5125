//! Going through flat code.

use astragal_program::fault::Fault;
use astragal_syntax::span::Span;
use astragal_value::{Simple, Value, apply_to_words};

use super::{Act, Flat, FlatDie, Named, Operand, Pool, REGISTERS, Sort, Suffix, SuffixKind};
use crate::explanation::Record;
use crate::faces::{DieFaces, Faces};
use crate::limits::Limits;
use crate::lying::{Change, Lying, holds};
use crate::recorder::{Recorder, StepId};
use crate::steps::{Said, Suffixes};

/// Why the flat code was left.
pub(super) enum Left {
    /// Something is not plain; the evaluator has to say what it comes to.
    NotPlain,
    /// The faces failed.
    Fault(Box<Fault>),
}

struct Machine<'a> {
    recorder: Recorder<'a>,
    faces: &'a mut dyn Faces,
    /// The most dice on the table.
    most: u64,
    registers: [i64; REGISTERS],
    /// The pool that was thrown last.
    pool: StepId,
}

pub(super) fn run(
    flat: &Flat,
    record: &mut Record,
    told: bool,
    inputs: &[Option<Value>],
    faces: &mut dyn Faces,
    limits: &Limits,
) -> Result<(), Left> {
    let mut machine = Machine {
        recorder: Recorder::new(record, told),
        faces,
        most: limits.dice,
        registers: [0; REGISTERS],
        pool: StepId::NOWHERE,
    };
    let mut next = 0;
    while let Some(act) = flat.acts.get(next) {
        next += 1;
        match act {
            Act::Pool(pool) => machine.throw(pool)?,
            Act::Operation { op, a, b, to } => {
                let word = apply_to_words(*op, machine.read(*a), machine.read(*b));
                machine.registers[to.index()] = match word {
                    Some(Simple::Whole(whole)) => whole,
                    Some(Simple::Truth(truth)) => truth.into(),
                    None => return Err(Left::NotPlain),
                };
            }
            Act::Copy { from, to } => machine.registers[to.index()] = machine.read(*from),
            Act::Input { index, default, to } => {
                machine.registers[to.index()] = match inputs.get(*index) {
                    Some(Some(value)) => whole(value).ok_or(Left::NotPlain)?,
                    _ => *default,
                };
            }
            Act::Named(named) => machine.name(flat, named),
            Act::Branch { taken, on, otherwise } => {
                let held = machine.read(*on) != 0;
                machine.recorder.branch(taken.span, taken.origin, taken.condition, held);
                if !held {
                    next = *otherwise;
                }
            }
            Act::Jump(to) => next = *to,
        }
    }
    match flat.result {
        (from, Sort::Whole) => *machine.recorder.value() = Value::whole(machine.read(from)),
        (from, sort) => *machine.recorder.value() = machine.value(flat, from, sort),
    }
    Ok(())
}

fn whole(value: &Value) -> Option<i64> {
    value.as_number()?.to_i64()
}

impl Machine<'_> {
    #[inline]
    fn read(&self, operand: Operand) -> i64 {
        read(&self.registers, operand)
    }

    fn value(&self, flat: &Flat, from: Operand, sort: Sort) -> Value {
        let word = self.read(from);
        match sort {
            Sort::Whole => Value::whole(word),
            Sort::Truth => Value::Bool(word != 0),
            Sort::Constant => flat.constants[word as usize].clone(),
        }
    }

    fn name(&mut self, flat: &Flat, named: &Named) {
        if self.recorder.on {
            let value = self.value(flat, named.from, named.sort);
            let pool = if named.pool { self.pool } else { StepId::NOWHERE };
            self.recorder.named(named.span, &named.name, value, pool);
        }
    }

    #[inline]
    fn throw(&mut self, pool: &Pool) -> Result<(), Left> {
        match &pool.die {
            FlatDie::Known(kind) => self.throw_of(pool, kind),
            FlatDie::Sides(sides) => match self.read(*sides) {
                sides @ 1.. => self.throw_of(pool, &DieFaces::sides(sides.unsigned_abs())),
                _ => Err(Left::NotPlain),
            },
        }
    }

    #[inline]
    fn throw_of(&mut self, pool: &Pool, kind: &DieFaces) -> Result<(), Left> {
        let count = u64::try_from(self.read(pool.count)).map_err(|_| Left::NotPlain)?;
        let mut lying = self.cast(pool.span, kind, count)?;
        let mut marked = false;
        for suffix in &pool.suffixes {
            marked |= self.act(suffix, kind, &mut lying)?;
        }
        let total = if marked { lying.marks } else { lying.sum };
        if self.recorder.on {
            self.pool = self.recorder.pool_with(pool.span, kind, count, &lying, total);
            if !pool.suffixes.is_empty() {
                self.say(&pool.suffixes);
            }
        }
        self.registers[pool.to.index()] = total;
        Ok(())
    }

    /// Throws equal dice whose faces are consecutive numbers.
    #[inline]
    fn cast(&mut self, span: Span, kind: &DieFaces, count: u64) -> Result<Lying, Left> {
        let table = self.recorder.dice_mut();
        let first = table.next();
        if count > self.most.saturating_sub(first.into()) {
            return Err(Left::NotPlain);
        }
        if count == 0 {
            return Lying::of(kind, first, &[]).ok_or(Left::NotPlain);
        }
        let faces = table.thrown(kind, count as usize);
        match self.faces.throw_all(kind, faces) {
            Ok(()) => Lying::of(kind, first, faces).ok_or(Left::NotPlain),
            Err(fault) => Err(Left::Fault(Box::new(fault.at(span)))),
        }
    }

    /// Does what a suffix says; whether it marks dice.
    #[inline]
    fn act(&mut self, suffix: &Suffix, kind: &DieFaces, lying: &mut Lying) -> Result<bool, Left> {
        let change = match suffix.kind {
            SuffixKind::Keep(end, kept) => Change::Keep(end, self.count(kept)?),
            SuffixKind::Drop(end, gone) => Change::Drop(end, self.count(gone)?),
            SuffixKind::Mark { comparison, with, mark } => {
                Change::Mark(comparison, self.read(with), mark)
            }
            SuffixKind::Explode { comparison, with, limit } => {
                let fires = |shows: i64| holds(comparison, &shows, &with);
                self.explode(suffix.span, kind, lying, fires, limit)?;
                return Ok(false);
            }
        };
        lying.change(self.recorder.dice_mut(), change);
        Ok(matches!(change, Change::Mark(..)))
    }

    fn count(&self, count: Operand) -> Result<usize, Left> {
        usize::try_from(self.read(count)).map_err(|_| Left::NotPlain)
    }

    #[inline(never)]
    fn explode(
        &mut self,
        span: Span,
        kind: &DieFaces,
        lying: &mut Lying,
        fires: impl Fn(i64) -> bool,
        limit: u64,
    ) -> Result<(), Left> {
        let (told, most, faces) = (self.recorder.on, self.most, &mut *self.faces);
        lying.explode(self.recorder.dice_mut(), told, fires, limit, |table| {
            if u64::from(table.next()) >= most {
                return Err(Left::NotPlain);
            }
            let thrown = faces.throw_all(kind, table.thrown(kind, 1));
            thrown.map_err(|fault| Left::Fault(Box::new(fault.at(span))))
        })
    }

    /// Tells the suffixes of the pool that was thrown last.
    fn say(&mut self, told: &[Suffix]) {
        let registers = &self.registers;
        let Some(suffixes) = self.recorder.suffixes(self.pool) else { return };
        match told {
            [one] if one.says.is_none() => {
                *suffixes = Suffixes::One(Said { words: one.words.clone(), number: None });
            }
            several => {
                for Suffix { words, says, .. } in several {
                    let number = says.map(|number| read(registers, number).into());
                    suffixes.push(Said { words: words.clone(), number });
                }
            }
        }
    }
}

#[inline]
fn read(registers: &[i64; REGISTERS], operand: Operand) -> i64 {
    match operand {
        Operand::Known(whole) => whole,
        Operand::In(register) => registers[register.index()],
    }
}
