//! What is told of a play, read by somebody who knows nothing else.
//!
//! The rules for a choice are taken from the JSON and read in their order, in every state that the best play comes to: the first
//! that fits says what is taken, and that has to be one of the best options. This reader shares no code with those who write the
//! rules: it knows what the words mean, and the values that lie on the table.

mod take;
mod when;

use astragal::{Advice, Case, Choice, Odds, Policy, Program, Value, advice};
use serde_json::Value as Json;

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Choices with rules.
    pub choices: u64,
    /// States in which the rules were followed.
    pub states: u64,
    /// The most rules of one choice.
    pub most_rules: usize,
}

/// More looks at rules than that are not taken for one choice: then only every so manyth state is.
const MOST_LOOKS: usize = 300_000;

/// A state: what is known, by name, and whether it is dice.
pub(crate) struct State<'s> {
    known: Vec<(String, &'s Value, bool)>,
}

/// The longest of some lists, if there is one such.
fn longest(value: &Value) -> Option<&Value> {
    let length = |item: &Value| match item {
        Value::List(items) => Some(items.len()),
        _ => None,
    };
    let Value::List(items) = value else { return None };
    let most = items.iter().map(length).max()??;
    let mut found = items.iter().filter(|item| length(item) == Some(most));
    found.next().filter(|_| found.next().is_none())
}

impl<'s> State<'s> {
    /// Of equal names, those after the first are further outside.
    fn of(choice: &Choice, case: &'s Case) -> State<'s> {
        let mut known: Vec<(String, &Value, bool)> = Vec::new();
        for ((name, value), dice) in choice.names.iter().zip(&case.values).zip(&choice.dice) {
            let mut name = name.to_string();
            while known.iter().any(|(other, ..)| *other == name) {
                name += " (outside)";
            }
            known.push((name, value, *dice));
        }
        let lists = known.iter().filter_map(|(name, value, _)| {
            Some((format!("the longest of {name}"), longest(value)?, false))
        });
        let lists: Vec<_> = lists.collect();
        known.extend(lists);
        State { known }
    }

    /// The name with which a text begins, its value, whether that is dice, and what follows; the longest first.
    fn named<'t>(&self, text: &'t str) -> Vec<(&'s Value, bool, &'t str)> {
        let own = self.known.iter();
        let mut found: Vec<_> = own
            .filter_map(|(name, value, dice)| Some((*value, *dice, text.strip_prefix(&**name)?)))
            .collect();
        found.sort_by_key(|(_, _, rest)| rest.len());
        found
    }
}

/// Follows the rules of every choice in every state. The error says where they lead somewhere else, or nowhere.
pub fn follow(program: &Program, odds: &Odds) -> Result<Read, String> {
    let told = astragal::json::odds(program, odds);
    let choices = told["policy"].as_array().map_or(&[][..], Vec::as_slice);
    let of = advice(&odds.plays);
    if of.len() != choices.len() {
        return Err("there is not an object for each choice".into());
    }
    let mut read = Read::default();
    for (advice, told) in of.iter().zip(choices) {
        follow_one(odds, advice, told, &mut read)?;
    }
    Ok(read)
}

fn follow_one(odds: &Odds, advice: &Advice, told: &Json, read: &mut Read) -> Result<(), String> {
    let rules = rules(advice, told)?;
    read.choices += u64::from(!rules.is_empty());
    read.most_rules = read.most_rules.max(rules.len());
    let states = states(odds, advice, told);
    let every = (states.len() * rules.len()).div_ceil(2 * MOST_LOOKS).max(1);
    for (choice, case) in states.into_iter().step_by(every) {
        let state = State::of(choice, case);
        follow_in(&rules, &state, choice, case).map_err(|wrong| {
            let known = state.known.iter().map(|(name, value, _)| format!("{name} = {value}"));
            let best = case.options.get(case.taken).map_or("nothing", |(label, _)| label);
            format!("{wrong} in {}: {best}; {rules:?}", known.collect::<Vec<_>>().join(", "))
        })?;
        read.states += 1;
    }
    Ok(())
}

/// The rules as they stand in the JSON; if there are more than that has, the others from the full list.
fn rules(advice: &Advice, told: &Json) -> Result<Vec<(String, String)>, String> {
    let text = |rule: &Json, name: &str| rule[name].as_str().unwrap_or_default().to_owned();
    let written = told["rules"].as_array().map_or(&[][..], Vec::as_slice);
    let mut rules: Vec<_> =
        written.iter().map(|rule| (text(rule, "when"), text(rule, "take"))).collect();
    let left_out = told["rules_left_out"].as_u64().unwrap_or(0) as usize;
    if rules.len() + left_out != advice.rules.len() {
        return Err("rules are missing that are not said to be left out".into());
    }
    let others = advice.rules.iter().skip(rules.len());
    rules.extend(others.map(|rule| (rule.when.clone(), rule.take.clone())));
    Ok(rules)
}

/// The first rule that fits leads to one of the best options.
fn follow_in(
    rules: &[(String, String)],
    state: &State<'_>,
    choice: &Choice,
    case: &Case,
) -> Result<(), String> {
    for (when, take) in rules {
        if !when::fits(when, state)? {
            continue;
        }
        let options = take::taken(take, state, case, choice.arms.is_empty());
        let best = case.options.get(case.taken).map(|(_, worth)| worth);
        let is_best = |option: &usize| Some(&case.options[*option].1) == best;
        return match !options.is_empty() && options.iter().all(is_best) {
            true => Ok(()),
            false => Err(format!("`{when}: {take}` is wrong")),
        };
    }
    Err("no rule fits".into())
}

/// The states that the best play comes to at a choice; where it is told for each call, those of this one.
fn states<'o>(odds: &'o Odds, advice: &Advice, told: &Json) -> Vec<(&'o Choice, &'o Case)> {
    let plays: Vec<&Policy> = odds.plays.iter().filter(|play| play.best == advice.best).collect();
    let is_played = |play: &&Policy| !play.chance.is_zero();
    let any = plays.iter().any(is_played);
    let all = plays.iter().filter(|play| !any || is_played(play)).flat_map(|play| &play.choices);
    let mut calls: Vec<&Choice> = Vec::new();
    for choice in plays.iter().flat_map(|play| &play.choices) {
        if choice.span == advice.span && !calls.iter().any(|known| known.is_same(choice)) {
            calls.push(choice);
        }
    }
    let only = told["time"].as_u64().and_then(|time| calls.get(time as usize - 1));
    let own = all.filter(|own| own.span == advice.span);
    let own = own.filter(|own| only.is_none_or(|only| only.is_same(own)));
    let cases = own.flat_map(|own| own.cases.iter().map(move |case| (own, case)));
    cases.filter(|(_, case)| !case.chance.is_zero()).collect()
}
