//! Blocks: statements in order, each known to those after it.

use rustc_hash::FxHashMap;
use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Block, Expr, ExprKind, Name, Statement, StatementKind};

use crate::core;

use super::{Checker, Step, Typed, after, unknown};
use crate::errors;
use crate::items::enum_type;
use crate::scope::{Binding, DefinitionId, FunctionValue, Scope};
use crate::types::EnumType;
use crate::want::{Want, bound};

/// The steps so far, and the names they made.
pub(super) struct Progress<'t> {
    pub(super) scope: Scope<'t>,
    pub(super) steps: Vec<(Step, Span)>,
}

impl<'t> Checker<'t> {
    /// `do … end`
    #[inline(never)]
    pub(super) fn block(
        &mut self,
        scope: &Scope<'t>,
        block: &'t Block,
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        let chain = self.chain;
        let mut progress = self.begin(scope, &block.statements);
        let Some((last, before)) = block.statements.split_last() else {
            return self.wrong(errors::empty_block(span));
        };
        for statement in before {
            self.statement(&mut progress, statement);
        }
        let value = match &last.kind {
            StatementKind::Expression(expr) => self.expression(&progress.scope, expr, want),
            _ => {
                self.statement(&mut progress, last);
                self.wrong(errors::no_value(last.span))
            }
        };
        self.chain = chain;
        if self.over_budget {
            // What was refused is not put together: it may be deeper than the stack.
            return value;
        }
        Typed { expr: after(progress.steps, value.expr), ty: value.ty }
    }

    /// A scope that knows the functions and enumerations of a block from its start, so that functions
    /// may call each other.
    pub(super) fn begin(&mut self, scope: &Scope<'t>, statements: &'t [Statement]) -> Progress<'t> {
        let mut scope = scope.clone();
        let mut places: FxHashMap<&'t str, Span> = FxHashMap::default();
        for statement in statements {
            if let StatementKind::Enumeration { name, variants } = &statement.kind {
                if let Some(earlier) = places.insert(&name.text, name.span) {
                    self.report(errors::duplicate_definition(name, earlier));
                }
                let of = self.enum_type(&scope, name, variants);
                scope = scope.with(&name.text, Binding::Enumeration(of));
            }
        }
        let first = self.definitions.len();
        for statement in statements {
            if let StatementKind::Function { name, parameters, body } = &statement.kind {
                if let Some(earlier) = places.insert(&name.text, name.span) {
                    self.report(errors::duplicate_definition(name, earlier));
                }
                let binding = self.define(&scope, name, parameters, body, statement.span);
                scope = scope.with(&name.text, binding);
            }
        }
        for definition in self.definitions.iter_mut().skip(first) {
            definition.scope = scope.clone();
        }
        Progress { scope, steps: Vec::new() }
    }

    /// An enumeration with its full name.
    fn enum_type(
        &mut self,
        scope: &Scope<'t>,
        name: &'t Name,
        variants: &'t [Name],
    ) -> Arc<EnumType> {
        self.check_variants(variants);
        let module = self.modules.get(scope.module).map_or("", |module| &module.name);
        Arc::new(enum_type(module, name, variants))
    }

    /// Variants have different names.
    pub(super) fn check_variants(&mut self, variants: &[Name]) {
        for (number, variant) in variants.iter().enumerate() {
            let earlier = variants.get(..number).unwrap_or_default();
            if earlier.iter().any(|other| other.text == variant.text) {
                self.report(errors::duplicate_variant(variant));
            }
        }
    }

    /// One statement that is not the value of its block.
    pub(super) fn statement(&mut self, progress: &mut Progress<'t>, statement: &'t Statement) {
        let span = statement.span;
        self.lengthen(span);
        match &statement.kind {
            StatementKind::Let { name, value } => self.let_statement(progress, name, value, span),
            StatementKind::Function { name, .. } => self.function_statement(progress, name, span),
            StatementKind::Enumeration { .. } => {}
            StatementKind::Require { condition, message } => {
                let what = "what `require` asks";
                let condition = self.truth(&progress.scope, condition, what);
                let message = self.text(&progress.scope, message, None).expr;
                progress.steps.push((Step::Require(condition, message), span));
            }
            StatementKind::Given { condition } => {
                let condition = self.evidence(&progress.scope, condition);
                progress.steps.push((Step::Given(condition), span));
            }
            StatementKind::Note { message } => {
                let message = self.text(&progress.scope, message, None).expr;
                progress.steps.push((Step::Note(message), span));
            }
            StatementKind::Expression(expr) => self.idle_expression(progress, expr),
            StatementKind::Input { name, .. } => {
                self.report(errors::only_at_top(span, "param"));
                progress.scope = progress.scope.with(&name.text, Binding::Unknown);
            }
            StatementKind::Show { .. } => self.report(errors::only_at_top(span, "show")),
            StatementKind::Use { .. } => self.report(errors::only_at_top(span, "use")),
        }
    }

    /// `2d6 given hit` is `do given hit; 2d6 end`.
    #[inline(never)]
    pub(super) fn given(
        &mut self,
        scope: &Scope<'t>,
        value: &'t Expr,
        condition: &'t Expr,
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        let evidence = self.evidence(scope, condition);
        let value = self.expression(scope, value, want);
        Typed { expr: after(vec![(Step::Given(evidence), span)], value.expr), ty: value.ty }
    }

    fn evidence(&mut self, scope: &Scope<'t>, condition: &'t Expr) -> core::Expr {
        self.truth(scope, condition, "what `given` knows")
    }

    fn let_statement(
        &mut self,
        progress: &mut Progress<'t>,
        name: &'t Name,
        value: &'t Expr,
        span: Span,
    ) {
        if let Some(function) = self.function_argument(&progress.scope, value, None) {
            progress.scope = progress.scope.with(&name.text, Binding::Function(function));
            return;
        }
        let typed = self.expression(&progress.scope, value, None);
        let mut variable = self.local(Some(&name.text), bound(&typed.ty));
        variable.declared = Some(name.span);
        self.declared.push((name.span, &name.text));
        progress.steps.push((Step::Let(variable.id, typed.expr), span));
        progress.scope = self.bind(&progress.scope, &name.text, variable);
    }

    /// A function's scope is that of its statement: the names above it are known.
    fn function_statement(&mut self, progress: &mut Progress<'t>, name: &'t Name, span: Span) {
        let found = progress.scope.get(&name.text).cloned();
        let Some(Binding::Function(FunctionValue::Definition(id))) = found else { return };
        if let DefinitionId::Local(number) = id
            && let Some(definition) = self.definitions.get_mut(number)
        {
            if definition.span != span {
                return;
            }
            definition.scope = progress.scope.clone();
            self.signatures.remove(&id);
        }
        self.check_definition(id);
    }

    /// An expression whose value nobody uses: its dice are thrown all the same.
    fn idle_expression(&mut self, progress: &mut Progress<'t>, expr: &'t Expr) {
        if matches!(expr.kind, ExprKind::Missing) {
            return;
        }
        let typed = self.expression(&progress.scope, expr, None);
        if typed.ty == unknown(expr.span).ty {
            return;
        }
        self.report(errors::unused_value(expr.span));
        let local = self.local(None, bound(&typed.ty));
        progress.steps.push((Step::Let(local.id, typed.expr), expr.span));
    }
}
