//! One device at one table.

use std::collections::HashSet;

use astragal_fair::formulas::{owner_text, receipt_text, said};
use astragal_fair::line::{Dice, Outcome};
use astragal_fair::request::{self, Envelope, Role, To};
use astragal_fair::{
    Alarm, Bytes, Checker, Hash, Id, Kind, SeatFacts, Signature, Trouble, Value, Watch, Wrong, hash,
};
use serde::{Deserialize, Serialize};

use crate::allowed::{View, signed_about};
use crate::event::{Event, Shown};
use crate::own::Own;
use crate::post::{Post, Testimony, Waiting, Words};
use crate::wish::{Refusal, Wish};

/// The most lines that a device takes: 185 bytes of memory each, several times what a server allows.
const MOST_LINES: u64 = 400_000;

/// The device's half of a table.
#[derive(Debug)]
pub struct Seat {
    pub(crate) watch: Watch,
    pub(crate) own: Option<Own>,
    /// The hash of the first line, from now or from before.
    pub(crate) first: Option<Hash>,
    /// Hidden rolls that it may reveal as far as it knows: its own, and those that were shown to it and are for others too.
    may_reveal: HashSet<u64>,
    /// After this it signs nothing more, and takes nothing more.
    stopped: Option<Alarm>,
    /// Counts what has to be kept before it is sent.
    pub(crate) version: u64,
    saved: u64,
    /// Nothing is ever restored, so that nothing has to be kept.
    forgetful: bool,
    most_lines: u64,
}

/// What came of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "took", rename_all = "lowercase")]
pub enum Took {
    /// It fits, and is new.
    Line(Box<Event>),
    /// It was there before.
    Known,
    /// Lines are missing before it: this is the number of the first.
    Gap {
        /// The number.
        next: u64,
    },
}

/// Details of a hidden roll, for who may see them.
#[derive(Clone, Debug, Deserialize)]
pub struct Whispered {
    /// Its line.
    pub seq: u64,
    /// Its request.
    pub request: String,
    /// The house's value.
    pub house: Value,
    /// What was thrown.
    pub dice: Dice,
    /// What it came to.
    pub outcome: Outcome,
}

/// What the house signs for a testimony.
#[derive(Clone, Debug, Deserialize)]
struct Receipt {
    of: u64,
    seat: u64,
    m: u64,
    sig: Signature,
}

impl Seat {
    /// Somebody who looks on, at the table that a link names.
    pub fn new(table: Id) -> Seat {
        Seat::with(Watch::new(Checker::new(), Some(table)))
    }

    /// The same without an engine, even if there is one: what dice come to is left to others.
    pub fn without_engine(table: Id) -> Seat {
        Seat::with(Watch::new(Checker::without_engine(), Some(table)))
    }

    pub(crate) fn with(watch: Watch) -> Seat {
        Seat {
            watch,
            own: None,
            first: None,
            may_reveal: HashSet::new(),
            stopped: None,
            version: 0,
            saved: 0,
            forgetful: false,
            most_lines: MOST_LINES,
        }
    }

    /// Nothing has to be kept before it is sent, for this device will never be started again: a load generator, a test.
    pub fn forgetful(mut self) -> Seat {
        self.forgetful = true;
        self
    }

    /// At most so many lines, for devices with little memory: a table that has more is given up.
    pub fn with_most_lines(mut self, most: u64) -> Seat {
        self.most_lines = most;
        self
    }

    // What it knows.

    /// What the checker knows.
    pub fn checker(&self) -> &Checker {
        self.watch.checker()
    }

    /// Its number at the table, once its line is there.
    pub fn number(&self) -> Option<u64> {
        self.watch.seat().filter(|_| self.own.is_some())
    }

    /// What it is to the server, once it has begun to sit down.
    pub fn token(&self) -> Option<Bytes<16>> {
        self.own.as_ref().map(|own| own.token)
    }

