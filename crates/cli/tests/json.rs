//! JSON is as the schemas in `docs/schema` say.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use common::{astragal, schema::assert_valid};
use serde_json::json;

#[test]
fn odds_are_as_the_schema_says() {
    let programs = [
        "4d6kh3",
        "7d10! cs>=8",
        "d20 + 5 >= 15",
        "[d2, d2]",
        "cofd.action(3)",
        "cofd.action(3).outcome",
        "d6 / 4",
        "3d{{s: 1}, {a: 1}, {}}",
        "(repeat with a = 1 next a = a + (if d3 == 1 then -1 else 1) until a == 0).a",
        "(repeat with a = 1 next a = a - 1 + (if d2 == 1 then 3 else 0) until a == 0).a",
        r#"show "one" = d6; show "two" = 2d6kh1"#,
        REROLL,
        "maximise {gold: choose from 0..5, luck: d6} by r => r.gold * r.luck",
        "maximise do let x = d6; oppose \"low\" => x; \"three\" => 3 end end",
        "let n = d3; maximise do let x = d6; choose \"keep\" => x; \"again\" => d6 + n end end",
    ];
    for program in programs {
        let ran = astragal(&["odds", program, "--json"]);
        assert_eq!(ran.code, 0, "{program}: {}", ran.err);
        assert_valid("odds", &ran.json());
    }
}

/// One reroll of a d20.
const REROLL: &str =
    "maximise do let first = d20; choose \"keep\" => first; \"throw again\" => d20 end end";

#[test]
fn the_policy_is_rules_a_value_and_what_mistakes_cost() {
    let odds = astragal(&["odds", REROLL, "--json"]).json();
    assert_eq!(odds["mean"], json!("13"));
    let policy = json!([{
        "choice": "keep or throw again",
        "who": "player",
        "place": {"source": "program", "start": 29, "end": 77},
        "rules": [
            {"when": "first 1 to 10", "take": "throw again", "chance": "1/2", "decimal": 0.5},
            {"when": "first 11 to 20", "take": "keep", "chance": "1/2", "decimal": 0.5},
        ],
        "value": "13",
        "loss": {"keep": "5/2", "throw again": "5/2"},
        "decimals": {"value": 13.0, "loss": {"keep": 2.5, "throw again": 2.5}},
    }]);
    assert_eq!(odds["policy"], policy);
    assert_eq!(astragal(&["odds", "d6", "--json"]).json().get("policy"), None);
}

