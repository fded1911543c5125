//! Variables and inputs.
//!
//! `let x = 3d6` throws once; `x` is those dice wherever it is used.

use std::rc::Rc;
use std::sync::Arc;

use astragal_program::core::{Expr, LocalId};
use astragal_syntax::span::Span;
use astragal_value::Value;

use super::datum::{Datum, Fixed};
use super::{Eval, Interpreter};
use crate::recorder::StepId;

/// How many dice of a pool on the table may be looked at for one step.
const DICE_A_STEP: usize = 16;

impl<'a> Interpreter<'a> {
    pub(super) fn local(&mut self, span: Span, local: LocalId) -> Eval {
        let datum = self.locals[self.base + local.0 as usize].clone();
        if let Datum::Pool(pool) = &datum {
            self.meter.items(pool.dice.len() / DICE_A_STEP, span)?;
        }
        Ok(datum)
    }

    pub(super) fn set(&mut self, local: LocalId, datum: Datum) {
        let place = self.base + local.0 as usize;
        self.locals[place] = datum;
    }

    pub(super) fn bind(&mut self, local: LocalId, value: &'a Expr, body: &'a Expr) -> Eval {
        let datum = self.eval(value)?;
        let name = self.named(local, &datum, value.span);
        self.set(local, fixed(datum, name));
        self.eval(body)
    }

    /// Says what a variable is bound to, if it has a name.
    pub(super) fn named(&mut self, local: LocalId, datum: &Datum, span: Span) -> Option<Arc<str>> {
        let name = self.name_of(local);
        if let Some(name) = &name
            && self.recorder.on
        {
            let pool = match datum {
                Datum::Pool(pool) => pool.step,
                _ => StepId::NOWHERE,
            };
            let labels = match datum {
                Datum::Labelled(_, shares) => Some(shares.listed()),
                _ => None,
            };
            self.recorder.labelled(span, name, datum.shown(), pool, labels);
        }
        name
    }

    pub(super) fn input(&mut self, index: usize, default: &'a Expr) -> Eval {
        match self.inputs.get(index) {
            Some(Some(value)) => Ok(Datum::Value(value.clone())),
            _ => self.eval(default),
        }
    }

    fn name_of(&self, local: LocalId) -> Option<Arc<str>> {
        self.function.locals.get(local.0 as usize)?.name.clone()
    }
}

/// A pool that lies on the table from now on.
pub(super) fn fixed(datum: Datum, name: Option<Arc<str>>) -> Datum {
    match datum {
        Datum::Pool(mut pool) => {
            let before = pool.fixed.as_ref().and_then(|fixed| fixed.name.clone());
            Rc::make_mut(&mut pool).fixed = Some(Fixed { name: name.or(before) });
            Datum::Pool(pool)
        }
        other => other,
    }
}

/// The absence of a value, for variables that are not bound yet.
pub(super) const UNBOUND: Datum = Datum::Value(Value::None);
