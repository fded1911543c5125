//! The interpreter: one walk over the core language.
//!
//! [`Interpreter::form`] is the table of contents: one line a form, in the order in which the core
//! language lists them, the work in the files of this folder. Chance comes from `faces` alone; what
//! happened goes to the recorder; what it costs to the meter.

mod again;
mod branch;
mod call;
mod datum;
mod dice;
mod endless;
mod fold;
mod given;
mod label;
mod operation;
mod read;
mod record;
mod repeat;
mod suffix;
mod variable;
mod walk;

use std::rc::Rc;

use astragal_program::core::{Expr, Function, Kind, Program};
use astragal_program::fault::{Costly, Fault, FaultKind};
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value};

use crate::explanation::Roll;
use crate::faces::Faces;
use crate::limits::{Limits, Meter};
use crate::recorder::Recorder;
use datum::{Datum, Pool, fits};
use label::Labels;

/// Rolls a program.
pub(crate) fn run(
    program: &Program,
    inputs: &[Option<Value>],
    faces: &mut dyn Faces,
    limits: &Limits,
    record: bool,
) -> Result<Roll, Fault> {
    let interpreter = Interpreter {
        program,
        inputs,
        faces,
        meter: Meter::new(limits),
        recorder: Recorder::new(record),
        labels: Labels::default(),
        notices: Vec::new(),
        again: Vec::new(),
        locals: Vec::new(),
        base: 0,
        function: &program.main,
        calls: 0,
        nesting: 0,
        foreseen: false,
    };
    interpreter.main().map_err(|fault| *fault)
}

/// What an expression that may be a pool came to.
enum Found {
    /// Dice that were just thrown or acted on: nobody else has them.
    Pool(Pool),
    /// Dice that lie on the table.
    Shared(Rc<Pool>),
    /// No pool.
    Other(Datum),
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
    recorder: Recorder,
    labels: Labels,
    notices: Vec<String>,
    /// The conditions that failed in earlier attempts, and how often.
    again: Vec<(Span, u64)>,
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
}

impl<'a> Interpreter<'a> {
    fn main(mut self) -> Eval<Roll> {
        let program = self.program;
        let datum = self.until_evidence_holds()?;
        self.faces.finish().at(program.main.span)?;
        let value = self.plain(datum).at(program.main.body.span)?;
        if !fits(&value, LARGEST_RESULT) {
            return Err(FaultKind::OverBudget(Costly::Outcomes)).at(program.main.body.span);
        }
        let names = match program.results.as_slice() {
            [only] if only.name.is_none() => Vec::new(),
            several => several.iter().map(|outcome| outcome.name.clone()).collect(),
        };
        let Recorder { dice, steps, shortened, .. } = self.recorder;
        let (labels, notices) = (self.labels.finish(), self.notices);
        let again = self.again;
        Ok(Roll { value, names, again, dice, steps, labels, notices, shortened })
    }

    fn eval(&mut self, expr: &'a Expr) -> Eval {
        match &expr.kind {
            // Nothing is nested in it.
            Kind::Constant(value) => {
                self.meter.step(expr.span)?;
                Ok(Datum::Value(value.clone()))
            }
            // The same as `form`, without the way there: most forms are these.
            Kind::Operation { op, operands } => {
                self.nested(expr, |it, expr| it.operation(expr.span, *op, operands))
            }
            Kind::Read { pool, reading } => self.nested(expr, |it, _| it.read(pool, reading)),
            _ => self.nested(expr, Self::form),
        }
    }

