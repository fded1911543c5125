//! How deep a program nests: so deep the stack must be for whoever walks it.

use crate::core::{Expr, FunctionId, Kind, Program};
use crate::walk::children;

/// At most so many forms of a program are evaluated inside each other, with those of the functions they call;
/// as many as there are numbers where a function calls itself.
pub(crate) fn depth(program: &mut Program) -> usize {
    let own = Body::of(&mut program.main.body);
    if own.calls.is_empty() {
        return own.height;
    }
    let functions = program.functions.iter_mut().map(|function| Body::of(&mut function.body));
    let mut bodies: Vec<Body> = functions.collect();
    own.height.saturating_add(deepest(&own.calls, &mut bodies))
}

/// What is to be known of a body.
#[derive(Default)]
struct Body {
    /// How many forms stand inside each other in it.
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

impl Body {
    fn of(expr: &mut Expr) -> Body {
        let mut body = Body::default();
        body.measure(expr, 1);
        body
    }

    fn measure(&mut self, expr: &mut Expr, height: usize) {
        self.height = self.height.max(height);
        if let Kind::Call { function, .. } = expr.kind {
            self.calls.push(function);
        }
        children(expr, &mut |child| match child.kind {
            Kind::Constant(_) | Kind::Local(_) => self.height = self.height.max(height + 1),
            _ => self.measure(child, height + 1),
        });
    }
}

/// How deep the deepest of these functions nests.
fn deepest(calls: &[FunctionId], bodies: &mut [Body]) -> usize {
    calls.iter().map(|call| function_depth(call.0 as usize, bodies)).max().unwrap_or(0)
}

fn function_depth(at: usize, bodies: &mut [Body]) -> usize {
    let Some(body) = bodies.get_mut(at) else { return 0 };
    match body.seen {
        Seen::Deep(depth) => return depth,
        Seen::Open => return usize::MAX,
        Seen::Not => body.seen = Seen::Open,
    }
    let (height, calls) = (body.height, std::mem::take(&mut body.calls));
    let depth = deepest(&calls, bodies).saturating_add(height);
    if let Some(body) = bodies.get_mut(at) {
        body.seen = Seen::Deep(depth);
    }
    depth
}
