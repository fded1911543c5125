//! The numbers that dice are made of, in order, each looked at as soon as it is there.
//!
//! In `(a)d(b)` a roll that finds a bad count throws no more: `b` is not evaluated. So where what comes later may
//! throw or fail, a number is judged before it, and only what passes goes on.

use astragal_program::fault::FaultKind;
use astragal_value::{Number, OpError, Value};

use super::call::variables;
use super::decide::{Done, Turn};
use super::{Live, Machine, Outcome, push};
use crate::failure::{Failure, too_much};
use crate::plan::{Face, Kind, Node, SuffixKind};
use crate::state::{State, States, Sym};

/// What a number has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Whole, from 0 up.
    Count,
    /// Whole, from 1 up.
    Sides,
    /// Whole, from 1 up.
    Weight,
    Anything,
}

impl Wanted {
    /// Why a number is not what is wanted.
    fn misses(self, number: &Number) -> Option<FaultKind> {
        let least = match self {
            Wanted::Anything => return None,
            Wanted::Count => Number::ZERO,
            Wanted::Sides | Wanted::Weight => Number::ONE,
        };
        let number = number.clone();
        match (number.is_whole() && number >= least, self) {
            (true, Wanted::Count) => None,
            (true, _) => number.to_u64().is_none().then(|| OpError::TooLarge.into()),
            (false, Wanted::Sides) => Some(FaultKind::BadSides(number)),
            (false, Wanted::Weight) => Some(FaultKind::BadWeight(number)),
            (false, _) => Some(FaultKind::BadCount(number)),
        }
    }

    /// Whether a part is known to be what is wanted, and throws nothing.
    fn is_met_by(self, node: &Node) -> bool {
        match &node.kind {
            Kind::Constant(Value::Number(number)) => self.misses(number).is_none(),
            Kind::Constant(_) => true,
            _ => false,
        }
    }
}

/// A part, and what it has to be.
pub(super) type Part<'p> = (&'p Node, Wanted);

/// The faces of a die with their weights, in the order of evaluation.
pub(super) fn of_faces(faces: &[Face]) -> impl Iterator<Item = Part<'_>> + Clone {
    faces.iter().flat_map(|face| [(&face.value, Wanted::Anything), (&face.weight, Wanted::Weight)])
}

/// The numbers of a suffix: of an explosion with two limits the first is judged before the second.
pub(super) fn of_suffix<'p>(kind: &SuffixKind, numbers: &[&'p Node]) -> Vec<Part<'p>> {
    let limited = matches!(kind, SuffixKind::InAll { act, .. }
        if matches!(**act, SuffixKind::Explode { limit: Some(_), .. }));
    let limit = numbers.len().checked_sub(2).filter(|_| limited);
    let wanted = |at| if Some(at) == limit { Wanted::Count } else { Wanted::Anything };
    numbers.iter().enumerate().map(|(at, node)| (*node, wanted(at))).collect()
}

impl<'p> Machine<'p> {
    /// Runs parts in order. Unless something else follows them, the last ones are left to who takes them off the stack.
    pub(super) fn run_parts(
        &mut self,
        parts: &[Part<'p>],
        followed: bool,
        mut states: States,
        live: &Live,
    ) -> Outcome {
        for (at, (node, wanted)) in parts.iter().enumerate() {
            let later = parts.get(at + 1..).unwrap_or_default();
            states = match &node.kind {
                Kind::Constant(value) => push(states, &Sym::from_value(value)),
                _ => self.run(node, states, &live.and_all(later.iter().map(|(node, _)| *node)))?,
            };
            let last = !followed && later.iter().all(|(node, wanted)| wanted.is_met_by(node));
            if !last && *wanted != Wanted::Anything && !wanted.is_met_by(node) {
                states = self.each(states, node.span, |machine, state, turn| {
                    machine.judge(*wanted, state, turn)
                })?;
            }
        }
        Ok(states)
    }

    /// The number on top of the stack goes on if it is what is wanted.
    fn judge(&mut self, wanted: Wanted, state: State, turn: &mut Turn<'_>) -> Done {
        let fails = |kind: FaultKind, turn: &Turn<'_>| match kind {
            FaultKind::Operation(OpError::TooLarge) => Failure::refused(kind, turn.span),
            kind => turn.fails(kind),
        };
        let form = match state.stack.last() {
            Some(Sym::Value(Value::Number(number))) => {
                return match wanted.misses(number) {
                    Some(kind) => Err(fails(kind, turn)),
                    None => {
                        turn.go_on(state);
                        Ok(())
                    }
                };
            }
            Some(Sym::Number(form)) => form,
            _ => {
                turn.go_on(state);
                return Ok(());
            }
        };
        let law = state.law_of(form, self.meter).map_err(too_much(turn.span))?;
        let least = law.lowest().map(Number::from);
        if law.is_whole() && least.is_some_and(|least| wanted.misses(&least).is_none()) {
            turn.go_on(state);
            return Ok(());
        }
        let vars = variables(std::slice::from_ref(&Sym::Number(form.clone())));
        self.in_each_case(&state, vars[0], turn, |machine, state, turn| {
            machine.judge(wanted, state, turn)
        })
    }
}
