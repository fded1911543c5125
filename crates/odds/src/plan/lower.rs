//! Core program to plan: demands flow from the result back to the throws.
//!
//! The walk is backwards: the body of a `Let` is lowered first and tells what it asks of the variable;
//! only then is the variable's value lowered, with that demand. Loops are lowered again until what a
//! round asks of the carried values no longer grows.

mod dice;

use std::mem;
use std::sync::Arc;

use astragal_prob::Meter;
use astragal_program::core::{self, Expr, FunctionId, LocalId, Measure, Op};
use astragal_program::types::Type;
use astragal_syntax::span::Span;
use astragal_value::Value;
use rustc_hash::FxHashMap;

use super::counters::{is_count, is_counter};
use super::facts::{Facts, NodeId, settle};
use super::margin::pair_up;
use super::matters::{Matters, may_be};
use super::parts::parts;
use super::{Demand, Function, Kind, Locals, Node, Plan, Reading, Repeat, Walk};
use crate::ways;

/// The plan of a program for some demands on its result. `inputs` are the host's values, if any. If a text is named,
/// the plan is that of an attempt that counts only as long as no note says it.
pub(crate) fn lower(
    program: &core::Program,
    inputs: &[Option<Value>],
    demands: impl Iterator<Item = Demand>,
    unsaid: Option<&str>,
    meter: &Meter,
) -> Plan {
    let matters = Matters::of(&program.functions, unsaid);
    let mains = demands.map(|demand| (&program.main, demand));
    planned(program, inputs, mains, matters, meter)
}

/// The plan of these expressions, each as if it were a program that calls the functions of another.
pub(crate) fn lower_parts(
    program: &core::Program,
    inputs: &[Option<Value>],
    parts: &[(core::Function, Demand)],
    unsaid: Option<&str>,
    meter: &Meter,
) -> Plan {
    let mains = parts.iter().map(|(part, demand)| (part, demand.clone()));
    planned(program, inputs, mains, Matters::of(&program.functions, unsaid), meter)
}

fn planned<'a>(
    program: &'a core::Program,
    inputs: &'a [Option<Value>],
    mains: impl Iterator<Item = (&'a core::Function, Demand)>,
    matters: Matters<'a>,
    meter: &'a Meter,
) -> Plan {
    let mut lowering = Lowering {
        program,
        inputs,
        meter,
        matters,
        conditioned: false,
        as_thrown: false,
        functions: Vec::new(),
        order: Vec::new(),
        known: FxHashMap::default(),
        unheard: false,
        written: &[],
        locals: 0,
        uses: Uses::default(),
    };
    let mut mains: Vec<Function> =
        mains.map(|(main, demand)| lowering.function(main, &demand).0).collect();
    let (conditioned, as_thrown) = (lowering.conditioned, lowering.as_thrown);
    // Every slot was filled when its lowering returned.
    let functions = lowering.functions.into_iter().filter_map(|slot| slot.function);
    let mut functions: Vec<Function> = functions.collect();
    settle(&mut functions, &lowering.order, &mut mains);
    Plan { functions, mains, conditioned, as_thrown }
}

struct Lowering<'a> {
    program: &'a core::Program,
    inputs: &'a [Option<Value>],
    /// Says which ways may be taken.
    meter: &'a Meter,
    matters: Matters<'a>,
    /// Whether a `given` was met.
    conditioned: bool,
    /// Whether a suffix was met to which it may matter which die was thrown first.
    as_thrown: bool,
    functions: Vec<Slot>,
    /// The functions in the order in which they were done: after those that they call.
    order: Vec<usize>,
    known: FxHashMap<(FunctionId, Demand, bool), usize>,
    /// Whether nobody hears notes here: what the steps of a walk say is no part of a roll's explanation.
    unheard: bool,
    /// The variables of the function in hand as it is written, and how many it has so far.
    written: &'a [core::Local],
    locals: usize,
    /// What is asked of its variables, by the part of it that is lowered so far.
    uses: Uses,
}

/// A function that is lowered, or is being lowered.
struct Slot {
    function: Option<Function>,
    /// What it asks of its parameters; everything while it is being lowered.
    parameters: Vec<Demand>,
}

type Uses = FxHashMap<LocalId, Demand>;

