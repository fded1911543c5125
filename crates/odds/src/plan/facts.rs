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
}

impl Node {
    /// Whether it or something that it calls throws dice, or looks at some.
    pub(crate) fn throws(&self) -> bool {
        self.facts.throws
    }

    /// Whether it and all that it calls are without chance, and say nothing but their value.
    pub(crate) fn is_still(&self) -> bool {
        self.facts.still
    }
}

/// Numbers all nodes and finds out what holds for them.
pub(super) fn settle(functions: &mut [Function], mains: &mut [Function]) {
    // A function that calls itself is not known to come to an end.
    let known = vec![Facts::default(); functions.len()];
    let mut settling = Settling { known, next: 0 };
    loop {
        let before = settling.known.clone();
        settling.next = 0;
        // Most functions come before those that they call.
        for (at, function) in functions.iter_mut().enumerate().rev() {
            settling.known[at] = settling.settle(&mut function.body);
        }
        for main in &mut *mains {
            settling.settle(&mut main.body);
        }
        if settling.known == before {
            return;
        }
    }
}

struct Settling {
    /// What holds for the functions, as far as it is found.
    known: Vec<Facts>,
    next: u32,
}

impl Settling {
    fn settle(&mut self, node: &mut Node) -> Facts {
        node.id = NodeId(self.next);
        self.next += 1;
        let called = match &node.kind {
            Kind::Call { function, .. } => self.known.get(*function).copied().unwrap_or_default(),
            _ => Facts { still: is_without_chance(&node.kind), throws: is_thrown(&node.kind) },
        };
        let mut facts = called;
        for part in parts_mut(&mut node.kind) {
            let part = self.settle(part);
            facts.still &= part.still;
            facts.throws |= part.throws;
        }
        node.facts = facts;
        facts
    }
}

/// Whether a form does nothing by itself that is a matter of chance, or is to be told besides its value.
fn is_without_chance(kind: &Kind) -> bool {
    match kind {
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
        | Kind::Fold { .. } => true,
        Kind::Walk(_)
        | Kind::Repeat(_)
        | Kind::Require { .. }
        | Kind::Given { .. }
        | Kind::Dice { .. }
        | Kind::Symbols { .. }
        | Kind::Tally { .. }
        | Kind::Drawn { .. }
        | Kind::Gather(_)
        | Kind::Merge(_)
        | Kind::Times { .. }
        | Kind::Suffixed { .. }
        | Kind::Read { .. } => false,
    }
}

/// Whether a form throws dice, or looks at some, or goes on until something is thrown.
fn is_thrown(kind: &Kind) -> bool {
    let does_something = matches!(kind, Kind::Require { .. } | Kind::Given { .. });
    !does_something && !is_without_chance(kind)
}
