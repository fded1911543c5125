//! A small house in memory, honest unless a test makes it lie, and a few devices around it.

#![allow(dead_code, reason = "each test uses a part of it")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::collections::HashMap;

use astragal_fair::formulas::{head_text, house_value, receipt_text, roll_key, seal, table_id};
use astragal_fair::line::{self, Asked, Dice, How, Limits, Opened, Outcome, Witness};
use astragal_fair::request::{self, Role, To};
use astragal_fair::{
    Bytes, Checker, Hash, Id, Kind, LANGUAGE, Programs, Seal, Signature, Value, Wanted, exact,
    hash, library,
};
use astragal_seat::{Event, Post, Seat, Took, Wish};
use ed25519_dalek::{Signer, SigningKey};
use serde::Serialize;
use serde_json::{Value as Json, json};

/// A house: all that a server does with lines, and nothing of how they travel.
pub struct House {
    pub key: SigningKey,
    pub secret: [u8; 32],
    pub id: Id,
    pub lines: Vec<String>,
    pub heads: Vec<String>,
    pub checker: Checker,
    pub laid: HashMap<u64, u64>,
    pub programs: Programs,
    pub rules: Option<std::sync::Arc<str>>,
    pub open: Option<Open>,
    /// Details of hidden rolls, as they are told to who may see them.
    pub whispers: HashMap<u64, Json>,
    witness: Witness,
}

/// A roll that waits for witnesses.
#[derive(Clone)]
pub struct Open {
    pub line: u64,
    pub request: String,
    pub roller: u64,
    pub asked: Vec<Asked>,
    pub opened: Vec<Opened>,
}

impl House {
    pub fn new(seed: u8, witness: Witness) -> House {
        let key = SigningKey::from_bytes(&[seed; 32]);
        let public = Bytes(key.verifying_key().to_bytes());
        let nonce = Bytes([seed; 16]);
        let id = table_id(&public, &nonce);
        let mut house = House {
            key,
            secret: [seed + 1; 32],
            id,
            lines: vec![],
            heads: vec![],
            checker: Checker::new(),
            laid: HashMap::new(),
            programs: Programs::default(),
            rules: None,
            open: None,
            whispers: HashMap::new(),
            witness,
        };
        let first = line::Table {
            v: 1,
            table: id,
            house: public,
            nonce,
            language: LANGUAGE,
            library: library(),
            witness,
            limits: Limits::USUAL,
        };
        house.write(Kind::Table, &first);
        house
    }

    /// The same house once more: a backup, or another history.
    pub fn fork(&self) -> House {
        House {
            key: self.key.clone(),
            secret: self.secret,
            id: self.id,
            lines: self.lines.clone(),
            heads: self.heads.clone(),
            checker: self.checker.clone(),
            laid: self.laid.clone(),
            programs: Programs::default(),
            rules: self.rules.clone(),
            open: self.open.clone(),
            whispers: self.whispers.clone(),
            witness: self.witness,
        }
    }

    /// Writes a line that fits.
    pub fn write<T: Serialize>(&mut self, kind: Kind, content: &T) -> u64 {
        let seq = self.lies(kind, content);
        self.checker.line(&self.lines[seq as usize]).unwrap();
        seq
    }

    /// Writes any line, and signs its head.
    pub fn lies<T: Serialize>(&mut self, kind: Kind, content: &T) -> u64 {
        let seq = self.lines.len() as u64;
        let prev = self.lines.last().map_or(Bytes::ZERO, |line| hash(line.as_bytes()));
        let line = line::written(seq, &prev, kind, content);
        let own = hash(line.as_bytes());
        let sig = self.signed(&head_text(&self.id, seq, &own));
        let head = line::Head { kind: "head".into(), table: self.id, seq, hash: own, sig };
        self.heads.push(exact::write(&head));
        self.lines.push(line);
        seq
    }

    pub fn signed(&self, text: &str) -> Signature {
        Bytes(self.key.sign(text.as_bytes()).to_bytes())
    }

    pub fn log(&self) -> String {
        let lines: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        lines + self.heads.last().unwrap() + "\n"
    }

