//! Every byte of a log, changed.
//!
//! An outsider changes a byte, mends the links behind it and leaves the head as it is, for only the house can sign one. The house signs a new head too:
//! then nothing remains but what nobody has used yet, the digits of seals that were never opened.

use crate::bytes::{Bytes, Hash, hash};
use crate::check::Checker;
use crate::exact;
use crate::formulas::head_text;
use crate::line;

use super::{Table, signed};

/// What came of changing bytes.
#[derive(Clone, Debug, Default)]
pub struct Forged {
    /// How many changes were tried.
    pub tried: u64,
    /// Those that were not noticed: the line, from 0, and the place in it.
    pub unnoticed: Vec<(usize, usize)>,
}

/// Changes every byte of a log in so many ways, and takes it to a checker.
pub fn every_byte(table: &Table, by_house: bool, ways: u8) -> Forged {
    let mut forged = Forged::default();
    let mut checker = Checker::new();
    for at in 0..table.lines.len() {
        for place in 0..table.lines[at].len() {
            for way in 0..ways {
                let Some(line) = changed(&table.lines[at], place, way) else { continue };
                forged.tried += 1;
                if !is_noticed(table, checker.clone(), at, &line, by_house) {
                    forged.unnoticed.push((at, place));
                }
            }
        }
        if checker.line(&table.lines[at]).is_err() {
            break;
        }
    }
    if !by_house {
        forge_head(table, &checker, ways, &mut forged);
    }
    forged
}

fn forge_head(table: &Table, checker: &Checker, ways: u8, forged: &mut Forged) {
    let head = table.head();
    for place in 0..head.len() {
        for way in 0..ways {
            let Some(line) = changed(&head, place, way) else { continue };
            forged.tried += 1;
            let mut checker = checker.clone();
            if checker.line(&line).is_ok() && checker.finish().is_ok() {
                forged.unnoticed.push((table.lines.len(), place));
            }
        }
    }
}

/// A line with one byte changed to something as harmless as can be: a digit to a digit, a letter to a letter.
fn changed(line: &str, place: usize, way: u8) -> Option<String> {
    let mut bytes = line.as_bytes().to_vec();
    let byte = bytes.get_mut(place)?;
    *byte = match (*byte, way) {
        (b'0'..=b'9', 0) => b'0' + (*byte - b'0' + 1) % 10,
        (b'a'..=b'f', 0) => b'a' + (*byte - b'a' + 1) % 6,
        (b'g'..=b'z', 0) => b'g' + (*byte - b'g' + 1) % 20,
        (_, 0) => *byte ^ 1,
        (_, 1) => *byte ^ 0x20,
        (_, _) => *byte ^ (way << 1 | 1),
    };
    // A line feed would make two lines, and what is no text is refused before it is looked at.
    String::from_utf8(bytes).ok().filter(|line| !line.contains('\n'))
}

/// Whether a checker that has taken all lines before notices that this one was changed.
fn is_noticed(table: &Table, mut checker: Checker, at: usize, line: &str, by_house: bool) -> bool {
    if checker.line(line).is_err() {
        return true;
    }
    let mut prev = hash(line.as_bytes());
    for line in &table.lines[at + 1..] {
        let line = mended(line, &prev);
        if checker.line(&line).is_err() {
            return true;
        }
        prev = hash(line.as_bytes());
    }
    let head = if by_house { new_head(table, prev) } else { table.head() };
    checker.line(&head).is_err() || checker.finish().is_err()
}

/// A line that follows another one.
pub fn mended(line: &str, prev: &Hash) -> String {
    const LINK: &str = "\"prev\":\"";
    match line.find(LINK) {
        Some(start) => {
            let start = start + LINK.len();
            format!("{}{prev}{}", &line[..start], &line[start + 64..])
        }
        None => line.to_owned(),
    }
}

/// The log from lines that the house has changed: links mended, head signed anew.
pub fn resigned(table: &Table, lines: &[String]) -> String {
    let (mut log, mut prev) = (String::new(), Bytes::ZERO);
    for line in lines {
        let line = mended(line, &prev);
        prev = hash(line.as_bytes());
        log += &format!("{line}\n");
    }
    let seq = (lines.len() as u64).saturating_sub(1);
    let sig = signed(&table.house, &head_text(&table.id, seq, &prev));
    let head = line::Head { kind: "head".into(), table: table.id, seq, hash: prev, sig };
    log + &exact::write(&head) + "\n"
}

fn new_head(table: &Table, hash: Hash) -> String {
    let seq = table.seq() - 1;
    let sig = signed(&table.house, &head_text(&table.id, seq, &hash));
    exact::write(&line::Head { kind: "head".into(), table: table.id, seq, hash, sig })
}

/// Takes a whole log.
pub fn verdict(log: &str) -> Result<crate::Report, crate::Wrong> {
    let mut checker = Checker::new();
    for line in log.lines() {
        checker.line(line)?;
    }
    checker.finish()
}
