//! Core functions: one for each definition and set of argument types.
//!
//! ```text
//! fn total(n) = if n = 0 then 0 else d6 + total(n - 1)
//! ```
//!
//! While `total` is being written its result is a guess (unknown at first). If the body then turns out
//! to be something else and relied on the guess, it is written again with the better one, until the
//! guess comes true. Variables of enclosing functions that the body mentions become extra parameters by
//! the same loop.

use std::sync::Arc;

use astragal_syntax::span::Span;

use super::expression::settle;
use super::{CALL_DEPTH, Checker, DEEPEST, Frame, Typed};
use crate::core::{Function, FunctionId};
use crate::errors;
use crate::kept::{Cost, InstanceKey, Known};
use crate::scope::{Binding, Definition, DefinitionId, Variable};
use crate::types::Type;
use crate::want::join;

/// A core function, finished or not.
#[derive(Clone)]
pub(super) enum Instance {
    /// Being written: what is known so far, and whether someone relied on it.
    Open { function: FunctionId, guess: Type, captures: Vec<Variable>, relied: bool },
    /// Finished.
    Closed { function: FunctionId, ty: Type, captures: Vec<Variable> },
    /// It yields dice, so it is copied to where it is called and they stay dice.
    Copy,
}

/// An instance that was written, and what it cost.
pub(super) struct Finished {
    pub(super) key: InstanceKey,
    pub(super) cost: Cost,
}

/// What was spent when an instance was begun.
struct Start {
    nodes: usize,
    inner_nodes: usize,
    deepest: usize,
}

/// How to call a function.
pub(super) enum Outcome {
    /// As a core function, with these variables as extra arguments.
    Function { function: FunctionId, ty: Type, captures: Vec<Variable> },
    /// As a copy.
    Copy,
}

/// How often a body is written before its type is given up.
const ATTEMPTS: usize = 12;

impl<'t> Checker<'t> {
    /// The core function of a definition for these types of arguments.
    pub(super) fn instance(&mut self, id: DefinitionId, types: Vec<Type>, span: Span) -> Outcome {
        let key = (id, types);
        match self.instances.get_mut(&key) {
            Some(Instance::Open { function, guess, captures, relied }) => {
                *relied = true;
                Outcome::Function {
                    function: *function,
                    ty: guess.clone(),
                    captures: captures.clone(),
                }
            }
            Some(Instance::Closed { function, ty, captures }) => {
                let captures = captures.clone();
                Outcome::Function { function: *function, ty: ty.clone(), captures }
            }
            Some(Instance::Copy) => Outcome::Copy,
            None => match self.kept(&key) {
                Some(outcome) => outcome,
                None => self.write(key, span),
            },
        }
    }

    /// An instance that the library has kept from another program.
    fn kept(&mut self, key: &InstanceKey) -> Option<Outcome> {
        let DefinitionId::Item { module, .. } = key.0 else { return None };
        let library = self.modules.library;
        let Known { function, ty, cost } = Some(key)
            .filter(|_| self.modules.is_shared(module))
            .and_then(|k| library.kept.find(k))?;
        if self.depth + cost.depth >= DEEPEST {
            // It is written, and refused on the way. So it is where it makes too many expressions.
            return None;
        }
        self.deepest = self.deepest.max(self.depth + cost.depth);
        let nodes = match function {
            Some(function) => library.kept.copy(function, &mut self.copies),
            None => cost.nodes,
        };
        if self.nodes + nodes > self.options.nodes {
            return None;
        }
        self.nodes += nodes;
        self.inner_nodes += nodes;
        let (instance, outcome) = match function {
            Some(function) => {
                let captures = Vec::new();
                let instance = Instance::Closed { function, ty: ty.clone(), captures };
                (instance, Outcome::Function { function, ty, captures: Vec::new() })
            }
            None => (Instance::Copy, Outcome::Copy),
        };
        self.instances.insert(key.clone(), instance);
        Some(outcome)
    }

