//! The outcomes of an answer, written out only when somebody looks.
//!
//! `1000d6` has five thousand outcomes over a denominator of 2,600 bits. Their weights are found in less
//! time than it takes to reduce one in ten of the fractions, and most of those who ask want the mean, a few
//! chances or a curve. So the outcomes of a finite number stay a table of weights until they are asked for:
//! first the values, then the chances.

use std::ops::Deref;
use std::sync::OnceLock;

use astragal_prob::{Rational, Table};
use astragal_value::{Number, Value};

/// Outcomes in ascending order, each with its chance: a slice of pairs.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// Where the pairs come from, unless they are known.
    table: Option<Table>,
    values: OnceLock<Vec<Value>>,
    pairs: OnceLock<Vec<(Value, Rational)>>,
}

impl Outcomes {
    /// The outcomes of a number with this table.
    pub(crate) fn of(table: Table) -> Outcomes {
        Outcomes { table: Some(table), ..Outcomes::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.table.as_ref().map_or_else(|| self.pairs().len(), Table::count)
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
        self.pairs.get_or_init(|| match &self.table {
            Some(table) => table.chances().map(|(value, chance)| (number(value), chance)).collect(),
            None => Vec::new(),
        })
    }
}

fn number(value: Rational) -> Value {
    Value::Number(Number::from(value))
}

impl From<Vec<(Value, Rational)>> for Outcomes {
    fn from(pairs: Vec<(Value, Rational)>) -> Self {
        Outcomes { table: None, values: OnceLock::new(), pairs: OnceLock::from(pairs) }
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
