use crate::{fails, rolls};

#[test]
fn the_table_of_suffixes() {
    rolls("4d6kh3", &[3, 6, 2, 5], "14");
    rolls("2d6 rr<=4", &[4, 5, 6], "11");
    rolls("2d6 ro<=2", &[1, 5, 2], "7");
    rolls("2d6!p", &[6, 6, 6, 4, 1], "20");
    rolls("4d6kh3dl1", &[2, 2, 2, 2], "4");
    rolls("6d10 !>=9 cs>=8", &[4, 5, 6, 3, 10, 8, 6], "2");
    rolls("5d10 cs>=8 cf=1", &[8, 10, 1, 1, 5], "0");
    rolls("4d6km2", &[1, 3, 4, 6], "7");
    rolls("5d6km2", &[1, 2, 3, 4, 5], "5");
    rolls("d6! up to 2", &[6, 6, 6], "18");
    rolls("d6!o", &[6, 6], "12");
    rolls("3d6min2max5", &[1, 6, 3], "10");
    rolls("3d4u", &[2, 2, 1, 1, 3], "6");
    rolls("3d6sd", &[2, 6, 4], "12");
    rolls("4dF", &[-1, 0, 1, 1], "1");
    rolls("d{1:3, 2:1}", &[2], "2");
    rolls("d%", &[100], "100");
    rolls("0d6", &[], "0");
}

#[test]
fn a_compounded_die_is_one_die() {
    let roll = rolls("2d6!!", &[4, 6, 6, 2], "18");
    assert_eq!(roll.dice.len(), 2);
}

#[test]
fn rote_and_again() {
    // 3, 10 and 5: the 3 and the 5 are thrown again, the 10s explode, extra dice stay as they fall.
    rolls("3d10 ro<=7 ! cs>=8", &[3, 10, 5, 9, 10, 4, 2], "3");
    rolls("7d10 ro<=7 ! cs>=8", &[1, 8, 8, 8, 8, 8, 10, 1, 5], "6");
}

#[test]
fn groups() {
    rolls("{4d10*2, 5d6+10}kh1", &[10, 5, 3, 4, 2, 4, 3, 6, 1], "44");
    rolls("{2d6 + d8}kh2", &[3, 6, 2], "9");
    rolls("{2d20, d12}kh1", &[3, 4, 8], "8");
    rolls("times(3, 2d6) kh1", &[1, 2, 3, 4, 2, 2], "7");
    rolls("nth_highest(4d6, 2)", &[3, 6, 2, 5], "5");
    rolls("median(4d6)", &[3, 6, 2, 5], "4");
    rolls("median(2d6)", &[3, 6], "9/2");
}

#[test]
fn labels() {
    let roll = rolls("3d6[fire] + d4[cold]", &[3, 2, 2, 3], "10");
    let labels: Vec<String> = roll.labels().iter().map(|(l, n)| format!("{l} {n}")).collect();
    assert_eq!(labels, ["fire 7", "cold 3"]);
    let roll = rolls("2d6[fire]*2", &[3, 4], "14");
    assert_eq!(roll.labels()[0].1.to_string(), "14");
}

#[test]
fn programs() {
    rolls("let x = d6; x + x", &[4], "8");
    rolls("(d4)d6", &[2, 3, 5], "8");
    rolls("let p = 4d6; p kh1 + p kl1", &[2, 6, 4, 3], "8");
    rolls("if d20 >= 15 then 2d6 else 0", &[15, 3, 4], "7");
    rolls("fn f(n) = if n = 0 then 0 else d6 + f(n - 1)\nf(3)", &[1, 2, 3], "6");
    rolls("fn twice(roll dice) = dice + dice\ntwice(d6)", &[1, 5], "6");
    rolls("{total: 2d6, high: d4 > 2}", &[1, 2, 4], "{total: 3, high: yes}");
    rolls("sum([d6, d6, d6])", &[1, 2, 3], "6");
    rolls("d{\"hit\", \"miss\"}", &[2], "miss");
    rolls("d20 >= 15 and d6 = 6", &[3], "no");
}

#[test]
fn faults() {
    fails("d6!>=1", &[], "never-stops");
    fails("d6 rr<=6", &[], "never-stops");
    fails("20d10u", &[], "never-stops");
    fails("(d4 - 4)d6", &[1], "bad-count");
    fails("d6 / (d4 - 1)", &[3, 1], "division-by-zero");
    fails("2d6", &[1], "faces-ran-dry");
    fails("2d6", &[1, 2, 3], "faces-left-over");
    fails("d6", &[7], "no-such-face");
    fails("fn f(n) = f(n + 1)\nf(0) + 0", &[], "too-deep");
    fails("200000d6", &[], "over-budget");
}
