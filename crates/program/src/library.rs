//! The texts that every program may mention without importing them: the prelude and the systems.
//!
//! They are read once and shared. A library checks its own definitions when it is made, so that a
//! mistake in a system file is found there and not in the program of a player. The built-in texts are
//! checked by tests instead, and each is read when it is first mentioned.

use std::sync::{Arc, OnceLock};

use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::{SourceId, Span};
use astragal_syntax::tree::{Expr, ExprKind, File, Parameter, StatementKind};
use astragal_syntax::{Limits, Words, parse};

use crate::items::Items;
use crate::kept::Kept;
use crate::load::{Module, ModuleId};
use crate::sources::{NoFiles, Source, Sources};

/// The prelude and the systems.
#[derive(Debug)]
pub struct Library {
    /// The prelude first.
    modules: Vec<OnceLock<Module>>,
    names: Vec<Arc<str>>,
    sources: Arc<[Source]>,
    /// The name of every program as a function.
    pub(crate) main: Arc<str>,
    /// What its functions have become.
    pub(crate) kept: Kept,
}

/// What a system offers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Documentation {
    /// Its module's name.
    pub name: String,
    /// Its enumerations, in the order of the file.
    pub enumerations: Vec<EnumerationDoc>,
    /// Its functions, in the order of the file.
    pub functions: Vec<FunctionDoc>,
}

/// An enumeration of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnumerationDoc {
    /// Its name.
    pub name: String,
    /// Its variants.
    pub variants: Vec<String>,
    /// Its `##` lines.
    pub doc: Option<String>,
    /// Those of them that speak to a form: from `Form:` on.
    pub form: Vec<String>,
}

/// A function of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDoc {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<ParameterDoc>,
    /// Its `##` lines.
    pub doc: Option<String>,
    /// Those of them that speak to a form: from `Form:` on.
    pub form: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// A parameter of a system's function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterDoc {
    /// Its name.
    pub name: String,
    /// It takes a roll unthrown.
    pub roll: bool,
    /// Its type as written, or the type of its default.
    pub ty: Option<String>,
    /// Its default as written.
    pub default: Option<String>,
}

impl Library {
    /// Reads and checks the prelude and the systems, given as names and texts.
    pub fn new(prelude: &str, systems: &[(&str, &str)]) -> Result<Library, Vec<Diagnostic>> {
        let library = Library::trusted(prelude, systems);
        let mut diagnostics = Vec::new();
        for (number, slot) in library.modules.iter().enumerate() {
            let (module, said) = library.read(number);
            diagnostics.extend(said.into_iter().filter(|d| d.code != "empty"));
            let _ = slot.set(module);
        }
        if !diagnostics.iter().any(|d| d.severity == Severity::Error) {
            diagnostics.extend(crate::check_library(&library, &NoFiles));
        }
        diagnostics.retain(|d| d.severity <= Severity::OverBudget);
        if diagnostics.is_empty() { Ok(library) } else { Err(diagnostics) }
    }

    /// The prelude and the systems, which [`Library::new`] is known to accept: they are not checked, and
    /// read when they are first mentioned.
    pub fn trusted(prelude: &str, systems: &[(&str, &str)]) -> Library {
        let names = systems.iter().map(|(name, _)| Arc::from(*name));
        let names: Vec<Arc<str>> = [Arc::from("prelude")].into_iter().chain(names).collect();
        let modules = names.iter().map(|_| OnceLock::new()).collect();
        Library {
            modules,
            names,
            sources: sources(prelude, systems),
            main: "main".into(),
            kept: Kept::default(),
        }
    }

    /// Reads a text.
    fn read(&self, number: usize) -> (Module, Vec<Diagnostic>) {
        let text = self.sources.get(number).map_or("", |source| &*source.text);
        let parsed = parse(text, library_source(number), &Limits::default());
        let name = match number {
            0 => Words::new(),
            _ => self.names.get(number).map_or(Words::new(), |name| (&**name).into()),
        };
        let items = Items::of(&name, &parsed.file);
        (Module { name, file: parsed.file, items, uses: Vec::new() }, parsed.diagnostics)
    }

    /// How many modules it has.
    pub(crate) fn len(&self) -> usize {
        self.modules.len()
    }

    /// One of its modules; the first is the prelude.
    pub(crate) fn module(&self, number: usize) -> Option<&Module> {
        let slot = self.modules.get(number)?;
        Some(slot.get_or_init(|| self.read(number).0))
    }

