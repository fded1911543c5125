//! An AnyDice program as a tree.
//!
//! Variables and signatures are numbered, so that running a program looks nothing up by name. A *signature* is what a
//! function is known by: its words, with a hole for each argument (`highest _ of _`).

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::{Comparison, Integer};
use astragal_syntax::span::Span;

/// The number of a variable's name.
pub(crate) type Variable = usize;
/// The number of a signature.
pub(crate) type Signature = usize;

/// A program that was read.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) statements: Vec<Statement>,
    /// The names of variables.
    pub(crate) variables: Vec<Arc<str>>,
    /// The signatures, as they are written: `highest _ of _`.
    pub(crate) signatures: Vec<Arc<str>>,
    /// How many bytes the text has.
    pub(crate) length: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Assign(Variable, Expr),
    Output(Expr, Option<Text>),
    Set(Setting),
    Function(Rc<Function>),
    Loop { variable: Variable, over: Expr, body: Vec<Statement> },
    If { condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement> },
    Result(Expr),
}

/// `set "position order" to "lowest first"`.
#[derive(Clone, Debug)]
pub(crate) enum Setting {
    LowestFirst(bool),
    ExplodeDepth(Expr),
    FunctionDepth(Expr),
}

/// A name with variables in it.
pub(crate) type Text = Vec<Piece>;

#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Plain(String),
    Variable(Variable, Span),
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) signature: Signature,
    pub(crate) parameters: Vec<(Variable, Kind)>,
    pub(crate) body: Vec<Statement>,
}

/// What a parameter is cast to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Any,
    Number,
    Sequence,
    Die,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(Integer),
    Variable(Variable),
    Sequence(Vec<Part>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Call(Signature, Vec<Expr>),
}

/// A part of a sequence: `1..6`, `5:3`.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) first: Expr,
    pub(crate) last: Option<Expr>,
    pub(crate) times: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Die,
    Plus,
    Minus,
    Not,
    Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Both,
    Either,
    Compare(Comparison),
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    At,
    Dice,
}
