//! What is known of each node once the plan is whole: its number, and the facts that shortcuts ask for.
//!
//! A shortcut does some of the work of the evaluator in another way, and must not be taken where that way would
//! leave something out. Whether it may is asked here and nowhere else: [`Node::is_still`] says that an expression
//! is a function of its variables and nothing more, so that code may be run in its place. Facts of a function hold
//! for all of its calls; where functions call each other, they are looked at until nothing new is found.

use super::parts::parts_mut;
use super::{Function, Kind, Node};

/// Which node of a plan: what was worked out for a node is kept under its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

/// What holds for a node and for all that it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// It throws nothing, knows no evidence, refuses nothing, and certainly comes to an end.
    still: bool,
    /// It throws dice, or looks at some.
    throws: bool,
    /// It goes through a list.
    folds: bool,
}

impl Node {
    /// Whether it or something that it calls throws dice, or looks at some.
    pub(crate) fn throws(&self) -> bool {
        self.facts.throws
    }

    /// Whether it or something that it calls goes through a list.
    pub(crate) fn folds(&self) -> bool {
        self.facts.folds
    }

    /// Whether it and all that it calls are without chance, and say nothing but their value.
    pub(crate) fn is_still(&self) -> bool {
        self.facts.still
    }
}

/// Numbers all nodes and finds out what holds for them. `order` has the functions after those that they call, but for
/// calls around a circle.
pub(super) fn settle(functions: &mut [Function], order: &[usize], mains: &mut [Function]) {
    let mut settling = Settling { known: vec![None; functions.len()], circle: false, next: 0 };
    loop {
        let before = settling.known.clone();
        settling.next = 0;
        for at in order {
            settling.known[*at] = Some(settling.settle(&mut functions[*at].body));
        }
        if !settling.circle || settling.known == before {
            break;
        }
    }
    for main in mains {
        settling.settle(&mut main.body);
    }
}

struct Settling {
    /// What holds for the functions, as far as it is found.
    known: Vec<Option<Facts>>,
    /// Whether a function was called of which nothing was known yet.
    circle: bool,
    next: u32,
}

impl Settling {
    fn settle(&mut self, node: &mut Node) -> Facts {
        node.id = NodeId(self.next);
        self.next += 1;
        let mut facts = match &node.kind {
            Kind::Call { function, .. } => self.called(*function),
            kind => Facts {
                still: is_without_chance(kind),
                throws: is_thrown(kind),
                folds: matches!(kind, Kind::Fold { .. }),
            },
        };
        for part in parts_mut(&mut node.kind) {
            let part = self.settle(part);
            facts.still &= part.still;
            facts.throws |= part.throws;
            facts.folds |= part.folds;
        }
        node.facts = facts;
        facts
    }

    /// A function that calls itself is not known to come to an end.
    fn called(&mut self, function: usize) -> Facts {
        let known = self.known.get(function).copied().flatten();
        self.circle |= known.is_none();
        known.unwrap_or_default()
    }
}

/// Whether a form does nothing by itself that is a matter of chance, or is to be told besides its value. One that is
/// not listed is taken to throw.
fn is_without_chance(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Nothing
            | Kind::Constant(_)
            | Kind::Local(_)
            | Kind::Let { .. }
            | Kind::If { .. }
            | Kind::Operation { .. }
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Call { .. }
            | Kind::Enter { .. }
            | Kind::Fold { .. }
    )
}

/// Whether a form throws dice, or looks at some, or goes on until something is thrown.
fn is_thrown(kind: &Kind) -> bool {
    let does_something = matches!(kind, Kind::Require { .. } | Kind::Given { .. });
    !does_something && !is_without_chance(kind)
}
