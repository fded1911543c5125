//! One sequence of faces, followed through the core language.
//!
//! `let x = d2; x + d2` with the faces 2 and 1 throws a 2 and keeps it, throws a 1, and adds. Everything happens
//! in the order in which it is written; nothing is looked ahead at, and nothing is left out.

use std::collections::BTreeSet;
use std::sync::Arc;

use astragal::{Number, Rational, Span, Value};
use astragal_program::core::{
    Die, Expr, Face, Function, Kind, LocalId, Op, Program, Reading, RecordShape,
};
use astragal_program::fault::{Fault, FaultKind};
use astragal_value::apply;

use super::Ending;
use super::dice::{self, Bag, Dice};
use super::play::{Known, Play, Source};
use super::tape::{Bounds, MOST_FACES, Tape};

/// Why a run does not end with a value.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It fails.
    Fault(Fault),
    /// What is given does not hold.
    Rejected,
    /// It wants more faces than it is given, or goes on without any.
    Cut,
}

/// The most forms that one run evaluates, and the most calls inside each other.
const MOST_FORMS: u32 = 100_000;
const MOST_CALLS: u32 = 120;

/// What an expression comes to.
#[derive(Clone, Debug)]
pub(super) enum Thing {
    Value(Value),
    Dice(Dice),
}

impl Thing {
    /// Dice used as a value are what they are worth.
    fn value(self, at: &Expr) -> Result<Value, Stop> {
        match self {
            Thing::Value(value) => Ok(value),
            Thing::Dice(dice) => {
                dice.total().map(Value::Number).map_err(|kind| fails(kind, at.span))
            }
        }
    }
}

pub(super) fn fails(kind: impl Into<FaultKind>, span: Span) -> Stop {
    Stop::Fault(kind.into().at(span))
}

/// Runs a program once.
pub(super) fn run(
    program: &Program,
    inputs: &[Option<Value>],
    tape: &mut Tape,
    known: &mut Known,
) -> Ending {
    let bounds = &tape.bounds().clone();
    let (source, notes, plays) = (Source::Tape(tape), BTreeSet::new(), Vec::new());
    let mut run = Run { program, inputs, bounds, source, known, plays, notes, forms: 0, calls: 0 };
    let value = run.function(&program.main, Vec::new())?.value(&program.main.body)?;
    Ok((value, Some(run.notes)))
}

pub(super) struct Run<'a> {
    pub(super) program: &'a Program,
    pub(super) inputs: &'a [Option<Value>],
    pub(super) bounds: &'a Bounds,
    pub(super) source: Source<'a>,
    /// How each `maximise` is played, as far as it was found.
    pub(super) known: &'a mut Known,
    /// The plays that are going on, the nearest last.
    pub(super) plays: Vec<Play>,
    pub(super) notes: BTreeSet<Arc<str>>,
    pub(super) forms: u32,
    pub(super) calls: u32,
}

/// The variables of a function.
pub(super) type Locals = Vec<Option<Thing>>;

