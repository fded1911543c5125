//! Which expressions are without chance: those that [`super::plain::Plain`] can evaluate.

use super::{Frame, Paths};
use crate::eval::Machine;
use crate::plan::{Kind, Node, parts};

impl<'p> Paths<'_, 'p> {
    /// Whether an expression throws nothing and looks at no dice.
    pub(super) fn is_still(&self, node: &'p Node, frame: &Frame) -> bool {
        frame.dice.iter().all(|(local, _)| !node.free.contains(*local))
            && self.machine.is_still(node)
    }
}

impl<'p> Machine<'p> {
    /// Whether an expression and all it calls throw nothing; found once for each.
    pub(in crate::eval) fn is_still(&self, node: &'p Node) -> bool {
        match &node.kind {
            Kind::Nothing | Kind::Constant(_) | Kind::Local(_) => return true,
            Kind::Walk(_)
            | Kind::Repeat(_)
            | Kind::Require { .. }
            | Kind::Given { .. }
            | Kind::Note { .. }
            | Kind::Dice { .. }
            | Kind::Symbols { .. }
            | Kind::Tally { .. }
            | Kind::Drawn { .. }
            | Kind::Gather(_)
            | Kind::Merge(_)
            | Kind::Times { .. }
            | Kind::Suffixed { .. }
            | Kind::Read { .. } => return false,
            Kind::Let { .. }
            | Kind::If { .. }
            | Kind::Operation { .. }
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Call { .. }
            | Kind::Enter { .. }
            | Kind::Fold { .. } => {}
        }
        if let Some(still) = node.still.get() {
            return still;
        }
        // A function that calls itself is not known to come to an end.
        node.still.set(Some(false));
        let mut still = parts(&node.kind).into_iter().all(|part| self.is_still(part));
        if let Kind::Call { function, .. } = &node.kind
            && let Some(callee) = self.plan.functions.get(*function)
        {
            still = still && self.is_still(&callee.body);
        }
        node.still.set(Some(still));
        still
    }
}