    pub fn value(&self, seat: u64) -> Value {
        house_value(&self.secret, &self.id, seat as u32, self.laid[&seat])
    }

    pub fn opens(&mut self, seat: u64) -> (Value, Seal) {
        let value = self.value(seat);
        *self.laid.get_mut(&seat).unwrap() += 1;
        (value, seal(&self.value(seat)))
    }

    /// Takes what a device sends. Gives the answer to a testimony.
    pub fn post(&mut self, post: &Post) -> Option<String> {
        let body: Json = serde_json::from_str(&post.body).unwrap();
        if post.path == "testimony" {
            return self.hears(&body);
        }
        let request = body["request"].as_str().unwrap().to_owned();
        let sig = Bytes::read(body["sig"].as_str().unwrap()).unwrap();
        match post.path.as_str() {
            "seats" => self.seats(request, sig, &body["vouched"]),
            "rolls" => self.rolls(request, sig),
            lines => {
                let kind = Kind::of(lines.strip_prefix("lines?kind=").unwrap()).unwrap();
                self.acts(kind, request, sig);
            }
        }
        None
    }

    fn seats(&mut self, request: String, sig: Signature, vouched: &Json) {
        let number = self.checker.seats();
        self.laid.insert(number, 0);
        let vouched = serde_json::from_value(vouched.clone()).unwrap();
        let sealed = seal(&self.value(number));
        self.write(Kind::Seat, &line::Seat { request, sig, vouched, sealed });
    }

    fn acts(&mut self, kind: Kind, request: String, sig: Signature) {
        match kind {
            Kind::Reveal => {
                let (_, asked) = request::read::<request::Reveal>(&request, &self.id).unwrap();
                let told = &self.whispers[&asked.of];
                let roll = told["request"].as_str().unwrap().to_owned();
                let house = serde_json::from_value(told["house"].clone()).unwrap();
                let dice = serde_json::from_value(told["dice"].clone()).unwrap();
                let outcome = serde_json::from_value(told["outcome"].clone()).unwrap();
                let line = line::Reveal { request, sig, roll, house, dice, outcome };
                self.write(kind, &line);
            }
            Kind::Typed => {
                let (_, asked) = request::read::<request::Typed>(&request, &self.id).unwrap();
                let wanted = Wanted {
                    text: &asked.text,
                    inputs: &asked.inputs,
                    rules: self.rules.as_ref(),
                    limits: &Limits::USUAL,
                };
                let outcome = self.programs.typed(&wanted, &asked.faces);
                self.write(kind, &line::Typed { request, sig, outcome });
            }
            _ => {
                if kind == Kind::Rules {
                    let (_, asked) = request::read::<request::Rules>(&request, &self.id).unwrap();
                    self.rules = Some(asked.text.into());
                }
                self.write(kind, &line::Signed { request, sig });
            }
        }
    }

    /// Who has to be asked for a roll of this seat.
    pub fn witnesses(&self, roller: u64) -> Vec<Asked> {
        let role = self.checker.seat(roller).unwrap().role;
        let needed = match self.witness {
            Witness::Always => true,
            Witness::Owner => role != Role::Player,
            Witness::Never => false,
        };
        let can = |number: u64| {
            let seat = self.checker.seat(number).unwrap();
            let here = seat.present || number == roller;
            let good = seat.role != Role::Door && !seat.left && seat.seal.is_some();
            (needed && here && good).then_some((number, seat.m))
        };
        let unsealed = role != Role::Door && can(roller).is_none();
        if unsealed { vec![] } else { (0..self.checker.seats()).filter_map(can).collect() }
    }

