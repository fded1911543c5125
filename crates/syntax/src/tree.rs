//! The tree that the parser yields and the printer prints.
//!
//! The tree is close to the text: parentheses, word forms and comments are kept, so that printing a
//! tree and parsing it again gives the same tree (places aside). Meaning begins in the next crate.

use crate::digits::Digits;
use crate::span::Span;

/// A whole source: its statements in order.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The statements, in order.
    pub block: Block,
}

/// Statements in order; the last expression is the block's value.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Comments after the last statement, each without its `#`.
    pub trailing: Vec<Comment>,
}

/// A `#` comment: its text after the `#`, and whether a blank line stood before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// The text, without `#` and without the blanks at the end.
    pub text: String,
    /// A blank line stood before it.
    pub after_blank: bool,
}

/// One statement, with the comments above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// `##` lines above a definition, joined by newlines, without `## `.
    pub doc: Option<String>,
    /// Comments on the lines above.
    pub leading: Vec<Comment>,
    /// A comment at the end of its line.
    pub side: Option<String>,
    /// A blank line stood directly before the statement (before its documentation, if it has any). Whether
    /// one stood before its comments is said by the first of them.
    pub after_blank: bool,
    /// Its place, without comments.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `let x = 3d6`
    Let {
        /// The new name.
        name: Name,
        /// Its value, thrown once.
        value: Expr,
    },
    /// `fn f(a, b = 1) = a + b`
    Function {
        /// The new name.
        name: Name,
        /// Its parameters.
        parameters: Vec<Parameter>,
        /// Its body.
        body: Expr,
    },
    /// `enum Outcome = failure | success`
    Enumeration {
        /// The new type's name.
        name: Name,
        /// Its variants, in order.
        variants: Vec<Name>,
    },
    /// `param pool = 7`
    Input {
        /// The input's name.
        name: Name,
        /// Its default.
        value: Expr,
    },
    /// `show "plain" = 3d6`
    Show {
        /// The result's name.
        name: String,
        /// The result.
        value: Expr,
    },
    /// `require boons >= 0 else "boons cannot be negative: {boons}"`
    Require {
        /// What must hold.
        condition: Expr,
        /// What to say otherwise.
        message: Text,
    },
    /// `given total >= 75`
    Given {
        /// The evidence.
        condition: Expr,
    },
    /// `note "8-again"`
    Note {
        /// The line for the explanation.
        message: Text,
    },
    /// `use "house.dice"` or `use "house.dice" as home`
    Use {
        /// The path as written.
        path: String,
        /// Where the path stands.
        path_span: Span,
        /// The name for it; the file's stem if absent.
        alias: Option<Name>,
    },
    /// An expression; the last one of a block is its value.
    Expression(Expr),
}

/// An identifier and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// `roll dice`: the argument arrives unthrown, each mention throws it anew.
    pub roll: bool,
    /// Its name.
    pub name: Name,
    /// `kind: Kind`
    pub annotation: Option<Type>,
    /// `b = 1`
    pub default: Option<Expr>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// What it says.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// What a written type says.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `number`, `bool`, `text`, an enumeration, or `module.Enumeration`.
    Name(Vec<Name>),
    /// `[number]`
    List(Box<Type>),
    /// `number?`: the type or `none`.
    Optional(Box<Type>),
    /// `{skill, advantage = 0, method: Method = keep}`
    Record(Vec<FieldType>),
}

/// A field of a record type. A field without a type is a number unless its default says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldType {
    /// The field's name.
    pub name: Name,
    /// Its type.
    pub annotation: Option<Type>,
    /// Its value where the caller gives none.
    pub default: Option<Expr>,
}

