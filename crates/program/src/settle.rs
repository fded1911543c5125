//! Variables that hold dice of which only the sum is read become numbers.
//!
//! ```text
//! let x = 3d6; x + x        binds the sum: nobody asks for the single dice again
//! let p = 4d6; p kh3        binds the dice
//! ```
//!
//! Nothing observable changes: the dice are thrown where the `let` stands either way. But a sum is a
//! far smaller state than a table of dice, and the odds are computed state by state. Parameters settle
//! too, also of functions that call themselves: at first every variable with dice is a candidate, then
//! those that someone needs as dice drop out, until nothing changes.

use std::collections::HashSet;

use crate::core::{Expr, Function, FunctionId, Kind, LocalId, Program, Reading, Value};
use crate::types::Type;
use crate::walk::children;

/// The variables of each function that settle; those of the program itself come last.
struct Settled(Vec<HashSet<LocalId>>);

/// Settles the variables of a program.
pub(crate) fn settle(program: &mut Program) {
    let Program { functions, main, .. } = program;
    let mut all: Vec<&mut Function> = functions.iter_mut().chain([main]).collect();
    let mut settled = Settled(all.iter().map(|function| candidates(function)).collect());
    loop {
        let mut changed = false;
        for (number, function) in all.iter_mut().enumerate() {
            let mut dice = HashSet::new();
            settled.needs_dice(&mut function.body, &mut dice);
            if let Some(own) = settled.0.get_mut(number) {
                let before = own.len();
                own.retain(|local| !dice.contains(local));
                changed |= own.len() != before;
            }
        }
        if !changed {
            break;
        }
    }
    for (number, function) in all.iter_mut().enumerate() {
        let own = settled.0.get(number).cloned().unwrap_or_default();
        for (id, local) in (0u32..).map(LocalId).zip(function.locals.iter_mut()) {
            if own.contains(&id) {
                local.ty = Type::Number;
            }
        }
        settled.rewrite(&mut function.body, &own);
    }
}

/// The variables that hold dice.
fn candidates(function: &Function) -> HashSet<LocalId> {
    let locals = (0u32..).map(LocalId).zip(&function.locals);
    locals.filter(|(_, local)| matches!(local.ty, Type::Pool(_))).map(|(id, _)| id).collect()
}

impl Settled {
    /// Whether a function takes a sum for this argument.
    fn takes_sum(&self, function: FunctionId, number: usize) -> bool {
        let Ok(number) = u32::try_from(number) else { return false };
        self.0.get(function.0 as usize).is_some_and(|own| own.contains(&LocalId(number)))
    }

    /// Notes the variables of which more than the sum is read.
    fn needs_dice(&self, expr: &mut Expr, dice: &mut HashSet<LocalId>) {
        if sum_of(expr).is_some() {
            return;
        }
        match &mut expr.kind {
            Kind::Local(id) => {
                dice.insert(*id);
            }
            Kind::Call { function, arguments } => {
                for (number, argument) in arguments.iter_mut().enumerate() {
                    let passed = matches!(argument.kind, Kind::Local(_));
                    if !(passed && self.takes_sum(*function, number)) {
                        self.needs_dice(argument, dice);
                    }
                }
            }
            _ => children(expr, &mut |child| self.needs_dice(child, dice)),
        }
    }

    /// Binds and passes sums where they settle, and reads them as they are.
    fn rewrite(&self, expr: &mut Expr, own: &HashSet<LocalId>) {
        if let Some(id) = sum_of(expr).filter(|id| own.contains(id)) {
            expr.kind = Kind::Local(id);
            return;
        }
        children(expr, &mut |child| self.rewrite(child, own));
        match &mut expr.kind {
            Kind::Let { local, value, .. } if own.contains(local) => total(value, own),
            Kind::Call { function, arguments } => {
                for (number, argument) in arguments.iter_mut().enumerate() {
                    if self.takes_sum(*function, number) {
                        total(argument, own);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The variable whose sum an expression reads.
fn sum_of(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        Kind::Read { pool, reading: Reading::Total } => match pool.kind {
            Kind::Local(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// Turns dice into their sum, unless they are a variable that is one already.
fn total(expr: &mut Expr, own: &HashSet<LocalId>) {
    if matches!(expr.kind, Kind::Local(id) if own.contains(&id)) {
        return;
    }
    let span = expr.span;
    let hole = Expr { kind: Kind::Constant(Value::None), span };
    let pool = Box::new(std::mem::replace(expr, hole));
    expr.kind = Kind::Read { pool, reading: Reading::Total };
}
