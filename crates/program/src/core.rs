//! The core language: what is left of a program once names, types and sugar are resolved.
//!
//! ```text
//! let x = d20; if x = 20 then "hit" else "miss"
//! ```
//!
//! becomes a `Let` of a `Read` of `Dice`, and an `If` over an `Operation`. Everything the surface says
//! more comfortably is said with these few forms: `and` and `or` are `If`, `match` is a chain of `If`,
//! `2d6 given hit` is a `Given` around the dice, named arguments are `Let`s in written order, an argument
//! taken unthrown and a function taken as a value are copied to where they are used, `show` results are
//! the fields of one record.
//!
//! Both meanings walk this one enum, with the same file names and the same order of arms, and neither
//! has a catch-all arm: a new form does not compile until a roll and the odds both know it.
//!
//! Evaluation order is the order of throws: operands, arguments, fields and members left to right, a
//! count before its dice, a `Let`'s value before its body, `If` only the branch it takes.

mod dice;

use std::sync::Arc;

use astragal_syntax::Words;
use astragal_syntax::span::Span;
pub use astragal_syntax::tree::{Comparison, End, ExplodeStyle, Goal, Order, Who};
pub use astragal_value::{Op, RecordShape, Value};

use crate::points::Plays;
use crate::types::Type;
pub use dice::{Condition, Die, Face, Reading, SuffixKind};

/// A checked program, ready for both meanings.
#[derive(Clone, Debug)]
pub struct Program {
    /// The functions that are called, one for each set of argument types.
    pub functions: Vec<Function>,
    /// The program itself: a function without parameters.
    pub main: Function,
    /// What the program yields. One unnamed result: the value of `main`. Otherwise `main` yields a
    /// record with one field a result, in this order.
    pub results: Vec<Outcome>,
    /// The program's inputs, by [`Kind::Input`] index.
    pub inputs: Vec<Input>,
    /// At most so many forms are evaluated inside each other; as many as there are numbers where a function
    /// calls itself.
    pub depth: usize,
    /// The program as a graph, if somebody decides in it.
    pub plays: Option<Arc<Plays>>,
}

/// One result of a program.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The name after `show`, or none for the last expression.
    pub name: Option<Arc<str>>,
    /// Its type, as shown: a pool is a number here.
    pub ty: Type,
}

/// A `param`.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Its `##` lines.
    pub doc: Option<String>,
    /// Its place.
    pub span: Span,
}

/// Which function of [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// Which variable of the function: an index into [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A function with its variables resolved.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name with its module: `cofd.action`. The program itself is `main`.
    pub name: Arc<str>,
    /// The first locals are the parameters.
    pub parameters: usize,
    /// All its variables; every binding has its own.
    pub locals: Vec<Local>,
    /// What it computes.
    pub body: Expr,
    /// Where it is defined.
    pub span: Span,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name in the source; none if the checker made it.
    pub name: Option<Arc<str>>,
    /// Its type.
    pub ty: Type,
}

/// A core expression and the place it came from.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it says.
    pub kind: Kind,
    /// Its place.
    pub span: Span,
}

