//! Logs that are right, and logs that somebody has changed.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use astragal_fair::line::{self, How, Limits, Outcome, Witness};
use astragal_fair::request::{Role, To};
use astragal_fair::simulate::forge::{every_byte, resigned, verdict};
use astragal_fair::simulate::lies::{self, Noticed};
use astragal_fair::simulate::luck::{CRITICAL, Grinding, throw};
use astragal_fair::simulate::{Table, evening, long, short};
use astragal_fair::{Alarm, Checker, Kind, LONGEST_LINE, Tables, Trouble, Watch};

#[test]
fn an_evening_fits() {
    let report = verdict(&evening(1).log()).unwrap();
    assert_eq!(report.seats.len(), 5);
    assert_eq!(report.total(|seat| seat.missing), 1);
    assert_eq!(report.total(|seat| seat.deserted), 1);
    assert_eq!(report.total(|seat| seat.silent), 1);
    assert_eq!(report.total(|seat| seat.unsealed), 1);
    assert_eq!(report.total(|seat| seat.hidden), 5);
    assert_eq!(report.total(|seat| seat.revealed), 3);
    assert_eq!(report.total(|seat| seat.typed), 1);
    assert_eq!(report.total(|seat| seat.struck), 2);
    assert_eq!(report.total(|seat| seat.refused), 3);
    assert!(report.is_sure() && report.ended);
    assert_eq!((report.rules, report.reseals, report.moves), (1, 2, 1));
}

/// The log of the first release stays right for ever; a new format would be a new `v`.
#[test]
fn kept_logs_fit() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/logs");
    let mut logs = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let report = verdict(&std::fs::read_to_string(&path).unwrap());
        assert!(report.is_ok_and(|report| report.is_sure()), "{}", path.display());
        logs += 1;
    }
    assert!(logs > 0);
}

/// What the first log was made from still makes the same bytes, as long as the library is the same.
#[test]
fn the_kept_evening_is_what_is_written_today() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/logs/evening.jsonl");
    if std::env::var_os("ASTRAGAL_UPDATE").is_some() && !std::path::Path::new(path).exists() {
        std::fs::write(path, evening(2026).log()).unwrap();
        std::fs::write(FORGED, better_roll()).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap();
    let library = format!("\"library\":\"{}\"", astragal_fair::library());
    if kept.contains(&library) {
        assert_eq!(kept, evening(2026).log());
    }
}

const FORGED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/forged/better-roll.jsonl");

/// The house gives the game master a better roll than she had.
fn better_roll() -> String {
    let table = evening(2026);
    let mut lines = table.lines.clone();
    let dice = lines[3].find(",\"dice\":").unwrap();
    lines[3].truncate(dice);
    lines[3] += r#","dice":[[20,20]],"outcome":["value","20"]}"#;
    resigned(&table, &lines)
}

#[test]
fn a_better_roll_is_noticed() {
    let kept = std::fs::read_to_string(FORGED).unwrap();
    let wrong = verdict(&kept).unwrap_err();
    assert_eq!((wrong.trouble, wrong.found.as_deref()), (Trouble::Dice, Some("d20: 20")));
}

#[test]
fn an_outsider_can_change_no_byte() {
    let table = short(3);
    let forged = every_byte(&table, false, 1);
    assert!(forged.tried > 5_000, "{}", forged.tried);
    assert_eq!(forged.unnoticed, []);
}

#[test]
fn the_house_can_change_only_what_nobody_used() {
    let table = short(4);
    let forged = every_byte(&table, true, 1);
    for (at, place) in &forged.unnoticed {
        let line = &table.lines[*at];
        let sealed = line.rfind("\"sealed\":").unwrap();
        assert!(*at == table.lines.len() - 1 && *place > sealed, "{at} {place}: {line}");
    }
    assert!(forged.unnoticed.len() <= 2 * 64, "two seals are not used: {}", forged.unnoticed.len());
}

#[test]
fn every_lie_is_noticed() {
    let lies = lies::all();
    assert!(lies.len() >= 12);
    let unnoticed: Vec<String> = lies.iter().filter_map(|lie| lie.is_noticed().err()).collect();
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}

