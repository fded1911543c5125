//! What a second attack tried: puppets at the table, seals that are chosen late, and rolls without the roller's own value.

use crate::bytes::hash;
use crate::formulas::owner_text;
use crate::kind::Kind;
use crate::line::{self, Asked, Witness};
use crate::report::Made;
use crate::request::{self, Role};
use crate::wrong::Trouble;

use super::{IDA, Lie, MARA, Noticed, Table, ULF, seated, three};

pub(super) fn all() -> Vec<Lie> {
    vec![
        puppet_seated_under_a_request(),
        witness_seal_chosen_under_a_request(),
        best_set_of_puppets(),
        witnesses_flap(),
        only_witness_blocked(),
        roller_left_behind(),
        roller_without_a_seal(),
        roller_without_a_seal_admitted(),
        roller_declared_silent(),
        self_made_owner(),
        vouched_by_a_player(),
        forged_vouching(),
        left_and_still_asked(),
        kept_for_the_table_by_a_player(),
    ]
}

/// The house has Ulf's request and asks whom it likes, but not Ulf: then it knows all values, and has chosen one of them.
fn rolled_without_ulf(name: &'static str, mut table: Table, meddle: impl Fn(&mut Table)) -> Lie {
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    meddle(&mut table);
    let all = table.witnesses(ULF);
    let asked: Vec<Asked> = all.into_iter().filter(|(seat, _)| *seat != ULF).collect();
    let of = table.ask(ULF, (&request, sig), &wish, &asked);
    let opened = table.testimonies(&asked);
    table.close(ULF, of, (&request, &wish), opened, vec![]);
    Lie { name, log: table.log(), by: Noticed::Checker(Trouble::Witnesses) }
}

fn puppet_seated_under_a_request() -> Lie {
    let name = "a puppet with a chosen seal is seated under a request";
    rolled_without_ulf(name, three(60), |table| {
        table.sit("Pim", Role::Player);
    })
}

fn witness_seal_chosen_under_a_request() -> Lie {
    let name = "a witness replaces its seal under a request";
    rolled_without_ulf(name, three(61), |table| {
        table.reseal_witness(MARA);
    })
}

fn best_set_of_puppets() -> Lie {
    let name = "the best set of puppets is said to be here";
    rolled_without_ulf(name, three(62), |table| {
        table.here(&[MARA, ULF]);
    })
}

/// The house computes what would fall without witnesses, likes it, and says that nobody else is here.
fn witnesses_flap() -> Lie {
    let mut table = three(63);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    table.here(&[ULF]);
    let (house, sealed) = table.open(ULF);
    let (dice, outcome) = table.thrown(&request, &wish, &house, &[]);
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "witnesses are sent away when the roll is good without them", log: table.log(), by }
}

/// House and Mara keep the only honest witness from answering, and know the value by which she goes on alone.
fn only_witness_blocked() -> Lie {
    let mut table = three(64);
    table.leave(IDA);
    let wish = table.wish("d20");
    table.roll_with(MARA, &wish, &[ULF]);
    let by = Noticed::Made(Made::Deserted, 1);
    Lie { name: "the only witness is blocked", log: table.log(), by }
}

/// Ulf is said to be silent, and the others go on: their next seals were chosen with all values in hand.
fn roller_left_behind() -> Lie {
    let mut table = three(65);
    let asked = table.witnesses(ULF);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    let of = table.ask(ULF, (&request, sig), &wish, &asked);
    let opened = table.testimonies(&[asked[0], asked[2]]);
    let again = table.going_on(&opened);
    let of = table.ask_again(of, opened, vec![ULF], &again);
    let opened = table.testimonies(&again);
    table.close(ULF, of, (&request, &wish), opened, vec![]);
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "the others go on without the roller", log: table.log(), by }
}

/// Ulf's seal was spent in another roll; the house rolls for him all the same.
fn roller_without_a_seal() -> Lie {
    let mut table = three(66);
    let wish = table.wish("d20");
    table.roll_with(MARA, &wish, &[ULF]);
    table.device(ULF).spent = false;
    let mut lie = rolled_without_ulf("a roll of one whose seal is spent", table, |_| {});
    lie.by = Noticed::Checker(Trouble::Witnesses);
    lie
}

fn roller_without_a_seal_admitted() -> Lie {
    let mut table = three(67);
    let wish = table.wish("d20");
    table.roll_with(MARA, &wish, &[ULF]);
    table.roll(ULF, "d20");
    let by = Noticed::Made(Made::Unsealed, 1);
    Lie { name: "a roller is declared silent before its own roll", log: table.log(), by }
}

/// The house has Ulf's testimony, knows the result, and says that it has not.
fn roller_declared_silent() -> Lie {
    let mut table = three(68);
    let wish = table.wish("d20");
    table.roll_with(ULF, &wish, &[ULF]);
    let by = Noticed::Made(Made::Silent, 1);
    Lie { name: "a roller is declared silent in its own roll", log: table.log(), by }
}

/// A new seat at a table that has an owner.
fn new_owner(
    seed: u64,
    vouched: impl Fn(&Table, &str) -> Option<(u64, crate::Signature)>,
) -> String {
    let mut table = seated(seed, Witness::Never);
    let mut other = Table::clone_of(&table);
    other.sit("Mara", Role::Owner);
    let last = other.lines.last().cloned().unwrap_or_default();
    let line = line::read(&last, table.seq(), &table.prev());
    let Ok(line::Line::Seat(mut seat)) = line else { panic!("a simulated seat is wrong: {last}") };
    seat.vouched = vouched(&table, &seat.request);
    table.write(Kind::Seat, &seat);
    table.log()
}

fn self_made_owner() -> Lie {
    let by = Noticed::Checker(Trouble::Seat);
    Lie { name: "somebody makes himself a game master", log: new_owner(69, |_, _| None), by }
}

fn vouched_by_a_player() -> Lie {
    let log = new_owner(70, |table, request| {
        let text = owner_text(&table.id, ULF, &hash(request.as_bytes()));
        Some((ULF, crate::simulate::signed(&table.seats[1].key, &text)))
    });
    let by = Noticed::Checker(Trouble::Seat);
    Lie { name: "a player makes somebody a game master", log, by }
}

fn forged_vouching() -> Lie {
    let log = new_owner(71, |table, request| {
        let text = owner_text(&table.id, MARA, &hash(request.as_bytes()));
        Some((MARA, crate::simulate::signed(&table.house, &text)))
    });
    let by = Noticed::Checker(Trouble::Signature);
    Lie { name: "the house makes somebody a game master", log, by }
}

/// Who has left is no witness, whatever `present` said before.
fn left_and_still_asked() -> Lie {
    let mut table = three(72);
    table.leave(IDA);
    table.device(IDA).left = false;
    table.roll(ULF, "d20");
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "somebody who has left is a witness", log: table.log(), by }
}

fn kept_for_the_table_by_a_player() -> Lie {
    let mut table = seated(73, Witness::Never);
    let (name, text) = ("strike".to_owned(), "d20".to_owned());
    table.act(ULF, Kind::Keep, &request::Keep { whose: None, name, text, inputs: vec![] });
    let by = Noticed::Checker(Trouble::Seat);
    Lie { name: "a player keeps a roll for the table", log: table.log(), by }
}
