//! What a round throws, told from what it does with it.
//!
//! ```text
//! next hits = hits + (6d10! cs>=8), rolls = rolls + 1 until hits >= 10 or rolls >= 10
//! let fight = versus((min(3, mine))d6, (min(2, theirs))d6)
//! ```
//!
//! In the first round the dice are the same in every state, in the second they depend on two numbers that each
//! have few values. So the parts that throw are worked out once for the values they depend on, and the rest of
//! the round, which throws nothing, is code with holes. A throw depends on the largest expressions without
//! chance inside it.

use astragal_program::core::LocalId;

use crate::eval::Machine;
use crate::plan::{Kind, Node, parts};

/// A part of a round that throws.
pub(super) struct Thrown<'p> {
    pub(super) node: &'p Node,
    /// The bindings that it stands in, outermost first.
    pub(super) bindings: Vec<(LocalId, &'p Node)>,
    pub(super) keys: Keys<'p>,
}

/// What the values of a throw depend on.
pub(super) enum Keys<'p> {
    /// All that is carried.
    State,
    These(Vec<&'p Node>),
}

/// The throws of a round, in the order in which they are made; none if they cannot be told from the rest.
pub(super) fn throws_of<'p>(
    machine: &Machine<'p>,
    round: &'p Node,
    state: &[LocalId],
) -> Option<Vec<Thrown<'p>>> {
    let mut finder =
        Finder { machine, varying: state.to_vec(), bindings: Vec::new(), found: Vec::new() };
    finder.round(round)?;
    Some(finder.found)
}

/// The round as one throw.
pub(super) fn as_one(round: &Node) -> Vec<Thrown<'_>> {
    vec![Thrown { node: round, bindings: Vec::new(), keys: Keys::State }]
}

struct Finder<'a, 'p> {
    machine: &'a Machine<'p>,
    /// The variables that differ from round to round.
    varying: Vec<LocalId>,
    bindings: Vec<(LocalId, &'p Node)>,
    found: Vec<Thrown<'p>>,
}

impl<'p> Finder<'_, 'p> {
    /// Finds the throws of a round. Even where nothing in it differs from round to round, it is no single throw: its
    /// throws have fewer values than all of them together.
    fn round(&mut self, node: &'p Node) -> Option<()> {
        match &node.kind {
            Kind::Let { local, value, body } if !is_pool(value) => {
                self.bound(*local, value, |finder| finder.round(body))
            }
            Kind::Record { fields, .. } => fields.iter().try_for_each(|field| self.round(field)),
            _ => self.look(node),
        }
    }

    /// Finds the throws in an expression that is always evaluated.
    fn look(&mut self, node: &'p Node) -> Option<()> {
        if node.is_still() {
            return Some(());
        }
        if is_pool(node) {
            return None;
        }
        if !self.varies(node) {
            return self.throw(node);
        }
        if matches!(node.kind, Kind::Operation { .. } | Kind::If { .. }) && self.is_alone(node) {
            return self.throw(node);
        }
        self.form(node)
    }

    /// Does something in the scope of a binding.
    fn bound(
        &mut self,
        local: LocalId,
        value: &'p Node,
        body: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.look(value)?;
        self.bindings.push((local, value));
        self.varying.push(local);
        body(self)?;
        self.varying.pop();
        self.bindings.pop();
        Some(())
    }

    /// Finds the throws in an expression that is not without chance and looks at what differs from round to round.
    fn form(&mut self, node: &'p Node) -> Option<()> {
        match &node.kind {
            Kind::Nothing | Kind::Constant(_) | Kind::Local(_) => Some(()),
            Kind::Let { local, value, body } => {
                self.bound(*local, value, |finder| finder.look(body))
            }
            Kind::If { condition, then, otherwise } => {
                let only = then.is_still() && otherwise.is_still();
                if only { self.look(condition) } else { self.throw(node) }
            }
            Kind::Operation { operands: parts, .. }
            | Kind::List(parts)
            | Kind::Record { fields: parts, .. } => {
                parts.iter().try_for_each(|part| self.look(part))
            }
            Kind::Field { record, .. } => match &record.kind {
                Kind::Let { .. }
                | Kind::If { .. }
                | Kind::Record { .. }
                | Kind::Field { .. }
                | Kind::Enter { .. }
                | Kind::Require { .. } => self.look(record),
                _ => self.throw(node),
            },
            Kind::Call { function, arguments } => {
                let callee = self.machine.plan.functions.get(*function)?;
                match callee.body.is_still() {
                    true => arguments.iter().try_for_each(|argument| self.look(argument)),
                    false => self.throw(node),
                }
            }
            Kind::Enter { body } => self.look(body),
            Kind::Require { condition, body, .. } => {
                self.look(condition)?;
                self.look(body)
            }
            Kind::Fold { .. }
            | Kind::Walk(_)
            | Kind::Repeat(_)
            | Kind::Symbols { .. }
            | Kind::Tally { .. }
            | Kind::Drawn { .. }
            | Kind::Read { .. } => self.throw(node),
            Kind::Given { .. }
            | Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Merge(_)
            | Kind::Times { .. }
            | Kind::Suffixed { .. } => None,
        }
    }

    /// Whether nothing but throws in it differs from round to round, so that the whole has fewer values than
    /// they have: `action(dice).successes >= 1`.
    fn is_alone(&self, node: &'p Node) -> bool {
        if !self.varies(node) {
            return true;
        }
        match &node.kind {
            Kind::Operation { operands, .. } => operands.iter().all(|part| self.is_alone(part)),
            Kind::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|part| self.is_alone(part))
            }
            Kind::Field { record, .. } => self.is_alone(record),
            Kind::Call { function, .. } => {
                let callee = self.machine.plan.functions.get(*function);
                callee.is_some_and(|callee| !callee.body.is_still())
            }
            Kind::Fold { .. }
            | Kind::Walk(_)
            | Kind::Repeat(_)
            | Kind::Symbols { .. }
            | Kind::Tally { .. }
            | Kind::Read { .. } => !node.is_still(),
            _ => false,
        }
    }

    fn varies(&self, node: &Node) -> bool {
        self.varying.iter().any(|local| node.free.contains(*local))
    }

    fn throw(&mut self, node: &'p Node) -> Option<()> {
        let mut keys = Vec::new();
        self.keys(node, node, &mut keys);
        let keys = Keys::These(keys);
        self.found.push(Thrown { node, bindings: self.bindings.clone(), keys });
        Some(())
    }

    /// The largest expressions without chance in a throw that differ from round to round.
    fn keys(&self, node: &'p Node, throw: &Node, keys: &mut Vec<&'p Node>) {
        if !self.varies(node) {
            return;
        }
        let from_outside = node.free.iter().all(|local| throw.free.contains(local));
        if from_outside && node.is_still() {
            keys.push(node);
            return;
        }
        for part in parts(&node.kind) {
            self.keys(part, throw, keys);
        }
    }
}

/// Whether dice are what it yields: they are bound, to be read more than once.
fn is_pool(node: &Node) -> bool {
    match &node.kind {
        Kind::Dice { .. }
        | Kind::Suffixed { .. }
        | Kind::Merge(_)
        | Kind::Gather(_)
        | Kind::Times { .. } => true,
        Kind::Drawn { dice, .. } => is_pool(dice),
        _ => false,
    }
}