impl<'a> Lowering<'a> {
    fn function(
        &mut self,
        function: &'a core::Function,
        demand: &Demand,
    ) -> (Function, Vec<Demand>) {
        let outer = (mem::take(&mut self.uses), self.written, self.locals);
        (self.written, self.locals) = (&function.locals, function.locals.len());
        let mut body = self.expr(&function.body, demand);
        for parameter in (0..function.parameters as u32).map(LocalId) {
            body = self.with_margin(parameter, body);
        }
        let parameters = (0..function.parameters as u32).map(|i| self.asked(LocalId(i))).collect();
        let name = Arc::clone(&function.name);
        let lowered = Function { name, locals: self.locals, body };
        (self.uses, self.written, self.locals) = outer;
        (lowered, parameters)
    }

    /// Two variables that are only compared with each other become their margin; the first is bound
    /// where this body begins.
    fn with_margin(&mut self, local: LocalId, mut body: Node) -> Node {
        let margin = LocalId(self.locals as u32);
        if !self.meter.may(ways::MARGIN) {
            return body;
        }
        let Some(other) = pair_up(&mut body, local, margin) else { return body };
        self.meter.took(ways::MARGIN);
        self.locals += 1;
        let span = body.span;
        let operands = vec![node(Kind::Local(local), span), node(Kind::Local(other), span)];
        let value = Box::new(node(Kind::Operation { op: Op::Subtract, operands }, span));
        node(Kind::Let { local: margin, value, body: Box::new(body) }, span)
    }

    /// Which plan function serves this demand; lowers it at the first call.
    fn instance(&mut self, id: FunctionId, demand: &Demand) -> usize {
        let key = (id, demand.clone(), self.unheard);
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let index = self.functions.len();
        self.known.insert(key, index);
        let program = self.program;
        let Some(function) = program.functions.get(id.0 as usize) else { return index };
        self.functions
            .push(Slot { function: None, parameters: vec![Demand::All; function.parameters] });
        let (lowered, parameters) = self.function(function, demand);
        self.functions[index] = Slot { function: Some(lowered), parameters };
        self.order.push(index);
        index
    }

    fn expr(&mut self, expr: &Expr, demand: &Demand) -> Node {
        if *demand == Demand::Nothing && !self.matters.matters(expr) {
            return node(Kind::Nothing, expr.span);
        }
        if *demand == Demand::Sum && !hands_on(expr) {
            let kind = Kind::Read { pool: self.all(expr), reading: Reading::Total };
            return node(kind, expr.span);
        }
        self.form(expr, demand)
    }

    fn form(&mut self, expr: &Expr, demand: &Demand) -> Node {
        let span = expr.span;
        let kind = match &expr.kind {
            core::Kind::Constant(value) => Kind::Constant(value.clone()),
            core::Kind::Local(local) => self.local(*local, demand),
            core::Kind::Let { local, value, body } => {
                return self.bind(*local, value, body, demand, span);
            }
            core::Kind::If { condition, then, otherwise, .. } => {
                self.branch(condition, [then, otherwise], demand)
            }
            core::Kind::Operation { op, operands } => self.operation(*op, operands, demand, span),
            core::Kind::List(items) => Kind::List(self.parts_of(items, |_| demand.of_item())),
            core::Kind::Record { shape, fields } => Kind::Record {
                shape: Arc::clone(shape),
                fields: self.parts_of(fields, |i| demand.of_field(i)),
            },
            core::Kind::Field { record, index } => Kind::Field {
                record: self.part(record, &Demand::field(*index, demand.clone())),
                index: *index,
            },
            core::Kind::Call { function, arguments } => self.call(*function, arguments, demand),
            core::Kind::Enter { body, .. } => Kind::Enter { body: self.part(body, demand) },
            core::Kind::Fold { .. } => self.fold(expr, demand),
            core::Kind::Walk { .. } => self.walk(expr, demand),
            core::Kind::Repeat { .. } => self.repeat(expr, demand),
            core::Kind::Require { condition, message, body } => {
                return self.require(condition, message, body, demand, span);
            }
            core::Kind::Given { condition, body } => self.given(condition, body, demand),
            core::Kind::Note { message, body } => return self.note(message, body, demand, span),
            core::Kind::Labelled { value, .. } => return self.expr(value, demand),
            core::Kind::Input { index, default } => {
                return self.input(*index, default, demand, span);
            }
            core::Kind::Dice { count, die } => {
                Kind::Dice { count: self.all(count), die: self.die(die) }
            }
            core::Kind::Symbols { count, faces } => self.symbols(count.as_deref(), faces),
            core::Kind::Tally { count, shape, faces } => {
                self.tally((count, shape, faces), false, demand, span)
            }
            core::Kind::Drawn { dice, without, .. } => self.drawn(dice, without, demand, span),
            core::Kind::Gather(members) => Kind::Gather(self.every(members)),
            core::Kind::Merge(members) => Kind::Merge(self.every(members)),
            core::Kind::Times { count, each } => {
                Kind::Times { count: self.all(count), each: self.all(each) }
            }
            // Whoever decides is no part of a plan: it is asked for what stands between two choices.
            core::Kind::Best(_) | core::Kind::Choose { .. } | core::Kind::Pick { .. } => {
                Kind::Nothing
            }
            core::Kind::Measure { measure, percent, of } => {
                self.measured(*measure, percent.as_deref(), of)
            }
            core::Kind::Suffixed { pool, suffix } => return self.suffixed(pool, suffix, span),
            core::Kind::Read { pool, reading } => return self.read(pool, reading, span),
        };
        node(kind, span)
    }

