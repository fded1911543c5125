//! Which roll is higher, exactly.

mod common;

use common::{astragal, schema::assert_valid};
use serde_json::{Value, json};

fn duel(first: &str, second: &str) -> Value {
    let ran = astragal(&["compare", first, second, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.json()["duels"][0].clone()
}

#[test]
fn ties_are_told_apart() {
    let told = duel("d6", "d6");
    assert_eq!(told["first_higher"], json!("5/12"));
    assert_eq!(told["equal"], json!("1/6"));
    assert_eq!(told["second_higher"], json!("5/12"));
}

#[test]
fn advantage_against_a_bonus() {
    let told = duel("2d20kh1", "d20 + 5");
    assert_eq!(told["first_higher"], json!("637/1600"));
    assert_eq!(told["equal"], json!("3/64"));
    assert_eq!(told["second_higher"], json!("111/200"));
}

#[test]
fn endless_rolls_are_compared_exactly() {
    // Two geometric chains tie with chance sum of (25/36)·(1/36)^k = 5/7.
    let told = duel("d{0:5, 1:1}!", "d{0:5, 1:1}!");
    assert_eq!(told["equal"], json!("5/7"));
    assert_eq!(told["first_higher"], json!("1/7"));
}

#[test]
fn every_pair_is_compared() {
    let ran = astragal(&["compare", "d4", "d6", "d8", "--json"]).json();
    assert_valid("compare", &ran);
    assert_valid("odds", &ran["programs"][0]);
    let pairs: Vec<(&str, &str)> = ran["duels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|duel| (duel["first"].as_str().unwrap(), duel["second"].as_str().unwrap()))
        .collect();
    assert_eq!(pairs, [("d4", "d6"), ("d4", "d8"), ("d6", "d8")]);
    assert_eq!(ran["programs"][2]["mean"], json!("9/2"));
}

#[test]
fn results_of_one_program_are_compared_too() {
    let ran = astragal(&["compare", r#"show "one" = d6; show "two" = 2d6kh1"#, "--json"]).json();
    assert_eq!(ran["duels"][0]["second_higher"], json!("125/216"));
}

#[test]
fn exit_codes() {
    let cases: [(&[&str], i32); 6] = [
        (&["compare", "d6", "-d6"], 0),
        (&["compare", "d6"], 2),
        (&["compare"], 2),
        (&["compare", "d6", "d6 >= 2"], 2),
        (&["compare", "d6", "d6 +"], 1),
        (&["compare", "d6", "99d99", "--steps", "10"], 3),
    ];
    for (line, code) in cases {
        let ran = astragal(line);
        assert_eq!(ran.code, code, "{line:?}: {ran:?}");
    }
}
