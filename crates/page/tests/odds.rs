//! Odds: rows, summaries, inputs, budgets.

mod common;

use std::sync::atomic::{AtomicU64, Ordering};

use astragal::{Budget, Engine};
use astragal_page::Host;
use common::{ask, ask_with, each, list, odds};
use serde_json::{Value as Json, json};

#[test]
fn a_number_has_rows_moments_and_percentiles() {
    let told = odds("4d6kh3");
    let result = &told["results"][0];
    let row = &result["rows"][0];
    assert_eq!(row["label"], "3");
    assert_eq!(row["value"], 3.0);
    assert_eq!(row["exactly"]["fraction"], "1/1296");
    assert_eq!(row["exactly"]["percent"], "0.08%");
    assert_eq!(row["exactly"]["one_in"], "1296");
    assert_eq!(row["at_least"]["fraction"], "1");
    assert_eq!(row["at_most"]["fraction"], "1/1296");
    assert_eq!(result["mean"]["exact"], "15869/1296");
    assert_eq!(result["mean"]["text"], "12.2446");
    assert_eq!(result["deviation"], "2.8468");
    assert_eq!(result["percentiles"][2], json!({"percent": 50, "label": "12"}));
    assert_eq!(result["kind"], "number");
    assert_eq!(result["shown_of"], 16);
    let sentence = "4d6kh3: from 3 to 18, most likely 13 (13.27%), mean 12.24";
    assert_eq!(result["sentence"], sentence);
    assert!(told["used"].as_u64().is_some_and(|used| used > 0));
}

#[test]
fn a_yes_comes_first_and_has_no_order() {
    let told = odds("d20 + 5 >= 15");
    let result = &told["results"][0];
    assert_eq!(each(&result["rows"], "label"), ["yes", "no"]);
    assert_eq!(result["rows"][0]["exactly"]["fraction"], "11/20");
    assert_eq!(result["rows"][0]["at_least"], Json::Null);
    assert_eq!(result["kind"], "truth");
    assert_eq!(result["sentence"], "d20 + 5 >= 15: yes 55.00%");
}

#[test]
fn an_endless_roll_has_an_exact_rest() {
    let told = odds("d6!");
    let result = &told["results"][0];
    let rows = list(&result["rows"]);
    assert!(!result["rest"].is_null() && result["lost"].is_null());
    assert_eq!(rows[0]["at_least"]["fraction"], "1");
    let last = rows.last().expect("a row");
    let below: f64 = last["at_most"]["value"].as_f64().expect("a chance");
    assert!(below < 1.0 && last["at_most"]["percent"] == ">99.99%");
    let longer = ask(&json!({"ask": "odds", "text": "d6!", "until": "100"}));
    assert!(list(&longer["results"][0]["rows"]).len() > rows.len());
}

#[test]
fn a_record_is_told_field_by_field_also_under_a_name() {
    let told = odds("show \"a\" = {high: d4 >= 3, face: d2}\nshow \"b\" = d4");
    assert_eq!(each(&told["results"], "name"), ["a", "a", "b"]);
    assert_eq!(each(&told["results"], "field"), ["high", "face", "?"]);
    assert_eq!(told["results"][0]["rows"][0]["exactly"]["fraction"], "1/2");
    assert_eq!(told["results"][2]["sentence"], "b: from 1 to 4, most likely 1 (25.00%), mean 2.5");
}

#[test]
fn the_odds_are_those_of_the_library() {
    let calls = [
        "stormchaser.check(15, modifier: 3, plus: 1)",
        "srd.check(5, 15)",
        "cofd.action(7, again: 9, rote: true)",
        "crucible.check(15, boons: 2, ability: 3)",
        "kaiser.skill(8, 12, advantage: 1)",
    ];
    for call in calls {
        let told = odds(call);
        for result in list(&told["results"]) {
            let field = result["field"].as_str().expect("a field");
            let program = Engine::new().compile(call).expect("a program");
            let path: Vec<&str> = field.split('.').collect();
            let known = program.odds_of(&path, &Budget::default()).expect("odds");
            let mut chances: Vec<String> =
                known.only().outcomes.iter().map(|(_, chance)| chance.to_string()).collect();
            if result["kind"] == "truth" {
                chances.reverse();
            }
            let rows = list(&result["rows"]);
            let given: Vec<&str> =
                rows.iter().filter_map(|row| row["exactly"]["fraction"].as_str()).collect();
            assert_eq!(given, chances, "{call}.{field}");
        }
    }
}

