//! What to tell a player of each choice as it is written: rules, what good play is worth, what mistakes cost.
//!
//! The same `maximise` may be played with different things known before it, and the same choice be come to by several calls. It is
//! one choice to whoever reads the program: all its cases are put together, and what was known before is one more thing that
//! may matter.

mod alike;

use std::sync::Arc;

use astragal_prob::Rational;
use astragal_program::core::{Goal, Who};
use astragal_program::points::{GraphId, PointId};
use astragal_syntax::span::Span;
use astragal_value::Value;
use dashu_base::BitTest;

use crate::loss::Loss;
use crate::policy::{Case, Choice, Policy};
use crate::rules::{Cases, Rule, Rules, rules};
pub(crate) use alike::in_order;
use alike::{Bags, Listed, alike};

/// The points to which calls come back.
type Calls = Vec<(GraphId, PointId)>;

/// What to do at a choice.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Advice {
    /// Which `maximise` of the program it is made for.
    pub best: usize,
    /// The place of that.
    pub around: Span,
    /// What is best.
    pub goal: Goal,
    /// The place of the choice.
    pub span: Span,
    /// Whose it is.
    pub who: Who,
    /// The names of its arms; empty where an item of a list is picked.
    pub arms: Vec<Arc<str>>,
    /// Where it is come to by several calls, and it matters by which: the how manyth of how many this is, from 1.
    pub time: Option<(usize, usize)>,
    /// What to take when; none if best play never comes to this choice. Of few rules the commonest is the last; of many the most
    /// frequent come first.
    pub rules: Vec<Rule>,
    /// The mean of the aim under best play; none if it is not known exactly.
    pub value: Option<Rational>,
    /// Between what that is, if the play was too large to be solved but within bounds, or an endless roll is used in a way for which
    /// no exact answer is known.
    pub within: Option<(Rational, Rational)>,
    /// About what it is, where even that is not known.
    pub about: Option<Rational>,
    /// Whether that is the chance of a yes.
    pub is_chance: bool,
    /// What is lost in the mean by who always takes the same.
    pub losses: Vec<(Arc<str>, Loss)>,
}

/// What to tell of policies.
pub fn advice(policies: &[Policy]) -> Vec<Advice> {
    let mut told: Vec<Advice> = Vec::new();
    for policy in policies {
        for choice in &policy.choices {
            if !told.iter().any(|known| known.best == policy.best && known.span == choice.span) {
                let same: Vec<&Policy> =
                    policies.iter().filter(|other| other.best == policy.best).collect();
                told.extend(of_choice(&same, policy, choice));
            }
        }
    }
    told
}

/// A longer fraction is not put together with others.
const LONGEST: usize = 100_000;

fn is_short(value: &Rational) -> bool {
    value.denominator().bit_len() <= LONGEST
}

/// Calls in more places than that are not told apart.
const MOST_CALLS: usize = 6;

/// What to tell of a choice. Where it matters by which call it is come to, it is told for each.
fn of_choice(policies: &[&Policy], policy: &Policy, choice: &Choice) -> Vec<Advice> {
    let mut calls: Vec<&Calls> = Vec::new();
    for other in policies.iter().flat_map(|policy| &policy.choices) {
        if other.span == choice.span && !calls.contains(&&other.calls) {
            calls.push(&other.calls);
        }
    }
    let (whole, told) = with_rules(policies, policy, choice, None);
    if calls.len() < 2 || calls.len() > MOST_CALLS {
        return vec![whole];
    }
    let apart = calls.iter().map(|calls| with_rules(policies, policy, choice, Some(calls)));
    let (mut apart, costs): (Vec<Advice>, Vec<usize>) = apart.unzip();
    if costs.iter().fold(0, |sum: usize, cost| sum.saturating_add(*cost)) >= told {
        return vec![whole];
    }
    let times = apart.len();
    apart.iter_mut().zip(1..).for_each(|(advice, time)| advice.time = Some((time, times)));
    apart
}

