//! A program that is rolled again and again, in flat code.
//!
//! ```text
//! 4d6kh3 + 2          pool 4 d6, keep highest 3, its total to r0
//!                     r0 = r0 + 2
//! ```
//!
//! Most programs that are rolled often are little: some dice with their suffixes, sums, comparisons, names and
//! branches, all of it whole numbers that fit a word. [`lower`] turns such a program into a list of acts on
//! registers, and [`run`] goes through the list: no look at the stack, no step counted, nothing evaluated that
//! is known. The record is the same to the letter.
//!
//! The flat code knows no faults and no large numbers. What is not plain when it is read is not lowered, and
//! what turns out not to be plain on the way (a product beyond a word, a count below zero, more dice than
//! allowed) is rolled once more by the evaluator, on the faces that lie there ([`replay`]). So nothing is said
//! here about how things go wrong.

mod lower;
mod replay;
mod run;

use std::sync::Arc;

use astragal_program::core::{Branch, Comparison, End, Op, Program};
use astragal_program::fault::Fault;
use astragal_syntax::Words;
use astragal_syntax::span::Span;
use astragal_value::Value;

use crate::explanation::{Record, Roll};
use crate::faces::{DieFaces, Faces};
use crate::limits::Limits;
use crate::lying::MANY;
use replay::Replay;
use run::Left;

/// So many numbers are at hand at a time; what needs more is not lowered.
const REGISTERS: usize = 16;

/// A program in flat code.
#[derive(Clone, Debug)]
pub struct Flat {
    acts: Vec<Act>,
    /// Where the result is in the end, and what it is.
    result: (Operand, Sort),
    /// What is neither a number nor a truth: texts, variants. A register holds the place here.
    constants: Vec<Value>,
    /// The evaluator would take no more steps than that, but for looking at pools that have names.
    steps: u64,
    /// How often it would.
    pools_read: u64,
}

/// One thing that is done.
#[derive(Clone, Debug)]
enum Act {
    Pool(Box<Pool>),
    Operation {
        op: Op,
        a: Operand,
        b: Operand,
        to: Register,
    },
    Copy {
        from: Operand,
        to: Register,
    },
    /// The host's number, or the default.
    Input {
        index: usize,
        default: i64,
        to: Register,
    },
    Named(Box<Named>),
    Branch {
        taken: Taken,
        on: Operand,
        otherwise: usize,
    },
    Jump(usize),
}

/// Dice, what is done to them, and where their total goes.
#[derive(Clone, Debug)]
struct Pool {
    span: Span,
    count: Operand,
    die: FlatDie,
    suffixes: Vec<Suffix>,
    to: Register,
}

#[derive(Clone, Debug)]
enum FlatDie {
    Known(DieFaces),
    /// One with so many sides.
    Sides(Operand),
}

#[derive(Clone, Debug)]
struct Suffix {
    kind: SuffixKind,
    span: Span,
    words: Words,
    /// The number that is said in place of the part that is computed.
    says: Option<Operand>,
}

#[derive(Clone, Debug)]
enum SuffixKind {
    Keep(End, Operand),
    Drop(End, Operand),
    /// Marks, once for or once against.
    Mark {
        comparison: Comparison,
        with: Operand,
        mark: i64,
    },
    /// Each die that passes is followed by one more, at most so many times.
    Explode {
        comparison: Comparison,
        with: i64,
        limit: u64,
    },
}

/// A name is bound to a number, or to the pool that was thrown last.
#[derive(Clone, Debug)]
struct Named {
    span: Span,
    name: Arc<str>,
    from: Operand,
    sort: Sort,
    pool: bool,
}

/// A branch, as the record tells it.
#[derive(Clone, Copy, Debug)]
struct Taken {
    span: Span,
    origin: Branch,
    condition: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Register(u8);

impl Register {
    /// Masked, so that no bound need be looked at.
    #[inline]
    fn index(self) -> usize {
        usize::from(self.0) % REGISTERS
    }
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Known(i64),
    In(Register),
}

/// What a word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Whole,
    Truth,
    /// A place among the constants.
    Constant,
}

impl Flat {
    /// The program in flat code, if all of it is plain.
    pub fn of(program: &Program) -> Option<Flat> {
        lower::lower(program)
    }

    /// As [`roll`](crate::roll) of the program that it was made of.
    pub fn roll(
        &self,
        program: &Program,
        inputs: &[Option<Value>],
        faces: &mut dyn Faces,
        limits: &Limits,
    ) -> Result<Roll, Fault> {
        let mut record = Box::<Record>::default();
        self.run(&mut record, true, program, inputs, faces, limits)?;
        record.lone = crate::is_lone(&program.main.body);
        Ok(Roll(record))
    }

    /// As [`value`](crate::value) of the program that it was made of.
    pub fn value(
        &self,
        program: &Program,
        inputs: &[Option<Value>],
        faces: &mut dyn Faces,
        limits: &Limits,
    ) -> Result<Value, Fault> {
        let mut record = Record::default();
        self.run(&mut record, false, program, inputs, faces, limits)?;
        Ok(record.value)
    }

    #[inline]
    fn run(
        &self,
        record: &mut Record,
        told: bool,
        program: &Program,
        inputs: &[Option<Value>],
        faces: &mut dyn Faces,
        limits: &Limits,
    ) -> Result<(), Fault> {
        if self.is_within(limits) {
            match run::run(self, record, told, inputs, faces, limits) {
                Ok(()) => return faces.finish().map_err(|kind| kind.at(program.main.span)),
                Err(Left::Fault(fault)) => return Err(*fault),
                Err(Left::NotPlain) => {}
            }
        }
        in_general(record, told, program, inputs, faces, limits)
    }

    /// Whether no step can be one too many, and nobody may want it to stop.
    fn is_within(&self, limits: &Limits) -> bool {
        let reading = self.pools_read.saturating_mul(limits.dice);
        let plain = limits.cancel.is_none() && limits.dice < MANY;
        plain && self.steps.saturating_add(reading) <= limits.steps
    }
}

/// The evaluator's way, on the faces that lie there.
#[cold]
fn in_general(
    record: &mut Record,
    told: bool,
    program: &Program,
    inputs: &[Option<Value>],
    faces: &mut dyn Faces,
    limits: &Limits,
) -> Result<(), Fault> {
    let thrown = std::mem::take(record).dice;
    let mut faces = Replay::new(thrown.faces(0, thrown.len()), faces);
    crate::eval::run(program, inputs, &mut faces, limits, record, told)
}
