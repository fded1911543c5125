//! What names stand for.
//!
//! Scopes are persistent lists: a function, a roll taken unthrown and a lambda keep the scope in which
//! they were written, so a copied body can never catch a name of its caller.

use std::rc::Rc;
use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, Name, Parameter};

use crate::builtin::Builtin;
use crate::core::LocalId;
use crate::load::ModuleId;
use crate::types::{EnumType, Type};
use crate::want::Want;

/// The names known at a place.
#[derive(Clone)]
pub(crate) struct Scope<'t> {
    /// The module whose definitions are known here.
    pub(crate) module: ModuleId,
    /// The functions in whose copied bodies this place stands.
    pub(crate) entered: Entered,
    node: Option<Rc<Node<'t>>>,
}

struct Node<'t> {
    name: &'t str,
    binding: Binding<'t>,
    parent: Option<Rc<Node<'t>>>,
}

/// A long list is taken down in a loop, not by recursion.
impl Drop for Node<'_> {
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(mut node) = next.and_then(Rc::into_inner) {
            next = node.parent.take();
        }
    }
}

/// What a name stands for.
#[derive(Clone)]
pub(crate) enum Binding<'t> {
    /// A variable.
    Variable(Variable),
    /// A roll taken unthrown: each mention is this expression, in the scope it was written in.
    Roll { expr: &'t Expr, scope: Scope<'t> },
    /// A function.
    Function(FunctionValue<'t>),
    /// An enumeration.
    Enumeration(Arc<EnumType>),
    /// A module.
    Module(ModuleId),
    /// A `let` of a module: a constant.
    Constant { expr: &'t Expr, module: ModuleId },
    /// A parameter about which nothing is known yet.
    Unknown,
}

/// A variable of a core function.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// The frame that owns it.
    pub(crate) frame: u32,
    pub(crate) id: LocalId,
    pub(crate) ty: Type,
    /// Where it was declared by `let`, to notice that it is used.
    pub(crate) declared: Option<Span>,
}

/// Which function definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DefinitionId {
    /// That of a statement of a module.
    Item { module: ModuleId, statement: usize },
    /// That of a block, by the order in which they were met.
    Local(usize),
}

/// The functions in whose copied bodies a place stands, outermost first.
#[derive(Clone, Default)]
pub(crate) struct Entered(Option<Rc<[DefinitionId]>>);

impl Entered {
    pub(crate) fn contains(&self, id: DefinitionId) -> bool {
        self.0.as_ref().is_some_and(|around| around.contains(&id))
    }

    /// And in this one.
    pub(crate) fn and(&self, id: DefinitionId) -> Entered {
        let around = self.0.iter().flat_map(|around| around.iter().copied());
        Entered(Some(around.chain([id]).collect()))
    }
}

/// A function taken as a value.
#[derive(Clone)]
pub(crate) enum FunctionValue<'t> {
    /// `x => x * 2`
    Lambda { parameters: &'t [Name], body: &'t Expr, scope: Scope<'t> },
    /// A function with a name.
    Definition(DefinitionId),
    /// A function that the checker knows.
    Builtin(Builtin),
}

/// A function definition.
#[derive(Clone)]
pub(crate) struct Definition<'t> {
    /// Its name with its module.
    pub(crate) name: Arc<str>,
    pub(crate) parameters: &'t [Parameter],
    pub(crate) body: &'t Expr,
    /// The scope it was written in.
    pub(crate) scope: Scope<'t>,
    pub(crate) span: Span,
}

/// What the parameters of a function expect.
pub(crate) type Signature<'t> = Rc<[Option<Want<'t>>]>;

impl<'t> Scope<'t> {
    /// The definitions of a module, and nothing else.
    pub(crate) fn of(module: ModuleId) -> Self {
        Scope { module, entered: Entered::default(), node: None }
    }

    /// This scope with one more name.
    pub(crate) fn with(&self, name: &'t str, binding: Binding<'t>) -> Self {
        let node = Node { name, binding, parent: self.node.clone() };
        Scope { module: self.module, entered: self.entered.clone(), node: Some(Rc::new(node)) }
    }

    /// This scope in a body that is copied.
    pub(crate) fn within(&self, entered: Entered) -> Self {
        Scope { entered, ..self.clone() }
    }

    /// The innermost binding of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Binding<'t>> {
        self.nodes().find(|node| node.name == name).map(|node| &node.binding)
    }

    /// The names that stand for something, innermost first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.nodes().map(|node| node.name)
    }

    fn nodes(&self) -> impl Iterator<Item = &Node<'t>> {
        std::iter::successors(self.node.as_deref(), |node| node.parent.as_deref())
    }
}

impl Binding<'_> {
    /// Whether it is a value rather than a function, a type or a module.
    pub(crate) fn is_value(&self) -> bool {
        match self {
            Binding::Variable(_)
            | Binding::Roll { .. }
            | Binding::Constant { .. }
            | Binding::Unknown => true,
            Binding::Function(_) | Binding::Enumeration(_) | Binding::Module(_) => false,
        }
    }
}
