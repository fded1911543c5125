//! Expressions taken apart: what is thrown in one is bound first.
//!
//! ```text
//! score + d6                         let thrown = d6; score + thrown
//! if d6 = 1 then 0 else score + d6   let thrown = d6; if thrown = 1 then 0 else (let other = d6; score + other)
//! ```
//!
//! Where a variable is a letter, nobody knows the odds of `score + d6`; those of `d6` are known, and the sum is followed. This is
//! for whoever asks what an expression comes to; a roll throws it as it is written.

use astragal_program::core::{Expr, Kind, LocalId, Op, SuffixKind};

/// An expression, and its parts in the order in which they are found out.
#[derive(Debug)]
pub(crate) struct Apart {
    /// It.
    pub(crate) expr: Expr,
    /// Its number among all expressions.
    pub(crate) part: usize,
    pub(crate) form: Form,
}

/// How it is found out where letters are in it.
#[derive(Debug)]
pub(crate) enum Form {
    /// By what its variables are.
    Whole,
    /// A variable is bound first.
    Bind(LocalId, Box<[Apart; 2]>),
    /// By a condition, and one of two.
    Branch(Box<[Apart; 3]>),
    /// Item by item.
    Fold(Box<Folded>),
}

/// A list that is gone through.
#[derive(Debug)]
pub(crate) struct Folded {
    pub(crate) list: Apart,
    pub(crate) first: Apart,
    /// The variables of what is carried and of the item.
    pub(crate) carry: LocalId,
    pub(crate) item: LocalId,
    pub(crate) body: Apart,
}

/// Takes an expression apart. New variables are numbered on from `fresh`, expressions from `next`.
pub(crate) fn apart(expr: &Expr, fresh: &mut u32, next: &mut usize) -> Apart {
    let expr = with_throws_bound(bare(expr), fresh);
    let part = *next;
    *next += 1;
    let mut inner = |expr: &Expr| apart(expr, fresh, next);
    let form = match &expr.kind {
        _ if is_plain(&expr) => Form::Whole,
        Kind::Let { local, value, body } => {
            Form::Bind(*local, Box::new([inner(value), inner(body)]))
        }
        Kind::If { condition, then, otherwise, .. } => {
            Form::Branch(Box::new([inner(condition), inner(then), inner(otherwise)]))
        }
        Kind::Fold { list, first, carry, item, body } => {
            let (list, first, body) = (inner(list), inner(first), inner(body));
            Form::Fold(Box::new(Folded { list, first, carry: *carry, item: *item, body }))
        }
        _ => Form::Whole,
    };
    Apart { expr, part, form }
}

impl Apart {
    /// Whether there are no parts.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.form, Form::Whole)
    }

    /// Whether a list is made of endless dice, item by item: all at once it may be too long to be listed.
    pub(crate) fn gathers_endless_dice(&self) -> bool {
        match &self.form {
            Form::Whole | Form::Branch(_) => false,
            Form::Bind(_, parts) => parts[1].gathers_endless_dice(),
            Form::Fold(fold) => fold.body.appends() && explodes(&fold.body.expr),
        }
    }

    fn appends(&self) -> bool {
        match &self.form {
            Form::Whole => matches!(self.expr.kind, Kind::Operation { op: Op::Append, .. }),
            Form::Bind(_, parts) => parts[1].appends(),
            Form::Branch(_) | Form::Fold(_) => false,
        }
    }

    /// It and all its parts, in the order of their numbers.
    pub(crate) fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(&self.expr);
        match &self.form {
            Form::Whole => {}
            Form::Bind(_, parts) => parts.iter().for_each(|part| part.each(visit)),
            Form::Branch(parts) => parts.iter().for_each(|part| part.each(visit)),
            Form::Fold(fold) => {
                [&fold.list, &fold.first, &fold.body].into_iter().for_each(|part| part.each(visit));
            }
        }
    }
}

/// Whether dice explode in it without a limit.
fn explodes(expr: &Expr) -> bool {
    let own = match &expr.kind {
        Kind::Suffixed { suffix, .. } => {
            matches!(suffix.kind, SuffixKind::Explode { limit: None, .. })
        }
        _ => false,
    };
    own || expr.children().into_iter().any(explodes)
}

/// Without what changes no value.
fn bare(mut expr: &Expr) -> &Expr {
    while let Kind::Enter { body, .. }
    | Kind::Labelled { value: body, .. }
    | Kind::Note { body, .. } = &expr.kind
    {
        expr = body;
    }
    expr
}

/// The same with each throw bound of which the value is all that is asked for.
fn with_throws_bound(expr: &Expr, fresh: &mut u32) -> Expr {
    let mut whole = expr.clone();
    let mut thrown = Vec::new();
    if !is_plain(expr) {
        bind_throws(&mut whole, fresh, &mut thrown);
    }
    thrown.into_iter().rev().fold(whole, |body, (local, value)| {
        let span = body.span;
        let kind = Kind::Let { local, value: Box::new(value), body: Box::new(body) };
        Expr { kind, span }
    })
}

fn bind_throws(expr: &mut Expr, fresh: &mut u32, thrown: &mut Vec<(LocalId, Expr)>) {
    for part in always_found_out(expr) {
        if is_plain(part) {
            continue;
        }
        bind_throws(part, fresh, thrown);
        // What is left to be thrown is thrown in it, as in the body of a function or for each item of a list.
        if !is_plain(part) {
            let local = LocalId(*fresh);
            *fresh += 1;
            let read = Expr { kind: Kind::Local(local), span: part.span };
            thrown.push((local, std::mem::replace(part, read)));
        }
    }
}

/// The parts of an expression that are found out in any case, before anything is done with them.
fn always_found_out(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        Kind::Operation { operands: parts, .. }
        | Kind::List(parts)
        | Kind::Record { fields: parts, .. }
        | Kind::Call { arguments: parts, .. } => parts.iter_mut().collect(),
        Kind::Field { record: part, .. }
        | Kind::Labelled { value: part, .. }
        | Kind::Enter { body: part, .. } => vec![part],
        Kind::Fold { list, first, .. } => vec![list, first],
        _ => Vec::new(),
    }
}

/// Whether nothing in it throws, or calls what may.
fn is_plain(expr: &Expr) -> bool {
    let own = matches!(
        expr.kind,
        Kind::Constant(_)
            | Kind::Local(_)
            | Kind::Let { .. }
            | Kind::If { .. }
            | Kind::Operation { .. }
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Enter { .. }
            | Kind::Fold { .. }
            | Kind::Labelled { .. }
    );
    own && expr.children().into_iter().all(is_plain)
}
