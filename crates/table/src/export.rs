//! A log for people and spreadsheets: one row for each roll, call or word, however many lines it took, with what became of it.
//!
//! It proves nothing: `astragal verify` reads the lines themselves.

use std::collections::HashMap;
use std::fmt::Write as _;

use astragal_fair::line::{self, Dice, How, Line, Outcome};
use astragal_fair::request::{self, For};
use astragal_fair::{Hash, Id, Kind, hash};

use crate::house::Request;

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    line: u64,
    who: String,
    /// `roll`, `hidden`, `typed`, `call` or `say`.
    kind: &'static str,
    program: String,
    inputs: String,
    dice: String,
    outcome: String,
    /// What it was for, or what was said.
    words: String,
    witnesses: Vec<String>,
    missing: Vec<String>,
    struck: bool,
}

/// Words by their hash.
pub(crate) type Said = HashMap<Hash, String>;

/// What is known on the way through a log.
struct Log<'a> {
    id: &'a Id,
    said: &'a Said,
    names: Vec<String>,
    entries: Vec<Entry>,
    /// Which row a line is told in.
    place: HashMap<u64, usize>,
    labels: HashMap<u64, String>,
    /// The row, and the roller, of the open ask.
    open: Option<(usize, u64)>,
}

/// The rows of a log that is right.
pub(crate) fn entries<'a>(
    id: &Id,
    lines: impl Iterator<Item = &'a str>,
    said: &Said,
) -> Vec<Entry> {
    let mut log = Log {
        id,
        said,
        names: Vec::new(),
        entries: Vec::new(),
        place: HashMap::new(),
        labels: HashMap::new(),
        open: None,
    };
    let mut prev = Hash::ZERO;
    for (seq, text) in (0u64..).zip(lines) {
        if let Ok(line) = line::read(text, seq, &prev) {
            log.take(seq, &line);
        }
        prev = hash(text.as_bytes());
    }
    log.entries
}

