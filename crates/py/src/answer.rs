//! The exact distribution of one result.

use std::sync::Arc;

use astragal::{Answer, Budget, Comparison, Law, Natural, Odds, Rational, Type, Value};
use astragal_show::{decimal, policy};
use dashu_base::Gcd;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::engine::Shared;
use crate::number::{fraction, natural, number, read};
use crate::value::{fields, value};

/// The odds of a program, which all its answers share.
pub(crate) struct Known {
    pub(crate) program: Shared,
    pub(crate) odds: Odds,
}

/// The exact distribution of one result.
#[pyclass(frozen, module = "astragal._core", name = "Answer")]
pub(crate) struct PyAnswer {
    known: Arc<Known>,
    at: usize,
}

impl PyAnswer {
    pub(crate) fn new(known: Arc<Known>, at: usize) -> PyAnswer {
        PyAnswer { known, at }
    }

    pub(crate) fn answer(&self) -> &Answer {
        &self.known.odds.results[self.at]
    }

    fn law(&self) -> PyResult<&Law> {
        let answer = self.answer();
        answer.exact_law().ok_or_else(|| {
            PyValueError::new_err(match &answer.law {
                None if matches!(answer.ty, Type::Number | Type::Pool(_)) => {
                    "what is beyond the list is known only by its chance, see `.rest`".to_owned()
                }
                None => format!("the outcomes are no numbers: each is a {}", answer.ty),
                Some(_) if !answer.lost.is_zero() => {
                    "the odds are known only within bounds, see `.lost`".to_owned()
                }
                Some(_) => "the program may never end, see `.never`".to_owned(),
            })
        })
    }

    /// A mean or a variance, or why there is none.
    fn moment(&self, known: Option<Rational>, infinite: bool, name: &str) -> PyResult<Rational> {
        match known {
            Some(known) => Ok(known),
            None if infinite => Err(PyValueError::new_err(format!("the {name} is infinite"))),
            None => self.law().and_then(|_| {
                Err(PyValueError::new_err(format!("the {name} of this is not known")))
            }),
        }
    }
}

#[pymethods]
impl PyAnswer {
    #[getter]
    fn name(&self) -> Option<&str> {
        self.answer().name.as_deref()
    }

    /// The names of the fields that lead to it.
    #[getter]
    fn field(&self) -> Vec<String> {
        self.answer().field.iter().map(|name| name.to_string()).collect()
    }

    #[getter]
    fn type_name(&self) -> String {
        self.answer().ty.to_string()
    }

    /// The paths to the fields of its outcomes, if they are records.
    #[getter]
    fn fields(&self) -> Vec<String> {
        fields(&self.answer().ty)
    }

    /// Whether the outcomes are numbers with a law.
    #[getter]
    fn is_number(&self) -> bool {
        self.answer().law.is_some()
    }

    /// Whether the mean and the deviation are known numbers.
    #[getter]
    fn has_moments(&self) -> bool {
        let answer = self.answer();
        answer.mean().is_some() && answer.variance().is_some()
    }

