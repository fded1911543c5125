//! The outcomes of an answer, written out only when somebody looks.
//!
//! `1000d6` has five thousand outcomes over a denominator of 2,600 bits. Their weights are found in less
//! time than it takes to reduce one in ten of the fractions, and most of those who ask want the mean, a few
//! chances or a curve. So the outcomes of a finite number stay a table of weights until they are asked for:
//! first the values, then the chances. The same holds for values that are no numbers, such as the 92,378
//! hands of `10d10`: they are spelled out and sorted when they are asked for.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use astragal_prob::{Natural, Rational, Table};
use astragal_value::{Number, Value};

use crate::listed::End;
use crate::state::{Shared, Values};

/// Outcomes in ascending order, each with its chance: a slice of pairs.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// Where the pairs come from, unless they are known.
    source: Source,
    /// The outcomes of a source that is not in order, or not spelled out, with their weights.
    sorted: OnceLock<Vec<(Value, Natural)>>,
    values: OnceLock<Vec<Value>>,
    pairs: OnceLock<Vec<(Value, Rational)>>,
}

/// Where outcomes come from; where they have weights, with the chance of a weight of 1.
#[derive(Clone, Debug, Default)]
enum Source {
    /// They are known.
    #[default]
    Listed,
    /// A number.
    Table(Table),
    /// Values in any order.
    Values(Shared<Values>, Rational),
    /// The outcomes of one state with independent variables.
    End(Arc<End>, Rational),
    /// Values in order.
    Weights(Arc<[(Value, Natural)]>, Rational),
}

impl Outcomes {
    /// The outcomes of a number with this table.
    pub(crate) fn of(table: Table) -> Outcomes {
        Outcomes { source: Source::Table(table), ..Outcomes::default() }
    }

    /// Outcomes that together have this chance.
    pub(crate) fn of_values(values: Shared<Values>, chance: Rational) -> Outcomes {
        let unit = chance / Rational::from(values.total().clone());
        Outcomes { source: Source::Values(values, unit), ..Outcomes::default() }
    }

    /// The outcomes of a state, over a total that may be more than the sum of their weights.
    pub(crate) fn of_end(end: End, total: &Natural) -> Outcomes {
        Outcomes { source: Source::End(Arc::new(end), one_in(total)), ..Outcomes::default() }
    }

    /// The outcomes with these weights, in ascending order, over a total that may be more than their sum.
    pub(crate) fn of_weights(outcomes: Vec<(Value, Natural)>, total: &Natural) -> Outcomes {
        Outcomes { source: Source::Weights(outcomes.into(), one_in(total)), ..Outcomes::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.source {
            Source::Listed => self.pairs().len(),
            Source::Table(table) => table.count(),
            Source::Values(values, _) => values.count(),
            Source::End(end, _) => end.choices(),
            Source::Weights(outcomes, _) => outcomes.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values alone: no fraction is reduced for them.
    pub fn values(&self) -> &[Value] {
        self.values.get_or_init(|| match &self.source {
            Source::Listed => self.pairs().iter().map(|(value, _)| value.clone()).collect(),
            Source::Table(table) => table.outcomes().map(|(value, _)| number(value)).collect(),
            _ => self.weights().iter().map(|(value, _)| value.clone()).collect(),
        })
    }

    /// The outcomes with their weights, if they have any.
    fn weights(&self) -> &[(Value, Natural)] {
        match &self.source {
            Source::Listed | Source::Table(_) => &[],
            Source::Values(values, _) => self.sorted.get_or_init(|| {
                let mut outcomes: Vec<(Value, Natural)> = values.outcomes().collect();
                outcomes.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
                outcomes
            }),
            Source::End(end, _) => self.sorted.get_or_init(|| end.outcomes()),
            Source::Weights(outcomes, _) => outcomes,
        }
    }

    /// The values with their chances as text: `18` and `7/432`.
    pub fn written(&self) -> Box<dyn Iterator<Item = (&Value, String)> + '_> {
        let text = |(numerator, denominator)| format!("{numerator}/{denominator}");
        match &self.source {
            Source::Table(table) if table.count() > 1 => {
                Box::new(self.values().iter().zip(table.fractions().map(text)))
            }
            _ => Box::new(self.pairs().iter().map(|(value, chance)| (value, chance.to_string()))),
        }
    }

    /// The values with their chances.
    pub fn as_slice(&self) -> &[(Value, Rational)] {
        self.pairs()
    }

    fn pairs(&self) -> &Vec<(Value, Rational)> {
        self.pairs.get_or_init(|| match &self.source {
            Source::Listed => Vec::new(),
            Source::Table(table) => {
                table.chances().map(|(value, chance)| (number(value), chance)).collect()
            }
            Source::Values(_, unit) | Source::End(_, unit) | Source::Weights(_, unit) => {
                let chance = |weight: &Natural| unit * Rational::from(weight.clone());
                let outcomes = self.weights().iter();
                outcomes.map(|(value, weight)| (value.clone(), chance(weight))).collect()
            }
        })
    }
}

fn one_in(total: &Natural) -> Rational {
    Rational::ONE / Rational::from(total.clone())
}

fn number(value: Rational) -> Value {
    Value::Number(Number::from(value))
}

impl From<Vec<(Value, Rational)>> for Outcomes {
    fn from(pairs: Vec<(Value, Rational)>) -> Self {
        Outcomes { pairs: OnceLock::from(pairs), ..Outcomes::default() }
    }
}

impl Deref for Outcomes {
    type Target = [(Value, Rational)];

    fn deref(&self) -> &Self::Target {
        self.pairs()
    }
}

impl<'a> IntoIterator for &'a Outcomes {
    type Item = &'a (Value, Rational);
    type IntoIter = std::slice::Iter<'a, (Value, Rational)>;

    fn into_iter(self) -> Self::IntoIter {
        self.pairs().iter()
    }
}
