//! Loops whose rounds can be followed path by path: a chain of nodes with whole weights.
//!
//! Everything that is carried is decided, and so is every end, so the loop is solved on whole numbers
//! ([`crate::chain`]). Ends that differ in one number become one end whose number has a law, as where states
//! meet ([`crate::state`]), but before there are any states.

use astragal_prob::{Law, Natural, Rational};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Machine;
use super::paths::Limits;
use super::repeat::Ends;
use crate::chain::{Chain, Counted, Node, Solved, Step, To};
use crate::failure::{Failure, over_budget};
use crate::plan::Repeat;
use crate::state::{State, Sym, Weight};

/// More nodes than this are taken for endless.
const MOST_NODES: usize = 40_000;

/// More steps than this, from all nodes together, are left to the states, which can keep numbers undecided.
const MOST_STEPS: usize = 400_000;

/// What comes of following a loop path by path.
pub(super) enum Chained {
    Solved(Ends),
    /// There seems to be no end of nodes.
    Endless,
    /// A round is not so simple.
    Not,
}

/// A loop under way.
struct Explored {
    chain: Chain,
    nodes: Vec<Vec<Value>>,
    known: FxHashMap<Vec<Value>, usize>,
    ends: Vec<Vec<Value>>,
    known_ends: FxHashMap<Vec<Value>, usize>,
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
        let Some(mut values) = self.values_for(&repeat.round, &start.locals) else {
            return Ok(Chained::Not);
        };
        let first = repeat.state.iter().map(|local| {
            start.locals.get(local.0 as usize).and_then(Sym::to_value).unwrap_or(Value::None)
        });
        let first: Vec<Value> = first.collect();
        let mut explored = Explored {
            chain: Chain::default(),
            known: FxHashMap::from_iter([(first.clone(), 0)]),
            nodes: vec![first],
            ends: Vec::new(),
            known_ends: FxHashMap::default(),
        };
        let mut found = 0;
        while let Some(node) = explored.nodes.get(explored.chain.nodes.len()) {
            if explored.nodes.len() > MOST_NODES {
                return Ok(Chained::Endless);
            }
            self.pay(40, span)?;
            for (local, value) in repeat.state.iter().zip(node) {
                if let Some(slot) = values.get_mut(local.0 as usize) {
                    slot.clone_from(value);
                }
            }
            let Some(round) = self.atom_by_paths(&repeat.round, &values, Limits::ROUND) else {
                return Ok(Chained::Not);
            };
            found += round.outcomes.len();
            if found > MOST_STEPS {
                return Ok(Chained::Not);
            }
            let mut steps = Vec::with_capacity(round.outcomes.len());
            for (value, weight) in &round.outcomes {
                let Some((to, tick)) = explored.step(value, repeat, counter) else {
                    return Ok(Chained::Not);
                };
                steps.push(Step { to, tick, weight: weight.clone() });
            }
            explored.chain.nodes.push(Node { total: round.total.clone(), steps });
        }
        explored.chain.ends = explored.ends.len();
        let Explored { chain, ends, .. } = explored;
        let solved = chain.solve(self.meter);
        let solved = solved.map_err(|refusal| Failure::refused(over_budget(refusal), span))?;
        Ok(solved
            .and_then(|solved| joined(ends, &solved, counter))
            .map_or(Chained::Not, Chained::Solved))
    }
}

