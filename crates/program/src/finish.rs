//! The last step: keep the functions that are called, and number them.

use rustc_hash::FxHashSet;

use crate::core::{Expr, Function, FunctionId, Input, Kind, Outcome, Program};
use crate::settle::settle;
use crate::walk::children;

/// The functions written so far, by number.
pub(crate) struct Functions(pub(crate) Vec<Option<Function>>);

impl Functions {
    /// Whether an expression, or a function it calls, throws dice.
    pub(crate) fn throws(&mut self, expr: &mut Expr, seen: &mut FxHashSet<FunctionId>) -> bool {
        match &expr.kind {
            Kind::Dice { .. } | Kind::Symbols { .. } | Kind::Tally { .. } => return true,
            Kind::Call { function, .. } if seen.insert(*function) => {
                let place = function.0 as usize;
                let taken = self.0.get_mut(place).and_then(Option::take);
                if let Some(mut called) = taken {
                    let throws = self.throws(&mut called.body, seen);
                    if let Some(slot) = self.0.get_mut(place) {
                        *slot = Some(called);
                    }
                    if throws {
                        return true;
                    }
                }
            }
            _ => {}
        }
        let mut found = false;
        children(expr, &mut |child| found = found || self.throws(child, seen));
        found
    }
}

/// The finished program.
pub(crate) fn program(
    mut main: Function,
    mut written: Vec<Option<Function>>,
    results: Vec<Outcome>,
    inputs: Vec<Input>,
) -> Program {
    let mut numbering = Numbering { numbers: vec![None; written.len()], order: Vec::new() };
    let mut functions: Vec<Function> = Vec::new();
    let own = numbering.body(&mut main.body);
    if own.calls.is_empty() {
        let mut program = Program { functions, main, results, inputs, depth: own.height };
        settle(&mut program);
        return program;
    }
    let mut bodies = vec![own];
    while let Some(old) = numbering.order.get(functions.len()) {
        let taken = written.get_mut(old.0 as usize).and_then(Option::take);
        let Some(mut function) = taken else { break };
        bodies.push(numbering.body(&mut function.body));
        functions.push(function);
    }
    let depth = depth(0, &mut bodies);
    let mut program = Program { functions, main, results, inputs, depth };
    settle(&mut program);
    program
}

/// The new numbers of functions: in the order in which they are met.
struct Numbering {
    /// By the old number.
    numbers: Vec<Option<FunctionId>>,
    /// The old numbers by the new.
    order: Vec<FunctionId>,
}

/// What is to be known of a function to tell how deep it nests.
#[derive(Default)]
struct Body {
    /// How many forms stand inside each other in its text.
    height: usize,
    /// The functions it calls.
    calls: Vec<FunctionId>,
    seen: Seen,
}

#[derive(Clone, Copy, Default)]
enum Seen {
    #[default]
    Not,
    /// It is being looked at, so it calls itself.
    Open,
    Deep(usize),
}

impl Numbering {
    fn body(&mut self, body: &mut Expr) -> Body {
        let mut found = Body::default();
        self.renumber(body, 1, &mut found);
        found
    }

    fn renumber(&mut self, expr: &mut Expr, height: usize, body: &mut Body) {
        body.height = body.height.max(height);
        if let Kind::Call { function, .. } = &mut expr.kind {
            *function = self.number(*function);
            body.calls.push(*function);
        }
        children(expr, &mut |child| self.renumber(child, height + 1, body));
    }

    fn number(&mut self, old: FunctionId) -> FunctionId {
        let next = FunctionId(u32::try_from(self.order.len()).unwrap_or(u32::MAX));
        let Some(slot) = self.numbers.get_mut(old.0 as usize) else { return next };
        *slot.get_or_insert_with(|| {
            self.order.push(old);
            next
        })
    }
}

/// How deep a body nests with all that it calls. The program's own body comes first.
fn depth(at: usize, bodies: &mut [Body]) -> usize {
    let Some(body) = bodies.get_mut(at) else { return 0 };
    match body.seen {
        Seen::Deep(depth) => return depth,
        Seen::Open => return usize::MAX,
        Seen::Not => body.seen = Seen::Open,
    }
    let (height, calls) = (body.height, std::mem::take(&mut body.calls));
    let called = calls.iter().map(|call| depth(call.0 as usize + 1, bodies)).max();
    let depth = called.unwrap_or(0).saturating_add(height);
    if let Some(body) = bodies.get_mut(at) {
        body.seen = Seen::Deep(depth);
    }
    depth
}
