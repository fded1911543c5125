//! From the core language to flat code.
//!
//! An expression comes to an operand: a number that is known, or a register. Registers are taken and given
//! back like plates from a pile; a variable keeps its own. Each function gives none where something is not
//! plain, and then the whole program is not lowered.

use astragal_program::core::{
    Comparison, Condition, Die, ExplodeStyle, Expr, Kind, LocalId, Op, Program, Reading,
    Suffix as Core, SuffixKind as CoreKind,
};
use astragal_value::Value;

use super::{
    Act, Flat, FlatDie, Named, Operand, Pool, REGISTERS, Register, Sort, Suffix, SuffixKind, Taken,
};
use crate::eval::{is_certain, never_ends};
use crate::faces::DieFaces;

/// The evaluator looks at a form no more often than that: before the dice are thrown, when they are, and to
/// say what a computed part came to.
const STEPS_A_FORM: u64 = 8;

/// Longer programs are few, and their records are shortened.
const MOST_ACTS: usize = 4096;

/// As deep as forms are looked into.
const DEEPEST: u32 = 64;

pub(super) fn lower(program: &Program) -> Option<Flat> {
    if program.results.iter().any(|result| result.name.is_some()) || program.results.len() != 1 {
        return None;
    }
    let mut lowering = Lowering::new(program);
    let result = lowering.word(&program.main.body)?;
    let Lowering { acts, constants, forms, pools_read, .. } = lowering;
    Some(Flat { acts, result, constants, steps: forms * STEPS_A_FORM, pools_read })
}

/// What a variable is.
#[derive(Clone, Copy)]
struct Bound {
    word: (Operand, Sort),
    /// It is a pool, of which the word is the total.
    pool: bool,
}

struct Lowering<'p> {
    program: &'p Program,
    acts: Vec<Act>,
    constants: Vec<Value>,
    /// What each variable is, once it is bound.
    locals: Vec<Option<Bound>>,
    /// How many registers are taken.
    taken: usize,
    forms: u64,
    pools_read: u64,
    depth: u32,
}

impl<'p> Lowering<'p> {
    fn new(program: &'p Program) -> Self {
        let locals = vec![None; program.main.locals.len()];
        Lowering {
            program,
            acts: Vec::new(),
            constants: Vec::new(),
            locals,
            taken: 0,
            forms: 0,
            pools_read: 0,
            depth: 0,
        }
    }

    fn register(&mut self) -> Option<Register> {
        let register = Register(u8::try_from(self.taken).ok()?);
        self.taken += 1;
        (self.taken <= REGISTERS).then_some(register)
    }

    fn push(&mut self, act: Act) -> Option<()> {
        self.acts.push(act);
        (self.acts.len() <= MOST_ACTS).then_some(())
    }

    /// Where the value of an expression will be; a pool is its total.
    fn word(&mut self, expr: &'p Expr) -> Option<(Operand, Sort)> {
        self.forms += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let found = self.form(expr);
        self.depth -= 1;
        found
    }

    fn form(&mut self, expr: &'p Expr) -> Option<(Operand, Sort)> {
        match &expr.kind {
            Kind::Constant(value) => self.constant(value),
            Kind::Local(local) => {
                let bound = self.bound(*local)?;
                self.pools_read += u64::from(bound.pool);
                Some(bound.word)
            }
            Kind::Let { local, value, body } => self.bind(*local, value, body),
            Kind::If { condition, then, otherwise, origin } => {
                let taken = Taken { span: expr.span, origin: *origin, condition: condition.span };
                self.branch(taken, condition, then, otherwise)
            }
            Kind::Operation { op, operands } => self.operation(*op, operands),
            Kind::Input { index, default } => self.input(*index, default),
            Kind::Read { pool, reading: Reading::Total } => self.word(pool),
            Kind::Dice { .. } | Kind::Suffixed { .. } => self.pool(expr),
            Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Call { .. }
            | Kind::Enter { .. }
            | Kind::Fold { .. }
            | Kind::Walk { .. }
            | Kind::Repeat { .. }
            | Kind::Require { .. }
            | Kind::Given { .. }
            | Kind::Note { .. }
            | Kind::Labelled { .. }
            | Kind::Symbols { .. }
            | Kind::Tally { .. }
            | Kind::Drawn { .. }
            | Kind::Gather(_)
            | Kind::Merge(_)
            | Kind::Times { .. }
            | Kind::Measure { .. }
            | Kind::Best(_)
            | Kind::Choose { .. }
            | Kind::Pick { .. }
            | Kind::Read { .. } => None,
        }
    }

    fn constant(&mut self, value: &Value) -> Option<(Operand, Sort)> {
        Some(match value {
            Value::Number(number) => (Operand::Known(number.to_i64()?), Sort::Whole),
            Value::Bool(truth) => (Operand::Known((*truth).into()), Sort::Truth),
            Value::Text(_) | Value::Variant(_) | Value::None => {
                self.constants.push(value.clone());
                (Operand::Known(self.constants.len() as i64 - 1), Sort::Constant)
            }
            _ => return None,
        })
    }

