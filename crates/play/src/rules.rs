//! From cases to rules: what a player has to remember of a choice.
//!
//! ```text
//! first 1: throw again, worth 10.5          first 1 to 10: throw again
//! first 2: throw again, worth 10.5    →     first 11 to 20: keep
//! …
//! ```
//!
//! Of all that is known at a choice, most does not matter. The smallest set of it is looked for that determines what is
//! taken, in all cases that best play ever meets; of sets that do, the one with the fewest rules. Numbers are joined to ranges, and
//! what is taken most often is the last rule.

mod agreed;
mod columns;
mod drafts;
mod in_order;
mod ways;
mod words;

use std::sync::Arc;

use astragal_prob::Rational;
use astragal_value::Value;

use agreed::Answers;
pub(crate) use agreed::parts;
use columns::{Column, at_a_glance, columns};
use drafts::{Draft, cost, drafts, is_enough};
use in_order::in_order;
use words::{as_read, in_words};

/// What to do when.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// `first 1 to 10`, `otherwise`, or `always`.
    pub when: String,
    /// What is taken.
    pub take: String,
    /// How often it applies in a play, in the mean.
    pub chance: Rational,
}

/// All cases of a choice.
pub(crate) struct Cases {
    /// What is known, by name.
    pub(crate) names: Vec<Arc<str>>,
    /// Which of it are dice.
    pub(crate) dice: Vec<bool>,
    /// For each of it: what is taken where it is more than all that is listed, if it has no end.
    pub(crate) beyond: Vec<Option<Arc<str>>>,
    /// Whether an item of a list is taken.
    pub(crate) of_list: bool,
    /// Whether it does not matter in which order the items of what is taken stand: nothing else with the same items is ever there.
    pub(crate) is_unordered: bool,
    pub(crate) items: Vec<Item>,
}

impl Cases {
    /// Of some lists, such as all that may be set aside, the longest is one more thing that is known, if there is always one such.
    fn name_the_longest(&mut self) {
        for at in 0..self.names.len() {
            let longest = |item: &Item| longest(item.values.get(at)?).cloned();
            let Some(found) = self.items.iter().map(longest).collect::<Option<Vec<Value>>>() else {
                continue;
            };
            self.names.push(format!("the longest of {}", self.names[at]).into());
            self.dice.push(false);
            self.beyond.push(None);
            let last = self.names.len() - 1;
            for (item, found) in self.items.iter_mut().zip(found) {
                item.values.resize(last, Value::None);
                item.values.push(found);
            }
        }
    }
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

/// One of them.
pub(crate) struct Item {
    pub(crate) values: Vec<Value>,
    pub(crate) taken: Arc<str>,
    /// What would be as good.
    pub(crate) as_good: Vec<Arc<str>>,
    pub(crate) chance: Rational,
    /// Whether it stands for all that is beyond it, too.
    pub(crate) is_end: bool,
}

/// So many rules can be remembered; if there are more, it is worth while to look further.
const ENOUGH: usize = 8;
/// So few are as short as they are in any order.
const FEW: usize = 4;
/// The most things that are looked at together.
const MOST_TOGETHER: usize = 3;
/// The most cases and things at which cases are joined where more matters.
const MOST_NESTED: usize = 1_000;
const DEEPEST: usize = 5;
/// The most looks at cases while sets are tried.
const MOST_LOOKS: usize = 3_000_000;

/// Rules, and what is to be known of them.
#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) rules: Vec<Rule>,
    /// How much has to be remembered.
    pub(crate) cost: usize,
    /// Whether what is known does not determine what is taken.
    pub(crate) is_vague: bool,
}

/// The shortest rules for what is taken.
pub(crate) fn rules(mut cases: Cases) -> Rules {
    cases.name_the_longest();
    let cases = &cases;
    let met: Vec<usize> =
        (0..cases.items.len()).filter(|at| !cases.items[*at].chance.is_zero()).collect();
    if met.is_empty() {
        return Rules::default();
    }
    let answers = Answers::of(cases);
    let mut columns = columns(cases, &met);
    let search = Search { cases, answers: &answers, columns: &columns, met: &met };
    let all: Vec<usize> = (0..columns.len()).collect();
    let found = search.best();
    let (cost, is_vague) = (cost(&columns, &found), !search.determines(&all));
    let names_many = found.iter().any(|draft| draft.names_many(&columns));
    let rules = in_words(cases, &answers, &columns, found);
    // What is taken beyond all that is listed is no case that a rule would have to be right for.
    let is_listed = cases.beyond.iter().all(Option::is_none);
    if cost > FEW && !is_vague && is_listed {
        columns.extend(at_a_glance(cases, &columns, &met));
        if let Some((found, less)) = in_order(cases, &answers, &columns, &met, cost) {
            let read = as_read(cases, &answers, &columns, found);
            // Rules that exclude each other are easier to remember than such as are only right in their order.
            let is_shorter = 4 * length(&read) < 3 * length(&rules);
            let is_shorter = is_shorter || names_many && 2 * less <= cost;
            if is_shorter && (cost > 2 * ENOUGH || ends_in_the_commonest(&read)) {
                return Rules { rules: read, cost: less, is_vague };
            }
        }
    }
    Rules { rules, cost, is_vague }
}

