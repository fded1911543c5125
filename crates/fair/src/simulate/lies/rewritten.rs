//! Lies about history: lines in another's name, left out, swapped, cut off, written in two ways.

use crate::bytes::hash;
use crate::kind::Kind;
use crate::line::{self, Witness};
use crate::request::{self, Envelope, For, To};
use crate::simulate::forge::resigned;
use crate::wrong::Trouble;

use super::chosen::with_text;
use super::{Lie, MARA, Noticed, Table, ULF, seated, three};

pub(super) fn all() -> Vec<Lie> {
    vec![
        request_in_anothers_name(),
        fake_hidden_roll(),
        open_roll_hidden(),
        hidden_roll_shown_to_all(),
        left_out(),
        swapped(),
        cut_off(),
        another_history(),
        another_witness_rule(),
        another_roll_revealed(),
        revealed_for_something_else(),
        rolled_until_good(),
        written_twice("a field stands twice", r#","dice":"#, r#","dice":[],"dice":"#),
        written_twice("a number with a decimal point", r#"{"seq":6,"#, r#"{"seq":6.0,"#),
        written_twice("a yes for a seat", r#"\"seat\":1,"#, r#"\"seat\":true,"#),
        written_twice("a blank", r#","kind":"#, r#", "kind":"#),
        written_twice(
            "an escaped letter",
            r#"\"text\":\"d20\""#,
            r#"\"text\":\"\\u0064\u0032\u0030\""#,
        ),
    ]
}

/// A request for Ulf that Ulf has not signed.
fn request_in_anothers_name() -> Lie {
    let mut table = seated(40, Witness::Never);
    let wish = table.wish("d20");
    let (envelope, key) = (Envelope { seat: ULF, n: table.seats[1].n, after: table.prev() }, MARA);
    let request = request::written(&table.id, &envelope, &wish);
    table.device(ULF).key = table.seats[key as usize].key.clone();
    let (_, sig) = table.sign(ULF, Kind::Roll, &wish);
    let (house, sealed) = table.open(ULF);
    let (dice, outcome) = table.thrown(&request, &wish, &house, &[]);
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    let by = Noticed::Checker(Trouble::Signature);
    Lie { name: "a request in a player's name", log: table.log(), by }
}

/// The good roll of a player is replaced by a hidden one that never was.
fn fake_hidden_roll() -> Lie {
    let mut table = seated(41, Witness::Never);
    let wish = table.wish("d20");
    let after = table.prev();
    let (_, sig) = table.sign(ULF, Kind::Hidden, &wish);
    let (_, sealed) = table.open(ULF);
    let n = table.seats[1].n - 1;
    let hash = hash(b"something else");
    table.write(Kind::Hidden, &line::Hidden { seat: ULF, n, after, hash, sig, sealed });
    let by = Noticed::Checker(Trouble::Signature);
    Lie { name: "a roll is replaced by a hidden one", log: table.log(), by }
}

/// A request that was meant for all is written down as a hidden one, and never shown.
fn open_roll_hidden() -> Lie {
    let mut table = seated(42, Witness::Never);
    let wish = table.wish("d20");
    let after = table.prev();
    let (request, sig) = table.sign(ULF, Kind::Roll, &wish);
    let (_, sealed) = table.open(ULF);
    let (n, hash) = (table.seats[1].n - 1, hash(request.as_bytes()));
    table.write(Kind::Hidden, &line::Hidden { seat: ULF, n, after, hash, sig, sealed });
    let by = Noticed::Checker(Trouble::Signature);
    Lie { name: "a roll for all is hidden", log: table.log(), by }
}

/// The other way round: a private roll is shown.
fn hidden_roll_shown_to_all() -> Lie {
    let mut table = seated(43, Witness::Never);
    let wish = request::Roll { to: To::Myself, ..table.wish("d20") };
    let (request, sig) = table.sign(ULF, Kind::Hidden, &wish);
    let (house, sealed) = table.open(ULF);
    let (dice, outcome) = table.thrown(&request, &wish, &house, &[]);
    table.write(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    let by = Noticed::Checker(Trouble::Signature);
    Lie { name: "a hidden roll is shown to all", log: table.log(), by }
}

/// A roll is left out, and the links are mended.
fn left_out() -> Lie {
    let mut table = seated(44, Witness::Never);
    table.roll(ULF, "d20");
    table.roll(ULF, "d20");
    let mut lines = table.lines.clone();
    let gone = lines.len() - 2;
    lines.remove(gone);
    let seq = format!(r#"{{"seq":{}"#, gone + 1);
    lines[gone] = lines[gone].replacen(&seq, &format!(r#"{{"seq":{gone}"#), 1);
    let by = Noticed::Checker(Trouble::Number);
    Lie { name: "a roll is left out", log: resigned(&table, &lines), by }
}

/// Two lines change places.
fn swapped() -> Lie {
    let mut table = seated(45, Witness::Never);
    let first = table.roll(ULF, "d20") as usize;
    let second = table.roll(MARA, "d20") as usize;
    let mut lines = table.lines.clone();
    lines.swap(first, second);
    lines[first] =
        lines[first].replacen(&format!(r#"{{"seq":{second}"#), &format!(r#"{{"seq":{first}"#), 1);
    lines[second] =
        lines[second].replacen(&format!(r#"{{"seq":{first}"#), &format!(r#"{{"seq":{second}"#), 1);
    let by = Noticed::Checker(Trouble::After);
    Lie { name: "two rolls change places", log: resigned(&table, &lines), by }
}

/// The end is cut off. A device has the head of the whole.
fn cut_off() -> Lie {
    let mut table = three(46);
    table.roll(ULF, "d20");
    let head = table.prev();
    let short = &table.lines[..table.lines.len() - 2];
    Lie { name: "the end is cut off", log: resigned(&table, short), by: Noticed::Remembered(head) }
}

/// A second history, from a backup: the same `n` again, with a better result. A device has the head of the first.
fn another_history() -> Lie {
    let mut table = three(47);
    let mut other = Table::clone_of(&table);
    table.roll(ULF, "d20");
    let head = table.prev();
    other.roll(MARA, "d20+1");
    other.roll(MARA, "d20+2");
    Lie { name: "another history from a backup", log: other.log(), by: Noticed::Remembered(head) }
}

/// The first line is written anew with a weaker rule, under the same id.
fn another_witness_rule() -> Lie {
    let table = three(48);
    let mut lines = table.lines.clone();
    lines[0] = lines[0].replacen(r#""witness":"always""#, r#""witness":"never""#, 1);
    let by = Noticed::Checker(Trouble::After);
    Lie { name: "the rule about witnesses is changed", log: resigned(&table, &lines), by }
}

/// One hidden roll of two is revealed as the other.
fn another_roll_revealed() -> Lie {
    let mut table = seated(49, Witness::Never);
    let first = table.hide(MARA, "d20", To::Owner);
    let second = table.hide(MARA, "d20", To::Owner);
    let secret = table.hidden[&second].clone();
    table.hidden.insert(first, secret);
    table.reveal(MARA, first);
    let by = Noticed::Checker(Trouble::Reveal);
    Lie { name: "another hidden roll is revealed", log: table.log(), by }
}

/// A hidden roll is revealed as one for something else.
fn revealed_for_something_else() -> Lie {
    let mut table = seated(50, Witness::Never);
    let of = table.hide(MARA, "d20", To::Owner);
    let mut secret = table.hidden[&of].clone();
    secret.asked =
        request::Roll { r#for: For::Label(hash(b"the attack")), ..with_text(&secret.asked, "d20") };
    let no_label = r#""for":null"#;
    let label = format!(r#""for":"{}""#, hash(b"the attack"));
    secret.request = secret.request.replacen(no_label, &label, 1);
    table.hidden.insert(of, secret);
    table.reveal(MARA, of);
    let by = Noticed::Checker(Trouble::Reveal);
    Lie { name: "a hidden roll is revealed as one for something else", log: table.log(), by }
}

/// The same number twice.
fn rolled_until_good() -> Lie {
    let mut table = seated(52, Witness::Never);
    table.roll(ULF, "d20");
    table.device(ULF).n -= 1;
    table.roll(ULF, "d20");
    let by = Noticed::Checker(Trouble::Number);
    Lie { name: "a request with a number that was used", log: table.log(), by }
}

/// Readers of JSON disagree about this.
fn written_twice(name: &'static str, from: &'static str, to: &'static str) -> Lie {
    let mut table = seated(53, Witness::Never);
    table.roll(ULF, "d20");
    let mut lines = table.lines.clone();
    let last = lines.len() - 1;
    assert!(lines[last].contains(from), "{from} in {}", lines[last]);
    lines[last] = lines[last].replacen(from, to, 1);
    let by = Noticed::Checker(if from.contains("seq") { Trouble::Chain } else { Trouble::Form });
    Lie { name, log: resigned(&table, &lines), by }
}
