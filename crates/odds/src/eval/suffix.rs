//! Suffixes: what is done to the dice on the table.

use astragal_prob::Comparison;
use astragal_prob::pool::{Condition, End, Hands, Order, Stage, Style, Trigger, differing};
use astragal_program::core;
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::decide::pop_number;
use super::dice::whole_count;
use super::unending::goes_on;
use super::{Live, Machine, Outcome, put_aside};
use crate::asked::Act;
use crate::failure::Failure;
use crate::plan::{self, Node, Suffix, SuffixKind, suffix_parts};
use crate::state::{State, States, Sym, Weight};

impl<'p> Machine<'p> {
    pub(super) fn suffixed(
        &mut self,
        pool: &'p Node,
        suffix: &'p Suffix,
        states: States,
        live: &Live,
    ) -> Outcome {
        let numbers = suffix_parts(&suffix.kind);
        let around = numbers.iter().fold(live.clone(), |live, node| live.and(node));
        let mut states = self.run(pool, states, &around)?;
        for (at, node) in numbers.iter().enumerate() {
            let later = numbers[at + 1..].iter().fold(live.clone(), |live, node| live.and(node));
            states = self.run(node, states, &later)?;
        }
        let states = self.decided_numbers(states, numbers.len(), suffix.span)?;
        self.each(states, |machine, state, weight, after| {
            machine.add_suffix(suffix, state, weight, after)
        })
    }

    fn add_suffix(
        &mut self,
        suffix: &Suffix,
        mut state: State,
        weight: &Weight,
        after: &mut States,
    ) -> Result<(), Failure> {
        // Whether dice can all differ depends on how many they are.
        if matches!(suffix.kind, SuffixKind::Unique)
            && let Some(Sym::Pool(pool)) = state.stack.last()
            && state.table(pool.var).is_some_and(|table| table.random.is_some())
        {
            let var = pool.var;
            for (state, weight) in self.split(&state, var, weight, suffix.span, after)? {
                let result = self.add_suffix(suffix, state, &weight, after);
                put_aside(result, after)?;
            }
            return Ok(());
        }
        if add(&mut state, suffix, weight)? && goes_on(&state).is_some() {
            return self.unending(state, weight, suffix.span, after);
        }
        if matches!(suffix.kind, SuffixKind::Unique) {
            return self.differing(state, weight, suffix.span, after);
        }
        after.list.push((state, weight.clone()));
        Ok(())
    }

    /// Fails where dice of several kinds, or that other suffixes have changed, have nowhere to go: others show all
    /// their faces. That tells something of the dice that are left, so these are decided.
    fn differing(
        &self,
        mut state: State,
        weight: &Weight,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let Some((hands, stuck)) = self.stuck(&state) else {
            after.list.push((state, weight.clone()));
            return Ok(());
        };
        if let Some(Sym::Pool(pool)) = state.stack.last_mut() {
            let (var, spared) = (pool.var, weight * (Weight::ONE - &stuck));
            pool.later.clear();
            let states = hands.iter().flat_map(|hands| state.with_hands(var, hands));
            after.list.extend(states.map(|(state, chance)| (state, &spared * chance)));
        }
        Err(Failure::new(FaultKind::NeverStops(NeverStops::Unique), span, weight * stuck))
    }

    /// The dice on top of the stack that were made to differ, and the chance that they cannot, if there is one.
    fn stuck(&self, state: &State) -> Option<(Option<Hands>, Weight)> {
        let Some(Sym::Pool(pool)) = state.stack.last() else { return None };
        let (_, before) = pool.later.split_last()?;
        let all = state.table(pool.var)?.with(before);
        if all.stages.is_empty() && all.groups.len() < 2 {
            return None;
        }
        differing(&all, self.meter).ok().filter(|(_, stuck)| !stuck.is_zero())
    }

    fn decided_numbers(&mut self, states: States, count: usize, span: Span) -> Outcome {
        if count == 0 { Ok(states) } else { self.decided(states, count, span) }
    }
}

/// Adds the suffix to the pool below its numbers on the stack. Whether it does more than mark dice.
fn add(state: &mut State, suffix: &Suffix, weight: &Weight) -> Result<bool, Failure> {
    let Some(stage) = stage_of(state, &suffix.kind, weight)? else { return Ok(false) };
    if let Some(Sym::Pool(pool)) = state.stack.last_mut() {
        pool.later.push(stage);
    }
    Ok(true)
}

