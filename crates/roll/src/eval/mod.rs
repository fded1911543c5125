//! The interpreter: one walk over the core language.
//!
//! [`Interpreter::form`] is the table of contents: one line a form, in the order in which the core
//! language lists them, the work in the files of this folder. Numbers take the short way there, through
//! [`Interpreter::word`]. Chance comes from `faces` alone; what happened goes to the recorder; what it
//! costs to the meter.

mod again;
mod branch;
mod call;
mod datum;
mod dice;
mod drawn;
mod endless;
mod fold;
mod given;
mod label;
mod measured;
mod operation;
mod play;
mod rank;
mod read;
mod record;
mod repeat;
mod suffix;
mod variable;
mod walk;
mod word;

use std::rc::Rc;

use astragal_program::core::{Expr, Function, Kind, Program};
use astragal_program::fault::{Costly, Fault, FaultKind};
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value};

use crate::explanation::Record;
use crate::faces::Faces;
use crate::limits::{Limits, Meter};
use crate::recorder::Recorder;
use datum::{Datum, Pool, fits};
pub(crate) use endless::{is_certain, never_ends};
use word::Found;

/// Rolls a program into a record, in which everything is told, or only the value.
pub(crate) fn run(
    program: &Program,
    inputs: &[Option<Value>],
    faces: &mut dyn Faces,
    limits: &Limits,
    record: &mut Record,
    told: bool,
) -> Result<(), Fault> {
    let mut interpreter = Interpreter {
        program,
        inputs,
        faces,
        meter: Meter::new(limits),
        recorder: Recorder::new(record, told),
        locals: Vec::new(),
        base: 0,
        function: &program.main,
        calls: 0,
        nesting: 0,
        foreseen: false,
        playing: None,
    };
    stacker::maybe_grow(RED_ZONE, MORE_STACK, || interpreter.main()).map_err(|fault| *fault)
}

/// A value, or the fault that stopped the roll. Boxed, because a fault is rare and larger.
type Eval<T = Datum> = Result<T, Box<Fault>>;

/// Adds a place to a bare error.
trait At<T> {
    fn at(self, span: Span) -> Eval<T>;
}

impl<T, E: Into<FaultKind>> At<T> for Result<T, E> {
    fn at(self, span: Span) -> Eval<T> {
        self.map_err(|error| Box::new(error.into().at(span)))
    }
}

/// How many forms inside each other share one look at the stack.
const FORMS_A_LOOK: u32 = 8;

/// The stack that must be free to go so many forms deeper, and how much is added if it is not.
const RED_ZONE: usize = 256 << 10;
const MORE_STACK: usize = 2 << 20;

/// How deep forms may nest. Where the stack cannot grow, this alone keeps a roll from overflowing it.
const MOST_NESTING: u32 = if cfg!(target_family = "wasm") { 2_000 } else { 50_000 };

/// The most values that a result may hold inside each other. Shared lists can unfold to any size.
const LARGEST_RESULT: usize = 1_000_000;

struct Interpreter<'a> {
    program: &'a Program,
    inputs: &'a [Option<Value>],
    faces: &'a mut dyn Faces,
    meter: Meter<'a>,
    recorder: Recorder<'a>,
    /// The variables of all running functions, the innermost last.
    locals: Vec<Datum>,
    /// Where the innermost function's variables begin.
    base: usize,
    /// The innermost function.
    function: &'a Function,
    /// How many calls are running.
    calls: u32,
    /// How many forms are being evaluated inside each other.
    nesting: u32,
    /// The pool that is evaluated next was already looked at with all its suffixes.
    foreseen: bool,
    /// The game that is being played.
    playing: Option<play::Playing>,
}

