//! Names: variables, rolls unthrown, constants, variants, members of modules.

use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, ExprKind, Name};
use astragal_value::Variant;

use super::expression::plain;
use super::{Checker, Typed, unknown};
use crate::builtin::{BUILTINS, Builtin};
use crate::core::Value;
use crate::errors::{self, Sort};
use crate::load::{ModuleId, PRELUDE, PROGRAM};
use crate::scope::{Binding, FunctionValue, Scope};
use crate::types::{EnumType, Type};
use crate::want::Want;

/// What a name or a dotted name stands for.
pub(super) enum Referent<'t> {
    Binding(Binding<'t>),
    Variant(Variant),
    /// A mistake that was reported.
    Wrong,
}

impl<'t> Checker<'t> {
    /// What a bare name stands for: a name of the scope, of the module, of the opened system, of the
    /// prelude, a system, a builtin; the first that knows it.
    pub(super) fn lookup(&self, scope: &Scope<'t>, name: &str) -> Option<Binding<'t>> {
        let item = |module: ModuleId| self.items.get(module.0).and_then(|items| items.get(name));
        let opened = (scope.module == PROGRAM).then(|| self.opened()).flatten();
        scope
            .get(name)
            .or_else(|| item(scope.module))
            .or_else(|| opened.and_then(item))
            .or_else(|| item(PRELUDE))
            .cloned()
            .or_else(|| self.modules.systems.get(name).map(|id| Binding::Module(*id)))
            .or_else(|| Builtin::named(name).map(|b| Binding::Function(FunctionValue::Builtin(b))))
    }

    fn opened(&self) -> Option<ModuleId> {
        self.options.open.and_then(|name| self.modules.systems.get(name)).copied()
    }

    /// What a name or a dotted name stands for, if it is not a field of a value.
    pub(super) fn referent(&mut self, scope: &Scope<'t>, expr: &'t Expr) -> Option<Referent<'t>> {
        match &expr.kind {
            ExprKind::Name(name) => self.lookup(scope, name).map(Referent::Binding),
            ExprKind::Paren(inner) => self.referent(scope, inner),
            ExprKind::Field(base, name) => match self.referent(scope, base)? {
                Referent::Binding(Binding::Module(module)) => Some(self.member(module, name)),
                Referent::Binding(Binding::Enumeration(of)) => Some(self.qualified(&of, name)),
                Referent::Wrong => Some(Referent::Wrong),
                Referent::Binding(_) | Referent::Variant(_) => None,
            },
            ExprKind::Lambda { parameters, body } => {
                let scope = scope.clone();
                let lambda = FunctionValue::Lambda { parameters, body, scope };
                Some(Referent::Binding(Binding::Function(lambda)))
            }
            _ => None,
        }
    }

