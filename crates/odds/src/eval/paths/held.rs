//! Dice that are read several times, on a path: decided no further than the path has asked.
//!
//! ```text
//! let dice = 6d20
//! if nth_lowest(dice, 1) == 1 then min(dice drop lowest keep lowest, d20) else dice keep lowest
//! ```
//!
//! All readings together tell 210 hands apart, but no path asks for all of them, and of the lowest die only
//! matters whether it is a one. So a path holds a group of hands; a reading splits it by the answer. What a
//! condition or a variable comes to brings hands together again that differ in nothing else.

use std::cell::RefCell;
use std::rc::Rc;

use astragal_prob::{Natural, Rational};
use astragal_value::Value;
use rustc_hash::FxHashMap;

use super::joint::Joint;
use super::view::{Hands, Origin, Question};
use super::{Chance, Datum, Frame, NotSo, Paths, Step, Then};
use crate::plan::{Node, NodeId};

/// Dice in hand, and which hands they may still be.
pub(super) struct Held {
    joint: Rc<Joint>,
    /// Where the hands after the first are drawn, if they are dealt together.
    places: Vec<NodeId>,
    group: RefCell<Rc<Group>>,
}

/// Hands by their place in the list of all, and what they weigh together.
pub(super) struct Group {
    hands: Vec<usize>,
    weight: Natural,
}

impl Group {
    fn of(joint: &Joint, hands: Vec<usize>) -> Group {
        let weights = hands.iter().map(|hand| &joint.hands[*hand].1);
        let weight = weights.fold(Natural::ZERO, |sum, weight| sum + weight);
        Group { hands, weight }
    }
}

impl Held {
    /// Dice of which nothing is known yet, and the weight of all hands.
    pub(super) fn new(joint: Rc<Joint>, places: Vec<NodeId>) -> (Held, Natural) {
        let all = Group::of(&joint, (0..joint.hands.len()).collect());
        let weight = all.weight.clone();
        (Held { joint, places, group: RefCell::new(Rc::new(all)) }, weight)
    }

    /// The hand that is drawn in a place.
    pub(super) fn hand_drawn_at(&self, place: NodeId) -> Option<Hands> {
        let number = self.places.iter().position(|known| *known == place)?;
        Hands::one(number + 1)
    }

    fn group(&self) -> Rc<Group> {
        Rc::clone(&self.group.borrow())
    }

    /// Does something while the dice are known to be one of these hands.
    fn within(&self, group: Group, run: impl FnOnce() -> Step) -> Step {
        let outer = self.group.replace(Rc::new(group));
        let done = run();
        self.group.replace(outer);
        done
    }
}

impl Chance {
    /// The chance of some of the hands whose weight is a part of this chance.
    fn of_part(&self, part: &Group, whole: &Group) -> Chance {
        let weight = if self.weight == whole.weight {
            part.weight.clone()
        } else {
            &self.weight / &whole.weight * &part.weight
        };
        Chance { weight, total: Rc::clone(&self.total) }
    }
}

impl<'m, 'p> Paths<'m, 'p> {
    /// Goes on with each answer that the hands may give.
    pub(super) fn answered(
        &mut self,
        held: &Held,
        question: &Question,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        let joint = &*held.joint;
        let at = joint.questions.iter().position(|known| known == question).ok_or(NotSo)?;
        let answer = |hand: usize| joint.hands[hand].0[at];
        let whole = held.group();
        let value = |number: u32| joint.answers[at][number as usize].clone();
        let (first, rest) = whole.hands.split_first().ok_or(NotSo)?;
        if rest.iter().all(|hand| answer(*hand) == answer(*first)) {
            return then(self, Datum::Value(value(answer(*first))), frame, chance);
        }
        self.machine.meter.charge(whole.hands.len() as u64).map_err(|_| NotSo)?;
        let mut sorted = whole.hands.clone();
        sorted.sort_by_key(|hand| answer(*hand));
        for hands in sorted.chunk_by(|one, other| answer(*one) == answer(*other)) {
            let part = Group::of(joint, hands.to_vec());
            let chance = chance.of_part(&part, &whole);
            let datum = Datum::Value(value(answer(hands[0])));
            held.within(part, || then(self, datum, frame, &chance))?;
        }
        Ok(())
    }

    /// An expression that looks at dice in hand: hands for which it comes to the same go on together.
    pub(super) fn brought_together(
        &mut self,
        node: &'p Node,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        let place = node.id;
        let Some(held) = only_held(node, frame) else {
            return self.datum(node, frame, chance, then);
        };
        let whole = held.group();
        if whole.hands.len() < 2 {
            return self.datum(node, frame, chance, then);
        }
        let (depth, calls) = (self.depth, self.calls.clone());
        let outer = std::mem::take(&mut self.notes);
        let certain = Chance { weight: whole.weight.clone(), total: Rc::new(whole.weight.clone()) };
        let mut places: FxHashMap<Value, usize> = FxHashMap::default();
        let mut parts: Vec<(Value, Vec<usize>)> = Vec::new();
        let done = self.datum(node, frame, &certain, &mut |_, datum, _, chance| {
            let Datum::Value(value) = datum else { return Err(NotSo) };
            // After a throw the same hand may come to different values.
            if !Rc::ptr_eq(&chance.total, &certain.total) {
                return Err(NotSo);
            }
            let hands = held.group();
            match places.get(&value) {
                Some(at) => parts[*at].1.extend_from_slice(&hands.hands),
                None => {
                    places.insert(value.clone(), parts.len());
                    parts.push((value, hands.hands.clone()));
                }
            }
            Ok(())
        });
        let notes = std::mem::replace(&mut self.notes, outer);
        if done.is_err() {
            (self.depth, self.calls) = (depth, calls);
            self.machine.known.loose.insert(place);
            return self.datum(node, frame, chance, then);
        }
        for (text, part) in notes {
            let total = Natural::clone(&chance.total);
            let here = Rational::from_parts(chance.weight.clone().into(), total);
            self.noted(text, part * here);
        }
        for (value, hands) in parts {
            let part = Group::of(&held.joint, hands);
            let chance = chance.of_part(&part, &whole);
            held.within(part, || then(self, Datum::Value(value), frame, &chance))?;
        }
        Ok(())
    }
}

/// The dice in hand that an expression looks at; none if it looks at others too.
fn only_held(node: &Node, frame: &Frame) -> Option<Rc<Held>> {
    let mut found: Option<&Rc<Held>> = None;
    for (_, dice) in frame.dice.iter().filter(|(local, _)| node.free.contains(*local)) {
        let Origin::Held(held) = &dice.origin else { return None };
        if found.is_some_and(|found| !Rc::ptr_eq(found, held)) {
            return None;
        }
        found = Some(held);
    }
    found.cloned()
}
