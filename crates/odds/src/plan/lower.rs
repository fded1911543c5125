//! Core program to plan: demands flow from the result back to the throws.
//!
//! The walk is backwards: the body of a `Let` is lowered first and tells what it asks of the variable;
//! only then is the variable's value lowered, with that demand. Loops are lowered again until what a
//! round asks of the carried values no longer grows.

mod dice;

use std::collections::HashMap;
use std::sync::Arc;

use astragal_prob::Meter;
use astragal_program::core::{self, Expr, FunctionId, LocalId, Op};
use astragal_program::types::Type;
use astragal_syntax::span::Span;
use astragal_value::{RecordShape, Value};

use super::counters::{is_count, is_counter};
use super::facts::{Facts, NodeId, settle};
use super::margin::pair_up;
use super::parts::parts;
use super::{Demand, Function, Kind, Locals, Node, Notes, Plan, Repeat, Walk, fails, tells};
use crate::ways;

/// The plan of a program for some demands on its result. `inputs` are the host's values, if any; `notes` says what
/// becomes of notes.
pub(crate) fn lower(
    program: &core::Program,
    inputs: &[Option<Value>],
    demands: impl Iterator<Item = Demand>,
    notes: Notes<'_>,
    meter: &Meter,
) -> Plan {
    let matter = match notes {
        Notes::LeftOut => fails::functions(&program.functions),
        Notes::Refused { .. } | Notes::Rejected(_) => tells::functions(&program.functions),
    };
    let mut lowering = Lowering {
        program,
        inputs,
        meter,
        notes,
        matter,
        conditioned: false,
        functions: Vec::new(),
        known: HashMap::new(),
        unheard: false,
        written: &program.main.locals,
        locals: 0,
    };
    let mut mains: Vec<Function> =
        demands.map(|demand| lowering.function(&program.main, &demand).0).collect();
    let conditioned = lowering.conditioned;
    let functions = lowering.functions.into_iter().map(|slot| slot.function).collect();
    let mut functions = sealed(functions);
    settle(&mut functions, &mut mains);
    Plan { functions, mains, conditioned }
}

/// Every slot was filled when its lowering returned.
fn sealed(slots: Vec<Option<Function>>) -> Vec<Function> {
    slots.into_iter().flatten().collect()
}

struct Lowering<'a> {
    program: &'a core::Program,
    inputs: &'a [Option<Value>],
    /// Says which ways may be taken.
    meter: &'a Meter,
    notes: Notes<'a>,
    /// For each function whether it is run even where nobody asks for its value.
    matter: Vec<bool>,
    /// Whether a `given` was met.
    conditioned: bool,
    functions: Vec<Slot>,
    known: HashMap<(FunctionId, Demand, bool), usize>,
    /// Whether nobody hears notes here: what the steps of a walk say is no part of a roll's explanation.
    unheard: bool,
    /// The variables of the function in hand as it is written, and how many it has so far.
    written: &'a [core::Local],
    locals: usize,
}

/// A function that is lowered, or is being lowered.
struct Slot {
    function: Option<Function>,
    /// What it asks of its parameters; everything while it is being lowered.
    parameters: Vec<Demand>,
}

/// What is asked of the variables, by the part of the program lowered so far.
type Uses = HashMap<LocalId, Demand>;