    fn member(&mut self, module: ModuleId, name: &Name) -> Referent<'t> {
        let items = self.items.get(module.0);
        if let Some(binding) = items.and_then(|items| items.get(name.text.as_str())) {
            return Referent::Binding(binding.clone());
        }
        let known: Vec<&str> = items.into_iter().flat_map(|items| items.keys().copied()).collect();
        let owner = self.modules.list.get(module.0).map_or("", |module| &module.name);
        let diagnostic = errors::unknown_member(name, owner, known);
        self.report(diagnostic);
        Referent::Wrong
    }

    fn qualified(&mut self, of: &Arc<EnumType>, name: &Name) -> Referent<'t> {
        match variant(of, &name.text) {
            Some(variant) => Referent::Variant(variant),
            None => {
                self.report(errors::unknown_variant(name.span, &name.text, of));
                Referent::Wrong
            }
        }
    }

    /// A bare name. A value in scope wins, then a variant of the enumeration that is wanted.
    pub(super) fn name(
        &mut self,
        scope: &Scope<'t>,
        name: &'t str,
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        let binding = self.lookup(scope, name);
        if let Some(binding) = binding.as_ref().filter(|binding| binding.is_value()) {
            return self.mention(binding, span);
        }
        if let Some(variant) = want.and_then(Want::enumeration).and_then(|of| variant(of, name)) {
            return of_variant(variant, span);
        }
        if want.is_some_and(Want::is_unknown) {
            return unknown(span);
        }
        match binding {
            Some(binding) => self.wrong(errors::not_a_value(span, name, sort(&binding))),
            None => match want.and_then(Want::enumeration) {
                Some(of) => self.wrong(errors::unknown_variant(span, name, of)),
                None => self.unknown_name(scope, name, span),
            },
        }
    }

    /// A mention of something that has a value.
    fn mention(&mut self, binding: &Binding<'t>, span: Span) -> Typed {
        match binding {
            Binding::Variable(variable) => self.read(variable, span),
            Binding::Roll { expr, scope } => self.expression(scope, expr, None),
            Binding::Constant { expr, module } => self.constant_of(*module, expr, span),
            Binding::Function(_)
            | Binding::Enumeration(_)
            | Binding::Module(_)
            | Binding::Unknown => unknown(span),
        }
    }

    /// A `let` of a module, copied to where it is mentioned.
    fn constant_of(&mut self, module: ModuleId, expr: &'t Expr, span: Span) -> Typed {
        if self.reading.contains(&expr.span) {
            return self.wrong(errors::cyclic_constant(expr.span).also(span, "mentioned here"));
        }
        self.reading.push(expr.span);
        let typed = self.value(&Scope::of(module), expr, None);
        self.reading.pop();
        typed
    }

    /// `a.b`: a field of a record, a constant or a function of a module, a variant of an enumeration.
    pub(super) fn field(
        &mut self,
        scope: &Scope<'t>,
        expr: &'t Expr,
        base: &'t Expr,
        name: &'t Name,
    ) -> Typed {
        match self.referent(scope, expr) {
            Some(Referent::Variant(variant)) => of_variant(variant, expr.span),
            Some(Referent::Binding(binding)) if binding.is_value() => {
                self.mention(&binding, expr.span)
            }
            Some(Referent::Binding(binding)) => {
                self.wrong(errors::not_a_value(expr.span, &name.text, sort(&binding)))
            }
            Some(Referent::Wrong) => unknown(expr.span),
            None => self.record_field(scope, base, name, expr.span),
        }
    }

    /// Whether neither a value nor a variant nor anything else has this name.
    pub(super) fn is_unheard_of(&self, scope: &Scope<'t>, name: &str) -> bool {
        self.lookup(scope, name).is_none() && self.enumerations_with(scope, name).is_empty()
    }

    /// A name that nothing knows, with the nearest that something does.
    fn unknown_name(&mut self, scope: &Scope<'t>, name: &str, span: Span) -> Typed {
        let owners = self.enumerations_with(scope, name);
        let known = self.known_names(scope, |_| true);
        self.wrong(errors::unknown_name(span, name, known, &owners))
    }

    /// A function that nothing knows.
    pub(super) fn unknown_function(&mut self, scope: &Scope<'t>, name: &str, span: Span) -> Typed {
        let systems =
            self.modules.systems.iter().filter(|(_, id)| {
                self.items.get(id.0).is_some_and(|items| items.contains_key(name))
            });
        let owners: Vec<String> = systems.map(|(system, _)| format!("{system}.{name}")).collect();
        let known = self.known_names(scope, |binding| matches!(binding, Binding::Function(_)));
        self.wrong(errors::unknown_function(span, name, known, owners))
    }

    fn known_names(
        &self,
        scope: &Scope<'t>,
        wanted: impl Fn(&Binding<'t>) -> bool,
    ) -> Vec<&'t str> {
        let visible = [Some(scope.module), self.opened(), Some(PRELUDE)];
        let items = visible.into_iter().flatten().filter_map(|id| self.items.get(id.0));
        let modules = self.modules;
        scope
            .names()
            .filter(|name| scope.get(name).is_some_and(&wanted))
            .chain(items.flatten().filter(|(_, binding)| wanted(binding)).map(|(name, _)| *name))
            .chain(
                modules
                    .systems
                    .iter()
                    .filter(|(_, id)| wanted(&Binding::Module(**id)))
                    .map(|(name, _)| &**name),
            )
            .chain(BUILTINS.iter().map(|(name, ..)| *name))
            .collect()
    }

    /// The enumerations in reach that have such a variant, as the variant would be written.
    fn enumerations_with(&self, scope: &Scope<'t>, name: &str) -> Vec<String> {
        let local = scope.names().filter_map(|known| scope.get(known));
        let own = self.items.get(scope.module.0).into_iter().flat_map(|items| items.values());
        let systems = self.modules.systems.values();
        let system = systems.filter_map(|id| self.items.get(id.0)).flat_map(|items| items.values());
        let mut found: Vec<String> = local
            .chain(own)
            .chain(system)
            .filter_map(|binding| match binding {
                Binding::Enumeration(of) => {
                    variant(of, name).map(|_| format!("{}.{name}", of.name))
                }
                _ => None,
            })
            .collect();
        found.sort();
        found.dedup();
        found
    }
}

/// The variant with this name.
pub(super) fn variant(of: &Arc<EnumType>, name: &str) -> Option<Variant> {
    let index = of.variants.iter().position(|variant| &**variant == name)?;
    Some(Variant { of: of.clone(), index: u32::try_from(index).ok()? })
}

/// A variant as a value.
pub(super) fn of_variant(variant: Variant, span: Span) -> Typed {
    let ty = Type::Enum(variant.of.clone());
    plain(Value::Variant(variant), ty, span)
}

fn sort(binding: &Binding<'_>) -> Sort {
    match binding {
        Binding::Function(_) => Sort::Function,
        Binding::Enumeration(_) => Sort::Enumeration,
        Binding::Module(_) => Sort::Module,
        Binding::Variable(_)
        | Binding::Roll { .. }
        | Binding::Constant { .. }
        | Binding::Unknown => Sort::Value,
    }
}
