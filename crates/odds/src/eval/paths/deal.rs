//! Hands dealt from one bag.
//!
//! ```text
//! let mine = 5d{1..13: 4} drawn
//! let theirs = 5d{1..13: 4} drawn without mine
//! largest_set(mine) > largest_set(theirs)
//! ```
//!
//! Where looking ahead from the first draw shows further draws from what it leaves in the bag, all of them are
//! hands of one deal: questions bear the number of the hand that they ask, one walk answers them all
//! ([`astragal_prob::pool::deal`]), and on a path the hands are held together, so that what is known of one
//! tells of the others. A draw is part of the deal if everything that was dealt before is out of its bag, and
//! nothing else but faces that are certain. Other draws are left to the general way, which decides what is
//! out of the bag hand by hand.

use std::rc::Rc;

use astragal_prob::pool::{Die as PlainDie, Source, Stage};
use astragal_prob::{Natural, Rational};
use astragal_value::Value;

use super::atom::{weighted, whole};
use super::uses::{Look, Scene};
use super::view::{Dice, Hands, Origin, View};
use super::{Chance, Datum, Frame, NotSo, Paths, Step, Then};
use crate::eval::drawn::bag_of;
use crate::plan::{Die, Kind, Node, NodeId};
use crate::state::Table;

/// Hands that are dealt from one bag.
pub(super) struct Deal {
    pub(super) bag: PlainDie,
    /// How many dice each hand has.
    pub(super) hands: Vec<u64>,
    /// Where the hands after the first are drawn, by these places.
    pub(super) places: Vec<NodeId>,
}

impl Deal {
    /// The first hand; none if the dice are not drawn.
    pub(super) fn first(table: &Table) -> Option<Deal> {
        let [(count, Source::Die(bag))] = table.groups.as_slice() else { return None };
        let drawn = table.random.is_none() && table.stages == [Stage::Drawn];
        drawn.then(|| Deal { bag: bag.clone(), hands: vec![*count], places: Vec::new() })
    }

    /// One more hand. None if it would not be drawn from just what the others leave.
    fn draw(&mut self, place: NodeId, dice: u64, bag: &PlainDie, out: Hands) -> Option<Hands> {
        let hand = Hands::one(self.hands.len())?;
        let dealt = self.hands.iter().fold(Natural::from(dice), |sum, dice| sum + *dice);
        // What is drawn in one place again and again could not be told apart.
        let again = self.places.contains(&place);
        let from_the_rest = out.numbers().eq(0..self.hands.len()) && *bag == self.bag;
        if again || !from_the_rest || dealt > *bag.total() {
            return None;
        }
        self.hands.push(dice);
        self.places.push(place);
        Some(hand)
    }
}

impl<'p> Look<'_, 'p> {
    /// A draw from what is left in the bag: a hand of the deal, if it is one.
    pub(super) fn dealt(&mut self, node: &'p Node, scene: &mut Scene) -> Option<View> {
        let Kind::Drawn { dice, without } = &node.kind else { return None };
        let Kind::Dice { count, die } = &dice.kind else { return None };
        let count = whole(&self.value(count, scene)?)?;
        let mut bag = self.bag(die, scene)?;
        let mut out = Vec::new();
        for part in without {
            if let Some(view) = self.alias(part, scene) {
                out.push(view);
                continue;
            }
            let Value::List(faces) = self.value(part, scene)? else { return None };
            for face in faces.iter() {
                let face = face.as_number()?.to_rational();
                let (_, copies) = bag.iter_mut().find(|(known, _)| *known == face)?;
                *copies = copies.checked_sub(1)?;
            }
        }
        bag.retain(|(_, copies)| *copies > 0);
        let place = node.id;
        let out = View::together(&out)?.hands;
        self.deal.as_mut()?.draw(place, count, &bag_of(bag)?, out).map(View::of)
    }

    /// How many of each face lie in a bag.
    fn bag(&mut self, die: &'p Die, scene: &mut Scene) -> Option<Vec<(Rational, u64)>> {
        let sides = match die {
            Die::Sides(sides) => whole(&self.value(sides, scene)?)?,
            Die::Percent => 100,
            Die::Fate => return Some([-1, 0, 1].map(|face| (Rational::from(face), 1)).to_vec()),
            Die::Faces(faces) => {
                let parts = faces.iter().flat_map(|face| [&face.value, &face.weight]);
                let values = parts.map(|part| self.value(part, scene)).collect::<Option<Vec<_>>>();
                return weighted(&values?);
            }
        };
        self.machine.meter.charge(sides).ok()?;
        Some((1..=sides).map(|face| (Rational::from(face), 1)).collect())
    }
}

impl<'m, 'p> Paths<'m, 'p> {
    /// A draw from what is left in the bag, foreseen as a hand of a deal.
    pub(super) fn dealt(
        &mut self,
        node: &'p Node,
        without: &'p [Node],
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        let place = node.id;
        let dealt = without.iter().find_map(|part| {
            let Kind::Local(local) = &part.kind else { return None };
            let Origin::Held(held) = &frame.dice(*local)?.origin else { return None };
            Some(Dice::held(held, View::of(held.hand_drawn_at(place)?)))
        });
        then(self, Datum::Dice(dealt.ok_or(NotSo)?), frame, chance)
    }
}

/// Hands of one deal, laid together.
pub(super) fn laid_together(data: &[Datum]) -> Option<Dice> {
    let held = |datum: &Datum| match datum {
        Datum::Dice(Dice { origin: Origin::Held(held), view, .. }) => {
            Some((Rc::clone(held), view.clone()))
        }
        _ => None,
    };
    let (held, views): (Vec<_>, Vec<_>) = data.iter().map(held).collect::<Option<_>>()?;
    let (first, others) = held.split_first()?;
    let one_deal = others.iter().all(|other| Rc::ptr_eq(first, other));
    one_deal.then(|| View::together(&views).map(|view| Dice::held(first, view)))?
}
