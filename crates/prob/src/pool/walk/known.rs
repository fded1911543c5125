//! Where states lead, asked once.
//!
//! A step is asked once for each state, telling and kind of face: a telling is the counts as one number, and
//! faces on which steps do the same are of one kind. What is known of a kind is kept as long as one of its
//! faces is to come.

use crate::growing::{Growing, lengthen};
use crate::meter::{Meter, OverBudget, Rent, places_to_grow};

/// What is known of the steps of a walk.
pub(super) struct Known {
    /// The kind of each face, and of each kind its last face.
    kinds: Vec<usize>,
    last: Vec<usize>,
    leads: Vec<Leads>,
}

/// For each state where its tellings lead: a row of one common store.
#[derive(Default)]
struct Leads {
    rows: Vec<(usize, usize)>,
    leads: Vec<u32>,
    rent: Option<Rent>,
}

/// A telling of some state on some face that there is room for.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    kind: usize,
    row: usize,
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
        Known { kinds, last, leads: (0..count).map(|_| Leads::default()).collect() }
    }

    /// How many faces from this one on are of one kind.
    pub(super) fn run(&self, face: usize) -> usize {
        let kind = self.kinds[face];
        self.kinds[face..].iter().take_while(|other| **other == kind).count()
    }

    /// Whether steps do the same on all faces.
    pub(super) fn one_kind(&self) -> bool {
        self.leads.len() == 1
    }

    /// Whether steps do something else on each face.
    pub(super) fn all_differ(&self) -> bool {
        self.leads.len() == self.kinds.len()
    }

    /// Whether all of some tellings were asked.
    pub(super) fn has_asked(&self, asked: Asked, from: usize, to: usize) -> bool {
        from > to || !self.leads(asked)[from..=to].contains(&UNASKED)
    }

    /// Room for so many tellings of a state.
    pub(super) fn room(
        &mut self,
        face: usize,
        state: usize,
        tellings: usize,
        meter: &Meter,
    ) -> Result<Asked, OverBudget> {
        let kind = self.kinds[face];
        let Leads { rows, leads, rent } = &mut self.leads[kind];
        if rows.len() <= state {
            let more = (state + 1).max(2 * rows.len());
            let bytes = 16 * more + 4 * leads.capacity();
            rent.get_or_insert_with(|| meter.rent()).grow(bytes as u64, meter)?;
            meter.charge((more - rows.len()) as u64 / 4)?;
            lengthen(rows, more, &(0, 0), meter)?;
        }
        let (row, len) = rows[state];
        if len >= tellings {
            return Ok(Asked { kind, row });
        }
        meter.charge(tellings as u64)?;
        let bytes = 16 * rows.len() + 4 * places_to_grow(leads.capacity(), leads.len() + tellings);
        rent.get_or_insert_with(|| meter.rent()).grow(bytes as u64, meter)?;
        leads.make_room(tellings, meter)?;
        let moved = leads.len();
        leads.extend_from_within(row..row + len);
        leads.resize(moved + tellings, UNASKED);
        rows[state] = (moved, tellings);
        Ok(Asked { kind, row: moved })
    }

    /// Where a telling leads, if it was asked.
    #[inline]
    pub(super) fn lead(&self, asked: Asked, telling: usize) -> Option<usize> {
        let lead = self.leads[asked.kind].leads[asked.row + telling];
        (lead != UNASKED).then_some(lead as usize)
    }

    /// Where the tellings lead that were asked.
    pub(super) fn leads(&self, asked: Asked) -> &[u32] {
        &self.leads[asked.kind].leads[asked.row..]
    }

    pub(super) fn learn(&mut self, asked: Asked, telling: usize, lead: usize) {
        let lead = u32::try_from(lead).unwrap_or(UNASKED);
        self.leads[asked.kind].leads[asked.row + telling] = lead;
    }

    /// A face is passed.
    pub(super) fn pass(&mut self, face: usize) {
        let kind = self.kinds[face];
        if self.last[kind] == face {
            self.leads[kind] = Leads::default();
        }
    }
}
