//! The program as a whole: modules, inputs, results.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, Name, Statement, StatementKind};

use super::block::Progress;
use super::expression::settle;
use super::instance::{Finished, Instance};
use super::record::made_record;
use super::{Checker, NOWHERE, Step, Typed, after};
use crate::core::{Expr as Core, Function, Input, Kind, Outcome, Program};
use crate::errors;
use crate::finish::{self, Functions};
use crate::kept::Written;
use crate::load::{ModuleId, Modules, PROGRAM};
use crate::scope::{DefinitionId, Scope, Variable};
use crate::types::Type;
use crate::{Options, sources::Sources};

/// Checks the program of these modules.
pub(crate) fn check_program(
    modules: &Modules<'_>,
    options: &Options<'_>,
) -> (Option<Box<Program>>, Vec<Diagnostic>) {
    let mut checker = Checker::fresh(modules, options);
    checker.check_open();
    checker.check_modules(modules.used());
    let mut program = checker.main();
    checker.unused_lets();
    let sound = |d: &Diagnostic| d.severity > Severity::OverBudget;
    let fine = checker.diagnostics.iter().all(sound) && modules.diagnostics.iter().all(sound);
    match &program {
        Some(accepted) if fine && !checker.over_budget => checker.keep_instances(accepted),
        _ => program = None,
    }
    (program, checker.diagnostics)
}

/// Checks the definitions of the library.
pub(crate) fn check_library(modules: &Modules<'_>, options: &Options<'_>) -> Vec<Diagnostic> {
    let mut checker = Checker::fresh(modules, options);
    checker.check_modules(modules.shared());
    checker.judge_definitions();
    checker.diagnostics
}

/// A result that was shown.
struct Shown<'t> {
    name: Option<&'t str>,
    variable: Variable,
    span: Span,
}

impl<'t> Checker<'t> {
    fn check_open(&mut self) {
        if let Some(name) = self.options.open
            && self.modules.library.system(name).is_none()
        {
            let mut known: Vec<&str> = self.modules.library.systems().collect();
            known.sort_unstable();
            self.report(errors::unknown_system(name, &known));
        }
    }

    /// Checks the definitions of modules by themselves.
    fn check_modules(&mut self, modules: impl Iterator<Item = ModuleId> + Clone) {
        for id in modules.clone() {
            self.check_module_names(id);
        }
        for id in modules {
            let Some(module) = self.modules.get(id) else { continue };
            for (number, statement) in module.file.block.statements.iter().enumerate() {
                self.check_module_statement(id, number, statement);
            }
        }
    }

    /// Definitions have different names.
    fn check_module_names(&mut self, id: ModuleId) {
        let Some(module) = self.modules.get(id) else { return };
        let mut places: FxHashMap<&str, Span> = FxHashMap::default();
        for statement in &module.file.block.statements {
            let name = match &statement.kind {
                StatementKind::Enumeration { name, variants } => {
                    self.check_variants(variants);
                    name
                }
                StatementKind::Function { name, .. } | StatementKind::Let { name, .. } => name,
                _ => continue,
            };
            if let Some(first) = places.insert(&name.text, name.span) {
                self.report(errors::duplicate_definition(name, first));
            }
        }
    }

    fn check_module_statement(&mut self, id: ModuleId, number: usize, statement: &'t Statement) {
        match &statement.kind {
            StatementKind::Function { .. } => {
                self.check_definition(DefinitionId::Item { module: id, statement: number });
            }
            StatementKind::Let { value, .. } => {
                let typed = self.value(&Scope::of(id), value, None);
                if self.throws(&typed.expr) {
                    self.report(errors::constant_throws(value.span));
                }
                self.judge_constant(&typed.expr);
            }
            StatementKind::Enumeration { .. }
            | StatementKind::Use { .. }
            | StatementKind::Expression(_) => {}
            StatementKind::Input { .. }
            | StatementKind::Show { .. }
            | StatementKind::Require { .. }
            | StatementKind::Given { .. }
            | StatementKind::Note { .. } => self.report(errors::not_in_module(statement.span)),
        }
    }

    /// The program itself.
    fn main(&mut self) -> Option<Box<Program>> {
        let modules = self.modules;
        let statements = &modules.program.file.block.statements;
        let mut progress = self.begin(&Scope::of(PROGRAM), statements);
        let mut shown: Vec<Shown<'t>> = Vec::new();
        let mut last = None;
        for (number, statement) in statements.iter().enumerate() {
            self.lengthen(statement.span);
            match &statement.kind {
                StatementKind::Expression(expr) if number + 1 == statements.len() => {
                    last = Some(settle(self.expression(&progress.scope, expr, None)));
                }
                StatementKind::Show { name, value } => {
                    self.show(&mut progress, &mut shown, name, value, statement.span);
                }
                StatementKind::Input { name, value } => {
                    let doc = statement.doc.clone();
                    self.input(&mut progress, name, value, doc, statement.span);
                }
                StatementKind::Use { .. } => {}
                _ => self.statement(&mut progress, statement),
            }
        }
        let place = statements.last().map_or(NOWHERE, |statement| statement.span);
        self.judge_definitions();
        let (results, value) = self.results(&mut progress, shown, last, place)?;
        if self.over_budget {
            // What was refused is not put together: it may be deeper than the stack.
            return None;
        }
        self.judge_program(statements, &progress.steps, &value.expr);
        let frame = self.pop_frame();
        let mut body = after(progress.steps, value.expr);
        // Inputs that a host declares stand before the program, and are no place in it.
        if body.span.source != Sources::PROGRAM {
            body.span = place;
        }
        let main = Function {
            name: Arc::clone(&self.modules.library.main),
            parameters: 0,
            locals: frame.locals,
            body,
            span: Span { start: 0, ..place },
        };
        let functions = std::mem::take(&mut self.functions);
        let inputs = std::mem::take(&mut self.inputs);
        let (program, origins) = finish::program(main, functions, &self.copies, results, inputs);
        self.origins = origins;
        Some(program)
    }