    fn input(&mut self, index: usize, default: &'p Expr) -> Option<(Operand, Sort)> {
        let Kind::Constant(Value::Number(default)) = &default.kind else { return None };
        let (default, to) = (default.to_i64()?, self.register()?);
        self.push(Act::Input { index, default, to })?;
        Some((Operand::In(to), Sort::Whole))
    }

    fn bound(&self, local: LocalId) -> Option<Bound> {
        *self.locals.get(local.0 as usize)?
    }

    /// The variable keeps its register as long as its name is known.
    fn bind(&mut self, local: LocalId, value: &'p Expr, body: &'p Expr) -> Option<(Operand, Sort)> {
        let word = self.word(value)?;
        let pool = matches!(value.kind, Kind::Dice { .. } | Kind::Suffixed { .. });
        // A pool that gets a second name, or comes out of a branch, has more to tell.
        if !pool && !self.is_no_pool(value) {
            return None;
        }
        let program = self.program;
        if let Some(name) = &program.main.locals.get(local.0 as usize)?.name {
            let ((from, sort), name) = (word, name.clone());
            self.push(Act::Named(Box::new(Named { span: value.span, name, from, sort, pool })))?;
        }
        *self.locals.get_mut(local.0 as usize)? = Some(Bound { word, pool });
        self.word(body)
    }

