//! What the views ask beside the odds: fields together, many rolls, text for a chat, pictures.

mod common;

use common::{ask, each, list};
use serde_json::{Value as Json, json};

fn joint(text: &str, more: &Json) -> Json {
    let mut request = json!({"ask": "joint", "text": text});
    for (name, value) in more.as_object().expect("an object") {
        request[name] = value.clone();
    }
    ask(&request)
}

const MARGIN: &str = "let die = d20\n{total: die + 7, margin: die - 8, hit: die >= 8, name: \"x\"}";

#[test]
fn fields_that_are_always_equal_are_told_from_those_with_the_same_odds() {
    let told = joint("let a = d6; {a: a, again: a, other: d6, never: 3}", &json!({}));
    let moments = &told["moments"];
    assert_eq!(moments["fields"], json!(["a", "again", "other", "never"]));
    assert_eq!(moments["same"], json!([null, 0, null, null]));
    assert_eq!(moments["correlations"][0][1], json!({"text": "1", "value": 1.0}));
    assert_eq!(moments["correlations"][0][2]["text"], "0");
    assert_eq!(moments["correlations"][0][3], Json::Null);
    let action = joint("cofd.action(7)", &json!({}));
    assert_eq!(action["moments"]["fields"], json!(["successes", "rolled", "beat"]));
    assert_eq!(action["moments"]["same"], json!([null, 0, null]));
}

#[test]
fn the_pairs_of_two_fields_have_exact_chances() {
    let told = joint(MARGIN, &json!({"across": "hit", "down": "margin"}));
    let map = &told["map"];
    assert_eq!(map["across"], json!(["no", "yes"]));
    assert_eq!(list(&map["down"]).len(), 20);
    assert_eq!(map["cells"][0][0]["fraction"], "1/20");
    assert_eq!(map["cells"][0][1], Json::Null);
    assert_eq!(map["cells"][19][1]["percent"], "5.00%");
    assert_eq!(map["rest"], Json::Null);
}

