//! Ends of a loop with a number that is endless.
//!
//! ```text
//! repeat with hits = 0 next hits = hits + (6d10! cs>=8) until hits >= 10
//! ```
//!
//! From the node `h` the loop ends with `h + X` where that is at least 10. The laws of these ends are not made
//! one by one: with `H` for how likely each node is, they are together what `H + X` is from 10 on, one
//! sum that is cut once.

use std::rc::Rc;

use astragal_prob::Weighted;
use astragal_prob::chain::{Finite, mass};
use astragal_prob::{Comparison, Law, Meter, OverBudget, Rational};
use astragal_value::Value;
use rustc_hash::FxHashMap;

use super::rounds::OpenEnd;
use super::with_law;
use crate::eval::repeat::Ends;

/// Open ends, by what they have in common.
#[derive(Default)]
pub(super) struct OpenGroups {
    places: FxHashMap<Key, usize>,
    groups: Vec<Group>,
}

/// The carried values but for the open number, which of them it is, the throw (by its address), and the least
/// number.
type Key = (Vec<Value>, usize, usize, i64);

struct Group {
    fields: Vec<Value>,
    at: usize,
    law: Rc<Law>,
    least: i64,
    members: Vec<(usize, OpenEnd)>,
}

impl OpenGroups {
    pub(super) fn add(&mut self, place: usize, mut fields: Vec<Value>, end: OpenEnd) {
        let (at, least) = (end.at, end.from + end.shift);
        fields[at] = Value::None;
        let key = (fields, at, Rc::as_ptr(&end.law) as usize, least);
        let groups = &mut self.groups;
        let group = *self.places.entry(key).or_insert_with_key(|(fields, ..)| {
            let (fields, law) = (fields.clone(), Rc::clone(&end.law));
            groups.push(Group { fields, at, law, least, members: Vec::new() });
            groups.len() - 1
        });
        groups[group].members.push((place, end));
    }

    /// The ends with their laws.
    pub(super) fn ends(self, solved: &Finite, meter: &Meter) -> Result<Ends, OverBudget> {
        let mut ends = Ends::new();
        for group in self.groups {
            let places: Vec<usize> = group.members.iter().map(|(place, _)| *place).collect();
            let (counted, total) = solved.together(&places);
            let chance = Rational::from_parts(mass(&counted).into(), total);
            let mut before = Vec::with_capacity(places.len());
            for ((_, end), counted) in group.members.iter().zip(counted) {
                let (tail, all) = &end.tail;
                before.push((
                    end.shift,
                    Rational::from_parts((mass(&[counted]) * all).into(), tail.clone()),
                ));
            }
            let Some(before) = weighed(before) else { continue };
            let sum = before.sum(&group.law, meter)?;
            let least = Rational::from(group.least);
            let [(_, law), _] = sum.split(Comparison::AtLeast, &least, meter)?;
            ends.extend(law.map(|law| with_law(group.fields, Some(group.at), law, chance)));
        }
        Ok(ends)
    }
}

/// The law with these weights.
fn weighed(weights: Vec<(i64, Rational)>) -> Option<Law> {
    Weighted::of_chances(weights).and_then(|weighted| Law::of_whole(weighted.outcomes))
}
