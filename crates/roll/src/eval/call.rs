//! Calls, and bodies that were copied to their call.

use std::sync::Arc;

use astragal_program::core::{Expr, FunctionId};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{OpError, Value};

use super::datum::Datum;
use super::variable::{UNBOUND, fixed};
use super::{At, Eval, Interpreter};
use crate::recorder::StepId;
use crate::steps::StepKind;

/// How many calls may run inside each other.
const MOST_CALLS: u32 = 400;

impl<'a> Interpreter<'a> {
    pub(super) fn call(&mut self, span: Span, id: FunctionId, arguments: &'a [Expr]) -> Eval {
        self.inside(span, id, arguments, |it| it.eval(&it.function.body))
    }

    /// Does something with the variables of a function that is called.
    pub(super) fn inside(
        &mut self,
        span: Span,
        id: FunctionId,
        arguments: &'a [Expr],
        body: impl FnOnce(&mut Self) -> Eval,
    ) -> Eval {
        let program = self.program;
        let function = program.functions.get(id.0 as usize).ok_or(OpError::Mismatch).at(span)?;
        let mut data = Vec::with_capacity(function.locals.len());
        for (argument, local) in arguments.iter().zip(&function.locals) {
            data.push(fixed(self.eval(argument)?, local.name.clone()));
        }
        let step = self.call_step(span, &function.name, || {
            let names = function.locals.iter().map(|local| local.name.clone());
            let values = data.iter().map(Datum::shown);
            names.zip(values).collect()
        });
        self.deeper(span, &function.name)?;
        let (caller, outer) = (self.base, self.function);
        self.base = self.locals.len();
        self.function = function;
        data.resize(function.locals.len(), UNBOUND);
        self.locals.append(&mut data);
        let result = body(self);
        self.locals.truncate(self.base);
        self.base = caller;
        self.function = outer;
        self.returned(span, step, result)
    }

    pub(super) fn enter(&mut self, span: Span, name: &'a Arc<str>, body: &'a Expr) -> Eval {
        let step = self.call_step(span, name, Vec::new);
        self.deeper(span, name)?;
        let result = self.eval(body);
        self.returned(span, step, result)
    }

    fn call_step(
        &mut self,
        span: Span,
        name: &Arc<str>,
        arguments: impl FnOnce() -> Vec<(Option<Arc<str>>, Value)>,
    ) -> StepId {
        self.recorder.step(span, || StepKind::Call {
            name: name.clone(),
            arguments: arguments(),
            result: Value::None,
        })
    }

    fn deeper(&mut self, span: Span, name: &Arc<str>) -> Eval<()> {
        self.calls += 1;
        self.recorder.enter();
        if self.calls > MOST_CALLS {
            return Err(FaultKind::TooDeep(name.clone())).at(span);
        }
        Ok(())
    }

    fn returned(&mut self, span: Span, step: StepId, result: Eval) -> Eval {
        self.calls -= 1;
        self.recorder.leave();
        let datum = result.map_err(|fault| Box::new(fault.called_from(span)))?;
        self.recorder.result(step, || datum.shown());
        Ok(datum)
    }
}
