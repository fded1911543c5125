//! The last throw of a round in ranges of its values: as few steps as may be.
//!
//! ```text
//! hits + x >= 10        from hits = 4: x from 0 to 5 lead to six nodes, all from 6 on to one end
//! ```
//!
//! From which value on all are alike is looked for first, near where it was for the nodes before. What is
//! below is halved until a range leads to one place, or is seen to lead to as many as it has values.

use std::rc::Rc;

use astragal_prob::Natural;

use super::sums::times;
use super::{Rounds, Stop};
use crate::eval::Machine;
use crate::eval::chained::cast::Cast;
use crate::plain::{FARTHEST, Reach, Word};

/// What is known of a range of values.
enum Range {
    /// They all lead to the same.
    Alike(u32),
    /// They all lead to different nodes.
    Apart,
    /// They end the loop, but not in one way: what is known of what is carried then.
    Ends(Vec<Reach>),
    Unknown,
}

impl<'p> Rounds<'p> {
    /// Where the values of the last throw lead, as few ranges of them as may be.
    pub(super) fn in_ranges(
        &mut self,
        machine: &Machine<'p>,
        mut cast: Rc<Cast>,
        weight: &Natural,
        total: &Natural,
    ) -> Result<(), Stop> {
        let (tail, target) = loop {
            if let Some(found) = self.tail(machine, &cast)? {
                break found;
            }
            cast = Rc::new(cast.longer(machine.meter).ok_or(Stop::Not)?);
            self.throws.last_mut().ok_or(Stop::Not)?.knows(&cast);
        };
        let total = times(total, &cast.total);
        self.sums.add(target, times(weight, &cast.weight_from(tail)), &total);
        let mut ranges = vec![(0, tail)];
        while let Some((from, to)) = ranges.pop() {
            let range = match to - from {
                0 => continue,
                1..=4 => Range::Apart,
                _ => self.range(machine, cast.numbers[from], cast.numbers[to - 1])?,
            };
            match range {
                Range::Alike(target) => {
                    self.sums.add(target, times(weight, &cast.weight(from, to)), &total);
                }
                Range::Apart => {
                    for at in from..to {
                        self.set_last(cast.words[at]);
                        let target = self.run(machine)?;
                        self.sums.add(target, times(weight, &cast.weights[at]), &total);
                    }
                }
                Range::Ends(_) | Range::Unknown => {
                    let middle = from.midpoint(to);
                    ranges.push((middle, to));
                    ranges.push((from, middle));
                }
            }
        }
        Ok(())
    }

    /// The first place from which on all values of the last throw are alike, and where they lead. It is near
    /// those of the nodes before. None if an endless throw is not listed so far.
    fn tail(&mut self, machine: &Machine<'p>, cast: &Cast) -> Result<Option<(usize, u32)>, Stop> {
        let last = cast.numbers.len() - 1;
        let top = if cast.is_open() { FARTHEST } else { cast.numbers[last] };
        let (before, earlier) = self.throws.last().map_or((0, 0), |throw| throw.tails);
        let mut at = (2 * before).saturating_sub(earlier).min(last);
        let mut alike = |from: usize| {
            let range = self.range(machine, cast.numbers[from], top)?;
            match (range, &cast.law) {
                (Range::Alike(target), _) => Ok(Some((from, target))),
                (Range::Ends(fields), Some(law)) => {
                    let target = self.opened(fields, cast, from, law);
                    Ok(Some((from, target.ok_or(Stop::Open)?)))
                }
                (Range::Apart | Range::Ends(_) | Range::Unknown, _) => Ok(None),
            }
        };
        let mut step = 1;
        let mut below = None;
        let mut found = alike(at)?;
        while found.is_none() {
            if at == last {
                return if cast.is_open() { Ok(None) } else { Err(Stop::Not) };
            }
            below = Some(at);
            at = (at + step).min(last);
            step *= 2;
            found = alike(at)?;
        }
        let Some(mut found) = found else { return Ok(None) };
        while below.is_none() && found.0 > 0 {
            let next = found.0.saturating_sub(step);
            step *= 2;
            match alike(next)? {
                Some(more) => found = more,
                None => below = Some(next),
            }
        }
        while let Some(not) = below
            && found.0 - not > 1
        {
            let middle = not.midpoint(found.0);
            match alike(middle)? {
                Some(more) => found = more,
                None => below = Some(middle),
            }
        }
        if let Some(throw) = self.throws.last_mut() {
            throw.tails = (found.0, before);
        }
        Ok(Some(found))
    }

    fn set_last(&mut self, word: Word) {
        self.runner.set(self.first_hole + self.throws.len() - 1, word);
    }

    /// What is known of the values of the last throw from one number to another.
    fn range(&mut self, machine: &Machine<'p>, from: i64, to: i64) -> Result<Range, Stop> {
        self.pay(machine)?;
        let slot = self.first_hole + self.throws.len() - 1;
        let known = match Word::number(from) {
            Some(word) if from == to => Reach::Word(word),
            _ => Reach::Moved(from, to, 0),
        };
        let reach = self.runner.reach(&self.rest.code, slot, known, &mut self.store);
        let target = match reach {
            Some(Reach::Word(record)) => self.target(record),
            Some(Reach::Record(mut fields)) => match fields.pop() {
                Some(Reach::Word(until)) if until.as_bool() == Some(true) => {
                    let open = if to == FARTHEST { fields.clone() } else { Vec::new() };
                    return Ok(match self.end_of(fields) {
                        Some(target) => Range::Alike(target),
                        None => Range::Ends(open),
                    });
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
