//! One roll, and everything that happened.

use astragal::faces::{Faces, Seeded};
use astragal::{Diagnostics, Roll};
use pyo3::prelude::*;

use crate::engine::Shared;
use crate::errors::raised;
use crate::faces::{Drawn, Written, scripted};
use crate::program::{PyProgram, Settings};
use crate::value::value;

/// One roll.
#[pyclass(frozen, module = "astragal._core", name = "Roll")]
pub(crate) struct PyRoll {
    program: Shared,
    roll: Roll,
    seed: Option<u64>,
}

#[pymethods]
impl PyRoll {
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value(py, &self.roll.value)
    }

    /// A line a step.
    fn explain(&self) -> String {
        self.program.explain(&self.roll)
    }

    /// In the shape of `docs/schema/roll.json`.
    fn json(&self) -> String {
        astragal::json::roll(&self.program, &self.roll, self.seed).to_string()
    }
}

/// The roll of a seed that has this number, from 0.
#[pyfunction]
pub(crate) fn roll_seeded(
    py: Python<'_>,
    of: &PyProgram,
    settings: Settings,
    seed: u64,
    number: u64,
) -> PyResult<PyRoll> {
    let program = of.set(py, settings)?;
    let rolled = py.detach(|| program.roll(&mut Seeded::new(seed, number)));
    made(py, program, rolled, Some(seed))
}

/// The roll of these faces.
#[pyfunction]
pub(crate) fn roll_faces(
    py: Python<'_>,
    of: &PyProgram,
    settings: Settings,
    faces: Written,
) -> PyResult<PyRoll> {
    let (program, mut faces) = (of.set(py, settings)?, scripted(faces)?);
    let rolled = py.detach(|| program.roll(&mut faces as &mut dyn Faces));
    made(py, program, rolled, None)
}

/// A roll whose faces a function draws.
#[pyfunction]
pub(crate) fn roll_drawn(
    py: Python<'_>,
    of: &PyProgram,
    settings: Settings,
    draw: Py<PyAny>,
) -> PyResult<PyRoll> {
    let (program, mut faces) = (of.set(py, settings)?, Drawn::new(draw));
    let rolled = program.roll(&mut faces);
    match faces.raised() {
        Some(error) => Err(error),
        None => made(py, program, rolled, None),
    }
}

pub(crate) fn made(
    py: Python<'_>,
    program: Shared,
    rolled: Result<Roll, Diagnostics>,
    seed: Option<u64>,
) -> PyResult<PyRoll> {
    match rolled {
        Ok(roll) => Ok(PyRoll { program, roll, seed }),
        Err(wrong) => Err(raised(py, &wrong)),
    }
}
