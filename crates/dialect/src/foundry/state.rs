//! What has become of the dice, modifier by modifier.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Expr, ExprKind, SuffixKind};

use crate::build::{binary, count_against, count_for, count_of, paren, suffixed, whole};
use crate::faces::{Test, faces_of};

/// The dice, the suffixes that have acted, and how they are counted.
pub(super) struct State {
    dice: Expr,
    suffixes: Vec<(SuffixKind, Span)>,
    /// How dice are counted; their faces are added up if absent.
    pub(super) count: Option<Count>,
    /// The number that the total is compared with, and whether lower is better.
    pub(super) margin: Option<(i64, bool)>,
}

/// Dice count 1, −1 or 0.
pub(super) struct Count {
    /// The modifier that began it.
    pub(super) command: &'static str,
    pub(super) plus: Vec<Test>,
    pub(super) minus: Vec<Test>,
    pub(super) span: Span,
}

impl State {
    pub(super) fn new(dice: Expr) -> State {
        State { dice, suffixes: Vec::new(), count: None, margin: None }
    }

    /// The faces of the dice, if they are known and few.
    pub(super) fn faces(&self) -> Option<Vec<i64>> {
        faces_of(&self.dice)
    }

    /// The number of sides, if it is written as a number.
    pub(super) fn sides(&self) -> Option<i64> {
        use astragal_syntax::tree::Sides::{Number, Percent};
        match &self.dice.kind {
            ExprKind::Dice { sides: Number(digits), .. } => digits.parse().ok(),
            ExprKind::Dice { sides: Percent, .. } => Some(100),
            _ => None,
        }
    }

    /// Whether there is one die on the table, and no more.
    pub(super) fn is_single(&self) -> bool {
        let one = count_of(&self.dice) == Some(1);
        one && !self.suffixes.iter().any(|(kind, _)| matches!(kind, SuffixKind::Explode { .. }))
    }

    /// The first suffix that changed what dice are worth.
    pub(super) fn clamp(&self) -> Option<Span> {
        self.suffixes.iter().find(|(kind, _)| is_clamp(kind)).map(|(_, span)| *span)
    }

    /// How many of them there are.
    pub(super) fn clamps(&self) -> usize {
        self.suffixes.iter().filter(|(kind, _)| is_clamp(kind)).count()
    }

    pub(super) fn add(&mut self, kind: SuffixKind, span: Span) {
        self.suffixes.push((kind, span));
    }

    /// Counts dice by their faces from now on; what they were worth no longer matters.
    pub(super) fn count_by(&mut self, count: Count) {
        self.suffixes.retain(|(kind, _)| !is_clamp(kind));
        self.count = Some(count);
    }

    /// The dice in our notation.
    pub(super) fn finish(self) -> Expr {
        let mut pool = self.dice;
        for (kind, span) in self.suffixes {
            pool = suffixed(pool, kind, span);
        }
        if let Some(Count { plus, minus, span, .. }) = self.count {
            for test in plus {
                pool = count_for(pool, test, span);
            }
            for test in minus {
                pool = count_against(pool, test, span);
            }
        }
        match self.margin {
            None => pool,
            Some((target, lower)) => {
                let target = whole(target, pool.span);
                let (left, right) = if lower { (target, pool) } else { (pool, target) };
                paren(binary(BinaryOp::Subtract, left, right))
            }
        }
    }
}

fn is_clamp(kind: &SuffixKind) -> bool {
    matches!(kind, SuffixKind::AtLeast(_) | SuffixKind::AtMost(_))
}
