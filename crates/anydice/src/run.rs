//! Running a program.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::{Integer, Law, Meter, OverBudget, Rational};
use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use crate::call::Memory;
use crate::fault::{Fault, Ran, Remark, costly, remark, wrong};
use crate::grouped::Grouping;
use crate::make::{self, Items, whole};
use crate::name;
use crate::operate;
use crate::ranks;
use crate::scope::Scopes;
use crate::tree::{
    Binary, Expr, ExprKind, Function, Part, Program, Setting, Signature, Statement, StatementKind,
    Text, Variable,
};
use crate::value::{Die, Throw, Value, sum};

/// One `output` of a program.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name, or `output 1` and so on.
    pub name: Arc<str>,
    /// The law of its outcomes, given that there is one; none for the empty die.
    pub law: Option<Law>,
    /// The chance that is lost on the way, so that the outcomes' chances add up to less than 1.
    pub lost: Rational,
    /// Where it stands.
    pub span: Span,
}

/// What a program comes to.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// In the order of the program.
    pub list: Vec<Output>,
    /// What the reader should know: where AnyDice is surprising, or would differ.
    pub notices: Vec<Diagnostic>,
}

/// The settings of a program.
pub(crate) struct Settings {
    pub(crate) lowest_first: bool,
    pub(crate) explode_depth: u64,
    pub(crate) function_depth: u64,
    /// Calls with so many runs are run by groups.
    pub(crate) group_from: u64,
}

pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) meter: &'p Meter,
    pub(crate) settings: Settings,
    pub(crate) scopes: Scopes,
    pub(crate) functions: FxHashMap<Signature, Rc<Function>>,
    pub(crate) memory: Memory,
    /// Of the innermost call, if its runs are grouped.
    pub(crate) grouping: Option<Box<Grouping>>,
    outputs: Vec<Output>,
    remarks: BTreeMap<Remark, (Span, Arc<str>)>,
    /// The innermost place that is being worked out, for what costs too much.
    place: Span,
}

/// How a block ends.
pub(crate) enum Flow {
    /// It goes on behind it.
    On,
    /// The function has its result.
    Result(Value),
}

/// Whether AnyDice's 64 bits cannot hold it.
fn is_large(number: &Integer) -> bool {
    number.bit_len() > 62 && i64::try_from(number).is_err()
}

/// What it costs to look at a form.
const STEPS_OF_A_FORM: u64 = 4;

/// Runs a program; the first error stops it.
pub(crate) fn run(
    program: &Program,
    meter: &Meter,
    group_from: u64,
) -> Result<Outputs, Box<Diagnostic>> {
    let mut machine = Machine {
        program,
        meter,
        settings: Settings {
            lowest_first: false,
            explode_depth: 2,
            function_depth: 10,
            group_from,
        },
        scopes: Scopes::new(program.variables.len()),
        functions: FxHashMap::default(),
        memory: Memory::default(),
        grouping: None,
        outputs: Vec::new(),
        remarks: BTreeMap::new(),
        place: crate::token::place(0, program.length),
    };
    match machine.block(&program.statements) {
        Ok(_) => {}
        Err(Fault::Wrong(diagnostic)) => return Err(diagnostic),
        Err(Fault::Costly(over)) => return Err(Box::new(costly(over, machine.place))),
    }
    let lost = machine.outputs.iter().find(|output| !output.lost.is_zero());
    if let Some(span) = lost.map(|output| output.span) {
        machine.remark(Remark::Lost, span, None);
    }
    if machine.outputs.is_empty() {
        machine.remark(Remark::NoOutput, crate::token::place(0, program.length), None);
    }
    let remarks = machine.remarks.iter();
    let notices = remarks.map(|(what, (span, name))| remark(*what, *span, name)).collect();
    Ok(Outputs { list: machine.outputs, notices })
}

