//! From an expression of the plan to code.
//!
//! Each variable gets a slot of one frame, the variables of called functions included. What depends on
//! variables that *keep* their values from step to step (the face of a walk, everything from outside of it)
//! becomes a term, worked out before the steps are run; constants are worked out here.

use astragal_program::core::LocalId;
use astragal_value::{Op, Value};
use rustc_hash::FxHashMap;

use super::beside::Groups;
use super::hoist::{Hoist, Thrown, Whole, is_of_calls};
use crate::eval::comparison;
use crate::plan::{Kind, Node, NodeId, Plan};
use crate::ways;
use astragal_code::Runner;
use astragal_code::{Code, Fold};
use astragal_value::{Store, Word};

/// Whether a variable keeps its value from step to step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    No,
}

/// A translated expression with its terms.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) code: Code,
    /// The terms, each of which may use those before it.
    pub(crate) terms: Vec<Code>,
    /// The terms that the code itself uses, in order.
    pub(crate) used: Vec<u32>,
    /// How many slots there are.
    pub(crate) slots: usize,
}

/// Where the answer to a question about dice lies: in a field of a variable, or in the variable itself.
#[derive(Clone, Copy)]
pub(crate) struct Answered {
    pub(crate) local: LocalId,
    pub(crate) field: Option<u32>,
}

/// The code of an expression whose variables have these slots, counted from 0. None if it is not plain.
pub(crate) fn compile<'p>(
    node: &'p Node,
    variables: &[(LocalId, Kept)],
    plan: &'p Plan,
    store: &mut Store,
) -> Option<Program> {
    compile_answered(node, variables, &FxHashMap::default(), plan, store)
}

/// The same for an expression with readings of dice whose answers lie in a variable.
pub(crate) fn compile_answered<'p>(
    node: &'p Node,
    variables: &[(LocalId, Kept)],
    answered: &FxHashMap<NodeId, Answered>,
    plan: &'p Plan,
    store: &mut Store,
) -> Option<Program> {
    let mut compiler = Compiler { answered: Some(answered), ..Compiler::new(plan, store, None) };
    let mut scope = Scope::default();
    for (local, kept) in variables {
        let varies = if *kept == Kept::Yes { Varies::Between } else { Varies::Within };
        scope.insert(*local, Part { code: Code::Local(compiler.slot()), varies });
    }
    let whole = compiler.part(node, &mut scope, 0)?;
    Some(compiler.program(whole))
}

/// The code of an expression whose variables have these values, with its throws told apart ([`super::hoist`]). What
/// is carried through a loop varies from node to node, and has the first slots. None if what is left is not plain.
pub(crate) fn compile_hoisted<'p>(
    node: &'p Node,
    variables: &[Option<Word>],
    carried: &[LocalId],
    whole: Whole,
    plan: &'p Plan,
    store: &mut Store,
) -> Option<(Program, Vec<Thrown<'p>>)> {
    let mut beside = Groups::default();
    loop {
        let hoist = Hoist::within(variables.len(), whole, beside);
        let mut compiler = Compiler::new(plan, store, Some(hoist));
        let mut scope = Scope::default();
        for (local, word) in (0u32..).map(LocalId).zip(variables) {
            scope.extend(word.map(|word| (local, constant(word))));
        }
        for local in carried {
            let code = Code::Local(compiler.slot());
            scope.insert(*local, Part { code, varies: Varies::Between });
        }
        let part = compiler.part(node, &mut scope, 0);
        let program = part.map(|part| compiler.program(part));
        let hoist = compiler.hoist?;
        match program {
            Some(program) => return Some((program, hoist.throws)),
            // Dice that a walk goes over side by side are one throw: now it is known which.
            None => beside = hoist.beside.joined()?,
        }
    }
}

/// What something depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Varies {
    /// Nothing.
    Never,
    /// Kept variables only.
    Between,
    /// Variables of each step.
    Within,
}

#[derive(Clone)]
pub(super) struct Part {
    pub(super) code: Code,
    pub(super) varies: Varies,
}

pub(super) type Scope = FxHashMap<LocalId, Part>;

pub(super) struct Compiler<'a, 'p> {
    pub(super) plan: &'p Plan,
    pub(super) store: &'a mut Store,
    /// Readings of dice whose answers lie in a variable.
    answered: Option<&'a FxHashMap<NodeId, Answered>>,
    terms: Vec<Code>,
    slots: u32,
    left: usize,
    /// Where throws are told apart: those found so far.
    pub(super) hoist: Option<Hoist<'p>>,
}

impl<'a, 'p> Compiler<'a, 'p> {
    fn new(plan: &'p Plan, store: &'a mut Store, hoist: Option<Hoist<'p>>) -> Self {
        let (terms, left) = (Vec::new(), ways::LARGEST_CODE);
        Compiler { plan, store, answered: None, terms, slots: 0, left, hoist }
    }

    fn program(&mut self, whole: Part) -> Program {
        let code = self.settled(whole);
        let used = code.terms();
        Program { code, terms: std::mem::take(&mut self.terms), used, slots: self.slots as usize }
    }

