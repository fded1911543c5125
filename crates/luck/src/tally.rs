//! Places, added up.

use astragal::Rational;

use crate::between::Between;
use crate::rolls::Weighed;

/// A roll as it is told of: its line, its program, what it came to, and how likely as much was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The line in which it was rolled.
    pub line: u64,
    /// Whose roll it is.
    pub seat: u64,
    /// The program.
    pub text: String,
    /// What counted of its result.
    pub value: String,
    /// The chance of this or more of the luckiest, of this or less of the unluckiest.
    pub chance: Between,
}

/// Places, added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many rolls count.
    pub rolls: u64,
    /// The sum of their places.
    pub sum: Between,
    /// The variance of that sum.
    pub variance: Between,
    /// The least likely of the good ones.
    pub luckiest: Option<Told>,
    /// The least likely of the bad ones.
    pub unluckiest: Option<Told>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            rolls: 0,
            sum: Between::zero(),
            variance: Between::zero(),
            luckiest: None,
            unluckiest: None,
        }
    }
}

impl Tally {
    /// What the sum is on average: half a roll each.
    pub fn expected(&self) -> Rational {
        Rational::from(self.rolls) / Rational::from(2u8)
    }

    /// Takes a roll that counts.
    pub fn take(&mut self, roll: &Weighed) {
        self.rolls += 1;
        self.sum += &roll.place.place;
        self.variance += &roll.place.variance;
        less_likely(&mut self.luckiest, roll, &roll.place.at_least);
        less_likely(&mut self.unluckiest, roll, &roll.place.at_most);
    }
}

/// The earlier of two that are equally likely stays.
fn less_likely(known: &mut Option<Told>, roll: &Weighed, chance: &Between) {
    if known.as_ref().is_none_or(|known| chance.to < known.chance.to) {
        *known = Some(Told {
            line: roll.line,
            seat: roll.seat,
            text: roll.text.clone(),
            value: roll.value.clone(),
            chance: chance.clone(),
        });
    }
}
