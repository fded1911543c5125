//! An evening at a table: every kind of line once and more.

use crate::bytes::hash;
use crate::kind::Kind;
use crate::line::Witness;
use crate::request::{self, For, Role, To};

use super::Table;

/// What people roll.
const PROGRAMS: [&str; 5] = ["2d6+3", "d20+5", "4d6kh3", "d%", "cofd.action(5).outcome"];

/// An evening with all kinds of lines.
pub fn evening(seed: u64) -> Table {
    let mut table = Table::new(seed, Witness::Always);
    let mara = table.sit("Mara", Role::Owner);
    table.roll(mara, "d20");
    let ulf = table.sit("Ulf", Role::Player);
    let ida = table.sit("Ida \"Ö\" \\ ✦", Role::Player);
    let chat = table.sit("chat", Role::Door);
    for (seat, program) in [mara, ulf, ida, chat].into_iter().cycle().zip(PROGRAMS) {
        table.roll(seat, program);
    }
    wishes(&mut table, mara, ulf);
    hidden(&mut table, mara, ulf);
    absent(&mut table, mara, ulf, ida);
    table.reseal();
    table.roll(ida, "3d6");
    // Another version of the library, in which these dice mean what they mean here.
    table.upgrade(hash(b"the next version"));
    table.roll(mara, "d8");
    table.move_house();
    table.roll(ulf, "d12");
    let nora = table.sit("Nora", Role::Owner);
    table.strike(nora, 3);
    table.leave(ida);
    table.roll(ulf, "2d10");
    table.act(mara, Kind::End, &request::Nothing {});
    table
}

/// Calls, kept rolls, numbers, rules, words.
fn wishes(table: &mut Table, mara: u64, ulf: u64) {
    let label = Some(table.words("Perception, please"));
    let inputs = vec![("ac".to_owned(), "15".to_owned())];
    let text = "d20 + 2 >= ac".to_owned();
    let call = request::Call { text: text.clone(), inputs: inputs.clone(), to: To::All, label };
    let call = table.act(mara, Kind::Call, &call);
    let wish = table.wish(&text);
    let wish = request::Roll { inputs: inputs.clone(), r#for: For::Call(call), ..wish };
    table.roll_with(ulf, &wish, &[]);
    let name = "strike".to_owned();
    table.act(ulf, Kind::Keep, &request::Keep { whose: Some(ulf), name, text, inputs });
    let (name, value) = ("strength".to_owned(), "16".to_owned());
    table.act(mara, Kind::Set, &request::Set { whose: Some(ulf), name, value });
    table.rule(mara, "fn hit(bonus, ac) = d20 + bonus >= ac");
    table.roll(ulf, "hit(3, 12)");
    table.roll(ulf, "hit(3,");
    table.roll(ulf, "5000d6");
    let words = table.words("that was close");
    table.act(ulf, Kind::Say, &request::Say { to: To::All, words });
    let typed = table.type_in(ulf, "3d6", "6,6,5");
    table.strike(mara, typed);
}

/// What only some may see.
fn hidden(table: &mut Table, mara: u64, ulf: u64) {
    let first = table.hide(mara, "d20+7", To::Owner);
    let second = table.hide(ulf, "2d6", To::Seats(vec![mara, ulf]));
    let third = table.hide(ulf, "d4", To::Myself);
    table.hide(mara, "10d10", To::Myself);
    table.reveal(mara, first);
    table.reveal(mara, second);
    table.reveal(ulf, third);
}

/// Witnesses who do not answer, and come back.
fn absent(table: &mut Table, mara: u64, ulf: u64, ida: u64) {
    let wish = table.wish("d20");
    table.roll_with(mara, &wish, &[ida]);
    table.roll(mara, "d20");
    table.reseal_witness(ida);
    let wish = table.wish("2d20kh1");
    table.roll_with(mara, &wish, &[ulf, ida]);
    table.roll(mara, "d6");
    let wish = table.wish("d10");
    table.hide(mara, "d10", To::Owner);
    table.reseal_witness(ulf);
    table.reseal_witness(ida);
    table.here(&[mara, ulf]);
    table.roll_with(mara, &wish, &[]);
    table.here(&[mara, ulf, ida]);
    let label = For::Label(table.words("initiative"));
    let wish = table.wish("d20");
    table.roll_with(ida, &request::Roll { r#for: label, ..wish }, &[]);
    // A roller who falls silent herself, and asks again without a seal.
    let wish = table.wish("d20");
    table.roll_with(ida, &wish, &[ida]);
    table.roll(ida, "d20");
    table.reseal_witness(ida);
}

/// A few lines of the kinds that matter most: for tests that go through all bytes.
pub fn short(seed: u64) -> Table {
    let mut table = Table::new(seed, Witness::Owner);
    let mara = table.sit("Mara", Role::Owner);
    let ulf = table.sit("Ulf", Role::Player);
    table.roll(ulf, "2d6+1");
    table.roll(mara, "d20");
    let of = table.hide(mara, "3d8", To::Owner);
    table.reveal(mara, of);
    table.type_in(ulf, "d6", "5");
    table.reseal();
    table
}

/// A long evening of one table with plain rolls.
pub fn long(seed: u64, rolls: u64, witness: Witness) -> Table {
    let mut table = Table::new(seed, witness);
    let seats = [table.sit("Mara", Role::Owner), table.sit("Ulf", Role::Player)];
    let programs = ["2d6+3", "d20+5", "4d6kh3", "d20", "8d6"];
    for at in 0..rolls {
        let seat = seats[(at % 2) as usize];
        table.roll(seat, programs[(at % 5) as usize]);
    }
    table
}
