//! Rules in words: `first 1 to 10`, `left 2, total 20 or more`, `otherwise`.

use astragal_prob::Rational;
use astragal_value::Value;

use super::agreed::{Agreed, Answers};
use super::columns::Column;
use super::drafts::Draft;
use super::{Cases, ENOUGH, Rule};

/// So many rules are told in their own order; of more, the most frequent are told first.
const IN_ORDER: usize = 2 * ENOUGH;
/// More values are told by what is otherwise, where that is possible.
const MOST_NAMED: usize = 6;

/// The rules: what is taken most often comes last, if there are few.
pub(super) fn in_words(
    cases: &Cases,
    answers: &Answers,
    columns: &[Column],
    drafts: Vec<Draft>,
) -> Vec<Rule> {
    let words = Words { cases, answers, columns };
    let mut rules: Vec<Rule> = drafts.iter().map(|draft| words.rule(draft)).collect();
    if rules.len() > IN_ORDER {
        rules.sort_by(|a, b| b.chance.cmp(&a.chance));
        return rules;
    }
    let all = |take: &str| {
        let of = rules.iter().filter(|rule| rule.take == take).map(|rule| &rule.chance);
        of.fold(Rational::ZERO, |sum, chance| sum + chance)
    };
    let commonest = rules.iter().map(|rule| (all(&rule.take), rule.take.clone()));
    let Some((chance, take)) = commonest.max_by(|a, b| a.0.cmp(&b.0)) else { return rules };
    let (mut last, mut others): (Vec<Rule>, Vec<Rule>) =
        rules.into_iter().partition(|rule| rule.take == take);
    let is_long = |draft: &Draft| draft.when.iter().any(|part| words.is_long(part));
    let long = drafts.iter().any(|draft| is_long(draft) && answers.words(draft.agreed) == take);
    if (last.len() > 1 || long) && !others.is_empty() {
        last = vec![Rule { when: "otherwise".into(), take, chance }];
    }
    others.extend(last);
    others
}

/// Rules that are read in their order.
pub(super) fn as_read(
    cases: &Cases,
    answers: &Answers,
    columns: &[Column],
    drafts: Vec<Draft>,
) -> Vec<Rule> {
    let words = Words { cases, answers, columns };
    let mut rules: Vec<Rule> = drafts.iter().map(|draft| words.rule(draft)).collect();
    if let ([_, ..], Some(last)) = (&drafts[..drafts.len() - 1], rules.last_mut()) {
        last.when = "otherwise".into();
    }
    rules
}

/// `b at least a`
fn against(name: &str, other: &str, orders: &[Value]) -> String {
    let is = |order: i64| orders.contains(&Value::whole(order));
    match (is(-1), is(0), is(1)) {
        (true, false, false) => format!("{name} below {other}"),
        (false, true, false) => format!("{name} equal to {other}"),
        (false, false, true) => format!("{name} above {other}"),
        (true, true, false) => format!("{name} up to {other}"),
        (false, true, true) => format!("{name} at least {other}"),
        (true, false, true) => format!("{name} other than {other}"),
        (true, true, true) | (false, false, false) => format!("any {name}"),
    }
}

/// Whether these are numbers side by side among values of which some are none, as the highest of no dice.
fn is_run(column: &Column, ranks: &[u32]) -> bool {
    let is_number = |rank: &u32| column.values[*rank as usize].as_number().is_some();
    ranks.iter().all(is_number) && ranks.windows(2).all(|both| both[0] + 1 == both[1])
}

struct Words<'c> {
    cases: &'c Cases,
    answers: &'c Answers,
    columns: &'c [Column],
}

impl Words<'_> {
    fn rule(&self, draft: &Draft) -> Rule {
        let parts =
            draft.when.iter().map(|(column, ranks)| self.part(*column, ranks, draft.agreed));
        let when = parts.collect::<Vec<_>>().join(", ");
        let when = if when.is_empty() { "always".into() } else { when };
        Rule { when, take: self.answers.words(draft.agreed), chance: draft.chance.clone() }
    }

    /// Whether there are more values than can be named.
    fn is_long(&self, (column, ranks): &(usize, Vec<u32>)) -> bool {
        !self.columns[*column].is_number && ranks.len() > MOST_NAMED
    }

    /// `first 1 to 10`
    fn part(&self, column: usize, ranks: &[u32], agreed: Agreed) -> String {
        let of = &self.columns[column];
        let name = &of.name;
        let value = |rank: &u32| of.values[*rank as usize].to_string();
        if let Some(other) = &of.against {
            let orders = ranks.iter().map(|rank| of.values[*rank as usize].clone());
            return against(name, other, &orders.collect::<Vec<_>>());
        }
        let (first, last) = (ranks.first(), ranks.last());
        if of.is_derived && ranks.len() > 1 && last.is_some_and(|last| self.is_last(of, *last)) {
            return format!("{name} {} or more", first.map(value).unwrap_or_default());
        }
        if of.is_derived && ranks.len() > 1 && first == Some(&0) {
            return format!("{name} {} or less", last.map(value).unwrap_or_default());
        }
        match ranks {
            [.., last]
                if of.is_number
                    && (self.has_no_end(of, agreed, *last)
                        || self.goes_on(of, agreed, *last, |rank| rank > *last)) =>
            {
                format!("{name} {} or more", value(&ranks[0]))
            }
            [first, ..]
                if of.is_number && self.goes_on(of, agreed, *first, |rank| rank < *first) =>
            {
                format!("{name} {} or less", value(&ranks[ranks.len() - 1]))
            }
            [only] => format!("{name} {}", value(only)),
            [a, b] => format!("{name} {} or {}", value(a), value(b)),
            [first, .., last] if of.is_number || is_run(of, ranks) => {
                format!("{name} {} to {}", value(first), value(last))
            }
            many => {
                let named: Vec<String> = many.iter().map(value).collect();
                format!("{name} {}", named.join(", "))
            }
        }
    }

    fn is_last(&self, column: &Column, rank: u32) -> bool {
        rank as usize + 1 == column.values.len()
    }

    /// Whether the same is taken where it is more than all that is listed.
    fn has_no_end(&self, column: &Column, agreed: Agreed, last: u32) -> bool {
        let named = self.cases.names.iter().position(|name| **name == *column.name);
        let beyond = named.and_then(|at| self.cases.beyond.get(at)?.as_deref());
        self.is_last(column, last)
            && beyond.is_some_and(|label| label == self.answers.words(agreed))
    }

    /// Whether the same is taken in all cases beyond a last one, and there are only such as best play never meets.
    fn goes_on(
        &self,
        column: &Column,
        agreed: Agreed,
        last: u32,
        is_beyond: impl Fn(u32) -> bool,
    ) -> bool {
        let mut beyond =
            (0..self.cases.items.len()).filter(|at| is_beyond(column.ranks[*at])).peekable();
        let same = |at: usize| {
            self.cases.items[at].chance.is_zero()
                && self.answers.at(at).with(agreed).is_some_and(|both| both == agreed)
        };
        if beyond.peek().is_some() {
            return beyond.all(same);
        }
        let mut at_last =
            self.cases.items.iter().zip(&column.ranks).filter(|(_, rank)| **rank == last);
        at_last.all(|(item, _)| item.is_end)
    }
}
