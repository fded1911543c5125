//! Programs as trees, and how they are written.

use std::fmt::{self, Display, Formatter};

/// Lowest first; those of one row bind alike.
const LEVELS: [&[&str]; 7] =
    [&["&", "|"], &COMPARISONS, &["+", "-"], &["*", "/"], &["^"], &["@"], &["d"]];

pub const COMPARISONS: [&str; 6] = ["<", ">", "<=", ">=", "=", "!="];

#[derive(Clone)]
pub enum Expr {
    Number(i128),
    Variable(&'static str),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Sequence(Vec<Part>),
    /// The name has a `_` for each argument.
    Call(&'static str, Vec<Expr>),
}

/// `first..last:times`
#[derive(Clone)]
pub struct Part {
    pub first: Expr,
    pub last: Option<Expr>,
    pub times: Option<Expr>,
}

pub type Block = Vec<Statement>;

#[derive(Clone)]
pub enum Statement {
    Assign(&'static str, Expr),
    Output(Expr, Option<&'static str>),
    SetOrder(&'static str),
    SetDepth(&'static str, Expr),
    Function(Function),
    Loop(&'static str, Expr, Block),
    If(Expr, Block, Block),
    Result(Expr),
}

#[derive(Clone)]
pub struct Function {
    pub name: &'static str,
    pub parameters: Vec<Parameter>,
    pub body: Block,
}

/// A variable and its type as it is written: `:n`, `:s`, `:d`, `:?` or nothing.
pub type Parameter = (&'static str, &'static str);

impl Expr {
    /// The row of its operator; values and unary operators stand below all.
    fn level(&self) -> usize {
        match self {
            Expr::Binary(sign, ..) => {
                LEVELS.iter().position(|level| level.contains(sign)).unwrap_or(LEVELS.len())
            }
            _ => LEVELS.len(),
        }
    }

    fn is_simple(&self) -> bool {
        !matches!(self, Expr::Unary(..) | Expr::Binary(..))
    }

    fn in_brackets_unless(&self, bare: bool) -> String {
        if bare { self.to_string() } else { format!("({self})") }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Number(number) => write!(f, "{number}"),
            Expr::Variable(name) => write!(f, "{name}"),
            // Apart, since `dd6` would be one word.
            Expr::Unary(sign, value) if matches!(**value, Expr::Unary(..)) => {
                write!(f, "{sign} {value}")
            }
            Expr::Unary(sign, value) => {
                write!(f, "{sign}{}", value.in_brackets_unless(value.is_simple()))
            }
            Expr::Binary(sign, left, right) => {
                let left = left.in_brackets_unless(left.level() >= self.level());
                let right = right.in_brackets_unless(right.level() > self.level());
                write!(f, "{left} {sign} {right}")
            }
            Expr::Sequence(parts) => write!(f, "{{{}}}", listed(parts, ", ")),
            // `[f d6 d6]` would have one argument.
            Expr::Call(name, arguments) => {
                let bare = |value: &Expr| arguments.len() == 1 || value.is_simple();
                let holes = arguments.iter().map(|value| value.in_brackets_unless(bare(value)));
                write!(f, "[{}]", filled(name, holes))
            }
        }
    }
}

/// The name with something in each hole.
fn filled(name: &str, mut holes: impl Iterator<Item = String>) -> String {
    let word = |word: &str| if word == "_" { holes.next() } else { Some(word.to_owned()) };
    name.split(' ').filter_map(word).collect::<Vec<_>>().join(" ")
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.last.iter().try_for_each(|last| write!(f, "..{last}"))?;
        self.times.iter().try_for_each(|times| write!(f, ":{times}"))
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Statement::Assign(name, value) => write!(f, "{name}: {value}"),
            Statement::Output(value, None) => write!(f, "output {value}"),
            Statement::Output(value, Some(name)) => write!(f, "output {value} named \"{name}\""),
            Statement::SetOrder(order) => write!(f, "set \"position order\" to \"{order}\""),
            Statement::SetDepth(setting, value) => write!(f, "set \"{setting}\" to {value}"),
            Statement::Function(function) => write!(f, "{function}"),
            Statement::Loop(name, over, body) => {
                write!(f, "loop {name} over {over} {{ {} }}", listed(body, " "))
            }
            Statement::If(condition, then, other) => {
                write!(f, "if {condition} {{ {} }}", listed(then, " "))?;
                match &other[..] {
                    [] => Ok(()),
                    [other @ Statement::If(..)] => write!(f, " else {other}"),
                    _ => write!(f, " else {{ {} }}", listed(other, " ")),
                }
            }
            Statement::Result(value) => write!(f, "result: {value}"),
        }
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let holes = self.parameters.iter().map(|(name, kind)| format!("{name}{kind}"));
        let name = filled(self.name, holes);
        write!(f, "function: {name} {{ {} }}", listed(&self.body, " "))
    }
}

pub fn listed<T: Display>(items: &[T], between: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}
