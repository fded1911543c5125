//! Asking ahead: all steps of a state at once, and states that no later face tells apart.
//!
//! ```text
//! walk(30d20, {length: 0, last: 0, best: 0}, …)    the longest straight
//! ```
//!
//! The state is the last face and how long the straight is that ends there. But once a face was missed, it is all
//! the same how long it was: from the state `{length: 4, last: 7}` every face after 8 leads where it leads from
//! `{length: 1, last: 3}`. Such states are found by asking for all faces to come at once, and made one. Then not
//! every pair of a last face and a length goes on to the end, but only those of the face just passed.

use rustc_hash::FxHashMap;

use super::super::path::Path;
use super::super::totals::{Factor, add_times};
use super::super::{LiftedSteps, WalkError};
use super::{Edge, Follower, Halt};

/// How many tellings of a state are asked at once, and kept.
const FEW_AT_ONCE: usize = 16;
const MOST_AT_ONCE: usize = 1 << 12;
/// With fewer states there is nothing to be gained, nor if of so many, the oldest, none are alike.
const FEW_STATES: usize = 12;
const OLDEST: usize = 4;
/// After so many faces without two states that are alike there will be none.
const IN_VAIN: usize = 2;
/// The most kinds of faces and numbers of dice to compare states by.
const MOST_AHEAD: usize = 64;

/// What is known about states that are alike.
#[derive(Default)]
pub(super) struct Foresight {
    /// For each state how many kinds of faces were to come when it was asked, and what it does there.
    known: Vec<Option<(usize, Vec<i64>)>>,
    /// How often it was looked for them in vain.
    vain: usize,
    off: bool,
}

impl Foresight {
    pub(super) fn new(may_look: bool) -> Foresight {
        Foresight { off: !may_look, ..Foresight::default() }
    }
}

/// How many tellings there are, if it is worth while to ask for all of them at once; otherwise 0.
pub(super) fn room_at_once(path: &Path<'_>) -> usize {
    let tellings = (0..path.pools.len()).map(|pool| path.tellings(pool));
    let all = tellings.fold(1, usize::saturating_mul);
    if (FEW_AT_ONCE..=MOST_AT_ONCE).contains(&all) { all } else { 0 }
}

