//! Two enumerations against each other, and the odds as a whole against what was seen.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use astragal::{Answer, Odds, Rational, Value};
use astragal_odds::Failure;

use super::{Kept, Table, answer};
use crate::enumerate::{Plays, Seen, fall, place};

/// A program that checks does not meet a type error while it runs.
pub(super) fn well_typed(seen: &Seen) -> Result<(), String> {
    match seen.faults.keys().find(|(_, code, _)| matches!(*code, "mismatch" | "not-a-number")) {
        Some((place, code, _)) => Err(format!("a checked program met `{code}` at {place:?}")),
        None => Ok(()),
    }
}

/// What both followed to its end is the same; each may have cut where the other went on.
pub(super) fn same(plain: &Seen, rolled: &Seen) -> Result<(), String> {
    let mut broken = String::new();
    let mut differ = |what: &dyn std::fmt::Display, plainly: &Rational, rolls: &Rational| {
        if *plainly > rolls + &rolled.cut || *rolls > plainly + &plain.cut {
            let cuts = (&plain.cut, &rolled.cut);
            let _ = writeln!(broken, "  {what}: plainly {plainly}, rolls {rolls}, cut {cuts:?}");
        }
    };
    let of = |table: &Table, value| table.get(value).cloned().unwrap_or_default();
    for value in plain.values.keys().chain(rolled.values.keys()) {
        differ(value, &of(&plain.values, value), &of(&rolled.values, value));
    }
    for fall in plain.faults.keys().chain(rolled.faults.keys()) {
        let of = |seen: &Seen| seen.faults.get(fall).cloned().unwrap_or_default();
        differ(&format!("{fall:?}"), &of(plain), &of(rolled));
    }
    differ(&"rejected", &plain.rejected, &rolled.rejected);
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

fn list_faults(seen: &Seen) -> String {
    let lines = seen.faults.iter().map(|((place, code, calls), chance)| {
        format!("{code} at {place:?} through {calls:?} with {chance}")
    });
    lines.collect::<Vec<_>>().join(", ")
}

/// The odds fail: so must rolls, there and as often, by those calls or by any.
pub(super) fn failing(seen: &Seen, failure: &Failure) -> Result<Kept, String> {
    let wanted = fall(&failure.fault);
    // Evidence inside a measure may never hold on some paths only: that is a failure like any other.
    if wanted.1 == "impossible-evidence" && failure.chance == Rational::ONE {
        return match seen.values.is_empty() && seen.faults.is_empty() {
            true => Ok(Kept::Failing),
            false => Err("the odds say that the evidence never holds, but rolls end".into()),
        };
    }
    let by_calls = seen.faults.get(&wanted).cloned().unwrap_or_default();
    let there = seen.faults.iter().filter(|(known, _)| (known.0, known.1) == (wanted.0, wanted.1));
    let in_all = there.fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
    let fits = |chance: &Rational| {
        let most = chance + &seen.cut;
        *chance <= &failure.chance + &failure.lost && failure.chance <= most && !most.is_zero()
    };
    if fits(&by_calls) || fits(&in_all) {
        return Ok(Kept::Failing);
    }
    let (at, code, calls) = wanted;
    let (chance, faults, cut) = (&failure.chance, list_faults(seen), &seen.cut);
    Err(format!(
        "the odds fail with {code} at {at:?} through {calls:?} with chance {chance}, \
         the rolls with: {faults} (cut {cut})"
    ))
}

/// Runs that go on for ever are no failure where the odds say how likely that is. They come to no value, as if they
/// were cut.
pub(super) fn going_on(seen: &Seen, odds: &Odds) -> Result<Seen, String> {
    let mut seen = seen.clone();
    let mut never = Rational::ZERO;
    seen.faults.retain(|(_, code, _), chance| {
        let stays = *code != "never-stops";
        if !stays {
            never += &*chance;
        }
        stays
    });
    if let Some(answer) = odds.results.iter().find(|one| &one.never + &one.lost < never) {
        return Err(format!("rolls never end with {never}, the odds say {}", answer.never));
    }
    seen.cut += never;
    Ok(seen)
}

/// The odds are fine: so must rolls be, with the same tables, evidence and notices.
pub(super) fn whole(seen: &Seen, odds: &Odds) -> Result<(), String> {
    if !seen.faults.is_empty() {
        return Err(format!("the odds are fine, but rolls fail: {}", list_faults(seen)));
    }
    for (index, answer) in odds.results.iter().enumerate() {
        evidence(answer, seen)?;
        let table = match (answer.name.as_ref(), odds.results.len()) {
            (None, 1) => &seen.values,
            _ => &marginal(&seen.values, index),
        };
        answer::compare(answer, table, &seen.cut)?;
    }
    odds.results.iter().try_for_each(|answer| notices(answer, seen))
}

/// Each `maximise` is worth what the best of all lists of decisions is worth, in each of the cases before it.
pub(super) fn worth(plays: &Plays, odds: &Odds) -> Result<(), String> {
    let mut told = Plays::new();
    for policy in &odds.plays {
        told.entry(place(&policy.span)).or_default().insert(policy.value.clone());
    }
    if told == *plays {
        return Ok(());
    }
    Err(format!("the plays are worth {told:?}, by all decisions {plays:?}"))
}

/// The odds know how likely the evidence is, within the bounds of what was cut.
fn evidence(answer: &Answer, seen: &Seen) -> Result<(), String> {
    let most = Rational::ONE - &seen.rejected;
    let least = &most * (Rational::ONE - &seen.cut);
    match (&answer.evidence, answer.evidence_at_most()) {
        (Some(from), Some(to)) if *from <= most && least <= to && *from <= to => Ok(()),
        (None, _) if seen.rejected.is_zero() => Ok(()),
        (known, _) => Err(format!("the evidence is {known:?}, rolls say {least} to {most}")),
    }
}

/// The notices are the notes that are certain: no others, and all of them where every sequence was seen.
fn notices(answer: &Answer, seen: &Seen) -> Result<(), String> {
    let Some(certain) = &seen.notices else { return Ok(()) };
    let said: BTreeSet<_> = answer.notices.iter().cloned().collect();
    if !said.is_subset(certain) || said.len() < answer.notices.len() {
        return Err(format!("the notices are {said:?}, but certain are {certain:?}"));
    }
    if seen.cut.is_zero() && said != *certain {
        return Err(format!("of the certain notices {certain:?} only {said:?} are told"));
    }
    Ok(())
}

/// The table of one field of records.
pub(super) fn marginal(values: &Table, index: usize) -> Table {
    let mut table = Table::new();
    for (value, chance) in values {
        if let Value::Record(_, fields) = value
            && let Some(field) = fields.get(index)
        {
            *table.entry(field.clone()).or_default() += chance;
        }
    }
    table
}
