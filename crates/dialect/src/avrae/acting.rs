//! Operators, one after the other.
//!
//! Dice that are kept or dropped by what they show (`k>3`, `p1`) have no suffix here. Where nothing was done to them
//! before and nothing follows, they are written as dice on which the dropped faces count 0: `4d6k>3` is
//! `4d{0: 3, 4, 5, 6}`.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{
    Comparison, ExplodeLimit, ExplodeStyle, Expr, ExprKind, Order, Sides, SuffixKind,
};

use super::operators::{Operation, Selector};
use crate::build::{condition, drop, face, keep, suffixed, whole};
use crate::faces::{Test, faces_of};
use crate::reader::{Read, Reader};
use crate::throwing::{Explosion, explode, explosion_suffix, joined, reroll_any, reroll_once};

/// The pool after all its operations.
pub(super) fn act(reader: &mut Reader, pool: Expr, operations: Vec<Operation>) -> Read<Expr> {
    let mut table = Table { faces: faces_of(&pool), clamped: false };
    let last = operations.len();
    let mut pool = pool;
    for (index, operation) in operations.into_iter().enumerate() {
        if thinned(&pool) {
            return Err(by_value(reader, operation.span));
        }
        pool = table.one(reader, pool, &operation, index + 1 == last)?;
    }
    Ok(pool)
}

/// What is known of the dice.
struct Table {
    /// What a fresh die shows.
    faces: Option<Vec<i64>>,
    /// Whether bounds may have made something else of it.
    clamped: bool,
}

impl Table {
    fn one(
        &mut self,
        reader: &mut Reader,
        pool: Expr,
        operation: &Operation,
        last: bool,
    ) -> Read<Expr> {
        match operation.operator {
            "k" | "p" => self.keep_or_drop(reader, pool, operation, last),
            "rr" => self.reroll(reader, pool, operation),
            "ro" => self.reroll_once(reader, pool, operation),
            "ra" => self.explode(reader, pool, operation, true),
            "e" => self.explode(reader, pool, operation, false),
            _ => self.clamp(reader, pool, operation),
        }
    }

    fn keep_or_drop(
        &self,
        reader: &mut Reader,
        pool: Expr,
        operation: &Operation,
        last: bool,
    ) -> Read<Expr> {
        let (keeps, span) = (operation.operator == "k", operation.span);
        if let Some((end, count)) = operation.end() {
            return Ok(if keeps {
                keep(pool, end, count, span)
            } else {
                drop(pool, end, count, span)
            });
        }
        let Some(tests) = operation.tests() else {
            return Err(reader.unsaid(
                span,
                "several selectors of one operator choose together; equal dice may be chosen twice",
                "one end at a time can be said: `kh3`, `dl1`",
            ));
        };
        match (&pool.kind, &self.faces) {
            (ExprKind::Dice { .. }, Some(faces)) if last => {
                let kept = |face: i64| tests.iter().any(|test| test.holds(face)) == keeps;
                reader.notice(
                    span,
                    "chooses by what dice show: written as dice whose other faces count 0",
                );
                let (kept, others): (Vec<i64>, Vec<i64>) =
                    faces.iter().copied().partition(|face| kept(*face));
                Ok(with_zeros(pool, &kept, others.len()))
            }
            _ => Err(by_value(reader, span)),
        }
    }

    fn reroll(&mut self, reader: &mut Reader, pool: Expr, operation: &Operation) -> Read<Expr> {
        let Some(tests) = operation.tests() else {
            let message = "some die is always the highest or lowest: this never ends";
            return Err(reader.wrong(operation.span, message));
        };
        let (pool, cut) = reroll_any(reader, pool, &tests, false, operation.span)?;
        if cut {
            self.faces = faces_of(&pool);
        }
        Ok(pool)
    }

