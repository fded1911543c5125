//! Runs a tree.
//!
//! Left out, because the document is silent: what becomes of a lost die, or of a die without faces from a random count, in
//! most operators and built-in functions, and of partly lost dice that are cast, exploded or named; pools of which some dice
//! are empty; the name of several dice with uneven faces.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use astragal_prob::Rational;

use super::builtin;
use super::tree::{Block, Expr, Function, Parameter, Part, Statement};
use super::value::{Answer, Faces, Stop, Value, at, binary, descending, merged, throws, unary};

use Value::{Dice, Empty, Lost, Number, Sequence, Unthrown};

const MOST_STEPS: usize = 20_000;
const LONGEST: usize = 300;

/// A variable's place: what changes it in place is seen through it.
type Place = Rc<RefCell<Value>>;

pub struct Settings {
    pub lowest_first: bool,
    pub explode_depth: i128,
    pub function_depth: i128,
}

pub struct Machine {
    settings: Settings,
    scopes: Vec<HashMap<&'static str, Place>>,
    functions: HashMap<&'static str, Rc<Function>>,
    active: i128,
    steps: usize,
    pub outputs: Vec<(String, Faces)>,
    pub too_deep: bool,
}

/// How a parameter is bound.
struct Binding {
    name: &'static str,
    outcomes: Vec<(Value, Rational)>,
    is_cast: bool,
    in_place: bool,
}

pub fn run(program: &[Statement]) -> Answer<Machine> {
    let mut machine = Machine {
        settings: Settings { lowest_first: false, explode_depth: 2, function_depth: 10 },
        scopes: vec![HashMap::new()],
        functions: HashMap::new(),
        active: 0,
        steps: 0,
        outputs: Vec::new(),
        too_deep: false,
    };
    machine.block(program)?;
    Ok(machine)
}

