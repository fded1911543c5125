//! `astragal plan`: what is computed, by which ways, and what it costs.

mod common;

use common::astragal;
use serde_json::Value;

#[test]
fn a_plan_names_results_ways_and_cost() {
    let ran = astragal(&["plan", "cofd.action(7).outcome"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in ["result   cofd.Outcome", "by       ", "cost     ", "answer   3 outcomes"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let ran = astragal(&["plan", "cofd.action(7)", "--field", "outcome"]);
    assert!(ran.out.contains("answer   3 outcomes"), "{}{}", ran.out, ran.err);
}

#[test]
fn what_is_too_costly_for_a_look_says_why() {
    let ran = astragal(&["plan", "3000d1000"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("not known after a look"), "{}", ran.out);
    assert!(ran.err.contains("this needs at least"), "{}", ran.err);
}

#[test]
fn a_plan_is_data_too() {
    let ran = astragal(&["plan", "2d6 + d8", "--json"]);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(told["known"], true);
    assert_eq!(told["results"][0]["type"], "number");
    assert!(told["steps"].as_u64().is_some_and(|steps| steps > 0), "{told}");
    assert!(told["ways"].as_array().is_some_and(|ways| !ways.is_empty()), "{told}");
    let ran = astragal(&["plan", "1 +", "--json"]);
    assert_eq!(ran.code, 1);
}
