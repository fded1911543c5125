//! The checker in `spec/fair.py`, which was written from the page alone, says the same.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]
#![allow(clippy::print_stdout, reason = "a step that is skipped says so")]

use std::path::Path;
use std::process::Command;

use astragal_fair::simulate::forge::{mended, resigned, verdict};
use astragal_fair::simulate::lies::{self, Noticed};
use astragal_fair::simulate::{Table, evening, wild};
use astragal_fair::{Checker, Report, hash};
use serde_json::Value;

/// What Python says: its last line, and the lines before it.
struct Told {
    verdict: Value,
    trace: Vec<String>,
}

fn python(log: &str, name: &str) -> Option<Told> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/fair.py");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.jsonl"));
    std::fs::write(&path, log).unwrap();
    let ran = Command::new("python3").args(["-B", script]).arg(&path).arg("--trace").output();
    let Ok(ran) = ran else {
        println!("skipped: there is no python3");
        return None;
    };
    let out = String::from_utf8(ran.stdout).unwrap();
    let mut trace: Vec<String> = out.lines().map(str::to_owned).collect();
    let last = trace.pop().unwrap_or_default();
    let verdict = serde_json::from_str(&last)
        .unwrap_or_else(|error| panic!("{error}: {out}{}", String::from_utf8_lossy(&ran.stderr)));
    Some(Told { verdict, trace })
}

/// What Rust says in the same words: number, kind and key of each line, and the first wrong line of the file.
fn rust(log: &str) -> (Vec<String>, Option<u64>) {
    let (mut checker, mut trace) = (Checker::new(), Vec::new());
    for (number, line) in (1..).zip(log.lines()) {
        match checker.line(line) {
            Ok(taken) => {
                if let (Some(seq), Some(kind)) = (taken.seq, taken.kind) {
                    let key = taken.key.map_or("-".to_owned(), |key| key.to_string());
                    trace.push(format!("{seq} {kind} {key}"));
                }
            }
            Err(_) => return (trace, Some(number)),
        }
    }
    let wrong = checker.finish().err().map(|_| log.lines().count() as u64 + 1);
    (trace, wrong)
}

fn agree(log: &str, name: &str) -> bool {
    let Some(told) = python(log, name) else { return false };
    let (trace, wrong) = rust(log);
    assert_eq!(told.verdict["line"].as_u64(), wrong, "{name}: {}", told.verdict);
    assert_eq!(told.trace, trace, "{name}");
    if let Ok(report) = verdict(log) {
        same_counts(&told.verdict, &report, name);
    }
    true
}

/// What fits is counted alike.
fn same_counts(told: &Value, report: &Report, name: &str) {
    let counts = [
        ("lines", report.lines),
        ("witnessed", report.total(|seat| seat.witnessed)),
        ("missing", report.total(|seat| seat.missing)),
        ("alone", report.total(|seat| seat.alone)),
        ("house", report.total(|seat| seat.house)),
        ("deserted", report.total(|seat| seat.deserted)),
        ("vetoed", report.total(|seat| seat.vetoed)),
        ("silent", report.total(|seat| seat.silent)),
        ("unsealed", report.total(|seat| seat.unsealed)),
        ("hidden", report.total(|seat| seat.hidden)),
        ("revealed", report.total(|seat| seat.revealed)),
        ("typed", report.total(|seat| seat.typed)),
        ("struck", report.total(|seat| seat.struck)),
        ("refused", report.total(|seat| seat.refused)),
        ("older", report.by_older_rules),
    ];
    for (what, count) in counts {
        assert_eq!(told[what].as_u64(), Some(count), "{name}: {what}");
    }
    assert_eq!(told["asking"].as_u64(), report.open_ask, "{name}");
}

#[test]
fn both_agree_on_right_logs_line_by_line() {
    agree(&evening(31).log(), "evening");
}

#[test]
fn both_agree_on_every_lie() {
    for (number, lie) in lies::all().iter().enumerate() {
        // What a program comes to, Python knows of sums alone.
        let of_a_program = lie.name.contains("rules");
        if matches!(lie.by, Noticed::Checker(_)) && of_a_program {
            continue;
        }
        if !agree(&lie.log, &format!("lie-{number}")) {
            return;
        }
    }
}

/// Anybody does anything, in the right form and with the right keys: the same first wrong line.
#[test]
fn both_agree_on_wild_tables() {
    let most = std::env::var("ASTRAGAL_WILD").ok().and_then(|most| most.parse().ok());
    for seed in 0..most.unwrap_or(40) {
        if !agree(&wild(seed, 25).log(), &format!("wild-{seed}")) {
            return;
        }
    }
}

/// What once made it fall over, or say too little.
#[test]
fn python_says_what_it_does_not_know() {
    let table = plain();
    let ask = table.lines.iter().position(|line| line.contains("\"kind\":\"ask\"")).unwrap();
    let Some(told) = python(&resigned(&table, &table.lines[..=ask]), "open") else { return };
    assert_eq!(told.verdict["asking"].as_u64(), Some(ask as u64));
    let mut lines = table.lines.clone();
    lines[0] = lines[0].replacen("\"language\":1", "\"language\":2", 1);
    let told = python(&resigned(&table, &lines), "language").unwrap();
    assert_eq!(told.verdict["unknown"].as_bool(), Some(true));
    let mut lines = table.lines[..ask + 2].to_vec();
    let dice = lines[ask + 1].find("\"dice\":").unwrap();
    lines[ask + 1].truncate(dice);
    lines[ask + 1] += r#""dice":[[]],"outcome":["value","20"]}"#;
    let told = python(&resigned(&table, &lines), "empty-run").unwrap();
    assert_eq!(told.verdict["line"].as_u64(), Some(ask as u64 + 2), "{}", told.verdict);
    assert!(agree(&resigned(&table, &lines), "empty-run"));
}

/// One byte here and there, changed by the house, which mends the links and signs the head.
#[test]
fn both_agree_on_changed_bytes() {
    let table = plain();
    let mut tried = 0;
    for at in 0..table.lines.len() {
        for place in (at % 37..table.lines[at].len()).step_by(211) {
            let mut bytes = table.lines[at].clone().into_bytes();
            bytes[place] = if bytes[place] == b'3' { b'5' } else { b'3' };
            let Ok(line) = String::from_utf8(bytes) else { continue };
            let mut lines = table.lines.clone();
            lines[at] = line;
            if !agree(&resigned(&table, &lines), &format!("byte-{at}-{place}")) {
                return;
            }
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

/// A table whose outcomes Python can judge.
fn plain() -> Table {
    use astragal_fair::line::Witness;
    use astragal_fair::request::{Role, To};
    let mut table = Table::new(33, Witness::Owner);
    table.sit("Mara", Role::Owner);
    table.sit("Ulf", Role::Player);
    table.roll(0, "2d6+1");
    table.roll(1, "d20");
    let of = table.hide(0, "3d8", To::Owner);
    table.reveal(0, of);
    table.strike(0, of);
    table.roll(1, "10d10-4");
    assert_eq!(mended(&table.lines[1], &hash(table.lines[0].as_bytes())), table.lines[1]);
    table
}
