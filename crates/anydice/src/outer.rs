//! What a function can see of the world around its call.
//!
//! A call writes nothing that lasts, so its value depends on its arguments, on the variables around it that it may read
//! before it gives them a value of its own, and, if it calls functions, on how many calls are active. Calls that agree in
//! all of these are worked out once.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::tree::{Expr, ExprKind, Function, Signature, Statement, StatementKind, Variable};

/// What may be read from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outer {
    pub(crate) variables: BTreeSet<Variable>,
    /// Whether functions of the program may be called.
    pub(crate) calls: bool,
}

/// For each function that is defined.
pub(crate) fn outer(functions: &FxHashMap<Signature, Rc<Function>>) -> FxHashMap<Signature, Outer> {
    let mut known: FxHashMap<Signature, Outer> =
        functions.keys().map(|signature| (*signature, Outer::default())).collect();
    loop {
        let mut changed = false;
        for (signature, function) in functions {
            let mut reader =
                Reader { known: &known, own: parameters(function), outer: Outer::default() };
            reader.block(&function.body);
            let found = reader.outer;
            changed |= known.get(signature) != Some(&found);
            known.insert(*signature, found);
        }
        if !changed {
            return known;
        }
    }
}

fn parameters(function: &Function) -> BTreeSet<Variable> {
    function.parameters.iter().map(|(variable, _)| *variable).collect()
}

/// Reads a body in its order.
struct Reader<'a> {
    known: &'a FxHashMap<Signature, Outer>,
    /// The variables that certainly have a value of this call.
    own: BTreeSet<Variable>,
    outer: Outer,
}

impl Reader<'_> {
    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(variable, value) => {
                    self.expr(value);
                    self.own.insert(*variable);
                }
                StatementKind::Result(value) | StatementKind::Output(value, _) => self.expr(value),
                StatementKind::Loop { variable, over, body } => {
                    self.expr(over);
                    let before = self.own.clone();
                    self.own.insert(*variable);
                    self.block(body);
                    self.own = before;
                }
                StatementKind::If { condition, then, otherwise } => {
                    self.expr(condition);
                    let before = self.own.clone();
                    self.block(then);
                    let after = std::mem::replace(&mut self.own, before);
                    self.block(otherwise);
                    self.own = self.own.intersection(&after).copied().collect();
                }
                // They stand outside functions.
                StatementKind::Set(_) | StatementKind::Function(_) => {}
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(_) => {}
            ExprKind::Variable(variable) => self.read(*variable),
            ExprKind::Sequence(parts) => {
                for part in parts {
                    let more = part.last.iter().chain(&part.times);
                    std::iter::once(&part.first).chain(more).for_each(|expr| self.expr(expr));
                }
            }
            ExprKind::Unary(_, value) => self.expr(value),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Call(signature, arguments) => {
                arguments.iter().for_each(|argument| self.expr(argument));
                let known = self.known;
                if let Some(callee) = known.get(signature) {
                    self.outer.calls = true;
                    callee.variables.iter().for_each(|variable| self.read(*variable));
                }
            }
        }
    }

    fn read(&mut self, variable: Variable) {
        if !self.own.contains(&variable) {
            self.outer.variables.insert(variable);
        }
    }
}
