//! Hands dealt from one bag.
//!
//! ```text
//! let mine = 5d{1..13: 4} drawn
//! let theirs = 5d{1..13: 4} drawn without mine
//! largest_set(mine) > largest_set(theirs)
//! ```
//!
//! Where further dice are drawn from what the first draw leaves in the bag, all of them are hands of one deal:
//! questions bear the number of the hand that they ask, and one walk answers them all
//! ([`astragal_prob::pool::deal`]). A draw is part of the deal if everything that was dealt before is out of its
//! bag, and nothing else but faces that are certain. Other draws are left to the general way, which decides what
//! is out of the bag hand by hand.

use astragal_prob::Natural;
use astragal_prob::pool::Die;

use super::{Hands, View};

/// Hands that are dealt from one bag.
pub(crate) struct Deal {
    pub(super) bag: Die,
    /// How many dice each hand has.
    pub(super) hands: Vec<u64>,
}

impl Deal {
    /// The first hand; none if there are not so many dice in the bag.
    pub(crate) fn first(bag: Die, dice: u64) -> Option<Deal> {
        (Natural::from(dice) <= *bag.total()).then(|| Deal { bag, hands: vec![dice] })
    }

    /// How many hands there are.
    pub(crate) fn hands(&self) -> usize {
        self.hands.len()
    }

    /// How many dice the hands after the first have.
    pub(crate) fn later_hands(&self) -> &[u64] {
        &self.hands[1..]
    }

    /// One more hand. None if it would not be drawn from just what the others leave.
    pub(crate) fn draw(&mut self, dice: u64, bag: &Die, out: &View) -> Option<Hands> {
        let hand = Hands::one(self.hands.len())?;
        let dealt = self.hands.iter().fold(Natural::from(dice), |sum, dice| sum + *dice);
        let from_the_rest = out.hands.numbers().eq(0..self.hands.len()) && *bag == self.bag;
        if !from_the_rest || dealt > *bag.total() {
            return None;
        }
        self.hands.push(dice);
        Some(hand)
    }
}
