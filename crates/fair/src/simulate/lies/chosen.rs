//! Lies about values, dice and outcomes.

use crate::bytes::{Bytes, hash};
use crate::formulas::seal;
use crate::kind::Kind;
use crate::line::{self, How, Outcome, Witness};
use crate::programs::library;
use crate::request;
use crate::wrong::Trouble;

use super::{IDA, Lie, MARA, Noticed, ULF, seated, three};

pub(super) fn all() -> Vec<Lie> {
    vec![
        another_value(),
        other_dice(),
        another_outcome(),
        refused_without_reason(),
        failure_without_reason(),
        resealed_under_a_request(),
        veto_by_reseal(),
        veto_by_language(),
        veto_by_the_same_language(),
        rules_slipped_in(),
        values_sealed_again(),
        retired_value_withheld(),
        another_library(),
    ]
}

/// One of the lines of a roll of Ulf's, at a table without witnesses, changed by the house.
fn changed(name: &'static str, trouble: Trouble, change: impl Fn(&mut line::Roll)) -> Lie {
    let mut table = seated(20, Witness::Never);
    let wish = table.wish("d20+5");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    let (house, sealed) = table.open(ULF);
    let (dice, outcome) = table.thrown(&request, &wish, &house, &[]);
    let mut line = line::Roll { request, sig, house, sealed, dice, outcome };
    change(&mut line);
    table.write(Kind::Roll, &line);
    Lie { name, log: table.log(), by: Noticed::Checker(trouble) }
}

/// The house opens a value that it has found after it saw the request.
fn another_value() -> Lie {
    changed("another value than the sealed one is opened", Trouble::Seal, |line| {
        line.house = hash(b"found later");
    })
}

fn other_dice() -> Lie {
    changed("other dice than those that were drawn", Trouble::Dice, |line| {
        line.dice = vec![vec![20, line.dice[0][1] % 20 + 1]];
        line.outcome = Outcome(How::Value, (line.dice[0][1] + 5).to_string());
    })
}

fn another_outcome() -> Lie {
    changed("another outcome than that of the dice", Trouble::Outcome, |line| {
        line.outcome = Outcome(How::Value, "250".into());
    })
}

/// A veto: the roll is refused, though nothing is wrong with it.
fn refused_without_reason() -> Lie {
    changed("a roll is refused without a reason", Trouble::Dice, |line| {
        line.dice.clear();
        line.outcome = Outcome(How::Refused, "program".into());
    })
}

fn failure_without_reason() -> Lie {
    changed("a roll is said to cost too much", Trouble::Dice, |line| {
        line.dice.clear();
        line.outcome = Outcome(How::Fails, "over-budget".into());
    })
}

/// The house has Ulf's request, seals anew, and rolls with the new value.
fn resealed_under_a_request() -> Lie {
    let mut table = seated(21, Witness::Never);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    table.reseal();
    let (house, sealed) = table.open(ULF);
    let (dice, outcome) = table.thrown(&request, &wish, &house, &[]);
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    let by = Noticed::Checker(Trouble::Dice);
    Lie { name: "sealed anew under a request that waits", log: table.log(), by }
}

/// The same, admitted: the roll is refused, and told so.
fn veto_by_reseal() -> Lie {
    let mut table = seated(22, Witness::Never);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    let sealed_before = table.value(ULF);
    let (_, would) = table.thrown(&request, &wish, &sealed_before, &[]);
    table.reseal();
    let (house, sealed) = table.open(ULF);
    let (dice, outcome) = (vec![], Outcome(How::Refused, "late".into()));
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    table.roll(ULF, "d20");
    let by = Noticed::Vetoed(format!("value {}", would.1));
    Lie { name: "a veto by sealing anew", log: table.log(), by }
}

/// The house says that its engine is another now.
fn veto_by_language() -> Lie {
    let mut table = seated(27, Witness::Never);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    let (house, sealed) = table.open(ULF);
    let (_, would) = table.thrown(&request, &wish, &house, &[]);
    table.upgrade(hash(b"a new version"));
    let (dice, outcome) = (vec![], Outcome(How::Refused, "language".into()));
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    let by = Noticed::Vetoed(format!("value {}", would.1));
    Lie { name: "a veto by another engine", log: table.log(), by }
}

/// The same, and nothing has changed.
fn veto_by_the_same_language() -> Lie {
    let mut table = seated(28, Witness::Never);
    table.upgrade(library());
    let by = Noticed::Checker(Trouble::Order);
    Lie { name: "an engine is said to be another, and is not", log: table.log(), by }
}

/// The house holds a request; Mara changes what `hit` means; then it is rolled.
fn rules_slipped_in() -> Lie {
    let mut table = seated(23, Witness::Never);
    table.rule(MARA, "fn hit(ac) = d20 >= ac");
    let wish = table.wish("hit(30)");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    table.rule(MARA, "fn hit(ac) = d20 + 30 >= ac");
    let (house, sealed) = table.open(ULF);
    let (dice, outcome) = table.thrown(&request, &wish, &house, &[]);
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    let by = Noticed::Checker(Trouble::Outcome);
    Lie { name: "rules are slipped in under a request that waits", log: table.log(), by }
}

/// A backup is restored: values that were opened are sealed once more.
fn values_sealed_again() -> Lie {
    let mut table = seated(24, Witness::Never);
    let old = [MARA, ULF, IDA].map(|seat| (seat, table.current_seal(seat)));
    for seat in [MARA, ULF, IDA] {
        table.roll(seat, "d20");
    }
    let retired = [MARA, ULF, IDA].map(|seat| (seat, table.value(seat))).to_vec();
    table.write(Kind::Reseal, &line::Reseal { retired, sealed: old.to_vec() });
    let by = Noticed::Checker(Trouble::Seal);
    Lie { name: "values that were opened are sealed again", log: table.log(), by }
}

/// Seals are replaced, and what they sealed is not shown.
fn retired_value_withheld() -> Lie {
    let mut table = seated(25, Witness::Never);
    let retired = [MARA, ULF, IDA].map(|seat| (seat, Bytes([5; 32]))).to_vec();
    let sealed = [MARA, ULF, IDA].map(|seat| (seat, seal(&hash(&[seat as u8])))).to_vec();
    table.write(Kind::Reseal, &line::Reseal { retired, sealed });
    let by = Noticed::Checker(Trouble::Seal);
    Lie { name: "a retired value is not the sealed one", log: table.log(), by }
}

/// The house says that it has other rules built in, so that an outcome cannot be judged. Then it is not judged to be right.
fn another_library() -> Lie {
    let mut table = three(26);
    let other = hash(library().0.as_slice());
    table.write(Kind::Language, &line::Language { language: 1, library: other });
    let wish = table.wish("cofd.action(5).outcome");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    let asked = table.witnesses(ULF);
    let of = table.ask(ULF, (&request, sig), &wish, &asked);
    let opened = table.testimonies(&asked);
    let values: Vec<_> = opened.iter().map(|(_, value, _, _)| *value).collect();
    let (house, sealed) = table.open(ULF);
    let (dice, _) = table.thrown(&request, &wish, &house, &values);
    let outcome = Outcome(How::Value, "exceptional success, as always".into());
    let missed = vec![];
    table.write(Kind::Close, &line::Close { of, house, sealed, opened, missed, dice, outcome });
    Lie { name: "an outcome by rules that nobody has", log: table.log(), by: Noticed::Unsure }
}

/// For lies that change one request.
pub(super) fn with_text(wish: &request::Roll, text: &str) -> request::Roll {
    request::Roll { text: text.into(), ..wish.clone() }
}
