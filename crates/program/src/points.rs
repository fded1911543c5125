//! Programs in which somebody decides, as graphs of points.
//!
//! ```text
//! maximise do                          1  first is d20
//!   let first = d20                    2  a choice: 3, or 4
//!   choose                             3  comes to first
//!     "keep" => first                  4  comes to d20
//!     "throw again" => d20
//!   end
//! end
//! ```
//!
//! What is best at a choice depends on everything that can come after it. In the core language that is spread over the
//! forms around the choice; in a graph it is what lies ahead of a point. Each expression in a graph is free of choices, so that
//! its odds are those of any program. What is needed at a point or after it is written there: two games that agree in it
//! are the same game from there on.
//!
//! A function has a graph if it or something that it calls decides; so has each `maximise`, whose variables are those of the
//! function around it. The other functions are called as ever.

mod build;
mod held;
mod live;

use std::sync::Arc;

use astragal_syntax::span::Span;

use crate::choices::Decisions;
use crate::core::{Branch, Expr, FunctionId, Goal, Kind, LocalId, Measure, Program, Who};
use build::Builder;

pub use held::{HeldOf, Laid};

/// The graphs of a program in which somebody decides.
#[derive(Clone, Debug)]
pub struct Plays {
    /// All graphs; that of the program itself is the first.
    pub graphs: Vec<Graph>,
    /// The graph of each function, if it has one.
    pub functions: Vec<Option<GraphId>>,
    /// Each `maximise`.
    pub bests: Vec<Played>,
}

/// Which graph of [`Plays::graphs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphId(pub u32);

/// Which point of [`Graph::points`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointId(pub u32);

/// Points, and where to begin.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The function whose variables these are; none: the program itself.
    pub function: Option<FunctionId>,
    /// The points.
    pub points: Vec<Point>,
    /// The first.
    pub start: PointId,
}

/// A `maximise`.
#[derive(Clone, Debug)]
pub struct Played {
    /// What is best.
    pub goal: Goal,
    /// What is played.
    pub graph: GraphId,
    /// What counts of the value, as a number or a yes that counts 1, and the variable of the value in it.
    pub aim: (LocalId, Expr),
    /// The variables that are read and were bound before.
    pub known: Vec<LocalId>,
    /// Its place.
    pub span: Span,
}

/// A point of a graph.
#[derive(Clone, Debug)]
pub struct Point {
    /// What happens.
    pub step: Step,
    /// Its place in the source.
    pub span: Span,
    /// The variables that are needed here or later, in order.
    pub needed: Vec<LocalId>,
    /// The calls in whose bodies it stands, where bodies were copied to their calls: the innermost first.
    pub calls: Vec<Span>,
}

/// What happens at a point.
#[derive(Clone, Debug)]
pub enum Step {
    /// A variable is bound.
    Let {
        /// The variable.
        local: LocalId,
        /// Its value.
        value: Expr,
        /// What follows.
        next: PointId,
    },
    /// One of two ways.
    Branch {
        /// What it depends on.
        condition: Expr,
        /// The way if it holds.
        then: PointId,
        /// The way if it does not.
        otherwise: PointId,
        /// What the source wrote; none if it is the end of a loop.
        origin: Option<Branch>,
    },
    /// A player takes one of the arms that are open.
    Choose {
        /// Whose choice it is.
        who: Who,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// A player picks an item.
    Pick {
        /// Whose choice it is.
        who: Who,
        /// The items.
        list: Expr,
        /// The variable of the item.
        local: LocalId,
        /// What follows.
        next: PointId,
    },
    /// A function that has a graph is called.
    Call {
        /// Which one.
        function: FunctionId,
        /// Its arguments: variables and constants.
        arguments: Vec<Expr>,
        /// The variable of what it yields.
        local: LocalId,
        /// What follows.
        next: PointId,
    },
    /// The best play of something inside, which is bound.
    Best {
        /// Which one of [`Plays::bests`].
        best: usize,
        /// The variable of what it yields.
        local: LocalId,
        /// What follows.
        next: PointId,
    },
    /// What is known before it is thrown of something that is played.
    Measure {
        /// What is told of it.
        measure: Measure,
        /// Which percentile.
        percent: Option<Expr>,
        /// It.
        of: GraphId,
        /// The variable of what is told.
        local: LocalId,
        /// What follows.
        next: PointId,
    },
    /// Refuses to go on unless the condition holds.
    Require {
        /// What must hold.
        condition: Expr,
        /// The words of the refusal.
        message: Expr,
        /// What follows.
        next: PointId,
    },
    /// Evidence.
    Given {
        /// What is known to hold.
        condition: Expr,
        /// What follows.
        next: PointId,
    },
    /// A line for the explanation.
    Note {
        /// The line.
        message: Expr,
        /// What follows.
        next: PointId,
    },
    /// The end: what it all comes to.
    Return(Expr),
}

/// An arm of a choice.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its name.
    pub label: Arc<str>,
    /// Whether it may be taken; none: always.
    pub open: Option<Expr>,
    /// What follows.
    pub next: PointId,
    /// The place of its name.
    pub span: Span,
}

