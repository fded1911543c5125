//! What the page is told is as `docs/schema/page.json` says, from which the page's own types are written.

mod common;

#[path = "../../cli/tests/common/schema.rs"]
#[allow(clippy::unwrap_used, reason = "it is the terminal's, whose tests unwrap")]
mod schema;

use std::path::Path;

use common::ask;
use schema::{assert_valid_as, schema as read};
use serde_json::{Value as Json, json};

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Asks, and holds both sides against the schema.
fn holds(name: &str, request: Json) -> Json {
    assert_valid_as("page", &format!("{name}Request"), &request);
    let told = ask(&request);
    assert_valid_as("page", &format!("{name}Answer"), &told);
    told
}

#[test]
fn odds_are_as_the_schema_says() {
    let programs = [
        "4d6kh3",
        "d20 + 5 >= 15",
        "3d6!",
        "{a: d6, b: d6 >= 3, c: \"x\"}",
        "show \"a\" = 2d6\nshow \"b\" = d8",
        "param bonus = 5\nparam on = true\nenum Size = small | large\nparam size = Size.small\nd20 + bonus",
        "output 3d6 named \"three\"",
        "4d6r1",
        "d20 +",
        "straight(5d6)",
        "given d6 >= 3\nd6",
        include_str!("../../../examples/plays/reroll.dice"),
    ];
    for text in programs {
        holds("Odds", json!({"ask": "odds", "text": text}));
    }
    holds("Odds", json!({"ask": "odds", "text": "1000d6", "steps": 10}));
    holds("Rows", json!({"ask": "rows", "text": "show \"a\" = 2d6\nshow \"b\" = d8", "result": 1}));
    holds("Rows", json!({"ask": "rows", "text": "d20 +", "result": 0}));
}

#[test]
fn rolls_are_as_the_schema_says() {
    for text in [
        "4d6kh3",
        "3d6!",
        "d{\"sun\", \"rain\"}",
        "{a: d6, b: 2d6cs>=5}",
        "d20 +",
        "cofd.action(5)",
    ] {
        holds("Roll", json!({"ask": "roll", "text": text, "seed": "7"}));
    }
    let game = include_str!("../../../examples/plays/reroll.dice");
    holds("Decide", json!({"ask": "decide", "text": game, "choices": [], "seed": "7"}));
    holds(
        "Decide",
        json!({"ask": "decide", "text": game, "choices": [], "seed": "7", "judge": true}),
    );
    holds("Roll", json!({"ask": "roll", "text": game, "seed": "7"}));
}

#[test]
fn the_rest_is_as_the_schema_says() {
    for format in ["csv", "json", "svg", "markdown"] {
        holds("Export", json!({"ask": "export", "text": "3d6", "as": format, "view": "at_least"}));
    }
    holds(
        "Tokens",
        json!({"ask": "tokens", "text": "# a\nlet x = 4d6kh3\nshow \"b\" = max(x, 2) $"}),
    );
    holds("Complete", json!({"ask": "complete", "text": "cofd.", "at": 5}));
    for text in ["4d6kh3+2", "4d6 +"] {
        holds("Format", json!({"ask": "format", "text": text}));
    }
    let convert = json!({"ask": "convert", "text": "output [highest 3 of 4d6]"});
    assert_valid_as("page", "ConvertRequest", &convert);
    assert_valid_as("page", "FormatAnswer", &ask(&convert));
    holds("Systems", json!({"ask": "systems"}));
    holds("Source", json!({"ask": "source", "system": "cofd"}));
}

/// By the key of the vectors in `spec/fair.md`: d6 that show 3 6 4.
#[test]
fn a_roll_at_a_table_is_thrown_by_its_key() {
    let key = "d5123a5ee0d7d7c03ca44f5ed103f3e9cd2ea7df0816472de159c235e78f750c";
    let thrown = |text: &str, rules: Option<&str>| {
        let limits = json!({"ask": "thrown", "text": text, "names": ["x"], "values": ["1"], "rules": rules, "key": key, "throws": 100, "steps": 50_000});
        holds("Thrown", limits.clone());
        let told = ask(&limits);
        (told["dice"].clone(), told["outcome"].clone())
    };
    assert_eq!(thrown("3d6 + x", None), (json!([[6, 3, 6, 4]]), json!(["value", "14"])));
    assert_eq!(thrown("three() + x", Some("fn three() = 3d6")).1, json!(["value", "14"]));
    assert_eq!(thrown("200d6 + x", None).1, json!(["fails", "over-budget"]));
    assert_eq!(thrown("3d6 +", None), (json!([]), json!(["refused", "program"])));
}

