//! Values, on their way to Python: numbers, `bool`, `str` for texts and variants, `tuple` for lists, records.

use astragal::{Type, Value};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::glue::glue;
use crate::number::number;

/// A value as Python knows it; every one of them can be the key of a mapping.
pub(crate) fn value<'py>(py: Python<'py>, of: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match of {
        Value::Number(own) => match own.to_i64() {
            Some(word) => word.into_pyobject(py)?.into_any(),
            None => number(py, &own.to_rational())?,
        },
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Text(text) => PyString::new(py, text).into_any(),
        Value::Variant(variant) => PyString::intern(py, variant.name()).into_any(),
        Value::List(items) => tuple(py, items)?.into_any(),
        Value::Record(shape, fields) => {
            let names =
                PyTuple::new(py, shape.fields.iter().map(|name| PyString::intern(py, name)))?;
            glue(py)?.record.bind(py).call1((names, tuple(py, fields)?))?
        }
        Value::None => py.None().into_bound(py),
        // Whatever the language may come to know is told in its own words.
        other => PyString::new(py, &other.to_string()).into_any(),
    })
}

fn tuple<'py>(py: Python<'py>, items: &[Value]) -> PyResult<Bound<'py, PyTuple>> {
    let items = items.iter().map(|item| value(py, item)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, items)
}

/// The paths to the fields of a record, those of records in it included; none of another type.
pub(crate) fn fields(ty: &Type) -> Vec<String> {
    let Type::Record(record) = ty else { return Vec::new() };
    let paths = record.fields.iter().flat_map(|(name, inner)| match fields(inner) {
        none if none.is_empty() => vec![name.to_string()],
        inner => inner.into_iter().map(|path| format!("{name}.{path}")).collect(),
    });
    paths.collect()
}
