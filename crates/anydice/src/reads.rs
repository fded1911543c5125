//! What the parts of a function's body read: which parameters, which other variables; and what its statements write.
//!
//! It is asked where a call has many runs ([`crate::grouped`]), and decides whether they may be gone through in any order.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::outer::Outer;
use crate::tree::{Expr, ExprKind, Function, Signature, Statement, StatementKind, Variable};

/// A set of parameters by their places.
pub(crate) type Parameters = u64;

/// What a part of a body has to do with variables.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The parameters that are read.
    pub(crate) parameters: Parameters,
    /// All variables that may be read.
    pub(crate) read: Box<[Variable]>,
    /// Of a call: the parameters that the function called may read by itself.
    pub(crate) behind: Parameters,
    /// Of a statement: what it writes, first what is read elsewhere.
    pub(crate) written: Box<[Variable]>,
    /// How much of that is read elsewhere.
    pub(crate) lasting: usize,
}

/// The parts of a body, by the places where they lie in memory.
#[derive(Debug)]
pub(crate) struct Reads {
    exprs: FxHashMap<usize, Seen>,
    statements: FxHashMap<usize, Seen>,
}

impl Reads {
    /// None if one run of the body may see another: it gives a parameter a value, or reads a variable that an earlier run
    /// may have left behind.
    pub(crate) fn of(function: &Function, outer: &FxHashMap<Signature, Outer>) -> Option<Reads> {
        let mut parameters = FxHashMap::default();
        for (place, (variable, _)) in function.parameters.iter().enumerate() {
            let bit = 1_u64.checked_shl(u32::try_from(place).ok()?)?;
            // Two parameters of one name are one variable.
            if parameters.insert(*variable, bit).is_some() {
                return None;
            }
        }
        let mut written = BTreeSet::new();
        function.body.iter().for_each(|statement| assigned(statement, &mut written));
        let seen = outer.get(&function.signature)?;
        let lasts = |variable: &Variable| {
            parameters.contains_key(variable) || seen.variables.contains(variable)
        };
        if written.iter().any(lasts) {
            return None;
        }
        let empty = || Reads { exprs: FxHashMap::default(), statements: FxHashMap::default() };
        let mut reader = Reader { parameters, outer, all: FxHashMap::default(), reads: empty() };
        let mut all = Vec::new();
        function.body.iter().for_each(|statement| reader.statement(statement, false, &mut all));
        // Once more, now that it is known what is read elsewhere.
        all.iter().for_each(|variable| *reader.all.entry(*variable).or_default() += 1);
        reader.reads = empty();
        let again = &mut Vec::new();
        function.body.iter().for_each(|statement| reader.statement(statement, false, again));
        Some(reader.reads)
    }

    pub(crate) fn expr(&self, expr: &Expr) -> Option<&Seen> {
        self.exprs.get(&place_of(expr))
    }

    pub(crate) fn statement(&self, statement: &Statement) -> Option<&Seen> {
        self.statements.get(&place_of(statement))
    }
}

/// Where a part of the tree lies, which tells it from all others of its kind.
pub(crate) fn place_of<T>(part: &T) -> usize {
    std::ptr::from_ref(part).addr()
}

/// All variables that a statement may give a value.
fn assigned(statement: &Statement, found: &mut BTreeSet<Variable>) {
    match &statement.kind {
        StatementKind::Assign(variable, _) => {
            found.insert(*variable);
        }
        StatementKind::Loop { variable, body, .. } => {
            found.insert(*variable);
            body.iter().for_each(|statement| assigned(statement, found));
        }
        StatementKind::If { then, otherwise, .. } => {
            then.iter().chain(otherwise).for_each(|statement| assigned(statement, found));
        }
        StatementKind::Output(..)
        | StatementKind::Set(_)
        | StatementKind::Function(_)
        | StatementKind::Result(_) => {}
    }
}

struct Reader<'a> {
    parameters: FxHashMap<Variable, Parameters>,
    outer: &'a FxHashMap<Signature, Outer>,
    /// How often each variable is read in the whole body.
    all: FxHashMap<Variable, usize>,
    reads: Reads,
}

impl Reader<'_> {
    /// Notes what a statement reads, and adds it to what is read so far.
    fn statement(&mut self, statement: &Statement, looped: bool, so_far: &mut Vec<Variable>) {
        let mut read = Vec::new();
        match &statement.kind {
            StatementKind::Assign(_, value)
            | StatementKind::Result(value)
            | StatementKind::Output(value, _) => self.expr(value, &mut read),
            StatementKind::Loop { over, body, .. } => {
                self.expr(over, &mut read);
                body.iter().for_each(|statement| self.statement(statement, true, &mut read));
            }
            StatementKind::If { condition, then, otherwise } => {
                self.expr(condition, &mut read);
                let both = then.iter().chain(otherwise);
                both.for_each(|statement| self.statement(statement, looped, &mut read));
            }
            StatementKind::Set(_) | StatementKind::Function(_) => {}
        }
        let mut written = BTreeSet::new();
        assigned(statement, &mut written);
        // In a loop the next round is elsewhere too.
        let elsewhere = |variable: &Variable| {
            let here = read.iter().filter(|read| *read == variable).count();
            self.all.get(variable).is_some_and(|all| looped || *all > here)
        };
        let (mut written, others): (Vec<Variable>, Vec<Variable>) =
            written.iter().copied().partition(elsewhere);
        let lasting = written.len();
        written.extend(others);
        let written = written.into();
        let seen = Seen { written, lasting, ..self.seen(&read, 0) };
        self.reads.statements.insert(place_of(statement), seen);
        so_far.extend(read);
    }

    fn expr(&mut self, expr: &Expr, so_far: &mut Vec<Variable>) {
        let mut read = Vec::new();
        let mut behind = 0;
        match &expr.kind {
            ExprKind::Number(_) => {}
            ExprKind::Variable(variable) => read.push(*variable),
            ExprKind::Sequence(parts) => {
                for part in parts {
                    let more = part.last.iter().chain(&part.times);
                    let all = std::iter::once(&part.first).chain(more);
                    all.for_each(|expr| self.expr(expr, &mut read));
                }
            }
            ExprKind::Unary(_, value) => self.expr(value, &mut read),
            ExprKind::Binary(_, left, right) => {
                self.expr(left, &mut read);
                self.expr(right, &mut read);
            }
            ExprKind::Call(signature, arguments) => {
                arguments.iter().for_each(|argument| self.expr(argument, &mut read));
                let called = self.outer.get(signature).into_iter().flat_map(|seen| &seen.variables);
                let called: Vec<Variable> = called.copied().collect();
                behind = self.parameters_of(&called);
                read.extend(called);
            }
        }
        let seen = self.seen(&read, behind);
        self.reads.exprs.insert(place_of(expr), seen);
        so_far.extend(read);
    }

    fn parameters_of(&self, read: &[Variable]) -> Parameters {
        let bits = read.iter().filter_map(|variable| self.parameters.get(variable));
        bits.fold(0, |all, bit| all | bit)
    }

    fn seen(&self, read: &[Variable], behind: Parameters) -> Seen {
        let distinct: BTreeSet<Variable> = read.iter().copied().collect();
        Seen {
            parameters: self.parameters_of(read),
            read: distinct.into_iter().collect(),
            behind,
            written: Box::default(),
            lasting: 0,
        }
    }
}