    #[inline(never)]
    fn input(&mut self, index: usize, default: &Expr, demand: &Demand, span: Span) -> Node {
        match self.inputs.get(index) {
            Some(Some(value)) => node(Kind::Constant(value.clone()), span),
            _ => self.expr(default, demand),
        }
    }

    #[inline(never)]
    fn branch(&mut self, condition: &Expr, sides: [&Expr; 2], demand: &Demand) -> Kind {
        let condition = self.all(condition);
        let [then, otherwise] = sides.map(|side| self.part(side, demand));
        Kind::If { condition, then, otherwise }
    }

    fn part(&mut self, expr: &Expr, demand: &Demand) -> Box<Node> {
        Box::new(self.expr(expr, demand))
    }

    /// Lowers an expression of which everything is asked.
    fn all(&mut self, expr: &Expr) -> Box<Node> {
        self.part(expr, &Demand::All)
    }

    fn every(&mut self, exprs: &[Expr]) -> Vec<Node> {
        self.parts_of(exprs, |_| Demand::All)
    }

    fn parts_of(&mut self, exprs: &[Expr], demand: impl Fn(usize) -> Demand) -> Vec<Node> {
        exprs.iter().enumerate().map(|(at, expr)| self.expr(expr, &demand(at))).collect()
    }

    fn local(&mut self, local: LocalId, demand: &Demand) -> Kind {
        self.ask(local, demand.clone());
        Kind::Local(local)
    }

    fn ask(&mut self, local: LocalId, demand: Demand) {
        let asked = self.asked(local).join(demand);
        self.uses.insert(local, asked);
    }

    /// What is asked of a variable: here it is bound, so that nothing before can ask for it.
    fn asked(&mut self, local: LocalId) -> Demand {
        self.uses.remove(&local).unwrap_or(Demand::Nothing)
    }

    /// Of the list behind some operations, less than all is asked.
    #[inline(never)]
    fn operation(&mut self, op: Op, operands: &[Expr], demand: &Demand, span: Span) -> Kind {
        let operands = match (op, operands) {
            // What nobody asks for is evaluated only because it may fail, and must fail as it would otherwise.
            _ if *demand == Demand::Nothing => self.every(operands),
            (Op::Length, [list]) => vec![self.expr(list, &Demand::items(Demand::Nothing))],
            (Op::At, [list, place]) => {
                vec![self.expr(list, &Demand::items(demand.clone())), *self.all(place)]
            }
            (Op::Reverse, [list]) => vec![self.expr(list, demand)],
            (Op::Sort, [list]) => {
                let list = self.expr(list, &Demand::Bag);
                if matches!(list.kind, Kind::Operation { op: Op::Sort, .. }) {
                    return list.kind;
                }
                vec![list]
            }
            (Op::Append, [list, item]) => {
                let list = self.expr(list, demand);
                vec![list, self.expr(item, &demand.of_item())]
            }
            _ => self.every(operands),
        };
        match (op, demand) {
            (Op::Append, Demand::Bag) => {
                let longer = node(Kind::Operation { op, operands }, span);
                Kind::Operation { op: Op::Sort, operands: vec![longer] }
            }
            _ => Kind::Operation { op, operands },
        }
    }

