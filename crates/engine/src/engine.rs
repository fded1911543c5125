//! The engine: what all programs share.

use std::sync::{Arc, OnceLock};

use astragal_program::{Documentation, Files, Library, NoFiles, Options, check, module_name};
use astragal_syntax::diagnostic::Severity;
use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse, print};

use crate::diagnostics::Diagnostics;
use crate::program::Program;
use crate::stack::for_text;
use crate::systems::{PRELUDE, SYSTEMS};

/// Compiles programs. Cheap to clone, `Send + Sync`; the prelude and the systems are read once,
/// when they are first mentioned.
///
/// ```
/// use astragal::Engine;
///
/// let engine = Engine::new().with_open("cofd");
/// assert!(engine.compile("action(7).outcome").is_ok());
/// assert!(engine.compile("4d6 +").is_err());
/// ```
#[derive(Clone)]
pub struct Engine {
    library: Arc<Library>,
    files: Arc<dyn Files + Send + Sync>,
    open: Option<Arc<str>>,
    house: Option<Arc<str>>,
    /// `param` lines before each program.
    inputs: Arc<str>,
    /// What a program without a name is called.
    unnamed: Arc<str>,
}

impl Default for Engine {
    fn default() -> Self {
        Engine::new()
    }
}

impl Engine {
    /// An engine with the prelude and the five systems, which opens no files.
    pub fn new() -> Engine {
        static SHARED: OnceLock<Arc<Library>> = OnceLock::new();
        // The built-in texts are part of the engine: a test checks them, so that not every start has to.
        let library = SHARED.get_or_init(|| Arc::new(Library::trusted(PRELUDE, SYSTEMS)));
        Engine::of(Arc::clone(library))
    }

    /// An engine with other rule systems, given as names and texts: for tests that change a rule.
    pub fn with_systems(systems: &[(&str, &str)]) -> Result<Engine, Diagnostics> {
        let library = for_text(|| Library::new(PRELUDE, systems))
            .map_err(|found| Diagnostics::new(found, Library::sources_of(PRELUDE, systems)))?;
        Ok(Engine::of(Arc::new(library)))
    }

    fn of(library: Arc<Library>) -> Engine {
        let (files, unnamed) = (Arc::new(NoFiles), "program".into());
        Engine { library, files, open: None, house: None, inputs: "".into(), unnamed }
    }

    /// The same engine, which reads `use "…"` through `files`.
    #[must_use]
    pub fn with_files(self, files: impl Files + Send + Sync + 'static) -> Engine {
        Engine { files: Arc::new(files), ..self }
    }

    /// The same engine with a system's names known without their prefix: `skill(8, 12)`.
    #[must_use]
    pub fn with_open(self, system: &str) -> Engine {
        Engine { open: Some(system.into()), ..self }
    }

    /// The same engine with the names of a file of house rules known with and without its prefix, as if every
    /// program used it: `attack(anna, 15)`, `party.attack(party.anna, 15)`. It is read through the engine's files.
    ///
    /// ```
    /// use astragal::{Engine, Files};
    ///
    /// struct House;
    ///
    /// impl Files for House {
    ///     fn read(&self, _: &str) -> Result<String, String> {
    ///         Ok("let anna = {bonus: 7}\nfn attack(who, ac) = d20 + who.bonus >= ac".into())
    ///     }
    /// }
    ///
    /// let engine = Engine::new().with_files(House).with_house("party.dice");
    /// assert!(engine.compile("attack(anna, 15)").is_ok());
    /// ```
    #[must_use]
    pub fn with_house(self, path: &str) -> Engine {
        Engine { house: Some(path.into()), ..self }
    }

    /// The same engine with inputs declared for each program, as `param` lines. They are no part of its text: places
    /// in it stay those of what was typed.
    #[must_use]
    pub fn with_inputs(self, inputs: &str) -> Engine {
        Engine { inputs: inputs.into(), ..self }
    }

    /// Checks a program. Hints do not stop it: see [`Program::hints`].
    pub fn compile(&self, text: &str) -> Result<Program, Diagnostics> {
        self.compile_as(text, Arc::clone(&self.unnamed))
    }

    /// Checks a program that has a name, such as a path, to be shown in diagnostics.
    pub fn compile_named(&self, text: &str, name: &str) -> Result<Program, Diagnostics> {
        self.compile_as(text, name.into())
    }

    fn compile_as(&self, text: &str, name: Arc<str>) -> Result<Program, Diagnostics> {
        let (open, house) = (self.open.as_deref(), self.house.as_deref());
        let options = Options { open, house, inputs: &self.inputs, ..Options::default() };
        for_text(|| {
            let checked = check(text, name, &self.library, &*self.files, &options);
            let notes = Diagnostics::new(checked.diagnostics, checked.sources);
            match checked.program {
                Some(program) if !notes.is_error() => Ok(Program::new(program, notes)),
                _ => Err(self.with_translation(text, notes)),
            }
        })
    }

    /// The program in its canonical layout, unless it cannot be read without doubt.
    pub fn layout(&self, text: &str, name: &str) -> Result<String, Diagnostics> {
        for_text(|| {
            let parsed = parse(text, SourceId(0), &Limits::default());
            let stops = |severity| matches!(severity, Severity::Error | Severity::OverBudget);
            let mut wrong = parsed.diagnostics.iter().filter(|d| d.code != "empty");
            if wrong.any(|d| stops(d.severity)) {
                // Checking the text says what is wrong, with its places.
                self.compile_named(text, name)?;
            }
            Ok(print(&parsed.file))
        })
    }

    /// The names of the built-in systems.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        self.library.systems()
    }

    /// What a system offers, from its file's own documentation.
    pub fn documentation(&self, system: &str) -> Option<Documentation> {
        self.library.documentation(system)
    }

    /// What a file of house rules offers, from its own documentation; why it cannot be read.
    pub fn documentation_of_file(&self, path: &str) -> Result<Documentation, String> {
        let text = self.files.read(path)?;
        Ok(for_text(|| Documentation::of(&module_name(path), &text)))
    }
}

/// For tests of the built-in texts: their diagnostics.
#[cfg(test)]
fn library_errors() -> Option<Diagnostics> {
    let sources = Library::sources_of(PRELUDE, SYSTEMS);
    Library::new(PRELUDE, SYSTEMS).err().map(|found| Diagnostics::new(found, sources))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_texts_check() {
        if let Some(errors) = library_errors() {
            panic!("{errors}");
        }
    }

    #[test]
    fn an_engine_can_be_shared() {
        fn shared<T: Send + Sync + Clone>(_: &T) {}
        shared(&Engine::new());
    }
}
