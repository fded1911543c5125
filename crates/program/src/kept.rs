//! What the library's functions have become, kept for the next program.
//!
//! ```text
//! cofd.action(30)      writes core functions for `action` and all it calls, for these types of arguments
//! cofd.action(7) - 1   in another program copies them
//! ```
//!
//! A function of the library mentions nothing but the library, so what it becomes depends on the types of its
//! arguments alone. When a program is accepted, the core functions of the library in it are kept as they are
//! when finished: with numbers of their own, and with their variables settled. Copies are charged what writing
//! them has cost, so that the limits of a program hold whatever was kept before.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::choices::Decisions;
use crate::core::{Expr, Function, FunctionId, Kind, Program};
use crate::finish::Origins;
use crate::scope::DefinitionId;
use crate::types::Type;
use crate::walk::children;

/// Which core function of a definition: the one for these types of arguments.
pub(crate) type InstanceKey = (DefinitionId, Vec<Type>);

/// What it takes to write a core function.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Expressions, those of the functions it calls left out.
    pub(crate) nodes: usize,
    /// How deep the checker goes, with the functions it calls.
    pub(crate) depth: usize,
}

/// What is known of a call with certain types.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// None if it is copied to where it is called.
    pub(crate) function: Option<FunctionId>,
    pub(crate) ty: Type,
    pub(crate) cost: Cost,
}

/// A finished core function of the library.
#[derive(Debug)]
pub(crate) struct KeptFunction {
    /// Calls in it are of kept functions.
    pub(crate) function: Function,
    /// Which of its variables held dice and now hold sums.
    pub(crate) sums: Vec<bool>,
    /// Whether a choice or a `maximise` stands in it.
    pub(crate) plays: bool,
    calls: Vec<FunctionId>,
    nodes: usize,
}

/// The kept functions that a program copies.
pub(crate) type Copies = FxHashMap<FunctionId, Arc<KeptFunction>>;

/// What is kept.
#[derive(Debug, Default)]
pub(crate) struct Kept(RwLock<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    /// By a hash that programs with types of their own cannot foresee.
    known: HashMap<InstanceKey, Known>,
    functions: Vec<Arc<KeptFunction>>,
}

/// A function that was written for a program.
pub(crate) struct Written {
    pub(crate) key: InstanceKey,
    /// It is a function that the library offers.
    pub(crate) library: bool,
    /// Its number in the finished program; none if it is copied to where it is called.
    pub(crate) place: Option<usize>,
    pub(crate) ty: Type,
    pub(crate) cost: Cost,
}

/// Kept functions have numbers from here on, those of a program lower ones.
const FIRST: u32 = 1 << 31;

/// No more is kept: programs with types of their own must not fill the memory.
const MOST: usize = 4000;

/// Whether a function is a kept one.
pub(crate) fn is_kept(id: FunctionId) -> bool {
    id.0 >= FIRST
}

impl Kept {
    /// What is known of a call.
    pub(crate) fn find(&self, key: &InstanceKey) -> Option<Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).known.get(key).cloned()
    }

    /// Takes copies of a function and all it calls, but for those that are there. Says how many expressions
    /// it would have taken to write them.
    pub(crate) fn copy(&self, id: FunctionId, copies: &mut Copies) -> usize {
        let shelf = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut nodes = 0;
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            let Some(found) = shelf.functions.get((id.0 & !FIRST) as usize) else { continue };
            if copies.insert(id, Arc::clone(found)).is_none() {
                nodes += found.nodes;
                waiting.extend(&found.calls);
            }
        }
        nodes
    }

    /// Keeps what the library's functions have become in an accepted program, and the functions they call.
    pub(crate) fn keep(&self, written: Vec<Written>, program: &Program, origins: &Origins) {
        let mut shelf = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let Shelf { known, functions } = &mut *shelf;
        if known.len().max(functions.len()) + written.len() > MOST {
            return;
        }
        let places =
            written.iter().filter_map(|written| Some((written.place?, written.cost.nodes)));
        let nodes: FxHashMap<usize, usize> = places.collect();
        let mut numbering = Numbering {
            numbers: origins
                .order
                .iter()
                .map(|origin| is_kept(*origin).then_some(*origin))
                .collect(),
            first: functions.len(),
            order: Vec::new(),
        };
        for Written { key, place, ty, cost, .. } in written.into_iter().filter(|one| one.library) {
            let function = place.map(|place| numbering.number(place));
            known.entry(key).or_insert(Known { function, ty, cost });
        }
        let mut next = 0;
        while let Some(place) = numbering.order.get(next).copied() {
            next += 1;
            let Some(mut function) = program.functions.get(place).cloned() else { break };
            let mut calls = Vec::new();
            numbering.renumber(&mut function.body, &mut calls);
            let sums = origins.sums.get(place).cloned().unwrap_or_default();
            let nodes = nodes.get(&place).copied().unwrap_or(0);
            let plays = Decisions::default().holds_play(&function.body);
            functions.push(Arc::new(KeptFunction { function, sums, plays, calls, nodes }));
        }
    }
}

/// The numbers of kept functions by those they have in a program.
struct Numbering {
    numbers: Vec<Option<FunctionId>>,
    /// How many were kept before.
    first: usize,
    /// Those to be kept now, by the numbers in the program.
    order: Vec<usize>,
}

impl Numbering {
    fn number(&mut self, place: usize) -> FunctionId {
        let next = u32::try_from(self.first + self.order.len()).unwrap_or(FIRST - 1);
        match self.numbers.get_mut(place) {
            Some(Some(known)) => *known,
            Some(slot) => {
                self.order.push(place);
                *slot.insert(FunctionId(FIRST + next))
            }
            None => FunctionId(u32::MAX),
        }
    }

    /// Gives calls the kept functions' numbers, and lists them.
    fn renumber(&mut self, expr: &mut Expr, calls: &mut Vec<FunctionId>) {
        if let Kind::Call { function, .. } = &mut expr.kind {
            *function = self.number(function.0 as usize);
            calls.push(*function);
        }
        children(expr, &mut |child| self.renumber(child, calls));
    }
}