    /// An expression whose value nobody needs, before what follows it.
    fn beside(&mut self, unasked: &Expr, body: Node, span: Span) -> Node {
        let value = self.part(unasked, &Demand::Nothing);
        match value.kind {
            Kind::Nothing => body,
            _ => node(Kind::Let { local: self.new_local(), value, body: Box::new(body) }, span),
        }
    }

    fn new_local(&mut self) -> LocalId {
        self.locals += 1;
        LocalId(self.locals as u32 - 1)
    }

    #[inline(never)]
    fn bind(
        &mut self,
        local: LocalId,
        value: &Expr,
        body: &Expr,
        demand: &Demand,
        span: Span,
    ) -> Node {
        let body = self.expr(body, demand);
        let asked = self.asked(local);
        let value = self.part(value, &asked);
        if matches!(value.kind, Kind::Nothing) {
            return body;
        }
        let body = self.with_margin(local, body);
        node(Kind::Let { local, value, body: Box::new(body) }, span)
    }

    #[inline(never)]
    fn call(&mut self, function: FunctionId, arguments: &[Expr], demand: &Demand) -> Kind {
        let function = self.instance(function, demand);
        let asked = self.functions.get(function).map(|slot| slot.parameters.clone());
        let asked = asked.unwrap_or_default();
        let asked = |at: usize| asked.get(at).cloned().unwrap_or(Demand::All);
        Kind::Call { function, arguments: self.parts_of(arguments, asked) }
    }

    #[inline(never)]
    fn given(&mut self, condition: &Expr, body: &Expr, demand: &Demand) -> Kind {
        self.conditioned = true;
        Kind::Given { body: self.part(body, demand), condition: self.all(condition) }
    }

    /// What is measured is not thrown: its notes are not heard, and its evidence is its own.
    #[inline(never)]
    fn measured(&mut self, measure: Measure, percent: Option<&Expr>, of: &Expr) -> Kind {
        let (heard, conditioned) = (mem::replace(&mut self.unheard, true), self.conditioned);
        let of = self.all(of);
        (self.unheard, self.conditioned) = (heard, conditioned);
        Kind::Measure { measure, percent: percent.map(|percent| self.all(percent)), of }
    }

    /// Which notes are certain is asked of programs that do not fail.
    #[inline(never)]
    fn require(
        &mut self,
        condition: &Expr,
        message: &Expr,
        body: &Expr,
        demand: &Demand,
        span: Span,
    ) -> Node {
        let body = self.part(body, demand);
        if self.matters.unsaid.is_some() {
            return self.beside(condition, *body, span);
        }
        let (message, condition) = (self.all(message), self.all(condition));
        node(Kind::Require { condition, message, body }, span)
    }

    /// Notes are read by people: they never make a value be asked for, unless the question is what they say. Then
    /// an attempt counts only if they say something else.
    #[inline(never)]
    fn note(&mut self, message: &Expr, body: &Expr, demand: &Demand, span: Span) -> Node {
        let body = self.expr(body, demand);
        let Some(words) =
            self.matters.unsaid.filter(|words| !self.unheard && may_be(message, words))
        else {
            return self.beside(message, body, span);
        };
        let words = node(Kind::Constant(Value::text(words)), span);
        let operands = vec![*self.all(message), words];
        let condition = Box::new(node(Kind::Operation { op: Op::NotEqual, operands }, span));
        node(Kind::Given { condition, body: Box::new(body) }, span)
    }

    #[inline(never)]
    fn fold(&mut self, expr: &Expr, demand: &Demand) -> Kind {
        let core::Kind::Fold { list, first, carry, item, body } = &expr.kind else {
            return Kind::Nothing;
        };
        // A fold may throw: numbers are better sorted once all of them are there.
        let demand = if *demand == Demand::Bag { &Demand::All } else { demand };
        let asked = vec![demand.clone()];
        let (body, asked, met) =
            self.carried((&[*carry], asked), &[*item], body, |asked| asked[0].clone());
        let first = self.part(first, &asked[0]);
        let each = met.into_iter().next().unwrap_or(Demand::Nothing);
        let list = self.part(list, &Demand::items(each));
        Kind::Fold { list, first, carry: *carry, item: *item, body: Box::new(body) }
    }

