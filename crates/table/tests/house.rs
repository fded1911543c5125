//! A house writes what the checker of `crates/fair` takes, whatever is asked of it, and after it was read again from its lines.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::collections::HashMap;

use astragal_fair::line::Witness;
use astragal_fair::request::{self, For, Nothing, Role, To};
use astragal_fair::{Bytes, Checker, Hash, Kind, Made, Programs, hash, library};
use astragal_table::Problem;
use astragal_table::client::Player;
use astragal_table::house::{Act, Aside, House, Kept, Request, Signed, Step, Written, head};
use ed25519_dalek::SigningKey;
use serde_json::Value as Json;

/// A table with its house, its checker and its devices.
struct Evening {
    house: House,
    kept: Kept,
    checker: Checker,
    lines: Vec<String>,
    players: Vec<Player>,
    programs: Programs,
    asides: HashMap<u64, Aside>,
    made: Vec<Made>,
    drawn: u64,
    seed: u64,
}

impl Evening {
    fn new(witness: Witness, seed: u64) -> Evening {
        let kept = Kept { key: [1; 32], secret: [2; 32], must_reseal: false };
        let nonce = Bytes(hash(&seed.to_le_bytes()).0[..16].try_into().unwrap());
        let key = SigningKey::from_bytes(&kept.key);
        let (house, first) = House::new(key, kept.secret, nonce, witness, library());
        let mut evening = Evening {
            house,
            kept,
            checker: Checker::new(),
            lines: Vec::new(),
            players: Vec::new(),
            programs: Programs::default(),
            asides: HashMap::new(),
            made: Vec::new(),
            drawn: 0,
            seed,
        };
        evening.take(first);
        evening
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.drawn += 1;
        let drawn = hash(format!("{} {}", self.seed, self.drawn).as_bytes());
        u64::from_le_bytes(drawn.0[..8].try_into().unwrap()) % below
    }

    fn newest(&self) -> Hash {
        self.house.newest()
    }

    /// A line goes to the checker, and to all devices.
    fn take(&mut self, written: Written) {
        let taken = self.checker.line(&written.text);
        let taken = taken.unwrap_or_else(|wrong| panic!("{wrong}: {wrong:?}\n{}", written.text));
        self.made.extend(taken.made);
        if let Some(aside) = written.aside {
            self.asides.insert(written.seq, aside);
        }
        if let Some(secret) = written.secret {
            self.kept = Kept { secret, must_reseal: false, ..self.kept.clone() };
        }
        self.lines.push(written.text);
        for player in &mut self.players {
            player.newest = written.hash;
        }
    }

    /// Asks the house, throws what it wants to be thrown, and takes what it writes.
    fn act(&mut self, act: &Act) -> Result<Step, Problem> {
        let mut thrown = None;
        loop {
            match self.house.act(act, thrown.as_ref())? {
                Step::Throw(throw) => {
                    thrown = Some(astragal_table::thrown(&mut self.programs, &throw));
                }
                Step::Written(lines) => {
                    for line in lines.clone() {
                        self.take(line);
                    }
                    return Ok(Step::Written(lines));
                }
                other => return Ok(other),
            }
        }
    }

    fn sit(&mut self, role: Role) -> u64 {
        let seat = self.players.len() as u64;
        let seed = self.seed * 100 + seat;
        let id = self.house.id();
        let mut player = Player::new(id, seat, &format!("seat {seat}"), role, self.newest(), seed);
        let body = player.sit();
        let vouched = (role == Role::Owner && seat > 0).then(|| {
            let text = body["request"].as_str().unwrap();
            let text = astragal_fair::formulas::owner_text(&id, 0, &hash(text.as_bytes()));
            (0, astragal_fair::simulate::signed(&self.players[0].device.key, &text))
        });
        let request: Request<request::Seat> = read(&body, &id);
        self.act(&Act::Sit(request, vouched)).unwrap();
        player.newest = self.newest();
        self.players.push(player);
        seat
    }

