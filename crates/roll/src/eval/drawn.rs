//! Drawing from a bag: what has been drawn is not there to be drawn again.
//!
//! A draw is a throw of a die with the faces that are left, each as heavy as it still lies in the bag: `2d{1: 2, 2: 1} drawn`
//! throws `d{1: 2, 2: 1}` and, if that shows 1, then `d{1: 1, 2: 1}`. So chance still comes in by faces
//! alone, and a script or the odometer needs to know nothing of bags.

use astragal_program::core::{Expr, Kind};
use astragal_program::fault::FaultKind;
use astragal_syntax::Words;
use astragal_syntax::span::Span;
use astragal_value::{OpError, Value};

use super::datum::Datum;
use super::{At, Eval, Interpreter};
use crate::explanation::DieId;
use crate::faces::DieFaces;
use crate::recorder::StepId;
use crate::steps::Said;

/// What lies in a bag.
struct Bag {
    kind: DieFaces,
    /// How often each face does, in the order of the die.
    copies: Vec<u64>,
    left: u64,
}

impl<'a> Interpreter<'a> {
    /// `13d{1..13: 4} drawn`
    #[inline(never)]
    pub(super) fn drawn(
        &mut self,
        span: Span,
        dice: &'a Expr,
        without: &'a [Expr],
        words: &Words,
    ) -> Eval {
        match &dice.kind {
            Kind::Dice { count, die } => {
                let count = self.count(count)?;
                let kind = self.die(dice.span, die)?;
                let first = self.draw(span, count, &kind, without)?;
                let cast = self.last_dice(kind, first);
                let pool = self.laid(dice.span, cast)?;
                let total = pool.total().map_or(Value::None, Value::Number);
                self.said(pool.step, words, total);
                Ok(Datum::pool(pool))
            }
            Kind::Symbols { count, faces } => {
                let number = count.as_ref().map(|count| self.count(count)).transpose()?;
                let kind = self.listed(dice.span, faces)?;
                let first = self.draw(span, number.unwrap_or(1), &kind, without)?;
                let value = self.shown(&kind, number.is_none(), first);
                let step = self.recorder.pool(dice.span, kind, first, value.clone().into());
                self.said(step, words, value.clone());
                Ok(Datum::Value(value))
            }
            Kind::Tally { count, shape, faces } => {
                let count = self.count(count)?;
                let kind = self.listed(dice.span, faces)?;
                let first = self.draw(span, count, &kind, without)?;
                let value = self.tallied(dice.span, &kind, shape, first)?;
                let step = self.recorder.pool(dice.span, kind, first, value.clone().into());
                self.said(step, words, value.clone());
                Ok(Datum::Value(value))
            }
            // The checker draws dice and nothing else.
            _ => Err(OpError::Mismatch).at(span),
        }
    }

    fn said(&mut self, step: StepId, words: &Words, value: Value) {
        if self.recorder.on {
            self.recorder.suffixed(step, Said { words: words.clone(), number: None }, value.into());
        }
    }

    /// Draws faces of a die from a bag; returns the first die.
    fn draw(
        &mut self,
        span: Span,
        count: u64,
        kind: &DieFaces,
        without: &'a [Expr],
    ) -> Eval<DieId> {
        let size = usize::try_from(kind.count()).unwrap_or(usize::MAX);
        self.meter.items(size, span)?;
        let copies = (0..kind.count()).map(|face| kind.weight(face)).collect();
        let mut bag = Bag { kind: kind.clone(), copies, left: kind.total() };
        for gone in without {
            self.take_out(gone, &mut bag)?;
        }
        if count > bag.left {
            return Err(FaultKind::EmptyBag(count, bag.left)).at(span);
        }
        self.meter.expect_dice(count, span)?;
        let mut faces = Vec::new();
        for _ in 0..count {
            self.meter.items(size, span)?;
            self.meter.dice(1, span)?;
            let (rest, places) = kind.left(&bag.copies).at(span)?;
            let face = self.faces.throw(&rest).at(span)?;
            let place = places.get(face as usize).copied().ok_or(OpError::Mismatch).at(span)?;
            bag.take(place as usize);
            faces.push(place);
        }
        let first = self.recorder.dice().next();
        self.recorder.dice_mut().thrown(kind, faces.len()).copy_from_slice(&faces);
        Ok(first)
    }

    /// Takes out of a bag what dice show or a list says.
    fn take_out(&mut self, gone: &'a Expr, bag: &mut Bag) -> Eval<()> {
        let gone_faces: Vec<Value> = match self.eval(gone)? {
            Datum::Pool(pool) => {
                let dice = pool.dice.list(self.recorder.dice());
                dice.iter().map(|die| Value::Number(die.shows.clone())).collect()
            }
            other => match self.plain(other).at(gone.span)? {
                Value::List(items) => items.iter().cloned().collect(),
                _ => return Err(OpError::Mismatch).at(gone.span),
            },
        };
        for face in gone_faces {
            self.meter.items(bag.copies.len(), gone.span)?;
            match bag.find(&face) {
                Some(place) => bag.take(place),
                None => return Err(FaultKind::NotInBag(face)).at(gone.span),
            }
        }
        Ok(())
    }
}

impl Bag {
    /// Where a face lies that is still there.
    fn find(&self, face: &Value) -> Option<usize> {
        let places = 0..self.copies.len();
        let mut there = places.filter(|place| self.copies[*place] > 0);
        there.find(|place| self.kind.value(*place as u64) == *face)
    }

    fn take(&mut self, place: usize) {
        self.copies[place] -= 1;
        self.left -= 1;
    }
}