    /// A body that carries values along, what is asked of the first ones, and what of the variables that it meets.
    /// `demand` says what is asked of the body, given what is asked of the values after it.
    fn carried(
        &mut self,
        (carry, mut asked): (&[LocalId], Vec<Demand>),
        met: &[LocalId],
        body: &Expr,
        demand: impl Fn(&[Demand]) -> Demand,
    ) -> (Node, Vec<Demand>, Vec<Demand>) {
        let outer = mem::take(&mut self.uses);
        loop {
            let lowered = self.expr(body, &demand(&asked));
            let more = carry.iter().zip(&asked);
            let more = more.map(|(local, asked)| self.asked(*local).join(asked.clone())).collect();
            let met = met.iter().map(|local| self.asked(*local)).collect();
            let inner = mem::take(&mut self.uses);
            if asked == more {
                self.uses = outer;
                inner.into_iter().for_each(|(local, demand)| self.ask(local, demand));
                return (lowered, asked, met);
            }
            asked = more;
        }
    }

    #[inline(never)]
    fn walk(&mut self, expr: &Expr, demand: &Demand) -> Kind {
        let core::Kind::Walk { pools, down, first, carry, face, counts, body } = &expr.kind else {
            return Kind::Nothing;
        };
        let met: Vec<LocalId> = [*face].into_iter().chain(counts.iter().copied()).collect();
        let heard = mem::replace(&mut self.unheard, true);
        let asked = vec![demand.clone()];
        let (body, asked, _) =
            self.carried((&[*carry], asked), &met, body, |asked| asked[0].clone());
        self.unheard = heard;
        let first = self.expr(first, &asked[0]);
        let pools = self.every(pools);
        let (carry, face, counts) = (*carry, *face, counts.clone());
        let asked = match demand {
            Demand::Fields(fields) => Some(fields.keys().copied().collect()),
            _ => None,
        };
        Kind::Walk(Box::new(Walk { pools, down: *down, first, carry, face, counts, body, asked }))
    }

    #[inline(never)]
    fn repeat(&mut self, expr: &Expr, demand: &Demand) -> Kind {
        let core::Kind::Repeat { shape, state, first, round } = &expr.kind else {
            return Kind::Nothing;
        };
        let asked: Vec<Demand> = (0..state.len()).map(|i| demand.of_field(i)).collect();
        let at_end = asked.iter().map(|asked| *asked != Demand::Nothing).collect();
        let (lowered, asked, _) = self.carried((state, asked), &[], round, |asked| {
            let fields = asked.iter().cloned().chain([Demand::All]).enumerate();
            Demand::Fields(fields.filter(|(_, asked)| *asked != Demand::Nothing).collect())
        });
        let first = self.parts_of(first, |at| asked[at].clone());
        // What is no number is not added to, though a round may hand it on as it is.
        let is_number = |local: &LocalId| {
            self.written.get(local.0 as usize).is_some_and(|written| written.ty == Type::Number)
        };
        let places = || state.iter().enumerate();
        let counters =
            places().map(|(i, local)| is_number(local) && is_counter(round, *local, i)).collect();
        let count = places().position(|(i, local)| is_count(round, *local, i));
        let (shape, state) = (Arc::clone(shape), state.clone());
        let (round, asked) = (lowered, at_end);
        Kind::Repeat(Box::new(Repeat { shape, state, first, round, asked, counters, count }))
    }
}

/// Whether the value of a form is that of one of its parts, or of a function.
fn hands_on(expr: &Expr) -> bool {
    use core::Kind::{Call, Enter, Given, If, Let, Note, Require};
    let kind = &expr.kind;
    matches!(kind, Let { .. } | If { .. } | Call { .. } | Enter { .. })
        || matches!(kind, Note { .. } | Require { .. } | Given { .. })
}

/// A node with its free variables noted.
pub(super) fn node(kind: Kind, span: Span) -> Node {
    let mut free = Locals::default();
    for part in parts(&kind) {
        free.extend(&part.free);
    }
    match &kind {
        Kind::Local(local) => free.insert(*local),
        Kind::Let { local, .. } => free.remove(*local),
        Kind::Fold { carry, item, .. } => {
            free.remove(*carry);
            free.remove(*item);
        }
        Kind::Walk(walk) => walk.bound().into_iter().for_each(|local| free.remove(local)),
        Kind::Repeat(repeat) => repeat.state.iter().for_each(|local| free.remove(*local)),
        _ => {}
    }
    Node { kind, span, free, id: NodeId::default(), facts: Facts::default() }
}