    fn player(&mut self, seat: u64) -> &mut Player {
        &mut self.players[seat as usize]
    }

    fn roll(&mut self, seat: u64, text: &str, to: To) -> Result<Step, Problem> {
        let id = self.house.id();
        let body = self.player(seat).roll(text, to);
        self.act(&Act::Roll(read(&body, &id)))
    }

    fn signs(
        &mut self,
        seat: u64,
        kind: Kind,
        body: &impl serde::Serialize,
    ) -> Result<Step, Problem> {
        let id = self.house.id();
        let body = self.player(seat).sign(kind, body);
        self.signed(kind, &body, &id)
    }

    fn signed(&mut self, kind: Kind, body: &Json, id: &Bytes<16>) -> Result<Step, Problem> {
        let (text, sig) = (body["request"].as_str().unwrap(), body["sig"].as_str().unwrap());
        let request = Signed::read(kind, text, sig, id).unwrap().unwrap();
        self.act(&Act::Sign(request))
    }

    /// All who are asked answer but for some; then the time is over, as often as need be.
    fn answer(&mut self, silent: &[u64]) {
        while let Some((line, _)) = self.house.asks() {
            let asked = self.asked();
            for seat in asked {
                if silent.contains(&seat) {
                    continue;
                }
                let opened = self.player(seat).testify();
                if self.house.asks().is_some_and(|(open, _)| open == line) {
                    self.act(&Act::Hear(line, opened)).unwrap();
                    let receipt = self.house.receipt(line, &opened).unwrap();
                    assert_eq!((receipt.of, receipt.seat), (line, seat));
                }
            }
            if self.house.asks().is_some_and(|(open, _)| open == line) {
                self.act(&Act::Due(line)).unwrap();
            }
        }
        // Whoever missed lays a new seal.
        for seat in silent {
            let player = self.player(*seat);
            let spent = player.device.role != Role::Door && !player.device.left;
            if spent {
                let id = self.house.id();
                let body = self.player(*seat).seal();
                // One that was not asked has laid one too many, which is allowed.
                self.signed(Kind::Seal, &body, &id).unwrap();
            }
        }
    }

    /// Who is asked in the newest line that asks.
    fn asked(&self) -> Vec<u64> {
        let text = self.lines.last().unwrap();
        let line: Json = serde_json::from_str(text).unwrap();
        let witnesses = line["witnesses"].as_array().expect("the newest line asks");
        witnesses.iter().map(|asked| asked[0].as_u64().unwrap()).collect()
    }

    /// The house is read again from its lines.
    fn reload(&mut self) {
        let lines = self.lines.iter().map(String::as_str);
        let mut house = House::load(&self.kept, library(), lines).unwrap();
        if let Some(line) = house.wants_aside() {
            house.bring(&self.asides[&line]);
        }
        assert_eq!((house.seq(), house.newest()), (self.house.seq(), self.house.newest()));
        assert_eq!(house.asks(), self.house.asks());
        assert_eq!(house.here(), self.house.here());
        self.house = house;
    }

    /// The log with its head is right, says the checker.
    fn finish(mut self) -> (astragal_fair::Report, Vec<Made>) {
        let seq = self.lines.len() as u64 - 1;
        let newest = self.newest();
        // Any line that is written now would be followed by its head: here it is written alone.
        let text = astragal_fair::formulas::head_text(&self.house.id(), seq, &newest);
        let sig = astragal_fair::simulate::signed(&SigningKey::from_bytes(&self.kept.key), &text);
        self.checker.line(&head(self.house.id(), seq, newest, sig)).unwrap();
        (self.checker.finish().unwrap(), self.made)
    }
}

fn read<T>(body: &Json, id: &Bytes<16>) -> Request<T>
where
    T: serde::Serialize + serde::de::DeserializeOwned,
{
    Request::read(body["request"].as_str().unwrap(), body["sig"].as_str().unwrap(), id).unwrap()
}

