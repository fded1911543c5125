//! A checked program and its two readings.

use std::sync::Arc;

use astragal::{Budget, Diagnostics, Odds, Program};
use pyo3::prelude::*;

use crate::answer::{Known, PyAnswer};
use crate::ask::{PyBudget, PyCancel, Request};
use crate::engine::Shared;
use crate::errors::{data, raised};
use crate::number::read;
use crate::value::{fields, value};

/// A checked program.
#[pyclass(frozen, module = "astragal._core", name = "Program")]
pub(crate) struct PyProgram(pub(crate) Shared);

/// Inputs with their values as text.
pub(crate) type Settings = Option<Vec<(String, String)>>;

#[pymethods]
impl PyProgram {
    /// Names and types of the results; the name is none where there is one result without a name.
    fn results(&self) -> Vec<(Option<String>, String)> {
        let told = self.0.results().map(|(name, ty)| (name.map(str::to_owned), ty.to_string()));
        told.collect()
    }

    /// The paths to the fields of the first result, if it is a record.
    fn fields(&self) -> Vec<String> {
        self.0.results().next().map_or_else(Vec::new, |(_, ty)| fields(ty))
    }

    /// Names, types, words and values of the inputs.
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Vec<Input<'py>>> {
        let told = self.0.inputs().map(|input| {
            let set = input.value.map(|set| value(py, set)).transpose()?;
            Ok((input.name.to_owned(), input.ty.to_string(), input.doc.map(str::to_owned), set))
        });
        told.collect()
    }

    /// Whether somebody decides in it.
    fn decides(&self) -> bool {
        self.0.decides()
    }

    /// Hints, as data.
    fn hints(&self) -> String {
        data(self.0.hints())
    }

    /// The same program with other values of its inputs.
    fn with_settings(&self, py: Python<'_>, settings: Settings) -> PyResult<PyProgram> {
        self.set(py, settings).map(PyProgram)
    }

    /// The odds of each result, or of one field, or of all fields apart.
    #[allow(clippy::too_many_arguments, reason = "the package alone calls this")]
    #[pyo3(signature = (settings=None, field=None, until=None, apart=false, budget=None, cancel=None))]
    fn odds(
        &self,
        py: Python<'_>,
        settings: Settings,
        field: Option<Vec<String>>,
        until: Option<&str>,
        apart: bool,
        budget: Option<&PyBudget>,
        cancel: Option<&PyCancel>,
    ) -> PyResult<Vec<PyAnswer>> {
        let program = self.set(py, settings)?;
        let until = until.map(read).transpose()?;
        let field = field.unwrap_or_default();
        let request = Request::new(budget, cancel);
        let work = |budget: &Budget| -> Result<Odds, Diagnostics> {
            if apart {
                return program.odds_apart(budget, until);
            }
            let path: Vec<&str> = field.iter().map(String::as_str).collect();
            program.odds_of_until(&path, budget, until)
        };
        let odds = request.run(py, work)?;
        let count = odds.results.len();
        let known = Arc::new(Known { program, odds });
        Ok((0..count).map(|at| PyAnswer::new(Arc::clone(&known), at)).collect())
    }
}

/// Name, type, words, value.
type Input<'py> = (String, String, Option<String>, Option<Bound<'py, PyAny>>);

impl PyProgram {
    pub(crate) fn new(program: Program) -> PyProgram {
        PyProgram(Arc::new(program))
    }

    /// The program with these inputs; itself if there are none.
    pub(crate) fn set(&self, py: Python<'_>, settings: Settings) -> PyResult<Shared> {
        let Some(settings) = settings.filter(|settings| !settings.is_empty()) else {
            return Ok(Arc::clone(&self.0));
        };
        let mut program = Program::clone(&self.0);
        for (name, text) in &settings {
            program.set(name, text).map_err(|wrong| raised(py, &wrong))?;
        }
        Ok(Arc::new(program))
    }
}
