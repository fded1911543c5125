//! Suffixes: what is done to the dice on the table.

use astragal_prob::Comparison;
use astragal_prob::pool::{Condition, End, Hands, Order, Stage, Style, Trigger, differing};
use astragal_program::core::{self, SuffixKind};
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_value::Number;

use super::decide::{Done, Turn};
use super::judged::{Must, Part, of_suffix};
use super::record::pop;
use super::unending::goes_on;
use super::{Live, Machine, Outcome};
use crate::asked::Act;
use crate::failure::Failure;
use crate::plan::{Node, Suffix};
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
        let numbers = suffix.kind.numbers();
        let own = of_suffix(&suffix.kind, &numbers);
        let parts: Vec<Part<'p>> = [(pool, Must::Anything)].into_iter().chain(own).collect();
        let states = self.run_parts(&parts, states, live)?;
        let states = self.decided(states, numbers.len(), suffix.span)?;
        self.each(states, suffix.span, |machine, mut state, turn| {
            let given = pop(&mut state, numbers.len());
            let given = given.iter().filter_map(Sym::to_value);
            let given = given.filter_map(|value| value.as_number().cloned()).collect();
            let act = act_of(&suffix.kind, given);
            let act = act.ok_or_else(|| Failure::refused(FaultKind::NotKnown, suffix.span))?;
            machine.add_suffix(act, state, turn)
        })
    }

    fn add_suffix(&mut self, act: Act, mut state: State, turn: &mut Turn<'_>) -> Done {
        let is_unique = matches!(act, Act::Stage(Stage::Unique));
        let var = match state.stack.last() {
            Some(Sym::Pool(pool)) => pool.var,
            _ => return turn.go_on(state),
        };
        // Whether dice can all differ depends on how many they are.
        if is_unique && state.table(var).is_some_and(|table| table.random.is_some()) {
            return self.in_each_case(&state, var, turn, |machine, state, turn| {
                machine.add_suffix(act.clone(), state, turn)
            });
        }
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
        if is_unique {
            return self.differing(state, turn);
        }
        turn.go_on(state)
    }

    /// Fails where dice of several kinds, or that other suffixes have changed, have nowhere to go: others show all
    /// their faces. That tells something of the dice that are left, so these are decided.
    fn differing(&self, mut state: State, turn: &mut Turn<'_>) -> Done {
        let Some((hands, stuck)) = self.stuck(&state) else {
            return turn.go_on(state);
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

/// What a suffix does, its numbers being known; none if they do not fit.
pub(crate) fn act_of<E>(kind: &SuffixKind<E>, numbers: Vec<Number>) -> Option<Act> {
    act(kind, &mut numbers.into_iter())
}

fn act<E>(kind: &SuffixKind<E>, numbers: &mut std::vec::IntoIter<Number>) -> Option<Act> {
    Some(Act::Stage(match kind {
        SuffixKind::Keep(end, _) => Stage::Keep(to_end(*end), count(numbers)?),
        SuffixKind::Drop(end, _) => Stage::Drop(to_end(*end), count(numbers)?),
        SuffixKind::Explode { style, trigger, limit } => {
            let trigger = match trigger {
                Some(of) => Trigger::When(condition(of, numbers)?),
                None => Trigger::Highest,
            };
            let limit = if limit.is_some() { Some(count(numbers)?) } else { None };
            Stage::Explode { trigger, style: to_style(*style), limit }
        }
        SuffixKind::Reroll { once, condition: of } => {
            Stage::Reroll { when: condition(of, numbers)?, once: *once }
        }
        SuffixKind::AtLeast(_) => Stage::AtLeast(numbers.next()?.to_rational()),
        SuffixKind::AtMost(_) => Stage::AtMost(numbers.next()?.to_rational()),
        SuffixKind::CountFor(of) => return Some(Act::Mark(condition(of, numbers)?, 1)),
        SuffixKind::CountAgainst(of) => return Some(Act::Mark(condition(of, numbers)?, -1)),
        SuffixKind::InAll { act: inner, first, .. } => match act(inner, numbers)? {
            Act::Stage(act) => {
                let (act, most) = (Box::new(act), count(numbers)?);
                Stage::InAll { act, most, first: to_order(*first) }
            }
            // The checker limits only what throws.
            mark @ Act::Mark(..) => return Some(mark),
        },
        SuffixKind::Unique => Stage::Unique,
        // Sorting is for the eye.
        SuffixKind::Ascending | SuffixKind::Descending => return None,
    }))
}

/// A number of dice, or of throws. More than a word can count are refused by the budget in any case.
fn count(numbers: &mut std::vec::IntoIter<Number>) -> Option<u64> {
    let number = numbers.next().filter(|number| number.is_whole() && !number.is_negative())?;
    Some(number.to_u64().unwrap_or(u64::MAX))
}

fn condition<E>(
    of: &core::Condition<E>,
    numbers: &mut std::vec::IntoIter<Number>,
) -> Option<Condition> {
    Some(Condition { op: comparison_of(of.comparison), value: numbers.next()?.to_rational() })
}

fn comparison_of(comparison: core::Comparison) -> Comparison {
    match comparison {
        core::Comparison::Equal => Comparison::Equal,
        core::Comparison::NotEqual => Comparison::NotEqual,
        core::Comparison::Less => Comparison::Less,
        core::Comparison::AtMost => Comparison::AtMost,
        core::Comparison::Greater => Comparison::Greater,
        core::Comparison::AtLeast => Comparison::AtLeast,
    }
}

fn to_end(end: core::End) -> End {
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

fn to_style(style: core::ExplodeStyle) -> Style {
    match style {
        core::ExplodeStyle::Separate => Style::Separate,
        core::ExplodeStyle::Compound => Style::Compound,
        core::ExplodeStyle::Penetrate => Style::Penetrate,
    }
}
