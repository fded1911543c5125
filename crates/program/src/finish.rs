//! The last step: keep the functions that are called, and number them.

use std::collections::{HashMap, HashSet};

use crate::core::{Expr, Function, FunctionId, Input, Kind, Outcome, Program};
use crate::settle::settle;
use crate::walk::children;

/// The functions written so far, by number.
pub(crate) struct Functions(pub(crate) Vec<Option<Function>>);

impl Functions {
    /// Whether an expression, or a function it calls, throws dice.
    pub(crate) fn throws(&mut self, expr: &mut Expr, seen: &mut HashSet<FunctionId>) -> bool {
        match &expr.kind {
            Kind::Dice { .. } | Kind::Symbols { .. } | Kind::Tally { .. } => return true,
            Kind::Call { function, .. } if seen.insert(*function) => {
                let place = function.0 as usize;
                let taken = self.0.get_mut(place).and_then(Option::take);
                if let Some(mut called) = taken {
                    let throws = self.throws(&mut called.body, seen);
                    if let Some(slot) = self.0.get_mut(place) {
                        *slot = Some(called);
                    }
                    if throws {
                        return true;
                    }
                }
            }
            _ => {}
        }
        let mut found = false;
        children(expr, &mut |child| found = found || self.throws(child, seen));
        found
    }
}

/// The finished program.
pub(crate) fn program(
    mut main: Function,
    mut written: Vec<Option<Function>>,
    results: Vec<Outcome>,
    inputs: Vec<Input>,
) -> Program {
    let mut numbers: HashMap<FunctionId, FunctionId> = HashMap::new();
    let mut waiting = Vec::new();
    renumber(&mut main.body, &mut numbers, &mut waiting);
    let mut functions: Vec<Function> = Vec::new();
    let mut next = 0;
    while let Some(old) = waiting.get(next).copied() {
        next += 1;
        let taken = written.get_mut(old.0 as usize).and_then(Option::take);
        let Some(mut function) = taken else { continue };
        renumber(&mut function.body, &mut numbers, &mut waiting);
        functions.push(function);
    }
    let mut program = Program { functions, main, results, inputs };
    settle(&mut program);
    program
}

/// Gives called functions new numbers in the order they are met, and lists them by that number.
fn renumber(
    expr: &mut Expr,
    numbers: &mut HashMap<FunctionId, FunctionId>,
    waiting: &mut Vec<FunctionId>,
) {
    if let Kind::Call { function, .. } = &mut expr.kind {
        let next = FunctionId(u32::try_from(numbers.len()).unwrap_or(u32::MAX));
        let old = *function;
        *function = *numbers.entry(old).or_insert_with(|| {
            waiting.push(old);
            next
        });
    }
    children(expr, &mut |child| renumber(child, numbers, waiting));
}
