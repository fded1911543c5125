//! Programs from texts: with house rules, and with inputs that a text names without declaring them.

use std::collections::HashMap;
use std::sync::Arc;

use astragal::highlight::{Class, tokens};
use astragal::{Diagnostics, Engine, Files, Program};
use astragal_dialect::{Dialect, convert_noted};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ask::{PyBudget, PyCancel, Request};
use crate::errors::{data, raised};
use crate::program::PyProgram;

/// Compiles programs.
#[pyclass(frozen, module = "astragal._core", name = "Engine")]
pub(crate) struct PyEngine(Engine);

/// House rules by their names.
struct Shelf(HashMap<String, String>);

impl Files for Shelf {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.get(path).cloned().ok_or_else(|| {
            let mut known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            known.sort_unstable();
            match known.is_empty() {
                true => "the engine has no files: `Engine(files={…})` gives it some".into(),
                false => format!("the engine has the files {}", known.join(", ")),
            }
        })
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    fn new(
        files: HashMap<String, String>,
        system: Option<&str>,
        house: Option<&str>,
    ) -> PyResult<PyEngine> {
        let mut engine = Engine::new().with_files(Shelf(files));
        if let Some(system) = system {
            if !engine.systems().any(|known| known == system) {
                let known = engine.systems().collect::<Vec<_>>().join(", ");
                let wrong = format!("there is no system `{system}`: there are {known}");
                return Err(PyValueError::new_err(wrong));
            }
            engine = engine.with_open(system);
        }
        if let Some(house) = house {
            engine = engine.with_house(house);
        }
        Ok(PyEngine(engine))
    }

    /// A checked program. Of `inputs` (names, and literals of their values), those that the text names and does not declare are
    /// declared; all of them are set to `settings`.
    fn compile(
        &self,
        py: Python<'_>,
        text: &str,
        name: Option<&str>,
        inputs: Vec<(String, String)>,
        settings: Vec<(String, String)>,
    ) -> PyResult<PyProgram> {
        let made = py.detach(|| self.compiled(text, name, &inputs, &settings));
        made.map(PyProgram::new).map_err(|wrong| raised(py, &wrong))
    }

    /// A program in AnyDice's language, which is run when it is read.
    fn compile_anydice(
        &self,
        py: Python<'_>,
        text: &str,
        budget: Option<&PyBudget>,
        cancel: Option<&PyCancel>,
    ) -> PyResult<PyProgram> {
        let request = Request::new(budget, cancel);
        let work = |budget: &_| self.0.compile_anydice(text, "program", budget);
        request.run(py, work).map(PyProgram::new)
    }

    /// A text in another tool's notation as our own, with the notices as data.
    fn converted(&self, py: Python<'_>, text: &str, dialect: &str) -> PyResult<(String, String)> {
        let found = Dialect::from_name(dialect).ok_or_else(|| no_such_dialect(dialect))?;
        let of_text = |list| Diagnostics::of_text(list, "program", text);
        match convert_noted(text, found) {
            Ok(converted) => Ok((converted.astragal, data(&of_text(converted.notices)))),
            Err(wrong) => Err(raised(py, &of_text(wrong))),
        }
    }

    /// The program in its canonical layout.
    fn layout(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        py.detach(|| self.0.layout(text, "program")).map_err(|wrong| raised(py, &wrong))
    }

    /// What is wrong with a program, and what may be meant otherwise, as data and in words.
    fn check(&self, py: Python<'_>, text: &str) -> (bool, String, String) {
        let found = py.detach(|| match self.0.compile(text) {
            Ok(program) => program.hints().clone(),
            Err(wrong) => wrong,
        });
        (!found.is_error(), data(&found), found.to_string())
    }

    /// What a file of house rules offers.
    fn documentation_of_file(&self, path: &str) -> PyResult<String> {
        let page = self.0.documentation_of_file(path).map_err(PyValueError::new_err)?;
        Ok(crate::documentation::page(&page).to_string())
    }
}

impl PyEngine {
    fn compiled(
        &self,
        text: &str,
        name: Option<&str>,
        inputs: &[(String, String)],
        settings: &[(String, String)],
    ) -> Result<Program, Diagnostics> {
        let name = name.unwrap_or("program");
        if settings.is_empty() {
            return self.0.compile_named(text, name);
        }
        let named = names(text);
        let missing = inputs.iter().filter(|(name, _)| {
            let stands = named.iter().any(|(own, _)| own == name);
            stands && !named.iter().any(|(own, declared)| own == name && *declared)
        });
        let declared: String =
            missing.map(|(name, literal)| format!("param {name} = {literal}\n")).collect();
        let mut program = self.0.clone().with_inputs(&declared).compile_named(text, name)?;
        settings.iter().try_for_each(|(name, value)| program.set(name, value))?;
        Ok(program)
    }
}

/// The names in a text, and whether `param` stands before them.
fn names(text: &str) -> Vec<(&str, bool)> {
    let mut declared = false;
    let mut names = Vec::new();
    for token in tokens(text) {
        let word = text.get(token.start..token.end).unwrap_or_default();
        match token.class {
            Class::Name => names.push((word, declared)),
            _ if word.trim().is_empty() => continue,
            _ => {}
        }
        declared = word == "param";
    }
    names
}

pub(crate) fn no_such_dialect(name: &str) -> PyErr {
    let known = Dialect::ALL.map(Dialect::name).join(", ");
    PyValueError::new_err(format!("there is no dialect `{name}`: there are {known} and anydice"))
}

/// Shared by all that know a program.
pub(crate) type Shared = Arc<Program>;