#[test]
fn the_luck_of_rolls_at_a_table() {
    let key = "d5123a5ee0d7d7c03ca44f5ed103f3e9cd2ea7df0816472de159c235e78f750c";
    let roll = |line: u64, text: &str| json!({"line": line, "seat": 1, "text": text, "names": ["x"], "values": ["1"], "rules": null, "key": key, "value": null});
    let rolls =
        [roll(4, "3d6 + x"), roll(6, "d6 + x"), roll(7, "\"sun\" if d6 > x"), roll(9, "[d6, x]")];
    let asked = json!({"ask": "luck", "rolls": rolls, "throws": 100, "steps": 50_000});
    let told = holds("Luck", asked);
    // 3 6 4 of 3d6: 13 or more is 56 of 216, 13 or less 181; 3 of d6.
    assert_eq!(told["all"]["rolls"], json!(2));
    assert_eq!(told["seats"][0]["luckiest"]["percent"], json!("25.93%"));
    assert_eq!(told["seats"][0]["unluckiest"]["percent"], json!("50.00%"));
    assert_eq!(told["seats"][0]["sum"], json!("1.21"));
    assert_eq!(told["seats"][0]["words"], json!("too few rolls to speak of luck"));
    assert_eq!(told["others"][0]["why"], json!("no-result"));
    assert_eq!(told["others"][1]["why"], json!("no-number"));
}

#[test]
fn views_and_what_ifs_are_as_the_schema_says() {
    let record = "let a = d6\n{a: a, b: a + d6, c: a, well: a >= 3}";
    for text in [record, "3d6!", "d{\"sun\", \"rain\"}", "d20 +"] {
        holds("Rolls", json!({"ask": "rolls", "text": text, "count": 50, "seed": "7"}));
        holds(
            "Picture",
            json!({"ask": "picture", "text": text, "view": "exactly", "theme": "dark"}),
        );
        for place in ["markdown", "reddit", "discord"] {
            let asked =
                json!({"ask": "copy", "text": text, "for": place, "link": "x", "view": "exactly"});
            holds("Copy", asked);
        }
    }
    let pair = json!({"ask": "joint", "text": record, "across": "a", "down": "b"});
    assert!(holds("Joint", pair)["map"].is_object());
    holds("Joint", json!({"ask": "joint", "text": record}));
    holds("Joint", json!({"ask": "joint", "text": "d20 +"}));
    let text = "param bonus = 5\nshow \"a\" = d20 + bonus\nshow \"b\" = 2d10 + 3";
    let over = ["bonus=0..4"];
    holds("Sweep", json!({"ask": "sweep", "text": text, "over": over, "that": ">= 15"}));
    holds("Sweep", json!({"ask": "sweep", "text": "param n = 1\nd(n)", "over": ["n=-1..2"]}));
    holds("Sweep", json!({"ask": "sweep", "text": text, "over": ["nobody=1"]}));
    let told = holds("Sweep", json!({"ask": "sweep", "text": text, "over": over}));
    let titles: Vec<&str> = told["measures"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|m| m["title"].as_str())
        .collect();
    let [of, versus] = titles[..2] else { panic!("two results: {told}") };
    let solved = json!({"ask": "solve", "text": text, "over": over, "of": of, "target": "13.5"});
    assert_eq!(holds("Solve", solved)["ok"], true);
    let level = json!({"ask": "solve", "text": text, "over": over, "of": of, "versus": versus});
    assert_eq!(holds("Solve", level)["ok"], true);
    let wrong = json!({"ask": "solve", "text": text, "over": over, "of": of, "target": "tea"});
    assert_eq!(holds("Solve", wrong)["ok"], false);
}

#[test]
fn every_question_has_an_answer_in_the_schema() {
    let schema = read("page");
    let names: Vec<&String> = schema["$defs"].as_object().expect("definitions").keys().collect();
    for request in names.iter().filter_map(|name| name.strip_suffix("Request")) {
        let answer = if request == "Convert" { "Format" } else { request };
        assert!(names.iter().any(|name| **name == format!("{answer}Answer")), "{request}");
    }
}
