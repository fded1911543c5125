//! What the house writes by itself: the table, who is here, new seals, another engine, another house.

use crate::VERSION;
use crate::bytes::{Hash, Id};
use crate::formulas::{move_text, seal, table_id};
use crate::judge::LANGUAGE;
use crate::line::{self, Limits, Witness};
use crate::request::is_rising;
use crate::signature::Signer;
use crate::wrong::{Trouble, Wrong, need};

use super::{Checker, Shown};

/// The table, as far as the log has come.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) id: Id,
    pub(super) house: Signer,
    pub(super) witness: Witness,
    pub(super) limits: Limits,
    /// The libraries of the house's engines, and since which lines; never empty.
    libraries: Vec<(u64, Hash)>,
    language: u64,
}

impl Table {
    /// The library of the house's engine.
    pub(super) fn library(&self) -> Hash {
        self.libraries.last().map_or(Hash::ZERO, |(_, library)| *library)
    }

    /// Since which line its engine is the one that it is.
    pub(super) fn engine_since(&self) -> u64 {
        self.libraries.last().map_or(0, |(since, _)| *since)
    }

    /// The library at an earlier line.
    pub(super) fn library_at(&self, line: u64) -> Hash {
        let then = self.libraries.iter().rev().find(|(since, _)| *since <= line);
        then.map_or(Hash::ZERO, |(_, library)| *library)
    }
}

impl Checker {
    /// The first line.
    pub(super) fn begin(&mut self, line: &line::Table) -> Result<Shown, Wrong> {
        need(line.v == VERSION, || {
            Wrong::new(Trouble::Version, "it was made by a newer format").instead(VERSION, line.v)
        })?;
        is_known(line.language)?;
        let id = table_id(&line.house, &line.nonce);
        need(id == line.table, || {
            let message = "the name of the table is not that of its house";
            Wrong::new(Trouble::Table, message).instead(id, line.table)
        })?;
        let house = Signer::of(&line.house)
            .ok_or_else(|| Wrong::new(Trouble::Table, "the key of the house is no key"))?;
        let (limits, most) = (line.limits, Limits::MOST);
        let fits = limits.text <= most.text
            && limits.rules <= most.rules
            && limits.throws <= most.throws
            && limits.steps <= most.steps;
        need(fits, || Wrong::new(Trouble::Table, "a limit of the table is too large"))?;
        self.table = Some(Table {
            id,
            house,
            witness: line.witness,
            limits,
            libraries: vec![(0, line.library)],
            language: line.language,
        });
        self.report.table = Some(id);
        Ok(Shown::default())
    }

    /// Who is here.
    pub(super) fn present(&mut self, line: &line::Present) -> Result<Shown, Wrong> {
        let wrong = |message: &str| Wrong::new(Trouble::Seat, message.to_owned());
        need(is_rising(&line.seats), || wrong("the seats are not in rising order"))?;
        for number in &line.seats {
            let seat = usize::try_from(*number).ok().and_then(|at| self.seats.get(at));
            let sits = seat.is_some_and(|seat| !seat.left);
            need(sits, || wrong("a seat is said to be here that is not at the table"))?;
        }
        for (number, seat) in self.seats.iter_mut().enumerate() {
            seat.present = line.seats.contains(&(number as u64));
        }
        Ok(Shown::default())
    }

    /// All seals of the house are opened and laid anew.
    pub(super) fn reseal(&mut self, line: &line::Reseal) -> Result<Shown, Wrong> {
        let seq = self.chain.seq();
        let staying = self.seats.iter().enumerate().filter(|(_, seat)| !seat.left);
        let staying: Vec<u64> = staying.map(|(number, _)| number as u64).collect();
        let same = line.retired.iter().map(|(seat, _)| *seat).eq(staying.iter().copied())
            && line.sealed.iter().map(|(seat, _)| *seat).eq(staying.iter().copied());
        need(same, || {
            let message = "each seat at the table should stand there once, in rising order";
            Wrong::new(Trouble::Seal, message).instead(format!("{staying:?}"), "others")
        })?;
        for ((number, value), (_, sealed)) in line.retired.iter().zip(&line.sealed) {
            let at = usize::try_from(*number).unwrap_or(usize::MAX);
            let Some(seat) = self.seats.get_mut(at) else { continue };
            need(seal(value) == seat.sealed.0, || {
                let message = "a retired value is not the one that was sealed";
                Wrong::new(Trouble::Seal, message).instead(seat.sealed.0, seal(value))
            })?;
            seat.sealed = (*sealed, seq);
            seat.retired.push((seq, *value));
            self.lay(sealed)?;
        }
        self.report.reseals += 1;
        Ok(Shown::default())
    }

    /// Another engine.
    pub(super) fn language(&mut self, line: &line::Language) -> Result<Shown, Wrong> {
        is_known(line.language)?;
        let (seq, table) = (self.chain.seq(), self.table()?);
        let same = (table.language, table.library()) == (line.language, line.library);
        need(!same, || {
            // It would only be a way to refuse a roll that waits.
            Wrong::new(Trouble::Order, "neither the language nor the library changes")
        })?;
        if let Some(table) = &mut self.table {
            table.libraries.push((seq, line.library));
            table.language = line.language;
        }
        Ok(Shown::default())
    }

    /// Another house.
    pub(super) fn moved(&mut self, line: &line::Move) -> Result<Shown, Wrong> {
        let (seq, prev) = (self.chain.seq(), self.chain.prev);
        let table = self.table()?;
        let text = move_text(&table.id, seq, &prev, &line.house);
        let wrong = |message: &str| Wrong::new(Trouble::Signature, message.to_owned());
        need(table.house.has_signed(&text, &line.sig), || {
            wrong("the house so far has not signed that the table goes to another")
        })?;
        let house =
            Signer::of(&line.house).ok_or_else(|| wrong("the key of the new house is no key"))?;
        if let Some(table) = &mut self.table {
            table.house = house;
        }
        self.report.moves += 1;
        Ok(Shown::default())
    }
}

fn is_known(language: u64) -> Result<(), Wrong> {
    need(language == LANGUAGE, || {
        let message = "its programs are in a version of the language that is not known here";
        Wrong::new(Trouble::Version, message).instead(LANGUAGE, language)
    })
}
