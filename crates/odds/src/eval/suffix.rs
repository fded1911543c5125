//! Suffixes: what is done to the dice on the table.

use astragal_prob::Comparison;
use astragal_prob::pool::{Condition, End, Hands, Order, Stage, Style, Trigger, differing};
use astragal_program::core;
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_value::{Number, Value};

use super::decide::{Done, Turn, pop_number};
use super::drawn::pop_count;
use super::judged::{Must, Part, of_suffix};
use super::unending::goes_on;
use super::{Live, Machine, Outcome};
use crate::asked::Act;
use crate::failure::Failure;
use crate::plan::{self, Node, Suffix, SuffixKind, suffix_parts};
use crate::state::{State, States, Sym, Weight};

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn suffixed(
        &mut self,
        pool: &'p Node,
        suffix: &'p Suffix,
        states: States,
        live: &Live,
    ) -> Outcome {
        let numbers = suffix_parts(&suffix.kind);
        let own = of_suffix(&suffix.kind, &numbers).into_iter();
        let parts: Vec<Part<'p>> = [(pool, Must::Anything)].into_iter().chain(own).collect();
        let states = self.run_parts(&parts, states, live)?;
        let states = self.decided(states, numbers.len(), suffix.span)?;
        self.each(states, suffix.span, |machine, state, turn| {
            machine.add_suffix(suffix, state, turn)
        })
    }

    fn add_suffix(&mut self, suffix: &Suffix, mut state: State, turn: &mut Turn<'_>) -> Done {
        // Whether dice can all differ depends on how many they are.
        if matches!(suffix.kind, SuffixKind::Unique)
            && let Some(Sym::Pool(pool)) = state.stack.last()
            && state.table(pool.var).is_some_and(|table| table.random.is_some())
        {
            return self.in_each_case(&state, pool.var, turn, |machine, state, turn| {
                machine.add_suffix(suffix, state, turn)
            });
        }
        let act = act(&mut state, &suffix.kind, turn.weight)?;
        let is_stage = matches!(act, Act::Stage(_));
        if let Some(Sym::Pool(pool)) = state.stack.last_mut() {
            match act {
                Act::Stage(stage) => pool.later.push(stage),
                Act::Mark(condition, worth) => pool.marks.push((condition, worth)),
            }
        }
        if is_stage && goes_on(&state).is_some() {
            return self.unending(state, turn);
        }
        if matches!(suffix.kind, SuffixKind::Unique) {
            return self.differing(state, turn);
        }
        turn.go_on(state);
        Ok(())
    }

    /// Fails where dice of several kinds, or that other suffixes have changed, have nowhere to go: others show all
    /// their faces. That tells something of the dice that are left, so these are decided.
    fn differing(&self, mut state: State, turn: &mut Turn<'_>) -> Done {
        let Some((hands, stuck)) = self.stuck(&state) else {
            turn.go_on(state);
            return Ok(());
        };
        if let Some(Sym::Pool(pool)) = state.stack.last_mut() {
            let (var, spared) = (pool.var, turn.weight * (Weight::ONE - &stuck));
            pool.later.clear();
            let states = hands.into_iter().flat_map(|hands| state.with_hands(var, hands));
            turn.after.list.extend(states.map(|(state, chance)| (state, &spared * chance)));
        }
        let kind = FaultKind::NeverStops(NeverStops::Unique);
        Err(Failure::new(kind, turn.span, turn.weight * stuck))
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
}

/// What a suffix does, its numbers taken off the stack.
fn act(state: &mut State, kind: &SuffixKind, weight: &Weight) -> Result<Act, Failure> {
    Ok(Act::Stage(match kind {
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
            return Ok(Act::Mark(pop_condition(state, condition), 1));
        }
        SuffixKind::CountAgainst(condition) => {
            return Ok(Act::Mark(pop_condition(state, condition), -1));
        }
        SuffixKind::InAll { act: inner, most, first } => {
            let most = pop_count(state, weight, most.span)?;
            match act(state, inner, weight)? {
                Act::Stage(act) => {
                    Stage::InAll { act: Box::new(act), most, first: to_order(*first) }
                }
                // The checker limits only what throws.
                mark @ Act::Mark(..) => return Ok(mark),
            }
        }
        SuffixKind::Unique => Stage::Unique,
    }))
}

/// What a suffix does, its numbers being known; none if they do not fit.
pub(crate) fn act_of(kind: &SuffixKind, numbers: Vec<Number>) -> Option<Act> {
    let stack = numbers.into_iter().map(|number| Sym::Value(Value::Number(number))).collect();
    act(&mut State { stack, ..State::default() }, kind, &Weight::ONE).ok()
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
