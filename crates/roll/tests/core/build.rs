//! A few verbs that build core programs by hand.

use std::sync::Arc;

use astragal_program::core::*;
use astragal_program::fault::{Fault, FaultKind};
use astragal_program::types::Type;
use astragal_roll::{DieId, DieRecord, Limits, Roll, Scripted, roll};
use astragal_syntax::span::{SourceId, Span};
use astragal_value::Value;

pub fn span(start: usize) -> Span {
    Span::new(SourceId(0), start, start + 1)
}

pub fn expr(kind: Kind) -> Expr {
    Expr { kind, span: span(0) }
}

pub fn number(n: i64) -> Expr {
    expr(Kind::Constant(Value::whole(n)))
}

pub fn truth(b: bool) -> Expr {
    expr(Kind::Constant(Value::Bool(b)))
}

pub fn dice(count: i64, sides: i64) -> Expr {
    let die = Die::Sides(Box::new(number(sides)));
    expr(Kind::Dice { count: Box::new(number(count)), die })
}

pub fn condition(comparison: Comparison, n: i64) -> Condition {
    Condition { comparison, value: Box::new(number(n)) }
}

pub fn op(op: Op, operands: Vec<Expr>) -> Expr {
    expr(Kind::Operation { op, operands })
}

pub fn label(value: Expr, label: &str) -> Expr {
    expr(Kind::Labelled { label: label.into(), value: Box::new(value) })
}

pub fn total(pool: Expr) -> Expr {
    expr(Kind::Read { pool: Box::new(pool), reading: Reading::Total })
}

pub fn local(n: u32) -> Expr {
    expr(Kind::Local(LocalId(n)))
}

pub fn bind(n: u32, value: Expr, body: Expr) -> Expr {
    expr(Kind::Let { local: LocalId(n), value: Box::new(value), body: Box::new(body) })
}

/// The suffixes of the tests, in chains: `dice(4, 6).keep(End::Highest, 3)`.
pub trait Suffixes: Sized {
    fn suffix(self, words: &str, kind: SuffixKind) -> Expr;

    fn keep(self, end: End, n: i64) -> Expr {
        let words = format!("keep {end:?} {n}").to_lowercase();
        self.suffix(&words, SuffixKind::Keep(end, Box::new(number(n))))
    }
    fn drop(self, end: End, n: i64) -> Expr {
        let words = format!("drop {end:?} {n}").to_lowercase();
        self.suffix(&words, SuffixKind::Drop(end, Box::new(number(n))))
    }
    fn explode(self, style: ExplodeStyle) -> Expr {
        self.suffix("explode", SuffixKind::Explode { style, trigger: None, limit: None })
    }
    fn explode_at_least(self, n: i64) -> Expr {
        let trigger = Some(condition(Comparison::AtLeast, n));
        let style = ExplodeStyle::Separate;
        let words = format!("explode on >= {n}");
        self.suffix(&words, SuffixKind::Explode { style, trigger, limit: None })
    }
    fn explode_up_to(self, n: i64) -> Expr {
        let limit = Some(Box::new(number(n)));
        let style = ExplodeStyle::Separate;
        let words = format!("explode up to {n} times");
        self.suffix(&words, SuffixKind::Explode { style, trigger: None, limit })
    }
    fn reroll(self, n: i64) -> Expr {
        let condition = condition(Comparison::AtMost, n);
        self.suffix(&format!("reroll <= {n}"), SuffixKind::Reroll { once: false, condition })
    }
    fn reroll_once(self, n: i64) -> Expr {
        let condition = condition(Comparison::AtMost, n);
        self.suffix(&format!("reroll once <= {n}"), SuffixKind::Reroll { once: true, condition })
    }
    fn count_at_least(self, n: i64) -> Expr {
        let words = format!("count >= {n}");
        self.suffix(&words, SuffixKind::CountFor(condition(Comparison::AtLeast, n)))
    }
    fn count_against(self, n: i64) -> Expr {
        let words = format!("count against = {n}");
        self.suffix(&words, SuffixKind::CountAgainst(condition(Comparison::Equal, n)))
    }
}

impl Suffixes for Expr {
    fn suffix(self, words: &str, kind: SuffixKind) -> Expr {
        let suffix = Suffix { kind, words: words.into(), span: span(0) };
        expr(Kind::Suffixed { pool: Box::new(self), suffix })
    }
}

pub fn function(name: &str, parameters: usize, locals: usize, body: Expr) -> Function {
    let local = |i: usize| Local { name: Some(format!("x{i}").into()), ty: Type::Number };
    Function {
        name: name.into(),
        parameters,
        locals: (0..locals).map(local).collect(),
        body,
        span: span(0),
    }
}

/// A program with one unnamed result and eight variables `x0` to `x7`.
pub fn program(body: Expr) -> Program {
    with_functions(body, Vec::new())
}

pub fn with_functions(body: Expr, functions: Vec<Function>) -> Program {
    let results = vec![Outcome { name: None, ty: Type::Number }];
    Program {
        plays: None,
        functions,
        main: function("main", 0, 8, body),
        results,
        inputs: Vec::new(),
        depth: usize::MAX,
    }
}

pub fn on(body: Expr, faces: &[i64]) -> Result<Roll, Fault> {
    roll(&program(body), &[], &mut Scripted::whole(faces), &Limits::default())
}

/// The program rolls this value on these faces, recorded or not.
#[track_caller]
pub fn rolls(body: Expr, faces: &[i64], value: i64) -> Roll {
    let program = program(body);
    let limits = Limits::default();
    let plain = astragal_roll::value(&program, &[], &mut Scripted::whole(faces), &limits);
    assert_eq!(plain, Ok(Value::whole(value)));
    let roll = roll(&program, &[], &mut Scripted::whole(faces), &limits).expect("rolls");
    assert_eq!(roll.value, Value::whole(value));
    roll
}

#[track_caller]
pub fn fails(body: Expr, faces: &[i64], kind: FaultKind) {
    assert_eq!(on(body, faces).expect_err("fails").kind, kind);
}

#[track_caller]
pub fn die(roll: &Roll, id: DieId) -> DieRecord<'_> {
    roll.dice.get(id).expect("thrown")
}

pub fn fates(roll: &Roll) -> Vec<String> {
    roll.dice.iter().map(|die| die.fates.words().join(" ")).collect()
}

pub fn labels(roll: &Roll) -> Vec<(String, String)> {
    roll.labels().iter().map(|(label, n)| (label.to_string(), n.to_string())).collect()
}

pub fn name(text: &str) -> Arc<str> {
    text.into()
}
