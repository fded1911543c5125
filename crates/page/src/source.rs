//! From a request to a checked program with its inputs set.

use std::collections::BTreeMap;

use astragal::{Budget, Diagnostics, Engine, Files, Program, Watcher, is_anydice};

use crate::Host;
use crate::request::Request;

/// The most steps that a page may allow: beyond, the module's 32-bit sizes would end before the budget.
pub(crate) const MOST_STEPS: u64 = 4_000_000_000;

/// A program's text and what belongs to it.
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) inputs: BTreeMap<String, String>,
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) engine: Engine,
}

impl Source {
    pub(crate) fn of(request: &Request) -> Result<Source, String> {
        Source::named(request, request.text("text")?.to_owned())
    }

    /// The same with another text.
    pub(crate) fn named(request: &Request, text: String) -> Result<Source, String> {
        let inputs = request.texts("inputs")?;
        let files = request.texts("files")?;
        Ok(Source { text, inputs, engine: engine(files.clone()), files })
    }

    /// Whether it is an AnyDice program.
    pub(crate) fn is_anydice(&self) -> bool {
        is_anydice(&self.text)
    }

    /// The program; inputs that it does not have any more are left alone. One of AnyDice's is run, within the budget.
    pub(crate) fn program(&self, budget: &Budget) -> Result<Program, Diagnostics> {
        match self.is_anydice() {
            true => self.engine.compile_anydice(&self.text, "program", budget),
            false => self.engine.compile(&self.text),
        }
    }

    pub(crate) fn set_inputs(&self, program: &mut Program) -> Result<(), Diagnostics> {
        for (name, value) in &self.inputs {
            if program.inputs().any(|input| input.name == name) {
                program.set(name, value)?;
            }
        }
        Ok(())
    }

    /// The program at its inputs.
    pub(crate) fn set_program(&self, budget: &Budget) -> Result<Program, Diagnostics> {
        let mut program = self.program(budget)?;
        self.set_inputs(&mut program)?;
        Ok(program)
    }
}

/// An engine that knows the page's files.
pub(crate) fn engine(files: BTreeMap<String, String>) -> Engine {
    Engine::new().with_files(Tabs(files))
}

/// The files beside the program, each with its own tab.
struct Tabs(BTreeMap<String, String>);

impl Files for Tabs {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.get(path).cloned().ok_or_else(|| "there is no file of that name here".into())
    }
}

/// How much odds may cost.
pub(crate) fn budget(request: &Request, host: &Host) -> Result<Budget, String> {
    let steps = request.optional_number("steps")?;
    let budget = steps.map(|steps| Budget::of_steps(steps.min(MOST_STEPS))).unwrap_or_default();
    Ok(budget.with_watcher(Watcher::new(host.progress)))
}
