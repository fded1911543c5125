//! Calls: casting arguments, running the body for each outcome, and mixing the results.

use std::rc::Rc;

use astragal_prob::{Integer, Meter, Natural, Rational};
use rustc_hash::FxHashMap;

use crate::builtin;
use crate::fault::{Fault, Ran, Remark, wrong};
use crate::hands::Hands;
use crate::mixture::Mixture;
use crate::outer::{Outer, outer};
use crate::reads::Reads;
use crate::run::{Flow, Machine};
use crate::tree::{Binary, Expr, ExprKind, Function, Kind, Signature, Variable};
use crate::value::{Die, Throw, Value, faces, sum};

/// Calls that were worked out.
#[derive(Default)]
pub(crate) struct Memory {
    known: FxHashMap<Key, Value>,
    /// What each function can see; none until it is asked for.
    outer: Option<Rc<FxHashMap<Signature, Outer>>>,
    /// What the parts of a function read; none if its runs are not apart.
    reads: FxHashMap<Signature, Option<Rc<Reads>>>,
}

/// So many values are remembered at most.
const MOST_REMEMBERED: usize = 100_000;
/// About what a remembered call takes, for its arguments and its value.
const BYTES_OF_A_CALL: u64 = 400;

#[derive(PartialEq, Eq, Hash)]
struct Key {
    signature: Signature,
    depth: usize,
    arguments: Vec<Value>,
    outer: Vec<Option<Value>>,
}

impl Memory {
    pub(crate) fn forget_all(&mut self) {
        *self = Memory::default();
    }
}

/// An argument that is ready to be bound.
pub(crate) enum Argument {
    Plain(Value),
    /// The outcomes of a total.
    Numbers(Vec<(Integer, Natural)>),
    /// The ways that dice can lie.
    Hands(Hands),
}

impl Argument {
    /// How often the body is run for it.
    pub(crate) fn outcomes(&self) -> u64 {
        match self {
            Argument::Plain(_) => 1,
            Argument::Numbers(numbers) => numbers.len() as u64,
            Argument::Hands(hands) => hands.count(),
        }
    }

    /// What it may be, with weights.
    pub(crate) fn listed(&self, meter: &Meter) -> Ran<Rc<[(Value, Natural)]>> {
        let mut list = Vec::new();
        match self {
            Argument::Plain(value) => list.push((value.clone(), Natural::ONE)),
            Argument::Numbers(numbers) => {
                let number = |(number, weight): &(Integer, Natural)| {
                    (Value::Number(number.clone()), weight.clone())
                };
                list.extend(numbers.iter().map(number));
            }
            Argument::Hands(hands) => {
                meter.room(hands.count().saturating_mul(hands.bytes_of_each()))?;
                hands.each(&mut |hand, weight| {
                    meter.charge(hand.len() as u64)?;
                    list.push((Value::Sequence(Rc::from(hand)), weight));
                    Ok(())
                })?;
            }
        }
        Ok(list.into())
    }
}

