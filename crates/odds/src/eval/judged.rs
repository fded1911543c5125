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

/// What a number has to be: a count is whole, from 0 up, sides and weights from 1 up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Must {
    Count,
    Sides,
    Weight,
    Anything,
}

impl Must {
    /// Why a number is not so.
    fn misses(self, number: &Number) -> Option<FaultKind> {
        let least = match self {
            Must::Anything => return None,
            Must::Count => Number::ZERO,
            Must::Sides | Must::Weight => Number::ONE,
        };
        let number = number.clone();
        match (number.is_whole() && number >= least, self) {
            (true, Must::Count) => None,
            (true, _) => number.to_u64().is_none().then(|| OpError::TooLarge.into()),
            (false, Must::Sides) => Some(FaultKind::BadSides(number)),
            (false, Must::Weight) => Some(FaultKind::BadWeight(number)),
            (false, _) => Some(FaultKind::BadCount(number)),
        }
    }

    /// Whether a part is known to be so, and throws nothing.
    fn is_met_by(self, node: &Node) -> bool {
        match &node.kind {
            Kind::Constant(Value::Number(number)) => self.misses(number).is_none(),
            Kind::Constant(_) => true,
            _ => false,
        }
    }
}

pub(super) type Part<'p> = (&'p Node, Must);

/// The faces of a die with their weights, in the order of evaluation.
pub(super) fn of_faces(faces: &[Face]) -> impl Iterator<Item = Part<'_>> + Clone {
    faces.iter().flat_map(|face| [(&face.value, Must::Anything), (&face.weight, Must::Weight)])
}

/// The numbers of a suffix, each judged before the next.
pub(super) fn of_suffix<'p>(kind: &SuffixKind, numbers: &[&'p Node]) -> Vec<Part<'p>> {
    let must = |at| if is_count(kind, at, numbers.len()) { Must::Count } else { Must::Anything };
    numbers.iter().enumerate().map(|(at, node)| (*node, must(at))).collect()
}

/// Whether one of so many numbers of a suffix is how many dice it takes, or how often it throws.
fn is_count(kind: &SuffixKind, at: usize, numbers: usize) -> bool {
    match kind {
        SuffixKind::Keep(..) | SuffixKind::Drop(..) => true,
        SuffixKind::Explode { limit, .. } => limit.is_some() && at + 1 == numbers,
        SuffixKind::InAll { act, .. } => at + 1 == numbers || is_count(act, at, numbers - 1),
        SuffixKind::Reroll { .. }
        | SuffixKind::AtLeast(_)
        | SuffixKind::AtMost(_)
        | SuffixKind::CountFor(_)
        | SuffixKind::CountAgainst(_)
        | SuffixKind::Unique
        | SuffixKind::Ascending
        | SuffixKind::Descending => false,
    }
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
        while let Some((node, must)) = later.next() {
            states = match &node.kind {
                Kind::Constant(value) => push(states, &Sym::from_value(value)),
                _ => self.run(node, states, &live.and_all(later.clone().map(|(node, _)| *node)))?,
            };
            if *must != Must::Anything && !must.is_met_by(node) {
                states = self.each(states, node.span, |machine, state, turn| {
                    machine.judge(*must, state, turn)
                })?;
            }
        }
        Ok(states)
    }

    /// The number on top of the stack goes on if it is so.
    fn judge(&mut self, must: Must, state: State, turn: &mut Turn<'_>) -> Done {
        let open = match state.stack.last() {
            Some(Sym::Value(Value::Number(number))) => {
                if let Some(kind) = must.misses(number) {
                    return Err(turn.fails(kind));
                }
                None
            }
            Some(Sym::Number(form)) => {
                let law = state.law_of(form, self.meter).map_err(too_much(turn.span))?;
                let least = law.lowest().filter(|_| law.is_whole()).map(Number::from);
                let fits = least.is_some_and(|least| must.misses(&least).is_none());
                form.variables().next().filter(|_| !fits)
            }
            _ => None,
        };
        let Some(var) = open else {
            return turn.go_on(state);
        };
        self.in_each_case(&state, var, turn, |machine, state, turn| {
            machine.judge(must, state, turn)
        })
    }
}
