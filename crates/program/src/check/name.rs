//! Names: variables, rolls unthrown, constants, variants, members of modules.

use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, ExprKind, Name, StatementKind};
use astragal_value::Variant;

use super::expression::plain;
use super::{Checker, Typed, unknown};
use crate::builtin::{BUILTINS, Builtin};
use crate::core::Value;
use crate::errors::{self, Sort};
use crate::items::Item;
use crate::load::{Module, ModuleId, PRELUDE, PROGRAM};
use crate::scope::{Binding, DefinitionId, FunctionValue, Scope};
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
    /// What a bare name stands for: a name of the scope, of the module, of the house file, of the opened
    /// system, of the prelude, a system, a builtin; the first that knows it.
    pub(super) fn lookup(&self, scope: &Scope<'t>, name: &str) -> Option<Binding<'t>> {
        let opened = || self.opened().into_iter().flatten().filter(|_| scope.module == PROGRAM);
        scope
            .get(name)
            .cloned()
            .or_else(|| self.item(scope.module, name))
            .or_else(|| opened().find_map(|module| self.item(module, name)))
            .or_else(|| self.item(PRELUDE, name))
            .or_else(|| self.modules.library.system(name).map(Binding::Module))
            .or_else(|| Builtin::named(name).map(|b| Binding::Function(FunctionValue::Builtin(b))))
    }

    /// The modules whose names need no prefix in the program.
    fn opened(&self) -> [Option<ModuleId>; 2] {
        let system = self.options.open.and_then(|name| self.modules.library.system(name));
        [self.modules.house, system]
    }

    /// What a name of a module stands for: a definition, or a file it uses.
    pub(super) fn item(&self, id: ModuleId, name: &str) -> Option<Binding<'t>> {
        let module = self.modules.get(id)?;
        let Some(item) = module.items.get(name) else {
            let used = module.uses.iter().rfind(|(known, _)| known == name)?;
            return Some(Binding::Module(used.1));
        };
        binding(id, module, item)
    }

    /// The names of a module.
    pub(super) fn item_names(&self, id: ModuleId) -> impl Iterator<Item = &'t str> + use<'t> {
        self.modules.get(id).into_iter().flat_map(|module| {
            let used = module.uses.iter().map(|(name, _)| name.as_str());
            module.items.iter().map(|(name, _)| name).chain(used)
        })
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
        if let Some(binding) = self.item(module, &name.text) {
            return Referent::Binding(binding);
        }
        let known: Vec<&str> = self.item_names(module).collect();
        let owner = self.modules.get(module).map_or("", |module| &module.name);
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
    #[inline(never)]
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
    #[inline(never)]
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
        let known = self.known_names(scope, Binding::is_value);
        self.wrong(errors::unknown_name(span, name, known, &owners))
    }

    /// The same before a dot, where systems and enumerations may stand too.
    #[cold]
    #[inline(never)]
    pub(super) fn unknown_owner(&mut self, scope: &Scope<'t>, name: &str, span: Span) -> Typed {
        let owner = |binding: &Binding<'t>| !matches!(binding, Binding::Function(_));
        let known = self.known_names(scope, owner);
        self.wrong(errors::unknown_name(span, name, known, &[]))
    }

    /// A function that nothing knows.
    #[cold]
    #[inline(never)]
    pub(super) fn unknown_function(&mut self, scope: &Scope<'t>, call: &errors::Call<'_>) -> Typed {
        let (name, span) = (call.name, call.function);
        let systems = self.modules.library.systems();
        let knows = |system: &&str| {
            let id = self.modules.library.system(system);
            id.is_some_and(|id| self.item(id, name).is_some())
        };
        let owners: Vec<String> =
            systems.filter(knows).map(|system| format!("{system}.{name}")).collect();
        if owners.is_empty()
            && let Some(said) = errors::foreign_function(call)
        {
            return self.wrong(said);
        }
        let known = self.known_names(scope, |binding| matches!(binding, Binding::Function(_)));
        self.wrong(errors::unknown_function(span, name, known, owners))
    }

    fn known_names(
        &self,
        scope: &Scope<'t>,
        wanted: impl Fn(&Binding<'t>) -> bool,
    ) -> Vec<&'t str> {
        let [house, system] = self.opened();
        let visible = [Some(scope.module), house, system, Some(PRELUDE)];
        let names = visible.into_iter().flatten().flat_map(|id| {
            self.item_names(id).filter_map(move |name| Some((name, self.item(id, name)?)))
        });
        let items = names.filter(|(_, binding)| wanted(binding)).map(|(name, _)| name);
        let library = self.modules.library;
        let systems = library
            .systems()
            .filter(|name| library.system(name).is_some_and(|id| wanted(&Binding::Module(id))));
        let function = |builtin: &Builtin| Binding::Function(FunctionValue::Builtin(*builtin));
        let builtins = BUILTINS.iter().filter(|(.., builtin)| wanted(&function(builtin)));
        let builtins = builtins.map(|(name, ..)| *name);
        scope
            .names()
            .filter(|name| scope.get(name).is_some_and(&wanted))
            .chain(items)
            .chain(systems)
            .chain(builtins)
            .collect()
    }

    /// The enumerations in reach that have such a variant, as the variant would be written.
    fn enumerations_with(&self, scope: &Scope<'t>, name: &str) -> Vec<String> {
        let local = scope.names().filter_map(|known| match scope.get(known)? {
            Binding::Enumeration(of) => Some(of),
            _ => None,
        });
        let modules = [scope.module].into_iter().chain(self.modules.shared().skip(1));
        let items = modules.filter_map(|id| self.modules.get(id)).flat_map(|m| m.items.iter());
        let defined = items.filter_map(|(_, item)| match item {
            Item::Enumeration(of) => Some(of),
            Item::Function { .. } | Item::Constant { .. } => None,
        });
        let mut found: Vec<String> = local
            .chain(defined)
            .filter_map(|of| variant(of, name).map(|_| format!("{}.{name}", of.name)))
            .collect();
        found.sort();
        found.dedup();
        found
    }
}

/// What a definition of a module stands for.
fn binding<'t>(id: ModuleId, module: &'t Module, item: &Item) -> Option<Binding<'t>> {
    Some(match item {
        Item::Function { statement, .. } => {
            let definition = DefinitionId::Item { module: id, statement: *statement };
            Binding::Function(FunctionValue::Definition(definition))
        }
        Item::Enumeration(of) => Binding::Enumeration(Arc::clone(of)),
        Item::Constant { statement } => {
            let statement = module.file.block.statements.get(*statement)?;
            let StatementKind::Let { value, .. } = &statement.kind else { return None };
            Binding::Constant { expr: value, module: id }
        }
    })
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
