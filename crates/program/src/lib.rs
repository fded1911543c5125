//! Tree to typed program: modules, names, types, and the small core language that both meanings share.
//!
//! ```
//! use astragal_program::{Library, NoFiles, Options, check};
//! let library = Library::new("", &[])?;
//! let checked = check("let x = 3d6; x + 2", "example", &library, &NoFiles, &Options::default());
//! assert!(checked.program.is_some());
//! # Ok::<(), Vec<astragal_syntax::diagnostic::Diagnostic>>(())
//! ```

mod builtin;
mod check;
mod choices;
pub mod core;
mod cover;
mod errors;
pub mod fault;
mod finish;
mod items;
mod kept;
mod library;
mod load;
mod nesting;
pub mod points;
mod proven;
mod scope;
mod settle;
mod sources;
pub mod types;
mod walk;
mod want;

use std::sync::Arc;

use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::Span;

pub use library::{Documentation, EnumerationDoc, FunctionDoc, Library, ParameterDoc};
pub use load::module_name;
pub use sources::{Files, NoFiles, Source, Sources};

/// How a program is checked.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// How much text is read.
    pub syntax: astragal_syntax::Limits,
    /// How many expressions are checked; copied functions count at each call.
    pub nodes: usize,
    /// A system whose names are known without its prefix.
    pub open: Option<&'a str>,
    /// A file whose names are known with and without its prefix, as if the program used it.
    pub house: Option<&'a str>,
    /// `param` lines that a host puts before the program. They are a text of their own, so that the places of the
    /// program stay those of what was typed.
    pub inputs: &'a str,
}

impl Default for Options<'_> {
    fn default() -> Self {
        let syntax = astragal_syntax::Limits::default();
        Options { syntax, nodes: 200_000, open: None, house: None, inputs: "" }
    }
}

/// What came of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The program, if nothing is wrong with it.
    pub program: Option<Box<core::Program>>,
    /// Errors and hints.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that places refer to.
    pub sources: Sources,
}

/// Checks a program. Never fails: errors are among the diagnostics. The edits in them are proven: each, made, mends
/// what it is proposed for.
pub fn check(
    text: &str,
    name: impl Into<Arc<str>>,
    library: &Library,
    files: &dyn Files,
    options: &Options<'_>,
) -> Checked {
    let name = name.into();
    let again = |text: &str| check_once(text, Arc::clone(&name), library, files, options);
    let mut checked = again(text);
    proven::keep_proven(text, &mut checked.diagnostics, |text| again(text).diagnostics);
    checked
}

fn check_once(
    text: &str,
    name: Arc<str>,
    library: &Library,
    files: &dyn Files,
    options: &Options<'_>,
) -> Checked {
    let mut modules = load::load(text, name, library, files, options);
    let (program, found) = check::check_program(&modules, options);
    let syntax = std::mem::take(&mut modules.diagnostics);
    let mut diagnostics = match (syntax.is_empty(), found.is_empty()) {
        (true, true) => Vec::new(),
        _ => told_apart(syntax, found),
    };
    diagnostics.sort_by_key(|diagnostic| {
        diagnostic.labels.first().map(|label| (label.span.source, label.span.start))
    });
    Checked { program, diagnostics, sources: modules.sources }
}

/// What is worth saying: where the text could not be read, its meaning is not judged too; and while there
/// are errors, hints can wait.
fn told_apart(syntax: Vec<Diagnostic>, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let unread = |d: &Diagnostic| {
        let Some(place) = d.labels.first().map(|label| label.span) else { return false };
        let spots = syntax.iter().filter(|known| is_error(known)).flat_map(|known| &known.labels);
        let touches = |spot: Span| {
            spot.source == place.source && spot.start <= place.end && place.start <= spot.end
        };
        spots.map(|label| label.span).any(touches)
    };
    let found: Vec<Diagnostic> = found.into_iter().filter(|d| !unread(d)).collect();
    let mut all: Vec<Diagnostic> = syntax.into_iter().chain(found).collect();
    // A list in a list is often what an error comes from.
    if all.iter().any(is_error) {
        let may_be_it = ["range-in-list", "label-or-index"];
        all.retain(|diagnostic| is_error(diagnostic) || may_be_it.contains(&diagnostic.code));
    }
    all
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.severity, Severity::Error | Severity::OverBudget)
}

/// Checks the definitions of a library.
fn check_library(library: &Library, files: &dyn Files) -> Vec<Diagnostic> {
    let options = Options { nodes: 2_000_000, ..Options::default() };
    let modules = load::load("", "program".into(), library, files, &options);
    check::check_library(&modules, &options)
}