/// Text with holes: `"{n} dice thrown again"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Literal pieces and holes, in order.
    pub parts: Vec<TextPart>,
    /// Its place with the quotes.
    pub span: Span,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum TextPart {
    /// Characters as they are (escapes already read).
    Literal(String),
    /// `{expression}`
    Hole(Expr),
}

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// What an expression says.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `12`, `0.5`: the digits as written (with a dot at most once, digits on both sides).
    Number(Digits),
    /// `true`, `false`
    Bool(bool),
    /// `none`
    None,
    /// `"text with {holes}"`
    Text(Text),
    /// A name: variable, function, module or bare variant.
    Name(String),
    /// `r.total`, `cofd.action`
    Field(Box<Expr>, Name),
    /// `f(7, again: 9)`
    Call {
        /// What is called.
        function: Box<Expr>,
        /// The arguments in written order.
        arguments: Vec<Argument>,
    },
    /// `[4, 2]`
    List(Vec<Expr>),
    /// `1..15`, both ends included.
    Range(Box<Expr>, Box<Expr>),
    /// `{total: 12, success: true}`
    Record(Vec<(Name, Expr)>),
    /// `{2d20, d12}`, `{2d6 + d8}`
    Group(Vec<Expr>),
    /// `4d6`, `d%`, `(n)d(s)`, `d{1,1,2}`
    Dice {
        /// The count: a number or a parenthesised expression; one die if absent.
        count: Option<Box<Expr>>,
        /// What each die is.
        sides: Sides,
    },
    /// A pool with one suffix; several nest, the first one innermost.
    Suffixed {
        /// The dice.
        pool: Box<Expr>,
        /// What is done to them.
        suffix: Suffix,
    },
    /// `2d6[fire]`
    Labelled {
        /// The term.
        value: Box<Expr>,
        /// The label's text, trimmed.
        label: String,
    },
    /// `-x`, `not x`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if a then b else c`
    If {
        /// The condition.
        condition: Box<Expr>,
        /// The value where it holds.
        then: Box<Expr>,
        /// The value where it does not.
        otherwise: Box<Expr>,
    },
    /// `match x … end`
    Match {
        /// What is looked at.
        subject: Box<Expr>,
        /// The arms, first match wins.
        arms: Vec<Arm>,
    },
    /// `maximise do … end by r => r.total`
    Best {
        /// `maximise` or `minimise`.
        goal: Goal,
        /// What is played for.
        value: Box<Expr>,
        /// What counts of it.
        aim: Option<Box<Aim>>,
    },
    /// `choose "keep" => first; "throw again" => d20 end`
    Choose {
        /// `choose` or `oppose`.
        who: Who,
        /// The arms; equal ones: the first written.
        arms: Vec<ChoiceArm>,
    },
    /// `choose from 0..5`
    Pick {
        /// `choose` or `oppose`.
        who: Who,
        /// The items.
        list: Box<Expr>,
    },
    /// `do … end`
    Block(Block),
    /// `repeat with a = 0 … next a = a + d6 until a >= 10`
    Repeat(Box<Repeat>),
    /// `2d6 given hit`
    Given {
        /// The value.
        value: Box<Expr>,
        /// The evidence.
        condition: Box<Expr>,
    },
    /// `x => x * 2`, `(a, b) => a + b`
    Lambda {
        /// The parameters.
        parameters: Vec<Name>,
        /// The body.
        body: Box<Expr>,
    },
    /// `(a)`
    Paren(Box<Expr>),
    /// Where the parser found no expression; an error was reported.
    Missing,
}

/// `repeat with … until …`: rounds with carried state.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// The carried names with their first values.
    pub carried: Vec<(Name, Expr)>,
    /// What happens in a round before `next`.
    pub body: Vec<Statement>,
    /// The carried values after the round; the right sides see the values before it.
    pub next: Vec<(Name, Expr)>,
    /// Looked at after each round; sees the new values and the round's own names.
    pub until: Expr,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// `again:` if named.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// An arm of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// `1, 2, 5..8`: any of these.
    pub patterns: Vec<Pattern>,
    /// The arm's value.
    pub value: Expr,
    /// Comments on the lines above.
    pub leading: Vec<Comment>,
    /// A comment at the end of the arm's line.
    pub side: Option<String>,
}

/// `by r => r.total`
#[derive(Clone, Debug, PartialEq)]
pub struct Aim {
    /// The name of the value.
    pub name: Name,
    /// What counts of it.
    pub number: Expr,
}

/// An arm of a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceArm {
    /// What it is called.
    pub label: String,
    /// The place of the label, with its quotes.
    pub span: Span,
    /// `if rerolls > 0`: whether it may be taken.
    pub open: Option<Expr>,
    /// The arm's value.
    pub value: Expr,
    /// Comments on the lines above.
    pub leading: Vec<Comment>,
    /// A comment at the end of the arm's line.
    pub side: Option<String>,
}

/// Which mean of the aim is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// `maximise`
    Most,
    /// `minimise`
    Least,
}

impl Goal {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Goal::Most => "maximise",
            Goal::Least => "minimise",
        }
    }
}

/// Whose choice it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// `choose`: takes what is best for the aim.
    Player,
    /// `oppose`: takes what is worst for it.
    Opponent,
}

impl Who {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Who::Player => "choose",
            Who::Opponent => "oppose",
        }
    }
}

/// A pattern and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// What it matches.
    pub kind: PatternKind,
    /// Its place.
    pub span: Span,
}

