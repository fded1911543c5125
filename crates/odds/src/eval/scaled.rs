//! Mean and variance of loops whose rounds multiply what they carry.
//!
//! ```text
//! repeat with times = 1, face = 1 next times = times * 2, face = d10 until face != 1
//! ```
//!
//! Such a loop is followed round by round, and what is left has no mean. So it is asked again for its moments alone: a round
//! is run on numbers that stand for what is carried ([`Law::carried`]) and stay undecided. Whatever asks for one of them
//! is refused, so that where the rounds lead cannot depend on it, and what becomes of it are multiples and sums: linear
//! equations for the moments ([`Scaling`]). Which numbers stay undecided is tried out, the most of them first; the others
//! are decided and make the nodes. What the loop ends with are numbers of which nobody knows more than their moments.

use astragal_prob::chain::{Place, ScaledEnd, Scaling, Turn};
use astragal_prob::{Law, Meter, Numbered, OverBudget, Rational};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;

use super::Machine;
use super::fold::set;
use super::repeat::{Ends, asked_at_end, take_record};
use crate::failure::{Failure, too_much};
use crate::plan::Repeat;
use crate::state::{Form, Shared, State, States, Sym, VarLaw, Weight};
use crate::ways;

/// A loop on undecided numbers: its nodes, and for each end what is carried there and which of it stays undecided.
#[derive(Default)]
struct Looked {
    scaling: Scaling,
    nodes: Numbered<State>,
    ends: Vec<(Vec<Sym>, Vec<usize>)>,
}

impl<'p> Machine<'p> {
    /// The ends of a loop, with numbers of which the moments are known.
    pub(super) fn scaled(
        &mut self,
        repeat: &'p Repeat,
        start: &State,
        span: Span,
    ) -> Result<Ends, Failure> {
        let ways = self.meter.ways().without(ways::MEETING);
        let attempt = self.meter.part(2).with_ways(ways);
        let mut machine = Machine::new(self.plan, &attempt, ways::FEW_STATES);
        let found = machine.tried(repeat, start, span);
        self.meter.join(&attempt).map_err(too_much(span))?;
        found?.ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))
    }

    /// The ends with as many numbers undecided as can be.
    fn tried(
        &mut self,
        repeat: &'p Repeat,
        start: &State,
        span: Span,
    ) -> Result<Option<Ends>, Failure> {
        let number = |at: &usize| carried_at(repeat, start, *at).is_some();
        let numbers: Vec<usize> =
            (0..repeat.state.len()).filter(number).take(ways::MOST_SCALED).collect();
        let mut sets: Vec<u32> = (1..1 << numbers.len()).collect();
        sets.sort_by_key(|set| std::cmp::Reverse(set.count_ones()));
        for set in sets {
            let open = numbers.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
            let open: Vec<usize> = open.map(|(_, place)| *place).collect();
            let found = match self.looked_at(repeat, &open, start, span) {
                Err(failure) if matches!(failure.fault.kind, FaultKind::NotKnown) => None,
                looked => looked?,
            };
            let Some(looked) = found else { continue };
            if let Some(ends) = looked.solved(self.meter).map_err(too_much(span))? {
                return Ok(Some(ends));
            }
        }
        Ok(None)
    }

    /// A loop on these undecided numbers; none if its rounds do more than multiply and add, or there are too many nodes.
    fn looked_at(
        &mut self,
        repeat: &'p Repeat,
        open: &[usize],
        start: &State,
        span: Span,
    ) -> Result<Option<Looked>, Failure> {
        let (mut node, mut looked) = (start.clone(), Looked::default());
        for (place, at) in open.iter().enumerate() {
            looked.scaling.first.extend(carried_at(repeat, start, *at));
            let number = node.number(Law::carried(place));
            set(&mut node.locals, repeat.state[*at], number);
        }
        looked.nodes.number(node);
        while looked.scaling.nodes < looked.nodes.list.len() {
            let node = looked.nodes.list[looked.scaling.nodes].clone();
            looked.scaling.nodes += 1;
            let states = self.round(repeat, States::one(node))?;
            if looked.scaling.nodes > ways::FEW_STATES || !states.aside.is_nothing() {
                return Ok(None);
            }
            for (mut state, chance) in states.list {
                let mut fields = take_record(&mut state);
                let ends = fields.pop() == Some(Sym::truth(true));
                if ends {
                    (fields, state.laws) = asked_at_end(repeat, fields, state.laws);
                }
                // At an end, a number in which nothing carried is left is a throw like any other.
                let stays = |at: &&usize| !ends || is_carried(&fields[**at], &state);
                let here: Vec<usize> = open.iter().filter(stays).copied().collect();
                let next = self.next_nodes(fields, &here, state, chance, span)?;
                for (state, chance) in next.into_iter().flatten() {
                    if looked.turn(repeat, state, &here, (ends, chance)).is_none() {
                        return Ok(None);
                    }
                }
            }
        }
        looked.scaling.ends = looked.ends.len();
        Ok(Some(looked))
    }
}

impl Looked {
    /// Adds what a round leads to: a state with the carried values on its stack, decided but for some of them.
    fn turn(
        &mut self,
        repeat: &Repeat,
        state: State,
        open: &[usize],
        (ends, chance): (bool, Weight),
    ) -> Option<()> {
        let numbers: Option<Vec<Form>> = open.iter().map(|at| state.stack[*at].as_form()).collect();
        let law = |law: &VarLaw| match law {
            VarLaw::Number(law) => Law::clone(law),
            VarLaw::Dice(_) | VarLaw::Values(_) => Law::constant(Rational::ZERO),
        };
        let laws = state.laws.iter().map(law).collect();
        let mut node = self.nodes.list.first()?.clone();
        for (at, value) in state.stack.iter().enumerate().filter(|(at, _)| !open.contains(at)) {
            if *value != Sym::Gone && value.to_value().is_none() {
                return None;
            }
            set(&mut node.locals, repeat.state[at], value.clone());
        }
        let to = if ends {
            self.ends.push((state.stack, open.to_vec()));
            Place::End(self.ends.len() - 1)
        } else {
            Place::Node(self.nodes.number(node))
        };
        let from = self.scaling.nodes - 1;
        self.scaling.turns.push(Turn { from, to, chance, numbers: numbers?, laws });
        Some(())
    }

    /// The ends, with numbers of which the moments are known.
    fn solved(self, meter: &Meter) -> Result<Option<Ends>, OverBudget> {
        let Some(found) = self.scaling.ends(meter)? else { return Ok(None) };
        let end = |(end, (mut fields, open)): (Option<ScaledEnd>, (Vec<Sym>, Vec<usize>))| {
            let (chance, forms, laws) = end?;
            open.into_iter().zip(forms).for_each(|(at, form)| fields[at] = Sym::number(form));
            let laws = laws.into_iter().map(|law| VarLaw::Number(Shared::new(law))).collect();
            Some((fields, laws, chance))
        };
        Ok(Some(found.into_iter().zip(self.ends).filter_map(end).collect()))
    }
}

/// A number that is carried, if it is decided at first.
fn carried_at(repeat: &Repeat, start: &State, at: usize) -> Option<Rational> {
    let form = start.locals.get(repeat.state[at].0 as usize)?.as_form()?;
    form.terms.is_empty().then_some(form.constant)
}

/// Whether something carried is part of a number.
fn is_carried(number: &Sym, state: &State) -> bool {
    let mut found = false;
    number.visit(&mut |var| found |= state.law(var).is_some_and(|law| law.has_unknown()));
    found
}
