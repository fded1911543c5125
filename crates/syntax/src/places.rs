//! Trees without places, so that two texts can be seen to say the same.

use crate::span::{SourceId, Span};
use crate::tree::{
    Aim, Arm, Block, ChoiceArm, Condition, ExplodeLimit, Expr, ExprKind, File, Name, Parameter,
    Pattern, PatternKind, Sides, Statement, StatementKind, Suffix, SuffixKind, Text, TextPart,
    Type, TypeKind,
};

/// Whether the trees are the same but for the places where things stand.
pub fn same_tree(a: &File, b: &File) -> bool {
    without_places(a) == without_places(b)
}

/// The tree with all places at the start of source 0.
pub fn without_places(file: &File) -> File {
    let mut file = file.clone();
    block(&mut file.block);
    file
}

const NOWHERE: Span = Span { source: SourceId(0), start: 0, end: 0 };

fn block(block: &mut Block) {
    block.statements.iter_mut().for_each(statement);
}

fn statement(statement: &mut Statement) {
    statement.span = NOWHERE;
    match &mut statement.kind {
        StatementKind::Let { name, value } | StatementKind::Input { name, value } => {
            binding(name, value);
        }
        StatementKind::Function { name: function, parameters, body } => {
            name(function);
            parameters.iter_mut().for_each(parameter);
            expr(body);
        }
        StatementKind::Enumeration { name: enumeration, variants } => {
            name(enumeration);
            variants.iter_mut().for_each(name);
        }
        StatementKind::Show { value, .. } => expr(value),
        StatementKind::Require { condition, message } => {
            expr(condition);
            text(message);
        }
        StatementKind::Given { condition } => expr(condition),
        StatementKind::Note { message } => text(message),
        StatementKind::Use { path_span, alias, .. } => {
            *path_span = NOWHERE;
            alias.iter_mut().for_each(name);
        }
        StatementKind::Expression(value) => expr(value),
    }
}

fn name(name: &mut Name) {
    name.span = NOWHERE;
}

fn binding(bound: &mut Name, value: &mut Expr) {
    name(bound);
    expr(value);
}

fn parameter(parameter: &mut Parameter) {
    name(&mut parameter.name);
    parameter.annotation.iter_mut().for_each(written_type);
    parameter.default.iter_mut().for_each(expr);
}

fn written_type(written: &mut Type) {
    written.span = NOWHERE;
    match &mut written.kind {
        TypeKind::Name(path) => path.iter_mut().for_each(name),
        TypeKind::List(of) | TypeKind::Optional(of) => written_type(of),
        TypeKind::Record(fields) => {
            for field in fields {
                name(&mut field.name);
                field.annotation.iter_mut().for_each(written_type);
                field.default.iter_mut().for_each(expr);
            }
        }
    }
}

fn text(text: &mut Text) {
    text.span = NOWHERE;
    for part in &mut text.parts {
        if let TextPart::Hole(hole) = part {
            expr(hole);
        }
    }
}

fn expr(of: &mut Expr) {
    of.span = NOWHERE;
    match &mut of.kind {
        ExprKind::Number(_)
        | ExprKind::Bool(_)
        | ExprKind::None
        | ExprKind::Name(_)
        | ExprKind::Missing => {}
        ExprKind::Text(value) => text(value),
        ExprKind::Field(value, field) => binding(field, value),
        ExprKind::Call { function, arguments } => {
            expr(function);
            for argument in arguments {
                argument.name.iter_mut().for_each(name);
                expr(&mut argument.value);
            }
        }
        ExprKind::List(items) | ExprKind::Group(items) => items.iter_mut().for_each(expr),
        ExprKind::Range(a, b) | ExprKind::Binary(_, a, b) => {
            expr(a);
            expr(b);
        }
        ExprKind::Record(fields) => fields.iter_mut().for_each(|(n, value)| binding(n, value)),
        ExprKind::Dice { count, sides } => dice(count.as_deref_mut(), sides),
        ExprKind::Suffixed { pool, suffix: done } => {
            expr(pool);
            suffix(done);
        }
        ExprKind::Labelled { value, .. } | ExprKind::Unary(_, value) | ExprKind::Paren(value) => {
            expr(value);
        }
        ExprKind::If { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().for_each(|part| expr(part));
        }
        ExprKind::Match { subject, arms } => {
            expr(subject);
            arms.iter_mut().for_each(arm);
        }
        ExprKind::Best { value, aim: number, .. } => {
            expr(value);
            number.iter_mut().for_each(|number| aim(number));
        }
        ExprKind::Choose { arms, .. } => arms.iter_mut().for_each(choice_arm),
        ExprKind::Pick { list, .. } => expr(list),
        ExprKind::Block(inner) => block(inner),
        ExprKind::Repeat(repeat) => {
            let carried = repeat.carried.iter_mut().chain(&mut repeat.next);
            carried.for_each(|(n, value)| binding(n, value));
            repeat.body.iter_mut().for_each(statement);
            expr(&mut repeat.until);
        }
        ExprKind::Given { value, condition } => {
            expr(value);
            expr(condition);
        }
        ExprKind::Lambda { parameters, body } => {
            parameters.iter_mut().for_each(name);
            expr(body);
        }
    }
}

fn dice(count: Option<&mut Expr>, sides: &mut Sides) {
    count.into_iter().for_each(expr);
    match sides {
        Sides::Number(_) | Sides::Percent | Sides::Fate => {}
        Sides::Computed(inner) => expr(inner),
        Sides::Faces(faces) => {
            for face in faces {
                expr(&mut face.value);
                face.weight.iter_mut().for_each(expr);
            }
        }
    }
}

fn suffix(suffix: &mut Suffix) {
    suffix.span = NOWHERE;
    suffix_kind(&mut suffix.kind);
}

fn suffix_kind(kind: &mut SuffixKind) {
    match kind {
        SuffixKind::InAll { act, most, .. } => {
            suffix_kind(act);
            expr(most);
        }
        SuffixKind::Keep(_, count) | SuffixKind::Drop(_, count) => {
            count.iter_mut().for_each(|count| expr(count));
        }
        SuffixKind::Explode { trigger, limit, .. } => {
            trigger.iter_mut().for_each(condition);
            if let ExplodeLimit::UpTo(most) = limit {
                expr(most);
            }
        }
        SuffixKind::Reroll { condition: c, .. }
        | SuffixKind::CountFor(c)
        | SuffixKind::CountAgainst(c) => condition(c),
        SuffixKind::AtLeast(value) | SuffixKind::AtMost(value) => expr(value),
        SuffixKind::Drawn(without) => without.iter_mut().for_each(expr),
        SuffixKind::Unique | SuffixKind::Ascending | SuffixKind::Descending => {}
    }
}

fn condition(condition: &mut Condition) {
    condition.span = NOWHERE;
    expr(&mut condition.value);
}

fn arm(arm: &mut Arm) {
    arm.patterns.iter_mut().for_each(pattern);
    expr(&mut arm.value);
}

fn aim(aim: &mut Aim) {
    binding(&mut aim.name, &mut aim.number);
}

fn choice_arm(arm: &mut ChoiceArm) {
    arm.span = NOWHERE;
    arm.open.iter_mut().for_each(expr);
    expr(&mut arm.value);
}

fn pattern(pattern: &mut Pattern) {
    pattern.span = NOWHERE;
    if let PatternKind::Variant(path) = &mut pattern.kind {
        path.iter_mut().for_each(name);
    }
}
