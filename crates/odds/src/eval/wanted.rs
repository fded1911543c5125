//! The numbers that dice are made of, in order, each looked at as soon as it is there.
//!
//! In `(a)d(b)` a roll that finds a bad count throws no more: `b` is not evaluated. So each number is judged before
//! the next, and only what passes goes on.

use astragal_program::fault::FaultKind;
use astragal_value::{Number, OpError, Value};

use super::decide::{Done, Turn};
use super::{Live, Machine, Outcome, push};
use crate::failure::too_much;
use crate::plan::{Face, Kind, Node, SuffixKind};
use crate::state::{State, States, Sym};

/// What a number has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Whole, from 0 up.
    Count,
    /// Whole, from 1 up, as a weight.
    Sides,
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
    /// Runs parts in order.
    pub(super) fn run_parts(
        &mut self,
        parts: &[Part<'p>],
        mut states: States,
        live: &Live,
    ) -> Outcome {
        let mut later = parts.iter();
        while let Some((node, wanted)) = later.next() {
            states = match &node.kind {
                Kind::Constant(value) => push(states, &Sym::from_value(value)),
                _ => self.run(node, states, &live.and_all(later.clone().map(|(node, _)| *node)))?,
            };
            if *wanted != Wanted::Anything && !wanted.is_met_by(node) {
                states = self.each(states, node.span, |machine, state, turn| {
                    machine.judge(*wanted, state, turn)
                })?;
            }
        }
        Ok(states)
    }

    /// The number on top of the stack goes on if it is what is wanted.
    fn judge(&mut self, wanted: Wanted, state: State, turn: &mut Turn<'_>) -> Done {
        let open = match state.stack.last() {
            Some(Sym::Value(Value::Number(number))) => {
                if let Some(kind) = wanted.misses(number) {
                    return Err(turn.fails(kind));
                }
                None
            }
            Some(Sym::Number(form)) => {
                let law = state.law_of(form, self.meter).map_err(too_much(turn.span))?;
                let least = law.lowest().filter(|_| law.is_whole()).map(Number::from);
                let fits = least.is_some_and(|least| wanted.misses(&least).is_none());
                form.variables().next().filter(|_| !fits)
            }
            _ => None,
        };
        let Some(var) = open else {
            turn.go_on(state);
            return Ok(());
        };
        self.in_each_case(&state, var, turn, |machine, state, turn| {
            machine.judge(wanted, state, turn)
        })
    }
}