/// The forms of the core language.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A finished value.
    Constant(Value),
    /// The value of a variable.
    Local(LocalId),
    /// Binds a variable in `body`. A bound pool is thrown here, once.
    Let {
        /// The variable.
        local: LocalId,
        /// Its value.
        value: Box<Expr>,
        /// Where it is known.
        body: Box<Expr>,
    },
    /// Evaluates one of two branches.
    If {
        /// The condition, a bool.
        condition: Box<Expr>,
        /// Where it holds.
        then: Box<Expr>,
        /// Where it does not.
        otherwise: Box<Expr>,
        /// What the source wrote.
        origin: Branch,
    },
    /// A pure operation on values.
    Operation {
        /// Which one.
        op: Op,
        /// Its operands.
        operands: Vec<Expr>,
    },
    /// A list.
    List(Vec<Expr>),
    /// A record; the fields stand in the order of the shape and are evaluated in it.
    Record {
        /// The names.
        shape: Arc<RecordShape>,
        /// The values.
        fields: Vec<Expr>,
    },
    /// A field of a record.
    Field {
        /// The record.
        record: Box<Expr>,
        /// Which field, in the order of its shape.
        index: usize,
    },
    /// A call. `span` is the caller's place.
    Call {
        /// Which function.
        function: FunctionId,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// A call whose body was copied here because it takes a roll unthrown or a function.
    /// `span` is the caller's place.
    Enter {
        /// The function's name, with its module.
        name: Arc<str>,
        /// Its body.
        body: Box<Expr>,
    },
    /// Goes through a list, carrying a value: the carried value after the last item.
    Fold {
        /// The list.
        list: Box<Expr>,
        /// The first carried value.
        first: Box<Expr>,
        /// The variable of the carried value in `body`.
        carry: LocalId,
        /// The variable of the item in `body`.
        item: LocalId,
        /// The next carried value.
        body: Box<Expr>,
    },
    /// Goes through the faces that dice show, in order, carrying a value: the carried value after the
    /// last face. The body throws no dice.
    Walk {
        /// The dice, walked side by side: a face is met if any of them shows it.
        pools: Vec<Expr>,
        /// From the highest face to the lowest.
        down: bool,
        /// The first carried value.
        first: Box<Expr>,
        /// The variable of the carried value in `body`.
        carry: LocalId,
        /// The variable of the face in `body`.
        face: LocalId,
        /// The variables of how many dice of each pool show it.
        counts: Vec<LocalId>,
        /// The next carried value.
        body: Box<Expr>,
    },
    /// Rounds with carried state: a record of the state after the last round.
    Repeat {
        /// The names of the carried values.
        shape: Arc<RecordShape>,
        /// Their variables.
        state: Vec<LocalId>,
        /// Their first values.
        first: Vec<Expr>,
        /// One round: yields a record of the next state and, as its last field, whether it ends here.
        round: Box<Expr>,
    },
    /// Refuses to go on unless the condition holds.
    Require {
        /// What must hold.
        condition: Box<Expr>,
        /// The words of the refusal, a text.
        message: Box<Expr>,
        /// What follows.
        body: Box<Expr>,
    },
    /// Evidence: where the condition does not hold, this attempt at the whole program does not count. A roll
    /// throws all of it again; the odds are those of the attempts that count.
    Given {
        /// What is known to hold.
        condition: Box<Expr>,
        /// What follows.
        body: Box<Expr>,
    },
    /// A line for the explanation.
    Note {
        /// The line, a text.
        message: Box<Expr>,
        /// What follows.
        body: Box<Expr>,
    },
    /// A number whose contribution is reported under a label.
    Labelled {
        /// The label.
        label: Arc<str>,
        /// The number.
        value: Box<Expr>,
    },
    /// An input of the program: the host's value, or the default.
    Input {
        /// Which one.
        index: usize,
        /// Its value if the host gives none.
        default: Box<Expr>,
    },
    /// A pool of equal dice, thrown where it stands.
    Dice {
        /// How many.
        count: Box<Expr>,
        /// Which die.
        die: Die,
    },
    /// Dice whose faces are not numbers: without a count one text or variant, with a count a list.
    Symbols {
        /// How many, or one die.
        count: Option<Box<Expr>>,
        /// The faces.
        faces: Vec<Face>,
    },
    /// Dice whose faces are records of numbers: the sum of the faces shown, field by field.
    Tally {
        /// How many.
        count: Box<Expr>,
        /// The fields; every face has them all.
        shape: Arc<RecordShape>,
        /// The faces.
        faces: Vec<Face>,
    },
    /// Dice that are not thrown but drawn, one after the other, from a bag in which each face lies as often as
    /// its weight says.
    Drawn {
        /// `Dice`, `Symbols` or `Tally`.
        dice: Box<Expr>,
        /// What is out of the bag: lists of faces, or dice on the table.
        without: Vec<Expr>,
        /// As written: `drawn without mine`.
        words: Words,
    },
    /// `{2d20, d12}`: a pool in which each number counts as one die.
    Gather(Vec<Expr>),
    /// `{2d6 + d8}`: one pool of all the dice of these pools.
    Merge(Vec<Expr>),
    /// `times(12, 3d6)`: a pool in which each die shows a fresh evaluation of `each`.
    Times {
        /// How many.
        count: Box<Expr>,
        /// What each die shows.
        each: Box<Expr>,
    },
    /// A pool after one more suffix.
    Suffixed {
        /// The dice.
        pool: Box<Expr>,
        /// What is done to them.
        suffix: Suffix,
    },
    /// What is known of a number before it is thrown: its odds within the odds. Nothing is thrown here, and
    /// what is known by now is certain in it.
    Measure {
        /// What is told of it.
        measure: Measure,
        /// Which percentile.
        percent: Option<Box<Expr>>,
        /// The number.
        of: Box<Expr>,
    },
    /// What the best play comes to.
    Best(Box<Best>),
    /// A player takes one of several arms; only that arm is evaluated.
    Choose {
        /// Whose choice it is.
        who: Who,
        /// The arms as written.
        arms: Vec<ChoiceArm>,
    },
    /// A player picks one item of a list.
    Pick {
        /// Whose choice it is.
        who: Who,
        /// The items.
        list: Box<Expr>,
    },
    /// A number read off a pool.
    Read {
        /// The dice.
        pool: Box<Expr>,
        /// What is read.
        reading: Reading,
    },
}

/// `maximise value by r => …`: the value under the play that is best for its aim. The choices in it, and in the
/// functions that it calls, are made for this aim, but for those of a `maximise` inside it.
#[derive(Clone, Debug)]
pub struct Best {
    /// Whether the most or the least is best.
    pub goal: Goal,
    /// What is played for.
    pub value: Expr,
    /// What counts of the value, as a number; none: the value itself is a number, or a yes that counts 1.
    pub aim: Option<Aim>,
}

