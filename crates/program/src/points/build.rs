//! From the core language to points.
//!
//! An expression is built from its end: what is done with its value is there before it is. Where a part of it decides,
//! the parts before it are bound to variables, in the order of evaluation, so that nothing is on its way while somebody
//! decides.

use astragal_syntax::span::Span;

use super::{Arm, Graph, GraphId, Played, Plays, Point, PointId, Step};
use crate::choices::Decisions;
use crate::core::{Best, Expr, Function, FunctionId, Kind, Local, LocalId, Op, Program, Value};
use crate::types::Type;
use crate::walk::children;

/// What is done with a value.
#[derive(Clone, Copy)]
enum Then {
    /// All comes to it.
    Return,
    /// It is bound.
    Bind(LocalId, PointId),
}

pub(super) struct Builder<'a> {
    program: &'a mut Program,
    decisions: Decisions,
    pub(super) plays: Plays,
    /// The function in hand, and the graph.
    function: Option<FunctionId>,
    points: Vec<Point>,
    /// The calls whose bodies are gone through where they were copied to.
    entered: Vec<Span>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(program: &'a mut Program, decisions: Decisions) -> Self {
        let functions = vec![None; program.functions.len()];
        let plays = Plays { graphs: Vec::new(), functions, bests: Vec::new() };
        Builder {
            program,
            decisions,
            plays,
            function: None,
            points: Vec::new(),
            entered: Vec::new(),
        }
    }

    /// The graph of the program, and those of its functions.
    pub(super) fn all(&mut self) {
        let body = self.program.main.body.clone();
        self.graph(None, &body);
        for function in (0..self.program.functions.len() as u32).map(FunctionId) {
            let body = self.program.functions[function.0 as usize].body.clone();
            if !self.decisions.holds_play(&body) {
                continue;
            }
            let graph = self.graph(Some(function), &body);
            self.plays.functions[function.0 as usize] = Some(graph);
        }
    }

    /// A graph that comes to the value of an expression.
    fn graph(&mut self, function: Option<FunctionId>, body: &Expr) -> GraphId {
        let points = std::mem::take(&mut self.points);
        let outer = (self.function, points, std::mem::take(&mut self.entered));
        // It has its number before those inside it.
        let number = self.plays.graphs.len();
        let (points, start) = (Vec::new(), PointId(0));
        self.plays.graphs.push(Graph { function, points, start });
        self.function = function;
        let start = self.build(body, Then::Return);
        let points = std::mem::take(&mut self.points);
        self.plays.graphs[number] = Graph { function, points, start };
        (self.function, self.points, self.entered) = outer;
        GraphId(number as u32)
    }

    /// Whether somebody decides in a function, or in what it calls.
    fn has_graph(&self, function: FunctionId) -> bool {
        let function = &self.program.functions[function.0 as usize];
        self.decisions.holds_play(&function.body)
    }

    fn point(&mut self, step: Step, span: Span) -> PointId {
        let calls = self.entered.iter().rev().copied().collect();
        self.points.push(Point { step, span, needed: Vec::new(), calls });
        PointId(self.points.len() as u32 - 1)
    }

    /// A variable for what is on its way.
    fn fresh(&mut self) -> LocalId {
        let owner: &mut Function = match self.function {
            Some(function) => &mut self.program.functions[function.0 as usize],
            None => &mut self.program.main,
        };
        owner.locals.push(Local { name: None, ty: Type::Unknown });
        LocalId(owner.locals.len() as u32 - 1)
    }

    /// A variable for a value, and the point where it is known.
    fn bound(&mut self, then: Then, span: Span) -> (LocalId, PointId) {
        match then {
            Then::Bind(local, next) => (local, next),
            Then::Return => {
                let local = self.fresh();
                (local, self.point(Step::Return(read(local, span)), span))
            }
        }
    }

    /// The point where an expression begins, whose value is dealt with so.
    fn build(&mut self, expr: &Expr, then: Then) -> PointId {
        let span = expr.span;
        if !self.decisions.holds_play(expr) {
            return match then {
                Then::Return => self.point(Step::Return(expr.clone()), span),
                Then::Bind(local, next) => {
                    self.point(Step::Let { local, value: expr.clone(), next }, span)
                }
            };
        }
        match &expr.kind {
            Kind::Let { local, value, body } => {
                let next = self.build(body, then);
                self.build(value, Then::Bind(*local, next))
            }
            Kind::If { condition, then: yes, otherwise, origin } => {
                let origin = Some(*origin);
                let (yes, no) = (self.build(yes, then), self.build(otherwise, then));
                self.after_one(condition, span, |condition| Step::Branch {
                    condition,
                    then: yes,
                    otherwise: no,
                    origin,
                })
            }
            Kind::Choose { who, arms } => {
                let arm = |arm: &crate::core::ChoiceArm| Arm {
                    label: arm.label.clone(),
                    open: arm.open.clone(),
                    next: self.build(&arm.value, then),
                    span: arm.span,
                };
                let arms = arms.iter().map(arm).collect();
                self.point(Step::Choose { who: *who, arms }, span)
            }
            Kind::Pick { who, list } => {
                let (local, next) = self.bound(then, span);
                let who = *who;
                // What is thrown for it is known where somebody picks.
                let first = usize::from(self.decisions.facts(list).throws);
                let last = usize::from(self.decisions.holds_play(list));
                self.after_first(first.max(last), vec![(**list).clone()], span, |mut list| {
                    let list = list.pop().unwrap_or_else(|| whole(0, span));
                    Step::Pick { who, list, local, next }
                })
            }
            Kind::Best(best) => self.best(best, then, span),
            Kind::Call { function, arguments } if self.has_graph(*function) => {
                let (local, next) = self.bound(then, span);
                let function = *function;
                let arguments = arguments.clone();
                self.after_bound(arguments, span, |arguments| Step::Call {
                    function,
                    arguments,
                    local,
                    next,
                })
            }
            Kind::Enter { body, .. } => {
                self.entered.push(span);
                let start = self.build(body, then);
                self.entered.pop();
                start
            }
            Kind::Fold { list, first, carry, item, body } if self.decisions.holds_play(body) => {
                self.fold([&**list, &**first, &**body], *carry, *item, then, span)
            }
            Kind::Repeat { shape, state, first, round } if self.decisions.holds_play(round) => {
                let last = read_all(state, span);
                let fields = Kind::Record { shape: shape.clone(), fields: last };
                let fields = Expr { kind: fields, span };
                let end = self.build(&fields, then);
                // Rounds come back to where they begin, before that is known.
                let head = self.point(Step::Return(fields), span);
                let round = self.round(round, state, (head, end), span);
                self.points[head.0 as usize] = self.points[round.0 as usize].clone();
                let firsts = state.iter().zip(first).rev();
                firsts
                    .fold(head, |next, (local, first)| self.build(first, Then::Bind(*local, next)))
            }
            Kind::Require { condition, message, body } => {
                let next = self.build(body, then);
                self.after(vec![(**condition).clone(), (**message).clone()], span, |mut parts| {
                    let message = parts.remove(1);
                    Step::Require { condition: parts.remove(0), message, next }
                })
            }
            Kind::Given { condition, body } => {
                let next = self.build(body, then);
                self.after_one(condition, span, |condition| Step::Given { condition, next })
            }
            Kind::Note { message, body } => {
                let next = self.build(body, then);
                self.after_one(message, span, |message| Step::Note { message, next })
            }
            Kind::Measure { measure, percent, of } => {
                let (local, next) = self.bound(then, span);
                let of = self.graph(self.function, of);
                let measure = *measure;
                let percent = percent.iter().map(|percent| (**percent).clone()).collect();
                self.after(percent, span, |mut percent| {
                    let percent = percent.pop();
                    Step::Measure { measure, percent, of, local, next }
                })
            }
            // What is made of the values of its parts.
            Kind::Constant(_)
            | Kind::Local(_)
            | Kind::Operation { .. }
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Call { .. }
            | Kind::Fold { .. }
            | Kind::Repeat { .. }
            | Kind::Walk { .. }
            | Kind::Labelled { .. }
            | Kind::Input { .. }
            | Kind::Dice { .. }
            | Kind::Symbols { .. }
            | Kind::Tally { .. }
            | Kind::Drawn { .. }
            | Kind::Gather(_)
            | Kind::Merge(_)
            | Kind::Times { .. }
            | Kind::Suffixed { .. }
            | Kind::Read { .. } => self.made(expr, then),
        }
    }

    /// The end of a round: what is carried is bound, and the loop goes on or ends.
    fn round(
        &mut self,
        round: &Expr,
        state: &[LocalId],
        (head, end): (PointId, PointId),
        span: Span,
    ) -> PointId {
        let result = self.fresh();
        let field = |index: usize| {
            let record = Box::new(read(result, span));
            Expr { kind: Kind::Field { record, index }, span }
        };
        let condition = field(state.len());
        let mut next =
            self.point(Step::Branch { condition, then: end, otherwise: head, origin: None }, span);
        for (index, local) in state.iter().enumerate().rev() {
            next = self.point(Step::Let { local: *local, value: field(index), next }, span);
        }
        self.build(round, Then::Bind(result, next))
    }

    fn best(&mut self, best: &Best, then: Then, span: Span) -> PointId {
        let (local, next) = self.bound(then, span);
        let aim = match &best.aim {
            Some(aim) => (aim.local, aim.number.clone()),
            None => {
                let value = self.fresh();
                (value, read(value, span))
            }
        };
        let at = self.plays.bests.len();
        let goal = best.goal;
        self.plays.bests.push(Played { goal, graph: GraphId(0), aim, known: Vec::new(), span });
        let graph = self.graph(self.function, &best.value);
        self.plays.bests[at].graph = graph;
        self.point(Step::Best { best: at, local, next }, span)
    }

    /// A list is gone through by the number of its item.
    fn fold(
        &mut self,
        [list, first, body]: [&Expr; 3],
        carry: LocalId,
        item: LocalId,
        then: Then,
        span: Span,
    ) -> PointId {
        let (items, at) = (self.fresh(), self.fresh());
        let end = self.build(&read(carry, span), then);
        let head = self.point(Step::Return(read(carry, span)), span);
        let round = self.build(body, Then::Bind(carry, head));
        let next = operation(Op::Add, [read(at, span), whole(1, span)], span);
        let count = self.point(Step::Let { local: at, value: next, next: round }, span);
        let value = operation(Op::At, [read(items, span), read(at, span)], span);
        let take = self.point(Step::Let { local: item, value, next: count }, span);
        let length = Expr {
            kind: Kind::Operation { op: Op::Length, operands: vec![read(items, span)] },
            span,
        };
        let condition = operation(Op::Greater, [read(at, span), length], span);
        self.points[head.0 as usize].step =
            Step::Branch { condition, then: end, otherwise: take, origin: None };
        let begin = self.point(Step::Let { local: at, value: whole(1, span), next: head }, span);
        let begin = self.build(first, Then::Bind(carry, begin));
        self.build(list, Then::Bind(items, begin))
    }

    /// A step with an expression.
    fn after_one(&mut self, part: &Expr, span: Span, step: impl FnOnce(Expr) -> Step) -> PointId {
        // As many come back as went in.
        let only = |parts: Vec<Expr>| parts.into_iter().next().unwrap_or_else(|| whole(0, span));
        self.after(vec![part.clone()], span, |parts| step(only(parts)))
    }

    /// A step with some expressions. Where one of them decides, it and all before it are bound first.
    fn after(
        &mut self,
        parts: Vec<Expr>,
        span: Span,
        step: impl FnOnce(Vec<Expr>) -> Step,
    ) -> PointId {
        let last = parts.iter().rposition(|part| self.decisions.holds_play(part));
        self.after_first(last.map_or(0, |last| last + 1), parts, span, step)
    }

    /// A step with some variables and constants.
    fn after_bound(
        &mut self,
        parts: Vec<Expr>,
        span: Span,
        step: impl FnOnce(Vec<Expr>) -> Step,
    ) -> PointId {
        self.after_first(parts.len(), parts, span, step)
    }

    /// A step with some expressions, of which the first ones are bound before.
    fn after_first(
        &mut self,
        count: usize,
        mut parts: Vec<Expr>,
        span: Span,
        step: impl FnOnce(Vec<Expr>) -> Step,
    ) -> PointId {
        let mut bound = Vec::new();
        for part in parts.iter_mut().take(count) {
            if matches!(part.kind, Kind::Constant(_)) {
                continue;
            }
            let local = self.fresh();
            let place = part.span;
            bound.push((local, std::mem::replace(part, read(local, place))));
        }
        let made = self.point(step(parts), span);
        let bound = bound.into_iter().rev();
        bound.fold(made, |next, (local, value)| self.build(&value, Then::Bind(local, next)))
    }

    /// A form that is made of the values of its parts.
    fn made(&mut self, expr: &Expr, then: Then) -> PointId {
        let mut whole = expr.clone();
        let mut parts = Vec::new();
        children(&mut whole, &mut |part| parts.push(part.clone()));
        self.after(parts, expr.span, move |parts| {
            let mut parts = parts.into_iter();
            children(&mut whole, &mut |part| {
                if let Some(known) = parts.next() {
                    *part = known;
                }
            });
            match then {
                Then::Bind(local, next) => Step::Let { local, value: whole, next },
                Then::Return => Step::Return(whole),
            }
        })
    }
}

fn read(local: LocalId, span: Span) -> Expr {
    Expr { kind: Kind::Local(local), span }
}

fn read_all(locals: &[LocalId], span: Span) -> Vec<Expr> {
    locals.iter().map(|local| read(*local, span)).collect()
}

fn whole(number: i64, span: Span) -> Expr {
    Expr { kind: Kind::Constant(Value::whole(number)), span }
}

fn operation(op: Op, operands: [Expr; 2], span: Span) -> Expr {
    Expr { kind: Kind::Operation { op, operands: operands.into() }, span }
}
