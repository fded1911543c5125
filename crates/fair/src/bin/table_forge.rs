//! `cargo xtask table-forge`: forges logs, grinds rolls and measures the checker, and prints figures.
//!
//! `--quick` is for a look; the figures of a release are made without.

#![allow(clippy::print_stdout, reason = "figures are what it is for")]

use std::process::{Command, ExitCode};

use cpu_time::ProcessTime;

use astragal_fair::line::Witness;
use astragal_fair::simulate::forge::{every_byte, verdict};
use astragal_fair::simulate::luck::{CRITICAL, Grinding, throw};
use astragal_fair::simulate::{evening, lies, long};

/// How much is tried.
struct Size {
    ways: u8,
    throws: u64,
    ground: u64,
    rolls: u64,
    python: u64,
}

const FULL: Size =
    Size { ways: 4, throws: 1_000_000, ground: 200_000, rolls: 100_000, python: 5_000 };
const QUICK: Size = Size { ways: 1, throws: 100_000, ground: 20_000, rolls: 5_000, python: 300 };

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let size = if words.iter().any(|word| word == "--quick") { QUICK } else { FULL };
    let steps = [forged(&size), lied(), bent(&size), paced(&size)];
    let good = steps.into_iter().all(|good| good);
    println!("{}", if good { "everything holds" } else { "SOMETHING DOES NOT HOLD" });
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Every byte of an evening.
fn forged(size: &Size) -> bool {
    let table = evening(2026);
    let bytes: usize = table.lines.iter().map(|line| line.len() + 1).sum();
    println!("an evening: {} lines, {bytes} bytes", table.lines.len());
    let outsider = every_byte(&table, false, size.ways);
    let unnoticed = outsider.unnoticed.len();
    println!(
        "  bytes changed by an outsider, links mended: {} tried, {unnoticed} not noticed",
        outsider.tried
    );
    let house = every_byte(&table, true, size.ways);
    let count = house.unnoticed.len();
    let in_seals =
        house.unnoticed.iter().filter(|(line, place)| is_in_seal(&table.lines[*line], *place));
    let in_seals = in_seals.count();
    println!(
        "  by the house, head signed anew: {} tried, {count} not noticed, {in_seals} of them digits of seals",
        house.tried
    );
    unnoticed == 0 && in_seals == count
}

/// Whether a place of a line is one of the digits of a seal.
fn is_in_seal(line: &str, place: usize) -> bool {
    let start = line[..place].rfind("\"sealed\":").unwrap_or(usize::MAX);
    let rest = line.get(start..place).unwrap_or("x,\"");
    start != usize::MAX && !rest[9..].contains('{') && !rest[9..].contains(",\"")
}

/// Every kind of lie.
fn lied() -> bool {
    let lies = lies::all();
    let wrong: Vec<String> = lies.iter().filter_map(|lie| lie.is_noticed().err()).collect();
    println!("lies of the house: {} told, {} noticed", lies.len(), lies.len() - wrong.len());
    for lie in &lies {
        println!("  {}", lie.name);
    }
    wrong.iter().for_each(|lie| println!("  NOT NOTICED: {lie}"));
    wrong.is_empty()
}

/// Who grinds gains nothing, as long as one party is honest.
fn bent(size: &Size) -> bool {
    let mut good = true;
    for (sides, critical) in CRITICAL {
        let honest = [(Grinding::Nobody, size.throws)];
        let ground =
            [Grinding::Roller, Grinding::House, Grinding::BothWitnessed, Grinding::HouseAndWitness];
        for (grinding, rolls) in honest.into_iter().chain(ground.map(|by| (by, size.ground))) {
            let counted = throw(grinding, sides, rolls);
            let (chi, shift) = (counted.chi_square(), counted.shift());
            good &= chi < critical && shift.abs() < 4.0;
            println!(
                "d{sides}, grinding: {grinding:?}: {rolls} rolls, chi-square {chi:.2} (below {critical}), mean off by {shift:+.2} standard errors"
            );
        }
        let alone = throw(Grinding::BothAlone, sides, size.ground / 10);
        println!(
            "d{sides}, house and roller without a witness, as a control: mean off by {:+.0} standard errors",
            alone.shift()
        );
        good &= alone.shift() > 20.0;
    }
    good
}

/// How long a check takes, and whether Python says the same.
fn paced(size: &Size) -> bool {
    let mut good = true;
    for (name, witness, rolls) in [
        ("without witnesses", Witness::Never, size.rolls),
        ("witnessed by one", Witness::Always, size.rolls / 10),
    ] {
        let log = long(12, rolls, witness).log();
        let begun = ProcessTime::now();
        let fits = verdict(&log).is_ok();
        let took = begun.elapsed().as_secs_f64();
        good &= fits;
        let each = took / rolls as f64 * 1e6;
        println!(
            "{rolls} rolls {name}, {:.1} MB: checked in {took:.2} s of CPU, {each:.0} µs a roll",
            log.len() as f64 / 1e6
        );
    }
    good & python(size.python)
}

/// The other checker, on the beginning of such a log.
fn python(rolls: u64) -> bool {
    let log = long(12, rolls, Witness::Always).log();
    let path = std::env::temp_dir().join(format!("astragal-forge-{}.jsonl", std::process::id()));
    if std::fs::write(&path, &log).is_err() {
        println!("skipped: {} cannot be written", path.display());
        return true;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/fair.py");
    let ran = Command::new("python3").args(["-B", script]).arg(&path).arg("--trace").output();
    // Who cannot remove a file has no use for hearing of it.
    let _ = std::fs::remove_file(&path);
    let Ok(ran) = ran else {
        println!("skipped: there is no python3");
        return true;
    };
    let told = String::from_utf8_lossy(&ran.stdout).into_owned();
    let same =
        told.lines().take(told.lines().count() - 1).eq(trace(&log).iter().map(String::as_str));
    println!(
        "{rolls} witnessed rolls by spec/fair.py: {} line by line",
        if same { "the same" } else { "NOT THE SAME" }
    );
    same && ran.status.success()
}

fn trace(log: &str) -> Vec<String> {
    let mut checker = astragal_fair::Checker::new();
    let taken = log.lines().filter_map(|line| checker.line(line).ok());
    let told = taken.filter_map(|taken| Some((taken.seq?, taken.kind?, taken.key)));
    told.map(|(seq, kind, key)| match key {
        Some(key) => format!("{seq} {kind} {key}"),
        None => format!("{seq} {kind} -"),
    })
    .collect()
}
