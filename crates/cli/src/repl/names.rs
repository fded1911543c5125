//! The names that a line may use, for help, completion and hints.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use astragal::syntax::print_expr;
use astragal::syntax::span::{SourceId, Span};
use astragal::syntax::tree::Parameter;
use astragal::{Documentation, Engine, EnumerationDoc, FunctionDoc, ParameterDoc};

use super::definitions::{Definition, Definitions, Kind};

/// The page of names that need no prefix.
const PRELUDE: &str = "prelude";

/// All names; shared between the session, which changes it, and the editor, which looks at it.
#[derive(Clone)]
pub(super) struct Names {
    shared: Arc<Mutex<Catalogue>>,
}

impl Names {
    pub(super) fn new(engine: &Engine) -> Names {
        let names = std::iter::once(PRELUDE).chain(engine.systems());
        let pages = names.filter_map(|name| engine.documentation(name)).collect();
        Names { shared: Arc::new(Mutex::new(Catalogue { pages, open: None, own: Vec::new() })) }
    }

    /// Looks at the names. Nothing is ever left half done, so a poisoned lock is a good one.
    pub(super) fn look(&self) -> MutexGuard<'_, Catalogue> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, open: Option<&str>, own: &Definitions) {
        let mut catalogue = self.look();
        catalogue.open = open.map(str::to_owned);
        catalogue.own = own.list().to_vec();
    }
}

/// What is known.
pub(super) struct Catalogue {
    /// The prelude, then the systems.
    pages: Vec<Documentation>,
    open: Option<String>,
    own: Vec<Definition>,
}

/// A function and the prefix it is called with here.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) prefix: String,
    pub(super) function: FunctionDoc,
    /// The enumerations of its page.
    pub(super) enumerations: Vec<EnumerationDoc>,
}

impl Catalogue {
    pub(super) fn systems(&self) -> impl Iterator<Item = &Documentation> {
        self.pages.iter().filter(|page| page.name != PRELUDE)
    }

    pub(super) fn system(&self, name: &str) -> Option<&Documentation> {
        self.systems().find(|page| page.name == name)
    }

    pub(super) fn own(&self) -> &[Definition] {
        &self.own
    }

    /// The functions that a name may mean: `cofd.action`, `action`. The nearest comes first; a bare name
    /// finds functions that would need a prefix too.
    pub(super) fn functions(&self, path: &str) -> Vec<Known> {
        let (system, name) = match path.split_once('.') {
            Some((system, name)) => (Some(system), name),
            None => (None, path),
        };
        let wanted = |known: &Known| {
            known.function.name == name
                && system.is_none_or(|system| known.prefix == format!("{system}."))
        };
        let mut found: Vec<Known> = self.all_functions().filter(wanted).collect();
        found.sort_by_key(|known| self.needs_prefix(known));
        found
    }

    /// The function that this name calls in a line.
    pub(super) fn called(&self, path: &str) -> Option<Known> {
        let mut found = self.functions(path).into_iter();
        found.find(|known| path.contains('.') || !self.needs_prefix(known))
    }

    /// Every function, the session's own first.
    pub(super) fn all_functions(&self) -> impl Iterator<Item = Known> {
        let own = self.own.iter().filter_map(own_function);
        own.chain(self.pages.iter().flat_map(functions_of))
    }

    /// Whether a name can only be called with its prefix.
    pub(super) fn needs_prefix(&self, known: &Known) -> bool {
        let open = self.open.as_ref().map(|open| format!("{open}."));
        !known.prefix.is_empty() && Some(&known.prefix) != open.as_ref()
    }

    /// The variants of an enumeration that can be named here: `Outcome`, `cofd.Outcome`.
    pub(super) fn variants(&self, name: &str) -> Vec<String> {
        let own = self.own.iter().find_map(|definition| match &definition.kind {
            Kind::Enumeration(variants) if definition.name == name => Some(variants.clone()),
            _ => None,
        });
        let pages = self.pages.iter().flat_map(|page| &page.enumerations);
        own.or_else(|| pages.into_iter().find(|e| e.name == name).map(|e| e.variants.clone()))
            .unwrap_or_default()
    }
}

fn functions_of(page: &Documentation) -> impl Iterator<Item = Known> {
    let prefix = if page.name == PRELUDE { String::new() } else { format!("{}.", page.name) };
    page.functions.iter().map(move |function| Known {
        prefix: prefix.clone(),
        function: function.clone(),
        enumerations: page.enumerations.clone(),
    })
}

/// A function of the session, documented as a system's would be.
fn own_function(definition: &Definition) -> Option<Known> {
    let Kind::Function(parameters) = &definition.kind else { return None };
    let function = FunctionDoc {
        name: definition.name.clone(),
        parameters: parameters.iter().map(own_parameter).collect(),
        doc: definition.doc.clone(),
        span: Span::new(SourceId(0), 0, 0),
    };
    Some(Known { prefix: String::new(), function, enumerations: Vec::new() })
}

fn own_parameter(parameter: &Parameter) -> ParameterDoc {
    ParameterDoc {
        name: parameter.name.text.clone(),
        roll: parameter.roll,
        ty: None,
        default: parameter.default.as_ref().map(print_expr),
    }
}