/// A device knows what it has sent, and whether it is here.
#[test]
fn a_device_compares_with_what_it_knows() {
    let mut table = Table::new(11, Witness::Owner);
    table.sit("Mara", Role::Owner);
    table.sit("Ulf", Role::Player);
    let mut watch = Watch::of_seat(1);
    for line in &table.lines {
        watch.line(line).unwrap();
    }
    let mut careless = watch.clone();
    let wish = table.wish("d20");
    let (request, _) = Table::clone_of(&table).sign(1, Kind::Roll, &wish);
    watch.sends(&request);
    table.roll_with(1, &wish, &[]);
    assert!(watch.line(table.lines.last().unwrap()).is_ok());
    assert_eq!(careless.line(table.lines.last().unwrap()).unwrap_err(), Alarm::NotSent);
    table.here(&[0]);
    let seen = watch.line(table.lines.last().unwrap()).unwrap();
    assert_eq!(seen.alarms, [Alarm::CalledAway]);
    assert!(matches!(watch.line("{}"), Err(Alarm::Wrong(_))));
}

/// A seal is opened only for the newest line, if it asks, and if the house has signed its head: so that it cannot show one witness a history of its own
/// without leaving the proof in its hands.
#[test]
fn a_device_testifies_only_with_a_signed_head() {
    let mut table = Table::new(12, Witness::Always);
    table.sit("Mara", Role::Owner);
    table.sit("Ulf", Role::Player);
    let mut watch = Watch::of_seat(1);
    for line in &table.lines {
        watch.line(line).unwrap();
    }
    let mut fork = Table::clone_of(&table);
    watch.head(&table.head()).unwrap();
    assert_eq!(watch.may_testify(), Err(Alarm::Unproven), "nothing asks");
    let wish = table.wish("d20");
    let asked = table.witnesses(0);
    let (request, sig) = table.sign(0, Kind::Roll, &wish);
    table.ask(0, (&request, sig), &wish, &asked);
    watch.line(table.lines.last().unwrap()).unwrap();
    assert_eq!(watch.may_testify(), Err(Alarm::Unproven), "no head");
    fork.roll(0, "d6");
    let forked = fork.seq() - 1;
    assert!(watch.head(&fork.head()).is_err(), "the head of another history");
    fork.lines.truncate(forked as usize);
    assert_eq!(watch.head(&fork.head()), Err(Alarm::OtherHistory(forked - 1)));
    watch.head(&table.head()).unwrap();
    assert_eq!(watch.may_testify(), Ok((1, 0)));
    assert_eq!(watch.newest_head(), Some(table.head().as_str()));
    table.here(&[0, 1]);
    watch.line(table.lines.last().unwrap()).unwrap();
    assert_eq!(watch.may_testify(), Err(Alarm::Unproven), "it is not the newest line any more");
}

/// The same house key and nonce once more: the same id, another beginning.
#[test]
fn a_device_knows_a_table_that_begins_twice() {
    let mut tables = Tables::default();
    let first = &Table::new(13, Witness::Always).lines[0];
    tables.meets(first).unwrap();
    tables.meets(first).unwrap();
    tables.meets(&Table::new(14, Witness::Always).lines[0]).unwrap();
    let second = &Table::new(13, Witness::Never).lines[0];
    assert_eq!(tables.meets(second), Err(Alarm::SecondBeginning));
}

/// Roller and game master reveal the same roll at the same time; a line is struck twice. Neither locks a seat, and each is counted once.
#[test]
fn what_is_said_twice_is_counted_once() {
    let mut table = Table::new(15, Witness::Never);
    let (mara, ulf) = (table.sit("Mara", Role::Owner), table.sit("Ulf", Role::Player));
    let of = table.hide(ulf, "2d6", To::Owner);
    table.reveal(ulf, of);
    table.reveal(mara, of);
    table.strike(mara, of);
    table.strike(mara, of);
    table.roll(ulf, "d20");
    let report = verdict(&table.log()).unwrap();
    assert_eq!((report.seats[1].revealed, report.seats[1].struck), (1, 1));
    assert_eq!(report.total(|seat| seat.rolls()), 2);
}