#[test]
fn covariances_are_as_the_schema_says() {
    let line = ["odds", "3d{{s: 1}, {a: 1}, {s: 1, a: 2}: 2}", "--correlations"];
    let odds = astragal(&[&line[..], &["--json"]].concat()).json();
    assert_valid("odds", &odds);
    let matrix = json!([["9/16", "3/16"], ["3/16", "33/16"]]);
    assert_eq!(odds["covariances"], json!({"fields": ["s", "a"], "matrix": matrix}));
    let told = astragal(&line).out;
    assert!(told.contains("covariances\n      s      a\ns  9/16   3/16\n"), "{told}");
    assert!(told.contains("correlations\n"), "{told}");
    let endless =
        astragal(&["odds", "let x = d6!; {x: x, y: x + d6!}", "--correlations", "--json"]);
    assert_eq!(endless.json()["covariances"]["matrix"][0][1], json!("266/25"));
    let none = astragal(&["odds", "d6", "--correlations"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("needs a record with two numbers"), "{}", none.err);
}

#[test]
fn what_never_ends_is_part_of_the_rest_and_told() {
    let walk = "(repeat with a = 1 next a = a + (if d3 == 1 then -1 else 1) until a == 0).a";
    let odds = astragal(&["odds", walk, "--json"]).json();
    assert_eq!(odds["rest"], json!("1/2"));
    assert_eq!(odds["mean"], json!(null));
    assert_eq!(odds["notices"], json!(["never ends with chance 1/2"]));
    assert!(astragal(&["odds", walk]).out.contains("never ends: 1/2, 50.00%, 1 in 2"));
    let asked = astragal(&["odds", walk, "--chance", "0"]).out;
    assert!(asked.contains("chance of 0: 1/2"), "{asked}");
    let golden = "(repeat with a = 1 next a = a - 1 + (if d2 == 1 then 3 else 0) until a == 0).a";
    let told = astragal(&["odds", golden]).out;
    let interval = "never ends with a chance between 0.381966011 and 0.381966012";
    assert!(told.contains(interval), "{told}");
}

#[test]
fn rolls_are_as_the_schema_says() {
    let programs = [
        "4d6kh3",
        "7d10! cs>=8",
        "4d6[fire] + 2",
        "kaiser.skill(8, 12)",
        "3d6 ro<=2 min2",
        "d%",
        REROLL,
    ];
    for program in programs {
        let ran = astragal(&["roll", program, "--json", "--seed", "7"]);
        assert_eq!(ran.code, 0, "{program}: {}", ran.err);
        assert_valid("roll", &ran.json());
    }
    assert_valid("roll", &astragal(&["roll", "3d6", "--json", "--times", "3"]).json());
}

#[test]
fn errors_are_as_the_schema_says() {
    let lines: [(&[&str], i32); 6] = [
        (&["roll", "4d6 +", "--json"], 1),
        (&["odds", "", "--json"], 1),
        (&["odds", "1 / 0", "--json"], 1),
        (&["odds", "1000d1000", "--json", "--steps", "1000"], 3),
        (&["roll", "d6", "--json", "--seed", "x"], 2),
        (&["roll", "d6", "--json", "--system", "nope"], 2),
    ];
    for (line, code) in lines {
        let ran = astragal(line);
        assert_eq!(ran.code, code, "{line:?}: {ran:?}");
        assert_valid("diagnostics", &ran.json());
        assert!(!ran.err.is_empty(), "the person is told too");
    }
    assert_valid("diagnostics", &astragal(&["check", "10d10 >= 8", "--json"]).json());
}

#[test]
fn the_numbers_are_exact() {
    let odds = astragal(&["odds", "4d6kh3", "--json"]).json();
    assert_eq!(odds["mean"], json!("15869/1296"));
    assert_eq!(odds["rest"], json!("0"));
    assert_eq!(odds["outcomes"][15]["value"], json!(18));
    assert_eq!(odds["outcomes"][15]["chance"], json!("7/432"));
    assert_near(&odds["outcomes"][15]["decimal"], 7.0 / 432.0);
    assert_near(&odds["decimals"]["mean"], 15869.0 / 1296.0);
}

/// The same but for what reading a decimal may cost.
fn assert_near(found: &serde_json::Value, wanted: f64) {
    let found = found.as_f64().unwrap();
    assert!((found / wanted - 1.0).abs() < 1e-14, "{found} is not {wanted}");
}

#[test]
fn decimals_are_right_where_floats_would_give_up() {
    let odds = astragal(&["odds", "100d6", "--json"]).json();
    // 6^-100: numerator and denominator fit no double, their quotient does.
    assert_near(&odds["outcomes"][0]["decimal"], 1.530_646_707_486_506_3e-78);
    let ran = astragal(&["odds", "400d6", "--json"]);
    assert!(ran.out.contains("\"decimal\":5.48908361651e-312"), "6^-400");
    let odds = ran.json();
    assert!(odds["outcomes"][1000]["decimal"].as_f64().unwrap() > 0.01);
    let asked = astragal(&["odds", "100d6", "--json", "--chance", "<= 100"]).json();
    assert_valid("odds", &asked);
    assert_near(&asked["asked"][0]["decimal"], 1.530_646_707_486_506_3e-78);
}

#[test]
fn the_bare_form_and_the_systems_are_as_their_schemas_say() {
    let both = astragal(&["4d6kh3", "--json", "--seed", "7"]).json();
    assert_valid("both", &both);
    assert_eq!(both["roll"]["number"], json!(1));
    assert_valid("both", &astragal(&["cofd.action(3)", "--json", "--faces", "1,2,3"]).json());
    let all = astragal(&["systems", "--json"]).json();
    assert_valid("systems", &all);
    assert_eq!(all["systems"].as_array().unwrap().len(), 5);
    let one = astragal(&["systems", "cofd.action", "--json"]).json();
    assert_valid("systems", &one);
    let function = &one["systems"][0]["functions"][0];
    assert_eq!(function["name"], json!("action"));
    assert_eq!(function["parameters"][0]["default"], json!(null));
    assert_eq!(function["parameters"][1]["default"], json!("10"));
    assert_eq!(astragal(&["systems", "cofd.actoin", "--json"]).code, 2);
}

#[test]
fn what_answers_no_json_says_so() {
    for line in [["completions", "bash", "--json"], ["fmt", "-", "--json"]] {
        let ran = astragal(&line);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert_valid("diagnostics", &ran.json());
        assert!(ran.err.contains("leave out `--json`"), "{}", ran.err);
    }
}

#[test]
fn each_of_several_rolls_can_be_replayed() {
    let all = astragal(&["roll", "20d100", "--times", "3", "--seed", "77", "--json"]).json();
    assert_valid("roll", &all);
    for number in 1..=3 {
        let line = ["roll", "20d100", "--seed", "77", "--roll", &number.to_string(), "--json"];
        let one = astragal(&line).json();
        assert_valid("roll", &one);
        assert_eq!(one["number"], json!(number));
        assert_eq!(one, all["rolls"][number - 1]);
    }
    assert_ne!(all["rolls"][0]["value"], all["rolls"][1]["value"]);
    assert_eq!(astragal(&["roll", "d6", "--roll", "2"]).code, 2, "a number needs its seed");
    assert_eq!(astragal(&["roll", "d6", "--seed", "1", "--roll", "0"]).code, 2);
}

#[test]
fn a_roll_says_what_happened_to_each_die() {
    let roll = astragal(&["roll", "4d6kh3", "--json", "--faces", "3,6,2,5"]).json();
    assert_eq!(roll["value"], json!(14));
    assert_eq!(roll["seed"], json!(null));
    assert_eq!(roll["dice"][2]["fate"], json!(["dropped"]));
}

#[test]
fn a_seed_survives_json_and_replays() {
    let first = astragal(&["roll", "20d100", "--json"]).json();
    let seed = first["seed"].as_u64().unwrap();
    assert!(seed < 1 << 53);
    let again = astragal(&["roll", "20d100", "--json", "--seed", &seed.to_string()]).json();
    assert_eq!(first, again);
}