    fn write(&mut self, key: InstanceKey, span: Span) -> Outcome {
        let start = Start {
            nodes: self.nodes,
            inner_nodes: std::mem::take(&mut self.inner_nodes),
            deepest: std::mem::replace(&mut self.deepest, self.depth),
        };
        let finished = self.finished.len();
        let outcome = self.attempts(key, span);
        let spent = self.nodes - start.nodes;
        let cost = Cost {
            nodes: spent.saturating_sub(self.inner_nodes),
            depth: self.deepest - self.depth,
        };
        // The last one is this one, behind those that it calls.
        if let Some(own) = self.finished.get_mut(finished..).and_then(<[Finished]>::last_mut) {
            own.cost = cost;
        }
        self.inner_nodes = start.inner_nodes + spent;
        self.deepest = self.deepest.max(start.deepest);
        outcome
    }

    fn attempts(&mut self, key: InstanceKey, span: Span) -> Outcome {
        let function = FunctionId(u32::try_from(self.functions.len()).unwrap_or(u32::MAX));
        self.functions.push(None);
        let Some(definition) = self.definition(key.0) else {
            return Outcome::Function { function, ty: Type::Unknown, captures: Vec::new() };
        };
        let (mut guess, mut captures) = (Type::Unknown, Vec::new());
        let mark = self.mark();
        let finished = self.finished.len();
        self.calls.push(span);
        for attempt in 0..ATTEMPTS {
            let open = Instance::Open {
                function,
                guess: guess.clone(),
                captures: captures.clone(),
                relied: false,
            };
            self.instances.insert(key.clone(), open);
            let (body, frame) = self.write_body(&definition, &key.1, &captures);
            let relied =
                matches!(self.instances.get(&key), Some(Instance::Open { relied: true, .. }));
            let body = if relied { settle(body) } else { body };
            let found: Vec<Variable> = frame.captures.iter().map(|c| c.outer.clone()).collect();
            let settled = (!relied || body.ty == guess) && found.len() == captures.len();
            if settled || self.over_budget || attempt + 1 == ATTEMPTS {
                self.calls.pop();
                if !settled && !self.over_budget {
                    self.report(errors::unsettled_type(definition.span, &definition.name));
                }
                return self.close(key, function, &definition, frame, body, found);
            }
            guess = join(&guess, &body.ty).unwrap_or(body.ty);
            captures = found;
            self.take_back(mark);
            self.forget_finished(finished);
        }
        self.calls.pop();
        Outcome::Function { function, ty: Type::Unknown, captures }
    }

    /// The body in a frame of its own: parameters first, then what it takes from outside.
    fn write_body(
        &mut self,
        definition: &Definition<'t>,
        types: &[Type],
        captures: &[Variable],
    ) -> (Typed, Frame) {
        self.push_frame();
        let mut scope = definition.scope.clone();
        for (parameter, ty) in definition.parameters.iter().zip(types) {
            let variable = self.local(Some(&parameter.name.text), ty.clone());
            scope = scope.with(&parameter.name.text, Binding::Variable(variable));
        }
        for outer in captures {
            self.capture(outer);
        }
        self.depth += CALL_DEPTH;
        let chain = std::mem::take(&mut self.chain);
        let body = self.expression(&scope, definition.body, None);
        self.chain = chain;
        self.depth -= CALL_DEPTH;
        let frame = self.pop_frame();
        (body, frame)
    }

    fn close(
        &mut self,
        key: InstanceKey,
        function: FunctionId,
        definition: &Definition<'t>,
        frame: Frame,
        body: Typed,
        captures: Vec<Variable>,
    ) -> Outcome {
        if matches!(body.ty, Type::Pool(_)) {
            self.finish(&key);
            self.instances.insert(key, Instance::Copy);
            return Outcome::Copy;
        }
        let ty = body.ty.clone();
        let written = Function {
            name: Arc::clone(&definition.name),
            parameters: key.1.len() + captures.len(),
            locals: frame.locals,
            body: body.expr,
            span: definition.span,
        };
        if let Some(slot) = self.functions.get_mut(function.0 as usize) {
            *slot = Some(written);
        }
        self.finish(&key);
        let closed = Instance::Closed { function, ty: ty.clone(), captures: captures.clone() };
        self.instances.insert(key, closed);
        Outcome::Function { function, ty, captures }
    }
    fn finish(&mut self, key: &InstanceKey) {
        self.finished.push(Finished { key: key.clone(), cost: Cost::default() });
    }
}
