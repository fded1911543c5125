//! What else happens at a simulated table.

use std::sync::Arc;

use ed25519_dalek::SigningKey;
use serde::Serialize;

use crate::bytes::{Bytes, Hash};
use crate::formulas::{move_text, said};
use crate::judge::{LANGUAGE, Wanted};
use crate::kind::Kind;
use crate::line;
use crate::request::{self, For, NewSeal, Nothing};

use super::{Table, signed};

impl Table {
    /// Any other request of a seat.
    pub fn act<T: Serialize>(&mut self, seat: u64, kind: Kind, asked: &T) -> u64 {
        let (request, sig) = self.sign(seat, kind, asked);
        self.write(kind, &line::Signed { request, sig })
    }

    /// The hash of words beside the log.
    pub fn words(&mut self, words: &str) -> Hash {
        let mut salt = [0; 16];
        salt.copy_from_slice(&self.fresh().0[..16]);
        said(&salt, words)
    }

    /// Real dice.
    pub fn type_in(&mut self, seat: u64, text: &str, faces: &str) -> u64 {
        let (text, faces) = (text.to_owned(), faces.to_owned());
        let asked = request::Typed { text, inputs: Vec::new(), faces, r#for: For::Nothing };
        let (request, sig) = self.sign(seat, Kind::Typed, &asked);
        let (rules, limits) = (self.newest_rules(), self.limits);
        let rules = rules.as_ref();
        let wanted = Wanted { text: &asked.text, inputs: &[], rules, limits: &limits };
        let outcome = self.programs.typed(&wanted, &asked.faces);
        self.write(Kind::Typed, &line::Typed { request, sig, outcome })
    }

    /// New house rules.
    pub fn rule(&mut self, seat: u64, text: &str) -> u64 {
        let seq = self.act(seat, Kind::Rules, &request::Rules { text: text.into() });
        self.rules.push((seq, Arc::from(text)));
        seq
    }

    /// A roll is struck.
    pub fn strike(&mut self, seat: u64, of: u64) -> u64 {
        let words = self.words("the cat did it");
        self.act(seat, Kind::Strike, &request::Strike { of, words })
    }

    /// A seat lays a new seal: it is here again.
    pub fn reseal_witness(&mut self, seat: u64) -> u64 {
        let id = self.id;
        let device = self.device(seat);
        device.m += 1;
        device.spent = false;
        device.present = true;
        let seal = device.seal(&id);
        self.act(seat, Kind::Seal, &NewSeal { seal })
    }

    /// A seat leaves.
    pub fn leave(&mut self, seat: u64) -> u64 {
        let seq = self.act(seat, Kind::Left, &Nothing {});
        self.device(seat).left = true;
        seq
    }

    /// The house says who is here.
    pub fn here(&mut self, seats: &[u64]) -> u64 {
        for (number, device) in (0..).zip(&mut self.seats) {
            device.present = seats.contains(&number);
        }
        self.write(Kind::Present, &line::Present { seats: seats.to_vec() })
    }

    /// The house seals anew, with a fresh secret.
    pub fn reseal(&mut self) -> u64 {
        let staying: Vec<u64> =
            (0..).zip(&self.seats).filter(|(_, device)| !device.left).map(|(at, _)| at).collect();
        let retired = staying.iter().map(|seat| (*seat, self.value(*seat))).collect();
        self.secret = self.fresh().0;
        let sealed = staying.iter().map(|seat| (*seat, self.current_seal(*seat))).collect();
        self.write(Kind::Reseal, &line::Reseal { retired, sealed })
    }

    /// The house has another engine.
    pub fn upgrade(&mut self, library: Hash) -> u64 {
        self.write(Kind::Language, &line::Language { language: LANGUAGE, library })
    }

    /// The table goes to another house.
    pub fn move_house(&mut self) -> u64 {
        let new = SigningKey::from_bytes(&self.fresh().0);
        let house = Bytes(new.verifying_key().to_bytes());
        let sig = signed(&self.house, &move_text(&self.id, self.seq(), &self.prev(), &house));
        self.write(Kind::Move, &line::Move { house, sig });
        self.house = new;
        self.reseal()
    }
}