    fn reroll_once(&self, reader: &Reader, pool: Expr, operation: &Operation) -> Read<Expr> {
        let span = operation.span;
        if let Some((end, count)) = operation.end() {
            let any = condition(Comparison::AtLeast, 0, span);
            let act = Box::new(SuffixKind::Reroll { once: true, condition: any });
            let first = match end {
                astragal_syntax::tree::End::Lowest => Order::Lowest,
                _ => Order::Highest,
            };
            let most = Box::new(whole(count, span));
            return Ok(suffixed(pool, SuffixKind::InAll { act, most, first }, span));
        }
        match self.joined(operation) {
            Some(test) => Ok(reroll_once(pool, test, span)),
            None => Err(several(reader, span, "is rerolled once", "ro<=2")),
        }
    }

    /// `e6` again and again; `ra6` one more die for all together.
    fn explode(&self, reader: &Reader, pool: Expr, operation: &Operation, one: bool) -> Read<Expr> {
        let place = operation.span;
        if operation.tests().is_none() {
            return Err(reader.unsaid(
                place,
                "throws another die for the highest or lowest die",
                "here dice explode on what they show: `!>=5`, `! up to 1 in all`",
            ));
        }
        let Some(test) = self.joined(operation) else {
            return Err(several(reader, place, "throws another", "!>=5"));
        };
        let (style, trigger) = (ExplodeStyle::Separate, Some(test));
        let faces = self.faces.as_deref();
        if one {
            let limit = ExplodeLimit::Once;
            let act = explosion_suffix(reader, Explosion { style, trigger, limit, place }, faces)?;
            let (act, most, first) = (Box::new(act), Box::new(whole(1, place)), Order::Thrown);
            return Ok(suffixed(pool, SuffixKind::InAll { act, most, first }, place));
        }
        let limit = ExplodeLimit::Endless;
        explode(reader, pool, Explosion { style, trigger, limit, place }, faces)
    }

    fn clamp(&mut self, reader: &Reader, pool: Expr, operation: &Operation) -> Read<Expr> {
        let bound = match operation.selectors.as_slice() {
            [Selector::Showing(Test { comparison: Comparison::Equal, value })] => *value,
            _ => {
                let message = format!("`{}` takes a number, as in `mi2`", operation.operator);
                return Err(reader.wrong(operation.span, message));
            }
        };
        self.clamped = true;
        let bound = Box::new(whole(bound, operation.span));
        let kind = match operation.operator {
            "mi" => SuffixKind::AtLeast(bound),
            _ => SuffixKind::AtMost(bound),
        };
        Ok(suffixed(pool, kind, operation.span))
    }

    /// One test for all selectors.
    fn joined(&self, operation: &Operation) -> Option<Test> {
        let faces = self.faces.as_deref().filter(|_| !self.clamped);
        joined(&operation.tests()?, faces)
    }
}

/// The same dice with only these faces, and zeros in place of the others.
fn with_zeros(dice: Expr, kept: &[i64], zeros: usize) -> Expr {
    let span = dice.span;
    let ExprKind::Dice { count, .. } = dice.kind else { return dice };
    let zero = i64::try_from(zeros).ok().filter(|zeros| *zeros > 0);
    let zero = zero.map(|zeros| face(0, Some(zeros), span));
    let faces = zero.into_iter().chain(kept.iter().map(|value| face(*value, None, span)));
    let sides = Sides::Faces(faces.collect());
    Expr { kind: ExprKind::Dice { count, sides }, span }
}

/// Whether zeros stand for dropped dice, which are no dice to act on.
fn thinned(pool: &Expr) -> bool {
    let ExprKind::Dice { sides: Sides::Faces(faces), .. } = &pool.kind else { return false };
    faces.iter().any(|face| face.weight.is_some())
}

fn by_value(reader: &Reader, span: Span) -> Box<astragal_syntax::diagnostic::Diagnostic> {
    reader.unsaid(
        span,
        "acts together with a choice of dice by what they show",
        "keep or drop from one end, `kh3`, `dl1`; or count such dice: `cs>3`",
    )
}

fn several(
    reader: &Reader,
    span: Span,
    does: &str,
    written: &str,
) -> Box<astragal_syntax::diagnostic::Diagnostic> {
    let meaning = format!("each die that any of these selectors finds {does}");
    reader.unsaid(span, &meaning, &format!("one condition can be said: `{written}`"))
}