    /// Whether a request of it waits for its line. After a while without an answer that is [`Alarm::Unanswered`], says whoever has a clock.
    pub fn is_waiting(&self) -> bool {
        self.own.as_ref().is_some_and(|own| own.waiting.is_some())
    }

    /// Whether it should lay a new seal as soon as it can: its own is spent, or made of a secret that is gone.
    pub fn needs_seal(&self) -> bool {
        let (Some(facts), Some(own)) = (self.facts(), &self.own) else { return false };
        let asked = self.checker().open_ask();
        let asked =
            asked.is_some_and(|ask| ask.asked.iter().any(|(seat, _)| Some(*seat) == self.number()));
        let good = facts.seal.is_some() && own.has_laid(facts.m);
        facts.role != Role::Door && !facts.left && !good && !asked
    }

    /// The newest head that it holds.
    pub fn head(&self) -> Option<&str> {
        self.watch.newest_head()
    }

    /// After what it stopped.
    pub fn stopped(&self) -> Option<&Alarm> {
        self.stopped.as_ref()
    }

    fn facts(&self) -> Option<SeatFacts> {
        self.number().and_then(|number| self.checker().seat(number))
    }

    // What comes from the house.

    /// Whether it is connected, and sees what happens as it happens: from now on, or from the line on that it has taken last, it testifies, and is
    /// alarmed when it is said to be away. While it catches up, it does neither.
    pub fn is_here(&mut self, here: bool) {
        self.watch.is_here(here);
        self.testify();
    }

    /// Takes a line, and its head where there is one.
    pub fn take(&mut self, line: &str, head: Option<&str>) -> Result<Took, Alarm> {
        if let Some(alarm) = &self.stopped {
            return Err(alarm.clone());
        }
        self.taken(line, head).map_err(|alarm| self.stop(alarm))
    }

    fn taken(&mut self, line: &str, head: Option<&str>) -> Result<Took, Alarm> {
        if self.watch.knows(line)? {
            head.map_or(Ok(()), |head| self.watch.head(head))?;
            return Ok(Took::Known);
        }
        let next = self.checker().next();
        if astragal_fair::line::number(line).is_some_and(|number| number > next) {
            return Ok(Took::Gap { next });
        }
        if next >= self.most_lines {
            let message = "the table has more lines than this device takes";
            return Err(Alarm::Wrong(Wrong::plain(Trouble::Order, message)));
        }
        let own = hash(line.as_bytes());
        if next == 0 && *self.first.get_or_insert(own) != own {
            return Err(Alarm::SecondBeginning);
        }
        let seen = self.watch.line(line)?;
        head.map_or(Ok(()), |head| self.watch.head(head))?;
        let own_hidden = seen.taken.roll.as_ref().filter(|roll| roll.asked.is_none());
        if own_hidden.is_some_and(|roll| Some(roll.seat) == self.number()) {
            self.may_reveal.insert(next);
        }
        let event = Event::of(next, seen, self.checker()).map_err(Alarm::Wrong)?;
        self.settle();
        self.testify();
        Ok(Took::Line(Box::new(event)))
    }

    /// The request whose line is there waits no more.
    fn settle(&mut self) {
        let waits = self.watch.waits();
        if let Some(own) = self.own.as_mut().filter(|_| !waits) {
            own.waiting = None;
        }
    }

    /// Opens its seal if the newest line asks for it, and its head is held.
    fn testify(&mut self) {
        let Ok((seat, m)) = self.watch.may_testify() else { return };
        let (ask, id) = (self.checker().newest(), self.checker().id());
        let of = self.checker().next() - 1;
        let (Some(own), Some(id)) = (&mut self.own, id) else { return };
        let known = own.testimony.as_ref().is_some_and(|testimony| testimony.m >= m);
        if known || !own.has_laid(m) {
            return;
        }
        let opened = own.testify(&id, &ask, seat, m);
        own.testimony = Some(Testimony { of, ask, m, opened, received: false });
        self.watch.answers(of, opened);
        self.version += 1;
    }

