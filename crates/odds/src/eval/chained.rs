//! Loops whose rounds are simple: a chain of nodes with whole weights.
//!
//! Everything that is carried is decided, and so is every end, so the loop is solved on whole numbers
//! ([`astragal_prob::chain`]). What a round throws is told from what it does with it, which is code on
//! words ([`rounds`]). Ends that differ in one number become one end whose number has a law, as where states
//! meet ([`crate::state`]), but before there are any states. Where nothing but an expression without chance
//! follows the loop, ends are told apart by the value of that expression only:
//!
//! ```text
//! let last = repeat with hits = 0, rolls = 0 … until hits >= 10 or rolls >= 10
//! if last.hits >= 10 then last.rolls else 11
//! ```
//!
//! Here it does not matter by how much the last roll went beyond ten.

mod rounds;

use std::sync::Arc;

use astragal_prob::chain::{Chain, Finite, Group, Solved, Step, mass};
use astragal_prob::{Law, Meter, Numbered, OverBudget, Rational};
use astragal_syntax::span::Span;
use astragal_value::Value;
use rustc_hash::FxHashSet;

use super::Machine;
use super::call::{Body, Yield, place};
use super::hoisted::locals_of;
use super::repeat::{Came, Ends};
use crate::code::Word;
use crate::failure::too_much;
use crate::plan::{Node, Repeat};
use crate::state::{State, Sym, Values, Weight};
use crate::ways;
use rounds::Rounds;
pub(super) use rounds::{Finish, Stop};

impl<'p> Machine<'p> {
    /// The ends of a loop from given variables, if its rounds are simple enough; or what becomes of them, if that is
    /// all that is asked.
    pub(super) fn chained(
        &mut self,
        repeat: &'p Repeat,
        counter: Option<usize>,
        finish: Option<&Finish<'p>>,
        start: &State,
        span: Span,
    ) -> Result<Came, Stop> {
        let values = self.variables_of(&repeat.round, &start.locals).ok_or(Stop::Not)?;
        if !start.laws.is_empty() || !self.meter.may(ways::THROWS) {
            return Err(Stop::Not);
        }
        let first = repeat.state.iter().map(|local| {
            start.locals.get(local.0 as usize).and_then(Sym::to_value).unwrap_or(Value::None)
        });
        let first: Vec<Value> = first.collect();
        let rounds = |finish| Rounds::new(self, repeat, counter, finish, &values);
        let finished = finish.and_then(|finish| rounds(Some(finish)));
        let is_finished = finished.is_some();
        let mut rounds = finished.or_else(|| rounds(None)).ok_or(Stop::Not)?;
        let solved = self.all_ends(&mut rounds, &first, span)?;
        self.meter.took(ways::THROWS);
        match solved {
            Solved::Finite(solved) if is_finished => {
                self.meter.took(ways::LOOP_AND_REST);
                Ok(Came::Past(finished_values(rounds, &solved)))
            }
            solved => {
                let ends = joined(&rounds, &solved, counter, self.meter);
                let ends = ends.map_err(too_much(span))?;
                ends.map(|ends| Came::To(ends, Box::default())).ok_or(Stop::Not)
            }
        }
    }

    /// Follows a loop to all its ends, and solves it.
    fn all_ends(
        &mut self,
        rounds: &mut Rounds<'p>,
        first: &[Value],
        span: Span,
    ) -> Result<Solved, Stop> {
        rounds.start(first);
        let mut chain = Chain::default();
        let mut found = 0;
        while chain.nodes.len() < rounds.count() {
            if rounds.starts() > ways::MOST_NODES {
                return Err(Stop::Endless);
            }
            self.pay(20, span)?;
            let node = rounds.node(self, chain.nodes.len())?;
            found += node.steps.len();
            let bytes = (found * size_of::<Step>()) as u64 + rounds.store.bytes();
            self.meter.room(bytes).map_err(|refusal| self.refuse(refusal, span))?;
            if found > ways::MOST_STEPS {
                return Err(Stop::Not);
            }
            chain.nodes.push(node);
        }
        chain.ends = rounds.ends();
        let solved = chain.solve(self.meter);
        let solved = solved.map_err(too_much(span))?;
        solved.ok_or(Stop::Not)
    }