    pub(super) fn part(&mut self, node: &'p Node, scope: &mut Scope, depth: usize) -> Option<Part> {
        self.left = self.left.checked_sub(1)?;
        let depth = (depth < ways::DEEPEST_CODE).then_some(depth + 1)?;
        if (depth > 1 || is_of_calls(node)) && self.is_throw(node, scope) {
            return self.throw(node, scope, depth);
        }
        if let Some(answered) = self.answered.and_then(|known| known.get(&node.id)) {
            return self.answer(node, *answered, scope);
        }
        self.form(node, scope, depth)
    }

    /// The answer to a question about dice, or how it compares with 0.
    fn answer(&mut self, node: &Node, answered: Answered, scope: &Scope) -> Option<Part> {
        let mut answer = scope.get(&answered.local)?.clone();
        if let Some(field) = answered.field {
            answer = self.field(answer, field)?;
        }
        match node.kind {
            Kind::Operation { op, .. } if comparison(op).is_some() => {
                let zero = constant(self.store.word(&Value::whole(0)));
                self.built(vec![answer, zero], |parts| operation(op, parts))
            }
            _ => Some(answer),
        }
    }

    fn form(&mut self, node: &'p Node, scope: &mut Scope, depth: usize) -> Option<Part> {
        match &node.kind {
            Kind::Nothing => Some(constant(Word::NONE)),
            Kind::Constant(value) => Some(constant(self.store.word(value))),
            Kind::Local(local) => scope.get(local).cloned(),
            Kind::Let { local, value, body } => {
                let value = [(*local, self.part(value, scope, depth)?)];
                self.bound(&value, scope, &mut |this, scope| this.part(body, scope, depth))
            }
            Kind::If { condition, then, otherwise } => {
                let condition = self.part(condition, scope, depth)?;
                if let Code::Word(truth) = condition.code {
                    let taken = if truth.as_bool()? { then } else { otherwise };
                    return self.part(taken, scope, depth);
                }
                let then = self.part(then, scope, depth)?;
                let otherwise = self.part(otherwise, scope, depth)?;
                self.choice(condition, then, otherwise)
            }
            Kind::Operation { op, operands } => {
                let operands = self.parts(operands, scope, depth)?;
                self.built(operands, |parts| operation(*op, parts))
            }
            Kind::List(items) => {
                let items = self.parts(items, scope, depth)?;
                self.built(items, Code::List)
            }
            Kind::Record { shape, fields } => {
                let number = self.store.shape(shape);
                let fields = self.parts(fields, scope, depth)?;
                (fields.len() == shape.fields.len()).then_some(())?;
                self.built(fields, |fields| Code::Record(number, fields))
            }
            Kind::Field { record, index } => {
                let record = self.part(record, scope, depth)?;
                self.field(record, u32::try_from(*index).ok()?)
            }
            Kind::Call { function, arguments } => self.call(*function, arguments, scope, depth),
            Kind::Enter { body } => self.part(body, scope, depth),
            Kind::Fold { list, first, carry, item, body } => {
                let list = self.part(list, scope, depth)?;
                let first = self.part(first, scope, depth)?;
                self.fold((list, first), (*carry, *item), body, scope, depth)
            }
            Kind::Require { condition, body, .. } | Kind::Given { condition, body } => {
                let condition = self.part(condition, scope, depth)?;
                let body = self.part(body, scope, depth)?;
                let elsewhere = Part { code: Code::Elsewhere, varies: Varies::Never };
                self.choice(condition, body, elsewhere)
            }
            Kind::Dice { .. } | Kind::Gather(_) | Kind::Times { .. } => self.lay(node, scope),
            Kind::Drawn { dice, without } => self.draw(node, dice, without, scope, depth),
            Kind::Merge(members) => self.laid_together(node, members, scope, depth),
            Kind::Suffixed { pool, suffix } => self.suffixed(node, pool, suffix, scope, depth),
            Kind::Read { pool, reading } => self.asked(pool, reading, scope, depth),
            Kind::Walk(walk) => self.asked_by_walk(walk, scope, depth),
            Kind::Measure { .. } | Kind::Repeat(_) => None,
            Kind::Symbols { .. } | Kind::Tally { .. } => None,
        }
    }

    pub(super) fn choice(&mut self, condition: Part, then: Part, otherwise: Part) -> Option<Part> {
        self.built(vec![condition, then, otherwise], |parts| match <[Code; 3]>::try_from(parts) {
            Ok([condition, then, otherwise]) => Code::If(Box::new((condition, then, otherwise))),
            Err(_) => Code::Elsewhere,
        })
    }

    fn field(&mut self, record: Part, index: u32) -> Option<Part> {
        self.built(vec![record], |mut parts| {
            let record = parts.pop().unwrap_or(Code::Elsewhere);
            Code::Field(Box::new(record), index)
        })
    }

