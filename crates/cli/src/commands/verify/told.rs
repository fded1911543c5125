//! What was found in a log, for people and for machines.

use astragal_fair::request::Role;
use astragal_fair::{Report, SeatReport, Veto};
use serde_json::{Value, json as object};

use super::{Found, Misfit, lucky, number};

/// In words that a player understands.
pub(super) fn words(found: &Found, seat: Option<u64>) -> String {
    let report = &found.report;
    if let Some(misfit) = &found.wrong {
        return misfit_in_words(misfit, report);
    }
    let mut lines = vec![begin(report)];
    lines.extend(rolls(report));
    lines.extend(vetoes(report));
    lines.extend(hidden(report));
    lines.extend(others(report));
    lines.extend(silent(report));
    let own = seat.and_then(|seat| Some((seat, report.seats.get(usize::try_from(seat).ok()?)?)));
    lines.extend(own.into_iter().flat_map(|(number, seat)| of_seat(number, seat)));
    let name = |seat: u64| {
        let at = usize::try_from(seat).unwrap_or(usize::MAX);
        report.seats.get(at).map_or_else(|| format!("seat {seat}"), |seat| called(at, seat))
    };
    lines.extend(
        found.luck.iter().flat_map(|known| lucky::words(known, name)).map(|line| clean(&line)),
    );
    if let Some((_, line)) = found.remembered {
        lines.push(format!("the line that you remember is line {line}: this log goes on from it"));
    }
    lines.extend(found.aloud.iter().map(|words| format!("read aloud: {words}")));
    lines.push(end(report).into());
    lines.join("\n")
}

fn misfit_in_words(Misfit { line, wrong }: &Misfit, report: &Report) -> String {
    let place = line.map_or_else(String::new, |line| format!("line {line} does not fit: "));
    let mut lines = vec![format!("{place}{}", clean(&wrong.message))];
    let told = |what: &str, text: &Option<String>| {
        text.as_ref().map(|text| format!("  {what}: {}", clean(text)))
    };
    lines.extend(told("should stand there", &wrong.expected));
    lines.extend(told("stands there", &wrong.found));
    if line.is_some() {
        lines.push(match report.lines {
            0 => "nothing before it was checked".into(),
            1 => "the line before it fits".into(),
            count => format!("the {count} lines before it fit"),
        });
    }
    lines.join("\n")
}

fn begin(report: &Report) -> String {
    let table = report.table.map(|id| id.to_string()).unwrap_or_default();
    let (seats, lines) =
        (counted(report.seats.len() as u64, "seat"), counted(report.lines, "line"));
    let last = report.head.map(|(seq, hash)| format!(", the last is {seq}: {hash}"));
    format!("table {table}: {seats}, {lines}{}", last.unwrap_or_default())
}

fn rolls(report: &Report) -> Vec<String> {
    let all = report.total(SeatReport::rolls);
    let waiting = report.total(|seat| seat.hidden - seat.revealed);
    let again = match all - waiting {
        0 => counted(all, "roll"),
        _ if waiting == 0 => format!("{}, all thrown again here and right", counted(all, "roll")),
        shown => format!("{}, {shown} thrown again here and right", counted(all, "roll")),
    };
    let part = |count: u64, what: &str| (count > 0).then(|| format!("  {count} {what}"));
    let parts = [
        part(
            report.total(|seat| seat.witnessed),
            "witnessed: nobody chose them, unless roller, house and all witnesses did it together",
        ),
        part(
            report.total(|seat| seat.alone),
            "by the roller's device and the house: nobody chose them, unless these two did it together",
        ),
        part(
            report.total(|seat| seat.missing),
            "with witnesses missing: the house and those who fell silent may have chosen between a few results",
        ),
        part(
            report.total(|seat| seat.deserted),
            "left by all their witnesses: roller and house may have chosen them together",
        ),
        part(report.total(|seat| seat.house), "by the house alone, through a chat"),
        part(
            report.total(|seat| seat.vetoed),
            "refused by the house, which may have known the result",
        ),
        part(
            report.total(|seat| seat.silent),
            "refused, for the roller did not answer: the house may have known the result",
        ),
        part(
            report.total(|seat| seat.unsealed),
            "refused, for the roller had no seal: there was no result",
        ),
        part(
            report.total(|seat| seat.refused - seat.vetoed - seat.silent - seat.unsealed),
            "of them refused for their program: not rolled, but counted",
        ),
        part(report.by_older_rules, "of them by house rules that had just been changed"),
    ];
    [Some(again)].into_iter().chain(parts).flatten().collect()
}

/// What the house refused, as far as one can know what would have fallen.
fn vetoes(report: &Report) -> Vec<String> {
    const SHOWN: usize = 20;
    let told = |veto: &Veto| {
        let whose =
            report.seats.get(veto.seat).map(|seat| called(veto.seat, seat)).unwrap_or_default();
        let would = veto.would.as_ref().map_or_else(
            || "what would have fallen cannot be shown".to_owned(),
            |would| format!("would have fallen: {}", clean(would)),
        );
        format!("  line {} refuses a roll of {whose}; {would}", veto.line)
    };
    let mut lines: Vec<String> = report.vetoes.iter().take(SHOWN).map(told).collect();
    if report.vetoes.len() > SHOWN {
        lines.push(format!("  and {} more", report.vetoes.len() - SHOWN));
    }
    lines
}

fn hidden(report: &Report) -> Option<String> {
    let all = report.total(|seat| seat.hidden);
    let revealed = report.total(|seat| seat.revealed);
    let (count, of) =
        (counted(all, "hidden roll"), named(report, |seat| seat.hidden - seat.revealed));
    match all - revealed {
        _ if all == 0 => None,
        0 => Some(format!("{count}: revealed and right")),
        left => Some(format!("{count}: {revealed} revealed and right, {left} still hidden ({of})")),
    }
}