    /// One form deeper.
    fn nested<T>(
        &mut self,
        expr: &'a Expr,
        form: impl FnOnce(&mut Self, &'a Expr) -> Eval<T>,
    ) -> Eval<T> {
        self.meter.step(expr.span)?;
        self.nesting += 1;
        if self.nesting > MOST_NESTING {
            let name = self.program.main.name.clone();
            return Err(FaultKind::TooDeep(name)).at(expr.span);
        }
        let result = if self.nesting % FORMS_A_LOOK == 1 {
            stacker::maybe_grow(RED_ZONE, MORE_STACK, || form(self, expr))
        } else {
            form(self, expr)
        };
        self.nesting -= 1;
        result
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
            Kind::Operation { op, operands } => self.operation(span, *op, operands),
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
            Kind::Gather(members) => self.gather(span, members).map(Datum::pool),
            Kind::Merge(members) => self.merge(span, members).map(Datum::pool),
            Kind::Times { count, each } => self.times(span, count, each).map(Datum::pool),
            Kind::Suffixed { pool, suffix } => self.suffixed(expr, pool, suffix).map(Datum::pool),
            Kind::Read { pool, reading } => self.read(pool, reading),
        }
    }

    /// An expression that may be a pool, without putting a fresh pool where it could be shared.
    fn thrown(&mut self, expr: &'a Expr) -> Eval<Found> {
        let span = expr.span;
        match &expr.kind {
            Kind::Dice { count, die } => self.nested(expr, |it, _| it.dice(span, count, die)),
            Kind::Gather(members) => self.nested(expr, |it, _| it.gather(span, members)),
            Kind::Merge(members) => self.nested(expr, |it, _| it.merge(span, members)),
            Kind::Times { count, each } => self.nested(expr, |it, _| it.times(span, count, each)),
            Kind::Suffixed { pool, suffix } => {
                self.nested(expr, |it, whole| it.suffixed(whole, pool, suffix))
            }
            _ => {
                return Ok(match self.eval(expr)? {
                    Datum::Pool(pool) => Found::Shared(pool),
                    other => Found::Other(other),
                });
            }
        }
        .map(Found::Pool)
    }

    /// An expression that the checker knows to be a pool.
    fn pool(&mut self, expr: &'a Expr) -> Eval<Pool> {
        match self.thrown(expr)? {
            Found::Pool(pool) => Ok(pool),
            Found::Shared(pool) => Ok(Rc::unwrap_or_clone(pool)),
            Found::Other(_) => Err(OpError::Mismatch).at(expr.span),
        }
    }

    /// An expression, a pool as its total.
    fn settled(&mut self, expr: &'a Expr) -> Eval {
        let span = expr.span;
        match &expr.kind {
            Kind::Constant(_) | Kind::Read { .. } | Kind::Operation { .. } => self.eval(expr),
            Kind::Dice { count, die } => {
                self.nested(expr, |it, _| it.dice(span, count, die)?.settle().at(span))
            }
            Kind::Suffixed { pool, suffix } => {
                self.nested(expr, |it, whole| it.suffixed(whole, pool, suffix)?.settle().at(span))
            }
            _ => self.eval(expr)?.settle().at(span),
        }
    }

    /// The plain value of an expression: a pool is its total, and contributions to labels end here.
    fn value(&mut self, expr: &'a Expr) -> Eval<Value> {
        let datum = self.settled(expr)?;
        self.plain(datum).at(expr.span)
    }

    /// An expression that the checker knows to be a number.
    fn number(&mut self, expr: &'a Expr) -> Eval<Number> {
        if let Kind::Constant(Value::Number(number)) = &expr.kind {
            self.meter.step(expr.span)?;
            return Ok(number.clone());
        }
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            _ => Err(OpError::Mismatch).at(expr.span),
        }
    }

    /// An expression that the checker knows to be a yes or no.
    fn truth(&mut self, expr: &'a Expr) -> Eval<bool> {
        self.value(expr)?.as_bool().ok_or(OpError::Mismatch).at(expr.span)
    }

    /// How many: a whole number from 0 up. One that is beyond counting counts as very many.
    fn count(&mut self, expr: &'a Expr) -> Eval<u64> {
        let number = self.number(expr)?;
        counted(number).at(expr.span)
    }
}

/// A whole number from 0 up as a word.
fn counted(number: Number) -> Result<u64, FaultKind> {
    if !number.is_whole() || number.is_negative() {
        return Err(FaultKind::BadCount(number));
    }
    Ok(number.to_i64().map_or(u64::MAX, i64::unsigned_abs))
}