impl Lowering<'_> {
    fn function(&mut self, function: &core::Function, demand: &Demand) -> (Function, Vec<Demand>) {
        let mut uses = Uses::new();
        self.locals = function.locals.len();
        let mut body = self.expr(&function.body, demand, &mut uses);
        for parameter in (0..function.parameters as u32).map(LocalId) {
            body = self.with_margin(parameter, body);
        }
        let parameters = (0..function.parameters as u32)
            .map(|i| uses.remove(&LocalId(i)).unwrap_or(Demand::Nothing))
            .collect();
        (Function { name: Arc::clone(&function.name), locals: self.locals, body }, parameters)
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
        let outer = (self.written, self.locals);
        self.written = &function.locals;
        let (lowered, parameters) = self.function(function, demand);
        (self.written, self.locals) = outer;
        self.functions[index] = Slot { function: Some(lowered), parameters };
        index
    }

    fn expr(&mut self, expr: &Expr, demand: &Demand, uses: &mut Uses) -> Node {
        if *demand == Demand::Nothing && !self.matters(expr) {
            return node(Kind::Nothing, expr.span);
        }
        self.form(expr, demand, uses)
    }

    fn form(&mut self, expr: &Expr, demand: &Demand, uses: &mut Uses) -> Node {
        let span = expr.span;
        let kind = match &expr.kind {
            core::Kind::Constant(value) => Kind::Constant(value.clone()),
            core::Kind::Local(local) => return self.local(*local, demand, uses, span),
            core::Kind::Let { local, value, body } => {
                return self.bind(*local, value, body, demand, uses, span);
            }
            core::Kind::If { condition, then, otherwise, .. } => {
                self.choice(condition, then, otherwise, demand, uses)
            }
            core::Kind::Operation { op, operands } => {
                return self.operation(*op, operands, demand, uses, span);
            }
            core::Kind::List(items) => self.list(items, demand, uses),
            core::Kind::Record { shape, fields } => self.record(shape, fields, demand, uses),
            core::Kind::Field { record, index } => self.field(record, *index, demand, uses),
            core::Kind::Call { function, arguments } => {
                self.call(*function, arguments, demand, uses)
            }
            core::Kind::Enter { body, .. } => {
                Kind::Enter { body: Box::new(self.expr(body, demand, uses)) }
            }
            core::Kind::Fold { list, first, carry, item, body } => {
                return self.fold(list, first, (*carry, *item), body, demand, uses, span);
            }
            core::Kind::Walk { .. } => return self.walk(expr, demand, uses),
            core::Kind::Repeat { shape, state, first, round } => {
                return self.repeat(&Carried { shape, state, first, round }, demand, uses, span);
            }
            // Which notes are certain is asked of programs that do not fail.
            core::Kind::Require { condition, body, .. } if self.hears() => {
                let body = self.expr(body, demand, uses);
                return self.beside(condition, body, uses, span);
            }
            core::Kind::Require { condition, message, body } => {
                self.require(condition, message, body, demand, uses)
            }
            core::Kind::Given { condition, body } => self.given(condition, body, demand, uses),
            core::Kind::Note { message, body } => {
                return self.note(message, body, demand, uses, span);
            }
            core::Kind::Labelled { value, .. } => return self.expr(value, demand, uses),
            core::Kind::Input { index, default } => {
                return self.input(*index, default, demand, uses, span);
            }
            core::Kind::Dice { count, die } => self.dice(count, die, uses),
            core::Kind::Symbols { count, faces } => self.symbols(count.as_deref(), faces, uses),
            core::Kind::Tally { count, shape, faces } => {
                self.tally((count, shape, faces), false, demand, uses, span)
            }
            core::Kind::Drawn { dice, without, .. } => {
                self.drawn(dice, without, demand, uses, span)
            }
            core::Kind::Gather(members) => Kind::Gather(self.every(members, uses)),
            core::Kind::Merge(members) => Kind::Merge(self.every(members, uses)),
            core::Kind::Times { count, each } => self.times(count, each, uses),
            core::Kind::Suffixed { pool, suffix } => {
                return self.suffixed(pool, suffix, uses, span);
            }
            core::Kind::Read { pool, reading } => self.read(pool, reading, uses),
        };
        node(kind, span)
    }

    /// The host's value, if there is one.
    fn input(
        &mut self,
        index: usize,
        default: &Expr,
        demand: &Demand,
        uses: &mut Uses,
        span: Span,
    ) -> Node {
        match self.inputs.get(index) {
            Some(Some(value)) => node(Kind::Constant(value.clone()), span),
            _ => self.expr(default, demand, uses),
        }
    }

    fn choice(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        demand: &Demand,
        uses: &mut Uses,
    ) -> Kind {
        let then = Box::new(self.expr(then, demand, uses));
        let otherwise = Box::new(self.expr(otherwise, demand, uses));
        let condition = Box::new(self.all(condition, uses));
        Kind::If { condition, then, otherwise }
    }

    fn list(&mut self, items: &[Expr], demand: &Demand, uses: &mut Uses) -> Kind {
        let each = demand.of_item();
        Kind::List(items.iter().map(|item| self.expr(item, &each, uses)).collect())
    }

    fn record(
        &mut self,
        shape: &Arc<RecordShape>,
        fields: &[Expr],
        demand: &Demand,
        uses: &mut Uses,
    ) -> Kind {
        let field = |(i, field)| self.expr(field, &demand.of_field(i), uses);
        let fields = fields.iter().enumerate().map(field).collect();
        Kind::Record { shape: Arc::clone(shape), fields }
    }

    fn field(&mut self, record: &Expr, index: usize, demand: &Demand, uses: &mut Uses) -> Kind {
        let asked = Demand::field(index, demand.clone());
        Kind::Field { record: Box::new(self.expr(record, &asked, uses)), index }
    }

    fn require(
        &mut self,
        condition: &Expr,
        message: &Expr,
        body: &Expr,
        demand: &Demand,
        uses: &mut Uses,
    ) -> Kind {
        let body = Box::new(self.expr(body, demand, uses));
        let message = Box::new(self.all(message, uses));
        let condition = Box::new(self.all(condition, uses));
        Kind::Require { condition, message, body }
    }

    fn given(&mut self, condition: &Expr, body: &Expr, demand: &Demand, uses: &mut Uses) -> Kind {
        self.conditioned = true;
        let body = Box::new(self.expr(body, demand, uses));
        let condition = Box::new(self.all(condition, uses));
        Kind::Given { condition, body }
    }

    /// Of the list behind some operations, less than all is asked.
    fn operation(
        &mut self,
        op: Op,
        operands: &[Expr],
        demand: &Demand,
        uses: &mut Uses,
        span: Span,
    ) -> Node {
        let operation = |operands| node(Kind::Operation { op, operands }, span);
        match (op, operands) {
            // What nobody asks for is evaluated only because it may fail, and must fail as it would otherwise.
            _ if *demand == Demand::Nothing => operation(self.every(operands, uses)),
            (Op::Length, [list]) => {
                let asked = Demand::items(Demand::Nothing);
                operation(vec![self.expr(list, &asked, uses)])
            }
            (Op::At, [list, place]) => {
                let asked = Demand::items(demand.clone());
                operation(vec![self.expr(list, &asked, uses), self.all(place, uses)])
            }
            (Op::Reverse, [list]) => operation(vec![self.expr(list, demand, uses)]),
            (Op::Sort, [list]) => {
                let list = self.expr(list, &Demand::Bag, uses);
                match list.kind {
                    Kind::Operation { op: Op::Sort, .. } => list,
                    _ => operation(vec![list]),
                }
            }
            (Op::Append, [list, item]) => {
                let list = self.expr(list, demand, uses);
                let longer = operation(vec![list, self.expr(item, &demand.of_item(), uses)]);
                match demand {
                    Demand::Bag => {
                        node(Kind::Operation { op: Op::Sort, operands: vec![longer] }, span)
                    }
                    _ => longer,
                }
            }
            _ => operation(self.every(operands, uses)),
        }
    }

    /// Whether only the notes of the program are asked for.
    fn hears(&self) -> bool {
        !matches!(self.notes, Notes::LeftOut)
    }

    /// Whether an expression is run even where nobody asks for its value.
    fn matters(&self, expr: &Expr) -> bool {
        if self.hears() {
            return tells::tells(expr, &self.matter);
        }
        let matter = &self.matter;
        fails::may_fail(expr, &mut |index| matter.get(index).copied().unwrap_or(true))
    }

    /// An expression whose value nobody needs, before what follows it.
    fn beside(&mut self, unasked: &Expr, body: Node, uses: &mut Uses, span: Span) -> Node {
        let value = self.expr(unasked, &Demand::Nothing, uses);
        if matches!(value.kind, Kind::Nothing) {
            return body;
        }
        let (value, body) = (Box::new(value), Box::new(body));
        node(Kind::Let { local: self.new_local(), value, body }, span)
    }

    fn new_local(&mut self) -> LocalId {
        self.locals += 1;
        LocalId(self.locals as u32 - 1)
    }

    /// Lowers an expression of which everything is asked.
    fn all(&mut self, expr: &Expr, uses: &mut Uses) -> Node {
        self.expr(expr, &Demand::All, uses)
    }

    fn every(&mut self, exprs: &[Expr], uses: &mut Uses) -> Vec<Node> {
        exprs.iter().map(|expr| self.all(expr, uses)).collect()
    }

    fn local(&mut self, local: LocalId, demand: &Demand, uses: &mut Uses, span: Span) -> Node {
        ask(uses, local, demand.clone());
        node(Kind::Local(local), span)
    }

    fn bind(
        &mut self,
        local: LocalId,
        value: &Expr,
        body: &Expr,
        demand: &Demand,
        uses: &mut Uses,
        span: Span,
    ) -> Node {
        let body = self.expr(body, demand, uses);
        let asked = uses.remove(&local).unwrap_or(Demand::Nothing);
        let value = self.expr(value, &asked, uses);
        if matches!(value.kind, Kind::Nothing) {
            return body;
        }
        let body = self.with_margin(local, body);
        node(Kind::Let { local, value: Box::new(value), body: Box::new(body) }, span)
    }

    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Expr],
        demand: &Demand,
        uses: &mut Uses,
    ) -> Kind {
        let index = self.instance(function, demand);
        let asked = self.functions.get(index).map(|slot| slot.parameters.clone());
        let asked = asked.unwrap_or_default();
        let argument = |(i, argument): (usize, &Expr)| {
            self.expr(argument, asked.get(i).unwrap_or(&Demand::All), uses)
        };
        Kind::Call {
            function: index,
            arguments: arguments.iter().enumerate().map(argument).collect(),
        }
    }

    /// Notes are read by people: they never make a value be asked for, unless the question is what they say.
    fn note(
        &mut self,
        message: &Expr,
        body: &Expr,
        demand: &Demand,
        uses: &mut Uses,
        span: Span,
    ) -> Node {
        let body = self.expr(body, demand, uses);
        if self.unheard || !self.notes.hear(message) {
            return self.beside(message, body, uses, span);
        }
        let local = self.new_local();
        let body = Box::new(self.notes.after(local, body, span));
        node(Kind::Let { local, value: Box::new(self.all(message, uses)), body }, span)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a fold")]
    fn fold(
        &mut self,
        list: &Expr,
        first: &Expr,
        (carry, item): (LocalId, LocalId),
        body: &Expr,
        demand: &Demand,
        uses: &mut Uses,
        span: Span,
    ) -> Node {
        // A fold may throw: numbers are better sorted once all of them are there.
        let demand = if *demand == Demand::Bag { &Demand::All } else { demand };
        let (body, asked, mut met) = self.carried(carry, &[item], body, demand, uses);
        let first = Box::new(self.expr(first, &asked, uses));
        let each = met.remove(&item).unwrap_or(Demand::Nothing);
        let list = Box::new(self.expr(list, &Demand::items(each), uses));
        node(Kind::Fold { list, first, carry, item, body: Box::new(body) }, span)
    }

    /// A body that carries a value along, what is asked of the first value, and what of the variables that it meets.
    fn carried(
        &mut self,
        carry: LocalId,
        met: &[LocalId],
        body: &Expr,
        demand: &Demand,
        uses: &mut Uses,
    ) -> (Node, Demand, Uses) {
        let mut asked = demand.clone();
        let (body, inner) = loop {
            let mut inner = Uses::new();
            let lowered = self.expr(body, &asked, &mut inner);
            let more = inner.remove(&carry).unwrap_or(Demand::Nothing).join(asked.clone());
            if more == asked {
                break (lowered, inner);
            }
            asked = more;
        };
        let (inner, outer): (Uses, Uses) =
            inner.into_iter().partition(|(local, _)| met.contains(local));
        for (local, demand) in outer {
            ask(uses, local, demand);
        }
        (body, asked, inner)
    }

    fn walk(&mut self, expr: &Expr, demand: &Demand, uses: &mut Uses) -> Node {
        let core::Kind::Walk { pools, down, first, carry, face, counts, body } = &expr.kind else {
            return node(Kind::Nothing, expr.span);
        };
        let met: Vec<LocalId> = [*face].into_iter().chain(counts.iter().copied()).collect();
        let heard = std::mem::replace(&mut self.unheard, true);
        let (body, asked, _) = self.carried(*carry, &met, body, demand, uses);
        self.unheard = heard;
        let first = self.expr(first, &asked, uses);
        let pools = self.every(pools, uses);
        let (carry, face, counts) = (*carry, *face, counts.clone());
        let asked = match demand {
            Demand::Fields(fields) => Some(fields.keys().copied().collect()),
            Demand::All | Demand::Nothing | Demand::Items(_) | Demand::Bag => None,
        };
        let walk = Walk { pools, down: *down, first, carry, face, counts, body, asked };
        node(Kind::Walk(Box::new(walk)), expr.span)
    }

    fn repeat(
        &mut self,
        carried: &Carried<'_>,
        demand: &Demand,
        uses: &mut Uses,
        span: Span,
    ) -> Node {
        let size = carried.state.len();
        let mut asked: Vec<Demand> = (0..size).map(|i| demand.of_field(i)).collect();
        let at_end = asked.iter().map(|asked| *asked != Demand::Nothing).collect();
        let (round, inner) = loop {
            let mut fields: std::collections::BTreeMap<usize, Demand> =
                asked.iter().cloned().enumerate().filter(|(_, d)| *d != Demand::Nothing).collect();
            fields.insert(size, Demand::All);
            let mut inner = Uses::new();
            let round = self.expr(carried.round, &Demand::Fields(fields), &mut inner);
            let more: Vec<Demand> = carried
                .state
                .iter()
                .zip(&asked)
                .map(|(local, asked)| {
                    inner.remove(local).unwrap_or(Demand::Nothing).join(asked.clone())
                })
                .collect();
            if more == asked {
                break (round, inner);
            }
            asked = more;
        };
        for (local, demand) in inner {
            ask(uses, local, demand);
        }
        let first = carried.first.iter().zip(&asked);
        let first = first.map(|(first, asked)| self.expr(first, asked, uses)).collect();
        let is_number = |local: &LocalId| {
            self.written.get(local.0 as usize).is_some_and(|written| written.ty == Type::Number)
        };
        // What is no number is not added to, though a round may hand it on as it is.
        let counter = |(i, local): (usize, &LocalId)| {
            is_number(local) && is_counter(carried.round, *local, i)
        };
        let counters = carried.state.iter().enumerate().map(counter).collect();
        let mut places = carried.state.iter().enumerate();
        let count = places.find(|(i, local)| is_count(carried.round, **local, *i));
        let count = count.map(|(place, _)| place);
        let (shape, state) = (Arc::clone(carried.shape), carried.state.to_vec());
        let repeat = Repeat { shape, state, first, round, asked: at_end, counters, count };
        node(Kind::Repeat(Box::new(repeat)), span)
    }
}

/// The parts of a `repeat`.
struct Carried<'a> {
    shape: &'a Arc<RecordShape>,
    state: &'a [LocalId],
    first: &'a [Expr],
    round: &'a Expr,
}

fn ask(uses: &mut Uses, local: LocalId, demand: Demand) {
    let before = uses.remove(&local).unwrap_or(Demand::Nothing);
    uses.insert(local, before.join(demand));
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
