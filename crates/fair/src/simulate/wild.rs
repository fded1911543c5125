//! Tables at which anybody does anything: for two checkers that should say the same of it.
//!
//! Everything is signed by the right keys and linked, for what is forged is refused at once; what is wrong is who does what, when, and about which line. Most
//! wrong acts are taken back, so that logs grow long; one ends a log.

use crate::bytes::{Bytes, hash};
use crate::check::Checker;
use crate::kind::Kind;
use crate::line::{self, Asked, How, Opened, Outcome, Witness};
use crate::programs::library;
use crate::request::{self, For, NewSeal, Nothing, Role, To};

use super::Table;

/// Programs that every checker can judge.
const SUMS: [&str; 4] = ["2d6+1", "d20", "3d8-2", "d4"];

/// A table of so many acts.
pub fn wild(seed: u64, acts: u64) -> Table {
    let witness = [Witness::Always, Witness::Owner, Witness::Never][(seed % 3) as usize];
    let mut wild = Wild { table: Table::new(seed, witness) };
    for _ in 0..1 + wild.below(3) {
        wild.sits();
    }
    for _ in 0..acts {
        let before = Table::clone_of(&wild.table);
        wild.acts();
        if !wild.is_right() {
            if wild.once_in(12) {
                break;
            }
            wild.table = Table { drawn: wild.table.drawn, ..before };
        }
    }
    wild.table
}

/// A table, and chance.
struct Wild {
    table: Table,
}

impl Wild {
    /// Whether all lines fit so far.
    fn is_right(&self) -> bool {
        let mut checker = Checker::new();
        self.table.lines.iter().all(|line| checker.line(line).is_ok())
    }

    fn below(&mut self, most: u64) -> u64 {
        let [a, b, c, d, ..] = self.table.fresh().0;
        u64::from(u32::from_le_bytes([a, b, c, d])) % most
    }

    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// Usually one that is there.
    fn seat(&mut self) -> u64 {
        self.below(self.table.seats.len() as u64)
    }

    /// Perhaps one that there is not.
    fn any_seat(&mut self) -> u64 {
        self.below(self.table.seats.len() as u64 + u64::from(self.table.seed.is_multiple_of(4)))
    }

    fn line(&mut self) -> u64 {
        let newest = self.table.seq();
        if self.once_in(3) {
            self.below(newest + 1)
        } else {
            newest - 1 - self.below(newest.min(4))
        }
    }

    fn set_of_seats(&mut self) -> Vec<u64> {
        let all: Vec<u64> = (0..self.table.seats.len() as u64).collect();
        all.into_iter().filter(|_| self.below(3) > 0).collect()
    }

    fn whom(&mut self) -> To {
        match self.below(5) {
            0 => To::All,
            1 => To::Owner,
            2 => To::Myself,
            _ => {
                let mut seats = vec![self.any_seat(), self.any_seat()];
                seats.sort_unstable();
                seats.dedup();
                To::Seats(seats)
            }
        }
    }

    fn what_for(&mut self) -> For {
        match self.below(4) {
            0 => For::Call(self.line()),
            1 => For::Label(self.table.fresh()),
            _ => For::Nothing,
        }
    }

    fn sits(&mut self) {
        let role = self.pick(&[Role::Owner, Role::Player, Role::Player, Role::Door]);
        self.table.sit("somebody", role);
    }

