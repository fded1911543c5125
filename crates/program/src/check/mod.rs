//! Tree to core: names, types and sugar are resolved here.
//!
//! ```text
//! fn hit(target, bonus = 0) = d20 + bonus >= target
//! hit(15, bonus: 5)
//! ```
//!
//! A function is a template. Each set of argument types makes one core function, kept for the next call
//! with the same types ([`instance`]), and for the next program if it is the library's
//! ([`kept`](crate::kept)); a call that passes a roll unthrown or a function is copied to
//! where it stands instead ([`enter`]). Every definition is also checked once by itself, with parameters
//! of unknown type, so that a mistake is found before anyone calls it.
//!
//! An expression that is wrong becomes one of unknown type, which fits everywhere: one mistake, one
//! message.

mod annotation;
mod arguments;
mod block;
mod branch;
mod builtins;
mod call;
mod chain;
mod choices;
mod coerce;
mod definition;
mod dice;
mod drawn;
mod enter;
mod expression;
mod instance;
mod list;
mod matching;
mod name;
mod operator;
mod program;
mod record;
mod repeat;
mod suffix;
mod text;

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use astragal_syntax::diagnostic::{Diagnostic, Label, Severity};
use astragal_syntax::span::Span;

use crate::Options;
use crate::core::{Expr, Function, Input, Kind, Local, LocalId, Value};
use crate::errors;
use crate::finish::Origins;
use crate::kept::{Copies, InstanceKey};
use crate::load::Modules;
use crate::scope::{Binding, Definition, DefinitionId, Entered, Scope, Signature, Variable};
use crate::sources::Sources;
use crate::types::Type;
use instance::{Finished, Instance};
pub(crate) use program::{check_library, check_program};

/// A core expression and its type.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) expr: Expr,
    pub(crate) ty: Type,
}

/// The core function that is being written.
#[derive(Default)]
struct Frame {
    serial: u32,
    locals: Vec<Local>,
    /// Variables of other frames that it mentions, and its own variables for them.
    captures: Vec<Capture>,
}

/// A variable of an enclosing function, passed as an extra argument.
#[derive(Clone, Debug)]
struct Capture {
    outer: Variable,
    own: LocalId,
}