/// No roll is too long to be written: nobody can make a program that bursts its line when the result is bad.
#[test]
fn the_longest_rolls_can_be_written() {
    let mut table = Table::with_limits(16, Witness::Always, Limits::MOST);
    let mara = table.sit("Mara", Role::Owner);
    for number in 1..64 {
        table.sit(&format!("puppet {number}"), Role::Player);
    }
    // At most 10,000 throws, no two alike in a row.
    let huge = "repeat with n = 0, x = 0
        next n = n + 1, x = d9007199254740991 + d9007199254740990
        until n = 4999";
    let inputs = (0..64).map(|at| (format!("{at:\"<64}"), "\u{1}".repeat(256)));
    let wish = table.wish(&"\u{1}".repeat(16_384));
    let wish = astragal_fair::request::Roll { inputs: inputs.collect(), to: To::Owner, ..wish };
    let long = [table.roll(mara, huge), table.roll_with(mara, &wish, &[])];
    let long = [long[0], table.reveal(mara, long[1]), table.rule(mara, &"\"".repeat(32_768))];
    let lengths = long.map(|line| table.lines[line as usize].len());
    assert!(lengths[0] > 131_072, "{lengths:?}");
    assert!(lengths.iter().all(|length| *length < LONGEST_LINE * 2 / 3), "{lengths:?}");
    verdict(&table.log()).unwrap();
    let too_long = " ".repeat(LONGEST_LINE);
    assert_eq!(
        Checker::new().line(&too_long).unwrap_err().message,
        "it is longer than 1048576 bytes"
    );
}

/// Who takes an old `after` rolls by the rules of then, which is counted.
#[test]
fn older_rules_are_counted() {
    let mut table = Table::new(17, Witness::Never);
    let (mara, ulf) = (table.sit("Mara", Role::Owner), table.sit("Ulf", Role::Player));
    let after = table.prev();
    let wish = table.wish("d20");
    let (request, sig) = table.sign_after(ulf, Kind::Roll, &wish, after);
    table.rule(mara, "fn hit(ac) = d20 >= ac");
    let (house, sealed) = table.open(ulf);
    let (dice, outcome) = table.thrown(&request, &wish, &house, &[]);
    let line = line::Roll { request, sig, house, sealed, dice, outcome };
    table.write(Kind::Roll, &line);
    assert_eq!(verdict(&table.log()).unwrap().by_older_rules, 1);
}

/// A hidden roll that was revealed stands in two lines; whoever strikes both strikes one roll.
#[test]
fn a_roll_in_two_lines_is_struck_once() {
    let mut table = Table::new(18, Witness::Never);
    let mara = table.sit("Mara", Role::Owner);
    let of = table.hide(mara, "2d6", To::Owner);
    let shown = table.reveal(mara, of);
    table.strike(mara, shown);
    table.strike(mara, of);
    assert_eq!(verdict(&table.log()).unwrap().seats[0].struck, 1);
}

/// Rules that come after a roll was asked for make it no roll by older rules, however late it is closed or shown.
#[test]
fn rules_that_come_later_are_no_older_rules() {
    let mut table = Table::new(19, Witness::Owner);
    let (mara, ulf) = (table.sit("Mara", Role::Owner), table.sit("Ulf", Role::Player));
    let of = table.hide(ulf, "2d6", To::Owner);
    let (wish, asked) = (table.wish("d20"), table.witnesses(mara));
    let nora = table.sit("Nora", Role::Owner);
    let asked = [asked, vec![(nora, 0)]].concat();
    let (request, sig) = table.sign(mara, Kind::Roll, &wish);
    let ask = table.ask(mara, (&request, sig), &wish, &asked);
    let opened = table.testimonies(&asked);
    table.rule(nora, "fn hit(ac) = d20 >= ac");
    table.reveal(ulf, of);
    // By the rules of then; the table in memory would take the newest.
    table.rules.clear();
    table.close(mara, ask, (&request, &wish), opened, vec![]);
    assert_eq!(verdict(&table.log()).unwrap().by_older_rules, 0);
}

