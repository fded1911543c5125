//! Rules by some columns, one after the other: cases that stand side by side are joined as long as that needs no more rules.

use astragal_prob::Rational;

use super::Cases;
use super::agreed::{Agreed, Answers};
use super::columns::Column;

/// A rule before it is put into words.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The values for which it holds, by their places: of each column that matters.
    pub(super) when: Vec<(usize, Vec<u32>)>,
    pub(super) agreed: Agreed,
    pub(super) chance: Rational,
}

impl Draft {
    /// A rule for a case alone.
    pub(super) fn of_case(
        cases: &Cases,
        answers: &Answers,
        columns: &[Column],
        chosen: &[usize],
        at: usize,
    ) -> Draft {
        let when = chosen.iter().map(|column| (*column, vec![columns[*column].ranks[at]]));
        let chance = cases.items[at].chance.clone();
        Draft { when: when.collect(), agreed: answers.at(at), chance }
    }
}

/// Of more values one by one, nobody remembers which they are.
const MOST_NAMED: usize = 6;

impl Draft {
    /// Whether it holds for many values that make no range, as hands do.
    pub(super) fn names_many(&self, columns: &[Column]) -> bool {
        let mut parts = self.when.iter();
        parts.any(|(column, ranks)| !columns[*column].is_number && ranks.len() > MOST_NAMED)
    }
}

/// More cases than that are not joined.
const MOST_CASES: usize = 12_000;
/// Something with more values than that, which make no ranges, stands alone.
const WIDE: usize = 24;

/// Whether there are few enough cases to be joined.
pub(super) fn is_enough(columns: &[Column], chosen: &[usize], met: &[usize]) -> bool {
    let is_wide = |at: &usize| !columns[*at].is_number && columns[*at].values.len() > WIDE;
    met.len() <= MOST_CASES && (chosen.len() < 2 || !chosen.iter().any(is_wide))
}

/// How much has to be remembered: for each rule its ranges, and each value that is named.
pub(super) fn cost(columns: &[Column], drafts: &[Draft]) -> usize {
    let part = |(column, ranks): &(usize, Vec<u32>)| match columns[*column].is_number {
        true => 1,
        false => ranks.len(),
    };
    drafts.iter().map(|draft| draft.when.iter().map(part).sum::<usize>().max(1)).sum()
}

/// The rules by some columns, in their order; none if they do not determine what is taken.
pub(super) fn drafts(
    cases: &Cases,
    answers: &Answers,
    columns: &[Column],
    chosen: &[usize],
    met: &[usize],
) -> Option<Vec<Draft>> {
    let Some((first, rest)) = chosen.split_first() else {
        let agreed = answers.of_all(met)?;
        let chances = met.iter().map(|at| &cases.items[*at].chance);
        let chance = chances.fold(Rational::ZERO, |sum, chance| sum + chance);
        return Some(vec![Draft { when: Vec::new(), agreed, chance }]);
    };
    let column = &columns[*first];
    let mut sorted: Vec<usize> = met.to_vec();
    sorted.sort_by_key(|at| column.ranks[*at]);
    let mut joined: Vec<Joined> = Vec::new();
    for own in sorted.chunk_by(|a, b| column.ranks[*a] == column.ranks[*b]) {
        let own = Joined {
            ranks: vec![column.ranks[own[0]]],
            cases: own.to_vec(),
            rules: drafts(cases, answers, columns, rest, own)?,
        };
        // Numbers are joined with the last, other values with any.
        let before = if column.is_number { joined.len().saturating_sub(1) } else { 0 };
        let both = joined.iter_mut().skip(before).find_map(|known| {
            let rules =
                known.rules_with(&own, |both| drafts(cases, answers, columns, rest, both))?;
            Some((known, rules))
        });
        match both {
            Some((known, rules)) => {
                known.ranks.extend(own.ranks);
                known.cases.extend(own.cases);
                known.rules = rules;
            }
            None => joined.push(own),
        }
    }
    let flat = joined.into_iter().flat_map(|Joined { ranks, rules, .. }| {
        rules.into_iter().map(move |mut rule| {
            rule.when.insert(0, (*first, ranks.clone()));
            rule
        })
    });
    Some(flat.collect())
}

/// Values of a column that have their rules in common.
struct Joined {
    ranks: Vec<u32>,
    cases: Vec<usize>,
    rules: Vec<Draft>,
}

impl Joined {
    /// The rules for both, if there are no more of them than for one.
    fn rules_with(
        &self,
        other: &Joined,
        drafts: impl Fn(&[usize]) -> Option<Vec<Draft>>,
    ) -> Option<Vec<Draft>> {
        if let ([own], [others]) = (self.rules.as_slice(), other.rules.as_slice())
            && own.when.is_empty()
            && others.when.is_empty()
        {
            let agreed = own.agreed.with(others.agreed)?;
            let chance = &own.chance + &others.chance;
            return Some(vec![Draft { when: Vec::new(), agreed, chance }]);
        }
        let both: Vec<usize> = self.cases.iter().chain(&other.cases).copied().collect();
        let most = self.rules.len().max(other.rules.len());
        drafts(&both).filter(|found| found.len() <= most)
    }
}
