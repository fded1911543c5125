//! Branches, refusals and notes.

use astragal_program::core::{Branch, Expr};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::Value;

use super::{At, Eval, Interpreter};
use crate::steps::StepKind;

impl<'a> Interpreter<'a> {
    pub(super) fn branch(
        &mut self,
        span: Span,
        condition: &'a Expr,
        then: &'a Expr,
        otherwise: &'a Expr,
        origin: Branch,
    ) -> Eval {
        let held = self.truth(condition)?;
        self.recorder.branch(span, origin, condition.span, held);
        self.eval(if held { then } else { otherwise })
    }

    pub(super) fn require(
        &mut self,
        span: Span,
        condition: &'a Expr,
        message: &'a Expr,
        body: &'a Expr,
    ) -> Eval {
        if !self.truth(condition)? {
            let words = self.text(message)?;
            return Err(FaultKind::Refused(words)).at(span);
        }
        self.eval(body)
    }

    pub(super) fn note(&mut self, span: Span, message: &'a Expr, body: &'a Expr) -> Eval {
        self.line(span, message)?;
        self.eval(body)
    }

    /// Says a line.
    pub(super) fn line(&mut self, span: Span, message: &'a Expr) -> Eval<()> {
        let text = self.text(message)?;
        if self.recorder.on {
            let aside = self.recorder.aside();
            aside.notices.push(text.to_string());
            aside.foreseen += usize::from(self.meter.dice_so_far() == 0);
            self.recorder.step(span, || StepKind::Note { text });
        }
        Ok(())
    }

    pub(super) fn text(&mut self, message: &'a Expr) -> Eval<std::sync::Arc<str>> {
        Ok(match self.value(message)? {
            Value::Text(text) => text,
            other => other.to_string().into(),
        })
    }
}
