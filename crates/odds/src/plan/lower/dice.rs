//! Core program to plan: what throws dice, and what is done to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_program::core::{self, Expr};
use astragal_syntax::span::Span;
use astragal_value::RecordShape;

use super::{Lowering, Uses, node};
use crate::plan::{Condition, Demand, Die, Face, Kind, Node, Reading, Suffix, SuffixKind};

impl Lowering<'_> {
    pub(super) fn dice(&mut self, count: &Expr, die: &core::Die, uses: &mut Uses) -> Kind {
        Kind::Dice { count: Box::new(self.all(count, uses)), die: self.die(die, uses) }
    }

    fn die(&mut self, die: &core::Die, uses: &mut Uses) -> Die {
        match die {
            core::Die::Sides(sides) => Die::Sides(Box::new(self.all(sides, uses))),
            core::Die::Percent => Die::Percent,
            core::Die::Fate => Die::Fate,
            core::Die::Faces(faces) => Die::Faces(self.faces(faces, uses)),
        }
    }

    fn faces(&mut self, faces: &[core::Face], uses: &mut Uses) -> Vec<Face> {
        let face = |face: &core::Face| Face {
            value: self.all(&face.value, uses),
            weight: self.all(&face.weight, uses),
        };
        faces.iter().map(face).collect()
    }

    pub(super) fn symbols(
        &mut self,
        count: Option<&Expr>,
        faces: &[core::Face],
        uses: &mut Uses,
    ) -> Kind {
        let count = count.map(|count| Box::new(self.all(count, uses)));
        Kind::Symbols { count, faces: self.faces(faces, uses) }
    }

    /// A sum of records. Of one field it is the sum of that field: an ordinary pool.
    pub(super) fn tally(
        &mut self,
        (count, shape, faces): (&Expr, &Arc<RecordShape>, &[core::Face]),
        drawn: bool,
        demand: &Demand,
        uses: &mut Uses,
        span: Span,
    ) -> Kind {
        let from_bag = |dice: Kind| match drawn {
            true => Kind::Drawn { dice: Box::new(node(dice, span)), without: Vec::new() },
            false => dice,
        };
        let asked = |index: &usize| demand.of_field(*index) != Demand::Nothing;
        let fields: Vec<usize> = (0..shape.fields.len()).filter(asked).collect();
        let face_demand: BTreeMap<usize, Demand> =
            fields.iter().map(|index| (*index, Demand::All)).collect();
        let mut lowered = Vec::with_capacity(faces.len());
        for face in faces.iter() {
            let value = self.expr(&face.value, &Demand::Fields(face_demand.clone()), uses);
            lowered.push(Face { value, weight: self.all(&face.weight, uses) });
        }
        let count = Box::new(self.all(count, uses));
        let shape = Arc::clone(shape);
        let [index] = fields.as_slice() else {
            return from_bag(Kind::Tally { count, shape, fields, faces: lowered });
        };
        let field_of = |face: Face| {
            let record = Box::new(face.value);
            let value = node(Kind::Field { record, index: *index }, span);
            Face { value, weight: face.weight }
        };
        let die = Die::Faces(lowered.into_iter().map(field_of).collect());
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
        uses: &mut Uses,
        span: Span,
    ) -> Kind {
        if let core::Kind::Tally { count, shape, faces } = &dice.kind {
            return self.tally((count, shape, faces), true, demand, uses, span);
        }
        let without = self.every(without, uses);
        Kind::Drawn { dice: Box::new(self.all(dice, uses)), without }
    }

    pub(super) fn times(&mut self, count: &Expr, each: &Expr, uses: &mut Uses) -> Kind {
        let count = Box::new(self.all(count, uses));
        Kind::Times { count, each: Box::new(self.all(each, uses)) }
    }

    /// Sorting is for the eye: it has no odds.
    pub(super) fn suffixed(
        &mut self,
        pool: &Expr,
        suffix: &core::Suffix,
        uses: &mut Uses,
        span: Span,
    ) -> Node {
        let Some(kind) = self.suffix_kind(&suffix.kind, uses) else {
            return Node { span, ..self.all(pool, uses) };
        };
        let suffix = Suffix { kind, span: suffix.span };
        node(Kind::Suffixed { pool: Box::new(self.all(pool, uses)), suffix }, span)
    }

    fn suffix_kind(&mut self, kind: &core::SuffixKind, uses: &mut Uses) -> Option<SuffixKind> {
        Some(match kind {
            core::SuffixKind::Keep(end, count) => {
                SuffixKind::Keep(*end, Box::new(self.all(count, uses)))
            }
            core::SuffixKind::Drop(end, count) => {
                SuffixKind::Drop(*end, Box::new(self.all(count, uses)))
            }
            core::SuffixKind::Explode { style, trigger, limit } => SuffixKind::Explode {
                style: *style,
                trigger: trigger.as_ref().map(|trigger| self.condition(trigger, uses)),
                limit: limit.as_ref().map(|limit| Box::new(self.all(limit, uses))),
            },
            core::SuffixKind::Reroll { once, condition } => {
                SuffixKind::Reroll { once: *once, condition: self.condition(condition, uses) }
            }
            core::SuffixKind::AtLeast(value) => {
                SuffixKind::AtLeast(Box::new(self.all(value, uses)))
            }
            core::SuffixKind::AtMost(value) => SuffixKind::AtMost(Box::new(self.all(value, uses))),
            core::SuffixKind::CountFor(condition) => {
                SuffixKind::CountFor(self.condition(condition, uses))
            }
            core::SuffixKind::CountAgainst(condition) => {
                SuffixKind::CountAgainst(self.condition(condition, uses))
            }
            core::SuffixKind::Unique => SuffixKind::Unique,
            core::SuffixKind::InAll { act, most, first } => SuffixKind::InAll {
                act: Box::new(self.suffix_kind(act, uses)?),
                most: Box::new(self.all(most, uses)),
                first: *first,
            },
            core::SuffixKind::Ascending | core::SuffixKind::Descending => return None,
        })
    }

    fn condition(&mut self, condition: &core::Condition, uses: &mut Uses) -> Condition {
        let value = Box::new(self.all(&condition.value, uses));
        Condition { comparison: condition.comparison, value }
    }

    pub(super) fn read(&mut self, pool: &Expr, reading: &core::Reading, uses: &mut Uses) -> Kind {
        let reading = self.reading(reading, uses);
        Kind::Read { pool: Box::new(self.all(pool, uses)), reading }
    }

    fn reading(&mut self, reading: &core::Reading, uses: &mut Uses) -> Reading {
        match reading {
            core::Reading::Total => Reading::Total,
            core::Reading::NthHighest(n) => Reading::NthHighest(Box::new(self.all(n, uses))),
            core::Reading::NthLowest(n) => Reading::NthLowest(Box::new(self.all(n, uses))),
            core::Reading::Median => Reading::Median,
        }
    }
}