#[test]
fn an_evening_with_everything_fits() {
    for witness in [Witness::Always, Witness::Owner, Witness::Never] {
        for seed in 0..6 {
            wild(witness, seed);
        }
    }
}

/// A random evening.
fn wild(witness: Witness, seed: u64) {
    let mut evening = Evening::new(witness, seed);
    let roles = [Role::Owner, Role::Player, Role::Player, Role::Door];
    for role in roles {
        evening.sit(role);
    }
    let programs = ["2d6+3", "d20+5", "4d6kh3", "5000d6", "d6 +", "hit(3, 12)", "10 / 0"];
    for step in 0..60 {
        let seats = evening.players.len() as u64;
        let seat = evening.draw(seats);
        if evening.player(seat).device.left {
            continue;
        }
        let other = evening.draw(seats);
        let silent: Vec<u64> = if evening.draw(4) == 0 { vec![other] } else { Vec::new() };
        let text = programs[evening.draw(7) as usize];
        match evening.draw(10) {
            0..4 => {
                evening.roll(seat, text, To::All).unwrap();
                evening.answer(&silent);
            }
            4 | 5 => {
                let to = [To::Owner, To::Myself, To::Seats(vec![1, 2])][evening.draw(3) as usize]
                    .clone();
                evening.roll(seat, text, to).unwrap();
                if evening.draw(2) == 0 {
                    evening.reload();
                }
                evening.answer(&silent);
                reveal_last(&mut evening, seat);
            }
            6 => {
                let rules = request::Rules { text: "fn hit(a, b) = d20 + a >= b".into() };
                let done = evening.signs(seat, Kind::Rules, &rules);
                if seat != 0 {
                    assert_eq!(done.unwrap_err().code, "not-for-you");
                    evening.player(seat).device.n -= 1;
                }
            }
            7 => {
                let online: Vec<u64> = (0..seats).filter(|_| evening.draw(4) > 0).collect();
                evening.act(&Act::Present(online)).unwrap();
            }
            8 => {
                let id = evening.house.id();
                let asked = request::Typed {
                    text: "2d6+1".into(),
                    inputs: Vec::new(),
                    faces: "3,4".into(),
                    r#for: For::Nothing,
                };
                let body = evening.player(seat).sign(Kind::Typed, &asked);
                evening.act(&Act::Typed(read(&body, &id))).unwrap();
            }
            _ => {
                evening.house.restored();
                let fresh = hash(&[step]).0;
                evening.act(&Act::Settle(fresh)).unwrap();
            }
        }
        if evening.draw(5) == 0 {
            evening.reload();
        }
    }
    evening.signs(2, Kind::Left, &Nothing {}).unwrap();
    evening.player(2).device.left = true;
    evening.roll(1, "d20", To::All).unwrap();
    evening.answer(&[]);
    evening.signs(0, Kind::End, &Nothing {}).unwrap();
    assert_eq!(evening.roll(1, "d20", To::All).unwrap_err().code, "ended");
    let (report, _) = evening.finish();
    assert!(report.ended && report.is_sure() && report.vetoes.is_empty(), "{report:?}");
}

/// Reveals the newest hidden roll, if this seat may.
fn reveal_last(evening: &mut Evening, roller: u64) {
    let closed = evening.asides.iter().filter(|(_, aside)| aside.house.is_some());
    let Some(of) = closed.map(|(seq, _)| *seq).max() else { return };
    let id = evening.house.id();
    let body = evening.player(roller).sign(Kind::Reveal, &request::Reveal { of });
    let aside = Some(Box::new(evening.asides[&of].clone()));
    let done = evening.act(&Act::Reveal(read(&body, &id), aside));
    if let Err(problem) = done {
        // A roll by somebody else, who meant it for himself.
        assert_eq!(problem.code, "not-for-you");
        evening.player(roller).device.n -= 1;
    }
}

