//! The texts that every program may mention without importing them: the prelude and the systems.
//!
//! They are parsed once and shared. A library checks its own definitions when it is made, so that a
//! mistake in a system file is found there and not in the program of a player.

use std::sync::Arc;

use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::{SourceId, Span};
use astragal_syntax::tree::{Expr, ExprKind, File, Parameter, StatementKind};
use astragal_syntax::{Limits, parse};

use crate::sources::{NoFiles, Sources};

/// The prelude and the systems, parsed.
#[derive(Clone, Debug)]
pub struct Library {
    texts: Vec<LibraryText>,
}

/// One text of the library. The first one is the prelude.
#[derive(Clone, Debug)]
pub(crate) struct LibraryText {
    pub(crate) name: Arc<str>,
    pub(crate) text: Arc<str>,
    pub(crate) file: Arc<File>,
}

/// What a system offers.
#[derive(Clone, Debug, PartialEq, Eq)]
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
pub struct EnumerationDoc {
    /// Its name.
    pub name: String,
    /// Its variants.
    pub variants: Vec<String>,
    /// Its `##` lines.
    pub doc: Option<String>,
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
    /// Parses and checks the prelude and the systems, given as names and texts.
    pub fn new(prelude: &str, systems: &[(&str, &str)]) -> Result<Library, Vec<Diagnostic>> {
        let mut texts = Vec::new();
        let mut diagnostics = Vec::new();
        for (number, (name, text)) in
            [("prelude", prelude)].into_iter().chain(systems.iter().copied()).enumerate()
        {
            let parsed = parse(text, library_source(number), &Limits::default());
            let said = parsed.diagnostics.into_iter();
            diagnostics.extend(said.filter(|d| d.code != "empty"));
            texts.push(LibraryText {
                name: name.into(),
                text: text.into(),
                file: Arc::new(parsed.file),
            });
        }
        let library = Library { texts };
        if !diagnostics.iter().any(|d| d.severity == Severity::Error) {
            diagnostics.extend(crate::check_library(&library, &NoFiles));
        }
        diagnostics.retain(|d| d.severity <= Severity::OverBudget);
        if diagnostics.is_empty() { Ok(library) } else { Err(diagnostics) }
    }

    /// The names of the systems.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().skip(1).map(|text| &*text.name)
    }

    /// What a system offers, or the prelude under the name `prelude`.
    pub fn documentation(&self, system: &str) -> Option<Documentation> {
        let text = self.texts.iter().find(|text| &*text.name == system)?;
        Some(Documentation::read(system, &text.text, &text.file))
    }

    /// The texts as sources, for diagnostics of [`Library::new`] and the places in programs.
    pub(crate) fn texts(&self) -> &[LibraryText] {
        &self.texts
    }

    /// The texts of a library that was refused, to show its diagnostics with.
    pub fn sources_of(prelude: &str, systems: &[(&str, &str)]) -> Sources {
        let mut sources = Sources::default();
        sources.add("program", "");
        sources.add("prelude", prelude);
        for (name, text) in systems {
            sources.add(format!("{name}.dice"), *text);
        }
        sources
    }
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
            let doc = statement.doc.clone();
            match &statement.kind {
                StatementKind::Enumeration { name, variants } => {
                    page.enumerations.push(EnumerationDoc {
                        name: name.text.clone(),
                        variants: variants.iter().map(|v| v.text.clone()).collect(),
                        doc,
                    });
                }
                StatementKind::Function { name, parameters, .. } => {
                    page.functions.push(FunctionDoc {
                        name: name.text.clone(),
                        parameters: parameters.iter().map(|p| ParameterDoc::of(p, text)).collect(),
                        doc,
                        span: statement.span,
                    });
                }
                _ => {}
            }
        }
        page
    }
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
pub(crate) fn library_source(number: usize) -> SourceId {
    SourceId(u32::try_from(number + 1).unwrap_or(u32::MAX))
}