    fn show(
        &mut self,
        progress: &mut Progress<'t>,
        shown: &mut Vec<Shown<'t>>,
        name: &'t str,
        value: &'t Expr,
        span: Span,
    ) {
        if shown.iter().any(|other| other.name == Some(name)) {
            self.report(errors::duplicate_result(span, name));
        }
        let typed = self.value(&progress.scope, value, None);
        let variable = self.local(None, typed.ty.clone());
        progress.steps.push((Step::Let(variable.id, typed.expr), span));
        shown.push(Shown { name: Some(name), variable, span: value.span });
    }

    fn input(
        &mut self,
        progress: &mut Progress<'t>,
        name: &'t Name,
        value: &'t Expr,
        doc: Option<String>,
        span: Span,
    ) {
        if self.inputs.iter().any(|input| *input.name == *name.text) {
            self.report(errors::duplicate_input(span, &name.text));
        }
        let typed = self.value(&progress.scope, value, None);
        if self.throws(&typed.expr) {
            self.report(errors::input_throws(value.span));
        }
        let index = self.inputs.len();
        let ty = typed.ty.clone();
        let variable = self.local(Some(&name.text), ty.clone());
        let kind = Kind::Input { index, default: Box::new(typed.expr) };
        progress.steps.push((Step::Let(variable.id, Core { kind, span }), span));
        self.inputs.push(Input { name: name.text.as_str().into(), ty, doc, span });
        progress.scope = self.bind(&progress.scope, &name.text, variable);
    }

    /// One unnamed result as it is, otherwise a record of all.
    fn results(
        &mut self,
        progress: &mut Progress<'t>,
        shown: Vec<Shown<'t>>,
        last: Option<Typed>,
        place: Span,
    ) -> Option<(Vec<Outcome>, Typed)> {
        if shown.is_empty() {
            let Some(value) = last else {
                if !self.modules.diagnostics.iter().any(|d| d.severity == Severity::Error) {
                    self.report(errors::no_result(place));
                }
                return None;
            };
            return Some((vec![Outcome { name: None, ty: value.ty.clone() }], value));
        }
        let mut fields: Vec<(Arc<str>, Typed)> = Vec::new();
        let mut outcomes = Vec::new();
        for result in shown {
            let name: Arc<str> = result.name.unwrap_or_default().into();
            let value = self.read(&result.variable, result.span);
            outcomes.push(Outcome { name: Some(name.clone()), ty: value.ty.clone() });
            fields.push((name, value));
        }
        if let Some(value) = last {
            outcomes.push(Outcome { name: None, ty: value.ty.clone() });
            let span = value.expr.span;
            let variable = self.local(None, value.ty);
            progress.steps.push((Step::Let(variable.id, value.expr), span));
            fields.push(("result".into(), self.read(&variable, span)));
        }
        Some((outcomes, made_record(fields, place)))
    }

    /// Keeps what the library's functions have become.
    fn keep_instances(&mut self, program: &Program) {
        if self.finished.is_empty() {
            return;
        }
        let mut written = Vec::new();
        for Finished { key, cost } in std::mem::take(&mut self.finished) {
            let (place, ty) = match self.instances.get(&key) {
                Some(Instance::Closed { function, ty, .. }) => {
                    let Some(place) = self.origins.numbers.get(function) else { continue };
                    (Some(place.0 as usize), ty.clone())
                }
                Some(Instance::Copy) => (None, Type::Unknown),
                Some(Instance::Open { .. }) | None => continue,
            };
            let library = match key.0 {
                DefinitionId::Item { module, .. } => self.modules.is_shared(module),
                DefinitionId::Local(_) => false,
            };
            written.push(Written { key, library, place, ty, cost });
        }
        if written.iter().any(|written| written.library) {
            self.modules.library.kept.keep(written, program, &self.origins);
        }
    }

    /// Whether an expression can throw dice.
    pub(super) fn throws(&self, expr: &Core) -> bool {
        let functions = Functions { written: &self.functions, copies: &self.copies };
        functions.throws(expr, &mut FxHashSet::default())
    }

    fn unused_lets(&mut self) {
        if self.declared.is_empty()
            || self.diagnostics.iter().any(|d| d.severity <= Severity::OverBudget)
        {
            return;
        }
        let unused: Vec<(Span, &str)> = self
            .declared
            .iter()
            .filter(|(span, _)| span.source == Sources::PROGRAM && !self.used.contains(span))
            .filter(|(_, name)| !name.starts_with('_'))
            .copied()
            .collect();
        for (span, name) in unused {
            self.report(errors::unused_let(span, name));
        }
    }
}
