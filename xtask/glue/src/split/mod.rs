//! One module in parts that are loaded one after the other: what is needed first, what is needed often, the rest.
//!
//! ```text
//! first   memory, tables, globals, all data, and the functions that the first programs need
//! later   functions alone; all that they work on is imported from the first part, and from those between
//! ```
//!
//! All parts share one table. A function of a later part stands in it where the module had it, or in a new slot at
//! the end if somebody in an earlier part calls it directly, which becomes a call through that slot. While a part is
//! not there, its slots hold a function that traps, or nothing: whoever catches the trap fetches the next part and
//! asks a fresh instance again. A call into an earlier part is a call of an import.

mod body;
mod first;
mod later;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::shape::Shape;

/// The module in parts. `lists` say which functions each part has, but for the last one, which has all others. What
/// is known by name is in the first.
pub(crate) fn split(module: &[u8], lists: &[Vec<u32>]) -> Result<Vec<Vec<u8>>, String> {
    let plan = Plan::new(Shape::of(module)?, lists);
    let mut parts = vec![first::first(module, &plan)?];
    for part in 1..=lists.len() {
        parts.push(later::later(module, &plan, part)?);
    }
    Ok(parts)
}

/// Which function goes where.
struct Plan {
    shape: Shape,
    /// By function: its part. What the module imports belongs to the first.
    part: Vec<usize>,
    /// Slots of functions that are not in the first part.
    slots: BTreeMap<u32, u32>,
    /// How large the table is with the new slots.
    table: u64,
    /// By part: its functions that later parts call, in the order of their names `0`, `1`, …
    lent: Vec<Vec<u32>>,
}

impl Plan {
    fn new(shape: Shape, lists: &[Vec<u32>]) -> Plan {
        let last = lists.len();
        let mut part: Vec<usize> = vec![last; shape.types.len()];
        for (place, list) in lists.iter().enumerate().rev() {
            for function in list.iter().filter(|function| (**function as usize) < shape.types.len())
            {
                part[*function as usize] = place;
            }
        }
        for function in (0..shape.imported).chain(shape.named.iter().copied()) {
            part[function as usize] = 0;
        }
        let mut plan = Plan { part, slots: BTreeMap::new(), table: 0, lent: Vec::new(), shape };
        plan.give_slots();
        plan.lent =
            (0..=last).map(|owner| plan.called(|from, to| to == owner && from > owner)).collect();
        plan
    }

    fn part_of(&self, function: u32) -> usize {
        self.part[function as usize]
    }

    /// The functions of a part that have a body.
    fn bodies(&self, part: usize) -> impl Iterator<Item = u32> + '_ {
        let all = self.shape.imported..self.shape.types.len() as u32;
        all.filter(move |function| self.part_of(*function) == part)
    }

    /// The functions that are called from one part to another, in order, each once.
    fn called(&self, across: impl Fn(usize, usize) -> bool) -> Vec<u32> {
        let bodies = (self.shape.imported..).zip(&self.shape.calls);
        let calls = bodies
            .flat_map(|(caller, callees)| callees.iter().map(move |callee| (caller, *callee)));
        let wanted =
            calls.filter(|(caller, callee)| across(self.part_of(*caller), self.part_of(*callee)));
        let mut callees: Vec<u32> = wanted.map(|(_, callee)| callee).collect();
        callees.sort_unstable();
        callees.dedup();
        callees
    }

    fn give_slots(&mut self) {
        let moved = self.shape.slots.iter().filter(|(_, function)| self.part_of(**function) > 0);
        self.slots = moved.map(|(slot, function)| (*function, *slot)).collect();
        self.table = self.shape.tables.first().map_or(0, |table| table.initial);
        for function in self.called(|from, to| from < to) {
            if !self.slots.contains_key(&function) {
                self.slots.insert(function, self.table as u32);
                self.table += 1;
            }
        }
    }

    /// The first table with room for the new slots.
    fn grown(&self, mut table: wasmparser::TableType) -> wasmparser::TableType {
        table.initial = table.initial.max(self.table);
        table.maximum = table.maximum.map(|most| most.max(self.table));
        table
    }
}

/// What the first part calls its tables, memories and globals towards the others.
fn name(kind: &str, at: usize) -> String {
    format!("~{kind}{at}")
}