/// The stage that a suffix says, its numbers taken off the stack; none if it only marks dice.
fn stage_of(
    state: &mut State,
    kind: &SuffixKind,
    weight: &Weight,
) -> Result<Option<Stage>, Failure> {
    Ok(Some(match kind {
        SuffixKind::Keep(end, n) => Stage::Keep(to_end(*end), pop_count(state, weight, n.span)?),
        SuffixKind::Drop(end, n) => Stage::Drop(to_end(*end), pop_count(state, weight, n.span)?),
        SuffixKind::Explode { style, trigger, limit } => {
            let limit = match limit {
                Some(n) => Some(pop_count(state, weight, n.span)?),
                None => None,
            };
            let trigger = match trigger {
                Some(condition) => Trigger::When(pop_condition(state, condition)),
                None => Trigger::Highest,
            };
            Stage::Explode { trigger, style: to_style(*style), limit }
        }
        SuffixKind::Reroll { once, condition } => {
            Stage::Reroll { when: pop_condition(state, condition), once: *once }
        }
        SuffixKind::AtLeast(_) => Stage::AtLeast(pop_number(state).to_rational()),
        SuffixKind::AtMost(_) => Stage::AtMost(pop_number(state).to_rational()),
        SuffixKind::CountFor(condition) => {
            mark(state, condition, 1);
            return Ok(None);
        }
        SuffixKind::CountAgainst(condition) => {
            mark(state, condition, -1);
            return Ok(None);
        }
        SuffixKind::InAll { act, most, first } => {
            let most = pop_count(state, weight, most.span)?;
            let Some(act) = stage_of(state, act, weight)? else { return Ok(None) };
            Stage::InAll { act: Box::new(act), most, first: to_order(*first) }
        }
        SuffixKind::Unique => Stage::Unique,
    }))
}

/// What a suffix does, its numbers being known; none if they do not fit.
pub(crate) fn act_of(kind: &SuffixKind, numbers: Vec<Number>) -> Option<Act> {
    let stack = numbers.into_iter().map(|number| Sym::Value(Value::Number(number))).collect();
    let mut state = State { stack, ..State::default() };
    match kind {
        SuffixKind::CountFor(condition) => Some(Act::Mark(pop_condition(&mut state, condition), 1)),
        SuffixKind::CountAgainst(condition) => {
            Some(Act::Mark(pop_condition(&mut state, condition), -1))
        }
        _ => stage_of(&mut state, kind, &Weight::ONE).ok().flatten().map(Act::Stage),
    }
}

fn mark(state: &mut State, condition: &plan::Condition, worth: i8) {
    let condition = pop_condition(state, condition);
    if let Some(Sym::Pool(pool)) = state.stack.last_mut() {
        pool.marks.push((condition, worth));
    }
}

fn pop_count(state: &mut State, weight: &Weight, span: Span) -> Result<u64, Failure> {
    let count = state.stack.pop().unwrap_or(Sym::Gone);
    whole_count(&count, weight, span)
}

fn pop_condition(state: &mut State, condition: &plan::Condition) -> Condition {
    let op = comparison_of(condition.comparison);
    Condition { op, value: pop_number(state).to_rational() }
}

pub(crate) fn comparison_of(comparison: core::Comparison) -> Comparison {
    match comparison {
        core::Comparison::Equal => Comparison::Equal,
        core::Comparison::NotEqual => Comparison::NotEqual,
        core::Comparison::Less => Comparison::Less,
        core::Comparison::AtMost => Comparison::AtMost,
        core::Comparison::Greater => Comparison::Greater,
        core::Comparison::AtLeast => Comparison::AtLeast,
    }
}

pub(crate) fn to_end(end: core::End) -> End {
    match end {
        core::End::Highest => End::Highest,
        core::End::Lowest => End::Lowest,
        core::End::Middle => End::Middle,
    }
}

fn to_order(order: core::Order) -> Order {
    match order {
        core::Order::Thrown => Order::Thrown,
        core::Order::Lowest => Order::Lowest,
        core::Order::Highest => Order::Highest,
    }
}

pub(crate) fn to_style(style: core::ExplodeStyle) -> Style {
    match style {
        core::ExplodeStyle::Separate => Style::Separate,
        core::ExplodeStyle::Compound => Style::Compound,
        core::ExplodeStyle::Penetrate => Style::Penetrate,
    }
}