/// The state of a check.
pub(crate) struct Checker<'t> {
    modules: &'t Modules<'t>,
    options: &'t Options<'t>,
    /// The definitions of blocks.
    definitions: Vec<Definition<'t>>,
    signatures: FxHashMap<DefinitionId, Signature<'t>>,
    /// The definitions, by place, that were checked by themselves.
    checked: FxHashSet<Span>,
    frame: Frame,
    /// The frames of the core functions around it, which wait.
    waiting: Vec<Frame>,
    next_frame: u32,
    functions: Vec<Option<Function>>,
    instances: FxHashMap<InstanceKey, Instance>,
    /// The instances that were written, in order, to take back those that relied on a guess.
    finished: Vec<Finished>,
    /// The functions that were taken from the library as they are.
    copies: Copies,
    /// Where the functions of the finished program come from.
    origins: Origins,
    inputs: Vec<Input>,
    /// How many choices and `maximise` were met.
    plays: usize,
    /// The bodies of definitions that were checked by themselves and decide something.
    alone: Vec<Expr>,
    /// The places of the calls around what is being checked, outermost first.
    calls: Vec<Span>,
    /// The functions in whose copied bodies the present call stands.
    entered: Entered,
    /// The constants being read.
    reading: Vec<Span>,
    /// The `let`s, and those that are mentioned.
    declared: Vec<(Span, &'t str)>,
    used: FxHashSet<Span>,
    diagnostics: Vec<Diagnostic>,
    reported: FxHashSet<(&'static str, Span)>,
    /// How often something of unknown type was met.
    guesses: usize,
    depth: usize,
    /// How deep it was at most since the instance at hand was begun.
    deepest: usize,
    /// How many steps and arms stand around in the core function.
    chain: usize,
    nodes: usize,
    /// How many of them belong to instances that were written on the way.
    inner_nodes: usize,
    over_budget: bool,
}

/// How deep expressions and copied calls may nest. It bounds the use of the machine's stack.
const DEEPEST: usize = 320;

/// How many statements and arms may follow each other in one core function. In the core each one holds
/// those after it, so this bounds its depth.
const LONGEST_CHAIN: usize = 1_000;

/// What a call adds to the depth: it takes more of the stack than an expression.
const CALL_DEPTH: usize = 2;

impl<'t> Checker<'t> {
    fn fresh(modules: &'t Modules<'t>, options: &'t Options<'t>) -> Self {
        Checker {
            modules,
            options,
            definitions: Vec::new(),
            signatures: FxHashMap::default(),
            checked: FxHashSet::default(),
            frame: Frame::default(),
            waiting: Vec::new(),
            next_frame: 1,
            functions: Vec::new(),
            instances: FxHashMap::default(),
            finished: Vec::new(),
            copies: Copies::default(),
            origins: Origins::default(),
            inputs: Vec::new(),
            plays: 0,
            alone: Vec::new(),
            calls: Vec::new(),
            entered: Entered::default(),
            reading: Vec::new(),
            declared: Vec::new(),
            used: FxHashSet::default(),
            diagnostics: Vec::new(),
            reported: FxHashSet::default(),
            guesses: 0,
            depth: 0,
            deepest: 0,
            chain: 0,
            nodes: 0,
            inner_nodes: 0,
            over_budget: false,
        }
    }

    /// Says something about the program, once for each place and each call of another text; hints only about the user's own texts. Inside a call the user's own line comes
    /// first.
    fn report(&mut self, mut diagnostic: Diagnostic) {
        let Some(place) = diagnostic.labels.first().map(|label| label.span) else {
            self.diagnostics.push(diagnostic);
            return;
        };
        let advice = diagnostic.severity > Severity::OverBudget;
        if advice && self.modules.is_library(place.source) {
            return;
        }
        if !self.reported.insert((diagnostic.code, place)) {
            return;
        }
        if let (Some(outer), Some(inner)) = (self.calls.first(), self.calls.last()) {
            if place.source != Sources::PROGRAM && outer.source == Sources::PROGRAM {
                if !advice && !self.reported.insert(("called", *outer)) {
                    return;
                }
                if let Some(first) = diagnostic.labels.first_mut()
                    && first.text.is_empty()
                {
                    first.text = "here".into();
                }
                diagnostic.labels.insert(0, Label { span: *outer, text: String::new() });
                diagnostic.edits.clear();
            } else if !contains(*inner, place) {
                diagnostic = diagnostic.also(*inner, "called from here");
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error; the expression is of unknown type.
    fn wrong(&mut self, diagnostic: Diagnostic) -> Typed {
        let span = diagnostic.labels.first().map_or(NOWHERE, |label| label.span);
        self.report(diagnostic);
        unknown(span)
    }

    /// Notes how much was said, to take it back if what follows is checked again.
    fn mark(&self) -> usize {
        self.diagnostics.len()
    }

    /// Takes back what was said since a mark, but for the end of the budget. True if there was anything:
    /// then what was checked on the way has to be checked again, or its errors would be lost.
    fn take_back(&mut self, mark: usize) -> bool {
        let mut anything = false;
        for diagnostic in self.diagnostics.split_off(mark.min(self.diagnostics.len())) {
            if diagnostic.severity == Severity::OverBudget {
                self.diagnostics.push(diagnostic);
                continue;
            }
            anything = true;
            for label in &diagnostic.labels {
                self.reported.remove(&(diagnostic.code, label.span));
                self.reported.remove(&("called", label.span));
            }
        }
        if anything {
            self.checked.clear();
        }
        anything
    }

    /// Forgets the functions that were finished since there were so many.
    fn forget_finished(&mut self, since: usize) {
        for finished in self.finished.split_off(since.min(self.finished.len())) {
            self.instances.remove(&finished.key);
        }
    }

    /// Counts one more expression. None if there are too many of them.
    fn spend(&mut self, span: Span) -> Option<()> {
        self.nodes += 1;
        self.deepest = self.deepest.max(self.depth);
        if self.nodes > self.options.nodes && !self.over_budget {
            self.over_budget = true;
            let diagnostic = errors::too_much_code(span);
            self.report(diagnostic);
        }
        if self.depth >= DEEPEST && !self.over_budget {
            self.over_budget = true;
            let diagnostic = errors::too_deep(span);
            self.report(diagnostic);
        }
        (!self.over_budget).then_some(())
    }

    /// Counts one more step or arm around what follows in the core function.
    fn lengthen(&mut self, span: Span) {
        self.chain += 1;
        if self.chain > LONGEST_CHAIN && !self.over_budget {
            self.over_budget = true;
            self.report(errors::too_long(span));
        }
    }

    /// Begins to write another core function.
    fn push_frame(&mut self) {
        let frame = Frame { serial: self.next_frame, ..Frame::default() };
        self.next_frame += 1;
        self.waiting.push(std::mem::replace(&mut self.frame, frame));
    }

    /// Goes on with the core function around.
    fn pop_frame(&mut self) -> Frame {
        let around = self.waiting.pop().unwrap_or_default();
        std::mem::replace(&mut self.frame, around)
    }

    /// A new variable of the function that is being written.
    fn local(&mut self, name: Option<&str>, ty: Type) -> Variable {
        let frame = &mut self.frame;
        let id = LocalId(u32::try_from(frame.locals.len()).unwrap_or(u32::MAX));
        frame.locals.push(Local { name: name.map(Arc::from), ty: ty.clone() });
        Variable { frame: frame.serial, id, ty, declared: None }
    }

    /// Reads a variable, from an enclosing function if need be.
    fn read(&mut self, variable: &Variable, span: Span) -> Typed {
        if let Some(place) = variable.declared {
            self.used.insert(place);
        }
        let id =
            if variable.frame == self.frame.serial { variable.id } else { self.capture(variable) };
        Typed { expr: Expr { kind: Kind::Local(id), span }, ty: variable.ty.clone() }
    }

    fn capture(&mut self, variable: &Variable) -> LocalId {
        let known = self.frame.captures.iter().find(|capture| {
            (capture.outer.frame, capture.outer.id) == (variable.frame, variable.id)
        });
        if let Some(capture) = known {
            return capture.own;
        }
        let own = self.local(None, variable.ty.clone()).id;
        self.frame.captures.push(Capture { outer: variable.clone(), own });
        own
    }

    /// This scope with a name for a variable.
    fn bind(&self, scope: &Scope<'t>, name: &'t str, variable: Variable) -> Scope<'t> {
        scope.with(name, Binding::Variable(variable))
    }
}

/// No place at all.
const NOWHERE: Span = Span { source: Sources::PROGRAM, start: 0, end: 0 };

fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}

/// What stands for an expression that is wrong.
fn unknown(span: Span) -> Typed {
    Typed { expr: constant(Value::None, span), ty: Type::Unknown }
}

fn constant(value: Value, span: Span) -> Expr {
    Expr { kind: Kind::Constant(value), span }
}

/// A binding, a demand or a note that comes before a value.
enum Step {
    Let(LocalId, Expr),
    Require(Expr, Expr),
    Given(Expr),
    Note(Expr),
}

impl Step {
    /// The expressions in it, in the order of evaluation.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Step::Let(_, value) | Step::Given(value) | Step::Note(value) => vec![value],
            Step::Require(condition, message) => vec![condition, message],
        }
    }
}

/// The value after its steps.
fn after(steps: Vec<(Step, Span)>, value: Expr) -> Expr {
    steps.into_iter().rev().fold(value, |body, (step, span)| {
        let body = Box::new(body);
        let kind = match step {
            Step::Let(local, value) => Kind::Let { local, value: Box::new(value), body },
            Step::Require(condition, message) => {
                Kind::Require { condition: Box::new(condition), message: Box::new(message), body }
            }
            Step::Given(condition) => Kind::Given { condition: Box::new(condition), body },
            Step::Note(message) => Kind::Note { message: Box::new(message), body },
        };
        Expr { kind, span }
    })
}
