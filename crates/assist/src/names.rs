//! The names that a text may use, for help, completion and hints.

use astragal::{Documentation, Engine, EnumerationDoc, FunctionDoc, ParameterDoc};
use astragal_syntax::print_expr;
use astragal_syntax::span::{SourceId, Span};
use astragal_syntax::tree::Parameter;

use crate::definitions::{Definition, Kind};

/// The page of names that need no prefix.
const PRELUDE: &str = "prelude";

/// All names.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The prelude, then the systems.
    pages: Vec<Documentation>,
    open: Option<String>,
    own: Vec<Definition>,
}

/// A function and the prefix it is called with here.
#[derive(Clone, Debug)]
pub struct Known {
    /// `cofd.`, or empty.
    pub prefix: String,
    /// What is known of it.
    pub function: FunctionDoc,
    /// The enumerations of its page.
    pub enumerations: Vec<EnumerationDoc>,
}

impl Catalogue {
    /// The names of the prelude and the systems.
    pub fn new(engine: &Engine) -> Catalogue {
        let names = std::iter::once(PRELUDE).chain(engine.systems());
        let pages = names.filter_map(|name| engine.documentation(name)).collect();
        Catalogue { pages, open: None, own: Vec::new() }
    }

    /// Adds a module, such as a file of house rules.
    pub fn add(&mut self, page: Documentation) {
        self.pages.push(page);
    }

    /// Sets what is defined beside the library, and the system whose names need no prefix.
    pub fn set(&mut self, open: Option<&str>, own: &[Definition]) {
        self.open = open.map(str::to_owned);
        self.own = own.to_vec();
    }

    /// All modules but the prelude.
    pub fn systems(&self) -> impl Iterator<Item = &Documentation> {
        self.pages.iter().filter(|page| page.name != PRELUDE)
    }

    /// The module with this name.
    pub fn system(&self, name: &str) -> Option<&Documentation> {
        self.systems().find(|page| page.name == name)
    }

    /// What is defined beside the library.
    pub fn own(&self) -> &[Definition] {
        &self.own
    }

    /// The functions that a name may mean: `cofd.action`, `action`. The nearest comes first; a bare name
    /// finds functions that would need a prefix too.
    pub fn functions(&self, path: &str) -> Vec<Known> {
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
    pub fn called(&self, path: &str) -> Option<Known> {
        let mut found = self.functions(path).into_iter();
        found.find(|known| path.contains('.') || !self.needs_prefix(known))
    }

    /// Every function, the session's own first.
    pub fn all_functions(&self) -> impl Iterator<Item = Known> {
        let own = self.own.iter().filter_map(own_function);
        own.chain(self.pages.iter().flat_map(functions_of))
    }

    /// Whether a name can only be called with its prefix.
    pub fn needs_prefix(&self, known: &Known) -> bool {
        let open = self.open.as_ref().map(|open| format!("{open}."));
        !known.prefix.is_empty() && Some(&known.prefix) != open.as_ref()
    }

    /// The variants of an enumeration that can be named here: `Outcome`, `cofd.Outcome`.
    pub fn variants(&self, name: &str) -> Vec<String> {
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
        form: Vec::new(),
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