/// Whether the last rule says what is taken most often in a play.
fn ends_in_the_commonest(rules: &[Rule]) -> bool {
    let often = |take: &str| {
        let own = rules.iter().filter(|rule| rule.take == take);
        own.fold(Rational::ZERO, |sum, rule| sum + &rule.chance)
    };
    rules.last().is_some_and(|last| {
        let of_last = often(&last.take);
        rules.iter().all(|rule| often(&rule.take) <= of_last)
    })
}

/// How long rules are when they are read out.
fn length(rules: &[Rule]) -> usize {
    rules.iter().map(|rule| rule.when.len() + rule.take.len()).sum()
}

/// The search for what matters.
struct Search<'c> {
    cases: &'c Cases,
    answers: &'c Answers,
    columns: &'c [Column],
    met: &'c [usize],
}

impl Search<'_> {
    /// The fewest rules over few columns.
    fn best(&self) -> Vec<Draft> {
        let mut best: Option<Vec<Draft>> = None;
        let mut looks = 0;
        for size in 0..=MOST_TOGETHER.min(self.columns.len()) {
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                looks += self.met.len();
                if self.determines(&chosen) {
                    let least = best.as_ref().map_or(usize::MAX, |found| self.cost(found));
                    let better =
                        self.in_any_order(&chosen).filter(|found| self.cost(found) < least);
                    best = better.or(best);
                }
                if looks > MOST_LOOKS || !next_set(&mut chosen, self.columns.len()) {
                    break;
                }
            }
            if looks > MOST_LOOKS || best.as_ref().is_some_and(|found| self.cost(found) <= ENOUGH) {
                break;
            }
        }
        best.unwrap_or_else(|| self.by_all_that_matters())
    }

    fn cost(&self, found: &[Draft]) -> usize {
        cost(self.columns, found)
    }

    /// Whether what is taken follows from these columns.
    fn determines(&self, chosen: &[usize]) -> bool {
        self.answers.agree_by(self.met, |at| {
            chosen.iter().map(|column| self.columns[*column].ranks[at]).collect()
        })
    }

    /// The fewest rules by some columns, whichever is asked first.
    fn in_any_order(&self, chosen: &[usize]) -> Option<Vec<Draft>> {
        let orders: Vec<Vec<usize>> = match chosen {
            [a, b] => vec![vec![*a, *b], vec![*b, *a]],
            [a, b, c] => vec![vec![*a, *b, *c], vec![*b, *a, *c], vec![*c, *a, *b]],
            chosen => vec![chosen.to_vec()],
        };
        let found = orders.iter().filter_map(|order| {
            if is_enough(self.columns, order, self.met) {
                drafts(self.cases, self.answers, self.columns, order, self.met)
            } else {
                Some(self.one_by_one(order))
            }
        });
        found.min_by_key(|found| self.cost(found))
    }

    /// Where much matters: everything, but for what can be left out.
    fn by_all_that_matters(&self) -> Vec<Draft> {
        let mut chosen: Vec<usize> = (0..self.columns.len()).collect();
        for column in (0..self.columns.len()).rev() {
            let without: Vec<usize> = chosen.iter().copied().filter(|c| *c != column).collect();
            if self.determines(&without) {
                chosen = without;
            }
        }
        let is_small = self.met.len() <= MOST_NESTED && chosen.len() <= DEEPEST;
        let joined = (is_small && is_enough(self.columns, &chosen, self.met))
            .then(|| drafts(self.cases, self.answers, self.columns, &chosen, self.met));
        joined.flatten().unwrap_or_else(|| self.one_by_one(&chosen))
    }

    /// A rule for each case.
    fn one_by_one(&self, chosen: &[usize]) -> Vec<Draft> {
        self.met
            .iter()
            .map(|at| Draft::of_case(self.cases, self.answers, self.columns, chosen, *at))
            .collect()
    }
}