    fn __len__(&self) -> usize {
        self.answer().outcomes.len()
    }

    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = self.answer().outcomes.values();
        let values = values.iter().map(|own| value(py, own)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, values)
    }

    fn chances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let outcomes = self.answer().outcomes.iter();
        let chances = outcomes.map(|(_, chance)| fraction(py, chance));
        PyList::new(py, chances.collect::<PyResult<Vec<_>>>()?)
    }

    /// Whole weights of the outcomes, and their common denominator.
    fn weights<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Vec<Bound<'py, PyAny>>, Bound<'py, PyAny>)> {
        let (weights, total) = weights(self.answer());
        let weights = weights.iter().map(|weight| natural(py, weight)).collect::<PyResult<_>>()?;
        Ok((weights, natural(py, &total)?))
    }

    /// The chances as 64-bit floats in the machine's order.
    fn chance_floats<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let answer = self.answer();
        let table = answer.exact_law().and_then(Law::as_table);
        let floats: Vec<f64> = match table.filter(|table| table.count() == answer.outcomes.len()) {
            Some(table) => {
                let share = |(_, weight)| decimal::float_of(weight, table.total());
                table.outcomes().map(share).collect()
            }
            None => answer.outcomes.iter().map(|(_, chance)| decimal::float(chance)).collect(),
        };
        bytes(py, &floats)
    }

    /// The chance of one outcome: beyond the listed ones too, where it is a number.
    fn chance<'py>(&self, py: Python<'py>, number: &str) -> PyResult<Bound<'py, PyAny>> {
        let (answer, wanted) = (self.answer(), read(number)?);
        let law = answer.law.as_ref().filter(|_| answer.lost.is_zero() && answer.missing.is_none());
        let chance = match law {
            Some(law) => {
                let chance = law.chance(&wanted, &Budget::default().meter());
                chance.map_err(too_costly)? * (Rational::ONE - &answer.never)
            }
            None => answer.chance(&Value::Number(wanted.into())),
        };
        fraction(py, &chance)
    }

    /// The chance of a comparison: `>=`, `<=`, `>`, `<`, `==`, `!=`.
    fn compare<'py>(&self, py: Python<'py>, sign: &str, with: &str) -> PyResult<Bound<'py, PyAny>> {
        let comparison = match sign {
            ">=" => Comparison::AtLeast,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            "<" => Comparison::Less,
            "==" => Comparison::Equal,
            "!=" => Comparison::NotEqual,
            other => return Err(PyValueError::new_err(format!("`{other}` compares nothing"))),
        };
        let (law, with) = (self.law()?, read(with)?);
        let meter = Budget::default().meter();
        fraction(py, &law.compare(comparison, &with, &meter).map_err(too_costly)?)
    }

    /// The chance of a condition as it is written for a sweep: `>= 15`, `success`.
    fn condition<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
        let chance = astragal_vary::Condition::parse(text).and_then(|it| it.chance(self.answer()));
        fraction(py, &chance.map_err(|refusal| crate::errors::refused(py, &refusal))?)
    }

    /// The least outcome that is not exceeded with this chance.
    fn quantile<'py>(&self, py: Python<'py>, chance: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (law, chance) = (self.law()?, read(chance)?);
        let found = law.percentile(&chance, &Budget::default().meter()).map_err(too_costly)?;
        found.map(|found| number(py, &found)).transpose()
    }

    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (answer, (infinite, _)) = (self.answer(), self.answer().infinite());
        fraction(py, &self.moment(answer.mean(), infinite, "mean")?)
    }

    fn variance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (answer, (_, infinite)) = (self.answer(), self.answer().infinite());
        fraction(py, &self.moment(answer.variance(), infinite, "variance")?)
    }

    /// How two fields of a record move together.
    fn covariance<'py>(&self, py: Python<'py>, a: &str, b: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = self.answer().covariance(a, b).ok_or_else(|| {
            let wrong =
                format!("`{a}` and `{b}` are no two fields with numbers, or not all is exact");
            PyValueError::new_err(wrong)
        })?;
        fraction(py, &found)
    }

    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.answer().rest)
    }

    #[getter]
    fn lost<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.answer().lost)
    }

    #[getter]
    fn never<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.answer().never)
    }

    #[getter]
    fn evidence<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.answer().evidence.as_ref().map(|own| fraction(py, own)).transpose()
    }

    #[getter]
    fn notices(&self) -> Vec<String> {
        self.answer().notices.iter().map(|notice| notice.to_string()).collect()
    }

    /// The steps of work that it took to know it.
    #[getter]
    fn used(&self) -> u64 {
        self.known.odds.used
    }

    /// How it is played, as JSON and in lines; none if nobody decides.
    fn policy(&self) -> Option<(String, Vec<String>)> {
        let Known { program, odds } = &*self.known;
        if odds.plays.is_empty() {
            return None;
        }
        let told = astragal::json::odds(program, odds)["policy"].to_string();
        Some((told, policy::lines(program, odds)))
    }

    /// The whole answer in the shape of `docs/schema/odds.json`.
    fn json(&self) -> String {
        astragal::json::odds(&self.known.program, &self.known.odds).to_string()
    }
}

fn too_costly(_: astragal::OverBudget) -> PyErr {
    PyValueError::new_err("that takes too long to be worked out")
}

/// Floats as bytes, which `numpy.frombuffer` reads.
pub(crate) fn bytes<'py>(py: Python<'py>, floats: &[f64]) -> Bound<'py, PyBytes> {
    let all: Vec<u8> = floats.iter().flat_map(|float| float.to_ne_bytes()).collect();
    PyBytes::new(py, &all)
}

/// The outcomes over one denominator: that of a table is known, that of others is found.
fn weights(answer: &Answer) -> (Vec<Natural>, Natural) {
    let table = answer.exact_law().and_then(Law::as_table);
    if let Some(table) = table.filter(|table| table.count() == answer.outcomes.len()) {
        let weights = table.outcomes().map(|(_, weight)| weight.clone()).collect();
        return (weights, table.total().clone());
    }
    let total = answer.outcomes.iter().fold(Natural::ONE, |total, (_, chance)| {
        let bottom = chance.denominator();
        &total / (&total).gcd(bottom) * bottom
    });
    let weight = |chance: &Rational| {
        let (_, top) = chance.numerator().clone().into_parts();
        top * (&total / chance.denominator())
    };
    let weights = answer.outcomes.iter().map(|(_, chance)| weight(chance)).collect();
    (weights, total)
}
