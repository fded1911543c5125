//! Where a number goes in the graphs of a play: whether it is only added to and handed on.
//!
//! How much of it is in each variable is found by going through all points until nothing changes; then everything is looked
//! at once more, strictly. A number may begin anywhere where nothing of it is known yet, and has to stay known from there on
//! (that is seen as places are found).

use astragal_prob::Rational;
use astragal_program::core::{Expr, FunctionId, Kind, LocalId, Op, Value};
use astragal_program::points::{Graph, GraphId, Plays, Point, PointId, Step};
use rustc_hash::{FxHashMap, FxHashSet};

use super::share::Share;
use super::{Score, Variable};

/// The score that a variable is, if it only counts.
pub(super) fn score(plays: &Plays, best: usize, of: Variable) -> Option<Score> {
    let played = &plays.bests[best];
    let mut flow = Flow {
        plays,
        graphs: reachable(plays, played.graph),
        shares: FxHashMap::from_iter([(of, Share::Part(Rational::ONE))]),
        returned: FxHashMap::default(),
        after: FxHashSet::default(),
        changed: true,
        strict: false,
    };
    while std::mem::take(&mut flow.changed) {
        flow.all()?;
    }
    flow.find_what_comes_after();
    flow.strict = true;
    flow.all()?;
    let result = flow.returned.get(&played.graph).cloned().unwrap_or_else(Share::none);
    let function = plays.graphs[played.graph.0 as usize].function;
    let (local, aim) = &played.aim;
    flow.strict = false;
    flow.bind((function, *local), result.clone())?;
    flow.strict = true;
    let slope = flow.share(function, aim)?.part()?.clone();
    flow.shares.remove(&(function, *local));
    Some(Score { shares: flow.shares, result, slope })
}

/// A graph, and those of the functions that are called from it.
fn reachable(plays: &Plays, from: GraphId) -> Vec<GraphId> {
    let mut found = vec![from];
    let mut next = 0;
    while let Some(graph) = found.get(next) {
        let points = &plays.graphs[graph.0 as usize].points;
        let called: Vec<GraphId> = points.iter().filter_map(|point| called(plays, point)).collect();
        for graph in called {
            if !found.contains(&graph) {
                found.push(graph);
            }
        }
        next += 1;
    }
    found
}

fn called(plays: &Plays, point: &Point) -> Option<GraphId> {
    match &point.step {
        Step::Call { function, .. } => plays.functions[function.0 as usize],
        _ => None,
    }
}

struct Flow<'p> {
    plays: &'p Plays,
    graphs: Vec<GraphId>,
    shares: FxHashMap<Variable, Share>,
    /// How much is in what a graph comes to.
    returned: FxHashMap<GraphId, Share>,
    /// The points that may be come to once something of it is known: it cannot begin there.
    after: FxHashSet<(GraphId, PointId)>,
    changed: bool,
    /// Whether all is known, and has to be right.
    strict: bool,
}

/// None: the number does not only count.
type Fine<T = ()> = Option<T>;

impl<'p> Flow<'p> {
    fn all(&mut self) -> Fine {
        for id in self.graphs.clone() {
            let graph: &'p Graph = &self.plays.graphs[id.0 as usize];
            for (point, at) in graph.points.iter().zip((0..).map(PointId)) {
                self.step((id, at), point)?;
            }
        }
        Some(())
    }

    /// All points that may be come to from one at which something of the number is known. Where it is not carried on, it is
    /// lost, and what begins anew is another number.
    fn find_what_comes_after(&mut self) {
        let mut found = true;
        while std::mem::take(&mut found) {
            for id in self.graphs.clone() {
                let graph = &self.plays.graphs[id.0 as usize];
                for (point, at) in graph.points.iter().zip((0..).map(PointId)) {
                    let mut needed = point.needed.iter();
                    let is_known = needed.any(|local| self.has((graph.function, *local)));
                    let called = called(self.plays, point);
                    let next = || point.step.next().into_iter().map(|next| (id, next));
                    if is_known || self.after.contains(&(id, at)) {
                        found |= self.after.insert((id, at));
                        let called = called.map(|of| (of, self.start(of)));
                        next().chain(called).for_each(|next| found |= self.after.insert(next));
                    } else if called.is_some_and(|of| self.after.iter().any(|(own, _)| *own == of))
                    {
                        next().for_each(|next| found |= self.after.insert(next));
                    }
                }
            }
        }
    }