#[test]
fn inputs_are_set_by_name_and_told_with_a_range() {
    let text = "## How hard it is.\nparam dc = 15\nparam pool = 4\nparam half = 1/2\nparam bonus = -12\n\
                enum Size = small | large\nparam size = Size.large\nparam hit = true\n\
                (pool)d6 + half + bonus >= dc";
    let told = ask(&json!({"ask": "odds", "text": text, "inputs": {"dc": "3", "gone": "x"}}));
    let inputs = &told["inputs"];
    assert_eq!(each(inputs, "name"), ["dc", "pool", "half", "bonus", "size", "hit"]);
    assert_eq!(each(inputs, "value"), ["3", "4", "1/2", "-12", "large", "yes"]);
    assert_eq!(each(inputs, "default"), ["15", "4", "1/2", "-12", "large", "yes"]);
    assert_eq!(inputs[0]["doc"], "How hard it is.");
    let ranges: Vec<&Json> = list(inputs).iter().map(|input| &input["suggested"]).collect();
    assert_eq!(*ranges[0], json!({"from": 1.0, "to": 30.0, "step": 1.0}));
    assert_eq!(*ranges[1], json!({"from": 1.0, "to": 20.0, "step": 1.0}));
    assert_eq!(*ranges[2], json!({"from": 0.0, "to": 20.0, "step": 0.5}));
    assert_eq!(*ranges[3], json!({"from": -24.0, "to": 20.0, "step": 1.0}));
    assert_eq!(inputs[4]["variants"], json!(["small", "large"]));
    // What is told can be set.
    let set = ask(&json!({"ask": "odds", "text": text, "inputs": {"size": "small", "hit": "no"}}));
    assert_eq!(set["ok"], true, "{set}");
}

#[test]
fn an_input_of_the_wrong_kind_is_refused_with_the_inputs() {
    let text = "param dc = 15\nd20 >= dc";
    let told = ask(&json!({"ask": "odds", "text": text, "inputs": {"dc": "high"}}));
    assert_eq!(told["ok"], false);
    assert_eq!(told["diagnostics"][0]["code"], "bad-input");
    assert_eq!(told["inputs"][0]["name"], "dc");
}

#[test]
fn files_are_used_by_their_names() {
    let files = json!({"house.dice": "## Twice.\nfn twice(x) = x * 2"});
    let text = "use \"house.dice\"\nhouse.twice(d4)";
    let told = ask(&json!({"ask": "odds", "text": text, "files": files}));
    assert_eq!(each(&told["results"][0]["rows"], "label"), ["2", "4", "6", "8"]);
    let missing = odds(text);
    assert_eq!(missing["ok"], false);
    let wrong =
        ask(&json!({"ask": "odds", "text": text, "files": {"house.dice": "fn twice(x) = y"}}));
    assert_eq!(wrong["diagnostics"][0]["labels"][0]["source"], "house.dice");
}

#[test]
fn what_costs_too_much_says_so() {
    let told = ask(&json!({"ask": "odds", "text": "1000d6", "steps": 10}));
    assert_eq!((&told["ok"], &told["over_budget"]), (&json!(false), &json!(true)));
    assert_eq!(told["diagnostics"][0]["severity"], "over-budget");
    assert_eq!(told["more"], 100);
}

#[test]
fn more_is_offered_only_where_it_helps() {
    let dear = |steps: u64| ask(&json!({"ask": "odds", "text": "1000d1000kh500", "steps": steps}));
    assert_eq!(dear(1_000_000)["more"], 10_000_000);
    // No budget moves the limit of nesting.
    let deep = odds("fn f(n) = if n == 0 then d6 else f(n - 1) + d6\nf(100000)");
    assert_eq!((&deep["ok"], &deep["over_budget"]), (&json!(false), &json!(true)), "{deep}");
    assert_eq!((&deep["diagnostics"][0]["code"], &deep["more"]), (&json!("too-deep"), &Json::Null));
    assert_eq!(odds("d6 +")["more"], Json::Null);
}

#[test]
fn long_work_tells_how_far_it_is() {
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    let look = |used: u64, allowed: u64| {
        assert!(used <= allowed);
        LOOKS.fetch_add(1, Ordering::Relaxed);
    };
    let host = Host { seed: || None, progress: look };
    let told = ask_with(&json!({"ask": "odds", "text": "100d20kh50"}), &host);
    assert_eq!(told["ok"], true);
    assert!(LOOKS.load(Ordering::Relaxed) > 0);
}

