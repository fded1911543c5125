//! What if: curves, maps, and which value is enough.

mod common;

use common::{ask, each, list};
use serde_json::{Value as Json, json};

const ATTACK: &str = "param bonus = 5\nparam target = 15\nd20 + bonus >= target";
const RULES: &str = "param dice = 3\nshow \"many\" = (dice)d6\nshow \"one\" = d20 + 4";

fn sweep(text: &str, over: &[&str]) -> Json {
    ask(&json!({"ask": "sweep", "text": text, "over": over}))
}

#[test]
fn one_input_is_a_curve() {
    let told = sweep(ATTACK, &["bonus=0..10"]);
    let measure = &told["measures"][0];
    assert_eq!(told["inputs"][0]["values"][10], "10");
    assert_eq!(measure["title"], "chance");
    assert_eq!(measure["chance"], true);
    assert_eq!(each(&measure["values"], "text")[5], "55.00%");
    assert_eq!(each(&measure["values"], "exact")[5], "11/20");
    let drawn = measure["values"][5]["value"].as_f64().unwrap_or_default();
    assert!((drawn - 55.0).abs() < 1e-9, "{drawn}");
}

#[test]
fn two_inputs_are_a_map_the_last_fastest() {
    let told = sweep(ATTACK, &["bonus=0..2", "target=10,15"]);
    let texts = each(&told["measures"][0]["values"], "text");
    assert_eq!(texts, ["55.00%", "30.00%", "60.00%", "35.00%", "65.00%", "40.00%"]);
}

#[test]
fn means_and_conditions_stand_beside_each_other_and_other_inputs_stay_as_they_are_set() {
    let request = json!({"ask": "sweep", "text": "param n = 2\nparam add = 0\n(n)d6 + add", "over": ["n=1..3"],
        "that": ">= 10", "inputs": {"add": "3"}});
    let told = ask(&request);
    assert_eq!(each(&told["measures"], "title"), ["mean", ">= 10"]);
    assert_eq!(each(&told["measures"][0]["values"], "text"), ["6.5", "10", "13.5"]);
    assert_eq!(told["measures"][1]["asked"], true);
    assert_eq!(each(&told["measures"][1]["values"], "exact"), ["0", "7/12", "49/54"]);
}

#[test]
fn points_that_are_refused_are_gaps_and_say_why() {
    let told = sweep("param x = 1\nd6 + 6 // x", &["x=-1..1"]);
    let values = list(&told["measures"][0]["values"]);
    assert!(values[1].is_null() && !values[0].is_null());
    assert_eq!(told["refused"], 1);
    assert!(told["why"].as_str().is_some_and(|why| !why.is_empty()), "{told}");
    let all = sweep("param x = 1\nd6 + 6 // x", &["x=0,0"]);
    assert_eq!(all["ok"], false);
}

#[test]
fn what_is_no_list_of_values_is_an_ordinary_answer() {
    for over in ["bonus", "bonus=1..", "nobody=1..3", "bonus=1..100000"] {
        let told = sweep(ATTACK, &[over]);
        assert_eq!(told["ok"], false, "{over}");
        assert_eq!(told["diagnostics"][0]["code"], "asked", "{told}");
    }
    let many = sweep(ATTACK, &["bonus=1..60", "target=1..60"]);
    assert_eq!(many["diagnostics"][0]["code"], "asked");
}

#[test]
fn one_budget_is_for_all_points() {
    let one = ask(&json!({"ask": "odds", "text": "param n = 50\n(n)d6"}));
    let steps = one["used"].as_u64().map_or(0, |used| used * 3);
    let request = |over| json!({"ask": "sweep", "text": "param n = 50\n(n)d6", "over": [over], "steps": steps});
    assert_eq!(ask(&request("n=50,50"))["ok"], true);
    assert_eq!(ask(&request("n=50,50,50,50,50,50,50,50"))["over_budget"], true);
}

fn solve(text: &str, asked: Json) -> Json {
    let mut request = json!({"ask": "solve", "text": text});
    for (name, value) in asked.as_object().into_iter().flatten() {
        request[name] = value.clone();
    }
    ask(&request)
}

#[test]
fn which_bonus_gives_65_percent() {
    let told = solve(ATTACK, json!({"over": ["bonus=0..20"], "of": "chance", "target": "65%"}));
    assert_eq!(told["headline"], "bonus from 7 on gives a chance of at least 65%");
    assert_eq!(told["solutions"][0], "7");
    assert_eq!(each(&told["told"], "value"), ["6", "7"]);
    assert_eq!(told["told"][1]["met"], true);
    let most = solve(
        ATTACK,
        json!({"over": ["bonus=0..20"], "of": "chance", "target": "1 in 2", "at_most": true}),
    );
    assert_eq!(most["headline"], "bonus up to 4 gives a chance of at most 1 in 2");
}

#[test]
fn which_number_of_dice_has_a_mean_and_when_two_rules_are_level() {
    let mean = solve(RULES, json!({"over": ["dice=1..8"], "of": "many mean", "target": "12"}));
    assert_eq!(mean["headline"], "dice from 4 on gives a mean of at least 12");
    let level =
        solve(RULES, json!({"over": ["dice=1..8"], "of": "many mean", "versus": "one mean"}));
    assert_eq!(level["headline"], "dice from 5 on gives many mean at least as high as one mean");
    assert_eq!(level["told"][0]["said"], "0.5 behind");
    assert_eq!(level["told"][1]["said"], "3 ahead");
}

#[test]
fn a_condition_may_be_what_is_looked_for() {
    let asked = json!({"over": ["n=1..10"], "of": ">= 10", "that": ">=10", "target": "50%"});
    let told = solve("param n = 1\n(n)d6", asked);
    assert_eq!(told["solutions"][0], "3");
}

#[test]
fn what_cannot_be_reached_says_what_comes_nearest_and_nonsense_is_refused() {
    let far = solve(ATTACK, json!({"over": ["bonus=0..2"], "of": "chance", "target": "99%"}));
    let headline = far["headline"].as_str().unwrap_or_default();
    assert!(
        headline.starts_with("no bonus from 0 to 2 gives") && headline.contains("bonus = 2"),
        "{headline}"
    );
    assert_eq!(list(&far["solutions"]).len(), 0);
    let wrong = solve(ATTACK, json!({"over": ["bonus=0..2"], "of": "chance", "target": "often"}));
    assert_eq!(wrong["diagnostics"][0]["code"], "asked");
}
