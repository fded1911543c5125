//! A throw in ranges of its values: as few steps as may be.
//!
//! ```text
//! hits + x >= 10        from hits = 4: x from 0 to 5 lead to six nodes, all from 6 on to one end
//! ```
//!
//! From which value on all are alike is looked for first, near where it was for the nodes before. What is
//! below is halved until a range leads to one place, or is seen to lead to as many as it has values.

use std::rc::Rc;

use astragal_prob::Natural;

use super::{Rounds, Stop};
use crate::code::{FARTHEST, Reach, Word};
use crate::eval::Machine;
use crate::eval::hoisted::{Column, times};

/// What is known of a range of values.
enum Range {
    /// They all lead to the same.
    Alike(u32),
    /// They all lead to different nodes.
    Apart,
    /// They end the loop, but not in one way.
    Ends,
    Unknown,
}

impl<'p> Rounds<'p> {
    /// Where the values of a throw lead, as few ranges of them as may be.
    pub(super) fn in_ranges(
        &mut self,
        machine: &mut Machine<'p>,
        at: usize,
        mut column: Rc<Column>,
        weight: &Natural,
        total: &Natural,
    ) -> Result<(), Stop> {
        let slot = self.throws[at].thrown.slot;
        let (tail, target) = loop {
            if let Some(found) = self.tail(machine, at, &column)? {
                break found;
            }
            column = Rc::new(column.longer(machine.meter).ok_or(Stop::Not)?);
            self.throws[at].knows(&column);
        };
        let total = times(total, &column.total);
        self.sums.add(target, times(weight, &column.weight_from(tail)), &total);
        let mut ranges = vec![(0, tail)];
        while let Some((from, to)) = ranges.pop() {
            let range = match to - from {
                0 => continue,
                1..=4 => Range::Apart,
                _ => self.range(machine, slot, column.numbers[from], column.numbers[to - 1])?,
            };
            match range {
                Range::Alike(target) => {
                    self.sums.add(target, times(weight, &column.weight(from, to)), &total);
                }
                Range::Apart => {
                    for at in from..to {
                        self.runner.set(slot as usize, column.words[at]);
                        self.follow(machine, &times(weight, &column.weights[at]), &total)?;
                    }
                }
                Range::Ends | Range::Unknown => {
                    let middle = from.midpoint(to);
                    ranges.push((middle, to));
                    ranges.push((from, middle));
                }
            }
        }
        Ok(())
    }

    /// The first place from which on all values of a throw are alike, and where they lead. It is near
    /// those of the nodes before. None if an endless throw is not listed so far.
    fn tail(
        &mut self,
        machine: &Machine<'p>,
        throw: usize,
        column: &Column,
    ) -> Result<Option<(usize, u32)>, Stop> {
        let last = column.numbers.len() - 1;
        let top = if column.is_open() { FARTHEST } else { column.numbers[last] };
        let slot = self.throws[throw].thrown.slot;
        let (before, earlier) = self.known[throw].tails;
        let mut at = (2 * before).saturating_sub(earlier).min(last);
        let mut alike = |from: usize| {
            let range = self.range(machine, slot, column.numbers[from], top)?;
            match range {
                Range::Alike(target) => Ok(Some((from, target))),
                // There is no end of ends.
                Range::Ends if column.is_open() => Err(Stop::Not),
                Range::Apart | Range::Ends | Range::Unknown => Ok(None),
            }
        };
        // In ever longer steps away from there, until it lies between two places.
        let (mut step, mut below, mut found) = (1, None, None);
        let found = loop {
            match alike(at)? {
                Some(alike) => found = Some(alike),
                None if at < last => below = Some(at),
                None if column.is_open() => return Ok(None),
                None => return Err(Stop::Not),
            }
            (at, step) = match (below, found) {
                (None, Some(found @ (0, _))) => break found,
                (Some(below), Some(found)) if found.0 - below == 1 => break found,
                (Some(below), Some((found, _))) => (below.midpoint(found), step),
                (None, Some((found, _))) => (found.saturating_sub(step), 2 * step),
                (_, None) => ((at + step).min(last), 2 * step),
            };
        };
        self.known[throw].tails = (found.0, before);
        Ok(Some(found))
    }

    /// What is known of the values of a throw from one number to another.
    fn range(
        &mut self,
        machine: &Machine<'p>,
        slot: u32,
        from: i64,
        to: i64,
    ) -> Result<Range, Stop> {
        self.pay(machine)?;
        let known = match Word::number(from) {
            Some(word) if from == to => Reach::Word(word),
            _ => Reach::Moved(from, to, 0),
        };
        let reach = self.runner.reach(&self.rest.code, slot as usize, known, &mut self.store);
        self.runner.wanted = None;
        let target = match reach {
            Some(Reach::Word(record)) => self.target(record),
            Some(Reach::Record(mut fields)) => match fields.pop() {
                Some(Reach::Word(until)) if until.as_bool() == Some(true) => {
                    return Ok(self.end_of(fields).map_or(Range::Ends, Range::Alike));
                }
                Some(Reach::Word(_)) => {
                    let apart = |(field, read): (&Reach, &bool)| match field {
                        Reach::Moved(..) => *read,
                        Reach::Range(a, b) => *read && b - a == to - from,
                        Reach::Word(_) | Reach::Either | Reach::Row(_) | Reach::Record(_) => false,
                    };
                    return Ok(match fields.iter().zip(&self.read).any(apart) {
                        true => Range::Apart,
                        false => Range::Unknown,
                    });
                }
                _ => None,
            },
            Some(Reach::Range(..) | Reach::Moved(..) | Reach::Either | Reach::Row(_)) | None => {
                None
            }
        };
        Ok(target.map_or(Range::Unknown, Range::Alike))
    }
}