impl Machine<'_> {
    /// Notes something once.
    pub(crate) fn remark(&mut self, what: Remark, span: Span, variable: Option<Variable>) {
        let name =
            variable.map_or_else(|| "".into(), |known| self.program.variables[known].clone());
        self.remarks.entry(what).or_insert((span, name));
    }

    pub(crate) fn block(&mut self, statements: &[Statement]) -> Ran<Flow> {
        for statement in statements {
            if let Flow::Result(value) = self.statement(statement)? {
                return Ok(Flow::Result(value));
            }
        }
        Ok(Flow::On)
    }

    pub(crate) fn statement(&mut self, statement: &Statement) -> Ran<Flow> {
        self.place = statement.span;
        self.meter.charge(STEPS_OF_A_FORM)?;
        if self.grouping.is_some()
            && let Some(flow) = self.grouped_statement(statement)?
        {
            return Ok(flow);
        }
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                let value = self.value(value)?;
                self.scopes.write(*variable, value);
            }
            StatementKind::Output(value, name) => {
                let value = self.value(value)?;
                self.place = statement.span;
                self.output(value, name.as_ref(), statement.span)?;
            }
            StatementKind::Set(setting) => self.set(setting)?,
            StatementKind::Function(function) => {
                self.functions.insert(function.signature, Rc::clone(function));
                self.memory.forget_all();
            }
            StatementKind::Loop { variable, over, body } => {
                let items = self.looped(over)?;
                for item in items.iter() {
                    self.scopes.write(*variable, Value::Number(item.clone()));
                    if let Flow::Result(value) = self.block(body)? {
                        return Ok(Flow::Result(value));
                    }
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                let holds = self.holds(condition)?;
                return self.block(if holds { then } else { otherwise });
            }
            StatementKind::Result(value) => return Ok(Flow::Result(self.value(value)?)),
        }
        Ok(Flow::On)
    }

    fn looped(&mut self, over: &Expr) -> Ran<Rc<[Integer]>> {
        match self.value(over)? {
            Value::Sequence(items) => Ok(items),
            Value::Number(number) => Ok(Rc::from([number])),
            Value::Die(_) => {
                let error = wrong("random-loop", over.span, "a loop cannot go over a die");
                let help = "a sequence has an order: `{1..6}`, or `{d6}` for the faces of a die";
                Err(error.label("this is a die").help(help).into())
            }
        }
    }

    fn holds(&mut self, condition: &Expr) -> Ran<bool> {
        let kind = match self.value(condition)? {
            Value::Number(number) => return Ok(!number.is_zero()),
            Value::Sequence(_) => "a sequence",
            Value::Die(_) => "a die",
        };
        let message = "Boolean values can only be numbers";
        let error = wrong("random-condition", condition.span, message);
        let error = error.label(format!("this is {kind}, which is neither true nor false"));
        Err(match kind {
            "a die" => error
                .help("a die has no single value; hand it to a parameter with `:n`, which runs the body \
                       once for each outcome:")
                .help("function: check ROLL:n { if ROLL > 3 { result: 1 } result: 0 }  output [check d6]"),
            _ => error.help("compare its sum or its length: `#S > 0`, or `S + 0`"),
        }
        .into())
    }

    fn set(&mut self, setting: &Setting) -> Ran<()> {
        self.memory.forget_all();
        match setting {
            Setting::LowestFirst(lowest) => self.settings.lowest_first = *lowest,
            Setting::ExplodeDepth(depth) => self.settings.explode_depth = self.depth(depth)?,
            Setting::FunctionDepth(depth) => self.settings.function_depth = self.depth(depth)?,
        }
        Ok(())
    }

    fn depth(&mut self, depth: &Expr) -> Ran<u64> {
        let number = match self.value(depth)? {
            Value::Number(number) => Some(number),
            Value::Sequence(items) => Some(sum(&items)),
            Value::Die(_) => None,
        };
        let depth_of = |number: Integer| {
            (number > Integer::ZERO).then(|| u64::try_from(&number).unwrap_or(u64::MAX))
        };
        number.and_then(depth_of).ok_or_else(|| {
            let error = wrong("wrong-setting", depth.span, "this setting is a positive number");
            error.help("write a number of at least 1").into()
        })
    }

    fn output(&mut self, value: Value, name: Option<&Text>, span: Span) -> Ran<()> {
        let throw = match &value {
            Value::Sequence(_) => make::die(&value, self.meter)?.each().clone(),
            value => value.total(self.meter)?.throw(),
        };
        let name = match name {
            None => format!("output {}", self.outputs.len() + 1),
            Some(text) => name::written(text, self)?,
        };
        if let Some(law) = &throw.law {
            let rows = law.support_size().unwrap_or(0) as u64;
            self.meter.hold(rows.saturating_mul(64))?;
            self.look_at_size(law, span);
        }
        // The empty die has no chance that could be lost.
        let has_mass = throw.law.is_some() || value.is_lost();
        let lost = if has_mass { Rational::ONE - throw.mass } else { Rational::ZERO };
        self.outputs.push(Output { name: name.into(), law: throw.law, lost, span });
        Ok(())
    }

    /// Numbers that AnyDice cannot hold are told.
    fn look_at_size(&mut self, law: &Law, span: Span) {
        let large = |end: Option<Rational>| end.is_some_and(|end| is_large(end.numerator()));
        if large(law.lowest()) || large(law.highest()) {
            self.remark(Remark::Large, span, None);
        }
    }

    /// Numbers on the way, too: what is computed from them would be something else there.
    fn look_at_value(&mut self, value: &Value, span: Span) {
        match value {
            Value::Number(number) if is_large(number) => self.remark(Remark::Large, span, None),
            Value::Number(_) | Value::Sequence(_) => {}
            Value::Die(die) => {
                if let Some(law) = die.each().law.clone() {
                    self.look_at_size(&law, span);
                }
            }
        }
    }

    /// The value of a variable.
    pub(crate) fn read(&mut self, variable: Variable, span: Span) -> Ran<Value> {
        let Some((value, stale)) = self.scopes.read(variable) else {
            return Err(self.unknown(variable, span));
        };
        let value = value.clone();
        if stale {
            self.remark(Remark::Stale, span, Some(variable));
        }
        Ok(value)
    }

    fn unknown(&self, variable: Variable, span: Span) -> Fault {
        let name = &self.program.variables[variable];
        let error = wrong("unknown-variable", span, format!("`{name}` has no value"));
        let others = self.program.variables.iter().enumerate();
        let known = others.filter(|(other, _)| self.scopes.read(*other).is_some());
        if &**name == "D" {
            let small = crate::token::place(span.start as usize, span.start as usize + 1);
            return error.help("dice are written with a small `d`").edit(small, "d").into();
        }
        match astragal_syntax::suggest(name, known.map(|(_, name)| &**name)) {
            Some(near) => error.help(format!("did you mean `{near}`?")).edit(span, near),
            None => error.help(format!("give it one before: `{name}: 3`")),
        }
        .into()
    }

    pub(crate) fn value(&mut self, expr: &Expr) -> Ran<Value> {
        self.meter.charge(STEPS_OF_A_FORM)?;
        if self.grouping.is_some()
            && let Some(value) = self.grouped_value(expr)?
        {
            return Ok(value);
        }
        match &expr.kind {
            ExprKind::Number(number) => Ok(Value::Number(number.clone())),
            ExprKind::Variable(variable) => self.read(*variable, expr.span),
            ExprKind::Sequence(parts) => self.sequence(parts),
            ExprKind::Unary(operator, value) => {
                let value = self.value(value)?;
                let done = operate::unary(*operator, value, self.meter);
                self.placed(done, expr.span)
            }
            ExprKind::Binary(operator, left, right) => {
                let (first, second) = (self.value(left)?, self.value(right)?);
                let done = self.binary(*operator, first, second, expr, left.span);
                if let (Binary::Power | Binary::Multiply, Ok(value)) = (operator, &done) {
                    self.look_at_value(value, expr.span);
                }
                self.placed(done, expr.span)
            }
            ExprKind::Call(signature, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(argument)?);
                }
                let done =
                    stacker::maybe_grow(256 << 10, 4 << 20, || self.call(*signature, values, expr));
                self.placed(done, expr.span)
            }
        }
    }

    /// Remembers where something cost too much.
    fn placed<T>(&mut self, done: Ran<T>, span: Span) -> Ran<T> {
        if matches!(done, Err(Fault::Costly(_))) && self.scopes.depth() == 0 {
            self.place = span;
        }
        done
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: Value,
        right: Value,
        expr: &Expr,
        left_span: Span,
    ) -> Ran<Value> {
        match operator {
            Binary::Dice => make::dice(&left, &right, self.meter),
            Binary::At => self.at(&left, &right, left_span),
            _ if operate::is_at_most_sequence(operator, &left, &right) => {
                self.remark(Remark::AtMostSequence, expr.span, None);
                let greater = Binary::Compare(astragal_prob::Comparison::Greater);
                operate::binary(greater, left, right, self.meter, expr.span)
            }
            _ => operate::binary(operator, left, right, self.meter, expr.span),
        }
    }

    /// `positions @ value`.
    fn at(&mut self, positions: &Value, value: &Value, span: Span) -> Ran<Value> {
        let positions = operate::positions(positions, span)?;
        let lowest_first = self.settings.lowest_first;
        Ok(match value {
            Value::Number(number) => {
                let mut digits = operate::digits(number);
                if lowest_first {
                    digits.reverse();
                }
                Value::Number(operate::items_at(&positions, &digits))
            }
            Value::Sequence(items) => Value::Number(operate::items_at(&positions, items)),
            Value::Die(die) => Value::one_die(self.picked(&positions, die)?),
        })
    }

    fn picked(&mut self, positions: &[Integer], die: &Die) -> Ran<Throw> {
        self.meter.charge(die.count() + positions.len() as u64)?;
        self.meter.room(die.count().saturating_mul(16))?;
        let mut times = vec![0; usize::try_from(die.count()).map_err(|_| OverBudget::Memory)?];
        for position in positions {
            let place = usize::try_from(position).ok().and_then(|place| place.checked_sub(1));
            if let Some(times) = place.and_then(|place| times.get_mut(place)) {
                *times += 1;
            }
        }
        if self.settings.lowest_first {
            times.reverse();
        }
        if times.is_empty() {
            return Ok(Throw::constant(Integer::ZERO));
        }
        ranks::picked(die, &times, self.meter)
    }

    fn sequence(&mut self, parts: &[Part]) -> Ran<Value> {
        let mut items = Items::default();
        for part in parts {
            let mut block = Items::default();
            let first = self.value(&part.first)?;
            match &part.last {
                None => block.add(&first, self.meter)?,
                Some(last) => {
                    let end = self.value(last)?;
                    let first = whole(&first, "the beginning of a range", part.first.span)?;
                    block.range(
                        &first,
                        &whole(&end, "the end of a range", last.span)?,
                        self.meter,
                    )?;
                }
            }
            let times = match &part.times {
                None => Integer::ONE,
                Some(times) => {
                    let value = self.value(times)?;
                    whole(&value, "a number of times", times.span)?
                }
            };
            items.repeat(&block, &times, self.meter)?;
        }
        Ok(items.value())
    }
}
