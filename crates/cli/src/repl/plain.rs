//! Lines from a pipe, or from a terminal that can do no more than send lines.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use astragal::{is_anydice, is_unfinished_anydice};

use super::incomplete::{is_incomplete, is_open};
use super::session::{Next, Session};
use crate::stop::Stop;

/// The longest line that is read; the language's own limits are lower.
const LONGEST_LINE: u64 = 1 << 20;
/// After so many wrong lines from a pipe it is taken for rubbish.
const MOST_WRONG: usize = 20;

/// Answers line by line. A wrong line from a pipe is told at once, and again by the exit code.
pub(super) fn run(session: &mut Session<'_>, prompted: bool) -> Result<(), Stop> {
    let mut wrong = 0;
    let mut ahead = VecDeque::new();
    while let Some(line) = entry(session, prompted, &mut ahead) {
        match session.answer(line.trim()) {
            Ok(Next::Line) => {}
            Ok(Next::Leave) => break,
            Err(stop) => {
                super::complain(&stop, session);
                wrong += 1;
            }
        }
        if !prompted && wrong == MOST_WRONG {
            session.terminal.tell("error: too many wrong lines; the rest is not read");
            break;
        }
    }
    if wrong > 0 && !prompted { Err(Stop::Said) } else { Ok(()) }
}

/// The next line with those that continue it; none at the end of input. Lines that were read ahead come first.
fn entry(session: &Session<'_>, prompted: bool, ahead: &mut VecDeque<String>) -> Option<String> {
    let mut ask = |prompt: &str| {
        if prompted {
            session.terminal.prompt(prompt);
        }
        ahead.pop_front().or_else(|| line(io::stdin().lock()))
    };
    let mut text = ask("> ")?;
    let goes_on = if prompted { is_incomplete } else { is_open };
    while goes_on(text.trim_end_matches(['\n', '\r'])) {
        let Some(more) = ask(". ") else { break };
        let ended = more.trim().is_empty();
        text += &more;
        if ended {
            break;
        }
    }
    Some(if prompted { text } else { with_anydice(text, ahead) })
}

/// A program is no longer than that if it comes from a pipe line by line.
const LONGEST_PROGRAM: usize = 64 << 10;

/// An AnyDice program from a pipe is one entry, empty lines and all: it goes on as long as lines begin as its statements do.
/// What turns out to be none is left to be read line by line.
fn with_anydice(first: String, ahead: &mut VecDeque<String>) -> String {
    if first.trim().is_empty() {
        return first;
    }
    let (mut whole, begun) = (String::new(), first.len());
    let mut more = first;
    let wants_more = |more: &str| more.trim().is_empty() || is_unfinished_anydice(more.trim());
    loop {
        while more.len() < LONGEST_PROGRAM && wants_more(&more) {
            let Some(next) = ahead.pop_front().or_else(|| line(io::stdin().lock())) else { break };
            more += &next;
        }
        if !is_anydice(more.trim()) {
            break;
        }
        whole += &std::mem::take(&mut more);
    }
    let left = if whole.is_empty() { more.split_off(begun) } else { std::mem::take(&mut more) };
    let lines = left.split_inclusive('\n').map(str::to_owned);
    lines.rev().for_each(|line| ahead.push_front(line));
    whole + &more
}

/// The next line; none at the end of input. What is too long for a line is cut off.
fn line(mut from: impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).ok()?;
    if read as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        from.skip_until(b'\n').ok()?;
    }
    (read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
}