    fn wish(&mut self, to: To) -> request::Roll {
        let text = self.pick(&SUMS);
        let (wish, r#for) = (self.table.wish(text), self.what_for());
        request::Roll { to, r#for, ..wish }
    }

    fn acts(&mut self) {
        let seat = self.seat();
        match self.below(24) {
            0..4 => {
                let to = if self.once_in(3) { self.whom() } else { To::All };
                let (wish, silent) = (self.wish(to), self.set_of_seats());
                let silent = if self.once_in(2) { silent } else { Vec::new() };
                self.table.roll_with(seat, &wish, &silent);
            }
            4..7 => self.asks(seat),
            7 => self.late(seat),
            8..11 => self.reveals(seat),
            11 => drop(self.table.reseal_witness(seat)),
            12 => self.seals(seat),
            13 => self.here(),
            14 => drop(self.table.reseal()),
            15 => self.another_engine(),
            16 => drop(self.table.move_house()),
            17 => self.sits(),
            18 => self.strikes(seat),
            19 => self.keeps(seat),
            20 => self.says(seat),
            21 => drop(self.table.type_in(seat, "2d6", "3,4")),
            22 => self.ends(seat),
            _ => self.rolls_unasked(seat),
        }
    }

    /// By the rules or not: who is asked, what happens meanwhile, who is said to have answered, how it goes on.
    fn asks(&mut self, seat: u64) {
        let to = if self.once_in(3) { self.whom() } else { To::All };
        let wish = self.wish(to);
        let kind = if wish.to == To::All { Kind::Roll } else { Kind::Hidden };
        let mut asked = self.table.witnesses(seat);
        if self.once_in(8) {
            asked.pop();
        }
        let (request, sig) = self.table.sign(seat, kind, &wish);
        let mut of = self.table.ask(seat, (&request, sig), &wish, &asked);
        while !self.once_in(9) {
            let (opened, missed) = self.answers(&asked);
            let next = self.table.going_on(&opened);
            if self.once_in(4) {
                self.acts();
            }
            let again = !missed.is_empty() && !missed.contains(&seat) && !next.is_empty();
            if again == self.once_in(12) {
                self.table.close(seat, of, (&request, &wish), opened, missed);
                return;
            }
            of = self.table.ask_again(of, opened, missed, &next);
            asked = next;
        }
    }

    fn answers(&mut self, asked: &[Asked]) -> (Vec<Opened>, Vec<u64>) {
        let speaks: Vec<bool> = asked.iter().map(|_| self.below(4) > 0).collect();
        let both = || asked.iter().zip(&speaks);
        let speaking: Vec<Asked> = both().filter(|(_, speaks)| **speaks).map(|(a, _)| *a).collect();
        let missed = both().filter(|(_, speaks)| !**speaks).map(|((seat, _), _)| *seat).collect();
        let mut opened = self.table.testimonies(&speaking);
        if self.once_in(20) {
            opened.reverse();
        }
        (opened, missed)
    }

    /// A request after an older line, while the house does something.
    fn late(&mut self, seat: u64) {
        let wish = self.wish(To::All);
        let older = self.line().min(self.table.seq() - 1);
        let after = hash(self.table.lines[older as usize].as_bytes());
        let (request, sig) = self.table.sign_after(seat, Kind::Roll, &wish, after);
        let why = match self.below(4) {
            0 => {
                self.table.reseal();
                Some("late")
            }
            1 => {
                let other = self.table.fresh();
                self.table.upgrade(other);
                Some("language")
            }
            2 => Some(self.pick(&["unsealed", "late", "silent", "program"])),
            _ => None,
        };
        let (house, sealed) = self.table.open(seat);
        let (dice, outcome) = match why {
            Some(why) => (vec![], Outcome(How::Refused, why.into())),
            None => self.table.thrown(&request, &wish, &house, &[]),
        };
        self.table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    }

    /// The witnesses are passed over.
    fn rolls_unasked(&mut self, seat: u64) {
        let witness = std::mem::replace(&mut self.table.witness, Witness::Never);
        let to = if self.once_in(3) { self.whom() } else { To::All };
        let wish = self.wish(to);
        self.table.roll_with(seat, &wish, &[]);
        self.table.witness = witness;
    }

    fn reveals(&mut self, seat: u64) {
        let mut hidden: Vec<u64> = self.table.hidden.keys().copied().collect();
        hidden.sort_unstable();
        if hidden.is_empty() {
            let to = self.whom();
            let wish = self.wish(to);
            self.table.roll_with(seat, &wish, &[]);
            return;
        }
        let of = self.pick(&hidden);
        self.table.reveal(seat, of);
    }

    fn seals(&mut self, seat: u64) {
        let seal = if self.once_in(2) { Bytes([1; 32]) } else { self.table.fresh() };
        self.table.act(seat, Kind::Seal, &NewSeal { seal });
    }

    fn here(&mut self) {
        let mut seats = self.set_of_seats();
        if self.once_in(10) {
            seats.reverse();
        }
        self.table.here(&seats);
    }

    fn another_engine(&mut self) {
        let same = self.once_in(3);
        let library = if same { library() } else { self.table.fresh() };
        self.table.upgrade(library);
    }

    fn strikes(&mut self, seat: u64) {
        let of = self.line();
        self.table.strike(seat, of);
    }

    fn keeps(&mut self, seat: u64) {
        if self.once_in(4) {
            self.table.rule(seat, "fn hit(ac) = d20 >= ac");
            return;
        }
        let whose = if self.once_in(3) { None } else { Some(self.any_seat()) };
        let (name, value) = ("strength".to_owned(), "16".to_owned());
        self.table.act(seat, Kind::Set, &request::Set { whose, name, value });
    }

    fn says(&mut self, seat: u64) {
        let (to, words) = (self.whom(), self.table.fresh());
        if self.once_in(2) {
            self.table.act(seat, Kind::Say, &request::Say { to, words });
        } else {
            let (text, inputs, label) = ("d20".to_owned(), vec![], None);
            self.table.act(seat, Kind::Call, &request::Call { text, inputs, to, label });
        }
    }

    fn ends(&mut self, seat: u64) {
        if self.once_in(4) {
            self.table.act(seat, Kind::End, &Nothing {});
        } else {
            self.table.leave(seat);
        }
    }
}
