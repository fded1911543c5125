//! Function definitions: what their parameters expect, and the check of each one by itself.

use std::rc::Rc;
use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, Name, Parameter};

use super::Checker;
use crate::errors;
use crate::scope::{Binding, Definition, DefinitionId, FunctionValue, Scope};
use crate::types::Type;
use crate::want::{Want, has_unknown, settled};

impl<'t> Checker<'t> {
    /// A new definition. Its scope is corrected when its statement is reached.
    pub(super) fn define(
        &mut self,
        scope: &Scope<'t>,
        name: &'t Name,
        parameters: &'t [Parameter],
        body: &'t Expr,
        span: Span,
    ) -> Binding<'t> {
        let id = DefinitionId(self.definitions.len());
        let module = self.modules.list.get(scope.module.0).map_or("", |module| &module.name);
        let name: Arc<str> = match module {
            "" => name.text.as_str().into(),
            module => format!("{module}.{}", name.text).into(),
        };
        self.definitions.push(Definition {
            name,
            parameters,
            body,
            scope: scope.clone(),
            span,
            signature: None,
        });
        Binding::Function(FunctionValue::Definition(id))
    }

    /// What each parameter expects: its annotation, or the type of its default, or anything.
    pub(super) fn signature(&mut self, id: DefinitionId) -> Rc<[Option<Want<'t>>]> {
        let Some(definition) = self.definitions.get(id.0).cloned() else { return Rc::new([]) };
        if let Some(signature) = definition.signature {
            return signature;
        }
        let mut scope = definition.scope.clone();
        let mut wants = Vec::new();
        for parameter in definition.parameters {
            wants.push(self.parameter_want(&scope, parameter));
            scope = scope.with(&parameter.name.text, Binding::Unknown);
        }
        let signature: Rc<[Option<Want<'t>>]> = wants.into();
        if let Some(definition) = self.definitions.get_mut(id.0) {
            definition.signature = Some(signature.clone());
        }
        signature
    }

    fn parameter_want(&mut self, scope: &Scope<'t>, parameter: &'t Parameter) -> Option<Want<'t>> {
        if let Some(annotation) = &parameter.annotation {
            return Some(self.annotation(scope, annotation));
        }
        let default = parameter.default.as_ref().filter(|_| !parameter.roll)?;
        self.push_frame();
        let ty = settled(&self.expression(scope, default, None).ty);
        self.frames.pop();
        (ty != Type::Unknown).then(|| Want::of(&ty))
    }

    /// Checks a definition by itself, once. Parameters without a type are of unknown type.
    pub(super) fn check_definition(&mut self, id: DefinitionId) {
        let Some(definition) = self.definitions.get(id.0).cloned() else { return };
        if !self.checked.insert(definition.span) {
            return;
        }
        if let Some(definition) = self.definitions.get_mut(id.0) {
            definition.signature = None;
        }
        self.check_parameters(definition.parameters);
        let signature = self.signature(id);
        let calls = std::mem::take(&mut self.calls);
        self.push_frame();
        let mut scope = definition.scope.clone();
        for (parameter, want) in definition.parameters.iter().zip(signature.iter()) {
            let ty = want.as_ref().map_or(Type::Unknown, Want::ty);
            let binding = if parameter.roll || has_unknown(&ty) {
                Binding::Unknown
            } else {
                Binding::Variable(self.local(Some(&parameter.name.text), ty))
            };
            if let (Some(default), Some(want)) = (&parameter.default, want) {
                self.expected(&scope, default, want, &format!("`{}`", parameter.name.text));
            }
            scope = scope.with(&parameter.name.text, binding);
        }
        if definition.parameters.iter().any(|parameter| parameter.roll) {
            scope = scope.within(scope.entered.iter().copied().chain([id]).collect());
        }
        self.expression(&scope, definition.body, None);
        self.frames.pop();
        self.calls = calls;
    }

    fn check_parameters(&mut self, parameters: &'t [Parameter]) {
        for (number, parameter) in parameters.iter().enumerate() {
            let earlier = parameters.get(..number).unwrap_or_default();
            if earlier.iter().any(|other| other.name.text == parameter.name.text) {
                self.report(errors::duplicate_parameter(&parameter.name));
            }
            if parameter.default.is_none() && earlier.iter().any(|other| other.default.is_some()) {
                self.report(errors::default_before(&parameter.name));
            }
        }
    }
}