    /// The law of an expression that is a number, from the values of its variables, in the general way. None
    /// if it is something else, or anything can go wrong.
    fn law_by_states(
        &mut self,
        node: &'p Node,
        function: Option<usize>,
        values: &[Option<Value>],
    ) -> Option<Law> {
        let body = function.map_or(Body::Part(node.id), Body::Function);
        let summary = self.summary(place(body, locals_of(node, values), &[]), node).ok()?;
        let known = summary.aside.is_nothing() && summary.results.iter().all(Yield::is_known);
        summary.law(self.meter).ok()?.filter(|_| known)
    }
}

/// The values of what follows a loop.
fn finished_values(rounds: Rounds<'_>, solved: &Finite) -> Values {
    let ends: Vec<usize> = (0..rounds.ends()).collect();
    let (counted, total) = solved.together(&ends);
    let weights = ends.iter().zip(counted);
    let weights = weights.map(|(end, counted)| (rounds.end(*end)[0], mass(&[counted]))).collect();
    Values::new(Arc::new(rounds.store), weights, total)
}

/// The ends, those that differ in one number joined. None if the law of that number is not known.
fn joined(
    rounds: &Rounds<'_>,
    solved: &Solved,
    counter: Option<usize>,
    meter: &Meter,
) -> Result<Option<Ends>, OverBudget> {
    let value = |word: &Word| rounds.store.value(*word);
    let end = |place: usize| (place, rounds.end(place).iter().map(value).collect());
    let ends: Vec<(usize, Vec<Value>)> = (0..rounds.ends()).map(end).collect();
    let at = counter.or_else(|| best_number(&ends));
    let mut common: Numbered<Vec<Value>> = Numbered::default();
    let mut groups: Vec<Group> = Vec::new();
    for (place, mut fields) in ends {
        let number = at.map_or(Some(0), |at| {
            std::mem::replace(&mut fields[at], Value::None).as_number()?.to_i64()
        });
        let Some(number) = number else { return Ok(None) };
        let group = common.number(fields);
        groups.resize_with(common.list.len(), Group::new);
        groups[group].push((place, number));
    }
    let Some(laws) = solved.laws(&groups, meter)? else { return Ok(None) };
    let end = |(fields, law): (Vec<Value>, Option<(Law, Rational)>)| {
        let (law, chance) = law?;
        Some(with_law(fields, at, law, chance))
    };
    Ok(Some(common.list.into_iter().zip(laws).filter_map(end).collect()))
}

/// An end with a number that has a law, if there is one.
fn with_law(
    fields: Vec<Value>,
    at: Option<usize>,
    law: Law,
    chance: Weight,
) -> (Vec<Sym>, Vec<crate::state::VarLaw>, Weight) {
    let mut state = State::default();
    let number = state.number(law);
    let mut fields: Vec<Sym> = fields.iter().map(Sym::from_value).collect();
    if let Some(slot) = at.and_then(|at| fields.get_mut(at)) {
        *slot = number;
    }
    (fields, state.laws, chance)
}

/// The field, a whole number in all ends, without which the fewest ends are left; none if no two would meet.
fn best_number(ends: &[(usize, Vec<Value>)]) -> Option<usize> {
    let whole = |value: &Value| value.as_number().is_some_and(|n| n.to_i64().is_some());
    let fields = ends.first()?.1.len();
    let left = |at: usize| {
        let others = |(_, end): &(usize, Vec<Value>)| [&end[..at], &end[at + 1..]].concat();
        ends.iter().map(others).collect::<FxHashSet<_>>().len()
    };
    let numbers = (0..fields).filter(|at| ends.iter().all(|(_, end)| whole(&end[*at])));
    let best = numbers.map(|at| (left(at), at)).min()?;
    (best.0 < ends.len()).then_some(best.1)
}
