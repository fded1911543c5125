//! `repeat`: rounds with carried state.

use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, Name, Repeat};

use super::record::made_record;
use super::{Checker, Typed, after};
use crate::core::{Expr as Core, Kind, RecordShape};
use crate::errors;
use crate::scope::{Scope, Variable};
use crate::types::Type;
use crate::want::{Asker, Want, has_unknown, join, record_type};

/// How often a round is written before the types of its state are given up.
const ATTEMPTS: usize = 8;

/// Where to go back to if something has to be written again.
pub(super) struct Save {
    mark: usize,
    locals: usize,
    captures: usize,
    finished: usize,
}

impl<'t> Checker<'t> {
    /// Notes what the frame holds and what was said.
    pub(super) fn save(&mut self) -> Save {
        let (mark, finished) = (self.mark(), self.finished.len());
        let frame = &mut self.frame;
        Save { mark, locals: frame.locals.len(), captures: frame.captures.len(), finished }
    }

    /// Goes back.
    pub(super) fn restore(&mut self, save: &Save) {
        if self.take_back(save.mark) {
            self.forget_finished(save.finished);
        }
        let frame = &mut self.frame;
        frame.locals.truncate(save.locals);
        frame.captures.truncate(save.captures);
    }

    /// `repeat with a = 0 … next a = a + d6 until a >= 10`
    #[inline(never)]
    pub(super) fn repeat(&mut self, scope: &Scope<'t>, repeat: &'t Repeat, span: Span) -> Typed {
        self.check_repeat_names(repeat);
        let first: Vec<Typed> =
            repeat.carried.iter().map(|(_, value)| self.value(scope, value, None)).collect();
        let mut types: Vec<Type> = first.iter().map(|value| value.ty.clone()).collect();
        for _ in 0..ATTEMPTS {
            let save = self.save();
            let (state, round, found) = self.round(scope, repeat, &types, span);
            let joined: Vec<Type> = types
                .iter()
                .zip(&found)
                .map(|(ty, next)| join(ty, next).unwrap_or_else(|| ty.clone()))
                .collect();
            if joined == types || self.over_budget {
                return self.finish_repeat(repeat, first, &types, state, round, span);
            }
            self.restore(&save);
            types = joined;
        }
        self.wrong(errors::unsettled_type(span, "repeat"))
    }

    fn finish_repeat(
        &mut self,
        repeat: &'t Repeat,
        first: Vec<Typed>,
        types: &[Type],
        state: Vec<Variable>,
        round: Core,
        span: Span,
    ) -> Typed {
        let names: Vec<Arc<str>> =
            repeat.carried.iter().map(|(name, _)| name.text.as_str().into()).collect();
        let first = first
            .into_iter()
            .zip(types)
            .zip(&repeat.carried)
            .map(|((value, ty), (_, place))| {
                self.coerce(value, &Want::of(ty), place.span, "this state".into()).expr
            })
            .collect();
        let kind = Kind::Repeat {
            shape: Arc::new(RecordShape { fields: names.clone() }),
            state: state.iter().map(|variable| variable.id).collect(),
            first,
            round: Box::new(round),
        };
        Typed {
            expr: Core { kind, span },
            ty: record_type(names.into_iter().zip(types.iter().cloned())),
        }
    }

    /// One round with state of these types: its variables, its core, and the types it yields.
    fn round(
        &mut self,
        scope: &Scope<'t>,
        repeat: &'t Repeat,
        types: &[Type],
        span: Span,
    ) -> (Vec<Variable>, Core, Vec<Type>) {
        let chain = self.chain;
        let mut inner = scope.clone();
        let mut state = Vec::new();
        for ((name, _), ty) in repeat.carried.iter().zip(types) {
            let variable = self.local(Some(&name.text), ty.clone());
            inner = self.bind(&inner, &name.text, variable.clone());
            state.push(variable);
        }
        let mut progress = self.begin(&inner, &repeat.body);
        for statement in &repeat.body {
            self.statement(&mut progress, statement);
        }
        let before = progress.scope.clone();
        let mut found = types.to_vec();
        let mut next: Vec<Variable> = state.clone();
        for (name, value) in &repeat.next {
            let Some(place) = repeat.carried.iter().position(|(n, _)| n.text == name.text) else {
                continue;
            };
            let ty = types.get(place).cloned().unwrap_or(Type::Unknown);
            let typed = self.next_value(&before, name, value, &ty, &mut found, place);
            let variable = self.variable(typed, Some(&name.text), &mut progress.steps);
            progress.scope = self.bind(&progress.scope, &name.text, variable.clone());
            if let Some(slot) = next.get_mut(place) {
                *slot = variable;
            }
        }
        let ended = self.truth(&progress.scope, &repeat.until, "`until`");
        let mut fields: Vec<(Arc<str>, Typed)> = Vec::new();
        for ((name, _), variable) in repeat.carried.iter().zip(&next) {
            fields.push((name.text.as_str().into(), self.read(variable, name.span)));
        }
        self.chain = chain;
        fields.push(("until".into(), Typed { expr: ended, ty: Type::Bool }));
        let record = made_record(fields, span).expr;
        (state, after(progress.steps, record), found)
    }

    /// The next value of one carried name. A wider type is noted in `found`.
    fn next_value(
        &mut self,
        scope: &Scope<'t>,
        name: &'t Name,
        value: &'t Expr,
        ty: &Type,
        found: &mut [Type],
        place: usize,
    ) -> Typed {
        let guide = Want::of(ty);
        let typed = self.value(scope, value, (!has_unknown(ty)).then_some(&guide));
        match join(ty, &typed.ty) {
            Some(wider) => {
                let want = Want::of(&wider);
                if let Some(slot) = found.get_mut(place) {
                    *slot = wider;
                }
                self.coerce(typed, &want, value.span, Asker::Named(&name.text))
            }
            None => self.coerce(typed, &guide, value.span, Asker::Named(&name.text)),
        }
    }

    fn check_repeat_names(&mut self, repeat: &'t Repeat) {
        for (list, next) in [(&repeat.carried, false), (&repeat.next, true)] {
            for (number, (name, value)) in list.iter().enumerate() {
                let earlier = list.get(..number).unwrap_or_default();
                if earlier.iter().any(|(other, _): &(Name, Expr)| other.text == name.text) {
                    self.report(errors::duplicate_carried(name));
                }
                let known: Vec<&str> =
                    repeat.carried.iter().map(|(n, _)| n.text.as_str()).collect();
                if next && !known.contains(&name.text.as_str()) {
                    self.report(errors::not_carried(name, value.span, known));
                }
            }
        }
    }
}
