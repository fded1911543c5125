//! Lies about witnesses: testimony that is kept back, used again, or never asked for.

use crate::alarm::Alarm;
use crate::bytes::hash;
use crate::kind::Kind;
use crate::line;
use crate::report::Made;
use crate::request::To;
use crate::wrong::Trouble;

use super::{IDA, Lie, MARA, Noticed, Table, ULF, three};

pub(super) fn all() -> Vec<Lie> {
    vec![
        asked_again_for_the_same_seal(),
        testimony_used_for_another_ask(),
        all_declared_missing(),
        roller_not_asked_again(),
        testimony_declared_missing(),
        one_declared_missing(),
        some_declared_missing_and_not_asked_again(),
        asked_again_without_anybody_missing(),
        ask_abandoned(),
        nobody_asked(),
        some_not_asked(),
        declared_away(),
        another_roll_slipped_in(),
    ]
}

/// House and game master keep a testimony, write `missed`, and ask for the same seal again with another salt.
fn asked_again_for_the_same_seal() -> Lie {
    let mut table = three(1);
    let asked = table.witnesses(MARA);
    let wish = table.wish("d20");
    table.roll_with(MARA, &wish, &[ULF, IDA]);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(MARA, Kind::Roll, &wish);
    let of = table.ask(MARA, (&request, sig), &wish, &asked);
    let opened = table.testimonies(&asked);
    table.close(MARA, of, (&request, &wish), opened, vec![]);
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "a witness is asked for a seal that was spent", log: table.log(), by }
}

/// The testimony for one ask stands under another, whose salt was chosen with the testimony in hand.
fn testimony_used_for_another_ask() -> Lie {
    let mut table = three(2);
    let asked = table.witnesses(MARA);
    let mut other = Table::clone_of(&table);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(MARA, Kind::Roll, &wish);
    table.ask(MARA, (&request, sig), &wish, &asked);
    let kept = table.testimonies(&asked);
    let chosen = other.wish("d20 + 0");
    let (request, sig) = other.sign(MARA, Kind::Roll, &chosen);
    let of = other.ask(MARA, (&request, sig), &chosen, &asked);
    other.close(MARA, of, (&request, &chosen), kept, vec![]);
    let by = Noticed::Checker(Trouble::Signature);
    Lie { name: "a testimony is used for another request", log: other.log(), by }
}

/// Nobody answered, says the house. The roll is not called witnessed.
fn all_declared_missing() -> Lie {
    let mut table = three(3);
    let wish = table.wish("d20");
    table.roll_with(MARA, &wish, &[ULF, IDA]);
    let by = Noticed::Made(Made::Deserted, 1);
    Lie { name: "all witnesses are declared missing", log: table.log(), by }
}

/// All witnesses are in league with the house and fall silent; the roller, who is not, should be asked.
fn roller_not_asked_again() -> Lie {
    let mut table = three(12);
    let asked = table.witnesses(ULF);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    let of = table.ask(ULF, (&request, sig), &wish, &asked);
    let opened = table.testimonies(&[asked[1]]);
    table.close(ULF, of, (&request, &wish), opened, vec![MARA, IDA]);
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "witnesses fall silent and the roller is not asked again", log: table.log(), by }
}

/// The same, seen by a device that has answered.
fn testimony_declared_missing() -> Lie {
    let mut table = three(4);
    let of = table.seq();
    let wish = table.wish("d20");
    table.roll_with(MARA, &wish, &[ULF, IDA]);
    let by = Noticed::Device(IDA, vec![of], Alarm::CalledSilent);
    Lie { name: "a testimony that was given is dropped", log: table.log(), by }
}

/// One of two witnesses is declared missing. The roll is not called witnessed.
fn one_declared_missing() -> Lie {
    let mut table = three(13);
    let wish = table.wish("d20");
    table.roll_with(MARA, &wish, &[IDA]);
    let by = Noticed::Called { missing: 1, witnessed: 2 };
    Lie { name: "one witness is declared missing", log: table.log(), by }
}

