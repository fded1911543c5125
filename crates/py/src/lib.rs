//! A door: Python. `import astragal` is a package of Python sources (`python/astragal`) over this module, which it calls
//! `_core`.
//!
//! Here is what has to be quick or exact: programs, answers, rolls, sweeps, with Python's interpreter let go while they
//! work. What a notebook makes of them (mappings, data frames, charts, docstrings) is Python's own business, and written
//! there. Exceptions, fractions and records are classes of the package, see [`glue`].

mod answer;
mod ask;
mod compare;
mod convert;
mod documentation;
mod engine;
mod errors;
mod faces;
mod glue;
mod number;
mod program;
mod roll;
mod rolls;
mod shown;
mod survey;
mod threads;
mod value;

use pyo3::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the package is made on.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::answer::PyAnswer;
    #[pymodule_export]
    use crate::ask::{PyBudget, PyCancel};
    #[pymodule_export]
    use crate::compare::duel;
    #[pymodule_export]
    use crate::convert::convert;
    #[pymodule_export]
    use crate::documentation::documentation;
    #[pymodule_export]
    use crate::engine::PyEngine;
    #[pymodule_export]
    use crate::program::PyProgram;
    #[pymodule_export]
    use crate::roll::{PyRoll, roll_drawn, roll_faces, roll_seeded};
    #[pymodule_export]
    use crate::rolls::{roll_of_many, rolls};
    #[pymodule_export]
    use crate::shown::{csv, drawing, rows};
    #[pymodule_export]
    use crate::survey::{PySurvey, survey};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
