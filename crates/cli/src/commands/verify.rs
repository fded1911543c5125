//! `astragal verify`: the log of a table, checked from its first line to its last.
//!
//! Exit code 0: all fits. 1: it does not, and the first wrong line is named. 3: a newer version made it, or one with other rules
//! built in, so that not all of it can be judged.

pub(crate) mod lucky;
mod told;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use astragal_fair::{Bytes, Checker, Hash, LONGEST_LINE, Report, Trouble, Wrong, aloud};
use astragal_luck::{Evening, Known, Luck};
use serde_json::json;

use crate::arguments::Verify;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// What was found.
pub(super) struct Found {
    pub(super) report: Report,
    pub(super) wrong: Option<Misfit>,
    /// Where the remembered line stands.
    pub(super) remembered: Option<(Hash, u64)>,
    /// The words to read aloud.
    pub(super) aloud: Option<String>,
    /// The luck of everyone, if it is asked for and all fits.
    pub(super) luck: Option<Known>,
    /// The line that was agreed on.
    agreed: Option<Hash>,
}

/// What does not fit: the line of the file, from 1, if it is one line, and what is wrong with it.
pub(super) struct Misfit {
    pub(super) line: Option<u64>,
    pub(super) wrong: Wrong,
}

impl Found {
    fn is_unknown(&self) -> bool {
        match &self.wrong {
            Some(misfit) => misfit.wrong.trouble == Trouble::Version,
            None => !self.report.is_sure(),
        }
    }
}

pub(crate) fn run(arguments: &Verify, terminal: &Terminal) -> Result<(), Stop> {
    let head = arguments.head.as_deref().map(remembered).transpose()?;
    let asked = Asked { head, line: arguments.line, luck: arguments.luck };
    let found = match arguments.log.as_path() {
        path if path == Path::new("-") => checked(io::stdin().lock(), &asked),
        path => File::open(path).and_then(|file| checked(BufReader::new(file), &asked)),
    };
    let mut found = found.map_err(|error| {
        Stop::Usage(format!("`{}` cannot be read: {error}", arguments.log.display()))
    })?;
    if let Some(seat) = arguments.seat
        && found.wrong.is_none()
        && seat >= found.report.seats.len() as u64
    {
        return Err(Stop::Usage(no_such_seat(seat, &found.report)));
    }
    if let Some(line) = arguments.line
        && found.wrong.is_none()
        && found.agreed.is_none()
    {
        return Err(Stop::Usage(format!("the log has no line {line}")));
    }
    let words = arguments.aloud.as_ref().zip(found.agreed.filter(|_| found.wrong.is_none()));
    found.aloud = words.map(|(challenge, line)| aloud(&line, challenge));
    if terminal.json {
        terminal.say_json(&told::json(&found));
    } else {
        terminal.say_folded(&told::words(&found, arguments.seat));
    }
    match &found {
        found if found.is_unknown() => Err(Stop::Unknown),
        Found { wrong: Some(_), .. } => Err(Stop::Said),
        Found { wrong: None, .. } => Ok(()),
    }
}

fn remembered(text: &str) -> Result<Hash, Stop> {
    Bytes::read(text.trim()).ok_or_else(|| {
        let wrong = format!("`--head {text}` is no hash of a line");
        Stop::Usage(format!(
            "{wrong}: it has 64 digits from 0 to 9 and a to f, as `verify` shows it"
        ))
    })
}

fn no_such_seat(seat: u64, report: &Report) -> String {
    match report.seats.len() {
        0 => "nobody sat at this table".into(),
        count => format!("there is no seat {seat}: they are numbered from 0 to {}", count - 1),
    }
}

/// What is asked of a log besides whether it fits.
struct Asked {
    /// The line that somebody remembers.
    head: Option<Hash>,
    /// The line that was agreed on.
    line: Option<u64>,
    luck: bool,
}

/// Checks lines until one is wrong or there are no more.
fn checked(mut from: impl BufRead, asked: &Asked) -> io::Result<Found> {
    let (mut checker, mut evening) = (Checker::new(), Evening::default());
    let (mut number, mut bytes, mut wrong) = (0, Vec::new(), None);
    while wrong.is_none() {
        bytes.clear();
        (&mut from).take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            break;
        }
        number += 1;
        wrong = line(&mut checker, &mut evening, &bytes).err();
    }
    let agreed = asked.line.and_then(|line| checker.hash_of(line));
    let limits = checker.limits().filter(|_| asked.luck && wrong.is_none());
    let luck = limits.map(|limits| evening.known(&mut Luck::new(limits), &checker));
    let found = |report, wrong: Option<Misfit>, remembered| {
        let luck = luck.clone().filter(|_| wrong.is_none());
        Found { report, wrong, remembered, aloud: None, luck, agreed }
    };
    if let Some(wrong) = wrong {
        let misfit = Misfit { line: Some(number), wrong };
        return Ok(found(checker.so_far().clone(), Some(misfit), None));
    }
    let at = asked.head.map(|hash| (hash, checker.find(&hash)));
    let so_far = checker.so_far().clone();
    Ok(match (checker.finish(), at) {
        (Err(wrong), _) => found(so_far, Some(Misfit { line: Some(number + 1), wrong }), None),
        (Ok(report), Some((hash, None))) => {
            let misfit = Misfit { line: None, wrong: forgotten(&hash) };
            found(report, Some(misfit), None)
        }
        (Ok(report), Some((hash, Some(line)))) => found(report, None, Some((hash, line))),
        (Ok(report), None) => found(report, None, None),
    })
}

/// One line, as it came.
fn line(checker: &mut Checker, evening: &mut Evening, bytes: &[u8]) -> Result<(), Wrong> {
    let form = |message: &str| Wrong::plain(Trouble::Form, message);
    let Some(bytes) = bytes.strip_suffix(b"\n") else {
        let long = bytes.len() >= LONGEST_LINE;
        return Err(form(if long { "it is too long" } else { "it does not end with a line feed" }));
    };
    let text = std::str::from_utf8(bytes).map_err(|_| form("it is not UTF-8 text"))?;
    let taken = checker.line(text)?;
    evening.take(checker, &taken);
    Ok(())
}

/// The log has not the line that somebody remembers.
fn forgotten(hash: &Hash) -> Wrong {
    let message = format!(
        "the line that you remember, {hash}, is not in this log: the log was cut off, or tells another history"
    );
    Wrong::plain(Trouble::Head, &message)
}

/// For JSON: a number or nothing.
pub(super) fn number(of: Option<u64>) -> serde_json::Value {
    of.map_or(serde_json::Value::Null, |number| json!(number))
}
