//! Types as written.

use astragal_syntax::tree::{FieldType, Name, Type as Written, TypeKind};

use super::Checker;
use crate::errors;
use crate::scope::{Binding, Scope};
use crate::types::Type;
use crate::want::{Want, WantField, settled};

impl<'t> Checker<'t> {
    /// What a written type expects.
    pub(super) fn annotation(&mut self, scope: &Scope<'t>, written: &'t Written) -> Want<'t> {
        match &written.kind {
            TypeKind::Name(path) => Want::Plain(self.named_type(scope, path, written)),
            TypeKind::List(item) => Want::List(Box::new(self.annotation(scope, item))),
            TypeKind::Optional(inner) => Want::Optional(Box::new(self.annotation(scope, inner))),
            TypeKind::Record(fields) => {
                Want::Record(fields.iter().map(|field| self.field_type(scope, field)).collect())
            }
        }
    }

    fn field_type(&mut self, scope: &Scope<'t>, field: &'t FieldType) -> WantField<'t> {
        let want = match (&field.annotation, &field.default) {
            (Some(annotation), _) => self.annotation(scope, annotation),
            (None, Some(default)) => {
                self.push_frame();
                let ty = settled(&self.expression(scope, default, None).ty);
                self.pop_frame();
                Want::of(&ty)
            }
            (None, None) => Want::Plain(Type::Number),
        };
        let default = field.default.as_ref().map(|default| (default, scope.clone()));
        WantField { name: field.name.text.as_str().into(), want, default }
    }

    fn named_type(&mut self, scope: &Scope<'t>, path: &'t [Name], written: &Written) -> Type {
        let simple = match path {
            [name] => match name.text.as_str() {
                "number" => Some(Type::Number),
                "bool" => Some(Type::Bool),
                "text" => Some(Type::Text),
                _ => None,
            },
            _ => None,
        };
        if let Some(simple) = simple {
            return simple;
        }
        match self.enumeration(scope, path) {
            Some(Binding::Enumeration(of)) => Type::Enum(of),
            _ => {
                let known = self.type_names(scope);
                self.report(errors::unknown_type(written.span, path, &known));
                Type::Unknown
            }
        }
    }

    /// What `Outcome` or `cofd.Outcome` stands for.
    pub(super) fn enumeration(&self, scope: &Scope<'t>, path: &[Name]) -> Option<Binding<'t>> {
        match path {
            [name] => self.lookup(scope, &name.text),
            [module, name] => match self.lookup(scope, &module.text)? {
                Binding::Module(id) => self.item(id, &name.text),
                _ => None,
            },
            _ => None,
        }
    }

    fn type_names(&self, scope: &Scope<'t>) -> Vec<String> {
        let is_type =
            |name: &str| matches!(self.lookup(scope, name), Some(Binding::Enumeration(_)));
        let own = self.item_names(scope.module);
        let named = scope.names().chain(own).filter(|name| is_type(name));
        ["number", "bool", "text"].into_iter().chain(named).map(String::from).collect()
    }
}
