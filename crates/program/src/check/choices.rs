//! Plays: `maximise`, `choose` and `oppose`.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Aim, ChoiceArm, Expr, Goal, Statement, StatementKind, Who};

use super::{Checker, Step, Typed, contains};
use crate::choices::Decisions;
use crate::core::{self, Expr as Core, FunctionId, Kind};
use crate::errors;
use crate::scope::Scope;
use crate::types::Type;
use crate::want::{Asker, Want};

impl<'t> Checker<'t> {
    /// `maximise total by r => r.gold`
    #[inline(never)]
    pub(super) fn best(
        &mut self,
        scope: &Scope<'t>,
        (goal, value, aim): (Goal, &'t Expr, Option<&'t Aim>),
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        self.plays += 1;
        let Typed { expr: played, ty } = self.value(scope, value, want);
        let aim = match aim {
            Some(aim) => Some(self.aim(scope, aim, &ty)),
            None => {
                if !counts(&ty) {
                    let behind = Span { start: span.end, ..span };
                    self.report(errors::no_aim(value.span, goal, &ty, behind));
                }
                None
            }
        };
        let kind = Kind::Best(Box::new(core::Best { goal, value: played, aim }));
        Typed { expr: Core { kind, span }, ty }
    }

    fn aim(&mut self, scope: &Scope<'t>, aim: &'t Aim, ty: &Type) -> core::Aim {
        let variable = self.local(Some(&aim.name.text), ty.clone());
        let local = variable.id;
        let inner = self.bind(scope, &aim.name.text, variable);
        let number = self.value(&inner, &aim.number, None);
        if !counts(&number.ty) {
            self.report(errors::aim_not_a_number(aim.number.span, &number.ty));
        }
        core::Aim { local, number: number.expr }
    }

    /// `choose "keep" => first; "throw again" if rerolls > 0 => d20 end`
    #[inline(never)]
    pub(super) fn choice(
        &mut self,
        scope: &Scope<'t>,
        who: Who,
        arms: &'t [ChoiceArm],
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        self.plays += 1;
        if arms.is_empty() {
            return self.wrong(errors::no_choices(span, who));
        }
        let (mut opens, mut values, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (number, arm) in arms.iter().enumerate() {
            let earlier = arms.get(..number).unwrap_or_default();
            if let Some(first) = earlier.iter().find(|other| other.label == arm.label) {
                self.report(errors::duplicate_label(arm.span, &arm.label, first.span));
            }
            let mut inner = scope.clone();
            let open = arm.open.as_ref().map(|open| {
                inner = self.narrowed(scope, open, true);
                self.truth(scope, open, "whether an arm is open")
            });
            opens.push(open);
            values.push(self.value(&inner, &arm.value, want));
            places.push(arm.value.span);
        }
        let (values, ty) = self.together(values, &places, want);
        let arm = |((arm, open), value): ((&ChoiceArm, Option<Core>), Core)| core::ChoiceArm {
            label: arm.label.as_str().into(),
            open,
            value,
            span: arm.span,
        };
        let arms = arms.iter().zip(opens).zip(values).map(arm).collect();
        Typed { expr: Core { kind: Kind::Choose { who, arms }, span }, ty }
    }

    /// `choose from 0..5`
    #[inline(never)]
    pub(super) fn pick(
        &mut self,
        scope: &Scope<'t>,
        who: Who,
        list: &'t Expr,
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        self.plays += 1;
        let items = want.map(|item| Want::List(Box::new(item.clone())));
        let typed = self.expression(scope, list, items.as_ref());
        let ty = match typed.ty {
            Type::List(item) => *item,
            Type::Unknown => Type::Unknown,
            Type::Pool(_) => {
                let dice = self.modules.sources.slice(list.span);
                return self.wrong(errors::choice_from_dice(list.span, who, dice));
            }
            other => {
                let wanted = Type::List(Box::new(Type::Unknown));
                let asker = format!("{} from", who.word());
                return self.wrong(errors::mismatch(
                    list.span,
                    Asker::Named(&asker),
                    &wanted,
                    &other,
                ));
            }
        };
        let kind = Kind::Pick { who, list: Box::new(typed.expr) };
        Typed { expr: Core { kind, span }, ty }
    }

    /// Who decides in the functions that are written so far; none if nobody does.
    fn decisions(&self) -> Option<Decisions> {
        if self.plays == 0 && !self.copies.values().any(|kept| kept.plays) {
            return None;
        }
        let written = self.functions.iter().zip((0u32..).map(FunctionId));
        let written = written.filter_map(|(function, id)| Some((id, function.as_ref()?)));
        let kept = self.copies.iter().map(|(id, kept)| (*id, &kept.function));
        Some(Decisions::of(written.chain(kept)))
    }

    /// Reports choices that cannot be made where they stand, in the definitions that were checked by themselves.
    pub(super) fn judge_definitions(&mut self) {
        let Some(decisions) = self.decisions() else { return };
        let found: Vec<_> = self.alone.iter().flat_map(|body| decisions.misplaced(body)).collect();
        found.into_iter().for_each(|diagnostic| self.report(diagnostic));
    }

    /// Reports choices of the program that cannot be made, where they stand or because nothing says what for.
    pub(super) fn judge_program(
        &mut self,
        statements: &'t [Statement],
        steps: &[(Step, Span)],
        value: &Core,
    ) {
        let Some(decisions) = self.decisions() else { return };
        let last = statements.last().map_or(value.span, |statement| statement.span);
        let parts: Vec<(&Core, Span)> = steps
            .iter()
            .flat_map(|(step, span)| step.parts().into_iter().map(|part| (part, *span)))
            .chain([(value, last)])
            .collect();
        let bodies = self.functions.iter().flatten().map(|function| &function.body);
        let all = bodies.chain(parts.iter().map(|(part, _)| *part));
        let mut found: Vec<_> = all.clone().flat_map(|body| decisions.misplaced(body)).collect();
        if found.is_empty() {
            all.for_each(|part| decisions.idle(part, &mut found));
            let open = parts.iter().filter_map(|(part, span)| {
                let met = decisions.open_choice(part)?;
                Some(errors::choice_without_aim(met, begins(statements, *span)))
            });
            found.extend(open);
        }
        found.into_iter().for_each(|diagnostic| self.report(diagnostic));
    }

    /// Reports a choice in a constant of a module.
    pub(super) fn judge_constant(&mut self, value: &Core) {
        let met = self.decisions().and_then(|decisions| decisions.open_choice(value));
        if let Some(met) = met {
            self.report(errors::choice_here(met, errors::Spot::Constant));
        }
    }
}

/// Whether it is plain what more of it is.
fn counts(ty: &Type) -> bool {
    matches!(ty, Type::Number | Type::Bool | Type::Unknown)
}

/// Where the expression of the statement at a place begins.
fn begins(statements: &[Statement], place: Span) -> Option<Span> {
    let statement = statements.iter().find(|statement| contains(statement.span, place))?;
    match &statement.kind {
        StatementKind::Let { value, .. }
        | StatementKind::Show { value, .. }
        | StatementKind::Expression(value) => Some(Span { end: value.span.start, ..value.span }),
        _ => None,
    }
}