#[test]
fn the_same_request_has_the_same_line_and_another_is_refused() {
    let mut evening = Evening::new(Witness::Never, 1);
    evening.sit(Role::Owner);
    let id = evening.house.id();
    let body = evening.player(0).roll("d20", To::All);
    let act = Act::Roll(read(&body, &id));
    assert!(matches!(evening.act(&act), Ok(Step::Written(lines)) if lines.len() == 1));
    assert!(matches!(evening.act(&act), Ok(Step::Repeated(2))));
    evening.player(0).device.n -= 1;
    assert_eq!(evening.roll(0, "d20", To::All).unwrap_err().code, "number-used");
    evening.player(0).device.n += 1;
    let gap = evening.roll(0, "d20", To::All).unwrap_err();
    assert_eq!((gap.code, gap.expected), ("number-not-next", Some(Box::new(2.into()))));
    evening.player(0).device.n = 2;
    evening.player(0).newest = hash(b"elsewhere");
    assert_eq!(evening.roll(0, "d20", To::All).unwrap_err().code, "after-unknown");
    evening.player(0).device.n = 2;
    evening.player(0).newest = hash(evening.lines[1].as_bytes());
    assert_eq!(evening.roll(0, "d20", To::All).unwrap_err().code, "after-old");
}

#[test]
fn a_roll_waits_while_witnesses_are_asked_for_another() {
    let mut evening = Evening::new(Witness::Always, 2);
    for role in [Role::Owner, Role::Player] {
        evening.sit(role);
    }
    let id = evening.house.id();
    evening.roll(0, "d20", To::All).unwrap();
    let body = evening.player(1).roll("d6", To::All);
    let waiting = Act::Roll(read(&body, &id));
    assert!(matches!(evening.act(&waiting), Ok(Step::Wait)));
    assert_eq!(evening.roll(0, "d20", To::All).unwrap_err().code, "ask-open");
    evening.player(0).device.n -= 1;
    evening.answer(&[]);
    assert!(matches!(evening.act(&waiting), Ok(Step::Written(_))));
    evening.answer(&[0]);
    let (_, made) = evening.finish();
    assert_eq!(made, [Made::Witnessed, Made::Deserted]);
}

#[test]
fn testimony_is_taken_once_and_only_as_it_was_sealed() {
    let mut evening = Evening::new(Witness::Always, 3);
    for role in [Role::Owner, Role::Player] {
        evening.sit(role);
    }
    evening.roll(0, "d20", To::All).unwrap();
    let (line, _) = evening.house.asks().unwrap();
    let good = evening.player(1).testify();
    let (seat, value, next, sig) = good;
    for (bad, code) in [
        ((seat, Bytes([9; 32]), next, sig), "seal"),
        ((seat, value, Bytes([9; 32]), sig), "signature"),
        ((7, value, next, sig), "not-for-you"),
    ] {
        assert_eq!(evening.act(&Act::Hear(line, bad)).unwrap_err().code, code);
    }
    assert_eq!(evening.act(&Act::Hear(line + 1, good)).unwrap_err().code, "ask-closed");
    assert!(matches!(evening.act(&Act::Hear(line, good)), Ok(Step::Heard(_))));
    assert!(matches!(evening.act(&Act::Hear(line, good)), Ok(Step::HeardBefore)));
    let roller = evening.player(0).testify();
    assert!(matches!(evening.act(&Act::Hear(line, roller)), Ok(Step::Written(_))));
    assert!(matches!(evening.act(&Act::Hear(line, good)), Ok(Step::HeardBefore)));
    let receipt = evening.house.receipt(line, &good).unwrap();
    assert_eq!((receipt.seat, receipt.m), (1, 0));
    assert!(evening.house.receipt(line, &(seat, value, Bytes([9; 32]), sig)).is_none());
}
