//! Expressions without chance on a path: evaluated on finished values.
//!
//! On a path all variables are decided, so what needs no dice there is one short recursion. Whatever is not
//! plain sailing (dice, a failure, a loop, nesting beyond reason) yields nothing, and the caller takes the
//! general way. The steps of walks, asked far more often, are translated to code instead ([`crate::plain`]).

use astragal_value::{Value, apply};

use crate::plan::{Kind, Node, Plan};

/// How deep expressions may nest, calls included.
const DEEPEST: usize = 200;

/// What evaluating needs besides the variables.
#[derive(Clone, Copy)]
pub(super) struct Plain<'a> {
    pub(super) plan: &'a Plan,
    pub(super) meter: &'a astragal_prob::Meter,
}

impl Plain<'_> {
    /// The value of an expression; `frame` holds its variables.
    pub(super) fn value(&self, node: &Node, frame: &mut [Value], depth: usize) -> Option<Value> {
        self.meter.charge(1).ok().filter(|()| depth < DEEPEST)?;
        let deeper = depth + 1;
        Some(match &node.kind {
            Kind::Nothing => Value::None,
            Kind::Constant(value) => value.clone(),
            Kind::Local(local) => frame.get(local.0 as usize)?.clone(),
            Kind::Let { local, value, body } => {
                *frame.get_mut(local.0 as usize)? = self.value(value, frame, deeper)?;
                self.value(body, frame, deeper)?
            }
            Kind::If { condition, then, otherwise } => {
                let holds = self.value(condition, frame, deeper)?.as_bool()?;
                self.value(if holds { then } else { otherwise }, frame, deeper)?
            }
            Kind::Operation { op, operands } => {
                apply(*op, &self.values(operands, frame, deeper)?).ok()?
            }
            Kind::List(items) => Value::List(self.values(items, frame, deeper)?.into()),
            Kind::Record { shape, fields } => {
                Value::Record(shape.clone(), self.values(fields, frame, deeper)?.into())
            }
            Kind::Field { record, index } => match self.value(record, frame, deeper)? {
                Value::Record(_, fields) => fields.get(*index)?.clone(),
                _ => return None,
            },
            Kind::Call { function, arguments } => {
                let callee = self.plan.functions.get(*function)?;
                let mut inner = self.values(arguments, frame, deeper)?;
                inner.resize(callee.locals, Value::None);
                self.value(&callee.body, &mut inner, deeper)?
            }
            Kind::Enter { body } | Kind::Note { body, .. } => self.value(body, frame, deeper)?,
            Kind::Fold { list, first, carry, item, body } => {
                let Value::List(items) = self.value(list, frame, deeper)? else { return None };
                let mut carried = self.value(first, frame, deeper)?;
                for next in items.iter() {
                    *frame.get_mut(item.0 as usize)? = next.clone();
                    *frame.get_mut(carry.0 as usize)? = carried;
                    carried = self.value(body, frame, deeper)?;
                }
                carried
            }
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
            | Kind::Read { .. } => return None,
        })
    }

    fn values(&self, nodes: &[Node], frame: &mut [Value], depth: usize) -> Option<Vec<Value>> {
        nodes.iter().map(|node| self.value(node, frame, depth)).collect()
    }
}
