//! Expressions taken apart: what is thrown in one is bound first.
//!
//! ```text
//! score + d6                         let thrown = d6; score + thrown
//! if d6 = 1 then 0 else score + d6   let thrown = d6; if thrown = 1 then 0 else (let other = d6; score + other)
//! ```
//!
//! Where a variable is a letter, nobody knows the odds of `score + d6`; those of `d6` are known, and the sum is followed. This is
//! for whoever asks what an expression comes to; a roll throws it as it is written.

use astragal_program::core::{Expr, Kind, LocalId};

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
        _ => Form::Whole,
    };
    Apart { expr, part, form }
}

impl Apart {
    /// Whether there are no parts.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.form, Form::Whole)
    }

    /// It and all its parts, in the order of their numbers.
    pub(crate) fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(&self.expr);
        match &self.form {
            Form::Whole => {}
            Form::Bind(_, parts) => parts.iter().for_each(|part| part.each(visit)),
            Form::Branch(parts) => parts.iter().for_each(|part| part.each(visit)),
        }
    }
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
        if always_found_out(part).is_empty() {
            let local = LocalId(*fresh);
            *fresh += 1;
            let read = Expr { kind: Kind::Local(local), span: part.span };
            thrown.push((local, std::mem::replace(part, read)));
        } else {
            bind_throws(part, fresh, thrown);
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
