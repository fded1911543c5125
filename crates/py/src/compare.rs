//! Two rolls against each other.

use astragal::{Budget, Comparison, Law, Rational};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::answer::PyAnswer;
use crate::number::fraction;

/// The chances that the first is higher, that both are equal, and that the second is; none where one of them is no number, or
/// not known exactly.
#[pyfunction]
pub(crate) fn duel<'py>(
    py: Python<'py>,
    first: &PyAnswer,
    second: &PyAnswer,
) -> PyResult<Option<[Bound<'py, PyAny>; 3]>> {
    let laws = (first.answer().exact_law(), second.answer().exact_law());
    let (Some(one), Some(other)) = laws else { return Ok(None) };
    let chances = py.detach(|| {
        let meter = Budget::default().meter();
        let chance = |comparison| Law::independent_compare(comparison, one, other, &meter);
        let (higher, equal) = (chance(Comparison::Greater).ok()?, chance(Comparison::Equal).ok()?);
        let lower = Rational::ONE - &higher - &equal;
        Some([higher, equal, lower])
    });
    let too_costly = || PyValueError::new_err("to compare these takes too long");
    let [higher, equal, lower] = chances.ok_or_else(too_costly)?;
    Ok(Some([fraction(py, &higher)?, fraction(py, &equal)?, fraction(py, &lower)?]))
}
