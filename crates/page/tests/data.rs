//! What programs ask: the objects of the command line, refusals that have two faces, prepared programs and samples.

mod common;

use astragal_page::{Host, Prepared};
use common::{ask, each, list};
use serde_json::{Value as Json, json};

const HOST: Host = Host { seed: || Some(12), progress: |_, _| {} };

fn data(of: &str, text: &str) -> Json {
    ask(&json!({"ask": "data", "of": of, "text": text}))
}

fn prepared(text: &str) -> Prepared {
    let request = json!({ "text": text }).to_string();
    Prepared::read(&request, &HOST).unwrap_or_else(|refused| panic!("{refused}"))
}

#[test]
fn odds_and_rolls_are_told_as_data() {
    assert_eq!(data("odds", "4d6kh3")["mean"], "15869/1296");
    let roll = data("roll", "4d6kh3");
    assert_eq!((&roll["seed"], &roll["number"]), (&json!(12), &json!(1)));
    let asked = json!({"ask": "data", "of": "odds", "text": "3d6", "chance": [">= 15"]});
    assert_eq!(ask(&asked)["asked"][0]["chance"], "5/54");
}

#[test]
fn an_input_that_is_set_is_declared_by_that() {
    let set = json!({"ask": "data", "of": "odds", "text": "d20 + bonus", "inputs": {"bonus": "5"}});
    assert_eq!(ask(&set)["mean"], "31/2");
    let unknown = json!({"ask": "data", "of": "odds", "text": "d20", "inputs": {"bonus": "5"}});
    assert!(ask(&unknown)["refused"].is_object());
}

#[test]
fn a_refusal_has_places_in_bytes_and_in_units_of_browsers() {
    let refused = data("odds", "# 🎲\nd20 + bonsu");
    let printed = &refused["refused"]["diagnostics"][0];
    assert_eq!(printed["labels"][0]["place"]["start"], 13);
    assert_eq!(refused["diagnostics"][0]["labels"][0]["place"]["start"], 11);
    let checked = ask(&json!({"ask": "check", "text": "d20 + bonsu"}));
    assert_eq!(
        (&checked["ok"], each(&checked["diagnostics"], "code")),
        (&json!(false), vec!["unknown-name"])
    );
    assert_eq!(ask(&json!({"ask": "check", "text": "d20"}))["diagnostics"], json!([]));
}

#[test]
fn questions_that_are_wrong_are_refused_in_words() {
    let over = json!({"ask": "data", "of": "sweep", "text": "d20", "over": ["dc=1..3"]});
    assert_eq!(ask(&over)["diagnostics"][0]["code"], "usage");
    let three = json!({"ask": "data", "of": "solve", "text": "a + b + c + d6 >= 5", "over": ["a", "b", "c"], "chance": "50%"});
    assert_eq!(ask(&three)["diagnostics"][0]["code"], "usage");
    let one = json!({"ask": "data", "of": "compare", "texts": ["d6"]});
    assert_eq!(ask(&one)["diagnostics"][0]["code"], "usage");
    let from = json!({"ask": "data", "of": "convert", "text": "4d6", "from": "rolisteam"});
    assert_eq!(ask(&from)["diagnostics"][0]["code"], "usage");
    assert_eq!(data("nothing", "d6")["diagnostics"][0]["code"], "bad-request");
}

#[test]
fn what_costs_too_much_is_refused() {
    let little = json!({"ask": "data", "of": "odds", "text": "4d6kh3", "steps": 1});
    assert_eq!(ask(&little)["over_budget"], true);
    let digits = data("odds", "20000d6");
    assert_eq!(digits["over_budget"], true, "{}", digits["diagnostics"]);
}

#[test]
fn points_and_duels_are_told_as_data() {
    let sweep = json!({"ask": "data", "of": "sweep", "text": "d20 + b >= 15", "over": ["b=0..2"]});
    let chances: Vec<Json> =
        list(&ask(&sweep)["points"]).iter().map(|at| at["values"]["chance"].clone()).collect();
    assert_eq!(chances, ["3/10", "7/20", "2/5"]);
    let solve = json!({"ask": "data", "of": "solve", "text": "d20 + b >= 15", "over": ["b"], "chance": "65%"});
    assert_eq!(ask(&solve)["solutions"][0], 7);
    let compare = json!({"ask": "data", "of": "compare", "texts": ["2d20kh1", "d20 + 5"]});
    assert_eq!(ask(&compare)["duels"][0]["equal"], "3/64");
}

#[test]
fn a_prepared_program_is_asked_often() {
    let program = prepared("1d20+5");
    let odds: Json =
        serde_json::from_str(&program.answer(r#"{"of": "odds"}"#, &HOST)).expect("an answer");
    assert_eq!(odds["mean"], "31/2");
    let values = program.sample(1000, Some(7), &HOST).expect("a sample");
    assert!(values.iter().all(|value| (6.0..=25.0).contains(value) && value.fract() == 0.0));
    assert_eq!(program.sample(1000, Some(7), &HOST).as_deref(), Ok(values.as_slice()));
    assert_ne!(program.sample(1000, Some(8), &HOST).as_deref(), Ok(values.as_slice()));
}

#[test]
fn samples_are_of_numbers_and_truths_and_hold_what_is_given() {
    let truths = prepared("d6 >= 4").sample(100, None, &HOST).expect("a sample");
    assert!(truths.contains(&1.0) && truths.contains(&0.0));
    let halves = prepared("d6 / 2").sample(100, None, &HOST).expect("a sample");
    assert!(halves.contains(&0.5));
    let given = prepared("let a = d6\ngiven a >= 5\na").sample(200, None, &HOST).expect("a sample");
    assert!(given.iter().all(|value| *value >= 5.0) && given.contains(&6.0));
    assert!(prepared("{a: d6, b: d6}").sample(1, None, &HOST).is_err());
    assert!(prepared("d6").sample(usize::MAX, None, &HOST).is_err());
    assert!(prepared("10 / (d2 - 1)").sample(100, None, &HOST).is_err());
}
