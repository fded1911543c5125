//! Gathers the modules of a program: the program, the library, and the files it uses.
//!
//! Everything is loaded before anything is checked, so that the checker can hold on to the trees.

use std::collections::HashMap;
use std::sync::Arc;

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::parse;
use astragal_syntax::span::{SourceId, Span};
use astragal_syntax::tree::{File, StatementKind};

use crate::Options;
use crate::errors;
use crate::library::Library;
use crate::sources::{Files, Sources};

/// Which module of [`Modules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ModuleId(pub(crate) usize);

/// The program itself.
pub(crate) const PROGRAM: ModuleId = ModuleId(0);
/// The standard library.
pub(crate) const PRELUDE: ModuleId = ModuleId(1);

/// A text with definitions.
pub(crate) struct Module {
    /// What its names are qualified with; empty for the program and the prelude.
    pub(crate) name: Arc<str>,
    pub(crate) file: Arc<File>,
    /// Modules it names with `use`.
    pub(crate) uses: Vec<(String, ModuleId)>,
    /// It is part of the library, whose definitions are checked once, when it is made.
    pub(crate) library: bool,
}

/// All modules of a program.
pub(crate) struct Modules {
    pub(crate) list: Vec<Module>,
    /// The systems by name, known everywhere.
    pub(crate) systems: HashMap<Arc<str>, ModuleId>,
    pub(crate) sources: Sources,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Modules {
    /// Whether a source is the prelude or a system.
    pub(crate) fn is_library(&self, source: SourceId) -> bool {
        self.list.get(source.0 as usize).is_some_and(|module| module.library)
    }
}

struct Loader<'a> {
    modules: Modules,
    files: &'a dyn Files,
    options: &'a Options<'a>,
    loaded: HashMap<String, ModuleId>,
    /// The files being loaded, outermost first.
    open: Vec<String>,
}

/// Loads the program and everything it mentions.
pub(crate) fn load(
    text: &str,
    name: &str,
    library: &Library,
    files: &dyn Files,
    options: &Options<'_>,
) -> Modules {
    let mut sources = Sources::default();
    let program = sources.add(name, text);
    let parsed = parse(text, program, &options.syntax);
    let mut modules = Modules {
        list: vec![module("", Arc::new(parsed.file), false)],
        systems: HashMap::new(),
        sources,
        diagnostics: parsed.diagnostics,
    };
    for (number, text) in library.texts().iter().enumerate() {
        let label = if number == 0 { text.name.to_string() } else { format!("{}.dice", text.name) };
        modules.sources.add(label, text.text.clone());
        let prefix = if number == 0 { "" } else { &*text.name };
        if number > 0 {
            modules.systems.insert(text.name.clone(), ModuleId(modules.list.len()));
        }
        modules.list.push(module(prefix, text.file.clone(), true));
    }
    let mut loader = Loader { modules, files, options, loaded: HashMap::new(), open: Vec::new() };
    loader.follow_uses(PROGRAM);
    loader.modules
}

fn module(name: &str, file: Arc<File>, library: bool) -> Module {
    Module { name: name.into(), file, uses: Vec::new(), library }
}

impl Loader<'_> {
    fn follow_uses(&mut self, user: ModuleId) {
        let Some(file) = self.modules.list.get(user.0).map(|module| module.file.clone()) else {
            return;
        };
        for statement in &file.block.statements {
            let StatementKind::Use { path, path_span, alias } = &statement.kind else { continue };
            let name = alias.as_ref().map_or_else(|| module_name(path), |alias| alias.text.clone());
            if let Some(used) = self.used(path, &name, *path_span)
                && let Some(module) = self.modules.list.get_mut(user.0)
            {
                module.uses.push((name, used));
            }
        }
    }

    fn used(&mut self, path: &str, name: &str, span: Span) -> Option<ModuleId> {
        if self.open.iter().any(|open| open == path) {
            self.modules.diagnostics.push(errors::cyclic_use(span, &self.open, path));
            return None;
        }
        if let Some(known) = self.loaded.get(path) {
            return Some(*known);
        }
        match self.files.read(path) {
            Ok(text) => Some(self.load_file(path, name, &text)),
            Err(reason) => {
                self.modules.diagnostics.push(errors::cannot_use(span, path, &reason));
                None
            }
        }
    }

    fn load_file(&mut self, path: &str, name: &str, text: &str) -> ModuleId {
        let source = self.modules.sources.add(path, text);
        let parsed = parse(text, source, &self.options.syntax);
        let said = parsed.diagnostics.into_iter();
        self.modules.diagnostics.extend(said.filter(|d| d.code != "empty"));
        let id = ModuleId(self.modules.list.len());
        self.modules.list.push(module(name, Arc::new(parsed.file), false));
        self.loaded.insert(path.into(), id);
        self.open.push(path.into());
        self.follow_uses(id);
        self.open.pop();
        id
    }
}

/// What a file's names are qualified with: those of `rules/house.dice` with `house`.
pub fn module_name(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.split('.').next().unwrap_or(file).to_string()
}
