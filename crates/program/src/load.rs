//! Gathers the modules of a program: the program, the library, and the files it uses.
//!
//! Everything is loaded before anything is checked, so that the checker can hold on to the trees.

use std::collections::HashMap;
use std::sync::Arc;

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::{SourceId, Span};
use astragal_syntax::tree::{File, Statement, StatementKind};
use astragal_syntax::{Words, parse};

use crate::Options;
use crate::errors;
use crate::items::Items;
use crate::library::Library;
use crate::sources::{Files, Sources};

/// Which module of [`Modules`]. It has the number of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ModuleId(pub(crate) usize);

/// The program itself.
pub(crate) const PROGRAM: ModuleId = ModuleId(0);
/// The standard library.
pub(crate) const PRELUDE: ModuleId = ModuleId(1);

/// A text with definitions.
#[derive(Debug)]
pub(crate) struct Module {
    /// What its names are qualified with; empty for the program and the prelude.
    pub(crate) name: Words,
    pub(crate) file: File,
    /// What it defines; the program's own definitions are those of a block.
    pub(crate) items: Items,
    /// Modules it names with `use`.
    pub(crate) uses: Vec<(String, ModuleId)>,
}

/// All modules of a program: the program itself, the library, and used files.
pub(crate) struct Modules<'l> {
    pub(crate) library: &'l Library,
    pub(crate) program: Module,
    /// The file whose names are known without its prefix.
    pub(crate) house: Option<ModuleId>,
    files: Vec<Module>,
    pub(crate) sources: Sources,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Modules<'_> {
    /// The module with this number.
    pub(crate) fn get(&self, id: ModuleId) -> Option<&Module> {
        let Some(number) = id.0.checked_sub(1) else { return Some(&self.program) };
        match number.checked_sub(self.library.len()) {
            None => self.library.module(number),
            Some(number) => self.files.get(number),
        }
    }

    /// The library's modules.
    pub(crate) fn shared(&self) -> impl Iterator<Item = ModuleId> + Clone + use<> {
        (1..=self.library.len()).map(ModuleId)
    }

    /// The used files.
    pub(crate) fn used(&self) -> impl Iterator<Item = ModuleId> + Clone + use<> {
        let first = 1 + self.library.len();
        (first..first + self.files.len()).map(ModuleId)
    }

    /// Whether a source is the prelude or a system.
    pub(crate) fn is_library(&self, source: SourceId) -> bool {
        self.is_shared(ModuleId(source.0 as usize))
    }

    /// Whether a module is the prelude or a system.
    pub(crate) fn is_shared(&self, module: ModuleId) -> bool {
        (1..=self.library.len()).contains(&module.0)
    }

    fn get_mut(&mut self, id: ModuleId) -> Option<&mut Module> {
        match id.0.checked_sub(1 + self.library.len()) {
            None => Some(&mut self.program),
            Some(number) => self.files.get_mut(number),
        }
    }
}

struct Loader<'a, 'l> {
    modules: &'a mut Modules<'l>,
    files: &'a dyn Files,
    options: &'a Options<'a>,
    loaded: HashMap<String, ModuleId>,
    /// The files being loaded, outermost first.
    open: Vec<String>,
}

/// Loads the program and everything it mentions.
pub(crate) fn load<'l>(
    text: &str,
    name: Arc<str>,
    library: &'l Library,
    files: &dyn Files,
    options: &Options<'_>,
) -> Modules<'l> {
    let sources = Sources::with_library(name, text, library.sources());
    let parsed = parse(text, Sources::PROGRAM, &options.syntax);
    let program =
        Module { name: Words::new(), file: parsed.file, items: Items::default(), uses: Vec::new() };
    let diagnostics = parsed.diagnostics;
    let (house, used) = (None, Vec::new());
    let mut modules = Modules { library, program, house, files: used, sources, diagnostics };
    if options.house.is_some() || modules.program.file.block.statements.iter().any(is_use) {
        let (loaded, open) = (HashMap::new(), Vec::new());
        let mut loader = Loader { modules: &mut modules, files, options, loaded, open };
        loader.open_house();
        loader.follow_uses(PROGRAM);
    }
    if !options.inputs.is_empty() {
        let source = modules.sources.add("inputs", options.inputs);
        let inputs = parse(options.inputs, source, &options.syntax);
        modules.diagnostics.extend(inputs.diagnostics);
        modules.program.file.block.statements.splice(0..0, inputs.file.block.statements);
    }
    modules
}

fn is_use(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Use { .. })
}

/// What a path leads to.
enum Found {
    Known(ModuleId),
    Read(String),
}