    /// Whether an expression comes to a value, not to dice.
    fn is_no_pool(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Constant(_) | Kind::Operation { .. } | Kind::Read { .. } | Kind::Input { .. } => {
                true
            }
            Kind::Local(local) => self.bound(*local).is_some_and(|bound| !bound.pool),
            Kind::Let { body, .. } => self.is_no_pool(body),
            Kind::If { then, otherwise, .. } => self.is_no_pool(then) && self.is_no_pool(otherwise),
            _ => false,
        }
    }

    /// Both branches leave their value in one register.
    fn branch(
        &mut self,
        taken: Taken,
        condition: &'p Expr,
        then: &'p Expr,
        otherwise: &'p Expr,
    ) -> Option<(Operand, Sort)> {
        let (on, Sort::Truth) = self.word(condition)? else { return None };
        let to = self.register()?;
        let pile = self.taken;
        let fork = self.acts.len();
        self.push(Act::Branch { taken, on, otherwise: 0 })?;
        let (from, sort) = self.word(then)?;
        self.push(Act::Copy { from, to })?;
        let end = self.acts.len();
        self.push(Act::Jump(0))?;
        self.acts[fork] = Act::Branch { taken, on, otherwise: self.acts.len() };
        self.taken = pile;
        let (from, other) = self.word(otherwise)?;
        self.push(Act::Copy { from, to })?;
        self.acts[end] = Act::Jump(self.acts.len());
        self.taken = pile;
        (sort == other).then_some((Operand::In(to), sort))
    }

    fn operation(&mut self, op: Op, operands: &'p [Expr]) -> Option<(Operand, Sort)> {
        let pile = self.taken;
        let (a, b) = match (op, operands) {
            (Op::Negate, [only]) => {
                let (a, Sort::Whole) = self.word(only)? else { return None };
                return self.apply(Op::Subtract, Operand::Known(0), a, pile);
            }
            (Op::Not, [only]) => {
                let (a, Sort::Truth) = self.word(only)? else { return None };
                let (operand, _) = self.apply(Op::Equal, a, Operand::Known(0), pile)?;
                return Some((operand, Sort::Truth));
            }
            (_, [a, b]) => (self.word(a)?, self.word(b)?),
            _ => return None,
        };
        match (a, b) {
            ((a, Sort::Whole), (b, Sort::Whole)) => self.apply(op, a, b, pile),
            _ => None,
        }
    }

    /// The registers of the operands are free again, so that the result can take the first of them.
    fn apply(&mut self, op: Op, a: Operand, b: Operand, pile: usize) -> Option<(Operand, Sort)> {
        let sort = match op {
            Op::Add
            | Op::Subtract
            | Op::Multiply
            | Op::Divide
            | Op::FloorDivide
            | Op::Remainder
            | Op::Min
            | Op::Max => Sort::Whole,
            Op::Equal | Op::NotEqual | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast => {
                Sort::Truth
            }
            Op::Power
            | Op::Negate
            | Op::Floor
            | Op::Ceil
            | Op::Round
            | Op::Abs
            | Op::Not
            | Op::Join
            | Op::Length
            | Op::At
            | Op::Append
            | Op::Range
            | Op::Sort
            | Op::Reverse
            | Op::Word => return None,
        };
        self.taken = pile;
        let to = self.register()?;
        self.push(Act::Operation { op, a, b, to })?;
        Some((Operand::In(to), sort))
    }

    /// Dice with their suffixes.
    fn pool(&mut self, expr: &'p Expr) -> Option<(Operand, Sort)> {
        let mut suffixes = Vec::new();
        let mut base = expr;
        while let Kind::Suffixed { pool, suffix } = &base.kind {
            self.forms += 1;
            suffixes.push(suffix);
            base = pool;
        }
        let Kind::Dice { count, die } = &base.kind else { return None };
        let pile = self.taken;
        let count = self.whole(count)?;
        let die = self.die(die)?;
        let mut lowered = Vec::with_capacity(suffixes.len());
        let mut ranked = false;
        for suffix in suffixes.into_iter().rev() {
            let kind = self.suffix(suffix, &die)?;
            // The second time, it is not all dice that are ranked.
            let ranks = matches!(kind, SuffixKind::Keep(..) | SuffixKind::Drop(..));
            if ranks && std::mem::replace(&mut ranked, true) {
                return None;
            }
            let says = says(suffix, &kind);
            let words = suffix.words.clone();
            lowered.push(Suffix { kind, span: suffix.span, words, says });
        }
        self.taken = pile;
        let to = self.register()?;
        let pool = Pool { span: base.span, count, die, suffixes: lowered, to };
        self.push(Act::Pool(Box::new(pool)))?;
        Some((Operand::In(to), Sort::Whole))
    }

    fn whole(&mut self, expr: &'p Expr) -> Option<Operand> {
        match self.word(expr)? {
            (operand, Sort::Whole) => Some(operand),
            (_, Sort::Truth | Sort::Constant) => None,
        }
    }

    /// A number in a suffix. It is computed before the dice are thrown, so it must throw nothing and tell
    /// nothing.
    fn certain(&mut self, expr: &'p Expr) -> Option<Operand> {
        let certain = is_certain(expr) || matches!(expr.kind, Kind::Input { .. });
        self.whole(expr).filter(|_| certain)
    }

    fn die(&mut self, die: &'p Die) -> Option<FlatDie> {
        Some(match die {
            Die::Sides(sides) => match self.whole(sides)? {
                Operand::Known(sides) if sides < 1 => return None,
                Operand::Known(sides) => FlatDie::Known(DieFaces::sides(sides.unsigned_abs())),
                sides @ Operand::In(_) => FlatDie::Sides(sides),
            },
            Die::Percent => FlatDie::Known(DieFaces::percent()),
            Die::Fate => FlatDie::Known(DieFaces::fate()),
            Die::Faces(_) => return None,
        })
    }

    fn suffix(&mut self, suffix: &'p Core, die: &FlatDie) -> Option<SuffixKind> {
        Some(match &suffix.kind {
            CoreKind::Keep(end, count) => SuffixKind::Keep(*end, self.certain(count)?),
            CoreKind::Drop(end, count) => SuffixKind::Drop(*end, self.certain(count)?),
            CoreKind::CountFor(condition) => self.mark(condition, 1)?,
            CoreKind::CountAgainst(condition) => self.mark(condition, -1)?,
            CoreKind::Explode { style: ExplodeStyle::Separate, trigger, limit } => {
                let limit = limit.as_deref().map(|limit| known(self.certain(limit)?));
                self.explosion(die, trigger.as_ref(), limit)?
            }
            CoreKind::Explode { .. }
            | CoreKind::Reroll { .. }
            | CoreKind::InAll { .. }
            | CoreKind::AtLeast(_)
            | CoreKind::AtMost(_)
            | CoreKind::Unique
            | CoreKind::Ascending
            | CoreKind::Descending => return None,
        })
    }

    fn mark(&mut self, condition: &'p Condition, mark: i64) -> Option<SuffixKind> {
        let with = self.certain(&condition.value)?;
        Some(SuffixKind::Mark { comparison: condition.comparison, with, mark })
    }

    /// An explosion of a known die on known faces, of which it is also known that it ends.
    fn explosion(
        &mut self,
        die: &FlatDie,
        trigger: Option<&'p Condition>,
        limit: Option<Option<i64>>,
    ) -> Option<SuffixKind> {
        let FlatDie::Known(kind) = die else { return None };
        let (comparison, with) = match trigger {
            Some(condition) => (condition.comparison, known(self.certain(&condition.value)?)?),
            None => (Comparison::Equal, kind.highest()?.to_i64()?),
        };
        if kind.total() >= 1 << 32 || never_ends(kind, comparison, with) {
            return None;
        }
        let limit = match limit {
            Some(limit) => u64::try_from(limit?).ok()?,
            None => u64::MAX,
        };
        Some(SuffixKind::Explode { comparison, with, limit })
    }
}

fn known(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Known(whole) => Some(whole),
        Operand::In(_) => None,
    }
}

/// The number that is said in place of the only computed part of a suffix, if the words show the part.
fn says(suffix: &Core, kind: &SuffixKind) -> Option<Operand> {
    let operand = match kind {
        SuffixKind::Keep(_, operand)
        | SuffixKind::Drop(_, operand)
        | SuffixKind::Mark { with: operand, .. } => *operand,
        SuffixKind::Explode { .. } => return None,
    };
    let computed = |part: &&Expr| !matches!(part.kind, Kind::Constant(_)) && is_certain(part);
    let shown = suffix.numbers().iter().any(computed) && suffix.words.contains('(');
    shown.then_some(operand)
}