impl Machine {
    fn step(&mut self) -> Answer<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS { Err(Stop::LeftOut) } else { Ok(()) }
    }

    fn get(&self, name: &str) -> Answer<Value> {
        let place = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        place.map(|place| place.borrow().clone()).ok_or(Stop::Error)
    }

    fn set(&mut self, name: &'static str, value: Value) -> Place {
        let place = Rc::new(RefCell::new(value));
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, Rc::clone(&place));
        }
        place
    }

    /// The result, if one is reached.
    fn block(&mut self, block: &[Statement]) -> Answer<Option<Value>> {
        for statement in block {
            if let Some(result) = self.statement(statement)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    fn statement(&mut self, statement: &Statement) -> Answer<Option<Value>> {
        self.step()?;
        match statement {
            Statement::Assign(name, value) => {
                let value = self.value(value)?;
                self.set(name, value);
            }
            Statement::Output(value, name) => self.output(value, *name)?,
            Statement::SetOrder(order) => self.settings.lowest_first = *order == "lowest first",
            Statement::SetDepth(setting, value) => self.set_depth(setting, value)?,
            Statement::Function(function) => {
                self.functions.insert(function.name, Rc::new(function.clone()));
            }
            Statement::Loop(name, over, body) => return self.repeat(name, over, body),
            Statement::If(condition, then, other) => match self.value(condition)? {
                Number(0) => return self.block(other),
                Number(_) => return self.block(then),
                _ => return Err(Stop::Error),
            },
            Statement::Result(value) => return self.value(value).map(Some),
        }
        Ok(None)
    }

    fn repeat(&mut self, name: &'static str, over: &Expr, body: &Block) -> Answer<Option<Value>> {
        let items = match self.value(over)? {
            Number(number) => vec![number],
            Sequence(items) => items,
            _ => return Err(Stop::Error),
        };
        for item in items {
            self.set(name, Number(item));
            if let Some(result) = self.block(body)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    fn set_depth(&mut self, setting: &str, value: &Expr) -> Answer<()> {
        match self.value(value)?.whole()? {
            ..=0 => return Err(Stop::Error),
            20.. => return Err(Stop::LeftOut),
            depth if setting == "explode depth" => self.settings.explode_depth = depth,
            depth => self.settings.function_depth = depth,
        }
        Ok(())
    }

    fn output(&mut self, value: &Expr, name: Option<&str>) -> Answer<()> {
        let faces = match self.value(value)? {
            items @ Sequence(_) => unary("d", items)?.outcomes()?,
            other => other.outcomes()?,
        };
        let name = match name {
            None => format!("output {}", self.outputs.len() + 1),
            Some(name) => self.filled(name)?,
        };
        self.outputs.push((name, faces));
        Ok(())
    }

    /// The name with the values of the variables in it.
    fn filled(&self, name: &str) -> Answer<String> {
        let mut pieces = name.split('[');
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            match piece.split_once(']') {
                Some((name, rest)) if name.chars().all(|c| c.is_ascii_uppercase()) => {
                    filled += &shown(&self.get(name)?)?;
                    filled += rest;
                }
                _ => filled += &format!("[{piece}"),
            }
        }
        Ok(filled)
    }

    fn value(&mut self, expr: &Expr) -> Answer<Value> {
        self.step()?;
        match expr {
            Expr::Number(number) => Ok(Number(*number)),
            Expr::Variable(name) => self.get(name),
            Expr::Unary(sign, value) => unary(sign, self.value(value)?),
            Expr::Binary(sign, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match *sign {
                    "@" => at(left, right, self.settings.lowest_first),
                    sign => binary(sign, left, right),
                }
            }
            Expr::Sequence(parts) => {
                let parts = parts.iter().map(|part| self.part(part));
                Ok(Sequence(parts.collect::<Answer<Vec<_>>>()?.concat()))
            }
            Expr::Call(name, arguments) => {
                let arguments = arguments.iter().map(|value| self.value(value));
                let arguments = arguments.collect::<Answer<_>>()?;
                self.call(name, arguments)
            }
        }
    }

    fn part(&mut self, part: &Part) -> Answer<Vec<i128>> {
        let first = self.value(&part.first)?;
        let items = match &part.last {
            Some(last) => {
                let (first, last) = (first.whole()?, self.value(last)?.whole()?);
                (first..=last).take(LONGEST + 1).collect()
            }
            None => match first {
                Number(number) => vec![number],
                Sequence(items) => items,
                die => die.outcomes()?.into_keys().collect(),
            },
        };
        let times = match &part.times {
            Some(times) => self.value(times)?.whole()?.max(0) as usize,
            None => 1,
        };
        if items.len().saturating_mul(times) > LONGEST {
            return Err(Stop::LeftOut);
        }
        Ok(items.repeat(times))
    }

    fn call(&mut self, name: &str, arguments: Vec<Value>) -> Answer<Value> {
        let Some(function) = self.functions.get(name).map(Rc::clone) else {
            let parameters = builtin::parameters(name).ok_or(Stop::Error)?;
            return self.cast(parameters, arguments, &mut |machine| {
                let values = parameters.iter().map(|(name, _)| machine.get(name));
                builtin::value(name, &values.collect::<Answer<Vec<_>>>()?, &machine.settings)
            });
        };
        if self.active >= self.settings.function_depth {
            self.too_deep = true;
            return Ok(Empty);
        }
        self.active += 1;
        let value = self.cast(&function.parameters, arguments, &mut |machine| {
            Ok(machine.block(&function.body)?.unwrap_or(Empty))
        });
        self.active -= 1;
        value
    }

    /// Runs the body in a scope of its own, once for each combination of the outcomes of what is cast.
    fn cast(
        &mut self,
        parameters: &[Parameter],
        arguments: Vec<Value>,
        body: &mut dyn FnMut(&mut Machine) -> Answer<Value>,
    ) -> Answer<Value> {
        let bindings = parameters.iter().zip(arguments);
        let bindings = bindings.map(|(parameter, argument)| self.binding(*parameter, argument));
        let bindings = bindings.collect::<Answer<Vec<_>>>()?;
        let mut results = Vec::new();
        self.scopes.push(HashMap::new());
        self.bind(&bindings, Rational::ONE, &mut |machine, chance| {
            machine.step()?;
            results.push((chance, body(machine)?));
            Ok(())
        })?;
        self.scopes.pop();
        if bindings.iter().any(|binding| binding.is_cast) {
            return mixture(results);
        }
        Ok(results.pop().map_or(Empty, |(_, value)| value))
    }

    fn binding(&self, (name, kind): Parameter, argument: Value) -> Answer<Binding> {
        let once = |value, is_cast| {
            let outcomes = vec![(value, Rational::ONE)];
            Binding { name, outcomes, is_cast, in_place: false }
        };
        let numbers = |(face, chance)| (Number(face), chance);
        let sequences = |(items, chance)| (Sequence(items), chance);
        Ok(match (kind, argument) {
            (":d", die) if !die.is_die() => once(Value::die(die.outcomes()?), false),
            (":n", Sequence(items)) => once(Number(items.iter().sum()), true),
            (":s", Number(number)) => once(Sequence(vec![number]), false),
            (":n", die) if die.is_die() => {
                let outcomes = die.outcomes()?.into_iter().map(numbers).collect();
                Binding { name, outcomes, is_cast: true, in_place: false }
            }
            (":s", die) if die.is_die() => {
                let outcomes = self.hands(die)?.into_iter().map(sequences).collect();
                Binding { name, outcomes, is_cast: true, in_place: true }
            }
            (_, value) => once(value, false),
        })
    }

    /// The ways in which dice can lie, in the order in which they are gone through.
    fn hands(&self, dice: Value) -> Answer<Vec<(Vec<i128>, Rational)>> {
        let Dice(count, faces) = dice else { return Ok(Vec::new()) };
        let hands = throws(count, &faces)?.into_iter().map(|(throw, chance)| {
            let mut hand = descending(throw);
            if self.settings.lowest_first {
                hand.reverse();
            }
            (hand, chance)
        });
        let ascending = merged(hands).into_iter();
        let upwards = count == 1 || self.settings.lowest_first;
        Ok(if upwards { ascending.collect() } else { ascending.rev().collect() })
    }

    /// Binds the last parameter first.
    fn bind(
        &mut self,
        bindings: &[Binding],
        chance: Rational,
        run: &mut dyn FnMut(&mut Machine, Rational) -> Answer<()>,
    ) -> Answer<()> {
        let Some((binding, before)) = bindings.split_last() else { return run(self, chance) };
        let mut place = self.set(binding.name, Empty);
        for (value, p) in &binding.outcomes {
            if binding.in_place {
                *place.borrow_mut() = value.clone();
            } else {
                place = self.set(binding.name, value.clone());
            }
            self.bind(before, &chance * p, run)?;
        }
        Ok(())
    }
}

/// The value of a call that was cast: empty results drop out, lost ones do not.
fn mixture(results: Vec<(Rational, Value)>) -> Answer<Value> {
    if results.is_empty() {
        return Ok(Lost);
    }
    let (mut whole, mut kept, mut faces) = (Rational::ZERO, Rational::ZERO, Vec::new());
    for (chance, value) in results {
        whole += &chance;
        match value {
            Empty => continue,
            Unthrown => return Err(Stop::LeftOut),
            _ => {}
        }
        kept += &chance;
        faces.extend(value.outcomes()?.into_iter().map(|(face, p)| (face, p * &chance)));
    }
    if kept.is_zero() {
        return Ok(Empty);
    }
    if faces.is_empty() {
        return Ok(Lost);
    }
    if whole != Rational::ONE && kept != whole {
        return Err(Stop::LeftOut);
    }
    Ok(Value::die(faces.into_iter().map(|(face, p)| (face, p * &whole / &kept))))
}

/// A value in a name.
fn shown(value: &Value) -> Answer<String> {
    let (count, faces) = match value {
        Number(number) => return Ok(number.to_string()),
        Sequence(_) => return Ok("{?}".to_owned()),
        Dice(count, faces) => (*count, faces),
        _ => return Ok("d{?}".to_owned()),
    };
    let count = if count == 1 { String::new() } else { count.to_string() };
    let chance = Rational::ONE / Rational::from(faces.len());
    let even = faces.values().all(|p| *p == chance);
    let keys: Vec<i128> = faces.keys().copied().collect();
    let consecutive = keys.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    match (keys.first(), keys.last()) {
        (Some(1), Some(last)) if even && consecutive => Ok(format!("{count}d{last}")),
        (Some(a), Some(b)) if even && consecutive => Ok(format!("{count}d{{{a}..{b}}}")),
        _ if count.is_empty() && is_all(faces) => Ok("d{?}".to_owned()),
        _ => Err(Stop::LeftOut),
    }
}

/// Whether nothing is lost.
pub fn is_all(faces: &Faces) -> bool {
    faces.values().fold(Rational::ZERO, |sum, p| sum + p) == Rational::ONE
}
