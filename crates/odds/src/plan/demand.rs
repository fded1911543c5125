//! How much of a value is asked for.
//!
//! `kaiser.opposed(…).outcome` asks for one field of a record. Whatever serves only the other fields
//! need not be computed, and, more to the point, need not be kept apart: two totals that are no longer
//! needed once they are compared can be compared exactly although both are endless.
//!
//! Of a list, too, less than all may be asked. `length(sets(12d12))` asks nothing of the items, and a walk that
//! gathers them need not tell them apart. Where a list is only sorted, its order is not asked for, and a walk that
//! gathers it may keep it sorted: lists that differ in their order alone are one.
//! Of dice the sum may be all: that of a branch, or of what a function yields, is then read in there.

use std::collections::BTreeMap;

/// What is asked of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Demand {
    /// Nothing of it; it is evaluated only where it may fail.
    Nothing,
    /// These fields of a record.
    Fields(BTreeMap<usize, Demand>),
    /// How many items a list has, and so much of each.
    Items(Box<Demand>),
    /// The items of a list, in any order.
    Bag,
    /// The sum of dice: what is asked for is that number, not the dice.
    Sum,
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
            Demand::Items(_) | Demand::Bag | Demand::Sum | Demand::All => Demand::All,
        }
    }

    /// The items of a list, and of each so much.
    pub(crate) fn items(each: Demand) -> Demand {
        if each == Demand::All { Demand::All } else { Demand::Items(Box::new(each)) }
    }

    /// What is asked of each item of a list.
    pub(crate) fn of_item(&self) -> Demand {
        match self {
            Demand::Nothing => Demand::Nothing,
            Demand::Items(each) => (**each).clone(),
            Demand::Fields(_) | Demand::Bag | Demand::Sum | Demand::All => Demand::All,
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
            (Demand::Items(mine), Demand::Items(theirs)) => Demand::items(mine.join(*theirs)),
            (Demand::Bag, Demand::Bag) => Demand::Bag,
            (Demand::Bag, Demand::Items(each)) | (Demand::Items(each), Demand::Bag)
                if *each == Demand::Nothing =>
            {
                Demand::Bag
            }
            (Demand::Fields(_) | Demand::Items(_) | Demand::Bag | Demand::Sum, _) => Demand::All,
        }
    }
}
