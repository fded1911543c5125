//! The outcomes of an answer, written out only when somebody looks.
//!
//! `1000d6` has five thousand outcomes over a denominator of 2,600 bits. Their weights are found in less
//! time than it takes to reduce one in ten of the fractions, and most of those who ask want the mean, a few
//! chances or a curve. So the outcomes of a finite number stay a table of weights until they are asked for:
//! first the values, then the chances.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use astragal_prob::{Natural, Rational, Table};
use astragal_value::{Number, Value};

/// Outcomes in ascending order, each with its chance: a slice of pairs.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// Where the pairs come from, unless they are known.
    table: Option<Table>,
    /// The same for values that are not numbers: their weights and the weight of everything.
    weights: Option<Arc<(Vec<Natural>, Natural)>>,
    values: OnceLock<Vec<Value>>,
    pairs: OnceLock<Vec<(Value, Rational)>>,
}

impl Outcomes {
    /// The outcomes of a number with this table.
    pub(crate) fn of(table: Table) -> Outcomes {
        Outcomes { table: Some(table), ..Outcomes::default() }
    }

    /// The outcomes with these weights, in ascending order, over a total that may be more than their sum.
    pub(crate) fn weighted(values: Vec<Value>, weights: Vec<Natural>, total: Natural) -> Outcomes {
        let weights = Some(Arc::new((weights, total)));
        Outcomes { weights, values: OnceLock::from(values), ..Outcomes::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match (&self.table, &self.weights) {
            (Some(table), _) => table.count(),
            (None, Some(weights)) => weights.0.len(),
            (None, None) => self.pairs().len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values alone: no fraction is reduced for them.
    pub fn values(&self) -> &[Value] {
        self.values.get_or_init(|| match &self.table {
            Some(table) => table.outcomes().map(|(value, _)| number(value)).collect(),
            None => self.pairs().iter().map(|(value, _)| value.clone()).collect(),
        })
    }

    /// The values with their chances as text: `18` and `7/432`.
    pub fn written(&self) -> Box<dyn Iterator<Item = (&Value, String)> + '_> {
        let text = |(numerator, denominator)| format!("{numerator}/{denominator}");
        match &self.table {
            Some(table) if table.count() > 1 => {
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
        self.pairs.get_or_init(|| match (&self.table, &self.weights) {
            (Some(table), _) => {
                table.chances().map(|(value, chance)| (number(value), chance)).collect()
            }
            (None, Some(weights)) => {
                let (weights, total) = &**weights;
                let chance =
                    |weight: &Natural| Rational::from_parts(weight.clone().into(), total.clone());
                let values = self.values.get().into_iter().flatten().cloned();
                values.zip(weights.iter().map(chance)).collect()
            }
            (None, None) => Vec::new(),
        })
    }
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