    fn start(&self, graph: GraphId) -> PointId {
        self.plays.graphs[graph.0 as usize].start
    }

    fn step(&mut self, here: (GraphId, PointId), point: &'p Point) -> Fine {
        let function = self.plays.graphs[here.0.0 as usize].function;
        match &point.step {
            Step::Let { local, value, .. } => {
                let share = self.share(function, value)?;
                self.begin_or_bind((function, *local), share, here)
            }
            Step::Branch { condition, .. } | Step::Given { condition, .. } => {
                self.nothing(function, condition)
            }
            Step::Choose { arms, .. } => arms
                .iter()
                .filter_map(|arm| arm.open.as_ref())
                .try_for_each(|open| self.nothing(function, open)),
            Step::Pick { list, .. } => self.nothing(function, list),
            Step::Note { message, .. } => self.nothing(function, message),
            Step::Require { condition, message, .. } => {
                self.nothing(function, condition)?;
                self.nothing(function, message)
            }
            Step::Best { best, .. } => {
                let known = &self.plays.bests[*best].known;
                known.iter().all(|local| !self.has((function, *local))).then_some(())
            }
            Step::Measure { percent, of, .. } => {
                percent.iter().try_for_each(|percent| self.nothing(function, percent))?;
                let inner = &self.plays.graphs[of.0 as usize];
                let needed = &inner.point(inner.start).needed;
                needed.iter().all(|local| !self.has((function, *local))).then_some(())
            }
            Step::Call { function: callee, arguments, local, .. } => {
                self.call(here, point, (*callee, arguments, *local))
            }
            Step::Return(value) => {
                let share = self.share(function, value)?;
                self.come_to(here.0, share)
            }
        }
    }

