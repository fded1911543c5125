//! The values that a call passes: in the order of the parameters, but evaluated as written.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, ExprKind, Parameter, TextPart};

use super::call::Passed;
use super::{Checker, Step, Typed, unknown};
use crate::core::Kind;
use crate::scope::{Definition, DefinitionId, Scope, Signature, Variable};
use crate::want::{Asker, Want, bound};

impl<'t> Checker<'t> {
    /// The arguments in the order of the parameters, defaults included, after the bindings that keep the
    /// written order.
    pub(super) fn arguments(
        &mut self,
        id: DefinitionId,
        passed: Vec<Option<Passed<'t>>>,
        places: &[usize],
        signature: &Signature<'t>,
    ) -> (Vec<(Step, Span)>, Vec<Typed>) {
        let Some(definition) = self.definition(id) else {
            return (Vec::new(), Vec::new());
        };
        let in_order = places.is_sorted();
        let open_default = definition.parameters.iter().zip(&passed).any(|(parameter, passed)| {
            passed.is_none()
                && parameter.default.as_ref().is_some_and(|d| !is_closed(d, definition.parameters))
        });
        let mut values: Vec<Option<Typed>> = passed
            .into_iter()
            .map(|passed| match passed {
                Some(Passed::Value(typed)) => Some(typed),
                _ => None,
            })
            .collect();
        let mut steps = Vec::new();
        if !in_order || open_default {
            for place in places {
                if let Some(slot) = values.get_mut(*place)
                    && let Some(typed) = slot.take()
                {
                    let name = definition.parameters.get(*place).map(|p| p.name.text.as_str());
                    *slot = Some(self.keep(typed, name, &mut steps));
                }
            }
        }
        self.defaults(&definition, values, open_default, signature, steps)
    }

    /// Binds a value, unless it is one that can stand anywhere.
    pub(super) fn keep(
        &mut self,
        typed: Typed,
        name: Option<&str>,
        steps: &mut Vec<(Step, Span)>,
    ) -> Typed {
        if matches!(typed.expr.kind, Kind::Constant(_) | Kind::Local(_)) {
            return typed;
        }
        let span = typed.expr.span;
        let variable = self.variable(typed, name, steps);
        self.read(&variable, span)
    }

    /// The given values and, for parameters without one, their defaults. With `bind`, each one is bound,
    /// because a default mentions those before it.
    fn defaults(
        &mut self,
        definition: &Definition<'t>,
        values: Vec<Option<Typed>>,
        bind: bool,
        signature: &Signature<'t>,
        mut steps: Vec<(Step, Span)>,
    ) -> (Vec<(Step, Span)>, Vec<Typed>) {
        let mut scope = definition.scope.clone();
        let mut complete = Vec::new();
        for ((parameter, value), want) in
            definition.parameters.iter().zip(values).zip(signature.iter())
        {
            let mut typed = match (value, &parameter.default) {
                (Some(typed), _) => typed,
                (None, Some(default)) => self.default_value(&scope, parameter, default, want),
                (None, None) => unknown(definition.span),
            };
            if bind {
                let place = typed.expr.span;
                let variable = self.variable(typed, Some(&parameter.name.text), &mut steps);
                typed = self.read(&variable, place);
                scope = self.bind(&scope, &parameter.name.text, variable);
            }
            complete.push(typed);
        }
        (steps, complete)
    }

    /// The value of a parameter that the caller leaves out.
    pub(super) fn default_value(
        &mut self,
        scope: &Scope<'t>,
        parameter: &'t Parameter,
        default: &'t Expr,
        want: &Option<Want<'t>>,
    ) -> Typed {
        match want {
            Some(want) => self.expected(scope, default, want, Asker::Named(&parameter.name.text)),
            None => self.expression(scope, default, None),
        }
    }

    /// The variable that holds a value: its own if it is one, otherwise a new one.
    pub(super) fn variable(
        &mut self,
        typed: Typed,
        name: Option<&str>,
        steps: &mut Vec<(Step, Span)>,
    ) -> Variable {
        if let Kind::Local(id) = typed.expr.kind {
            let frame = self.frame.serial;
            return Variable { frame, id, ty: bound(&typed.ty), declared: None };
        }
        let span = typed.expr.span;
        let variable = self.local(name, bound(&typed.ty));
        steps.push((Step::Let(variable.id, typed.expr), span));
        variable
    }
}

/// Whether a default neither mentions parameters nor throws dice.
fn is_closed(expr: &Expr, parameters: &[Parameter]) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::None => true,
        ExprKind::Text(text) => text.parts.iter().all(|part| matches!(part, TextPart::Literal(_))),
        ExprKind::Name(name) => !parameters.iter().any(|p| p.name.text == *name),
        ExprKind::List(items) => items.iter().all(|item| is_closed(item, parameters)),
        ExprKind::Record(fields) => fields.iter().all(|(_, value)| is_closed(value, parameters)),
        ExprKind::Field(inner, _) | ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => {
            is_closed(inner, parameters)
        }
        _ => false,
    }
}