impl Machine<'_> {
    pub(crate) fn call(
        &mut self,
        signature: Signature,
        arguments: Vec<Value>,
        at: &Expr,
    ) -> Ran<Value> {
        let Some(function) = self.functions.get(&signature).map(Rc::clone) else {
            let program = self.program;
            let name = &program.signatures[signature];
            return match builtin::named(name) {
                Some(known) => builtin::call(known, &arguments, self),
                None => Err(self.unknown_function(name, at)),
            };
        };
        if self.scopes.depth() as u64 >= self.settings.function_depth {
            self.remark(Remark::TooDeep, at.span, None);
            return Ok(Value::Die(Die::empty()));
        }
        let key = self.key(signature, &arguments);
        if let Some(known) = self.memory.known.get(&key) {
            return Ok(known.clone());
        }
        let value = self.run_function(&function, arguments)?;
        self.meter.charge(20)?;
        if self.memory.known.len() >= MOST_REMEMBERED {
            self.memory.known.clear();
        }
        if self.memory.known.len().is_multiple_of(1000) {
            self.meter.room(1000 * BYTES_OF_A_CALL)?;
        }
        self.memory.known.insert(key, value.clone());
        Ok(value)
    }

    fn key(&mut self, signature: Signature, arguments: &[Value]) -> Key {
        let outer = self.outer();
        let seen = outer.get(&signature);
        let depth = if seen.is_some_and(|seen| seen.calls) { self.scopes.depth() } else { 0 };
        let variables = seen.into_iter().flat_map(|seen| &seen.variables);
        let read =
            |variable: &Variable| self.scopes.read(*variable).map(|(value, _)| value.clone());
        Key {
            signature,
            depth,
            arguments: arguments.to_vec(),
            outer: variables.map(read).collect(),
        }
    }

    fn outer(&mut self) -> Rc<FxHashMap<Signature, Outer>> {
        let functions = &self.functions;
        Rc::clone(self.memory.outer.get_or_insert_with(|| Rc::new(outer(functions))))
    }

    /// What the parts of a function's body read; none if its runs are not apart from each other.
    pub(crate) fn reads(&mut self, function: &Function) -> Option<Rc<Reads>> {
        let outer = self.outer();
        let known = self.memory.reads.entry(function.signature);
        known.or_insert_with(|| Reads::of(function, &outer).map(Rc::new)).clone()
    }

    fn run_function(&mut self, function: &Function, arguments: Vec<Value>) -> Ran<Value> {
        let mut ready = Vec::with_capacity(arguments.len());
        // The chance that the arguments have values at all, if any of them is cast.
        let mut mass: Option<Rational> = None;
        for ((_, kind), value) in function.parameters.iter().zip(arguments) {
            let (argument, cast) = self.ready(value, *kind)?;
            if let Some(own) = cast {
                mass = Some(mass.unwrap_or(Rational::ONE) * own);
            }
            ready.push(argument);
        }
        self.scopes.enter();
        let around = self.grouping.take();
        let done = match mass {
            None => self.plain_run(function, ready),
            Some(mass) => self.cast_runs(function, &ready, mass),
        };
        self.grouping = around;
        self.scopes.leave();
        done
    }

    /// An argument as its parameter wants it. If that makes the call a cast one: the chance that it has a value.
    fn ready(&self, value: Value, kind: Kind) -> Ran<(Argument, Option<Rational>)> {
        let plain = |value| (Argument::Plain(value), None);
        Ok(match (kind, value) {
            (Kind::Any, value) => plain(value),
            (Kind::Die, value) => plain(Value::Die(self.as_die(value))),
            (Kind::Number, Value::Number(number)) => plain(Value::Number(number)),
            (Kind::Number, Value::Sequence(items)) => {
                (Argument::Plain(Value::Number(sum(&items))), Some(Rational::ONE))
            }
            (Kind::Number, Value::Die(die)) => {
                let total = die.total(self.meter)?;
                (Argument::Numbers(weighted(total)), Some(total.mass.clone()))
            }
            (Kind::Sequence, Value::Number(number)) => plain(Value::Sequence(Rc::from([number]))),
            (Kind::Sequence, value @ Value::Sequence(_)) => plain(value),
            (Kind::Sequence, Value::Die(die)) => {
                let faces = weighted(die.each());
                let mass = die.total(self.meter)?.mass.clone();
                if faces.is_empty() {
                    return Ok((Argument::Numbers(faces), Some(mass)));
                }
                let order = self.settings.lowest_first;
                (Argument::Hands(Hands::new(faces, die.count(), order, self.meter)?), Some(mass))
            }
        })
    }

    /// What a parameter with `:d` gets.
    pub(crate) fn as_die(&self, value: Value) -> Die {
        match value {
            Value::Die(die) => die,
            Value::Number(number) => Die::one(Throw::constant(number)),
            Value::Sequence(items) => Die::one(Throw::constant(sum(&items))),
        }
    }

    fn plain_run(&mut self, function: &Function, ready: Vec<Argument>) -> Ran<Value> {
        for ((variable, _), argument) in function.parameters.iter().zip(ready).rev() {
            if let Argument::Plain(value) = argument {
                self.scopes.bind(*variable, value);
            }
        }
        self.run_body(function)
    }

    pub(crate) fn run_body(&mut self, function: &Function) -> Ran<Value> {
        self.scopes.begin_run();
        Ok(match self.block(&function.body)? {
            Flow::Result(value) => value,
            Flow::On => Value::Die(Die::empty()),
        })
    }

    fn cast_runs(&mut self, function: &Function, ready: &[Argument], mass: Rational) -> Ran<Value> {
        let mixture = match self.grouped_runs(function, ready)? {
            Some(mixture) => mixture,
            None => {
                let mut mixture = Mixture::default();
                self.bind(function, ready, &Natural::ONE, &mut mixture)?;
                mixture
            }
        };
        Ok(Value::Die(mixture.die(&mass, self.meter)?))
    }

    /// Parameters are bound from the last to the first, so that the first changes fastest.
    fn bind(
        &mut self,
        function: &Function,
        ready: &[Argument],
        weight: &Natural,
        mixture: &mut Mixture,
    ) -> Ran<()> {
        let Some((argument, before)) = ready.split_last() else {
            let value = self.run_body(function)?;
            return Ok(mixture.add(&value, weight.clone(), self.meter)?);
        };
        let variable = function.parameters[before.len()].0;
        match argument {
            Argument::Plain(value) => {
                self.scopes.bind(variable, value.clone());
                self.bind(function, before, weight, mixture)
            }
            Argument::Numbers(numbers) => {
                for (number, ways) in numbers {
                    self.scopes.bind(variable, Value::Number(number.clone()));
                    self.bind(function, before, &(weight * ways), mixture)?;
                }
                Ok(())
            }
            Argument::Hands(hands) => {
                let mut first = true;
                hands.each(&mut |hand, ways| {
                    let hand = Value::Sequence(Rc::from(hand));
                    match std::mem::take(&mut first) {
                        true => self.scopes.bind(variable, hand),
                        false => self.scopes.bind_again(variable, hand),
                    }
                    self.bind(function, before, &(weight * ways), mixture)
                })
            }
        }
    }

    fn unknown_function(&self, name: &str, at: &Expr) -> Fault {
        let message = format!("there is no function `{name}`");
        let error = wrong("unknown-function", at.span, message);
        if let Some(merged) = self.merged_arguments(name, at) {
            let help = "a `d` takes what stands before it for a number of dice, so that these are fewer arguments \
                        than they look; write `1d6` for one die";
            let place = crate::token::place(merged, merged);
            return error.help(help).edit(place, "1").into();
        }
        let own = self.functions.keys().map(|known| &*self.program.signatures[*known]);
        let known: Vec<&str> = own.chain(builtin::NAMES.iter().map(|(name, _)| *name)).collect();
        match astragal_syntax::suggest(name, known.iter().copied()) {
            Some(near) => error.help(format!("did you mean `[{near}]`? A `_` stands for an argument")),
            None => error.help(
                "a function is known by its words and the places of its arguments; it must be defined \
                 before it is called",
            ),
        }
        .into()
    }
}

