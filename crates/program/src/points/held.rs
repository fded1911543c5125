//! What variables hold where a game stands, in the words of both meanings.
//!
//! A roll finds its place among those that the odds know by what its variables hold. So a pool is written down in one way:
//! the dice that count, each with what it shows and its marks. Which die it was, in which order they fell and what became of
//! others is nothing that can be read off dice on the table, and two pools that agree in the rest are the same.

use astragal_value::Number;

use crate::core::Value;

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HeldOf {
    /// A value.
    Value(Value),
    /// Dice on the table.
    Dice(Laid),
}

/// Dice on the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Laid {
    dice: Vec<(Number, i64)>,
    marked: bool,
}

impl HeldOf {
    /// A value; dice are a list of what they show.
    pub fn shown(&self) -> Value {
        match self {
            HeldOf::Value(value) => value.clone(),
            HeldOf::Dice(laid) => laid.shown(),
        }
    }
}

impl Laid {
    /// Dice in any order: what each shows, and its marks for less those against. A pool that is marked is worth its marks.
    pub fn new(dice: impl IntoIterator<Item = (Number, i64)>, marked: bool) -> Laid {
        let mut dice: Vec<_> = dice.into_iter().collect();
        dice.sort();
        Laid { dice, marked }
    }

    /// The dice, from the lowest.
    pub fn dice(&self) -> &[(Number, i64)] {
        &self.dice
    }

    /// Whether they are worth their marks.
    pub fn is_marked(&self) -> bool {
        self.marked
    }

    /// What they show, from the lowest.
    pub fn shown(&self) -> Value {
        let shown: Vec<_> =
            self.dice.iter().map(|(shows, _)| Value::Number(shows.clone())).collect();
        Value::List(shown.into())
    }
}