impl Run<'_> {
    fn function(&mut self, function: &Function, arguments: Vec<Thing>) -> Result<Thing, Stop> {
        let mut locals: Locals = arguments.into_iter().map(Some).collect();
        locals.resize(function.locals.len(), None);
        self.calls += 1;
        if self.calls > MOST_CALLS {
            return Err(Stop::Cut);
        }
        let result = self.thing(&function.body, &mut locals);
        self.calls -= 1;
        result
    }

    fn thing(&mut self, expr: &Expr, locals: &mut Locals) -> Result<Thing, Stop> {
        self.forms += 1;
        if self.forms > MOST_FORMS {
            return Err(Stop::Cut);
        }
        let value = match &expr.kind {
            Kind::Constant(value) => value.clone(),
            Kind::Local(local) => return Ok(known(locals, *local)),
            Kind::Let { local, value, body } => {
                let value = self.thing(value, locals)?;
                locals[local.0 as usize] = Some(value);
                return self.thing(body, locals);
            }
            Kind::If { condition, then, otherwise, origin: _ } => {
                let branch = if self.truth(condition, locals)? { then } else { otherwise };
                return self.thing(branch, locals);
            }
            Kind::Operation { op, operands } => {
                let operands = self.values(operands, locals)?;
                apply(*op, &operands).map_err(|error| fails(error, expr.span))?
            }
            Kind::List(items) => Value::List(self.values(items, locals)?.into()),
            Kind::Record { shape, fields } => {
                Value::Record(Arc::clone(shape), self.values(fields, locals)?.into())
            }
            Kind::Field { record, index } => match self.value(record, locals)? {
                Value::Record(_, fields) => fields[*index].clone(),
                other => panic!("{other} has no fields"),
            },
            Kind::Call { function, arguments } => {
                let arguments: Result<Vec<Thing>, Stop> =
                    arguments.iter().map(|argument| self.thing(argument, locals)).collect();
                let function = &self.program.functions[function.0 as usize];
                return self.function(function, arguments?).map_err(|stop| called(stop, expr));
            }
            Kind::Enter { name: _, body } => {
                return self.thing(body, locals).map_err(|stop| called(stop, expr));
            }
            Kind::Fold { list, first, carry, item, body } => {
                return self.fold(list, first, [*carry, *item], body, locals);
            }
            Kind::Walk { pools, down, first, carry, face, counts, body } => {
                let pools: Result<Vec<Dice>, Stop> =
                    pools.iter().map(|pool| self.dice(pool, locals)).collect();
                let pools = pools?;
                let mut carried = self.thing(first, locals)?;
                // What the steps of a walk say is no part of an explanation.
                let heard = self.notes.clone();
                for (shown, by) in dice::faces_shown(&pools, *down) {
                    locals[carry.0 as usize] = Some(carried);
                    locals[face.0 as usize] = Some(Thing::Value(Value::Number(shown)));
                    for (count, local) in by.into_iter().zip(counts) {
                        locals[local.0 as usize] = Some(Thing::Value(Value::whole(count)));
                    }
                    carried = self.thing(body, locals)?;
                }
                self.notes = heard;
                return Ok(carried);
            }
            Kind::Repeat { shape, state, first, round } => {
                self.repeat(shape, state, first, round, locals)?
            }
            Kind::Require { condition, message, body } => {
                if self.truth(condition, locals)? {
                    return self.thing(body, locals);
                }
                let words = self.value(message, locals)?.to_string();
                return Err(fails(FaultKind::Refused(words.into()), expr.span));
            }
            Kind::Given { condition, body } => {
                if self.truth(condition, locals)? {
                    return self.thing(body, locals);
                }
                return Err(Stop::Rejected);
            }
            Kind::Note { message, body } => {
                let words = self.value(message, locals)?.to_string();
                self.notes.insert(words.into());
                return self.thing(body, locals);
            }
            Kind::Labelled { label: _, value } => return self.thing(value, locals),
            Kind::Input { index, default } => match self.inputs.get(*index).cloned().flatten() {
                Some(value) => value,
                None => return self.thing(default, locals),
            },
            Kind::Dice { count, die } => {
                let count = self.count(count, locals)?;
                let die = self.die(die, locals)?;
                return Ok(Thing::Dice(self.throw_all(count, &Arc::new(die))?));
            }
            Kind::Symbols { count, faces } => {
                let (count, bag) = self.symbols(count.as_deref(), faces, locals)?;
                self.symbols_thrown(count, bag, false, expr.span)?
            }
            Kind::Tally { count, shape, faces } => {
                let (count, bag) = self.symbols(Some(count), faces, locals)?;
                tally(shape, self.symbols_thrown(count, bag, false, expr.span)?)
            }
            Kind::Drawn { dice, without, words: _ } => {
                return self.drawn(expr.span, dice, without, locals);
            }
            Kind::Gather(members) => {
                let totals: Result<Vec<Number>, Stop> =
                    members.iter().map(|member| self.number(member, locals)).collect();
                return Ok(Thing::Dice(Dice::totals(totals?)));
            }
            Kind::Merge(pools) => {
                let pools: Result<Vec<Dice>, Stop> =
                    pools.iter().map(|pool| self.dice(pool, locals)).collect();
                return Ok(Thing::Dice(Dice::together(pools?)));
            }
            Kind::Times { count, each } => {
                let count = self.count(count, locals)?;
                let totals: Result<Vec<Number>, Stop> =
                    (0..count).map(|_| self.number(each, locals)).collect();
                return Ok(Thing::Dice(Dice::totals(totals?)));
            }
            Kind::Best(best) => self.best(best, expr.span, locals)?,
            Kind::Choose { who, arms } => self.choose(*who, arms, expr.span, locals)?,
            Kind::Pick { who, list } => {
                let list = self.value(list, locals)?;
                self.pick(*who, list, expr.span)?
            }
            Kind::Measure { measure, percent, of } => {
                let percent = percent.as_ref().map(|percent| self.number(percent, locals));
                Value::Number(self.measured(
                    *measure,
                    percent.transpose()?,
                    of,
                    locals,
                    expr.span,
                )?)
            }
            Kind::Suffixed { pool, suffix } => {
                let dice = self.dice(pool, locals)?;
                return Ok(Thing::Dice(self.suffixed(dice, suffix, locals)?));
            }
            Kind::Read { pool, reading } => {
                let dice = self.dice(pool, locals)?;
                Value::Number(self.reading(&dice, reading, pool, locals)?)
            }
        };
        Ok(Thing::Value(value))
    }

    fn fold(
        &mut self,
        list: &Expr,
        first: &Expr,
        [carry, item]: [LocalId; 2],
        body: &Expr,
        locals: &mut Locals,
    ) -> Result<Thing, Stop> {
        let Value::List(items) = self.value(list, locals)? else { panic!("no list to go through") };
        let mut carried = self.thing(first, locals)?;
        for value in items.iter() {
            locals[carry.0 as usize] = Some(carried);
            locals[item.0 as usize] = Some(Thing::Value(value.clone()));
            carried = self.thing(body, locals)?;
        }
        Ok(carried)
    }

    fn repeat(
        &mut self,
        shape: &Arc<RecordShape>,
        state: &[LocalId],
        first: &[Expr],
        round: &Expr,
        locals: &mut Locals,
    ) -> Result<Value, Stop> {
        let mut values = self.values(first, locals)?;
        loop {
            for (local, value) in state.iter().zip(values) {
                locals[local.0 as usize] = Some(Thing::Value(value));
            }
            let Value::Record(_, next) = self.value(round, locals)? else {
                panic!("no next state")
            };
            let (next, ends) = next.split_at(state.len());
            values = next.to_vec();
            if ends[0] == Value::Bool(true) {
                return Ok(Value::Record(Arc::clone(shape), values.into()));
            }
        }
    }

    fn reading(
        &mut self,
        dice: &Dice,
        reading: &Reading,
        pool: &Expr,
        locals: &mut Locals,
    ) -> Result<Number, Stop> {
        let (read, place) = match reading {
            Reading::Total => (dice.total(), pool),
            Reading::NthHighest(n) => (dice.nth_highest(&self.number(n, locals)?), &**n),
            Reading::NthLowest(n) => (dice.nth_lowest(&self.number(n, locals)?), &**n),
            Reading::Median => (dice.median(), pool),
        };
        read.map_err(|kind| fails(kind, place.span))
    }

    // Dice.

    /// One die.
    pub(super) fn throw(&mut self, bag: &Bag) -> Result<usize, Stop> {
        self.face(|| bag.weights())
    }

    fn throw_all(&mut self, count: u64, die: &Arc<Bag>) -> Result<Dice, Stop> {
        let mut dice = Dice::default();
        for _ in 0..count {
            let face = self.throw(die)?;
            dice.add(die, face);
        }
        Ok(dice)
    }

    fn die(&mut self, die: &Die, locals: &mut Locals) -> Result<Bag, Stop> {
        Ok(match die {
            Die::Sides(sides) => {
                let number = self.number(sides, locals)?;
                match number.to_i64() {
                    Some(n) if n > MOST_FACES as i64 => return Err(Stop::Cut),
                    Some(n) if n >= 1 => Bag::numbered(1, n),
                    _ => return Err(fails(FaultKind::BadSides(number), sides.span)),
                }
            }
            Die::Percent => Bag::numbered(1, 100),
            Die::Fate => Bag::numbered(-1, 1),
            Die::Faces(faces) => self.faces(faces, locals)?,
        })
    }

    fn faces(&mut self, faces: &[Face], locals: &mut Locals) -> Result<Bag, Stop> {
        let mut bag = Bag::default();
        for face in faces {
            let value = self.value(&face.value, locals)?;
            let weight = self.number(&face.weight, locals)?;
            match weight.to_i64() {
                Some(copies) if copies >= 1 => bag.put(value, copies.unsigned_abs()),
                _ => return Err(fails(FaultKind::BadWeight(weight), face.weight.span)),
            }
        }
        Ok(bag)
    }

    /// How many dice, none for a single one, and their faces.
    fn symbols(
        &mut self,
        count: Option<&Expr>,
        faces: &[Face],
        locals: &mut Locals,
    ) -> Result<(Option<u64>, Bag), Stop> {
        let count = count.map(|count| self.count(count, locals)).transpose()?;
        Ok((count, self.faces(faces, locals)?))
    }

    /// The faces that come up: one, or a list; from a bag, each is out once it is drawn.
    fn symbols_thrown(
        &mut self,
        count: Option<u64>,
        mut bag: Bag,
        drawn: bool,
        span: Span,
    ) -> Result<Value, Stop> {
        if drawn {
            bag.holds(count.unwrap_or(1)).map_err(|kind| fails(kind, span))?;
        }
        let mut shown = Vec::new();
        for _ in 0..count.unwrap_or(1) {
            let face = self.throw(&bag)?;
            shown.push(bag.face(face).clone());
            if drawn {
                bag.take_out(face);
            }
        }
        Ok(if count.is_none() { shown.remove(0) } else { Value::List(shown.into()) })
    }

    fn drawn(
        &mut self,
        span: Span,
        dice: &Expr,
        without: &[Expr],
        locals: &mut Locals,
    ) -> Result<Thing, Stop> {
        let (count, mut bag) = match &dice.kind {
            Kind::Dice { count, die } => (Some(self.count(count, locals)?), self.die(die, locals)?),
            Kind::Symbols { count, faces } => self.symbols(count.as_deref(), faces, locals)?,
            Kind::Tally { count, faces, .. } => self.symbols(Some(count), faces, locals)?,
            other => panic!("{other:?} cannot be drawn"),
        };
        for gone in without {
            let faces = match self.thing(gone, locals)? {
                Thing::Dice(dice) => dice.shown().into_iter().map(Value::Number).collect(),
                Thing::Value(Value::List(faces)) => faces.to_vec(),
                Thing::Value(face) => vec![face],
            };
            for face in faces {
                bag.remove(&face).map_err(|kind| fails(kind, gone.span))?;
            }
        }
        let symbols = match &dice.kind {
            Kind::Dice { .. } => {
                let count = count.unwrap_or(1);
                bag.holds(count).map_err(|kind| fails(kind, span))?;
                let mut drawn = Dice::default();
                for _ in 0..count {
                    let face = self.throw(&bag)?;
                    drawn.add(&Arc::new(bag.clone()), face);
                    bag.take_out(face);
                }
                return Ok(Thing::Dice(drawn));
            }
            _ => self.symbols_thrown(count, bag, true, span)?,
        };
        Ok(Thing::Value(match &dice.kind {
            Kind::Tally { shape, .. } => tally(shape, symbols),
            _ => symbols,
        }))
    }

    // Sorts of results.

    fn dice(&mut self, expr: &Expr, locals: &mut Locals) -> Result<Dice, Stop> {
        match self.thing(expr, locals)? {
            Thing::Dice(dice) => Ok(dice),
            Thing::Value(value) => panic!("{value} is no pool"),
        }
    }

    pub(super) fn value(&mut self, expr: &Expr, locals: &mut Locals) -> Result<Value, Stop> {
        self.thing(expr, locals)?.value(expr)
    }

    fn values(&mut self, exprs: &[Expr], locals: &mut Locals) -> Result<Vec<Value>, Stop> {
        exprs.iter().map(|expr| self.value(expr, locals)).collect()
    }

    pub(super) fn truth(&mut self, expr: &Expr, locals: &mut Locals) -> Result<bool, Stop> {
        Ok(self.value(expr, locals)? == Value::Bool(true))
    }

    pub(super) fn number(&mut self, expr: &Expr, locals: &mut Locals) -> Result<Number, Stop> {
        match self.value(expr, locals)? {
            Value::Number(number) => Ok(number),
            other => panic!("{other} is no number"),
        }
    }

    /// A whole number from 0 up.
    pub(super) fn count(&mut self, expr: &Expr, locals: &mut Locals) -> Result<u64, Stop> {
        let number = self.number(expr, locals)?;
        let exact = number.to_rational();
        match number.to_i64().and_then(|n| u64::try_from(n).ok()) {
            Some(count) => Ok(count),
            // More than there can be is as good as any other such number.
            None if exact.is_int() && exact > Rational::ZERO => Ok(u64::MAX),
            None => Err(fails(FaultKind::BadCount(number), expr.span)),
        }
    }
}

fn known(locals: &Locals, local: LocalId) -> Thing {
    locals[local.0 as usize].clone().expect("a variable is bound before it is used")
}

/// A fault inside a call knows the call.
fn called(stop: Stop, expr: &Expr) -> Stop {
    match stop {
        Stop::Fault(fault) => Stop::Fault(fault.called_from(expr.span)),
        Stop::Rejected | Stop::Cut => stop,
    }
}

/// Records of numbers, added field by field.
fn tally(shape: &Arc<RecordShape>, faces: Value) -> Value {
    let mut sums = vec![Value::whole(0); shape.fields.len()];
    let Value::List(faces) = faces else { panic!("tallies are counted") };
    for face in faces.iter() {
        let Value::Record(_, fields) = face else { panic!("{face} has no fields") };
        for (sum, field) in sums.iter_mut().zip(fields.iter()) {
            *sum = apply(Op::Add, &[sum.clone(), field.clone()]).expect("small numbers");
        }
    }
    Value::Record(Arc::clone(shape), sums.into())
}
