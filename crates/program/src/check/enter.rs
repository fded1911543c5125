//! Copied calls: a function that takes a roll unthrown or a function is written out where it is called.
//!
//! ```text
//! fn twice(roll dice) = dice + dice
//! twice(2d6)                becomes 2d6 + 2d6
//! ```

use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, Name};

use super::call::{Given, Passed, Supplied};
use super::{CALL_DEPTH, Checker, Step, Typed, after, unknown};
use crate::core::{Expr as Core, Kind};
use crate::errors;
use crate::scope::{Binding, DefinitionId, Scope};

impl<'t> Checker<'t> {
    /// The body of a function with its parameters bound, at the place of the call.
    pub(super) fn enter(
        &mut self,
        id: DefinitionId,
        mut passed: Vec<Option<Passed<'t>>>,
        places: &[usize],
        span: Span,
    ) -> Typed {
        let Some(definition) = self.definition(id) else { return unknown(span) };
        if self.entered.contains(id) {
            return self.wrong(errors::endless_copy(span, &definition.name, definition.span));
        }
        let signature = self.signature(id);
        let mut steps = Vec::new();
        let mut bindings: Vec<Option<Binding<'t>>> =
            definition.parameters.iter().map(|_| None).collect();
        for place in places {
            let name = definition.parameters.get(*place).map(|p| p.name.text.as_str());
            let binding = match passed.get_mut(*place).and_then(Option::take) {
                Some(Passed::Binding(binding)) => binding,
                Some(Passed::Value(typed)) => {
                    Binding::Variable(self.variable(typed, name, &mut steps))
                }
                None => continue,
            };
            if let Some(slot) = bindings.get_mut(*place) {
                *slot = Some(binding);
            }
        }
        let mut scope = definition.scope.within(self.entered.and(id));
        for ((parameter, binding), want) in
            definition.parameters.iter().zip(bindings).zip(signature.iter())
        {
            let binding = match (binding, &parameter.default) {
                (Some(binding), _) => binding,
                (None, Some(default)) if parameter.roll => {
                    Binding::Roll { expr: default, scope: scope.clone() }
                }
                (None, Some(default)) => {
                    let typed = self.default_value(&scope, parameter, default, want);
                    let name = Some(parameter.name.text.as_str());
                    Binding::Variable(self.variable(typed, name, &mut steps))
                }
                (None, None) => Binding::Unknown,
            };
            scope = scope.with(&parameter.name.text, binding);
        }
        self.calls.push(span);
        self.depth += CALL_DEPTH;
        let body = self.expression(&scope, definition.body, None);
        self.depth -= CALL_DEPTH;
        self.calls.pop();
        entered(definition.name.clone(), steps, body, span)
    }

    /// A lambda, written out where it is called.
    #[inline(never)]
    pub(super) fn call_lambda(
        &mut self,
        parameters: &'t [Name],
        body: &'t Expr,
        scope: &Scope<'t>,
        supplied: Vec<Supplied<'t>>,
        span: Span,
    ) -> Typed {
        if parameters.len() != supplied.len() || supplied.iter().any(|given| given.name.is_some()) {
            return self.wrong(errors::lambda_arguments(
                span,
                parameters.len(),
                supplied.len(),
                body.span,
            ));
        }
        let mut inner = scope.clone();
        let mut steps: Vec<(Step, Span)> = Vec::new();
        for (parameter, argument) in parameters.iter().zip(supplied) {
            let name = parameter.text.as_str();
            let binding = match argument.value {
                Given::Ready(typed) => {
                    Binding::Variable(self.variable(*typed, Some(name), &mut steps))
                }
                Given::Tree { expr, scope } => match self.function_argument(&scope, expr, None) {
                    Some(function) => Binding::Function(function),
                    None => {
                        let typed = self.expression(&scope, expr, None);
                        Binding::Variable(self.variable(typed, Some(name), &mut steps))
                    }
                },
            };
            inner = inner.with(name, binding);
        }
        self.depth += CALL_DEPTH;
        let typed = self.expression(&inner, body, None);
        self.depth -= CALL_DEPTH;
        Typed { expr: after(steps, typed.expr), ty: typed.ty }
    }
}

fn entered(name: Arc<str>, steps: Vec<(Step, Span)>, body: Typed, span: Span) -> Typed {
    let kind = Kind::Enter { name, body: Box::new(body.expr) };
    Typed { expr: after(steps, Core { kind, span }), ty: body.ty }
}
