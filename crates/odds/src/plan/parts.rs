//! The nodes inside a node, to be looked at or to be changed.

use super::{Die, Face, Kind, Node, Reading, SuffixKind};

/// Writes the same functions for nodes that are looked at and for nodes that are changed.
macro_rules! parts {
    ($seen:vis $parts:ident, $die:ident, $faces:ident, $suffix_seen:vis $suffix:ident, $iter:ident $(, $change:tt)?) => {
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
                    parts.extend($die(die));
                    parts
                }
                Kind::Symbols { count, faces } => {
                    let mut parts: Vec<&$($change)? Node> = Vec::new();
                    parts.extend(count.$iter().map(|count| &$($change)? **count));
                    parts.extend($faces(faces));
                    parts
                }
                Kind::Tally { count, faces, .. } => {
                    let mut parts: Vec<&$($change)? Node> = vec![count];
                    parts.extend($faces(faces));
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
                    parts.extend($suffix(&$($change)? suffix.kind));
                    parts
                }
                Kind::Read { pool, reading } => match reading {
                    Reading::Total | Reading::Median => vec![pool],
                    Reading::NthHighest(n) | Reading::NthLowest(n) => vec![pool, n],
                },
            }
        }

        fn $die(die: &$($change)? Die) -> Vec<&$($change)? Node> {
            match die {
                Die::Sides(sides) => vec![sides],
                Die::Percent | Die::Fate => Vec::new(),
                Die::Faces(faces) => $faces(faces).collect(),
            }
        }

        fn $faces(faces: &$($change)? [Face]) -> impl Iterator<Item = &$($change)? Node> {
            faces.$iter().flat_map(|face| [&$($change)? face.value, &$($change)? face.weight])
        }

        /// The numbers of a suffix, in the order of evaluation.
        $suffix_seen fn $suffix(kind: &$($change)? SuffixKind) -> Vec<&$($change)? Node> {
            match kind {
                SuffixKind::Keep(_, value)
                | SuffixKind::Drop(_, value)
                | SuffixKind::AtLeast(value)
                | SuffixKind::AtMost(value) => vec![value],
                SuffixKind::Explode { trigger, limit, .. } => {
                    let trigger = trigger.$iter().map(|condition| &$($change)? *condition.value);
                    trigger.chain(limit.$iter().map(|limit| &$($change)? **limit)).collect()
                }
                SuffixKind::Reroll { condition, .. }
                | SuffixKind::CountFor(condition)
                | SuffixKind::CountAgainst(condition) => vec![&$($change)? *condition.value],
                SuffixKind::InAll { act, most, .. } => {
                    let mut parts = $suffix(act);
                    parts.push(most);
                    parts
                }
                SuffixKind::Unique => Vec::new(),
            }
        }
    };
}

parts!(pub(crate) parts, die_parts, face_parts, pub(crate) suffix_parts, iter);
parts!(pub(super) parts_mut, die_parts_mut, face_parts_mut, suffix_parts_mut, iter_mut, mut);