    /// Details of a hidden roll that came beside the log: checked against its line.
    pub fn whispered(&mut self, told: &Whispered) -> Result<Shown, Alarm> {
        if let Some(alarm) = &self.stopped {
            return Err(alarm.clone());
        }
        let shown = (&told.dice, &told.outcome);
        let checker = self.watch.checker_mut();
        let rolled = checker.whispered(told.seq, &told.request, &told.house, shown);
        let rolled = rolled.map_err(Alarm::Wrong)?;
        let for_others = rolled.asked.as_ref().is_some_and(|asked| asked.to != To::Myself);
        if for_others {
            self.may_reveal.insert(told.seq);
        }
        Ok(Shown::of(rolled, Some(shown)))
    }

    /// The house acknowledges a testimony: JSON, signed by it. From now on it cannot say that this device was silent.
    pub fn acknowledged(&mut self, receipt: &str) -> Result<(), Alarm> {
        let wrong = || Alarm::Unanswered;
        let receipt: Receipt = serde_json::from_str(receipt).map_err(|_| wrong())?;
        let id = self.checker().id().ok_or_else(wrong)?;
        let testimony = self.own.as_ref().and_then(|own| own.testimony.as_ref());
        let testimony = testimony.filter(|own| (own.of, own.m) == (receipt.of, receipt.m));
        let Testimony { of, ask, m, opened: (seat, value, next, _), .. } =
            testimony.filter(|own| own.opened.0 == receipt.seat).ok_or_else(wrong)?;
        let (text, of) = (receipt_text(&id, ask, *seat, *m, value, next), *of);
        if !self.checker().is_by_house(&text, &receipt.sig) {
            return Err(wrong());
        }
        self.watch.was_received(of);
        if let Some(testimony) = self.own.as_mut().and_then(|own| own.testimony.as_mut()) {
            testimony.received = true;
        }
        Ok(())
    }

    /// The house says that this is its newest line.
    pub fn stands_at(&mut self, line: u64, own: &Hash) -> Result<(), Alarm> {
        self.watch.stands_at(line, own).map_err(|alarm| self.stop(alarm))
    }

    fn stop(&mut self, alarm: Alarm) -> Alarm {
        if alarm.is_the_end() {
            self.stopped = Some(alarm.clone());
        }
        alarm
    }

    // What goes to the house.

    /// Sits down, with 80 fresh bytes. If somebody else gets the number first, this is done again with other fresh bytes.
    pub fn sit(
        &mut self,
        fresh: &[u8; 80],
        name: &str,
        role: Role,
        vouched: Option<(u64, Signature)>,
    ) -> Result<(), Refusal> {
        self.is_ready()?;
        let (number, id) = (self.checker().seats(), self.checker().id());
        let lost = self.own.as_ref().is_some_and(|own| own.waiting.is_some() && self.lost(own));
        if self.own.is_some() && !lost {
            return Err(if self.number().is_some() { Refusal::Seated } else { Refusal::Waiting });
        }
        let id = id.ok_or(Refusal::Behind)?;
        request::check_name(name).map_err(|wrong| Refusal::Unfit(wrong.to_string()))?;
        let mut own = Own::new(fresh);
        let asked =
            request::Seat { name: name.into(), role, key: own.public(), seal: own.seal(&id, 0) };
        let after = self.checker().newest();
        let request = request::written(&id, &Envelope { seat: number, n: 0, after }, &asked);
        let sig = own.sign(Kind::Seat, (&id, number, &after), &request);
        self.watch.begins(own.public());
        self.watch.sends(&request);
        let kind = Kind::Seat.name().into();
        own.waiting = Some(Waiting { kind, request, sig, words: None, vouched });
        self.own = Some(own);
        self.version += 1;
        Ok(())
    }

    /// An owner has signed for its request for a seat. What it has signed itself stays as it is.
    pub fn is_vouched(&mut self, by: u64, signature: Signature) -> Result<(), Refusal> {
        let waiting = self.own.as_mut().and_then(|own| own.waiting.as_mut());
        let waiting = waiting.filter(|waiting| waiting.kind == Kind::Seat.name());
        waiting.ok_or(Refusal::NotSeated)?.vouched = Some((by, signature));
        self.version += 1;
        Ok(())
    }