    fn call(
        &mut self,
        function: usize,
        arguments: &'p [Node],
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        let plan = self.plan;
        let callee = plan.functions.get(function)?;
        let parameters = self.parameters(arguments, scope, depth)?;
        let outer = self.enter(callee.locals);
        let called = self.bound(&parameters, &mut Scope::default(), &mut |compiler, scope| {
            compiler.part(&callee.body, scope, depth)
        });
        self.enter(outer);
        called
    }

    fn fold(
        &mut self,
        (list, first): (Part, Part),
        (carry, item): (LocalId, LocalId),
        body: &'p Node,
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        let (list, first) = (self.settled(list), self.settled(first));
        let slots = [self.slot(), self.slot()];
        for (local, slot) in [carry, item].into_iter().zip(slots) {
            scope.insert(local, Part { code: Code::Local(slot), varies: Varies::Within });
        }
        let throws = self.throws_so_far();
        let body = self.part(body, scope, depth)?;
        // Each round would throw anew.
        (self.throws_so_far() == throws).then_some(())?;
        let body = self.settled(body);
        let [carry, item] = slots;
        let cost = 1 + body.size();
        let code = Code::Fold(Box::new(Fold { list, first, carry, item, body, cost }));
        Some(Part { code, varies: Varies::Within })
    }

    fn parts(&mut self, nodes: &'p [Node], scope: &mut Scope, depth: usize) -> Option<Vec<Part>> {
        nodes.iter().map(|node| self.part(node, scope, depth)).collect()
    }

    /// A body in which variables have values: what varies within a step gets a slot.
    fn bound(
        &mut self,
        values: &[(LocalId, Part)],
        scope: &mut Scope,
        body: &mut dyn FnMut(&mut Self, &mut Scope) -> Option<Part>,
    ) -> Option<Part> {
        let mut slots = Vec::new();
        for (local, value) in values {
            let part = match &value.code {
                Code::Word(_) | Code::Term(_) | Code::Local(_) => value.clone(),
                Code::Dice(seen) => {
                    // Dice are thrown where they are bound.
                    let thrown =
                        self.thrown_here(*seen).map(|slot| (self.slot(), Code::Throw(slot)));
                    slots.extend(thrown);
                    value.clone()
                }
                _ if value.varies < Varies::Within => {
                    let varies = value.varies;
                    let code = self.settled(value.clone());
                    // Even if nobody needs it, it must be there.
                    if value.code.may_fail() {
                        slots.push((self.slot(), code.clone()));
                    }
                    Part { code, varies }
                }
                code => {
                    let slot = self.slot();
                    slots.push((slot, code.clone()));
                    Part { code: Code::Local(slot), varies: Varies::Within }
                }
            };
            scope.insert(*local, part);
        }
        let body = body(self, scope)?;
        if slots.is_empty() {
            return Some(body);
        }
        let body = self.settled(body);
        let code = slots
            .into_iter()
            .rev()
            .fold(body, |body, (slot, value)| Code::Let(slot, Box::new((value, body))));
        Some(Part { code, varies: Varies::Within })
    }

    /// Code made of parts. Where the whole varies within a step, parts that do not are terms; where nothing
    /// varies, it is worked out.
    pub(super) fn built(
        &mut self,
        parts: Vec<Part>,
        build: impl FnOnce(Vec<Code>) -> Code,
    ) -> Option<Part> {
        let varies = parts.iter().map(|part| part.varies).max().unwrap_or(Varies::Never);
        let code = match varies {
            Varies::Within => build(parts.into_iter().map(|part| self.settled(part)).collect()),
            Varies::Never | Varies::Between => {
                build(parts.into_iter().map(|part| part.code).collect())
            }
        };
        if varies == Varies::Never
            && let Some(word) = Runner::new(0).run(&code, self.store)
        {
            return Some(constant(word));
        }
        Some(Part { code, varies })
    }

    /// The code of a part; a term if it does not vary within a step.
    pub(super) fn settled(&mut self, part: Part) -> Code {
        match (part.varies, &part.code) {
            (Varies::Within, _) | (_, Code::Word(_) | Code::Term(_) | Code::Elsewhere) => part.code,
            (Varies::Never | Varies::Between, Code::Local(slot)) => {
                let same = |term: &Code| matches!(term, Code::Local(known) if known == slot);
                let known = self.terms.iter().position(same);
                Code::Term(known.unwrap_or_else(|| self.term(part.code.clone())) as u32)
            }
            (Varies::Never | Varies::Between, _) => Code::Term(self.term(part.code) as u32),
        }
    }

    fn term(&mut self, code: Code) -> usize {
        self.terms.push(code);
        self.terms.len() - 1
    }

    pub(super) fn slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }
}

pub(super) fn constant(word: Word) -> Part {
    Part { code: Code::Word(word), varies: Varies::Never }
}

fn operation(op: Op, mut operands: Vec<Code>) -> Code {
    match (operands.pop(), operands.pop(), operands.is_empty()) {
        (Some(b), Some(a), true) => Code::Binary(op, Box::new((a, b))),
        (b, a, _) => {
            operands.extend(a.into_iter().chain(b));
            Code::Operation(op, operands)
        }
    }
}
