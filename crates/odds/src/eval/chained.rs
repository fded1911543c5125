//! Loops whose rounds are simple: a chain of nodes with whole weights.
//!
//! Everything that is carried is decided, and so is every end, so the loop is solved on whole numbers
//! ([`astragal_prob::chain`]). What a round throws is told from what it does with it ([`throws`]); the rest is code on
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

mod cast;
mod open;
mod rounds;
mod throws;

use std::sync::Arc;

use astragal_prob::{Law, Meter, OverBudget, Rational};
use astragal_program::core::LocalId;
use astragal_syntax::span::Span;
use astragal_value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Machine;
use super::call::Body;
use super::hoisted::locals_of;
use super::repeat::Ends;
use crate::failure::{Failure, over_budget};
use crate::plan::{Node, NodeId, Repeat};
use crate::state::{Drawn, State, Sym, Values, Weight};
use crate::ways;
use astragal_prob::chain::{Chain, Group, Solved, mass};
use open::OpenGroups;
pub(super) use rounds::Finish;
use rounds::{Rounds, Stop};
use throws::{as_one, throws_of};

/// What comes of following a loop node by node.
pub(super) enum Chained {
    Solved(Ends),
    /// There seems to be no end of nodes.
    Endless,
    /// A round is not so simple.
    Not,
}

/// A loop that was followed to all its ends.
enum Followed<'p> {
    Solved(Box<Rounds<'p>>, Solved),
    Endless,
    /// An endless throw ends it in endless many ways.
    Open,
    Not,
}

impl<'p> Machine<'p> {
    /// The ends of a loop from given variables, if its rounds are simple enough.
    pub(super) fn chained(
        &mut self,
        repeat: &'p Repeat,
        counter: Option<usize>,
        start: &State,
        span: Span,
    ) -> Result<Chained, Failure> {
        if !start.laws.is_empty() {
            return Ok(Chained::Not);
        }
        let Some(values) = self.variables_of(&repeat.round, &start.locals) else {
            return Ok(Chained::Not);
        };
        let first = repeat.state.iter().map(|local| {
            start.locals.get(local.0 as usize).and_then(Sym::to_value).unwrap_or(Value::None)
        });
        let first: Vec<Value> = first.collect();
        if let Some(in_vain) = &self.in_vain
            && in_vain.place == repeat.round.id
            && in_vain.first == first
        {
            return Ok(if in_vain.is_endless { Chained::Endless } else { Chained::Not });
        }
        Ok(match self.all_ends(repeat, counter, None, &first, values, span)? {
            Followed::Endless => Chained::Endless,
            Followed::Not | Followed::Open => Chained::Not,
            Followed::Solved(rounds, solved) => {
                let ends = self.ends_with_laws(&rounds, &solved, counter, span)?;
                ends.map_or(Chained::Not, Chained::Solved)
            }
        })
    }

    /// The ends of a loop, those that differ in one number joined, and open ones with their laws.
    fn ends_with_laws(
        &self,
        rounds: &Rounds<'p>,
        solved: &Solved,
        counter: Option<usize>,
        span: Span,
    ) -> Result<Option<Ends>, Failure> {
        let mut closed = Vec::new();
        let mut groups = OpenGroups::default();
        for place in 0..rounds.ends() {
            let fields: Vec<Value> =
                rounds.end(place).iter().map(|word| rounds.store.value(*word)).collect();
            match rounds.open_end(place) {
                None => closed.push((place, fields)),
                Some(end) => groups.add(place, fields, end),
            }
        }
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        let open = match solved {
            Solved::Finite(solved) => groups.ends(solved, self.meter).map_err(refuse)?,
            Solved::Endless(_) => Ends::new(),
        };
        let ends = joined(closed, solved, counter, self.meter).map_err(refuse)?;
        Ok(ends.map(|mut ends| {
            ends.extend(open);
            ends
        }))
    }

    /// The law of what follows a loop whose record is bound to a variable, if it throws nothing and looks at
    /// nothing undecided. None if the loop is not so simple; then nothing has happened.
    pub(super) fn loop_and_rest(
        &mut self,
        repeat: &'p Repeat,
        finish: Finish<'p>,
        locals: &[Sym],
        span: Span,
    ) -> Result<Option<Drawn>, Failure> {
        let counts = self.lifted(repeat).is_some() || repeat.count.is_some();
        if counts || !self.meter.may(ways::LOOP_AND_REST) || !finish.body.is_still() {
            return Ok(None);
        }
        let Some((first, values)) = self.before_loop(repeat, finish, locals) else {
            return Ok(None);
        };
        let place = repeat.round.id;
        let is_endless = match self.all_ends(repeat, None, Some(finish), &first, values, span)? {
            Followed::Solved(rounds, Solved::Finite(solved)) => {
                self.meter.took(ways::LOOP_AND_REST);
                let ends: Vec<usize> = (0..rounds.ends()).collect();
                let (counted, total) = solved.together(&ends);
                let weights = ends.iter().zip(counted);
                let weights = weights.map(|(end, counted)| (rounds.end(*end)[0], mass(&[counted])));
                let weights = weights.collect();
                let values = Values::new(Arc::new(rounds.store), weights, total);
                return Ok(Some(values.into()));
            }
            Followed::Open | Followed::Solved(_, Solved::Endless(_)) => return Ok(None),
            Followed::Endless => true,
            Followed::Not => false,
        };
        self.in_vain = Some(InVain { place, first, is_endless });
        Ok(None)
    }