impl Log<'_> {
    fn take(&mut self, seq: u64, line: &Line) {
        match line {
            Line::Seat(line) => {
                if let Some((_, asked)) = self.read::<request::Seat>(&line.request) {
                    self.names.push(asked.name);
                }
            }
            Line::Roll(line) => {
                self.rolled(seq, &line.request);
                self.fell(seq, &line.dice, &line.outcome);
            }
            Line::Ask(line) => {
                let seat = self.rolled(seq, &line.request);
                self.open = self.place.get(&seq).copied().zip(seat);
            }
            Line::Hidden(line) => self.hidden(seq, line.seat),
            Line::AskHidden(line) => {
                self.hidden(seq, line.seat);
                self.open = self.place.get(&seq).map(|place| (*place, line.seat));
            }
            Line::Again(line) => self.missed(&line.missed),
            Line::Close(line) => {
                self.closed(seq, line.opened.iter().map(|(seat, ..)| *seat), &line.missed);
                self.fell(seq, &line.dice, &line.outcome);
            }
            Line::CloseHidden(line) => {
                self.closed(seq, line.opened.iter().map(|(seat, ..)| *seat), &line.missed);
            }
            Line::Reveal(line) => {
                let of = self.read::<request::Reveal>(&line.request).map(|(_, asked)| asked.of);
                let place = of.and_then(|of| self.place.get(&of).copied());
                if let (Some(place), Some((_, asked))) = (place, self.read(&line.roll)) {
                    self.asked(place, asked);
                    self.place.insert(seq, place);
                    self.fell(seq, &line.dice, &line.outcome);
                }
            }
            Line::Typed(line) => self.typed(seq, &line.request, &line.outcome),
            Line::Act(kind, line) => self.act(seq, *kind, &line.request),
            Line::Table(_)
            | Line::Present(_)
            | Line::Reseal(_)
            | Line::Language(_)
            | Line::Move(_) => {}
        }
    }

    fn read<T>(&self, text: &str) -> Option<(request::Envelope, T)>
    where
        T: serde::Serialize + serde::de::DeserializeOwned,
    {
        let read = Request::<T>::read(text, &"00".repeat(64), self.id).ok()?;
        Some((read.envelope, read.body))
    }

    fn name(&self, seat: u64) -> String {
        let name = usize::try_from(seat).ok().and_then(|at| self.names.get(at));
        let alike = self.names.iter().filter(|other| Some(*other) == name).count() > 1;
        match name {
            Some(name) if !alike => name.clone(),
            Some(name) => format!("{name} ({seat})"),
            None => format!("seat {seat}"),
        }
    }

    fn add(&mut self, seq: u64, seat: u64, kind: &'static str) -> usize {
        let who = self.name(seat);
        self.entries.push(Entry { line: seq, who, kind, ..Entry::default() });
        self.place.insert(seq, self.entries.len() - 1);
        self.entries.len() - 1
    }

    fn rolled(&mut self, seq: u64, text: &str) -> Option<u64> {
        let (envelope, asked) = self.read::<request::Roll>(text)?;
        let place = self.add(seq, envelope.seat, "roll");
        self.asked(place, asked);
        Some(envelope.seat)
    }

    fn hidden(&mut self, seq: u64, seat: u64) {
        self.add(seq, seat, "hidden");
    }

    fn asked(&mut self, place: usize, asked: request::Roll) {
        let words = self.about(&asked.r#for);
        let entry = &mut self.entries[place];
        (entry.program, entry.inputs, entry.words) = (asked.text, listed(&asked.inputs), words);
    }

    fn about(&self, about: &For) -> String {
        match about {
            For::Nothing => String::new(),
            For::Call(line) => self.labels.get(line).cloned().unwrap_or_default(),
            For::Label(hash) => self.said.get(hash).cloned().unwrap_or_default(),
        }
    }

    fn fell(&mut self, seq: u64, dice: &Dice, outcome: &Outcome) {
        if let Some(place) = self.place.get(&seq) {
            (self.entries[*place].dice, self.entries[*place].outcome) =
                (thrown(dice), came(outcome));
        }
    }

    fn missed(&mut self, missed: &[u64]) {
        let Some((place, roller)) = self.open else { return };
        let names = missed.iter().filter(|seat| **seat != roller).map(|seat| self.name(*seat));
        let names: Vec<String> = names.collect();
        self.entries[place].missing.extend(names);
    }

    fn closed(&mut self, seq: u64, opened: impl Iterator<Item = u64>, missed: &[u64]) {
        self.missed(missed);
        let Some((place, roller)) = self.open.take() else { return };
        let names = opened.filter(|seat| *seat != roller).map(|seat| self.name(seat)).collect();
        self.entries[place].witnesses = names;
        self.place.insert(seq, place);
    }

    fn typed(&mut self, seq: u64, text: &str, outcome: &Outcome) {
        let Some((envelope, asked)) = self.read::<request::Typed>(text) else { return };
        let place = self.add(seq, envelope.seat, "typed");
        let words = self.about(&asked.r#for);
        let entry = &mut self.entries[place];
        (entry.program, entry.inputs, entry.words) = (asked.text, listed(&asked.inputs), words);
        (entry.dice, entry.outcome) = (asked.faces, came(outcome));
    }

    fn act(&mut self, seq: u64, kind: Kind, text: &str) {
        let said = |hash: &Hash| self.said.get(hash).cloned().unwrap_or_default();
        match kind {
            Kind::Say => {
                let Some((envelope, asked)) = self.read::<request::Say>(text) else { return };
                let words = said(&asked.words);
                let place = self.add(seq, envelope.seat, "say");
                self.entries[place].words = words;
            }
            Kind::Call => {
                let Some((envelope, asked)) = self.read::<request::Call>(text) else { return };
                let words = asked.label.as_ref().map(said).unwrap_or_default();
                self.labels.insert(seq, words.clone());
                let place = self.add(seq, envelope.seat, "call");
                let entry = &mut self.entries[place];
                (entry.program, entry.inputs, entry.words) =
                    (asked.text, listed(&asked.inputs), words);
            }
            Kind::Strike => {
                let of = self.read::<request::Strike>(text).map(|(_, asked)| asked.of);
                if let Some(place) = of.and_then(|of| self.place.get(&of)) {
                    self.entries[*place].struck = true;
                }
            }
            _ => {}
        }
    }
}

/// `ac 15, bonus 3`
fn listed(inputs: &[(String, String)]) -> String {
    let each = inputs.iter().map(|(name, value)| format!("{name} {value}"));
    each.collect::<Vec<_>>().join(", ")
}

/// `d6 3 4, d20 17`: sides that came up.
fn thrown(dice: &Dice) -> String {
    let runs = dice.iter().filter_map(|run| {
        let (sides, shown) = run.split_first()?;
        let shown = shown.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        Some(format!("d{sides} {shown}"))
    });
    runs.collect::<Vec<_>>().join(", ")
}

fn came(Outcome(how, what): &Outcome) -> String {
    match how {
        How::Value => what.clone(),
        How::Fails => format!("fails: {what}"),
        How::Refused => format!("refused: {what}"),
    }
}

const HEAD: [&str; 11] = [
    "line",
    "who",
    "kind",
    "program",
    "inputs",
    "dice",
    "outcome",
    "words",
    "witnesses",
    "missing",
    "struck",
];

impl Entry {
    fn cells(&self) -> [String; 11] {
        let names = |names: &[String]| names.join(", ");
        [
            self.line.to_string(),
            self.who.clone(),
            self.kind.to_owned(),
            self.program.clone(),
            self.inputs.clone(),
            self.dice.clone(),
            self.outcome.clone(),
            self.words.clone(),
            names(&self.witnesses),
            names(&self.missing),
            if self.struck { "yes".into() } else { String::new() },
        ]
    }
}

/// As spreadsheets read it (RFC 4180). What would be a formula there is a text.
pub(crate) fn csv(entries: &[Entry]) -> String {
    let quoted = |cell: &String| {
        let formula = cell.starts_with(['=', '+', '@', '\t', '\r'])
            || cell.starts_with('-') && cell.parse::<f64>().is_err();
        let cell = if formula { format!("'{cell}") } else { cell.clone() };
        let plain = !cell.contains([',', '"', '\n', '\r', '\'']);
        if plain { cell } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
    };
    let mut text = format!("{}\r\n", HEAD.join(","));
    for entry in entries {
        let cells = entry.cells();
        let _ = write!(text, "{}\r\n", cells.iter().map(quoted).collect::<Vec<_>>().join(","));
    }
    text
}

/// One table; what was struck is struck through.
pub(crate) fn markdown(entries: &[Entry]) -> String {
    let mut text =
        "| line | who | what | dice | came to | |\n| --: | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for entry in entries {
        let what = match (entry.kind, entry.words.is_empty()) {
            ("say", _) => escaped(&entry.words),
            ("hidden", _) if entry.program.is_empty() => "in secret".into(),
            ("call", true) => format!("asks for {}", code(&entry.program)),
            ("call", false) => {
                format!("asks for {}: {}", escaped(&entry.words), code(&entry.program))
            }
            (_, true) => code(&entry.program),
            (_, false) => format!("{} for {}", code(&entry.program), escaped(&entry.words)),
        };
        let inputs = if entry.inputs.is_empty() {
            String::new()
        } else {
            format!(" ({})", escaped(&entry.inputs))
        };
        let outcome = match (entry.outcome.is_empty(), entry.struck) {
            (true, _) => String::new(),
            (_, true) => format!("~~{}~~", escaped(&entry.outcome)),
            (_, false) => format!("**{}**", escaped(&entry.outcome)),
        };
        let made = match (entry.kind, entry.missing.is_empty(), entry.witnesses.is_empty()) {
            ("typed", ..) => "real dice".to_owned(),
            (_, false, _) => format!("{} missing", escaped(&entry.missing.join(", "))),
            (_, _, false) => format!("witnessed by {}", escaped(&entry.witnesses.join(", "))),
            _ => String::new(),
        };
        let (line, who, dice) = (entry.line, escaped(&entry.who), escaped(&entry.dice));
        let _ = writeln!(text, "| {line} | {who} | {what}{inputs} | {dice} | {outcome} | {made} |");
    }
    text
}

