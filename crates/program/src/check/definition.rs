//! Function definitions: what their parameters expect, and the check of each one by itself.

use std::rc::Rc;
use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, Name, Parameter, StatementKind};

use super::Checker;
use crate::errors;
use crate::items::{Item, qualified};
use crate::scope::{Binding, Definition, DefinitionId, FunctionValue, Scope, Signature};
use crate::types::Type;
use crate::want::{Asker, Want, has_unknown, settled};

impl<'t> Checker<'t> {
    /// A new definition of a block. Its scope is corrected when its statement is reached.
    pub(super) fn define(
        &mut self,
        scope: &Scope<'t>,
        name: &'t Name,
        parameters: &'t [Parameter],
        body: &'t Expr,
        span: Span,
    ) -> Binding<'t> {
        let id = DefinitionId::Local(self.definitions.len());
        let module = self.modules.get(scope.module).map_or("", |module| &module.name);
        let name = qualified(module, &name.text);
        self.definitions.push(Definition { name, parameters, body, scope: scope.clone(), span });
        Binding::Function(FunctionValue::Definition(id))
    }

    /// The definition with this number.
    pub(super) fn definition(&self, id: DefinitionId) -> Option<Definition<'t>> {
        match id {
            DefinitionId::Local(number) => self.definitions.get(number).cloned(),
            DefinitionId::Item { module, statement } => {
                let found = self.modules.get(module)?;
                let statement = found.file.block.statements.get(statement)?;
                let StatementKind::Function { name, parameters, body } = &statement.kind else {
                    return None;
                };
                let name = match found.items.get(&name.text) {
                    Some(Item::Function { name, .. }) => Arc::clone(name),
                    _ => qualified(&found.name, &name.text),
                };
                let scope = Scope::of(module);
                Some(Definition { name, parameters, body, scope, span: statement.span })
            }
        }
    }

    /// What each parameter expects: its annotation, or the type of its default, or anything.
    pub(super) fn signature(&mut self, id: DefinitionId) -> Signature<'t> {
        if let Some(signature) = self.signatures.get(&id) {
            return signature.clone();
        }
        let Some(definition) = self.definition(id) else { return Rc::new([]) };
        let mut scope = definition.scope;
        let mut wants = Vec::new();
        for parameter in definition.parameters {
            wants.push(self.parameter_want(&scope, parameter));
            scope = scope.with(&parameter.name.text, Binding::Unknown);
        }
        let signature: Signature<'t> = wants.into();
        self.signatures.insert(id, signature.clone());
        signature
    }

    fn parameter_want(&mut self, scope: &Scope<'t>, parameter: &'t Parameter) -> Option<Want<'t>> {
        if let Some(annotation) = &parameter.annotation {
            return Some(self.annotation(scope, annotation));
        }
        let default = parameter.default.as_ref().filter(|_| !parameter.roll)?;
        self.push_frame();
        let ty = settled(&self.expression(scope, default, None).ty);
        self.pop_frame();
        (ty != Type::Unknown).then(|| Want::of(&ty))
    }

    /// Checks a definition by itself, once. Parameters without a type are of unknown type.
    pub(super) fn check_definition(&mut self, id: DefinitionId) {
        let Some(definition) = self.definition(id) else { return };
        if !self.checked.insert(definition.span) {
            return;
        }
        self.signatures.remove(&id);
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
                self.expected(&scope, default, want, Asker::Named(&parameter.name.text));
            }
            scope = scope.with(&parameter.name.text, binding);
        }
        if definition.parameters.iter().any(|parameter| parameter.roll) {
            scope = scope.within(scope.entered.and(id));
        }
        let plays = self.plays;
        let body = self.expression(&scope, definition.body, None);
        if self.plays > plays && !self.over_budget {
            self.alone.push(body.expr);
        }
        self.pop_frame();
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