impl<'a> Interpreter<'a> {
    #[inline]
    fn main(&mut self) -> Eval<()> {
        let program = self.program;
        let found = self.until_evidence_holds()?;
        self.faces.finish().at(program.main.span)?;
        match found {
            Found::Whole(whole) => *self.recorder.value() = Value::whole(whole),
            found => *self.recorder.value() = self.result(found)?,
        }
        match program.results.as_slice() {
            [only] if only.name.is_none() => {}
            several => {
                self.recorder.aside().names = several.iter().map(|it| it.name.clone()).collect()
            }
        }
        Ok(())
    }

    fn result(&mut self, found: Found) -> Eval<Value> {
        let span = self.program.main.body.span;
        let value = self.plainly(found).at(span)?;
        if !fits(&value, LARGEST_RESULT) {
            return Err(FaultKind::OverBudget(Costly::Outcomes)).at(span);
        }
        Ok(value)
    }

    fn eval(&mut self, expr: &'a Expr) -> Eval {
        match &expr.kind {
            Kind::Constant(_) | Kind::Operation { .. } | Kind::Read { .. } => {
                self.word(expr).map(Datum::from)
            }
            _ => self.nested(expr, Self::form),
        }
    }

    /// One form deeper.
    #[inline]
    fn nested<T>(
        &mut self,
        expr: &'a Expr,
        form: impl FnOnce(&mut Self, &'a Expr) -> Eval<T>,
    ) -> Eval<T> {
        self.meter.step(expr.span)?;
        self.nesting += 1;
        let result = match self.nesting % FORMS_A_LOOK {
            0 => self.looking(expr, form),
            _ => form(self, expr),
        };
        self.nesting -= 1;
        result
    }

    /// One form deeper, with a look at how deep that is and how much stack is left.
    #[inline(never)]
    fn looking<T>(
        &mut self,
        expr: &'a Expr,
        form: impl FnOnce(&mut Self, &'a Expr) -> Eval<T>,
    ) -> Eval<T> {
        if self.nesting > MOST_NESTING {
            let name = self.program.main.name.clone();
            return Err(FaultKind::TooDeep(name)).at(expr.span);
        }
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || form(self, expr))
    }

    fn form(&mut self, expr: &'a Expr) -> Eval {
        let span = expr.span;
        match &expr.kind {
            Kind::Constant(value) => Ok(Datum::Value(value.clone())),
            Kind::Local(local) => self.local(span, *local),
            Kind::Let { local, value, body } => self.bind(*local, value, body),
            Kind::If { condition, then, otherwise, origin } => {
                self.branch(span, condition, then, otherwise, *origin)
            }
            Kind::Operation { op, operands } => {
                self.operation(span, *op, operands).map(Datum::from)
            }
            Kind::List(items) => self.list(items),
            Kind::Record { shape, fields } => self.record(shape, fields),
            Kind::Field { record, index } => self.field(record, *index),
            Kind::Call { function, arguments } => self.call(span, *function, arguments),
            Kind::Enter { name, body } => self.enter(span, name, body),
            Kind::Fold { list, first, carry, item, body } => {
                self.fold(list, first, *carry, *item, body)
            }
            Kind::Walk { pools, down, first, carry, face, counts, body } => {
                let met = walk::Met { carry: *carry, face: *face, counts };
                self.walk(pools, *down, first, &met, body)
            }
            Kind::Repeat { shape, state, first, round } => {
                self.repeat(span, shape, state, first, round)
            }
            Kind::Require { condition, message, body } => {
                self.require(span, condition, message, body)
            }
            Kind::Given { condition, body } => self.given(condition, body),
            Kind::Note { message, body } => self.note(span, message, body),
            Kind::Labelled { label, value } => self.labelled(label, value),
            Kind::Input { index, default } => self.input(*index, default),
            Kind::Dice { count, die } => self.dice(span, count, die).map(Datum::pool),
            Kind::Symbols { count, faces } => self.symbols(span, count.as_deref(), faces),
            Kind::Tally { count, shape, faces } => self.tally(span, count, shape, faces),
            Kind::Drawn { dice, without, words } => self.drawn(span, dice, without, words),
            Kind::Gather(members) => self.gather(span, members).map(Datum::pool),
            Kind::Merge(members) => self.merge(span, members).map(Datum::pool),
            Kind::Times { count, each } => self.times(span, count, each).map(Datum::pool),
            Kind::Measure { percent, of, .. } => self.measured(expr, percent.as_deref(), of),
            // Where somebody decides, the program is followed from point to point.
            Kind::Best(_) | Kind::Choose { .. } | Kind::Pick { .. } => {
                Err(FaultKind::NobodyChooses).at(span)
            }
            Kind::Suffixed { pool, suffix } => self.suffixed(expr, pool, suffix).map(Datum::pool),
            Kind::Read { pool, reading } => self.read(pool, reading),
        }
    }

    /// An expression that the checker knows to be a pool. A fresh one is not put where it could be shared.
    fn pool(&mut self, expr: &'a Expr) -> Eval<Pool> {
        let span = expr.span;
        match &expr.kind {
            Kind::Dice { count, die } => self.nested(expr, |it, _| it.dice(span, count, die)),
            Kind::Merge(members) => self.nested(expr, |it, _| it.merge(span, members)),
            Kind::Suffixed { pool, suffix } => {
                self.nested(expr, |it, whole| it.suffixed(whole, pool, suffix))
            }
            _ => match self.eval(expr)? {
                Datum::Pool(pool) => Ok(Rc::unwrap_or_clone(pool)),
                _ => Err(OpError::Mismatch).at(span),
            },
        }
    }

    /// An expression, a pool as its total.
    fn settled(&mut self, expr: &'a Expr) -> Eval {
        self.word(expr).map(Datum::from)
    }

    /// The plain value of an expression: a pool is its total, and contributions to labels end here.
    fn value(&mut self, expr: &'a Expr) -> Eval<Value> {
        let found = self.word(expr)?;
        self.plainly(found).at(expr.span)
    }

    fn plainly(&mut self, found: Found) -> Result<Value, OpError> {
        match found {
            Found::Whole(whole) => Ok(Value::whole(whole)),
            Found::Truth(truth) => Ok(Value::Bool(truth)),
            Found::Other(datum) => self.plain(datum),
        }
    }

    /// An expression that the checker knows to be a number.
    fn number(&mut self, expr: &'a Expr) -> Eval<Number> {
        match self.word(expr)? {
            Found::Whole(whole) => Ok(whole.into()),
            found => match self.plainly(found).at(expr.span)? {
                Value::Number(number) => Ok(number),
                _ => Err(OpError::Mismatch).at(expr.span),
            },
        }
    }

    /// An expression that the checker knows to be a yes or no.
    fn truth(&mut self, expr: &'a Expr) -> Eval<bool> {
        match self.word(expr)? {
            Found::Truth(truth) => Ok(truth),
            _ => Err(OpError::Mismatch).at(expr.span),
        }
    }

    /// The whole number that stands there as such; a step is paid for it.
    #[inline]
    fn known(&mut self, expr: &'a Expr) -> Option<i64> {
        match &expr.kind {
            Kind::Constant(Value::Number(number)) => {
                number.to_i64().filter(|_| self.meter.step(expr.span).is_ok())
            }
            _ => None,
        }
    }

    /// How many: a whole number from 0 up. One that is beyond counting counts as very many.
    fn count(&mut self, expr: &'a Expr) -> Eval<u64> {
        match self.known(expr) {
            Some(count @ 0..) => Ok(count.unsigned_abs()),
            _ => counted(self.number(expr)?).at(expr.span),
        }
    }
}

/// A whole number from 0 up as a word.
fn counted(number: Number) -> Result<u64, FaultKind> {
    if !number.is_whole() || number.is_negative() {
        return Err(FaultKind::BadCount(number));
    }
    Ok(number.to_i64().map_or(u64::MAX, i64::unsigned_abs))
}
