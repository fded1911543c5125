//! What to do beyond all that was looked at.
//!
//! Best play of a turn of Pig never has 60 points: beyond a horizon, holding is proven to be best, and no further place was
//! looked at. Who threw on all the same comes to places that no case lists, and what was proven holds for them.

use std::sync::Arc;

use astragal_program::points::{HeldOf, PlaceOf, Plays};
use astragal_value::{Number, Value};

use crate::policy::Policy;
use crate::scores::without;

impl Policy {
    /// What is best at a place beyond those that are listed, if it was proven for all numbers from some point on.
    pub fn beyond(&self, plays: &Plays, place: &PlaceOf) -> Option<&Arc<str>> {
        let along = self.along?;
        let (place, _) = &without(&self.scores, plays, place)?;
        let own = number(place, along)?;
        let nearer = self.listed().find(|(known, case)| {
            self.is_end(case)
                && number(known, along).is_some_and(|known| known <= own)
                && is_same_but_for(known, place, along)
        });
        nearer.and_then(|(_, case)| case.options.get(case.taken)).map(|(label, _)| label)
    }
}

fn number(place: &PlaceOf, along: usize) -> Option<&Number> {
    match place.values.get(along)? {
        HeldOf::Value(Value::Number(number)) => Some(number),
        HeldOf::Value(_) | HeldOf::Dice(_) => None,
    }
}

fn is_same_but_for(known: &PlaceOf, place: &PlaceOf, along: usize) -> bool {
    let others = |place: &PlaceOf| {
        let mut others = place.clone();
        others.values.truncate(along);
        others.values.extend_from_slice(place.values.get(along + 1..).unwrap_or_default());
        others
    };
    others(known) == others(place)
}