impl<S: LiftedSteps + ?Sized> Follower<'_, S> {
    fn tellings(&self) -> (Vec<usize>, usize) {
        let pools = 0..self.path.pools.len();
        let tellings: Vec<usize> = pools.map(|pool| self.path.tellings(pool)).collect();
        let all = tellings.iter().copied().fold(1, usize::saturating_mul);
        (tellings, all)
    }

    /// Asks for all tellings of a state on this face, if that can be done and was not yet.
    pub(super) fn ask_all(&mut self, state: usize) -> Result<(), Halt<S::Error>> {
        if !self.at_once || self.room_at_once == 0 {
            return Ok(());
        }
        let (tellings, all) = self.tellings();
        let asked = self.known.room(self.place, state, all, self.meter)?;
        if (1..all).all(|telling| self.known.lead(asked, telling).is_some()) {
            return Ok(());
        }
        let led = self.steps.all_steps(state, self.place, &tellings).map_err(step_failed)?;
        let Some(led) = led else {
            self.at_once = false;
            return Ok(());
        };
        self.meter.took(crate::ways::AHEAD);
        for (telling, (state, by)) in led.into_iter().enumerate() {
            self.known.learn(asked, telling, self.edges.len());
            self.edges.push(Edge { state, by });
        }
        Ok(())
    }

    /// Where all tellings of a state on this face lead, and nothing with none.
    pub(super) fn table(&mut self, state: usize) -> Result<Vec<Edge>, Halt<S::Error>> {
        let (tellings, all) = self.tellings();
        let mut led = None;
        if all <= MOST_AT_ONCE {
            self.ask_all(state)?;
        } else if self.at_once {
            led = self.steps.all_steps(state, self.place, &tellings).map_err(step_failed)?;
        }
        let mut table = Vec::with_capacity(all);
        match led {
            Some(led) => table.extend(led.into_iter().map(|(state, by)| Edge { state, by })),
            None => {
                let asked = self.known.room(self.place, state, all, self.meter)?;
                for telling in 0..all {
                    table.push(self.edge(asked, state, telling)?);
                }
            }
        }
        table[0] = Edge { state, by: self.nothing() };
        Ok(table)
    }

    /// Makes states one that no face to come tells apart.
    pub(super) fn merge_alike(&mut self) -> Result<(), Halt<S::Error>> {
        if self.foresight.off || self.known.one_kind() {
            return Ok(());
        }
        let (tellings, all) = self.tellings();
        let faces = self.known.to_come(self.place);
        if all.saturating_mul(faces.len()) > MOST_AHEAD {
            return Ok(());
        }
        let mut states: Vec<usize> =
            (0..self.cells).flat_map(|cell| self.going.states(cell)).copied().collect();
        states.sort_unstable();
        states.dedup();
        if states.len() < FEW_STATES {
            return Ok(());
        }
        let Some(alike) = self.alike(&states[..OLDEST], &faces, &tellings)? else { return Ok(()) };
        if alike.is_empty() {
            self.foresight.vain += 1;
            self.foresight.off = self.foresight.vain >= IN_VAIN;
            return Ok(());
        }
        for (state, like) in self.alike(&states, &faces, &tellings)?.unwrap_or_default() {
            self.merge(state, like)?;
        }
        Ok(())
    }

    /// Pairs of states that do the same on all of these faces; none if that cannot be told.
    #[expect(clippy::type_complexity, reason = "perhaps pairs, unless it fails")]
    fn alike(
        &mut self,
        states: &[usize],
        faces: &[usize],
        tellings: &[usize],
    ) -> Result<Option<Vec<(usize, usize)>>, Halt<S::Error>> {
        for &state in states {
            if !self.foresee(state, faces, tellings)? {
                self.foresight.off = true;
                return Ok(None);
            }
        }
        let mut same: FxHashMap<(usize, &[i64]), usize> = FxHashMap::default();
        let mut alike = Vec::new();
        for &state in states {
            let Some(Some((of, does))) = self.foresight.known.get(state) else { continue };
            // What is to come is the end of what was.
            let to_come = &does[does.len() - does.len() / of * faces.len()..];
            self.meter.charge(1 + to_come.len() as u64 / 4)?;
            let like = *same.entry((self.steps.end(state), to_come)).or_insert(state);
            if like != state {
                alike.push((state, like));
            }
        }
        Ok(Some(alike))
    }

    /// Asks what a state does on all faces to come, if that is not known; whether it can be asked.
    fn foresee(
        &mut self,
        state: usize,
        faces: &[usize],
        tellings: &[usize],
    ) -> Result<bool, Halt<S::Error>> {
        let known = &mut self.foresight.known;
        if known.len() <= state {
            known.resize(state + 1, None);
        }
        if known[state].is_none() {
            let does = self.steps.foresee(state, faces, tellings).map_err(step_failed)?;
            known[state] = does.map(|does| (faces.len(), does));
        }
        Ok(known[state].is_some())
    }

    /// Adds the rows of a state to those of another.
    fn merge(&mut self, state: usize, like: usize) -> Result<(), Halt<S::Error>> {
        let mut copy = Vec::new();
        for cell in 0..self.cells {
            let Some(low) = self.going.take(state, cell, &mut copy) else { continue };
            self.pay(copy.len())?;
            let part = self.going.part((like, cell), low, copy.len() / self.width, self.meter)?;
            add_times(part, &copy, Factor::Word(1), self.width);
        }
        Ok(())
    }
}

fn step_failed<E>(error: E) -> Halt<E> {
    Halt::Walk(WalkError::Step(error))
}
