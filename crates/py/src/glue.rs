//! Classes of the package that are made from here. They are looked up once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// What the package has for us, in `_made.py`.
pub(crate) struct Glue {
    /// A fraction of two whole numbers without a common divisor.
    pub(crate) fraction: Py<PyAny>,
    /// A record of names and values.
    pub(crate) record: Py<PyAny>,
    /// An exception for diagnostics.
    pub(crate) error: Py<PyAny>,
    /// `int.from_bytes`
    pub(crate) from_bytes: Py<PyAny>,
}

static GLUE: PyOnceLock<Glue> = PyOnceLock::new();

pub(crate) fn glue(py: Python<'_>) -> PyResult<&'static Glue> {
    GLUE.get_or_try_init(py, || {
        let made = py.import("astragal._made")?;
        let of = |name: &str| Ok::<_, PyErr>(made.getattr(name)?.unbind());
        Ok(Glue {
            fraction: of("fraction")?,
            record: of("record")?,
            error: of("error")?,
            from_bytes: of("from_bytes")?,
        })
    })
}