    fn rolls(&mut self, request: String, sig: Signature) {
        let (envelope, wish) = request::read::<request::Roll>(&request, &self.id).unwrap();
        let roller = envelope.seat;
        let witnesses = self.witnesses(roller);
        let (n, after, hash) = (envelope.n, envelope.after, hash(request.as_bytes()));
        let hidden = wish.to != To::All;
        if witnesses.is_empty() {
            let (house, sealed) = self.opens(roller);
            let (dice, outcome) = self.throws(&request, &wish, &house, &[], None);
            if !hidden {
                let line = line::Roll { request, sig, house, sealed, dice, outcome };
                self.write(Kind::Roll, &line);
                return;
            }
            let line = line::Hidden { seat: roller, n, after, hash, sig, sealed };
            let seq = self.write(Kind::Hidden, &line);
            self.keep(seq, &request, &house, &dice, &outcome);
            return;
        }
        let asked = witnesses.clone();
        let line = match hidden {
            false => self.write(Kind::Ask, &line::Ask { request: request.clone(), sig, witnesses }),
            true => {
                let line = line::AskHidden { seat: roller, n, after, hash, sig, witnesses };
                self.write(Kind::AskHidden, &line)
            }
        };
        self.open = Some(Open { line, request, roller, asked, opened: vec![] });
    }

    fn keep(&mut self, seq: u64, request: &str, house: &Value, dice: &Dice, outcome: &Outcome) {
        let told = json!({"seq": seq, "request": request, "house": house, "dice": dice, "outcome": outcome});
        self.whispers.insert(seq, told);
    }

    pub fn throws(
        &mut self,
        request: &str,
        wish: &request::Roll,
        house: &Value,
        witnesses: &[Value],
        refused: Option<&str>,
    ) -> (Dice, Outcome) {
        if let Some(why) = refused {
            return (vec![], Outcome(How::Refused, why.into()));
        }
        let key = roll_key(house, &hash(request.as_bytes()), witnesses);
        let wanted = Wanted {
            text: &wish.text,
            inputs: &wish.inputs,
            rules: self.rules.as_ref(),
            limits: &Limits::USUAL,
        };
        self.programs.roll(&wanted, key.0)
    }

    /// Takes a testimony, and signs that it has it.
    fn hears(&mut self, body: &Json) -> Option<String> {
        let open = self.open.as_mut()?;
        let bytes = |name: &str| Bytes::read(body[name].as_str().unwrap()).unwrap();
        let (value, next) = (bytes("value"), bytes("next"));
        let sealed = seal(&value);
        let line: Hash = hash(self.lines[open.line as usize].as_bytes());
        let by = open.asked.iter().find(|(seat, m)| {
            let text =
                astragal_fair::formulas::testimony_text(&self.id, &line, *seat, *m, &value, &next);
            let key = self.checker.seat(*seat).unwrap().key;
            astragal_fair::is_signed(
                &key,
                &text,
                &Bytes::read(body["sig"].as_str().unwrap()).unwrap(),
            )
        });
        let (seat, m) = *by?;
        assert_ne!(sealed, Bytes::ZERO);
        let sig = Bytes::read(body["sig"].as_str().unwrap()).unwrap();
        open.opened.retain(|(by, ..)| *by != seat);
        open.opened.push((seat, value, next, sig));
        open.opened.sort_by_key(|(by, ..)| *by);
        let of = open.line;
        let sig = self.signed(&receipt_text(&self.id, &line, seat, m, &value, &next));
        Some(json!({"of": of, "seat": seat, "m": m, "sig": sig}).to_string())
    }

    /// The time for witnesses is over.
    pub fn closes(&mut self) {
        let Some(open) = self.open.take() else { return };
        let spoke = |seat: u64| open.opened.iter().any(|(by, ..)| *by == seat);
        let missed: Vec<u64> =
            open.asked.iter().map(|(seat, _)| *seat).filter(|seat| !spoke(*seat)).collect();
        let Open { line: of, request, roller, opened, .. } = open;
        if !missed.is_empty() && !missed.contains(&roller) && !opened.is_empty() {
            let next = |seat: u64| self.checker.seat(seat).unwrap().m + 1;
            let witnesses: Vec<Asked> =
                opened.iter().map(|(seat, ..)| (*seat, next(*seat))).collect();
            let asked = witnesses.clone();
            let line = self.write(Kind::Again, &line::Again { of, opened, missed, witnesses });
            self.open = Some(Open { line, request, roller, asked, opened: vec![] });
            return;
        }
        let (_, wish) = request::read::<request::Roll>(&request, &self.id).unwrap();
        let refused = missed.contains(&roller).then_some("silent");
        let values: Vec<Value> = opened.iter().map(|(_, value, ..)| *value).collect();
        let (house, sealed) = self.opens(roller);
        let (dice, outcome) = self.throws(&request, &wish, &house, &values, refused);
        if wish.to == To::All {
            let line = line::Close { of, house, sealed, opened, missed, dice, outcome };
            self.write(Kind::Close, &line);
            return;
        }
        let seq = self.write(Kind::CloseHidden, &line::CloseHidden { of, sealed, opened, missed });
        self.keep(seq, &request, &house, &dice, &outcome);
    }
}