#[test]
fn very_long_fractions_are_left_out() {
    let told = odds("1000d6");
    let rows = list(&told["results"][0]["rows"]);
    assert_eq!(rows.len(), 5001);
    assert_eq!(rows[2500]["exactly"]["fraction"], "");
    assert_eq!(rows[2500]["exactly"]["percent"], "0.74%");
    assert_eq!(rows[0]["exactly"]["one_in"], "1.4e778");
    assert!(told.to_string().len() < 1_500_000);
}

/// A program with so many results of many dice.
fn many(results: u32) -> String {
    let lines = (1..=results).map(|n| format!("show \"{n}\" = {n}d6"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn of_many_results_rows_are_held_until_somebody_asks() {
    let told = odds(&many(100));
    let results = list(&told["results"]);
    assert_eq!(results.len(), 100);
    assert_eq!((&results[0]["held"], list(&results[0]["rows"]).len()), (&json!(false), 6));
    let last = &results[99];
    assert_eq!((&last["held"], list(&last["rows"]).len()), (&json!(true), 0));
    // What is known of the whole is there.
    assert_eq!((&last["shown_of"], &last["mean"]["text"]), (&json!(501), &json!("350")));
    assert_eq!(last["sentence"], "100: from 100 to 600, most likely 350 (2.33%), mean 350");
    assert!(told.to_string().len() < 800_000, "{}", told.to_string().len());
}

#[test]
fn rows_that_were_held_are_those_of_the_result_alone() {
    let text = many(30);
    let held = json!({"ask": "rows", "text": text, "result": 29});
    let alone = odds("30d6");
    let expected = &alone["results"][0]["rows"];
    // Asked after the odds, and asked of somebody who has not computed them.
    odds(&text);
    for _ in 0..2 {
        let told = ask(&held);
        assert_eq!(each(&told["rows"], "label"), each(expected, "label"));
        assert_eq!(told["rows"][75]["at_least"]["percent"], expected[75]["at_least"]["percent"]);
        odds("d6");
    }
    let wrong = ask(&json!({"ask": "rows", "text": text, "result": 30}));
    assert_eq!(wrong["diagnostics"][0]["code"], "bad-request");
    let wrong = ask(&json!({"ask": "rows", "text": "d6 +", "result": 0}));
    assert_eq!(wrong["ok"], false);
}

#[test]
fn a_few_results_keep_all_of_their_rows() {
    let told = odds(&many(12));
    assert!(list(&told["results"]).iter().all(|result| result["held"] == false));
}

#[test]
fn strange_requests_are_answered() {
    for request in
        ["", "7", "[]", "{}", "{\"ask\": 7}", "{\"ask\": \"odds\"}", "{\"ask\": \"tea\"}"]
    {
        let host = Host { seed: || None, progress: |_, _| {} };
        let told: Json =
            serde_json::from_str(&astragal_page::answer(request, &host)).expect("an answer");
        assert_eq!(told["ok"], false, "{request}");
        assert_eq!(told["diagnostics"][0]["code"], "bad-request");
    }
}

#[test]
fn an_anydice_program_is_recognised_run_and_said_in_our_language() {
    let text = "output [highest 3 of 4d6] named \"a score\" output d6 <= {2,3}";
    let told = odds(text);
    assert_eq!(told["language"], "anydice");
    assert_eq!(each(&told["results"], "name"), ["a score", "output 2"]);
    assert_eq!(told["results"][0]["mean"]["exact"], "15869/1296");
    assert_eq!(told["hints"][0]["code"], "at-most-sequence");
    let rolled = ask(&json!({"ask": "roll", "text": text, "seed": "7"}));
    assert_eq!(rolled["ok"], true, "{rolled}");
    let ours = ask(&json!({"ask": "convert", "text": "output [highest 3 of 4d6]"}));
    assert_eq!(ours["text"], "4d6kh3");
    let none = ask(&json!({"ask": "convert", "text": "output d{}"}));
    assert_eq!(
        (&none["ok"], &none["diagnostics"][0]["code"]),
        (&json!(false), &json!("no-counterpart"))
    );
    let dear =
        "function: f A:n B:n { if A > B { result: A*B } result: A ^ 2 + B } output [f 20d20 20d20]";
    let dear = ask(&json!({"ask": "convert", "text": dear, "steps": 20_000_000}));
    assert_eq!(dear["diagnostics"][0]["code"], "not-compared", "{dear}");
    let wrong = odds("output [highest 3 of");
    assert_eq!((&wrong["ok"], &wrong["language"]), (&json!(false), &json!("anydice")));
    assert_eq!(odds("3d6")["language"], "astragal");
}
