//! Rolls at a simulated table.

use crate::bytes::{Bytes, Signature, Value, hash};
use crate::formulas::roll_key;
use crate::judge::Wanted;
use crate::kind::Kind;
use crate::line::{self, Asked, Dice, How, Opened, Outcome};
use crate::request::{self, For, To};

use super::Table;

/// What the house knows of a hidden roll.
#[derive(Clone, Debug)]
pub struct Secret {
    /// The request.
    pub request: String,
    /// What it asks for.
    pub asked: request::Roll,
    /// The house's value.
    pub house: Value,
    /// The values of the witnesses.
    pub witnesses: Vec<Value>,
    /// Why it was not rolled, whatever its program.
    pub refused: Option<&'static str>,
}

impl Table {
    /// A request for a roll that all may see.
    pub fn wish(&mut self, text: &str) -> request::Roll {
        let salt = self.fresh();
        request::Roll {
            salt,
            text: text.into(),
            inputs: Vec::new(),
            to: To::All,
            r#for: For::Nothing,
        }
    }

    /// A roll by the rules, by which all witnesses answer.
    pub fn roll(&mut self, seat: u64, text: &str) -> u64 {
        let wish = self.wish(text);
        self.roll_with(seat, &wish, &[])
    }

    /// The same; these seats do not answer.
    pub fn roll_with(&mut self, seat: u64, wish: &request::Roll, silent: &[u64]) -> u64 {
        let hidden = wish.to != To::All;
        let kind = if hidden { Kind::Hidden } else { Kind::Roll };
        let (request, sig) = self.sign(seat, kind, wish);
        let witnesses = self.witnesses(seat);
        if !witnesses.is_empty() {
            return self.witnessed(seat, (&request, sig), wish, witnesses, silent);
        }
        let refused = self.is_unsealed(seat).then_some("unsealed");
        let (house, sealed) = self.open(seat);
        if hidden {
            let line = self.hidden_fields(&request);
            let content =
                line::Hidden { seat, n: line.0, after: line.1, hash: line.2, sig, sealed };
            let seq = self.write(Kind::Hidden, &content);
            let (asked, witnesses) = (wish.clone(), Vec::new());
            self.hidden.insert(seq, Secret { request, asked, house, witnesses, refused });
            return seq;
        }
        let (dice, outcome) = self.thrown_or(refused, &request, wish, &house, &[]);
        self.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome })
    }

    /// Number, `after` and hash of a request that was just signed.
    fn hidden_fields(&self, request: &str) -> (u64, Bytes<32>, Bytes<32>) {
        let (envelope, _) = request::read::<request::Roll>(request, &self.id)
            .unwrap_or_else(|wrong| panic!("a simulated request is wrong: {wrong}"));
        (envelope.n, envelope.after, hash(request.as_bytes()))
    }

    /// What a roll comes to, by the rules that hold now.
    pub fn thrown(
        &mut self,
        request: &str,
        wish: &request::Roll,
        house: &Value,
        witnesses: &[Value],
    ) -> (Dice, Outcome) {
        let key = roll_key(house, &hash(request.as_bytes()), witnesses);
        let (rules, limits) = (self.newest_rules(), self.limits);
        let rules = rules.as_ref();
        let wanted = Wanted { text: &wish.text, inputs: &wish.inputs, rules, limits: &limits };
        self.programs.roll(&wanted, key.0)
    }

    /// The same, unless it is refused.
    fn thrown_or(
        &mut self,
        refused: Option<&'static str>,
        request: &str,
        wish: &request::Roll,
        house: &Value,
        witnesses: &[Value],
    ) -> (Dice, Outcome) {
        match refused {
            Some(why) => (Dice::new(), Outcome(How::Refused, why.into())),
            None => self.thrown(request, wish, house, witnesses),
        }
    }

    /// Writes the line that asks, and gives its number.
    pub fn ask(
        &mut self,
        seat: u64,
        (request, sig): (&str, Signature),
        wish: &request::Roll,
        witnesses: &[Asked],
    ) -> u64 {
        for (number, _) in witnesses {
            self.device(*number).spent = true;
        }
        let (request, witnesses) = (request.to_owned(), witnesses.to_vec());
        if wish.to == To::All {
            return self.write(Kind::Ask, &line::Ask { request, sig, witnesses });
        }
        let (n, after, hash) = self.hidden_fields(&request);
        self.write(Kind::AskHidden, &line::AskHidden { seat, n, after, hash, sig, witnesses })
    }

    /// All that were asked in the newest line open their seals.
    pub fn testimonies(&mut self, witnesses: &[Asked]) -> Vec<Opened> {
        let (id, ask) = (self.id, self.prev());
        witnesses.iter().map(|(seat, _)| self.device(*seat).testify(&id, &ask, *seat)).collect()
    }

    fn witnessed(
        &mut self,
        seat: u64,
        signed: (&str, Signature),
        wish: &request::Roll,
        witnesses: Vec<Asked>,
        silent: &[u64],
    ) -> u64 {
        let mut of = self.ask(seat, signed, wish, &witnesses);
        let mut asked = witnesses;
        loop {
            let speaks = |(number, _): &Asked| !silent.contains(number);
            let (speaking, quiet): (Vec<Asked>, Vec<Asked>) = asked.into_iter().partition(speaks);
            let missed: Vec<u64> = quiet.iter().map(|(number, _)| *number).collect();
            let opened = self.testimonies(&speaking);
            asked = self.going_on(&opened);
            if missed.is_empty() || missed.contains(&seat) || asked.is_empty() {
                return self.close(seat, of, (signed.0, wish), opened, missed);
            }
            of = self.ask_again(of, opened, missed, &asked);
        }
    }

    /// Who is asked when somebody missed: who answered.
    pub fn going_on(&self, opened: &[Opened]) -> Vec<Asked> {
        opened.iter().map(|(seat, ..)| (*seat, self.seats[*seat as usize].m)).collect()
    }

    /// The line that asks again.
    pub fn ask_again(
        &mut self,
        of: u64,
        opened: Vec<Opened>,
        missed: Vec<u64>,
        asked: &[Asked],
    ) -> u64 {
        for (number, _) in asked {
            self.device(*number).spent = true;
        }
        let witnesses = asked.to_vec();
        self.write(Kind::Again, &line::Again { of, opened, missed, witnesses })
    }

    /// The line that closes an ask.
    pub fn close(
        &mut self,
        seat: u64,
        of: u64,
        (request, wish): (&str, &request::Roll),
        opened: Vec<Opened>,
        missed: Vec<u64>,
    ) -> u64 {
        let (house, sealed) = self.open(seat);
        let refused = missed.contains(&seat).then_some("silent");
        let values = opened.iter().map(|(_, value, _, _)| *value);
        let values: Vec<Value> = values.filter(|_| refused.is_none()).collect();
        if wish.to == To::All {
            let (dice, outcome) = self.thrown_or(refused, request, wish, &house, &values);
            let line = line::Close { of, house, sealed, opened, missed, dice, outcome };
            return self.write(Kind::Close, &line);
        }
        let seq = self.write(Kind::CloseHidden, &line::CloseHidden { of, sealed, opened, missed });
        let secret = Secret {
            request: request.into(),
            asked: wish.clone(),
            house,
            witnesses: values,
            refused,
        };
        self.hidden.insert(seq, secret);
        seq
    }

    /// A hidden roll.
    pub fn hide(&mut self, seat: u64, text: &str, to: To) -> u64 {
        let wish = self.wish(text);
        self.roll_with(seat, &request::Roll { to, ..wish }, &[])
    }

    /// A hidden roll is shown.
    pub fn reveal(&mut self, by: u64, of: u64) -> u64 {
        let (request, sig) = self.sign(by, Kind::Reveal, &request::Reveal { of });
        let Secret { request: roll, asked, house, witnesses, refused } = self.hidden[&of].clone();
        let (dice, outcome) = self.thrown_or(refused, &roll, &asked, &house, &witnesses);
        self.write(Kind::Reveal, &line::Reveal { request, sig, roll, house, dice, outcome })
    }
}
