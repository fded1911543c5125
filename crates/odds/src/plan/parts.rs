//! The nodes inside a node, to be looked at or to be changed.

use super::{Die, Face, Kind, Node, Reading, SuffixKind};

/// The nodes inside.
pub(crate) fn parts(kind: &Kind) -> Vec<&Node> {
    match kind {
        Kind::Nothing | Kind::Constant(_) | Kind::Local(_) => Vec::new(),
        Kind::Let { value, body, .. } => vec![value, body],
        Kind::If { condition, then, otherwise } => vec![condition, then, otherwise],
        Kind::Operation { operands, .. } => operands.iter().collect(),
        Kind::List(items) | Kind::Gather(items) | Kind::Merge(items) => items.iter().collect(),
        Kind::Record { fields, .. } => fields.iter().collect(),
        Kind::Field { record, .. } => vec![record],
        Kind::Call { arguments, .. } => arguments.iter().collect(),
        Kind::Enter { body } => vec![body],
        Kind::Fold { list, first, body, .. } => vec![list, first, body],
        Kind::Walk(walk) => walk.pools.iter().chain([&walk.first, &walk.body]).collect(),
        Kind::Repeat(repeat) => repeat.first.iter().chain([&repeat.round]).collect(),
        Kind::Require { condition, message, body } => vec![condition, message, body],
        Kind::Given { condition, body } => vec![condition, body],
        Kind::Dice { count, die } => [&**count].into_iter().chain(die_parts(die)).collect(),
        Kind::Symbols { count, faces } => {
            count.iter().map(|count| &**count).chain(face_parts(faces)).collect()
        }
        Kind::Tally { count, faces, .. } => {
            [&**count].into_iter().chain(face_parts(faces)).collect()
        }
        Kind::Drawn { dice, without } => [&**dice].into_iter().chain(without).collect(),
        Kind::Times { count, each } => vec![count, each],
        Kind::Suffixed { pool, suffix } => {
            [&**pool].into_iter().chain(suffix_parts(&suffix.kind)).collect()
        }
        Kind::Read { pool, reading } => match reading {
            Reading::Total | Reading::Median => vec![pool],
            Reading::NthHighest(n) | Reading::NthLowest(n) => vec![pool, n],
        },
    }
}

fn die_parts(die: &Die) -> Vec<&Node> {
    match die {
        Die::Sides(sides) => vec![sides],
        Die::Percent | Die::Fate => Vec::new(),
        Die::Faces(faces) => face_parts(faces).collect(),
    }
}

fn face_parts(faces: &[Face]) -> impl Iterator<Item = &Node> {
    faces.iter().flat_map(|face| [&face.value, &face.weight])
}

/// The numbers of a suffix, in the order of evaluation.
pub(crate) fn suffix_parts(kind: &SuffixKind) -> Vec<&Node> {
    match kind {
        SuffixKind::Keep(_, value)
        | SuffixKind::Drop(_, value)
        | SuffixKind::AtLeast(value)
        | SuffixKind::AtMost(value) => vec![value],
        SuffixKind::Explode { trigger, limit, .. } => {
            let trigger = trigger.iter().map(|condition| &*condition.value);
            trigger.chain(limit.iter().map(|limit| &**limit)).collect()
        }
        SuffixKind::Reroll { condition, .. }
        | SuffixKind::CountFor(condition)
        | SuffixKind::CountAgainst(condition) => vec![&*condition.value],
        SuffixKind::InAll { act, most, .. } => {
            suffix_parts(act).into_iter().chain([&**most]).collect()
        }
        SuffixKind::Unique => Vec::new(),
    }
}

/// The nodes inside, as [`parts`], to be changed.
pub(super) fn parts_mut(kind: &mut Kind) -> Vec<&mut Node> {
    match kind {
        Kind::Nothing | Kind::Constant(_) | Kind::Local(_) => Vec::new(),
        Kind::Let { value, body, .. } => vec![value, body],
        Kind::If { condition, then, otherwise } => vec![condition, then, otherwise],
        Kind::Operation { operands, .. } => operands.iter_mut().collect(),
        Kind::List(items) | Kind::Gather(items) | Kind::Merge(items) => items.iter_mut().collect(),
        Kind::Record { fields, .. } => fields.iter_mut().collect(),
        Kind::Field { record, .. } => vec![record],
        Kind::Call { arguments, .. } => arguments.iter_mut().collect(),
        Kind::Enter { body } => vec![body],
        Kind::Fold { list, first, body, .. } => vec![list, first, body],
        Kind::Walk(walk) => {
            walk.pools.iter_mut().chain([&mut walk.first, &mut walk.body]).collect()
        }
        Kind::Repeat(repeat) => repeat.first.iter_mut().chain([&mut repeat.round]).collect(),
        Kind::Require { condition, message, body } => vec![condition, message, body],
        Kind::Given { condition, body } => vec![condition, body],
        Kind::Dice { count, die } => [&mut **count].into_iter().chain(die_parts_mut(die)).collect(),
        Kind::Symbols { count, faces } => {
            count.iter_mut().map(|count| &mut **count).chain(face_parts_mut(faces)).collect()
        }
        Kind::Tally { count, faces, .. } => {
            [&mut **count].into_iter().chain(face_parts_mut(faces)).collect()
        }
        Kind::Drawn { dice, without } => [&mut **dice].into_iter().chain(without).collect(),
        Kind::Times { count, each } => vec![count, each],
        Kind::Suffixed { pool, suffix } => {
            [&mut **pool].into_iter().chain(suffix_parts_mut(&mut suffix.kind)).collect()
        }
        Kind::Read { pool, reading } => match reading {
            Reading::Total | Reading::Median => vec![pool],
            Reading::NthHighest(n) | Reading::NthLowest(n) => vec![pool, n],
        },
    }
}

fn die_parts_mut(die: &mut Die) -> Vec<&mut Node> {
    match die {
        Die::Sides(sides) => vec![sides],
        Die::Percent | Die::Fate => Vec::new(),
        Die::Faces(faces) => face_parts_mut(faces).collect(),
    }
}

fn face_parts_mut(faces: &mut [Face]) -> impl Iterator<Item = &mut Node> {
    faces.iter_mut().flat_map(|face| [&mut face.value, &mut face.weight])
}

fn suffix_parts_mut(kind: &mut SuffixKind) -> Vec<&mut Node> {
    match kind {
        SuffixKind::Keep(_, value)
        | SuffixKind::Drop(_, value)
        | SuffixKind::AtLeast(value)
        | SuffixKind::AtMost(value) => vec![value],
        SuffixKind::Explode { trigger, limit, .. } => {
            let trigger = trigger.iter_mut().map(|condition| &mut *condition.value);
            trigger.chain(limit.iter_mut().map(|limit| &mut **limit)).collect()
        }
        SuffixKind::Reroll { condition, .. }
        | SuffixKind::CountFor(condition)
        | SuffixKind::CountAgainst(condition) => vec![&mut *condition.value],
        SuffixKind::InAll { act, most, .. } => {
            suffix_parts_mut(act).into_iter().chain([&mut **most]).collect()
        }
        SuffixKind::Unique => Vec::new(),
    }
}
