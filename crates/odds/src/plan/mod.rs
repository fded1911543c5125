//! The core program, pruned to what is asked, with what each part still needs.
//!
//! Exploring a program state by state is fast only if equal states meet, and they meet only if what is
//! no longer needed is forgotten. The plan makes that easy: each node carries the variables that it
//! reads (`free`), record fields and carried values that nobody asks for are gone, and each function
//! exists once for each [`Demand`] on its result.
//!
//! A value that nobody asks for is still evaluated where it may fail, because a program that can fail
//! has no odds.

mod counters;
mod demand;
mod facts;
mod locals;
mod lower;
mod margin;
mod matters;
mod parts;

use std::sync::Arc;

use astragal_program::core::{self, LocalId, Measure, Op};
use astragal_syntax::span::Span;
use astragal_value::{RecordShape, Value};

pub(crate) use demand::Demand;
use facts::Facts;
pub(crate) use facts::NodeId;
pub(crate) use locals::Locals;
pub(crate) use lower::{lower, lower_parts};
pub(crate) use parts::parts;

/// A pruned program.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) functions: Vec<Function>,
    /// The program itself, once for each demand on its result.
    pub(crate) mains: Vec<Function>,
    /// Whether there is any `given`.
    pub(crate) conditioned: bool,
    /// Whether it may matter which of several dice laid together was thrown first.
    pub(crate) as_thrown: bool,
}

/// A function for one demand on its result.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: Arc<str>,
    pub(crate) locals: usize,
    pub(crate) body: Node,
}

/// A node, its place and the variables that it reads.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    /// Variables that it reads and does not bind itself.
    pub(crate) free: Locals,
    /// Which node it is, and what holds for it, once the plan is whole.
    pub(crate) id: NodeId,
    facts: Facts,
}

/// As [`astragal_program::core::Kind`]; labels and notes are gone, inputs are set.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Nobody asks for it and it cannot fail.
    Nothing,
    Constant(Value),
    Local(LocalId),
    Let {
        local: LocalId,
        value: Box<Node>,
        body: Box<Node>,
    },
    If {
        condition: Box<Node>,
        then: Box<Node>,
        otherwise: Box<Node>,
    },
    Operation {
        op: Op,
        operands: Vec<Node>,
    },
    List(Vec<Node>),
    Record {
        shape: Arc<RecordShape>,
        fields: Vec<Node>,
    },
    Field {
        record: Box<Node>,
        index: usize,
    },
    Call {
        function: usize,
        arguments: Vec<Node>,
    },
    Enter {
        body: Box<Node>,
    },
    Fold {
        list: Box<Node>,
        first: Box<Node>,
        carry: LocalId,
        item: LocalId,
        body: Box<Node>,
    },
    Walk(Box<Walk>),
    Repeat(Box<Repeat>),
    Require {
        condition: Box<Node>,
        message: Box<Node>,
        body: Box<Node>,
    },
    Given {
        condition: Box<Node>,
        body: Box<Node>,
    },
    Dice {
        count: Box<Node>,
        die: Die,
    },
    Symbols {
        count: Option<Box<Node>>,
        faces: Vec<Face>,
    },
    /// The demanded fields of a sum of records; the faces yield records with at least these.
    Tally {
        count: Box<Node>,
        shape: Arc<RecordShape>,
        fields: Vec<usize>,
        faces: Vec<Face>,
    },
    /// Dice, symbols or a tally that are drawn from a bag, without some of it.
    Drawn {
        dice: Box<Node>,
        without: Vec<Node>,
    },
    Gather(Vec<Node>),
    Merge(Vec<Node>),
    Measure {
        measure: Measure,
        percent: Option<Box<Node>>,
        of: Box<Node>,
    },
    Times {
        count: Box<Node>,
        each: Box<Node>,
    },
    Suffixed {
        pool: Box<Node>,
        suffix: Suffix,
    },
    Read {
        pool: Box<Node>,
        reading: Reading,
    },
}

/// See [`astragal_program::core::Kind::Walk`].
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) pools: Vec<Node>,
    pub(crate) down: bool,
    pub(crate) first: Node,
    pub(crate) carry: LocalId,
    pub(crate) face: LocalId,
    pub(crate) counts: Vec<LocalId>,
    pub(crate) body: Node,
    /// The fields of the carried record that are asked for at the end; none: all of it.
    pub(crate) asked: Option<Vec<usize>>,
}

impl Walk {
    /// The variables that its step reads and that it does not bind.
    pub(crate) fn outside(&self) -> Vec<LocalId> {
        let bound = self.bound();
        self.body.free.iter().filter(|local| !bound.contains(local)).collect()
    }

    /// The variables that it binds.
    pub(crate) fn bound(&self) -> Vec<LocalId> {
        [self.carry, self.face].into_iter().chain(self.counts.iter().copied()).collect()
    }
}

/// See [`astragal_program::core::Kind::Repeat`].
#[derive(Debug)]
pub(crate) struct Repeat {
    pub(crate) shape: Arc<RecordShape>,
    pub(crate) state: Vec<LocalId>,
    pub(crate) first: Vec<Node>,
    pub(crate) round: Node,
    /// For each carried value: whether it is asked for at the end.
    pub(crate) asked: Vec<bool>,
    /// For each carried value: whether a round only ever adds to it and never looks at it.
    pub(crate) counters: Vec<bool>,
    /// The carried value that a round only adds to and that ends the loop at 0, if there is one.
    pub(crate) count: Option<usize>,
}

/// What dice are made of and what is done to them, as in the core program.
pub(crate) type Die = core::Die<Node>;
pub(crate) type Face = core::Face<Node>;
pub(crate) type SuffixKind = core::SuffixKind<Node>;
pub(crate) type Reading = core::Reading<Node>;

#[derive(Debug)]
pub(crate) struct Suffix {
    pub(crate) kind: SuffixKind,
    pub(crate) span: Span,
}