    /// The first values that a loop carries, and all variables that it and what follows it read, if they are
    /// decided.
    fn before_loop(
        &self,
        repeat: &'p Repeat,
        finish: Finish<'p>,
        locals: &[Sym],
    ) -> Option<(Vec<Value>, Vec<Option<Value>>)> {
        let mut values = vec![None; locals.len()];
        let bound = |local: &LocalId| *local == finish.last || repeat.state.contains(local);
        for node in repeat.first.iter().chain([&repeat.round, finish.body]) {
            for local in node.free.iter().filter(|local| !bound(local)) {
                let at = local.0 as usize;
                *values.get_mut(at)? = Some(locals.get(at)?.to_value()?);
            }
        }
        let first = |node: &'p Node| {
            node.is_still().then_some(())?;
            self.still_value(node, &values)
        };
        let first: Vec<Value> = repeat.first.iter().map(first).collect::<Option<_>>()?;
        Some((first, values))
    }

    /// Follows a loop to all its ends, and solves it.
    fn all_ends(
        &mut self,
        repeat: &'p Repeat,
        counter: Option<usize>,
        finish: Option<Finish<'p>>,
        first: &[Value],
        values: Vec<Option<Value>>,
        span: Span,
    ) -> Result<Followed<'p>, Failure> {
        let may = self.meter.may(ways::THROWS);
        let thrown = may.then(|| throws_of(self, &repeat.round, &repeat.state)).flatten();
        if let Some(thrown) = thrown
            && let Some(rounds) = Rounds::new(self, repeat, counter, thrown, finish, values.clone())
        {
            match self.ends_of_rounds(rounds, first, span)? {
                Followed::Not => {}
                followed => {
                    self.meter.took(ways::THROWS);
                    return Ok(followed);
                }
            }
        }
        if !self.meter.may(ways::ROUNDS) {
            return Ok(Followed::Not);
        }
        match Rounds::new(self, repeat, counter, as_one(&repeat.round), finish, values) {
            Some(rounds) => {
                let followed = self.ends_of_rounds(rounds, first, span)?;
                if !matches!(followed, Followed::Not) {
                    self.meter.took(ways::ROUNDS);
                }
                Ok(followed)
            }
            None => Ok(Followed::Not),
        }
    }

    fn ends_of_rounds(
        &mut self,
        mut rounds: Rounds<'p>,
        first: &[Value],
        span: Span,
    ) -> Result<Followed<'p>, Failure> {
        rounds.start(first);
        let mut chain = Chain::default();
        let mut found = 0;
        while chain.nodes.len() < rounds.count() {
            if rounds.starts() > ways::MOST_NODES {
                return Ok(Followed::Endless);
            }
            self.pay(20, span)?;
            let node = match rounds.node(self, chain.nodes.len()) {
                Ok(node) => node,
                Err(Stop::Not) => return Ok(Followed::Not),
                Err(Stop::Open) => return Ok(Followed::Open),
                Err(Stop::Endless) => return Ok(Followed::Endless),
                Err(Stop::Failed(failure)) => return Err(failure),
            };
            found += node.steps.len();
            let bytes =
                (found * size_of::<astragal_prob::chain::Step>()) as u64 + rounds.store.bytes();
            self.meter.room(bytes).map_err(|refusal| self.refuse(refusal, span))?;
            if found > ways::MOST_STEPS {
                return Ok(Followed::Not);
            }
            chain.nodes.push(node);
        }
        chain.ends = rounds.ends();
        let solved = chain.solve(self.meter);
        let solved = solved.map_err(|refusal| Failure::refused(over_budget(refusal), span))?;
        Ok(solved.map_or(Followed::Not, |solved| Followed::Solved(Box::new(rounds), solved)))
    }

    /// The law of an expression that is a number, from the values of its variables, in the general way. None
    /// if it is something else, or anything can go wrong.
    fn law_by_states(&mut self, node: &'p Node, values: &[Option<Value>]) -> Option<Law> {
        let summary = self.summary(Body::Part(node.id), node, locals_of(node, values), &[]).ok()?;
        if !summary.aside.is_nothing() {
            return None;
        }
        let mut parts = Vec::with_capacity(summary.results.len());
        for result in &summary.results {
            let form = result.value.as_form().filter(|_| result.is_known())?;
            parts.push((result.chance.clone(), result.state.law_of(&form, self.meter).ok()?));
        }
        match parts.as_slice() {
            [(_, law)] => Some(law.clone()),
            parts => Law::mixture(parts, self.meter).ok(),
        }
    }
}

/// A loop that was followed in vain.
pub(super) struct InVain {
    place: NodeId,
    first: Vec<Value>,
    is_endless: bool,
}

/// The ends with their places, those that differ in one number joined. None if the law of that number is not
/// known.
fn joined(
    ends: Vec<(usize, Vec<Value>)>,
    solved: &Solved,
    counter: Option<usize>,
    meter: &Meter,
) -> Result<Option<Ends>, OverBudget> {
    let at = counter.or_else(|| best_number(&ends));
    let mut places: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut common: Vec<Vec<Value>> = Vec::new();
    for (place, mut fields) in ends {
        let number = at.map_or(Some(0), |at| {
            std::mem::replace(&mut fields[at], Value::None).as_number()?.to_i64()
        });
        let Some(number) = number else { return Ok(None) };
        let group = *places.entry(fields).or_insert_with_key(|fields| {
            common.push(fields.clone());
            groups.push(Group::new());
            groups.len() - 1
        });
        groups[group].push((place, number));
    }
    let Some(laws) = solved.laws(&groups, meter)? else { return Ok(None) };
    let end = |(fields, law): (Vec<Value>, Option<(Law, Rational)>)| {
        let (law, chance) = law?;
        Some(with_law(fields, at, law, chance))
    };
    Ok(Some(common.into_iter().zip(laws).filter_map(end).collect()))
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