/// The next set of so many numbers below a limit, in order; none after the last.
fn next_set(set: &mut [usize], limit: usize) -> bool {
    let size = set.len();
    for at in (0..size).rev() {
        if set[at] + (size - at) < limit {
            set[at] += 1;
            for later in at + 1..size {
                set[later] = set[later - 1] + 1;
            }
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(names: &[&str], of_list: bool, items: &[(&[Value], &str, u64)]) -> Vec<String> {
        let items = items.iter().map(|(values, taken, weight)| Item {
            values: values.to_vec(),
            taken: (*taken).into(),
            as_good: Vec::new(),
            chance: Rational::from(*weight),
            is_end: false,
        });
        let names: Vec<Arc<str>> = names.iter().map(|name| (*name).into()).collect();
        let dice = vec![false; names.len()];
        let beyond = vec![None; names.len()];
        let items = items.collect();
        let cases = Cases { names, dice, beyond, of_list, is_unordered: of_list, items };
        let found = rules(cases).rules.into_iter();
        found.map(|rule| format!("{}: {}", rule.when, rule.take)).collect()
    }

    fn list(items: &[i64]) -> Value {
        Value::List(items.iter().map(|item| Value::whole(*item)).collect())
    }

    #[test]
    fn ranges_are_joined_and_what_does_not_matter_is_left_out() {
        let values: Vec<[Value; 2]> =
            (1..=20).map(|first| [Value::whole(first), Value::whole(first * 7 % 5)]).collect();
        let take = |at: usize| if at < 10 { "throw" } else { "keep" };
        let items: Vec<(&[Value], &str, u64)> =
            values.iter().enumerate().map(|(at, values)| (&values[..], take(at), 1)).collect();
        assert_eq!(
            told(&["first", "other"], false, &items),
            ["first 1 to 10: throw", "first 11 to 20: keep"]
        );
    }

    #[test]
    fn the_commonest_is_last_and_what_is_never_met_only_goes_on() {
        let values: Vec<[Value; 1]> = (0..6).map(|n| [Value::whole(n)]).collect();
        let items: [(&[Value], &str, u64); 6] = [
            (&values[0], "a", 9),
            (&values[1], "a", 9),
            (&values[2], "b", 1),
            (&values[3], "b", 1),
            (&values[4], "b", 0),
            (&values[5], "b", 0),
        ];
        assert_eq!(told(&["n"], false, &items), ["n 2 or more: b", "n 0 or 1: a"]);
        assert_eq!(told(&["n"], false, &items[..3]), ["n 2: b", "n 0 or 1: a"]);
        assert_eq!(told(&["n"], false, &items[..2]), ["always: a"]);
        assert!(told(&["n"], false, &items[4..]).is_empty());
    }

    #[test]
    fn two_things_that_matter_are_nested_and_the_commonest_is_otherwise() {
        let mut values: Vec<([Value; 2], &str)> = Vec::new();
        for left in 1..=2 {
            for face in 1..=6 {
                let take = if face <= 2 + left { "throw" } else { "stop" };
                values.push(([Value::whole(left), Value::whole(face)], take));
            }
        }
        let items: Vec<(&[Value], &str, u64)> = values
            .iter()
            .map(|(values, take)| (&values[..], *take, if *take == "stop" { 3 } else { 1 }))
            .collect();
        assert_eq!(
            told(&["left", "face"], false, &items),
            ["left 1, face 1 to 3: throw", "left 2, face 1 to 4: throw", "otherwise: stop"]
        );
    }

    #[test]
    fn what_is_as_good_is_told_where_that_is_shorter() {
        let hands = [list(&[6, 6, 6, 6]), list(&[6, 6, 6, 1]), list(&[6, 2, 2, 2])];
        let taken = ["[6, 6, 6]", "[6, 6, 6]", "[6]"];
        let items = hands.iter().zip(taken).map(|(hand, taken)| Item {
            values: vec![hand.clone()],
            taken: taken.into(),
            as_good: if *hand == hands[0] { vec!["[6, 6, 6, 6]".into()] } else { Vec::new() },
            chance: Rational::ONE,
            is_end: false,
        });
        let items = items.collect();
        let (names, dice, beyond) = (vec!["dice".into()], vec![false], vec![None]);
        let cases = Cases { names, dice, beyond, of_list: true, is_unordered: true, items };
        let found = rules(cases).rules;
        let told: Vec<_> = found.iter().map(|rule| (&*rule.when, &*rule.take)).collect();
        assert_eq!(told, [("always", "all of dice from 6 up")]);
    }

    #[test]
    fn hands_are_told_by_what_is_kept_of_them() {
        let hands = [list(&[6, 5, 1]), list(&[6, 1, 6]), list(&[4, 2, 1]), list(&[5, 5, 5])];
        let items: [(&[Value], &str, u64); 4] = [
            (&hands[0..1], "[6, 5]", 1),
            (&hands[1..2], "[6, 6]", 1),
            (&hands[2..3], "[]", 1),
            (&hands[3..4], "[5, 5, 5]", 1),
        ];
        assert_eq!(told(&["dice"], true, &items), ["always: all of dice from 5 up"]);
    }
}
