//! Exact numbers, on their way to Python: whole ones as `int`, others as `Fraction`.

use astragal::{Integer, Natural, Rational};
use dashu_base::Sign;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::glue::glue;

/// A whole number.
pub(crate) fn whole<'py>(py: Python<'py>, number: &Integer) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(word) = i64::try_from(number) {
        return Ok(word.into_pyobject(py)?.into_any());
    }
    let (sign, size) = number.clone().into_parts();
    let size = natural(py, &size)?;
    if sign == Sign::Negative { size.neg() } else { Ok(size) }
}

/// A whole number that is not negative, however large.
pub(crate) fn natural<'py>(py: Python<'py>, number: &Natural) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(word) = u64::try_from(number) {
        return Ok(word.into_pyobject(py)?.into_any());
    }
    let bytes = PyBytes::new(py, &number.to_le_bytes());
    glue(py)?.from_bytes.bind(py).call1((bytes, "little"))
}

/// Always a `Fraction`, also where it is whole: a chance.
pub(crate) fn fraction<'py>(py: Python<'py>, number: &Rational) -> PyResult<Bound<'py, PyAny>> {
    let (top, bottom) = (whole(py, number.numerator())?, natural(py, number.denominator())?);
    glue(py)?.fraction.bind(py).call1((top, bottom))
}

/// An `int` where it is whole.
pub(crate) fn number<'py>(py: Python<'py>, number: &Rational) -> PyResult<Bound<'py, PyAny>> {
    match number.denominator().is_one() {
        true => whole(py, number.numerator()),
        false => fraction(py, number),
    }
}

/// A number that the package has written: `7`, `-1/2`.
pub(crate) fn read(text: &str) -> PyResult<Rational> {
    let wrong = || PyValueError::new_err(format!("`{text}` is no number"));
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let top: Integer = top.trim().parse().map_err(|_| wrong())?;
    let bottom: Natural = bottom.trim().parse().map_err(|_| wrong())?;
    if bottom.is_zero() { Err(wrong()) } else { Ok(Rational::from_parts(top, bottom)) }
}
