//! Where the faces of a roll come from: a seed, a list, or a function of Python's.

use std::sync::Mutex;

use astragal::faces::{DieFaces, Faces, Scripted};
use astragal::{FaultKind, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::number::read;

/// Faces as they are written: whether each is a text, and what it says.
pub(crate) type Written = Vec<(bool, String)>;

/// Exactly these faces, in order.
pub(crate) fn scripted(faces: Written) -> PyResult<Scripted> {
    let face = |(is_text, text): (bool, String)| match is_text {
        true => Ok(Value::text(text)),
        false => read(&text).map(|number| Value::Number(number.into())),
    };
    Ok(Scripted::new(faces.into_iter().map(face).collect::<PyResult<_>>()?))
}

/// A function that is given a count `n` and gives a whole number from 0 to `n - 1`.
pub(crate) struct Drawn {
    draw: Py<PyAny>,
    raised: Mutex<Option<PyErr>>,
}

impl Drawn {
    pub(crate) fn new(draw: Py<PyAny>) -> Drawn {
        Drawn { draw, raised: Mutex::new(None) }
    }

    /// What the function has raised.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.raised.lock().ok()?.take()
    }

    fn ticket(&self, total: u64) -> PyResult<u64> {
        Python::attach(|py| {
            let given = self.draw.bind(py).call1((total,))?;
            let ticket = given.extract::<u64>().ok().filter(|ticket| *ticket < total);
            ticket.ok_or_else(|| {
                let wrong = format!("the random source gave {given}, not a whole number from 0 to");
                PyValueError::new_err(format!("{wrong} {}", total - 1))
            })
        })
    }
}

impl Faces for Drawn {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        let ticket = self.ticket(die.total()).map_err(|error| {
            if let Ok(mut raised) = self.raised.lock() {
                *raised = Some(error);
            }
            FaultKind::Cancelled
        })?;
        Ok(die.face_of(ticket))
    }
}