/// What a pattern matches. Numbers are written as in expressions, with a `-` where negative.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// `7`, `-1`
    Number(String),
    /// `2..5`, `..5`, `12..`
    Range(Option<String>, Option<String>),
    /// `"fire"`
    Text(String),
    /// `true`, `false`
    Bool(bool),
    /// `none`
    None,
    /// A variant: `success`, `Outcome.success`, `cofd.Outcome.success`.
    Variant(Vec<Name>),
    /// `else`: everything.
    Else,
}

/// What follows the `d`.
#[derive(Clone, Debug, PartialEq)]
pub enum Sides {
    /// `d6`: the digits.
    Number(Digits),
    /// `d%`
    Percent,
    /// `dF`
    Fate,
    /// `d(s)`
    Computed(Box<Expr>),
    /// `d{1, 1, 2}`, `d{1: 3, 2: 1}`
    Faces(Vec<Face>),
}

/// A face of a custom die.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// What it shows: a number, a text or a variant.
    pub value: Expr,
    /// How many such faces: 1 if absent.
    pub weight: Option<Expr>,
}

/// A suffix and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Suffix {
    /// What it does.
    pub kind: SuffixKind,
    /// Written in words (`keep highest 3`) rather than short (`kh3`).
    pub words: bool,
    /// Its place.
    pub span: Span,
}

/// What a suffix does.
#[derive(Clone, Debug, PartialEq)]
pub enum SuffixKind {
    /// `kh3`; one die if no count.
    Keep(End, Option<Box<Expr>>),
    /// `dl1`; one die if no count. (`Middle` does not occur.)
    Drop(End, Option<Box<Expr>>),
    /// `!`, `!>=9`, `!o`, `!! up to 3`, `!p`
    Explode {
        /// Separate dice, added to the die, or one less each.
        style: ExplodeStyle,
        /// On which faces; the highest as thrown if absent.
        trigger: Option<Condition>,
        /// How often at most.
        limit: ExplodeLimit,
    },
    /// `rr<=2`, `ro<=2`
    Reroll {
        /// At most once a die.
        once: bool,
        /// Which dice.
        condition: Condition,
    },
    /// `! up to 3 in all`, `ro<=2 up to 3 in all lowest first`
    InAll {
        /// An explosion or a reroll.
        act: Box<SuffixKind>,
        /// At most so many throws for all dice together.
        most: Box<Expr>,
        /// Which dice have their turn first.
        first: Order,
    },
    /// `min2`, `at least 2`
    AtLeast(Box<Expr>),
    /// `max5`, `at most 5`
    AtMost(Box<Expr>),
    /// `cs>=8`
    CountFor(Condition),
    /// `cf=1`
    CountAgainst(Condition),
    /// `u`
    Unique,
    /// `drawn`, `drawn without mine`: from a bag in which each face lies as often as its weight says; what
    /// is out of it.
    Drawn(Vec<Expr>),
    /// `sa`
    Ascending,
    /// `sd`
    Descending,
}

/// Which end of the sorted dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// From the top.
    Highest,
    /// From the bottom.
    Lowest,
    /// Around the middle.
    Middle,
}

/// What becomes of the extra dice of an explosion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExplodeStyle {
    /// `!`: separate dice.
    Separate,
    /// `!!`: added to their die.
    Compound,
    /// `!p`: separate dice, one less each.
    Penetrate,
}

/// Whose turn is first where throws are limited for all dice together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// As thrown.
    Thrown,
    /// `lowest first`; equal ones as thrown.
    Lowest,
    /// `highest first`; equal ones as thrown.
    Highest,
}

/// How often a die may explode.
#[derive(Clone, Debug, PartialEq)]
pub enum ExplodeLimit {
    /// As long as the dice allow.
    Endless,
    /// `!o`
    Once,
    /// `up to n`
    UpTo(Box<Expr>),
}

/// A suffix's condition: one comparison with one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// How to compare. `!5` is written without one and means `=`.
    pub comparison: Comparison,
    /// With what: a number, signed if need be, or a parenthesised expression.
    pub value: Box<Expr>,
    /// Its place.
    pub span: Span,
}

/// The six comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=` or `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// As suffixes write it; between expressions, equality is `==`.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        }
    }
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `not`
    Not,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, exact
    Divide,
    /// `//`, rounded down
    FloorDivide,
    /// `%`
    Remainder,
    /// `^` or `**`
    Power,
    /// A comparison.
    Compare(Comparison),
    /// `and`
    And,
    /// `or`
    Or,
}
