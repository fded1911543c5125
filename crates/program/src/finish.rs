//! The last step: gather the functions that are called, and number them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::core::{Expr, Function, FunctionId, Input, Kind, Outcome, Program};
use crate::kept::{Copies, is_kept};
use crate::nesting::depth;
use crate::points::plays;
use crate::settle::settle;
use crate::walk::children;

/// The functions that a program may call.
pub(crate) struct Functions<'a> {
    /// Those written for it, by number.
    pub(crate) written: &'a [Option<Function>],
    /// Those of the library that it copies.
    pub(crate) copies: &'a Copies,
}

impl Functions<'_> {
    /// Whether an expression, or a function it calls, throws dice.
    pub(crate) fn throws(&self, expr: &Expr, seen: &mut FxHashSet<FunctionId>) -> bool {
        match &expr.kind {
            Kind::Dice { .. } | Kind::Symbols { .. } | Kind::Tally { .. } => return true,
            Kind::Call { function, .. } if seen.insert(*function) => {
                let called = match is_kept(*function) {
                    true => self.copies.get(function).map(|kept| &kept.function),
                    false => self.written.get(function.0 as usize).and_then(Option::as_ref),
                };
                if called.is_some_and(|called| self.throws(&called.body, seen)) {
                    return true;
                }
            }
            // The odds of a roll are asked for; it is not thrown.
            Kind::Measure { percent, .. } => {
                return percent.as_ref().is_some_and(|percent| self.throws(percent, seen));
            }
            _ => {}
        }
        expr.children().into_iter().any(|child| self.throws(child, seen))
    }
}

/// What to know of the functions of a finished program to keep them.
#[derive(Default)]
pub(crate) struct Origins {
    /// The numbers that they had before.
    pub(crate) order: Vec<FunctionId>,
    /// The functions by those numbers.
    pub(crate) numbers: FxHashMap<FunctionId, FunctionId>,
    /// Their variables that were settled.
    pub(crate) sums: Vec<Vec<bool>>,
}

/// The finished program.
pub(crate) fn program(
    mut main: Function,
    mut written: Vec<Option<Function>>,
    copies: &Copies,
    results: Vec<Outcome>,
    inputs: Vec<Input>,
) -> (Box<Program>, Origins) {
    let mut numbering = Numbering::default();
    let mut functions: Vec<Function> = Vec::new();
    let mut settled = Vec::new();
    if !written.is_empty() || !copies.is_empty() {
        numbering.renumber(&mut main.body);
    }
    while let Some(old) = numbering.order.get(functions.len()) {
        let kept = copies.get(old);
        let taken = match kept {
            Some(kept) => Some(kept.function.clone()),
            None => written.get_mut(old.0 as usize).and_then(Option::take),
        };
        let Some(mut function) = taken else { break };
        numbering.renumber(&mut function.body);
        functions.push(function);
        settled.push(kept.map(|kept| kept.sums.clone()));
    }
    // Put where it stays: from here on it is handed on by its address.
    let mut program = Box::new(Program { functions, main, results, inputs, depth: 0, plays: None });
    let sums = settle(&mut program, settled);
    program.depth = depth(&mut program);
    program.plays = plays(&mut program).map(Arc::new);
    (program, Origins { order: numbering.order, numbers: numbering.numbers, sums })
}

/// The new numbers of functions: in the order in which they are met.
#[derive(Default)]
struct Numbering {
    /// By the old number.
    numbers: FxHashMap<FunctionId, FunctionId>,
    /// The old numbers by the new.
    order: Vec<FunctionId>,
}

impl Numbering {
    fn renumber(&mut self, expr: &mut Expr) {
        if let Kind::Call { function, .. } = &mut expr.kind {
            *function = self.number(*function);
        }
        children(expr, &mut |child| self.renumber(child));
    }

    fn number(&mut self, old: FunctionId) -> FunctionId {
        let next = FunctionId(u32::try_from(self.order.len()).unwrap_or(u32::MAX));
        *self.numbers.entry(old).or_insert_with(|| {
            self.order.push(old);
            next
        })
    }
}
