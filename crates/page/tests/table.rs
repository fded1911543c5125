//! At the table: rolls, systems and their forms, files for other programs.

mod common;

use common::{ask, each, list};
use serde_json::{Value as Json, json};

#[test]
fn a_roll_is_explained_spoken_and_repeatable() {
    let told = ask(&json!({"ask": "roll", "text": "4d6kh3", "faces": "3,6,1,5"}));
    assert_eq!(told["roll"]["value"], 14);
    assert_eq!(told["lines"], json!(["4d6 keep highest 3: 3 6 (1) 5 = 14"]));
    assert_eq!(told["sentence"], "14: 3, 6, 5; dropped 1");
    assert_eq!(told["seed"], Json::Null);
    let fresh = ask(&json!({"ask": "roll", "text": "4d6kh3"}));
    assert_eq!(fresh["seed"], "12");
    let again = ask(&json!({"ask": "roll", "text": "4d6kh3", "seed": "12"}));
    assert_eq!(fresh, again);
}

#[test]
fn faces_that_do_not_fit_are_refused() {
    let told = ask(&json!({"ask": "roll", "text": "4d6", "faces": "3"}));
    assert_eq!((&told["ok"], &told["over_budget"]), (&json!(false), &json!(false)));
    let told = ask(&json!({"ask": "roll", "text": "d6", "seed": "tea"}));
    assert_eq!(told["diagnostics"][0]["code"], "bad-request");
}

#[test]
fn every_system_has_forms_whose_examples_work() {
    let told = ask(&json!({"ask": "systems"}));
    let names = each(&told["systems"], "name");
    assert_eq!(names, ["stormchaser", "srd", "cofd", "crucible", "kaiser"]);
    assert_eq!(told["diagnostics"], json!([]));
    for system in list(&told["systems"]) {
        assert_eq!(system["built_in"], true);
        let functions = list(&system["functions"]);
        assert_eq!(functions[0]["main"], true);
        for function in functions {
            let example = function["example"].as_str().expect("an example");
            let odds = ask(&json!({"ask": "odds", "text": example}));
            assert_eq!(odds["ok"], true, "{example}");
            let about = function["about"].as_str().expect("a sentence");
            assert!(!about.is_empty() && !about.contains('['), "{about}");
        }
    }
}

#[test]
fn a_form_knows_records_and_variants() {
    let told = ask(&json!({"ask": "systems"}));
    let kaiser = &told["systems"][4];
    assert_eq!(kaiser["title"], "Kaiser");
    assert_eq!(kaiser["about"], "2d6 with open rolls and fumbles.");
    let opposed = list(&kaiser["functions"]).iter().find(|f| f["name"] == "opposed");
    let attacker = &opposed.expect("opposed")["parameters"][0];
    assert_eq!(attacker["kind"], "record");
    let method = list(&attacker["fields"]).iter().find(|field| field["name"] == "method");
    let expected = json!({
        "name": "method", "kind": "variant", "type": "Method", "optional": false,
        "default": "\"keep\"", "help": "All dice at once, or few and reroll.",
        "variants": [{"name": "keep", "title": "All"}, {"name": "reroll", "title": "Few"}],
        "words": {
            "title": "Throwing", "min": null, "max": null, "start": null, "choices": [], "tone": null,
            "from": null, "judged": false, "suggestions": [],
        },
    });
    assert_eq!(method, Some(&expected));
    let modifiers = list(&told["systems"][1]["functions"])
        .iter()
        .find(|function| function["name"] == "modifier")
        .map(|function| &function["parameters"][0]);
    assert_eq!(modifiers.map(|parameter| &parameter["kind"]), Some(&json!("records")));
    let again = &told["systems"][2]["functions"][0]["parameters"][1];
    assert_eq!(again["help"], "Tens, nines and tens, every success, or no dice.");
    assert_eq!(each(&again["words"]["choices"], "value"), ["10", "9", "8", "11"]);
    let contested =
        list(&told["systems"][2]["functions"]).iter().find(|f| f["name"] == "contested");
    let contested = contested.expect("contested");
    assert_eq!(
        (&contested["title"], &contested["outcomes"]["a"]),
        (&json!("Contested"), &json!("A wins"))
    );
    assert_eq!(contested["parts"]["b"], "successes of B");
}

#[test]
fn house_rules_are_systems_too() {
    let text = "# House: our rules.\n## A check. `dc` is the number to reach.\n\
                ## Example: house.check(12)\nfn check(dc, lucky = false) = d20 >= dc";
    let told =
        ask(&json!({"ask": "systems", "files": {"house.dice": text, "bad.dice": "fn f(x) = y"}}));
    let house = list(&told["systems"]).iter().find(|system| system["name"] == "house");
    let house = house.expect("the file");
    assert_eq!((&house["title"], &house["built_in"]), (&json!("House"), &json!(false)));
    let parameters = &house["functions"][0]["parameters"];
    assert_eq!(each(parameters, "kind"), ["number", "truth"]);
    assert_eq!(parameters[0]["help"], "`dc` is the number to reach.");
    assert_eq!(told["diagnostics"][0]["labels"][0]["source"], "bad.dice");
}

#[test]
fn the_text_of_a_system_can_be_copied() {
    let told = ask(&json!({"ask": "source", "system": "kaiser"}));
    let text = told["text"].as_str().expect("a text");
    let house = json!({"mine.dice": text});
    let call = "use \"mine.dice\"\nmine.skill(8, 12)";
    assert_eq!(ask(&json!({"ask": "odds", "text": call, "files": house}))["ok"], true);
    assert_eq!(ask(&json!({"ask": "source", "system": "tea"}))["ok"], false);
}

#[test]
fn results_that_make_no_chart_say_so() {
    let request =
        json!({"ask": "export", "as": "svg", "view": "exactly", "text": "{a: d4, b: true}"});
    assert_eq!(ask(&request)["diagnostics"][0]["code"], "unlike-results");
    let request = json!({"ask": "export", "as": "markdown", "view": "at_least", "text": "d2"});
    let told = ask(&request);
    assert_eq!(told["name"], "odds.md");
    assert!(told["content"].as_str().is_some_and(|text| text.starts_with("| outcome |")), "{told}");
}