fn others(report: &Report) -> Vec<String> {
    let some = |count: u64, text: String| (count > 0).then_some(text);
    let typed = report.total(|seat| seat.typed);
    let struck = report.total(|seat| seat.struck);
    let of = named(report, |seat| seat.typed);
    let lines = [
        some(typed, format!("{typed} typed in from real dice ({of}): taken at their word")),
        some(struck, format!("{struck} struck by a game master")),
        some(report.rules, format!("house rules changed: {}", times(report.rules))),
        some(report.reseals, format!("the house sealed anew: {}", times(report.reseals))),
        some(report.moves, format!("the table went to another house: {}", times(report.moves))),
        report
            .open_ask
            .map(|line| format!("line {line} asks witnesses, and the log ends before they answer")),
    ];
    lines.into_iter().flatten().collect()
}

fn silent(report: &Report) -> Option<String> {
    let missed = |(number, seat): (usize, &SeatReport)| {
        let (missed, asked) = (seat.missed, seat.asked);
        (missed > 0).then(|| format!("{} {missed} of {asked}", called(number, seat)))
    };
    let all: Vec<String> = report.seats.iter().enumerate().filter_map(missed).collect();
    (!all.is_empty()).then(|| format!("did not answer as a witness: {}", all.join(", ")))
}

fn of_seat(number: u64, seat: &SeatReport) -> Vec<String> {
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    let took_part = seat.asked.saturating_sub(seat.missed);
    let rolled = format!(
        "{}: {}, {} of them witnessed; {} hidden, {} revealed",
        called(at, seat),
        counted(seat.rolls(), "roll"),
        seat.witnessed,
        seat.hidden,
        seat.revealed
    );
    let witness = format!(
        "  its device was asked for {} of others and answered for {took_part}: these nobody chose without it",
        counted(seat.asked, "roll")
    );
    let over = (seat.passed_over > 0).then(|| {
        format!(
            "  it was not asked for {} of others while it sat there",
            counted(seat.passed_over, "roll")
        )
    });
    [Some(rolled), Some(witness), over].into_iter().flatten().collect()
}

fn end(report: &Report) -> &'static str {
    if report.is_sure() {
        return "everything fits";
    }
    "seals, signatures and dice fit; the house has other rules built in than this version, so that not every outcome could be judged"
}

/// Who has some: `Ulf (seat 2), Mara (seat 0)`.
fn named(report: &Report, count: impl Fn(&SeatReport) -> u64) -> String {
    let some = report.seats.iter().enumerate().filter(|(_, seat)| count(seat) > 0);
    some.map(|(number, seat)| called(number, seat)).collect::<Vec<_>>().join(", ")
}

/// Names can be alike; numbers are not.
fn called(number: usize, seat: &SeatReport) -> String {
    format!("{} (seat {number})", clean(&seat.name))
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn times(count: u64) -> String {
    match count {
        1 => "once".into(),
        2 => "twice".into(),
        _ => format!("{count} times"),
    }
}

/// What strangers wrote is shown, not obeyed: no control characters, no turning of the writing direction.
fn clean(text: &str) -> String {
    let odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().map(|c| if odd(c) { '\u{fffd}' } else { c }).collect()
}

/// For machines: `docs/schema/verify.json`.
pub(super) fn json(found: &Found) -> Value {
    let report = &found.report;
    let wrong = found.wrong.as_ref().map(|Misfit { line, wrong }| {
        object!({
            "line": number(*line),
            "code": wrong.trouble.code(),
            "message": wrong.message,
            "expected": wrong.expected,
            "found": wrong.found,
        })
    });
    object!({
        "format": 1,
        "fits": found.wrong.is_none(),
        "sure": found.wrong.is_none() && report.is_sure(),
        "table": report.table.map(|id| id.to_string()),
        "lines": report.lines,
        "head": report.head.map(|(seq, hash)| object!({"line": seq, "hash": hash.to_string()})),
        "remembered": found.remembered.map(|(hash, line)| object!({"line": line, "hash": hash.to_string()})),
        "aloud": found.aloud,
        "seats": report.seats.iter().enumerate().map(|(at, seat)| of_seat_as_json(at, seat)).collect::<Vec<_>>(),
        "rules": report.rules,
        "outdated": report.by_older_rules,
        "reseals": report.reseals,
        "moves": report.moves,
        "unsure": report.unsure,
        "vetoes": report.vetoes.iter().map(|veto| object!({"line": veto.line, "seat": veto.seat, "would": veto.would})).collect::<Vec<_>>(),
        "asking": number(report.open_ask),
        "ended": report.ended,
        "luck": found.luck.as_ref().map(lucky::as_json),
        "wrong": wrong,
    })
}

fn of_seat_as_json(at: usize, seat: &SeatReport) -> Value {
    let role = match seat.role {
        Role::Owner => "owner",
        Role::Player => "player",
        Role::Door => "door",
    };
    object!({
        "seat": at,
        "name": seat.name,
        "role": role,
        "rolls": seat.rolls(),
        "witnessed": seat.witnessed,
        "alone": seat.alone,
        "missing": seat.missing,
        "deserted": seat.deserted,
        "vetoed": seat.vetoed,
        "silent": seat.silent,
        "unsealed": seat.unsealed,
        "house": seat.house,
        "hidden": seat.hidden,
        "revealed": seat.revealed,
        "refused": seat.refused,
        "typed": seat.typed,
        "struck": seat.struck,
        "asked": seat.asked,
        "missed": seat.missed,
        "passed": seat.passed_over,
    })
}
