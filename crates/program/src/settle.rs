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

use crate::core::{Expr, Function, FunctionId, Kind, LocalId, Program, Reading, Value};
use crate::types::Type;
use crate::walk::children;

/// For each variable of a function, whether it belongs.
pub(crate) type Locals = Vec<bool>;

/// The variables of each function that settle; those of the program itself come last.
struct Settled(Vec<Locals>);

/// Settles the variables of a program and says which. Functions of which they are known are settled already.
pub(crate) fn settle(program: &mut Program, known: Vec<Option<Locals>>) -> Vec<Locals> {
    let Program { functions, main, .. } = program;
    if functions.is_empty() && !main.locals.iter().any(|local| holds_dice(&local.ty)) {
        return Vec::new();
    }
    let mut all: Vec<(&mut Function, bool)> = Vec::with_capacity(functions.len() + 1);
    let mut settled = Settled(Vec::with_capacity(functions.len() + 1));
    for (function, known) in functions.iter_mut().chain([main]).zip(known.into_iter().chain([None]))
    {
        let done = known.is_some();
        settled.0.push(known.unwrap_or_else(|| candidates(function)));
        all.push((function, done));
    }
    if !settled.0.iter().any(|own| own.contains(&true)) {
        return settled.0;
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (number, (function, done)) in all.iter_mut().enumerate() {
            if *done {
                continue;
            }
            let mut dice = vec![false; function.locals.len()];
            settled.needs_dice(&mut function.body, &mut dice);
            let own = settled.0.get_mut(number).into_iter().flatten();
            for (own, dice) in own.zip(dice) {
                changed |= *own && dice;
                *own &= !dice;
            }
        }
    }
    for (number, (function, done)) in all.iter_mut().enumerate() {
        let Some(own) = settled.0.get(number).filter(|_| !*done) else { continue };
        for (local, settles) in function.locals.iter_mut().zip(own) {
            if *settles {
                local.ty = Type::Number;
            }
        }
        settled.rewrite(&mut function.body, own);
    }
    settled.0
}

/// The variables that hold dice.
fn candidates(function: &Function) -> Locals {
    function.locals.iter().map(|local| holds_dice(&local.ty)).collect()
}

fn holds_dice(ty: &Type) -> bool {
    matches!(ty, Type::Pool(_))
}

fn has(locals: &Locals, id: LocalId) -> bool {
    locals.get(id.0 as usize).copied().unwrap_or(false)
}

impl Settled {
    /// Whether a function takes a sum for this argument.
    fn takes_sum(&self, function: FunctionId, number: usize) -> bool {
        let own = self.0.get(function.0 as usize);
        own.and_then(|own| own.get(number)).copied().unwrap_or(false)
    }

    /// Notes the variables of which more than the sum is read.
    fn needs_dice(&self, expr: &mut Expr, dice: &mut Locals) {
        if sum_of(expr).is_some() {
            return;
        }
        match &mut expr.kind {
            Kind::Local(id) => {
                if let Some(slot) = dice.get_mut(id.0 as usize) {
                    *slot = true;
                }
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
    fn rewrite(&self, expr: &mut Expr, own: &Locals) {
        if let Some(id) = sum_of(expr).filter(|id| has(own, *id)) {
            expr.kind = Kind::Local(id);
            return;
        }
        children(expr, &mut |child| self.rewrite(child, own));
        match &mut expr.kind {
            Kind::Let { local, value, .. } if has(own, *local) => total(value, own),
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
fn total(expr: &mut Expr, own: &Locals) {
    if matches!(expr.kind, Kind::Local(id) if has(own, id)) {
        return;
    }
    let span = expr.span;
    let hole = Expr { kind: Kind::Constant(Value::None), span };
    let pool = Box::new(std::mem::replace(expr, hole));
    expr.kind = Kind::Read { pool, reading: Reading::Total };
}
