//! Calls: which argument goes to which parameter, and in which order they are evaluated.
//!
//! ```text
//! fn f(a, b = a + 1) = …
//! f(b: d6, a: d8)           written order: the d6 is thrown first, then bound, then the d8
//! ```

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Argument, Expr, ExprKind, Name, Parameter};

use super::instance::Outcome;
use super::name::Referent;
use super::{Checker, Typed, after, unknown};
use crate::core::{Expr as Core, Kind};
use crate::errors;
use crate::load::PRELUDE;
use crate::scope::{Binding, DefinitionId, FunctionValue, Scope, Signature};
use crate::types::Type;
use crate::want::{Asker, Want, bound, has_unknown};

/// An argument: an expression of the caller, or a value that the checker made.
pub(super) enum Given<'t> {
    Tree {
        expr: &'t Expr,
        scope: Scope<'t>,
    },
    /// In a box: arguments are handed on through many frames, level by level.
    Ready(Box<Typed>),
}

/// An argument with its name, if it has one.
pub(super) struct Supplied<'t> {
    pub(super) name: Option<&'t Name>,
    pub(super) value: Given<'t>,
    pub(super) span: Span,
}

/// A parameter's argument once it is checked.
pub(super) enum Passed<'t> {
    /// A value.
    Value(Typed),
    /// A roll unthrown or a function.
    Binding(Binding<'t>),
}