/// What would have fallen is told only by the engine that the house had when the request was made.
#[test]
fn nobody_says_what_another_engine_would_have_thrown() {
    let mut table = Table::new(20, Witness::Never);
    let ulf = table.sit("Ulf", Role::Player);
    table.upgrade(astragal_fair::hash(b"another library"));
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ulf, Kind::Roll, &wish);
    table.upgrade(astragal_fair::library());
    let (house, sealed) = table.open(ulf);
    let (dice, outcome) = (vec![], Outcome(How::Refused, "language".into()));
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    let report = verdict(&table.log()).unwrap();
    assert_eq!(report.vetoes.iter().map(|veto| veto.would.as_deref()).collect::<Vec<_>>(), [None]);
}

/// A lie that nobody tells is not noticed: the tests above can fail.
#[test]
fn an_honest_log_is_no_lie() {
    let honest =
        lies::Lie { name: "none", log: evening(5).log(), by: Noticed::Checker(Trouble::Seal) };
    assert!(honest.is_noticed().is_err());
}

#[test]
fn what_is_not_finished_does_not_fit() {
    let log = evening(6).log();
    let without_head: String = log.lines().take(10).map(|line| format!("{line}\n")).collect();
    assert_eq!(verdict(&without_head).unwrap_err().trouble, Trouble::Head);
    let doubled = log.clone() + &log;
    assert_eq!(verdict(&doubled).unwrap_err().trouble, Trouble::Head);
    assert_eq!(verdict("").unwrap_err().trouble, Trouble::Head);
    assert_eq!(verdict("{}\n").unwrap_err().trouble, Trouble::Form);
    let newer = log.replacen("\"v\":1", "\"v\":2", 1);
    assert_eq!(verdict(&newer).unwrap_err().trouble, Trouble::Version);
}

#[test]
fn an_ask_may_be_open_at_the_end() {
    let table = evening(7);
    let ask = table.lines.iter().position(|line| line.contains("\"kind\":\"ask\"")).unwrap();
    let log = resigned(&first_house(&table), &table.lines[..=ask]);
    assert_eq!(verdict(&log).unwrap().open_ask, Some(ask as u64));
}

/// The same table with the key that the house had at first.
fn first_house(table: &Table) -> Table {
    let mut first = Table::clone_of(table);
    first.house = Table::new(7, Witness::Always).house;
    first
}

/// No text makes a checker fall over.
#[test]
fn nonsense_is_refused() {
    let log = evening(8).log();
    let lines: Vec<&str> = log.lines().collect();
    for cut in 0..200 {
        let mut checker = Checker::new();
        let line = lines[cut % lines.len()];
        let end = line.floor_char_boundary(line.len() * cut / 200);
        assert!(checker.line(&line[..end]).is_err());
    }
    let nested = format!("{{\"kind\":\"head\",\"table\":{}", "[".repeat(100_000));
    assert!(Checker::new().line(&nested).is_err());
}

#[test]
fn nobody_bends_the_dice() {
    for (sides, critical) in CRITICAL {
        let honest = throw(Grinding::Nobody, sides, 20_000);
        assert!(honest.chi_square() < critical, "d{sides}: {}", honest.chi_square());
        let ground = [Grinding::Roller, Grinding::House, Grinding::BothWitnessed];
        for grinding in ground.into_iter().chain([Grinding::HouseAndWitness]) {
            let ground = throw(grinding, sides, 4_000);
            assert!(ground.chi_square() < critical, "{grinding:?} d{sides}");
            assert!(ground.shift().abs() < 4.0, "{grinding:?} d{sides}: {}", ground.shift());
        }
        let alone = throw(Grinding::BothAlone, sides, 1_000);
        assert!(alone.shift() > 20.0, "house and roller together choose: {}", alone.shift());
    }
}

#[test]
fn a_long_evening_fits() {
    for witness in [Witness::Always, Witness::Owner, Witness::Never] {
        let report = verdict(&long(9, 60, witness).log()).unwrap();
        let witnessed = match witness {
            Witness::Always => 60,
            Witness::Owner => 30,
            Witness::Never => 0,
        };
        assert_eq!(report.total(|seat| seat.witnessed), witnessed);
    }
}