/// Words of people are words, whatever characters are in them.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => escaped.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '~' | '#' | '&' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

/// A program on one line; `|` ends a cell even between backticks.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The evening that is kept beside the specification.
    fn evening() -> Vec<Entry> {
        let log = include_str!("../../../spec/logs/evening.jsonl");
        let id =
            log.split_once("\"table\":\"").and_then(|(_, rest)| rest.get(..32)).expect("an id");
        let id: Id = astragal_fair::Bytes::read(id).expect("an id");
        entries(&id, log.lines(), &Said::new())
    }

    #[test]
    fn an_evening_has_a_row_for_each_thing() {
        let rows = evening();
        let count = |kind: &str| rows.iter().filter(|row| row.kind == kind).count();
        // `astragal verify` counts 27 rolls, 5 of them hidden.
        assert_eq!((count("roll"), count("hidden"), count("typed")), (22, 5, 1));
        assert_eq!(rows.iter().filter(|row| row.struck).count(), 2);
        let revealed = rows.iter().filter(|row| row.kind == "hidden" && !row.program.is_empty());
        assert_eq!(revealed.count(), 3);
        assert!(rows.iter().any(|row| !row.missing.is_empty()));
        assert!(rows.iter().any(|row| row.witnesses.len() > 1));
    }

    #[test]
    fn every_row_has_all_cells() {
        let rows = evening();
        let csv = csv(&rows);
        assert_eq!(csv.lines().next(), Some(HEAD.join(",").as_str()));
        let table = markdown(&rows);
        assert_eq!(table.lines().count(), rows.len() + 2);
        for row in table.lines() {
            let bars = row.replace("\\\\", "").replace("\\|", "").matches('|').count();
            assert_eq!(bars, 7, "{row}");
        }
    }

    #[test]
    fn what_people_write_stays_text() {
        let row = |who: &str, program: &str, outcome: &str| Entry {
            who: who.into(),
            kind: "roll",
            program: program.into(),
            outcome: outcome.into(),
            ..Entry::default()
        };
        let rows = [row("=cmd()", "d6 | \"a\"\nd8", "-3"), row("a*b|c", "`", "- x")];
        let csv = csv(&rows);
        assert!(csv.contains("\"'=cmd()\",roll,\"d6 | \"\"a\"\"\nd8\",,,-3,"), "{csv}");
        assert!(csv.contains("\"'- x\""), "{csv}");
        let table = markdown(&rows);
        assert!(table.contains("| =cmd() | `d6 \\| \"a\" d8` |  | **-3** |"), "{table}");
        assert!(table.contains("| a\\*b\\|c | `` ` `` |  | **- x** |"), "{table}");
    }
}