/// What counts of a value.
#[derive(Clone, Debug)]
pub struct Aim {
    /// The variable of the value in `number`.
    pub local: LocalId,
    /// The number, or a yes that counts 1. Nothing is thrown or chosen here.
    pub number: Expr,
}

/// An arm of a choice.
#[derive(Clone, Debug)]
pub struct ChoiceArm {
    /// Its name.
    pub label: Arc<str>,
    /// Whether it may be taken; none: always.
    pub open: Option<Expr>,
    /// What it comes to.
    pub value: Expr,
    /// The place of the label.
    pub span: Span,
}

/// What is told of a number that is not thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The mean. The chance of a yes is the mean of 1 for yes and 0 for no.
    Mean,
    /// The mean square of the distance from the mean.
    Variance,
    /// Its root, to nine decimals.
    Deviation,
    /// The least value that is not exceeded with so many percent.
    Percentile,
}

/// What a branch was in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// `if`
    If,
    /// An arm of a `match`: `then` is the arm, `otherwise` the arms below.
    Arm,
    /// `and`, `or`: no branch in the eyes of a reader.
    Logic,
}

/// A suffix with its words.
#[derive(Clone, Debug)]
pub struct Suffix {
    /// What it does.
    pub kind: SuffixKind,
    /// In words, as written where it holds expressions: `keep highest 3`.
    pub words: Words,
    /// Its place.
    pub span: Span,
}

impl Program {
    /// A variable of a function, or of the program itself.
    pub fn local(&self, function: Option<FunctionId>, local: LocalId) -> Option<&Local> {
        let function = match function {
            Some(id) => self.functions.get(id.0 as usize)?,
            None => &self.main,
        };
        function.locals.get(local.0 as usize)
    }
}

impl Expr {
    /// The expressions directly inside, in the order of evaluation.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Constant(_) | Kind::Local(_) => Vec::new(),
            Kind::Let { value, body, .. } => vec![value, body],
            Kind::If { condition, then, otherwise, .. } => vec![condition, then, otherwise],
            Kind::Operation { operands, .. } => operands.iter().collect(),
            Kind::List(items) | Kind::Gather(items) | Kind::Merge(items) => items.iter().collect(),
            Kind::Record { fields, .. } => fields.iter().collect(),
            Kind::Field { record, .. } => vec![record],
            Kind::Call { arguments, .. } => arguments.iter().collect(),
            Kind::Enter { body, .. } => vec![body],
            Kind::Fold { list, first, body, .. } => vec![list, first, body],
            Kind::Walk { pools, first, body, .. } => {
                pools.iter().chain([&**first, &**body]).collect()
            }
            Kind::Repeat { first, round, .. } => first.iter().chain([&**round]).collect(),
            Kind::Require { condition, message, body } => vec![condition, message, body],
            Kind::Given { condition, body } => vec![condition, body],
            Kind::Note { message, body } => vec![message, body],
            Kind::Labelled { value, .. } => vec![value],
            Kind::Input { default, .. } => vec![default],
            Kind::Dice { count, die } => [&**count].into_iter().chain(die.parts()).collect(),
            Kind::Symbols { count, faces } => {
                let count = count.iter().map(|count| &**count);
                count.chain(faces.iter().flat_map(Face::parts)).collect()
            }
            Kind::Tally { count, faces, .. } => {
                [&**count].into_iter().chain(faces.iter().flat_map(Face::parts)).collect()
            }
            Kind::Drawn { dice, without, .. } => [&**dice].into_iter().chain(without).collect(),
            Kind::Times { count, each } => vec![count, each],
            Kind::Measure { percent, of, .. } => {
                percent.iter().chain([of]).map(|part| &**part).collect()
            }
            Kind::Best(best) => best.parts().collect(),
            Kind::Choose { arms, .. } => arms.iter().flat_map(ChoiceArm::parts).collect(),
            Kind::Pick { list, .. } => vec![list],
            Kind::Suffixed { pool, suffix } => {
                [&**pool].into_iter().chain(suffix.numbers()).collect()
            }
            Kind::Read { pool, reading } => [&**pool].into_iter().chain(reading.number()).collect(),
        }
    }
}

impl Best {
    fn parts(&self) -> impl Iterator<Item = &Expr> {
        [&self.value].into_iter().chain(self.aim.iter().map(|aim| &aim.number))
    }
}

impl ChoiceArm {
    fn parts(&self) -> impl Iterator<Item = &Expr> {
        self.open.iter().chain([&self.value])
    }
}

impl Suffix {
    /// The expressions in it, in the order of evaluation.
    pub fn numbers(&self) -> Vec<&Expr> {
        self.kind.numbers()
    }
}