/// A house and devices that see all that it writes.
pub struct Play {
    pub house: House,
    pub devices: Vec<Seat>,
    /// What each device was shown.
    pub shown: Vec<Vec<Event>>,
    drawn: u64,
}

impl Play {
    /// Mara, the game master, Ulf and Ida.
    pub fn three(seed: u8, witness: Witness) -> Play {
        let mut play =
            Play { house: House::new(seed, witness), devices: vec![], shown: vec![], drawn: 0 };
        for (name, role) in [("Mara", Role::Owner), ("Ulf", Role::Player), ("Ida", Role::Player)] {
            play.sits(name, role);
        }
        play
    }

    pub fn fresh<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        for chunk in bytes.chunks_mut(32) {
            self.drawn += 1;
            let drawn = hash(format!("{} {}", self.house.id, self.drawn).as_bytes());
            chunk.copy_from_slice(&drawn.0[..chunk.len()]);
        }
        bytes
    }

    pub fn sits(&mut self, name: &str, role: Role) {
        let fresh = self.fresh();
        let mut seat = Seat::new(self.house.id).forgetful();
        for (line, head) in self.house.lines.iter().zip(&self.house.heads) {
            seat.take(line, Some(head)).unwrap();
        }
        seat.is_here(true);
        seat.sit(&fresh, name, role, None).unwrap();
        for post in seat.to_send() {
            self.house.post(&post);
        }
        self.devices.push(seat);
        self.shown.push(vec![]);
        self.tell();
    }

    /// All devices take what they have not. Testimonies go to the house at once.
    pub fn tell(&mut self) {
        let mut heard = true;
        while std::mem::take(&mut heard) {
            for (device, shown) in self.devices.iter_mut().zip(&mut self.shown) {
                while let Some(line) = self.house.lines.get(device.checker().next() as usize) {
                    let head = &self.house.heads[device.checker().next() as usize];
                    if let Took::Line(event) = device.take(line, Some(head)).unwrap() {
                        shown.push(*event);
                    }
                    for post in device.to_send() {
                        if let Some(receipt) = self.house.post_testimony(&post) {
                            device.acknowledged(&receipt).unwrap();
                            heard = true;
                        }
                    }
                }
            }
        }
    }

    /// A device wants something, and everything runs its course.
    pub fn wishes(&mut self, device: usize, wish: &Wish) {
        self.asks(device, wish);
        for _ in 0..8 {
            self.tell();
            self.house.closes();
        }
        self.tell();
    }

    /// The same up to the line that bears the request.
    pub fn asks(&mut self, device: usize, wish: &Wish) {
        let fresh = self.fresh();
        self.devices[device].wish(wish, &fresh).unwrap();
        for post in self.devices[device].to_send() {
            self.house.post(&post);
        }
    }

    /// What a device saw last.
    pub fn last(&self, device: usize) -> &Event {
        self.shown[device].last().unwrap()
    }
}

impl House {
    /// Takes a testimony, and no other request.
    pub fn post_testimony(&mut self, post: &Post) -> Option<String> {
        if post.path == "testimony" { self.post(post) } else { None }
    }
}

/// A roll of a text, for all.
pub fn roll(text: &str) -> Wish {
    Wish::Roll { text: text.into(), inputs: vec![], to: To::All, about: Default::default() }
}

/// A roll for some.
pub fn hide(text: &str, to: To) -> Wish {
    Wish::Roll { text: text.into(), inputs: vec![], to, about: Default::default() }
}