/// What to tell of a choice, of all policies for the same `maximise`; and how much has to be remembered.
fn with_rules(
    policies: &[&Policy],
    policy: &Policy,
    choice: &Choice,
    calls: Option<&Calls>,
) -> (Advice, usize) {
    let often = |policy: &&Policy| policy.chance.clone();
    let all = policies.iter().fold(Rational::ZERO, |sum, policy| sum + often(policy));
    // What is only measured is not played.
    let weigh = |policy: &&Policy| match all.is_zero() {
        true => Rational::ONE / Rational::from(policies.len()),
        false => often(policy) / &all,
    };
    let mean = |of: &dyn Fn(&Policy) -> Option<Rational>| {
        let parts = policies.iter().filter(|policy| !weigh(policy).is_zero());
        parts
            .map(|policy| Some(of(policy)? * weigh(policy)))
            .try_fold(Rational::ZERO, |sum, part| Some(sum + part?))
    };
    let mut labels: Vec<Arc<str>> = Vec::new();
    let lost_by = |policy: &Policy, label: &str| {
        let own = policy.losses.iter().find(|losses| losses.span == choice.span);
        // Who never comes to it loses nothing.
        let Some(own) = own else { return Loss::Exactly(Rational::ZERO) };
        let of = own.of.iter().find(|(known, _)| **known == *label);
        of.map_or(Loss::Unknown, |(_, lost)| lost.clone())
    };
    let losses = policies.iter().flat_map(|policy| &policy.losses);
    for (label, _) in losses.filter(|own| own.span == choice.span).flat_map(|own| &own.of) {
        if !labels.contains(label) {
            labels.push(label.clone());
        }
    }
    let losses = labels.into_iter().map(|label| {
        let parts = policies.iter().filter(|policy| !weigh(policy).is_zero());
        let parts = parts.map(|policy| (lost_by(policy, &label), weigh(policy)));
        let lost = parts.fold(Loss::Exactly(Rational::ZERO), |sum, part| sum.plus(part));
        (label, lost)
    });
    let exactly =
        |policy: &Policy| policy.value.clone().filter(|value| policy.is_exact && is_short(value));
    let bounds = |policy: &Policy| {
        let exact = || exactly(policy).map(|value| (value.clone(), value));
        policy.within.clone().or_else(exact)
    };
    let value = mean(&exactly);
    let within = || {
        let low = mean(&|policy| bounds(policy).map(|(low, _)| low));
        low.zip(mean(&|policy| bounds(policy).map(|(_, high)| high)))
    };
    let Rules { rules, cost, is_vague } = rules(cases(policies, choice, calls, &weigh));
    let told = Advice {
        best: policy.best,
        around: policy.span,
        goal: policy.goal,
        span: choice.span,
        who: choice.who,
        arms: choice.arms.clone(),
        time: None,
        rules,
        within: if value.is_none() { within() } else { None },
        value,
        about: mean(&|policy| policy.value.clone().filter(is_short)),
        is_chance: policy.is_chance,
        losses: losses.collect(),
    };
    (told, if is_vague { usize::MAX } else { cost })
}

/// All cases of a choice.
fn cases(
    policies: &[&Policy],
    choice: &Choice,
    calls: Option<&Calls>,
    weigh: &dyn Fn(&&Policy) -> Rational,
) -> Cases {
    let weighed: Vec<(&Policy, Rational)> =
        policies.iter().map(|policy| (*policy, weigh(policy))).collect();
    let is_wanted =
        |own: &&Choice| own.span == choice.span && calls.is_none_or(|calls| own.calls == *calls);
    let own = weighed.iter().flat_map(|(policy, weight)| {
        policy.choices.iter().filter(is_wanted).map(move |own| (*policy, weight, own))
    });
    let mut named = Named::default();
    let mut listed: Vec<Listed<'_>> = Vec::new();
    for (policy, weight, own) in own {
        let places = named.places(own);
        listed.extend(own.cases.iter().map(|case| Listed {
            case,
            values: values_at(&places, case),
            chance: if *weight == Rational::ONE {
                case.chance.clone()
            } else {
                &case.chance * weight
            },
            is_end: policy.is_end(case),
        }));
    }
    let Named { names, dice, beyond } = named;
    listed.iter_mut().for_each(|listed| listed.values.resize(names.len(), Value::None));
    let of_list = choice.arms.is_empty();
    let mut bags = Bags::default();
    let is_unordered = of_list && listed.iter().all(|listed| bags.tells_apart(listed.case));
    let alike = if is_unordered { alike(&listed, &mut bags) } else { None };
    let items = alike.unwrap_or_else(|| listed.iter().map(|listed| listed.item()).collect());
    Cases { names, dice, beyond, of_list, is_unordered, items }
}

/// What is known at a choice, whichever way it is come to. Of equal names those after the first are further outside.
#[derive(Default)]
struct Named {
    names: Vec<Arc<str>>,
    dice: Vec<bool>,
    beyond: Vec<Option<Arc<str>>>,
}

impl Named {
    /// Where the values of a choice stand among all that are named.
    fn places(&mut self, own: &Choice) -> Vec<usize> {
        let mut places: Vec<usize> = Vec::with_capacity(own.names.len());
        for (name, dice) in own.names.iter().zip(&own.dice) {
            let mut name = name.clone();
            let place = loop {
                match self.names.iter().position(|known| *known == name) {
                    Some(place) if places.contains(&place) => {
                        name = format!("{name} (outside)").into();
                    }
                    Some(place) => break place,
                    None => {
                        self.names.push(name);
                        self.dice.push(false);
                        self.beyond.push(None);
                        break self.names.len() - 1;
                    }
                }
            };
            self.dice[place] |= dice;
            places.push(place);
        }
        for (at, label) in &own.beyond {
            self.beyond[places[*at]].clone_from(label);
        }
        places
    }
}

/// The values of a case at their places among all that are named.
fn values_at(places: &[usize], case: &Case) -> Vec<Value> {
    let most = places.iter().max().map_or(0, |most| most + 1);
    let mut values = vec![Value::None; most];
    for (place, value) in places.iter().zip(&case.values) {
        values[*place] = value.clone();
    }
    values
}
