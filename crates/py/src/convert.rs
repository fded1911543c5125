//! Another tool's notation in our own.

use astragal::{Budget, Engine, is_anydice};
use pyo3::prelude::*;

use crate::ask::Request;

/// AnyDice's programs, which are known by their words; none if the text is something else and no dialect is named.
#[pyfunction]
pub(crate) fn convert(
    py: Python<'_>,
    text: &str,
    dialect: Option<&str>,
) -> PyResult<Option<String>> {
    let anydice = match dialect {
        Some(named) => named.eq_ignore_ascii_case("anydice"),
        None => is_anydice(text),
    };
    if !anydice {
        return Ok(None);
    }
    let work = |budget: &Budget| Engine::new().convert_anydice(text, "program", budget);
    Request::new(None, None).run(py, work).map(Some)
}