/// The best of all sets of witnesses.
fn some_declared_missing_and_not_asked_again() -> Lie {
    let mut table = three(5);
    let asked = table.witnesses(MARA);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(MARA, Kind::Roll, &wish);
    let of = table.ask(MARA, (&request, sig), &wish, &asked);
    let opened = table.testimonies(&asked[..2]);
    table.close(MARA, of, (&request, &wish), opened, vec![IDA]);
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "the best of the sets of witnesses is taken", log: table.log(), by }
}

/// A second draw, though everybody answered.
fn asked_again_without_anybody_missing() -> Lie {
    let mut table = three(6);
    let asked = table.witnesses(MARA);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(MARA, Kind::Roll, &wish);
    let of = table.ask(MARA, (&request, sig), &wish, &asked);
    let opened = table.testimonies(&asked);
    let witnesses: Vec<_> = asked.iter().map(|(seat, m)| (*seat, m + 1)).collect();
    table.write(Kind::Again, &line::Again { of, opened, missed: vec![], witnesses });
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "witnesses are asked again though all answered", log: table.log(), by }
}

/// The ask is left open, and the game master rolls again.
fn ask_abandoned() -> Lie {
    let mut table = three(7);
    let asked = table.witnesses(MARA);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(MARA, Kind::Roll, &wish);
    table.ask(MARA, (&request, sig), &wish, &asked);
    table.roll(MARA, "d20");
    let by = Noticed::Checker(Trouble::Order);
    Lie { name: "an ask is abandoned and rolled anew", log: table.log(), by }
}

/// House and roller together roll without the witnesses that are here.
fn nobody_asked() -> Lie {
    let mut table = three(8);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(MARA, Kind::Roll, &wish);
    let (house, sealed) = table.open(MARA);
    let (dice, outcome) = table.thrown(&request, &wish, &house, &[]);
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "a roll without the witnesses who are here", log: table.log(), by }
}

/// Only a friend is asked.
fn some_not_asked() -> Lie {
    let mut table = three(9);
    let asked = &table.witnesses(MARA)[..2];
    let wish = table.wish("d20");
    let (request, sig) = table.sign(MARA, Kind::Roll, &wish);
    let of = table.ask(MARA, (&request, sig), &wish, asked);
    let opened = table.testimonies(asked);
    table.close(MARA, of, (&request, &wish), opened, vec![]);
    let by = Noticed::Checker(Trouble::Witnesses);
    Lie { name: "only some of the witnesses who are here are asked", log: table.log(), by }
}

/// Honest seats are said to be away.
fn declared_away() -> Lie {
    let mut table = three(10);
    table.here(&[MARA]);
    table.roll(MARA, "d20");
    let by = Noticed::Device(IDA, vec![], Alarm::CalledAway);
    Lie { name: "witnesses who are here are declared away", log: table.log(), by }
}

/// While Ulf and Ida are asked for one roll, another is made without them.
fn another_roll_slipped_in() -> Lie {
    let mut table = three(11);
    let asked = table.witnesses(ULF);
    let wish = table.wish("d20");
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    let of = table.ask(ULF, (&request, sig), &wish, &asked);
    let hidden = table.wish("d20");
    let hidden = crate::request::Roll { to: To::Owner, ..hidden };
    let (text, sig) = table.sign(MARA, Kind::Hidden, &hidden);
    let after = hash(table.lines[table.lines.len() - 1].as_bytes());
    let (_, sealed) = table.open(MARA);
    let n = table.seats[0].n - 1;
    let content = line::Hidden { seat: MARA, n, after, hash: hash(text.as_bytes()), sig, sealed };
    table.write(Kind::Hidden, &content);
    let opened = table.testimonies(&asked);
    table.close(ULF, of, (&request, &wish), opened, vec![]);
    let by = Noticed::Checker(Trouble::Order);
    Lie { name: "a roll is slipped in while the witnesses are busy", log: table.log(), by }
}