impl<'t> Checker<'t> {
    /// `f(7, again: 9)`
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        scope: &Scope<'t>,
        function: &'t Expr,
        arguments: &'t [Argument],
        span: Span,
    ) -> Typed {
        match self.referent(scope, function) {
            Some(Referent::Binding(Binding::Function(value))) => {
                let supplied = supply(scope, arguments);
                let outside = std::mem::replace(&mut self.entered, scope.entered.clone());
                let typed = self.apply(&value, supplied, span);
                self.entered = outside;
                typed
            }
            Some(Referent::Binding(binding)) => {
                self.lenient_arguments(scope, arguments);
                match binding {
                    Binding::Unknown => unknown(span),
                    Binding::Variable(variable) if variable.ty == Type::Unknown => {
                        self.read(&variable, span);
                        unknown(span)
                    }
                    _ => self.wrong(errors::not_a_function(function.span)),
                }
            }
            Some(Referent::Variant(_)) => self.wrong(errors::not_a_function(function.span)),
            Some(Referent::Wrong) => {
                self.lenient_arguments(scope, arguments);
                unknown(span)
            }
            None => {
                self.lenient_arguments(scope, arguments);
                match &function.kind {
                    ExprKind::Name(name) => {
                        self.call_of_unknown(scope, name, function.span, arguments, span)
                    }
                    _ => match self.expression(scope, function, None).ty {
                        Type::Unknown => unknown(span),
                        _ => self.wrong(errors::not_a_function(function.span)),
                    },
                }
            }
        }
    }

    /// Arguments of a call that cannot be made: only mistakes within them are of interest.
    fn lenient_arguments(&mut self, scope: &Scope<'t>, arguments: &'t [Argument]) {
        for argument in arguments {
            if !matches!(argument.value.kind, ExprKind::Lambda { .. }) {
                self.expression(scope, &argument.value, Some(&Want::Plain(Type::Unknown)));
            }
        }
    }

    /// Calls a function taken as a value.
    #[inline(never)]
    pub(super) fn apply(
        &mut self,
        function: &FunctionValue<'t>,
        supplied: Vec<Supplied<'t>>,
        span: Span,
    ) -> Typed {
        match function {
            FunctionValue::Builtin(builtin) => self.builtin(*builtin, supplied, span),
            FunctionValue::Definition(id) => self.call_definition(*id, supplied, span),
            FunctionValue::Lambda { parameters, body, scope } => {
                self.call_lambda(parameters, body, scope, supplied, span)
            }
        }
    }

    #[inline(never)]
    fn call_definition(
        &mut self,
        id: DefinitionId,
        supplied: Vec<Supplied<'t>>,
        span: Span,
    ) -> Typed {
        let Some(definition) = self.definition(id) else { return unknown(span) };
        let Some(places) = self.places(&definition.name, definition.parameters, &supplied, span)
        else {
            self.lenient_supplied(supplied);
            return unknown(span);
        };
        let signature = self.signature(id);
        let only = supplied.first().map(|argument| argument.span);
        let mut passed: Vec<Option<Passed<'t>>> =
            definition.parameters.iter().map(|_| None).collect();
        for (argument, place) in supplied.into_iter().zip(&places) {
            let parameter = definition.parameters.get(*place);
            let want = signature.get(*place).and_then(Option::as_ref);
            let Some(parameter) = parameter else { continue };
            if let Some(slot) = passed.get_mut(*place) {
                *slot = Some(self.pass(parameter, argument, want));
            }
        }
        if let (Some(dice), [Some(Passed::Value(typed))]) = (only, passed.as_slice())
            && matches!(typed.ty, Type::Pool(_))
            && self.is_sum(id)
        {
            return self.sum_of_dice(span, dice);
        }
        let copied = passed.iter().any(|passed| matches!(passed, Some(Passed::Binding(_))))
            || definition.parameters.iter().any(|parameter| parameter.roll);
        if copied {
            return self.enter(id, passed, &places, span);
        }
        self.call_instance(id, passed, &places, &signature, span)
    }

    #[cold]
    #[inline(never)]
    fn call_of_unknown(
        &mut self,
        scope: &Scope<'t>,
        name: &str,
        function: Span,
        arguments: &[Argument],
        whole: Span,
    ) -> Typed {
        let alone = self.is_alone(whole);
        self.unknown_function(scope, &errors::Call { name, function, whole, arguments, alone })
    }

    #[cold]
    #[inline(never)]
    fn sum_of_dice(&mut self, call: Span, dice: Span) -> Typed {
        self.wrong(errors::sum_of_dice(call, dice))
    }

    /// Whether no operator stands beside a place.
    fn is_alone(&self, place: Span) -> bool {
        let Some(source) = self.modules.sources.get(place.source) else { return false };
        let (before, behind) =
            (source.text.get(..place.start as usize), source.text.get(place.end as usize..));
        let before = before.unwrap_or_default().trim_end_matches([' ', '\t']);
        let behind = behind.unwrap_or_default().trim_start_matches([' ', '\t']);
        (before.is_empty() || before.ends_with(['(', ',', '[', ';', '\n']))
            && (behind.is_empty() || behind.starts_with([')', ',', ']', ';', '\n', '#']))
    }

    /// Whether this is the standard library's `sum`.
    fn is_sum(&self, id: DefinitionId) -> bool {
        let DefinitionId::Item { module: PRELUDE, .. } = id else { return false };
        self.definition(id).is_some_and(|definition| *definition.name == *"sum")
    }

    fn lenient_supplied(&mut self, supplied: Vec<Supplied<'t>>) {
        for argument in supplied {
            if let Given::Tree { expr, scope } = argument.value
                && !matches!(expr.kind, ExprKind::Lambda { .. })
            {
                self.expression(&scope, expr, Some(&Want::Plain(Type::Unknown)));
            }
        }
    }

    /// For each argument as written, the number of its parameter.
    fn places(
        &mut self,
        function: &str,
        parameters: &[Parameter],
        supplied: &[Supplied<'t>],
        span: Span,
    ) -> Option<Vec<usize>> {
        let mut places: Vec<usize> = Vec::new();
        let mut fine = true;
        for (number, argument) in supplied.iter().enumerate() {
            let place = match argument.name {
                Some(name) => parameters.iter().position(|p| p.name.text == name.text),
                None => Some(number).filter(|n| *n < parameters.len()),
            };
            let wrong = match (place, argument.name) {
                (None, Some(name)) => {
                    let meant = only_missing(parameters, supplied);
                    Some(errors::unknown_argument(name, function, parameters, meant))
                }
                (None, None) => {
                    Some(errors::too_many_arguments(argument.span, function, parameters))
                }
                (Some(place), _) if places.contains(&place) => {
                    let name = parameters.get(place).map_or("", |p| &p.name.text);
                    Some(errors::duplicate_argument(argument.span, name))
                }
                _ => None,
            };
            if let Some(wrong) = wrong {
                self.report(wrong);
                fine = false;
            } else if let Some(place) = place {
                places.push(place);
            }
        }
        for (place, parameter) in parameters.iter().enumerate() {
            if fine && parameter.default.is_none() && !places.contains(&place) {
                let name = &parameter.name.text;
                self.report(errors::missing_argument(span, function, name, parameters));
                fine = false;
            }
        }
        fine.then_some(places)
    }

    /// One argument for one parameter.
    fn pass(
        &mut self,
        parameter: &'t Parameter,
        argument: Supplied<'t>,
        want: Option<&Want<'t>>,
    ) -> Passed<'t> {
        let span = argument.span;
        let typed = match argument.value {
            Given::Ready(typed) => *typed,
            Given::Tree { expr, scope } if parameter.roll => {
                return Passed::Binding(Binding::Roll { expr, scope });
            }
            Given::Tree { expr, scope } => {
                if let Some(function) = self.function_argument(&scope, expr, want) {
                    return Passed::Binding(Binding::Function(function));
                }
                let mark = self.mark();
                let typed = self.expression(&scope, expr, want);
                self.name_parameter(mark, &parameter.name.text);
                typed
            }
        };
        Passed::Value(match want {
            Some(want) => self.coerce(typed, want, span, Asker::Named(&parameter.name.text)),
            None => typed,
        })
    }

    /// Says for which parameter a variant was given that does not exist.
    fn name_parameter(&mut self, mark: usize, parameter: &str) {
        for diagnostic in self.diagnostics.iter_mut().skip(mark) {
            if let (true, Some(label)) =
                (diagnostic.code == "unknown-variant", diagnostic.labels.first_mut())
                && label.text.is_empty()
            {
                label.text = format!("given for `{parameter}`");
            }
        }
    }

    /// The function that an argument names, if it is not the variant that is wanted there.
    pub(super) fn function_argument(
        &mut self,
        scope: &Scope<'t>,
        expr: &'t Expr,
        want: Option<&Want<'t>>,
    ) -> Option<FunctionValue<'t>> {
        if want.is_some() {
            return None;
        }
        let mut inner = expr;
        while let ExprKind::Paren(next) = &inner.kind {
            inner = next;
        }
        let named =
            matches!(inner.kind, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Lambda { .. });
        if !named {
            return None;
        }
        match self.referent(scope, inner)? {
            Referent::Binding(Binding::Function(value)) => Some(value),
            _ => None,
        }
    }

    /// A call of a core function of its own.
    fn call_instance(
        &mut self,
        id: DefinitionId,
        passed: Vec<Option<Passed<'t>>>,
        places: &[usize],
        signature: &Signature<'t>,
        span: Span,
    ) -> Typed {
        let (steps, values) = self.arguments(id, passed, places, signature);
        let types: Vec<Type> = values.iter().map(|value| bound(&value.ty)).collect();
        self.guesses += usize::from(types.iter().any(has_unknown));
        match self.instance(id, types, span) {
            Outcome::Function { function, ty, captures } => {
                let mut arguments: Vec<Core> = values.into_iter().map(|value| value.expr).collect();
                for outer in &captures {
                    arguments.push(self.read(outer, span).expr);
                }
                let expr = Core { kind: Kind::Call { function, arguments }, span };
                Typed { expr: after(steps, expr), ty }
            }
            Outcome::Copy => {
                let passed = values.into_iter().map(|value| Some(Passed::Value(value))).collect();
                let all: Vec<usize> = (0..places.len().max(signature.len())).collect();
                let entered = self.enter(id, passed, &all, span);
                Typed { expr: after(steps, entered.expr), ty: entered.ty }
            }
        }
    }
}

/// The arguments as written.
fn supply<'t>(scope: &Scope<'t>, arguments: &'t [Argument]) -> Vec<Supplied<'t>> {
    arguments
        .iter()
        .map(|argument| Supplied {
            name: argument.name.as_ref(),
            value: Given::Tree { expr: &argument.value, scope: scope.clone() },
            span: argument.value.span,
        })
        .collect()
}

/// The parameter that a call still needs, if it is one alone: an unknown name in the call may mean it.
fn only_missing<'p>(parameters: &'p [Parameter], supplied: &[Supplied<'_>]) -> Option<&'p str> {
    let is_given = |place: usize, parameter: &Parameter| match supplied.get(place) {
        Some(argument) if argument.name.is_none() => true,
        _ => supplied.iter().any(|it| it.name.is_some_and(|name| name.text == parameter.name.text)),
    };
    let missing = parameters
        .iter()
        .enumerate()
        .filter(|(place, parameter)| parameter.default.is_none() && !is_given(*place, parameter));
    let mut missing = missing.map(|(_, parameter)| parameter.name.text.as_str());
    missing.next().filter(|_| missing.next().is_none())
}