impl Explored {
    /// Where a round leads that yields this record, and what it counts. None if what it counts is no
    /// whole number.
    fn step(
        &mut self,
        round: &Value,
        repeat: &Repeat,
        counter: Option<usize>,
    ) -> Option<(To, i64)> {
        let Value::Record(_, fields) = round else { return None };
        let (until, fields) = fields.split_last()?;
        let mut fields = fields.to_vec();
        let tick = match counter {
            None => 0,
            Some(at) => {
                let zero = Value::Number(Number::ZERO);
                let Value::Number(tick) = std::mem::replace(fields.get_mut(at)?, zero) else {
                    return None;
                };
                tick.to_i64().filter(|tick| tick.abs() < 1 << 14)?
            }
        };
        let (known, list) = match until.as_bool()? {
            true => {
                for (field, asked) in fields.iter_mut().zip(&repeat.asked) {
                    if !asked {
                        *field = Value::None;
                    }
                }
                (&mut self.known_ends, &mut self.ends)
            }
            false => (&mut self.known, &mut self.nodes),
        };
        let place = match known.get(&fields) {
            Some(place) => *place,
            None => {
                known.insert(fields.clone(), list.len());
                list.push(fields);
                list.len() - 1
            }
        };
        Some((if until.as_bool()? { To::End(place) } else { To::Node(place) }, tick))
    }
}

/// What ends have in common, and their places with the number in which they differ.
type Group = (Vec<Value>, Vec<(usize, i64)>);

/// The ends, those that differ in one number joined.
fn joined(ends: Vec<Vec<Value>>, solved: &Solved, counter: Option<usize>) -> Option<Ends> {
    let mut list = Ends::new();
    let Some(at) = counter.or_else(|| best_number(&ends)) else {
        for (place, fields) in ends.iter().enumerate() {
            let (counted, total) = solved.together(&[place]);
            let fields = fields.iter().map(Sym::from_value).collect();
            list.push((fields, Vec::new(), Rational::from_parts(mass(&counted).into(), total)));
        }
        return Some(list);
    };
    let mut places: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    for (place, mut fields) in ends.into_iter().enumerate() {
        let number = std::mem::replace(&mut fields[at], Value::None).as_number()?.to_i64()?;
        let group = *places.entry(fields).or_insert_with_key(|fields| {
            groups.push((fields.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push((place, number));
    }
    for (fields, members) in groups {
        let places: Vec<usize> = members.iter().map(|(place, _)| *place).collect();
        let (counted, total) = solved.together(&places);
        let chance = Rational::from_parts(mass(&counted).into(), total);
        let weights = members.iter().zip(counted).flat_map(|((_, number), counted)| {
            let from = number + counted.least;
            let weights = counted.weights.into_iter().enumerate();
            weights.map(move |(more, weight)| (Rational::from(from + more as i64), weight))
        });
        let law = Law::from_weights(weights.collect::<Vec<_>>())?;
        list.push(with_law(fields, at, law, chance));
    }
    Some(list)
}

fn mass(counted: &[Counted]) -> Natural {
    counted.iter().flat_map(|counted| &counted.weights).fold(Natural::ZERO, |sum, w| sum + w)
}

/// An end with a number that has a law.
fn with_law(
    fields: Vec<Value>,
    at: usize,
    law: Law,
    chance: Weight,
) -> (Vec<Sym>, Vec<crate::state::VarLaw>, Weight) {
    let mut state = State::default();
    let number = state.number(law);
    let mut fields: Vec<Sym> = fields.iter().map(Sym::from_value).collect();
    if let Some(slot) = fields.get_mut(at) {
        *slot = number;
    }
    (fields, state.laws, chance)
}

/// The field, a whole number in all ends, without which the fewest ends are left; none if no two would meet.
fn best_number(ends: &[Vec<Value>]) -> Option<usize> {
    let whole = |value: &Value| value.as_number().is_some_and(|n| n.to_i64().is_some());
    let fields = ends.first()?.len();
    let left = |at: usize| {
        let others = |end: &Vec<Value>| [&end[..at], &end[at + 1..]].concat();
        ends.iter().map(others).collect::<FxHashSet<_>>().len()
    };
    let numbers = (0..fields).filter(|at| ends.iter().all(|end| whole(&end[*at])));
    let best = numbers.map(|at| (left(at), at)).min()?;
    (best.0 < ends.len()).then_some(best.1)
}
