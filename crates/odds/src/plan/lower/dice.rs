//! Core program to plan: what throws dice, and what is done to them.

use std::sync::Arc;

use astragal_program::core::{self, Expr, Reading, SuffixKind};
use astragal_syntax::span::Span;
use astragal_value::RecordShape;

use super::{Lowering, node};
use crate::plan::{Demand, Die, Face, Kind, Node, Suffix};

impl Lowering<'_> {
    pub(super) fn die(&mut self, die: &core::Die) -> Die {
        die.map(&mut |part| *self.all(part))
    }

    fn faces(&mut self, faces: &[core::Face], demand: &Demand) -> Vec<Face> {
        let face = |face: &core::Face| Face {
            value: self.expr(&face.value, demand),
            weight: *self.all(&face.weight),
        };
        faces.iter().map(face).collect()
    }

    pub(super) fn read(&mut self, pool: &Expr, reading: &Reading, span: Span) -> Node {
        match reading {
            Reading::Total => self.expr(pool, &Demand::Sum),
            reading => {
                let reading = reading.map(|number| *self.all(number));
                node(Kind::Read { reading, pool: self.all(pool) }, span)
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
        if matches!(suffix.kind, SuffixKind::Ascending | SuffixKind::Descending) {
            return Node { span, ..*self.all(pool) };
        }
        self.as_thrown |= order_decides(pool, &suffix.kind);
        let kind = suffix.kind.map(&mut |number| *self.all(number));
        let suffix = Suffix { kind, span: suffix.span };
        node(Kind::Suffixed { pool: self.all(pool), suffix }, span)
    }
}

/// Whether a suffix throws dice again of which some come first: one with a limit in all, `u`, or anything behind a keep, which prefers what
/// was thrown first. Dice that lie there as they were thrown know their order.
fn order_decides(pool: &Expr, kind: &SuffixKind<Expr>) -> bool {
    let compares = |kind: &SuffixKind<Expr>| {
        matches!(
            kind,
            SuffixKind::InAll { .. }
                | SuffixKind::Unique
                | SuffixKind::Keep(..)
                | SuffixKind::Drop(..)
        )
    };
    let throws = matches!(
        kind,
        SuffixKind::InAll { .. }
            | SuffixKind::Unique
            | SuffixKind::Explode { .. }
            | SuffixKind::Reroll { .. }
    );
    let (mut pool, mut found) = (pool, compares(kind));
    while let core::Kind::Suffixed { pool: inner, suffix } = &pool.kind {
        found |= compares(&suffix.kind);
        pool = inner;
    }
    throws && found && !matches!(pool.kind, core::Kind::Dice { .. })
}