    /// Whether the number for which it has signed is taken by somebody else.
    fn lost(&self, own: &Own) -> bool {
        let id = self.checker().id().unwrap_or_default();
        let waiting = own.waiting.as_ref().filter(|waiting| waiting.kind == Kind::Seat.name());
        let read = waiting.map(|waiting| request::read::<request::Seat>(&waiting.request, &id));
        let number = read.and_then(Result::ok).map(|(envelope, _)| envelope.seat);
        let taken = number.and_then(|number| self.checker().seat(number));
        taken.is_some_and(|facts| facts.key != own.public())
    }

    /// An owner lets in another one, whose request for a seat this is.
    pub fn vouch(&self, request: &str) -> Result<(u64, Signature), Refusal> {
        let (Some(number), Some(own)) = (self.number(), &self.own) else {
            return Err(Refusal::NotSeated);
        };
        let id = self.checker().id().ok_or(Refusal::NotSeated)?;
        if self.facts().is_none_or(|facts| facts.role != Role::Owner || facts.left) {
            return Err(Refusal::NotFor(Role::Owner));
        }
        let (_, asked) = request::read::<request::Seat>(request, &id)
            .map_err(|wrong| Refusal::Unfit(wrong.to_string()))?;
        if asked.role != Role::Owner {
            return Err(Refusal::Unfit("nobody has to vouch for that seat".into()));
        }
        Ok((number, own.signed(&owner_text(&id, number, &hash(request.as_bytes())))))
    }

    /// Signs what its person wants, with 48 fresh bytes. It is sent by [`Seat::to_send`].
    pub fn wish(&mut self, wish: &Wish, fresh: &[u8; 48]) -> Result<(), Refusal> {
        self.is_ready()?;
        let (number, facts) = match (self.number(), self.facts()) {
            (Some(number), Some(facts)) => (number, facts),
            _ => return Err(Refusal::NotSeated),
        };
        self.may_sign(number, &facts, wish)?;
        let id = self.checker().id().ok_or(Refusal::NotSeated)?;
        let after = self.checker().newest();
        let envelope = Envelope { seat: number, n: facts.n, after };
        let mut words = None;
        let request = self.written(&id, &envelope, wish, fresh, &mut words);
        let Some(own) = &mut self.own else { return Err(Refusal::NotSeated) };
        let sig = own.sign(wish.kind(), (&id, number, &after), &request);
        if *wish == Wish::Seal {
            own.first_seal.get_or_insert(facts.m + 1);
        }
        self.watch.sends(&request);
        let kind = wish.kind().name().into();
        own.waiting = Some(Waiting { kind, request, sig, words, vouched: None });
        self.version += 1;
        Ok(())
    }

    fn is_ready(&self) -> Result<(), Refusal> {
        match &self.stopped {
            Some(alarm) => Err(Refusal::Stopped(alarm.clone())),
            None if self.watch.remembered().is_some() => Err(Refusal::Behind),
            None => Ok(()),
        }
    }

    fn may_sign(&self, number: u64, facts: &SeatFacts, wish: &Wish) -> Result<(), Refusal> {
        let own = self.own.as_ref().ok_or(Refusal::NotSeated)?;
        if own.waiting.is_some() {
            return Err(Refusal::Waiting);
        }
        if own.n != facts.n {
            return Err(Refusal::Stopped(Alarm::NotSent));
        }
        if facts.left || self.checker().so_far().ended {
            return Err(Refusal::Over);
        }
        if self.checker().open_ask().is_some_and(|ask| ask.roller == number) {
            return Err(Refusal::Asking);
        }
        if *wish == Wish::Seal && !self.needs_seal() {
            // A second one beside a testimony would be laid twice.
            return Err(Refusal::Unfit("its seal is good".into()));
        }
        let rolls = matches!(wish, Wish::Roll { .. });
        if rolls && self.needs_seal() && self.checker().needs_testimony(number) {
            return Err(Refusal::Unsealed);
        }
        let may_reveal = |line: u64| self.may_reveal.contains(&line);
        let view = View {
            checker: self.checker(),
            seat: number,
            role: facts.role,
            may_reveal: &may_reveal,
        };
        view.allows(wish)
    }

