//! Where states lead, asked once.
//!
//! A step is asked once for each state, counts and kind of face: faces on which steps do the same are of
//! one kind. What is known of a kind is kept as long as one of its faces is to come.

use super::{Steps, WalkError};
use crate::meter::Meter;

/// What is known of the steps of a walk.
pub(super) struct Known {
    /// The kind of each face, and of each kind its last face.
    kinds: Vec<usize>,
    last: Vec<usize>,
    /// For each kind and state where each telling leads.
    leads: Vec<Vec<Vec<u32>>>,
}

/// Not asked yet.
const UNASKED: u32 = u32::MAX;

impl Known {
    pub(super) fn new(kinds: Vec<usize>) -> Known {
        let count = kinds.iter().max().map_or(0, |most| most + 1);
        let mut last = vec![0; count];
        for (face, kind) in kinds.iter().enumerate() {
            last[*kind] = face;
        }
        Known { kinds, last, leads: vec![Vec::new(); count] }
    }

    /// Where a state leads on a face with this telling, which `counts` spells out.
    #[inline]
    pub(super) fn lead<S: Steps>(
        &mut self,
        (state, face, telling): (usize, usize, usize),
        counts: impl FnOnce() -> Vec<u64>,
        steps: &mut S,
        meter: &Meter,
    ) -> Result<usize, WalkError<S::Error>> {
        let of_kind = &mut self.leads[self.kinds[face]];
        if let Some(lead) = of_kind.get(state).and_then(|leads| leads.get(telling))
            && *lead != UNASKED
        {
            return Ok(*lead as usize);
        }
        let lead = steps.step(state, face, &counts()).map_err(WalkError::Step)?;
        if of_kind.len() <= state {
            of_kind.resize(state + 1, Vec::new());
        }
        let leads = &mut of_kind[state];
        if leads.len() <= telling {
            meter.charge((telling + 1 - leads.len()) as u64)?;
            leads.resize(telling + 1, UNASKED);
        }
        leads[telling] = u32::try_from(lead).unwrap_or(UNASKED);
        Ok(lead)
    }

    /// A face is passed.
    pub(super) fn pass(&mut self, face: usize) {
        let kind = self.kinds[face];
        if self.last[kind] == face {
            self.leads[kind] = Vec::new();
        }
    }
}
