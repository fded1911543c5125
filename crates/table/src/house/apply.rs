//! What a line changes. The lines are the house's own: they are right.

use astragal_fair::formulas::{house_value, seal};
use astragal_fair::line::{self, Asked, Line, Opened};
use astragal_fair::request::{self, NewSeal};
use astragal_fair::{Hash, Id, Kind, Seal, Signer, hash};
use ed25519_dalek::SigningKey;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Aside, House, Open, Seat, Spoke, envelope_of};

/// What a store has of a table.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The key of the house.
    pub key: [u8; 32],
    /// The secret of its values.
    pub secret: [u8; 32],
    /// It was restored.
    pub must_reseal: bool,
}

impl House {
    /// A table from its lines.
    pub fn load<'a>(
        kept: &Kept,
        library: Hash,
        lines: impl IntoIterator<Item = &'a str>,
    ) -> Result<House, String> {
        let key = SigningKey::from_bytes(&kept.key);
        let mut house: Option<House> = None;
        for text in lines {
            let (seq, prev) =
                house.as_ref().map_or((0, Hash::ZERO), |house| (house.seq(), house.prev));
            let line =
                line::read(text, seq, &prev).map_err(|wrong| format!("line {seq}: {wrong}"))?;
            let own = hash(text.as_bytes());
            if let Line::Table(first) = &line {
                house = Some(House::empty(key.clone(), kept.secret, first, library));
            }
            house.as_mut().ok_or("it does not begin with a table")?.apply(&line, own);
        }
        let mut house = house.ok_or("it has no lines")?;
        house.must_reseal = kept.must_reseal;
        house.lost = !house.knows_its_values();
        Ok(house)
    }

    /// Whether the secret still makes the values that were sealed.
    fn knows_its_values(&self) -> bool {
        (0u32..).zip(&self.seats).all(|(at, seat)| {
            seat.left
                || seal(&house_value(&self.secret, &self.id, at, seat.sealed.0)) == seat.sealed.1
        })
    }

    /// The line with the request of the open ask, if that is to be brought from the store.
    pub fn wants_aside(&self) -> Option<u64> {
        self.open.as_ref().filter(|open| open.request.is_none()).map(|open| open.first)
    }

    /// Brings it.
    pub fn bring(&mut self, aside: &Aside) {
        if let Some(open) = &mut self.open
            && hash(aside.request.as_bytes()) == open.request_hash
        {
            open.request = Some(aside.request.clone());
        }
    }

    /// Brings a testimony that was taken for the open ask.
    pub fn bring_heard(&mut self, of: u64, opened: Opened) {
        if let Some(open) = &mut self.open
            && open.line == of
        {
            open.heard.insert(opened.0, opened);
        }
    }

    /// Takes the next line.
    pub(super) fn apply(&mut self, line: &Line, own: Hash) {
        let seq = self.seq();
        match line {
            Line::Table(_) => {}
            Line::Seat(line) => self.seated_by(line, seq),
            Line::Roll(line) => {
                if let Some(seat) = self.signed::<request::Roll>(&line.request, seq) {
                    self.sealed(seat.0, &line.sealed, seq);
                }
            }
            Line::Hidden(line) => {
                self.signed_as(line.seat, line.hash, seq);
                self.sealed(line.seat, &line.sealed, seq);
                self.hidden.insert(seq, line.seat);
            }
            Line::Ask(line) => {
                if let Some((seat, after)) = self.signed::<request::Roll>(&line.request, seq) {
                    let of = hash(line.request.as_bytes());
                    let request = Some(line.request.clone());
                    self.opens((seat, of, after), request, &line.witnesses, (seq, own), false);
                }
            }
            Line::AskHidden(line) => {
                self.signed_as(line.seat, line.hash, seq);
                let of = (line.seat, line.hash, line.after);
                self.opens(of, None, &line.witnesses, (seq, own), true);
            }
            Line::Again(line) => {
                self.spoken(line.of, &line.opened);
                let asked = self.spend(&line.witnesses);
                if let Some(open) = &mut self.open {
                    (open.line, open.hash, open.asked) = (seq, own, asked);
                    open.heard.clear();
                }
            }
            Line::Close(line) => self.closed((line.of, &line.opened, &line.sealed), seq),
            Line::CloseHidden(line) => {
                let roller = self.open.as_ref().map(|open| open.seat);
                self.closed((line.of, &line.opened, &line.sealed), seq);
                self.hidden.extend(roller.map(|roller| (seq, roller)));
            }
            Line::Reveal(line) => {
                self.signed::<request::Reveal>(&line.request, seq);
            }
            Line::Typed(line) => {
                self.signed::<request::Typed>(&line.request, seq);
            }
            Line::Act(kind, line) => self.acted(*kind, line, seq),
            Line::Present(line) => {
                for (at, seat) in (0..).zip(&mut self.seats) {
                    seat.present = line.seats.contains(&at);
                }
            }
            Line::Reseal(line) => {
                for (seat, sealed) in &line.sealed {
                    self.sealed(*seat, sealed, seq);
                }
            }
            Line::Language(line) => self.engine = (line.language, line.library, seq),
            Line::Move(line) => self.moved = line.house != self.public(),
        }
        self.kinds.push(line.kind());
        self.at.insert(own, seq);
        self.prev = own;
    }

    fn seated_by(&mut self, line: &line::Seat, seq: u64) {
        let Some((_, asked)) = envelope_of::<request::Seat>(&line.request, &self.id) else {
            return;
        };
        let Some(signer) = Signer::of(&asked.key) else { return };
        self.lay(&asked.seal);
        self.lay(&line.sealed);
        self.seats.push(Seat {
            name: asked.name,
            role: asked.role,
            signer,
            key: asked.key,
            signed: vec![(seq, hash(line.request.as_bytes()))],
            newest: seq,
            present: true,
            left: false,
            sealed: (0, line.sealed, seq),
            witness: (0, Some(asked.seal)),
            spoke: None,
        });
    }

    /// A request that stands there in full: its seat, and what it follows.
    fn signed<T>(&mut self, text: &str, seq: u64) -> Option<(u64, Hash)>
    where
        T: Serialize + DeserializeOwned,
    {
        let (envelope, _) = envelope_of::<T>(text, &self.id)?;
        self.signed_as(envelope.seat, hash(text.as_bytes()), seq);
        Some((envelope.seat, envelope.after))
    }

    fn signed_as(&mut self, seat: u64, of: Hash, seq: u64) {
        if let Some(seat) = self.seat_mut(seat) {
            seat.signed.push((seq, of));
            seat.newest = seq;
        }
    }

    fn sealed(&mut self, seat: u64, sealed: &Seal, seq: u64) {
        self.lay(sealed);
        if let Some(seat) = self.seat_mut(seat) {
            seat.sealed = (seat.sealed.0 + 1, *sealed, seq);
        }
    }

    fn opens(
        &mut self,
        (seat, request_hash, after): (u64, Hash, Hash),
        request: Option<String>,
        witnesses: &[Asked],
        (line, hash): (u64, Hash),
        hidden: bool,
    ) {
        let asked = self.spend(witnesses);
        let after_at = self.at.get(&after).copied().unwrap_or(0);
        let heard = std::collections::BTreeMap::new();
        let first = line;
        let open =
            Open { line, hash, first, seat, request_hash, after_at, request, hidden, asked, heard };
        self.open = Some(open);
    }

    /// Spends the seals of those who are asked.
    fn spend(&mut self, witnesses: &[Asked]) -> Vec<(u64, u64, Seal)> {
        let spent = |(number, m): &Asked| {
            let seal = self.seat_mut(*number)?.witness.1.take()?;
            Some((*number, *m, seal))
        };
        witnesses.iter().filter_map(spent).collect()
    }

    fn spoken(&mut self, of: u64, opened: &[Opened]) {
        let ask = self.open.as_ref().map_or(Hash::ZERO, |open| open.hash);
        for testimony in opened {
            let (number, _, next, _) = testimony;
            self.lay(next);
            if let Some(seat) = self.seat_mut(*number) {
                let m = seat.witness.0;
                seat.witness = (m + 1, Some(*next));
                seat.spoke = Some(Spoke { of, ask, m, opened: *testimony });
            }
        }
    }

    fn closed(&mut self, (of, opened, sealed): (u64, &[Opened], &Seal), seq: u64) {
        self.spoken(of, opened);
        let Some(open) = self.open.take() else { return };
        self.sealed(open.seat, sealed, seq);
        if let Some(seat) = self.seat_mut(open.seat) {
            seat.newest = seq;
        }
    }

    fn acted(&mut self, kind: Kind, line: &line::Signed, seq: u64) {
        let id: Id = self.id;
        let text = &line.request;
        let body = |wanted: Kind| (wanted == kind).then_some(());
        let envelope = match super::acts::Signed::envelope(kind, text, &id) {
            Some(envelope) => envelope,
            None => return,
        };
        self.signed_as(envelope.seat, hash(text.as_bytes()), seq);
        if body(Kind::Rules).is_some()
            && let Some((_, rules)) = envelope_of::<request::Rules>(text, &id)
        {
            self.rules.push((seq, rules.text.into()));
        }
        if body(Kind::Seal).is_some()
            && let Some((_, new)) = envelope_of::<NewSeal>(text, &id)
        {
            self.lay(&new.seal);
            if let Some(seat) = self.seat_mut(envelope.seat) {
                seat.present = true;
                seat.witness = (seat.witness.0 + 1, Some(new.seal));
            }
        }
        if body(Kind::Left).is_some()
            && let Some(seat) = self.seat_mut(envelope.seat)
        {
            seat.left = true;
        }
        self.ended |= kind == Kind::End;
    }
}