    /// The text of a request; words that it names are put aside.
    fn written(
        &self,
        id: &Id,
        envelope: &Envelope,
        wish: &Wish,
        fresh: &[u8; 48],
        aside: &mut Option<Words>,
    ) -> String {
        let (mut salt, mut own_salt) = ([0; 32], [0; 16]);
        salt.copy_from_slice(&fresh[..32]);
        own_salt.copy_from_slice(&fresh[32..]);
        let mut words = |text: &str| {
            *aside = Some(Words { salt: Bytes(own_salt), words: text.to_owned() });
            said(&own_salt, text)
        };
        match wish.clone() {
            Wish::Roll { text, inputs, to, about } => {
                let r#for = signed_about(&about, words);
                let salt = Bytes(salt);
                request::written(id, envelope, &request::Roll { salt, text, inputs, to, r#for })
            }
            Wish::Reveal { of } => request::written(id, envelope, &request::Reveal { of }),
            Wish::Typed { text, inputs, faces, about } => {
                let r#for = signed_about(&about, words);
                request::written(id, envelope, &request::Typed { text, inputs, faces, r#for })
            }
            Wish::Strike { of, words: why } => {
                let words = words(&why);
                request::written(id, envelope, &request::Strike { of, words })
            }
            Wish::Call { text, inputs, to, label } => {
                let label = label.map(|label| words(&label));
                request::written(id, envelope, &request::Call { text, inputs, to, label })
            }
            Wish::Keep { whose, name, text, inputs } => {
                request::written(id, envelope, &request::Keep { whose, name, text, inputs })
            }
            Wish::Set { whose, name, value } => {
                request::written(id, envelope, &request::Set { whose, name, value })
            }
            Wish::Rules { text } => request::written(id, envelope, &request::Rules { text }),
            Wish::Say { to, words: what } => {
                let words = words(&what);
                request::written(id, envelope, &request::Say { to, words })
            }
            Wish::Seal => {
                request::written(id, envelope, &request::NewSeal { seal: self.next_seal() })
            }
            Wish::Left | Wish::End => request::written(id, envelope, &request::Nothing {}),
        }
    }

    fn next_seal(&self) -> Hash {
        let facts = self.facts();
        let next = facts.zip(self.own.as_ref()).zip(self.checker().id());
        next.map_or(Bytes::ZERO, |((facts, own), id)| own.seal(&id, facts.m + 1))
    }

    /// What has to go to the house: a testimony, a request, or both, in the same bytes each time. Nothing, as long as the state is not kept.
    pub fn to_send(&self) -> Vec<Post> {
        let Some(own) = self.own.as_ref().filter(|_| self.is_saved() && self.stopped.is_none())
        else {
            return Vec::new();
        };
        let open = self.checker().open_ask().map(|ask| ask.line);
        let testimony = own.testimony.as_ref().filter(|own| Some(own.of) == open && !own.received);
        let waiting = own.waiting.as_ref().map(|waiting| waiting.post(&own.token));
        testimony.map(Testimony::post).into_iter().chain(waiting).collect()
    }

    /// Whether there is nothing that has to be kept.
    pub fn is_saved(&self) -> bool {
        self.forgetful || self.saved >= self.version
    }

    /// The state with this version is kept: what it has signed may be sent.
    pub fn saved(&mut self, version: u64) {
        self.saved = self.saved.max(version.min(self.version));
    }

    /// The version of its state. It grows with everything that must not be forgotten.
    pub fn version(&self) -> u64 {
        self.version
    }
}
