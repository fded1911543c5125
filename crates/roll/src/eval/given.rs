//! Evidence: an attempt in which it does not hold is thrown away, and the whole program thrown again.
//!
//! A condition that fails stops the attempt like a fault would, wherever it stands; `until_evidence_holds`
//! catches it, forgets everything but the faces used so far and the cost, and starts over. Faces go on
//! from the same source, so a seed or a script replays all attempts.

use astragal_program::core::Expr;
use astragal_program::fault::{Costly, Fault, FaultKind};

use super::variable::UNBOUND;
use super::word::Found;
use super::{At, Eval, Interpreter};

impl<'a> Interpreter<'a> {
    pub(super) fn given(&mut self, condition: &'a Expr, body: &'a Expr) -> Eval {
        if !self.truth(condition)? {
            return Err(FaultKind::EvidenceNeverHeld(1)).at(condition.span);
        }
        self.eval(body)
    }

    /// Evaluates the program, as often as it takes.
    pub(super) fn until_evidence_holds(&mut self) -> Eval<Found> {
        let program = self.program;
        let mut missed: Option<Box<Fault>> = None;
        for attempts in 1.. {
            if !program.main.locals.is_empty() {
                self.locals.resize(program.main.locals.len(), UNBOUND);
            }
            let found = match &program.plays {
                Some(plays) => self.played(plays).map(Found::from),
                None => self.word(&program.main.body),
            };
            let fault = match found {
                Ok(found) => return Ok(found),
                Err(fault) => fault,
            };
            let mut fault = match missed.take() {
                _ if is_missed(&fault) => fault,
                // The budget ran out in a later attempt: the evidence is to blame.
                Some(missed) if ran_out(&fault) => return Err(missed),
                _ => return Err(fault),
            };
            self.note_missed(&fault);
            fault.kind = FaultKind::EvidenceNeverHeld(attempts);
            if !self.meter.may_try_again(attempts) {
                return Err(fault);
            }
            missed = Some(fault);
            self.start_over();
        }
        Err(FaultKind::OverBudget(Costly::Work)).at(program.main.span)
    }

    fn start_over(&mut self) {
        let main = &self.program.main;
        self.recorder.start_over();
        self.locals.clear();
        self.base = 0;
        self.function = main;
        self.calls = 0;
        self.nesting = 0;
        self.foreseen = false;
        self.playing = None;
    }

    fn note_missed(&mut self, fault: &Fault) {
        let again = &mut self.recorder.aside().again;
        match again.iter_mut().find(|(span, _)| *span == fault.span) {
            Some((_, times)) => *times += 1,
            None => again.push((fault.span, 1)),
        }
    }
}

fn is_missed(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::EvidenceNeverHeld(_))
}

fn ran_out(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::OverBudget(Costly::Dice | Costly::Work))
}