/// More files within files are a circle that changes its name on the way.
const DEEPEST: usize = 64;

/// The path of a file that another file names: it is looked for beside that one.
fn beside(user: &str, path: &str) -> String {
    let is_absolute = path.starts_with(['/', '\\']) || path.get(1..2) == Some(":");
    let folder = user.rfind(['/', '\\']).filter(|_| !is_absolute).map_or(0, |end| end + 1);
    let (mut folder, mut path) = (&user[..folder], path);
    loop {
        if let Some(rest) = path.strip_prefix("./") {
            path = rest;
        } else if let (Some(rest), Some(up)) = (path.strip_prefix("../"), parent(folder)) {
            (folder, path) = (up, rest);
        } else {
            return format!("{folder}{path}");
        }
    }
}

/// `rules/` of `rules/house/`
fn parent(folder: &str) -> Option<&str> {
    let inner = folder.strip_suffix(['/', '\\']).filter(|inner| !inner.is_empty())?;
    let start = inner.rfind(['/', '\\']).map_or(0, |end| end + 1);
    let is_named = !matches!(&inner[start..], "." | "..");
    is_named.then(|| &inner[..start])
}

/// A `use`: the path, the name for it, and where the path stands.
struct Use {
    path: String,
    name: String,
    span: Span,
}

impl Loader<'_, '_> {
    /// The file that is there without being named in the program.
    fn open_house(&mut self) {
        let Some(path) = self.options.house else { return };
        let name = module_name(path);
        self.modules.house = self.used(path, &name, Span::new(Sources::PROGRAM, 0, 0));
        self.modules.program.uses.extend(self.modules.house.map(|house| (name, house)));
    }

    fn follow_uses(&mut self, user: ModuleId) {
        let Some(module) = self.modules.get(user) else { return };
        // Of one without a path was told before.
        for Use { path, name, span } in
            uses(&module.file).into_iter().filter(|it| !it.path.is_empty())
        {
            if let Some(used) = self.used(&path, &name, span)
                && let Some(module) = self.modules.get_mut(user)
            {
                module.uses.push((name, used));
            }
        }
    }

    fn used(&mut self, path: &str, name: &str, span: Span) -> Option<ModuleId> {
        let place = self.open.last().map_or_else(|| path.to_owned(), |user| beside(user, path));
        let (place, text) = match self.known_or_read(&place) {
            // Files that know no folders are named as they are written.
            Err(_) if place != path => (path, self.known_or_read(path)),
            found => (place.as_str(), found),
        };
        if self.open.iter().any(|open| open == place) || self.open.len() == DEEPEST {
            self.modules.diagnostics.push(errors::cyclic_use(span, &self.open, place));
            return None;
        }
        match text {
            Ok(Found::Known(module)) => Some(module),
            Ok(Found::Read(text)) => Some(self.load_file(place, name, &text)),
            Err(reason) => {
                let is_system = self.modules.library.systems().any(|known| known == path);
                self.modules.diagnostics.push(errors::cannot_use(span, path, &reason, is_system));
                None
            }
        }
    }

    fn known_or_read(&self, place: &str) -> Result<Found, String> {
        match self.loaded.get(place) {
            Some(module) => Ok(Found::Known(*module)),
            None => self.files.read(place).map(Found::Read),
        }
    }

    fn load_file(&mut self, path: &str, name: &str, text: &str) -> ModuleId {
        let source = self.modules.sources.add(path, text);
        let parsed = parse(text, source, &self.options.syntax);
        let said = parsed.diagnostics.into_iter();
        self.modules.diagnostics.extend(said.filter(|d| d.code != "empty"));
        let id = ModuleId(source.0 as usize);
        let items = Items::of(name, &parsed.file);
        let file = parsed.file;
        self.modules.files.push(Module { name: name.into(), file, items, uses: Vec::new() });
        self.loaded.insert(path.into(), id);
        self.open.push(path.into());
        self.follow_uses(id);
        self.open.pop();
        id
    }
}

fn uses(file: &File) -> Vec<Use> {
    let mut found = Vec::new();
    for statement in &file.block.statements {
        let StatementKind::Use { path, path_span, alias } = &statement.kind else { continue };
        let name = alias.as_ref().map_or_else(|| module_name(path), |alias| alias.text.clone());
        found.push(Use { path: path.clone(), name, span: *path_span });
    }
    found
}

/// What a file's names are qualified with: those of `rules/house.dice` with `house`.
pub fn module_name(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.split('.').next().unwrap_or(file).to_string()
}
