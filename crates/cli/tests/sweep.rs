//! How odds change with an input.

mod common;

use common::{astragal, schema::assert_valid};
use serde_json::json;

#[test]
fn every_point_is_exact() {
    let ran = astragal(&["sweep", "param dc = 15; d20 + 5 >= dc", "dc=5..25", "--json"]).json();
    assert_valid("sweep", &ran);
    let points = ran["points"].as_array().unwrap();
    assert_eq!(points.len(), 21);
    assert_eq!(
        points[8],
        json!({"inputs": {"dc": 13}, "values": {"chance": "13/20"}, "decimals": {"chance": 0.65}})
    );
    assert_eq!(points[20]["values"]["chance"], json!("1/20"));
}

#[test]
fn unknown_names_become_inputs() {
    let ran = astragal(&["sweep", "cofd.action(pool).successes", "pool=1..10", "--json"]).json();
    assert_eq!(ran["points"][9]["values"]["mean"], json!("10/3"));
}

#[test]
fn several_inputs_are_combined() {
    let ran = astragal(&["sweep", "(a)d(b)", "a=1..3", "b=2,4,6", "--json"]).json();
    let points = ran["points"].as_array().unwrap();
    assert_eq!(points.len(), 9);
    assert_eq!(points[5]["inputs"], json!({"a": 2, "b": 6}));
    assert_eq!(points[5]["values"]["mean"], json!("7"));
}

#[test]
fn variants_have_a_column_each() {
    let ran = astragal(&["sweep", "cofd.action(p).outcome", "p=0..1", "--json"]).json();
    let expected = json!({
        "dramatic_failure": "1/10", "failure": "4/5", "success": "1/10", "exceptional_success": "0",
    });
    assert_eq!(ran["points"][0]["values"], expected);
}

#[test]
fn conditions_have_a_column_each() {
    let line = ["sweep", "(n)d6", "n=2..3", "--chance", ">= 12", "--chance", "=3", "--json"];
    let ran = astragal(&line).json();
    assert_eq!(ran["points"][0]["values"][">= 12"], json!("1/36"));
    assert_eq!(ran["points"][1]["values"]["3"], json!("1/216"));
}

#[test]
fn one_condition_can_be_all_that_is_asked() {
    let line = ["sweep", "(n)d6", "n=2..3", "--that", ">= 12", "--json"];
    assert_eq!(astragal(&line).json()["points"][0]["values"], json!({">= 12": "1/36"}));
    let none = astragal(&["sweep", "(n)d6", "n=2..3", "--that", "success"]);
    assert_ne!(none.code, 0, "{none:?}");
}

#[test]
fn texts_and_truths_can_be_swept() {
    let line = ["sweep", "if lucky then 2d20kh1 else d20", "lucky=false,true", "--json"];
    assert_eq!(astragal(&line).json()["points"][1]["values"]["mean"], json!("553/40"));
    let line = ["sweep", "cofd.pool(3, 0, untrained: kind)", "kind=mental,social", "--json"];
    let ran = astragal(&line);
    assert!(ran.code == 0 || ran.code == 1, "{ran:?}");
}

#[test]
fn exit_codes() {
    let cases: [(&[&str], i32); 7] = [
        (&["sweep", "d20 >= dc", "dc=10,15"], 0),
        (&["sweep", "d20 >= dc", "--over", "dc=10,15"], 0),
        (&["sweep", "d20"], 2),
        (&["sweep", "d20 >= dc", "dc=1..x"], 2),
        (&["sweep", "d20 >= dc", "dc=1..1000000"], 2),
        (&["sweep", "10 / n", "n=0..1"], 1),
        (&["sweep", "(n)d6", "n=5..9", "--steps", "10"], 3),
    ];
    for (line, code) in cases {
        let ran = astragal(line);
        assert_eq!(ran.code, code, "{line:?}: {ran:?}");
    }
}