/// Where a game stands: all that matters from here on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlaceOf {
    /// The graph of the running function.
    pub graph: GraphId,
    /// The point in it.
    pub point: PointId,
    /// What is needed from there on.
    pub values: Vec<HeldOf>,
    /// The calls that wait for what it comes to, the innermost last.
    pub waiting: Vec<WaitingOf>,
}

/// A call that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WaitingOf {
    /// The graph of the function that called.
    pub graph: GraphId,
    /// Where it goes on.
    pub point: PointId,
    /// What it waits for.
    pub local: LocalId,
    /// What is needed there, but for that.
    pub values: Vec<HeldOf>,
}

impl Graph {
    /// A point.
    pub fn point(&self, at: PointId) -> &Point {
        &self.points[at.0 as usize]
    }

    /// Whether nothing happens at a point but that a variable is handed on.
    pub fn hands_on(&self, at: PointId, local: LocalId) -> bool {
        matches!(&self.point(at).step, Step::Return(value) if matches!(value.kind, Kind::Local(read) if read == local))
    }
}

impl Step {
    /// The expressions that are evaluated here, in order.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Step::Let { value, .. } => vec![value],
            Step::Branch { condition, .. } | Step::Given { condition, .. } => vec![condition],
            Step::Choose { arms, .. } => arms.iter().filter_map(|arm| arm.open.as_ref()).collect(),
            Step::Pick { list, .. } => vec![list],
            Step::Call { arguments, .. } => arguments.iter().collect(),
            Step::Best { .. } => Vec::new(),
            Step::Measure { percent, .. } => percent.iter().collect(),
            Step::Require { condition, message, .. } => vec![condition, message],
            Step::Note { message, .. } => vec![message],
            Step::Return(value) => vec![value],
        }
    }

    /// The points that may follow.
    pub fn next(&self) -> Vec<PointId> {
        match self {
            Step::Let { next, .. }
            | Step::Pick { next, .. }
            | Step::Call { next, .. }
            | Step::Best { next, .. }
            | Step::Measure { next, .. }
            | Step::Require { next, .. }
            | Step::Given { next, .. }
            | Step::Note { next, .. } => vec![*next],
            Step::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Step::Choose { arms, .. } => arms.iter().map(|arm| arm.next).collect(),
            Step::Return(_) => Vec::new(),
        }
    }

    /// The variable that is bound.
    pub fn binds(&self) -> Option<LocalId> {
        match self {
            Step::Let { local, .. }
            | Step::Pick { local, .. }
            | Step::Call { local, .. }
            | Step::Best { local, .. }
            | Step::Measure { local, .. } => Some(*local),
            Step::Branch { .. }
            | Step::Choose { .. }
            | Step::Require { .. }
            | Step::Given { .. }
            | Step::Note { .. }
            | Step::Return(_) => None,
        }
    }
}

/// The graphs of a program; none if nobody decides in it. Its functions get variables for what is on its way.
pub(crate) fn plays(program: &mut Program) -> Option<Plays> {
    let functions = (0u32..).map(FunctionId).zip(&program.functions);
    let decisions = Decisions::of(functions);
    if !decisions.holds_play(&program.main.body) {
        return None;
    }
    let mut builder = Builder::new(program, decisions);
    builder.all();
    let mut plays = builder.plays;
    live::find(&mut plays);
    Some(plays)
}