#[test]
fn many_outcomes_share_places_and_keep_their_chances() {
    let told = joint("{a: 10d6, b: d6}", &json!({"across": "a", "down": "b"}));
    let map = &told["map"];
    let across = each(
        &json!(list(&map["across"]).iter().map(|it| json!({"l": it})).collect::<Vec<_>>()),
        "l",
    )
    .len();
    assert!(across <= 24 && map["across"][0] == "10..12", "{}", map["across"]);
    let sum: f64 =
        list(&map["cells"]).iter().flat_map(list).filter_map(|cell| cell["value"].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

#[test]
fn one_of_several_records_is_asked_for_by_its_name() {
    let text = "show \"one\" = {a: d4, b: d4}; show \"two\" = {a: d6, b: {c: d4 > 1}}";
    let told = joint(text, &json!({"result": "two", "across": "a", "down": "b.c"}));
    assert_eq!(list(&told["map"]["across"]).len(), 6);
    assert_eq!(told["map"]["down"], json!(["no", "yes"]));
    assert_eq!(joint(text, &json!({"result": "three"}))["ok"], false);
    let told = joint("d6", &json!({}));
    assert!(told["ok"] == true && told["moments"].is_null());
    assert_eq!(
        joint("{a: d6, b: d6}", &json!({"across": "a", "down": "nobody"}))["map"],
        Json::Null
    );
    assert_eq!(joint("{a: 1000d1000kh500, b: d6}", &json!({}))["over_budget"], true);
}

#[test]
fn a_roll_has_a_value_for_each_result_of_the_odds() {
    let rolled =
        |text: &str| ask(&json!({"ask": "roll", "text": text, "seed": "1"}))["values"].clone();
    let odds = |text: &str| list(&common::odds(text)["results"]).len();
    for text in [
        "4d6kh3",
        "d20 >= 11",
        "{a: d6, b: {c: d4, d: true}}",
        "show \"a\" = d6; show \"b\" = {x: d6, y: d4}",
        "cofd.action(7)",
        "output 3d6 named \"a\"\noutput d4",
    ] {
        assert_eq!(list(&rolled(text)).len(), odds(text), "{text}");
    }
    assert_eq!(rolled("{a: 3, b: {c: true, d: [1, 2]}}"), json!(["3", "yes", "[1, 2]"]));
}

#[test]
fn many_rolls_are_counted_and_replayed() {
    let request =
        json!({"ask": "rolls", "text": "{a: 2d6, b: d6 > 3}", "count": 1000, "seed": "7"});
    let told = ask(&request);
    assert_eq!((&told["count"], &told["seed"]), (&json!(1000), &json!("7")));
    for result in list(&told["results"]) {
        let times: u64 = list(&result["counts"]).iter().filter_map(|it| it["times"].as_u64()).sum();
        assert_eq!(times, 1000);
    }
    assert_eq!(each(&told["results"][1]["counts"], "label"), ["no", "yes"]);
    let mean = told["results"][0]["mean"].as_f64().expect("a mean");
    assert!((mean - 7.0).abs() < 0.5, "{mean}");
    assert!(told["results"][1]["mean"].is_null());
    assert_eq!(told, ask(&request));
    // The first of them is the roll of this seed.
    let one = ask(&json!({"ask": "roll", "text": "d1000000", "seed": "7"}))["values"][0].clone();
    let first = ask(&json!({"ask": "rolls", "text": "d1000000", "count": 1, "seed": "7"}));
    assert_eq!(first["results"][0]["counts"][0]["label"], one);
}

#[test]
fn nobody_waits_for_ever_for_many_rolls() {
    let told = ask(&json!({"ask": "rolls", "text": "90000d6", "count": 10000, "seed": "7"}));
    let count = told["count"].as_u64().expect("a number");
    assert!((100..1000).contains(&count), "{count}");
    assert_eq!(ask(&json!({"ask": "rolls", "text": "4d6r1"}))["ok"], false);
}

#[test]
fn text_for_a_chat_has_the_program_rounded_numbers_and_the_link() {
    let copy = |place: &str| {
        let request =
            json!({"ask": "copy", "for": place, "text": "4d6kh3", "link": "https://x/#e=4d6kh3"});
        ask(&request)["text"].as_str().expect("a text").to_owned()
    };
    let table = copy("markdown");
    assert!(table.contains("| 3 | 0.08% | 100.00% |") && !table.contains("0.000771"), "{table}");
    assert!(table.contains("[Astragal](https://x/#e=4d6kh3)"), "{table}");
    assert!(copy("discord").contains("```\noutcome"));
    assert!(copy("reddit").starts_with("`4d6kh3`"));
    assert_eq!(ask(&json!({"ask": "copy", "for": "fax", "text": "d6"}))["ok"], false);
}

#[test]
fn a_picture_is_light_or_dark_and_of_a_part_where_parts_differ() {
    let draw = |more: Json| {
        let mut request = json!({"ask": "picture", "text": MARGIN});
        more.as_object()
            .expect("an object")
            .iter()
            .for_each(|(name, value)| request[name] = value.clone());
        ask(&request)
    };
    let light = draw(json!({"theme": "light", "width": 1200, "height": 630}));
    let light = light["content"].as_str().expect("a drawing");
    assert!(light.contains("width=\"1200\"") && !light.contains("prefers-color-scheme"), "{light}");
    assert!(
        draw(json!({"theme": "dark", "field": "hit"}))["content"]
            .as_str()
            .is_some_and(|it| it.contains("#15191e"))
    );
    assert_eq!(draw(json!({"theme": "pink"}))["ok"], false);
    let named = draw(json!({"text": "show \"plain\" = d6\nshow \"more\" = d8"}));
    assert!(named["content"].as_str().is_some_and(|it| it.contains(">plain, more<")), "{named}");
}
