//! Core program to plan: what throws dice, and what is done to them.

use std::sync::Arc;

use astragal_program::core::{self, Expr};
use astragal_syntax::span::Span;
use astragal_value::RecordShape;

use super::{Lowering, node};
use crate::plan::{Condition, Demand, Die, Face, Kind, Node, Reading, Suffix, SuffixKind};

impl Lowering<'_> {
    pub(super) fn die(&mut self, die: &core::Die) -> Die {
        match die {
            core::Die::Sides(sides) => Die::Sides(self.all(sides)),
            core::Die::Percent => Die::Percent,
            core::Die::Fate => Die::Fate,
            core::Die::Faces(faces) => Die::Faces(self.faces(faces, &Demand::All)),
        }
    }

    fn faces(&mut self, faces: &[core::Face], demand: &Demand) -> Vec<Face> {
        let face = |face: &core::Face| Face {
            value: self.expr(&face.value, demand),
            weight: *self.all(&face.weight),
        };
        faces.iter().map(face).collect()
    }

    pub(super) fn read(&mut self, pool: &Expr, reading: &core::Reading, span: Span) -> Node {
        match reading {
            core::Reading::Total => self.expr(pool, &Demand::Sum),
            reading => {
                node(Kind::Read { reading: self.reading(reading), pool: self.all(pool) }, span)
            }
        }
    }

    pub(super) fn symbols(&mut self, count: Option<&Expr>, faces: &[core::Face]) -> Kind {
        let count = count.map(|count| self.all(count));
        Kind::Symbols { count, faces: self.faces(faces, &Demand::All) }
    }

    /// A sum of records. Of one field it is the sum of that field: an ordinary pool.
    pub(super) fn tally(
        &mut self,
        (count, shape, faces): (&Expr, &Arc<RecordShape>, &[core::Face]),
        drawn: bool,
        demand: &Demand,
        span: Span,
    ) -> Kind {
        let from_bag = |dice: Kind| match drawn {
            true => Kind::Drawn { dice: Box::new(node(dice, span)), without: Vec::new() },
            false => dice,
        };
        let asked = |index: &usize| demand.of_field(*index) != Demand::Nothing;
        let fields: Vec<usize> = (0..shape.fields.len()).filter(asked).collect();
        let each = Demand::Fields(fields.iter().map(|index| (*index, Demand::All)).collect());
        let faces = self.faces(faces, &each);
        let count = self.all(count);
        let shape = Arc::clone(shape);
        let [index] = fields.as_slice() else {
            return from_bag(Kind::Tally { count, shape, fields, faces });
        };
        let field_of = |face: Face| {
            let record = Box::new(face.value);
            let value = node(Kind::Field { record, index: *index }, span);
            Face { value, weight: face.weight }
        };
        let die = Die::Faces(faces.into_iter().map(field_of).collect());
        let pool = Box::new(node(from_bag(Kind::Dice { count, die }), span));
        let total = node(Kind::Read { pool, reading: Reading::Total }, span);
        let nothing = || node(Kind::Nothing, span);
        let mut values: Vec<Node> = shape.fields.iter().map(|_| nothing()).collect();
        values[*index] = total;
        Kind::Record { shape, fields: values }
    }

    pub(super) fn drawn(
        &mut self,
        dice: &Expr,
        without: &[Expr],
        demand: &Demand,
        span: Span,
    ) -> Kind {
        if let core::Kind::Tally { count, shape, faces } = &dice.kind {
            return self.tally((count, shape, faces), true, demand, span);
        }
        Kind::Drawn { without: self.every(without), dice: self.all(dice) }
    }

    /// Sorting is for the eye: it has no odds.
    pub(super) fn suffixed(&mut self, pool: &Expr, suffix: &core::Suffix, span: Span) -> Node {
        let Some(kind) = self.suffix_kind(&suffix.kind) else {
            return Node { span, ..*self.all(pool) };
        };
        let suffix = Suffix { kind, span: suffix.span };
        node(Kind::Suffixed { pool: self.all(pool), suffix }, span)
    }

    fn suffix_kind(&mut self, kind: &core::SuffixKind) -> Option<SuffixKind> {
        Some(match kind {
            core::SuffixKind::Keep(end, count) => SuffixKind::Keep(*end, self.all(count)),
            core::SuffixKind::Drop(end, count) => SuffixKind::Drop(*end, self.all(count)),
            core::SuffixKind::Explode { style, trigger, limit } => SuffixKind::Explode {
                style: *style,
                trigger: trigger.as_ref().map(|trigger| self.condition(trigger)),
                limit: limit.as_ref().map(|limit| self.all(limit)),
            },
            core::SuffixKind::Reroll { once, condition } => {
                SuffixKind::Reroll { once: *once, condition: self.condition(condition) }
            }
            core::SuffixKind::AtLeast(value) => SuffixKind::AtLeast(self.all(value)),
            core::SuffixKind::AtMost(value) => SuffixKind::AtMost(self.all(value)),
            core::SuffixKind::CountFor(condition) => {
                SuffixKind::CountFor(self.condition(condition))
            }
            core::SuffixKind::CountAgainst(condition) => {
                SuffixKind::CountAgainst(self.condition(condition))
            }
            core::SuffixKind::Unique => SuffixKind::Unique,
            core::SuffixKind::InAll { act, most, first } => SuffixKind::InAll {
                act: Box::new(self.suffix_kind(act)?),
                most: self.all(most),
                first: *first,
            },
            core::SuffixKind::Ascending | core::SuffixKind::Descending => return None,
        })
    }

    fn condition(&mut self, condition: &core::Condition) -> Condition {
        Condition { comparison: condition.comparison, value: self.all(&condition.value) }
    }

    pub(super) fn reading(&mut self, reading: &core::Reading) -> Reading {
        match reading {
            core::Reading::Total => Reading::Total,
            core::Reading::NthHighest(n) => Reading::NthHighest(self.all(n)),
            core::Reading::NthLowest(n) => Reading::NthLowest(self.all(n)),
            core::Reading::Median => Reading::Median,
        }
    }
}
