//! How much of a value is asked for.
//!
//! `kaiser.opposed(…).outcome` asks for one field of a record. Whatever serves only the other fields
//! need not be computed, and, more to the point, need not be kept apart: two totals that are no longer
//! needed once they are compared can be compared exactly although both are endless.

use std::collections::BTreeMap;

/// What is asked of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Demand {
    /// Nothing of it; it is evaluated only where it may fail.
    Nothing,
    /// These fields of a record.
    Fields(BTreeMap<usize, Demand>),
    /// All of it.
    All,
}

impl Demand {
    /// One field, and of it so much.
    pub(crate) fn field(index: usize, demand: Demand) -> Demand {
        if demand == Demand::Nothing {
            return Demand::Nothing;
        }
        Demand::Fields(BTreeMap::from([(index, demand)]))
    }

    /// What is asked of a field, given what is asked of its record.
    pub(crate) fn of_field(&self, index: usize) -> Demand {
        match self {
            Demand::Nothing => Demand::Nothing,
            Demand::Fields(fields) => fields.get(&index).cloned().unwrap_or(Demand::Nothing),
            Demand::All => Demand::All,
        }
    }

    /// Both demands.
    pub(crate) fn join(self, other: Demand) -> Demand {
        match (self, other) {
            (Demand::All, _) | (_, Demand::All) => Demand::All,
            (Demand::Nothing, demand) | (demand, Demand::Nothing) => demand,
            (Demand::Fields(mut mine), Demand::Fields(theirs)) => {
                for (index, demand) in theirs {
                    let joined = mine.remove(&index).unwrap_or(Demand::Nothing).join(demand);
                    mine.insert(index, joined);
                }
                Demand::Fields(mine)
            }
        }
    }
}