    /// The names of the systems.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        self.names.iter().skip(1).map(|name| &**name)
    }

    /// The system of this name; of several the last.
    pub(crate) fn system(&self, name: &str) -> Option<ModuleId> {
        let place = self.names.iter().rposition(|known| **known == *name)?;
        (place > 0).then_some(ModuleId(place + 1))
    }

    /// What a system offers, or the prelude under the name `prelude`.
    pub fn documentation(&self, system: &str) -> Option<Documentation> {
        let number = self.names.iter().position(|name| **name == *system)?;
        let (module, source) = (self.module(number)?, self.sources.get(number)?);
        Some(Documentation::read(system, &source.text, &module.file))
    }

    /// The texts, for the places in programs.
    pub(crate) fn sources(&self) -> Arc<[Source]> {
        Arc::clone(&self.sources)
    }

    /// The texts of a library that was refused, to show its diagnostics with.
    pub fn sources_of(prelude: &str, systems: &[(&str, &str)]) -> Sources {
        Sources::with_library("program".into(), "", sources(prelude, systems))
    }
}

fn sources(prelude: &str, systems: &[(&str, &str)]) -> Arc<[Source]> {
    let systems = systems.iter().map(|(name, text)| Source::new(&format!("{name}.dice"), text));
    [Source::new("prelude", prelude)].into_iter().chain(systems).collect()
}

impl Documentation {
    /// What a text offers as a module of this name, however wrong the text may be.
    pub fn of(name: &str, text: &str) -> Documentation {
        Documentation::read(name, text, &parse(text, SourceId(0), &Limits::default()).file)
    }

    fn read(name: &str, text: &str, file: &File) -> Documentation {
        let mut page =
            Documentation { name: name.into(), enumerations: Vec::new(), functions: Vec::new() };
        for statement in &file.block.statements {
            let (doc, form) = told(statement.doc.as_deref());
            match &statement.kind {
                StatementKind::Enumeration { name, variants } => {
                    page.enumerations.push(EnumerationDoc {
                        name: name.text.clone(),
                        variants: variants.iter().map(|v| v.text.clone()).collect(),
                        doc,
                        form,
                    });
                }
                StatementKind::Function { name, parameters, .. } => {
                    page.functions.push(FunctionDoc {
                        name: name.text.clone(),
                        parameters: parameters.iter().map(|p| ParameterDoc::of(p, text)).collect(),
                        doc,
                        form,
                        span: statement.span,
                    });
                }
                _ => {}
            }
        }
        page
    }
}

/// The `##` lines for readers, and those for a form, which begin with `Form:`.
fn told(lines: Option<&str>) -> (Option<String>, Vec<String>) {
    let Some(lines) = lines else { return (None, Vec::new()) };
    let all: Vec<&str> = lines.lines().collect();
    let from = all.iter().position(|line| line.trim_start().starts_with("Form:"));
    let (doc, form) = all.split_at(from.unwrap_or(all.len()));
    (Some(doc.join("\n")), form.iter().map(|line| (*line).to_owned()).collect())
}

impl ParameterDoc {
    fn of(parameter: &Parameter, text: &str) -> ParameterDoc {
        let slice = |span: Span| text.get(span.range()).unwrap_or("").to_string();
        let written = parameter.annotation.as_ref().map(|ty| slice(ty.span));
        let ty = written.or_else(|| parameter.default.as_ref().and_then(literal_type));
        ParameterDoc {
            name: parameter.name.text.clone(),
            roll: parameter.roll,
            ty,
            default: parameter.default.as_ref().map(|default| slice(default.span)),
        }
    }
}

/// The type of a literal, for documentation.
fn literal_type(expr: &Expr) -> Option<String> {
    Some(match &expr.kind {
        ExprKind::Number(_) | ExprKind::Unary(..) | ExprKind::Binary(..) => "number".into(),
        ExprKind::Bool(_) => "bool".into(),
        ExprKind::Text(_) => "text".into(),
        ExprKind::List(items) => {
            format!("[{}]", items.first().and_then(literal_type).unwrap_or_default())
        }
        ExprKind::Paren(inner) => literal_type(inner)?,
        _ => return None,
    })
}

/// The number of the library's `number`-th text: after the program.
fn library_source(number: usize) -> SourceId {
    SourceId(u32::try_from(number + 1).unwrap_or(u32::MAX))
}