impl Machine<'_> {
    /// Where a number is missing before a `d`: `[f 2d6 d6]` has one argument, and a function of as many words has more.
    fn merged_arguments(&self, name: &str, at: &Expr) -> Option<usize> {
        let words =
            |name: &str| name.split(' ').filter(|word| *word != "_").collect::<Vec<_>>().join(" ");
        let holes = |name: &str| name.split(' ').filter(|word| *word == "_").count();
        let mut known = self.functions.keys().map(|known| &*self.program.signatures[*known]);
        known.find(|known| words(known) == words(name) && holes(known) > holes(name))?;
        let ExprKind::Call(_, arguments) = &at.kind else { return None };
        arguments.iter().find_map(apart)
    }
}

/// The `d` before which there is space, as in `[f 3 d6]`: it takes what stands before it for a number of dice.
fn apart(argument: &Expr) -> Option<usize> {
    let ExprKind::Binary(operator, left, right) = &argument.kind else { return None };
    let place = (right.span.start as usize).checked_sub(1)?;
    let here = *operator == Binary::Dice && (left.span.end as usize) < place;
    if here { Some(place) } else { apart(left) }
}

/// The faces of a throw with their weights; none if it has none.
fn weighted(throw: &Throw) -> Vec<(Integer, Natural)> {
    let law = throw.law.iter();
    law.flat_map(faces).map(|(face, weight)| (face, weight.clone())).collect()
}
