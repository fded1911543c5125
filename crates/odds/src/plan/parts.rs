//! The nodes inside a node, to be looked at or to be changed.

use super::{Face, Kind, Node};

/// Writes the same functions for nodes that are looked at and for nodes that are changed.
macro_rules! parts {
    ($seen:vis $parts:ident, $inner:ident, $numbers:ident, $number:ident, $iter:ident $(, $change:tt)?) => {
        /// The nodes inside.
        $seen fn $parts(kind: &$($change)? Kind) -> Vec<&$($change)? Node> {
            match kind {
                Kind::Nothing | Kind::Constant(_) | Kind::Local(_) => Vec::new(),
                Kind::Let { value, body, .. } => vec![value, body],
                Kind::If { condition, then, otherwise } => vec![condition, then, otherwise],
                Kind::Operation { operands: parts, .. }
                | Kind::List(parts)
                | Kind::Gather(parts)
                | Kind::Merge(parts)
                | Kind::Record { fields: parts, .. }
                | Kind::Call { arguments: parts, .. } => parts.$iter().collect(),
                Kind::Field { record, .. } => vec![record],
                Kind::Enter { body } => vec![body],
                Kind::Fold { list, first, body, .. } => vec![list, first, body],
                Kind::Walk(walk) => {
                    let parts = [&$($change)? walk.first, &$($change)? walk.body];
                    walk.pools.$iter().chain(parts).collect()
                }
                Kind::Repeat(repeat) => {
                    repeat.first.$iter().chain([&$($change)? repeat.round]).collect()
                }
                Kind::Require { condition, message, body } => vec![condition, message, body],
                Kind::Given { condition, body } => vec![condition, body],
                Kind::Dice { count, die } => {
                    let mut parts: Vec<&$($change)? Node> = vec![count];
                    parts.extend(die.$inner());
                    parts
                }
                Kind::Symbols { count, faces } => {
                    let mut parts: Vec<&$($change)? Node> = Vec::new();
                    parts.extend(count.$iter().map(|count| &$($change)? **count));
                    parts.extend(faces.$iter().flat_map(Face::$inner));
                    parts
                }
                Kind::Tally { count, faces, .. } => {
                    let mut parts: Vec<&$($change)? Node> = vec![count];
                    parts.extend(faces.$iter().flat_map(Face::$inner));
                    parts
                }
                Kind::Drawn { dice, without } => {
                    [&$($change)? **dice].into_iter().chain(without).collect()
                }
                Kind::Times { count, each } => vec![count, each],
                Kind::Measure { percent, of, .. } => {
                    percent.$iter().chain([of]).map(|part| &$($change)? **part).collect()
                }
                Kind::Suffixed { pool, suffix } => {
                    let mut parts: Vec<&$($change)? Node> = vec![pool];
                    parts.extend(suffix.kind.$numbers());
                    parts
                }
                Kind::Read { pool, reading } => {
                    [&$($change)? **pool].into_iter().chain(reading.$number()).collect()
                }
            }
        }
    };
}

parts!(pub(crate) parts, parts, numbers, number, iter);
parts!(pub(super) parts_mut, parts_mut, numbers_mut, number_mut, iter_mut, mut);
