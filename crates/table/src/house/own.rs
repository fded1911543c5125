//! What the house says by itself: who is here, another engine, new seals.

use astragal_fair::formulas::{house_value, move_text, seal};
use astragal_fair::line::{self, Line};
use astragal_fair::{Bytes, Key, LANGUAGE, Seal, Signer, Value};
use ed25519_dalek::Signer as _;

use super::{House, Step, Written};
use crate::problem::Problem;

impl House {
    /// Who is to be called present, if these are connected and the log says otherwise.
    pub fn newly_present(&self, online: &[u64]) -> Option<Vec<u64>> {
        let stays = |seat: &u64| self.seat(*seat).is_some_and(|seat| !seat.left);
        let mut seats: Vec<u64> = online.iter().copied().filter(stays).collect();
        seats.sort_unstable();
        seats.dedup();
        (self.goes_on() && seats != self.here()).then_some(seats)
    }

    /// These seats are connected now.
    pub(super) fn present(&mut self, online: &[u64]) -> Result<Step, Problem> {
        let seats = self.newly_present(online);
        let line = seats.map(|seats| self.write(Line::Present(line::Present { seats })));
        Ok(Step::Written(line.into_iter().collect()))
    }

    /// Whether something has to be said before anything else, and can be.
    pub fn must_settle(&self) -> bool {
        let engine = (self.engine.0, self.engine.1) != (LANGUAGE, self.own_library);
        let free = self.open.is_none() && self.goes_on();
        free && (engine || self.must_reseal)
    }

    fn goes_on(&self) -> bool {
        !self.ended && !self.lost && !self.moved
    }

    pub(super) fn public(&self) -> Key {
        Bytes(self.key.verifying_key().to_bytes())
    }

    /// Gives the table to the house with another key: the last line that is written here.
    pub fn leave(&mut self, to: &Key) -> Result<Written, Problem> {
        self.check_goes_on()?;
        if self.open.is_some() {
            return Err(Problem::new(409, "ask-open", "a roll waits for its witnesses")
                .help("start the server, wait some seconds, stop it, and move the table then"));
        }
        if Signer::of(to).is_none() || *to == self.public() {
            return Err(Problem::new(422, "request", "this is no key of another house"));
        }
        let text = move_text(&self.id, self.seq(), &self.prev, to);
        let sig = Bytes(self.key.sign(text.as_bytes()).to_bytes());
        Ok(self.write(Line::Move(line::Move { house: *to, sig })))
    }

    /// Takes up a table that was given to this house: new seals, in the line after the move.
    pub fn arrive(&mut self, fresh: &[u8; 32]) -> Result<Written, Problem> {
        self.check_goes_on()?;
        Ok(self.reseal(fresh))
    }

    /// From now on the house seals anew before anything else.
    pub fn restored(&mut self) {
        self.must_reseal = true;
    }

    /// Says it.
    pub(super) fn settle(&mut self, fresh: &[u8; 32]) -> Step {
        let mut written = Vec::new();
        if !self.must_settle() {
            return Step::Written(written);
        }
        if (self.engine.0, self.engine.1) != (LANGUAGE, self.own_library) {
            let line = line::Language { language: LANGUAGE, library: self.own_library };
            written.push(self.write(Line::Language(line)));
        }
        if self.must_reseal {
            written.push(self.reseal(fresh));
        }
        Step::Written(written)
    }

    fn reseal(&mut self, fresh: &[u8; 32]) -> Written {
        let staying = (0..).zip(&self.seats).filter(|(_, seat)| !seat.left);
        let staying: Vec<(u64, u64)> = staying.map(|(at, seat)| (at, seat.sealed.0)).collect();
        let of = |secret: &[u8; 32], seat: u64, n| house_value(secret, &self.id, seat as u32, n);
        let retired: Vec<(u64, Value)> =
            staying.iter().map(|(seat, n)| (*seat, of(&self.secret, *seat, *n))).collect();
        let sealed: Vec<(u64, Seal)> =
            staying.iter().map(|(seat, n)| (*seat, seal(&of(fresh, *seat, n + 1)))).collect();
        let written = self.write(Line::Reseal(line::Reseal { retired, sealed }));
        self.secret = *fresh;
        self.must_reseal = false;
        Written { secret: Some(*fresh), ..written }
    }
}
