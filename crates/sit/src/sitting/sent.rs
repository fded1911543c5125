//! What goes to the house: signed, kept, sent, and sent again until it is answered.

use std::time::Instant;

use astragal_fair::request::{Role, To};
use astragal_seat::{Refusal, Wish};

use super::heard::LinkRole;
use super::{Device, KEEPS, SLOW, Told, fresh};

impl Device {
    /// Signs, keeps and sends what may be signed, kept and sent now.
    pub(super) fn push(&mut self) -> Result<(), String> {
        self.sit()?;
        self.sign()?;
        if !self.seat.is_saved() {
            self.keeps()?;
        }
        self.sends();
        self.looks_at_the_clock();
        if self.kept_at.elapsed() > KEEPS {
            self.keeps_head();
        }
        Ok(())
    }

    /// Takes a place, when all lines are there.
    fn sit(&mut self) -> Result<(), String> {
        let Some(name) = self.name.clone().filter(|_| self.live && !self.sits) else {
            return Ok(());
        };
        if self.seat.token().is_some() && !self.late {
            return Ok(());
        }
        // Whoever comes first with an owner's link is the game master; another one would need the first one's word.
        let owner = self.role == LinkRole::Owner && !self.has_owner();
        let role = if owner { Role::Owner } else { Role::Player };
        match self.seat.sit(&fresh()?, &name, role, None) {
            Ok(()) => self.late = false,
            Err(Refusal::Waiting | Refusal::Behind) => {}
            Err(refusal) => return Err(refusal.to_string()),
        }
        Ok(())
    }

    fn has_owner(&self) -> bool {
        let checker = self.seat.checker();
        let mut seats = (0..checker.seats()).filter_map(|number| checker.seat(number));
        seats.any(|seat| seat.role == Role::Owner)
    }

    /// One wish at a time, a new seal before all others.
    fn sign(&mut self) -> Result<(), String> {
        if self.name.is_none() && self.wishes.pop_front().is_some() {
            self.tell(Told::Refused(Refusal::NotSeated));
        }
        if !self.live || !self.sits || self.seat.is_waiting() {
            return Ok(());
        }
        if self.seat.needs_seal() {
            // It may be asked just now; then later.
            let _ = self.seat.wish(&Wish::Seal, &fresh()?);
            return Ok(());
        }
        let Some(wish) = self.wishes.front() else { return Ok(()) };
        match self.seat.wish(wish, &fresh()?) {
            Ok(()) => {
                self.sees = self.will_see(wish);
                self.wishes.pop_front();
            }
            Err(
                Refusal::Waiting
                | Refusal::Behind
                | Refusal::Asking
                | Refusal::Asked
                | Refusal::Unsealed
                | Refusal::NotSeated,
            ) => {}
            Err(refusal) => {
                self.wishes.pop_front();
                self.tell(Told::Refused(refusal));
            }
        }
        Ok(())
    }

    /// Whether the house will show this seat what it rolls by that.
    fn will_see(&self, wish: &Wish) -> bool {
        let Wish::Roll { to, .. } = wish else { return false };
        let own = self.seat.number();
        let role = own.and_then(|own| self.seat.checker().seat(own)).map(|seat| seat.role);
        match to {
            To::All => false,
            To::Owner => role == Some(Role::Owner),
            To::Myself => true,
            To::Seats(seats) => own.is_some_and(|own| seats.contains(&own)),
        }
    }

    fn keeps(&mut self) -> Result<(), String> {
        let (Some(state), version) = (self.seat.state(), self.seat.version()) else {
            return Ok(());
        };
        if let (Some(keep), Some(name)) = (&self.keep, &self.name) {
            keep.save(name, &state)
                .map_err(|error| format!("the seat's key cannot be kept: {error}"))?;
        }
        self.kept_head = self.seat.head().map(str::to_owned);
        self.seat.saved(version);
        Ok(())
    }

    /// The newest head is worth keeping too, and nothing waits for it.
    pub(super) fn keeps_head(&mut self) {
        self.kept_at = Instant::now();
        if self.seat.head() != self.kept_head.as_deref()
            && self.seat.stopped().is_none()
            && self.sits
        {
            // What must be kept is kept elsewhere.
            let _ = self.keeps();
        }
    }

    fn sends(&mut self) {
        let secret = if self.sits {
            self.seat.token().map(|token| token.to_string()).unwrap_or_default()
        } else {
            self.secret.clone()
        };
        for post in self.seat.to_send() {
            let waits = self.again.get(&post.body).is_some_and(|at| *at > Instant::now());
            if waits
                || self.late
                || self.given_up.contains(&post.body)
                || !self.flying.insert(post.body.clone())
            {
                continue;
            }
            self.again.remove(&post.body);
            let way = if post.path == "testimony" { &self.testimonies } else { &self.requests };
            // A thread that has ended takes nothing more: then this is over too.
            let _ = way.send((post, secret.clone()));
        }
    }

    fn looks_at_the_clock(&mut self) {
        if !self.seat.is_waiting() {
            (self.since, self.slow) = (None, false);
            return;
        }
        let slow = self.since.get_or_insert_with(Instant::now).elapsed() > SLOW;
        if slow && !std::mem::replace(&mut self.slow, true) {
            self.tell(Told::Slow);
        }
    }
}