    fn call(
        &mut self,
        here: (GraphId, PointId),
        point: &'p Point,
        (callee, arguments, local): (FunctionId, &'p [Expr], LocalId),
    ) -> Fine {
        let graph: &'p Graph = &self.plays.graphs[here.0.0 as usize];
        let function = graph.function;
        for (argument, parameter) in arguments.iter().zip(0..) {
            let share = self.share(function, argument)?;
            let parameter = (Some(callee), LocalId(parameter));
            self.begin_or_bind(parameter, share, here)?;
        }
        let of_callee = self.plays.functions[callee.0 as usize]?;
        let returned = self.returned.get(&of_callee).cloned().unwrap_or_else(Share::none);
        self.bind((function, local), returned)?;
        let Step::Call { next, .. } = &point.step else { return None };
        let waits = graph.point(*next).needed.iter();
        let waits = waits.filter(|needed| **needed != local).any(|l| self.has((function, *l)));
        if self.strict && waits && !graph.hands_on(*next, local) {
            // It waits, and begins nowhere else before it is gone on with.
            let inside = reachable(self.plays, of_callee);
            let functions = inside.iter().map(|graph| self.plays.graphs[graph.0 as usize].function);
            let functions: Vec<_> = functions.collect();
            return self.shares.keys().all(|(own, _)| !functions.contains(own)).then_some(());
        }
        Some(())
    }

    /// What is bound has a share of the number, or the number begins with it: then nothing of it may be known before.
    fn begin_or_bind(
        &mut self,
        variable: Variable,
        share: Share,
        here: (GraphId, PointId),
    ) -> Fine {
        if share.is_none() && self.has(variable) {
            return (!self.strict || !self.after.contains(&here)).then_some(());
        }
        self.bind(variable, share)
    }

    fn has(&self, variable: Variable) -> bool {
        self.shares.contains_key(&variable)
    }

    fn bind(&mut self, variable: Variable, share: Share) -> Fine {
        match self.shares.get(&variable) {
            Some(known) => self.same(known, &share).map(|_| ()),
            None if share.is_none() => Some(()),
            None if self.strict => None,
            None => {
                self.shares.insert(variable, share);
                self.changed = true;
                Some(())
            }
        }
    }

    fn come_to(&mut self, graph: GraphId, share: Share) -> Fine {
        match self.returned.get(&graph) {
            Some(known) => self.same(known, &share).map(|_| ()),
            None if share.is_none() => Some(()),
            None if self.strict => None,
            None => {
                self.returned.insert(graph, share);
                self.changed = true;
                Some(())
            }
        }
    }

    /// What two ways have in common: the same share. While shares are still looked for, one of them may not be known yet.
    fn same(&self, a: &Share, b: &Share) -> Fine<Share> {
        match () {
            () if a == b => Some(a.clone()),
            () if self.strict => None,
            () if a.is_none() => Some(b.clone()),
            () if b.is_none() => Some(a.clone()),
            () => match (a, b) {
                (Share::Fields(a), Share::Fields(b)) if a.len() == b.len() => {
                    let both = a.iter().zip(b).map(|(a, b)| self.same(a, b));
                    Some(Share::Fields(both.collect::<Option<_>>()?))
                }
                _ => None,
            },
        }
    }

    /// An expression that has nothing of it.
    fn nothing(&mut self, function: Option<FunctionId>, expr: &'p Expr) -> Fine {
        self.share(function, expr)?.is_none().then_some(())
    }

    /// How much of it is in the value of an expression.
    fn share(&mut self, function: Option<FunctionId>, expr: &'p Expr) -> Fine<Share> {
        match &expr.kind {
            Kind::Local(local) => {
                Some(self.shares.get(&(function, *local)).cloned().unwrap_or_else(Share::none))
            }
            Kind::Let { local, value, body } => {
                let share = self.share(function, value)?;
                self.bind((function, *local), share)?;
                self.share(function, body)
            }
            Kind::If { condition, then, otherwise, .. } => {
                self.nothing(function, condition)?;
                let (yes, no) = (self.share(function, then)?, self.share(function, otherwise)?);
                self.same(&yes, &no)
            }
            Kind::Enter { body, .. } | Kind::Labelled { value: body, .. } => {
                self.share(function, body)
            }
            Kind::Note { message, body } => {
                self.nothing(function, message)?;
                self.share(function, body)
            }
            Kind::Record { fields, .. } => {
                let shares = fields.iter().map(|field| self.share(function, field));
                Some(Share::of_fields(shares.collect::<Option<_>>()?))
            }
            Kind::Field { record, index } => Some(self.share(function, record)?.field(*index)),
            Kind::Operation { op, operands } => self.operation(function, *op, operands),
            // Nothing else may look at it.
            _ => {
                let mut children = expr.children().into_iter();
                children.try_for_each(|child| self.nothing(function, child))?;
                Some(Share::none())
            }
        }
    }

    fn operation(
        &mut self,
        function: Option<FunctionId>,
        op: Op,
        operands: &'p [Expr],
    ) -> Fine<Share> {
        let shares = operands.iter().map(|operand| self.share(function, operand));
        let shares: Vec<Share> = shares.collect::<Option<_>>()?;
        if shares.iter().all(Share::is_none) {
            return Some(Share::none());
        }
        let parts: Vec<&Rational> = shares.iter().map(Share::part).collect::<Option<_>>()?;
        let part = match (op, parts.as_slice()) {
            (Op::Add, [a, b]) => *a + *b,
            (Op::Subtract, [a, b]) => *a - *b,
            (Op::Negate, [a]) => -*a,
            (Op::Multiply, [a, b]) if b.is_zero() => *a * constant(&operands[1])?,
            (Op::Multiply, [a, b]) if a.is_zero() => *b * constant(&operands[0])?,
            (Op::Divide, [a, b]) if b.is_zero() => {
                let by = constant(&operands[1])?;
                if by.is_zero() {
                    return None;
                }
                *a / by
            }
            _ => return None,
        };
        Some(Share::Part(part))
    }
}

fn constant(expr: &Expr) -> Option<Rational> {
    match &expr.kind {
        Kind::Constant(Value::Number(number)) => Some(number.to_rational()),
        _ => None,
    }
}
