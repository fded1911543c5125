//! `astragal verify`: logs that fit, logs that do not, and what is said of them.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use astragal_fair::line::Witness;
use astragal_fair::request::Role;
use astragal_fair::simulate::{Table, evening, lies};
use common::{astragal, astragal_with, schema::assert_valid};
use serde_json::json;

fn verify(log: &str, options: &[&str]) -> common::Ran {
    astragal_with(&[&["verify", "-"], options].concat(), log.as_bytes())
}

#[test]
fn a_log_that_fits() {
    let log = evening(1).log();
    let ran = verify(&log, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.ends_with("everything fits\n"), "{}", ran.out);
    assert!(
        ran.out.contains("5 hidden rolls: 3 revealed and right, 2 still hidden (Mara (seat 0))"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("did not answer as a witness: Ulf (seat 1) 1 of"), "{}", ran.out);
    let told = verify(&log, &["--json"]);
    assert_eq!(told.code, 0);
    assert_valid("verify", &told.json());
    assert_eq!(told.json()["fits"], json!(true));
    assert_eq!(told.json()["seats"][1]["name"], json!("Ulf"));
}

#[test]
fn a_seat_a_head_and_words() {
    let table = evening(2);
    let log = table.log();
    let ran = verify(&log, &["--seat", "1"]);
    assert!(ran.out.contains("Ulf (seat 1): "), "{}", ran.out);
    assert_eq!(verify(&log, &["--seat", "9"]).code, 2);
    let hash = astragal_fair::hash(table.lines[4].as_bytes()).to_string();
    let ran = verify(&log, &["--head", &hash]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("the line that you remember is line 4"), "{}", ran.out);
    let told =
        verify(&log, &["--head", &hash, "--aloud", "teapot", "--line", "4", "--json"]).json();
    assert_valid("verify", &told);
    assert_eq!(told["remembered"]["line"], json!(4));
    let words = astragal_fair::aloud(&astragal_fair::hash(table.lines[4].as_bytes()), "teapot");
    assert_eq!(told["aloud"], json!(words));
    assert_eq!(verify(&log, &["--aloud", "teapot"]).code, 2, "which line?");
    assert_eq!(verify(&log, &["--aloud", "teapot", "--line", "999"]).code, 2);
    let ran = verify(&log, &["--head", &"0".repeat(64)]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("is not in this log"), "{}", ran.out);
    assert_eq!(verify(&log, &["--head", "amber fox"]).code, 2);
    assert_eq!(verify(&log, &["--head", &hash[..20]]).code, 2);
}

#[test]
fn the_first_wrong_line_is_named_with_what_should_stand_there() {
    let ran = astragal(&["verify", "spec/forged/better-roll.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.starts_with("line 4 does not fit: these are not the dice that were drawn\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("stands there: d20: 20\n"), "{}", ran.out);
    let told = astragal(&["verify", "spec/forged/better-roll.jsonl", "--json"]);
    assert_eq!(told.code, 1);
    assert_valid("verify", &told.json());
    assert_eq!(told.json()["wrong"]["line"], json!(4));
    assert_eq!(told.json()["wrong"]["code"], json!("dice"));
}

#[test]
fn every_lie_has_an_answer_in_words_and_in_json() {
    for lie in lies::all().iter().step_by(5) {
        let (ran, told) = (verify(&lie.log, &[]), verify(&lie.log, &["--json"]));
        assert_eq!(ran.code, told.code, "{}", lie.name);
        assert_valid("verify", &told.json());
        assert!(!ran.out.is_empty());
    }
}

/// A veto is told with what would have fallen.
#[test]
fn a_refusal_of_the_house_is_told() {
    let veto = lies::all().into_iter().find(|lie| lie.name == "a veto by sealing anew").unwrap();
    let ran = verify(&veto.log, &[]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("1 refused by the house, which may have known"), "{}", ran.out);
    assert!(ran.out.contains("refuses a roll of Ulf (seat 1); would have fallen: value "));
    assert_eq!(verify(&veto.log, &["--json"]).json()["vetoes"][0]["seat"], json!(1));
}

#[test]
fn what_this_version_does_not_know_is_told_apart() {
    let newer = evening(3).log().replacen("\"v\":1", "\"v\":2", 1);
    let ran = verify(&newer, &[]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    let unsure = lies::all().into_iter().find(|lie| lie.name.contains("nobody has")).unwrap();
    let ran = verify(&unsure.log, &[]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(!ran.out.contains("everything fits"));
}

#[test]
fn what_is_no_log_is_refused() {
    for (text, line) in [("", 1), ("\n", 1), ("4d6kh3\n", 1), ("\u{0}\u{1}", 1)] {
        let ran = verify(text, &["--json"]);
        assert_eq!(ran.code, 1, "{text:?}");
        assert_valid("verify", &ran.json());
        assert_eq!(ran.json()["wrong"]["line"], json!(line));
    }
    let long = "x".repeat(1_100_000);
    assert!(verify(&long, &[]).out.contains("it is too long"));
    assert_eq!(astragal_with(&["verify", "-"], &[0xff, 0xfe, b'\n']).code, 1);
    assert_eq!(astragal(&["verify", "no/such/file"]).code, 2);
    assert_eq!(astragal(&["verify"]).code, 2);
    let log = evening(4).log();
    assert_eq!(verify(log.trim_end(), &[]).code, 1, "the last line feed is missing");
}

/// What strangers wrote cannot write on the terminal.
#[test]
fn names_do_not_turn_the_writing() {
    let mut table = Table::new(5, Witness::Never);
    table.sit("Ulf\u{202e}\u{200b}", Role::Owner);
    table.type_in(0, "d6", "6");
    let ran = verify(&table.log(), &[]);
    assert!(ran.out.contains("Ulf\u{fffd}\u{fffd} (seat 0)"), "{}", ran.out);
}

#[test]
fn the_luck_of_an_evening() {
    let log = evening(1).log();
    assert_eq!(verify(&log, &["--json"]).json()["luck"], json!(null), "nobody asked");
    let ran = verify(&log, &["--luck"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("of 100 such evenings"), "{}", ran.out);
    assert!(ran.out.contains("  luckiest: "), "{}", ran.out);
    assert!(ran.out.contains("not counted: 2 still hidden, "), "{}", ran.out);
    assert!(ran.out.ends_with("everything fits\n"), "{}", ran.out);
    let told = verify(&log, &["--luck", "--json"]).json();
    assert_valid("verify", &told);
    let rolls = |of: &serde_json::Value| of["rolls"].as_u64().unwrap();
    let luck = &told["luck"];
    let seats: u64 = luck["seats"].as_array().unwrap().iter().map(rolls).sum();
    assert_eq!(rolls(&luck["all"]), seats);
    let forged = astragal(&["verify", "spec/forged/better-roll.jsonl", "--luck", "--json"]);
    assert_valid("verify", &forged.json());
    assert_eq!(forged.json()["luck"], json!(null), "what does not fit has no luck");
}
