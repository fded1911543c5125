//! Which values of an input give a chance, exactly.

mod common;

use common::{astragal, schema::assert_valid};
use serde_json::{Value, json};

fn solved(line: &[&str]) -> Value {
    let line = [&["solve"], line, &["--json"]].concat();
    let told = astragal(&line).json();
    assert_valid("solve", &told);
    told
}

#[test]
fn the_boundary_is_exact() {
    let told = solved(&["param dc = 15; d20+5 >= dc", "dc", "--chance", "65%"]);
    assert_eq!(told["direction"], json!("falling"));
    let solutions = told["solutions"].as_array().unwrap();
    assert_eq!(solutions.last(), Some(&json!(13)));
    assert_eq!(solutions.len(), 14);
    assert_eq!(told["points"][13], json!({"value": 13, "chance": "13/20", "decimal": 0.65}));
    assert_eq!(told["points"][14], json!({"value": 14, "chance": "3/5", "decimal": 0.6}));
}

#[test]
fn a_target_is_met_by_the_very_fraction_and_missed_by_a_hair() {
    // 2/3 is no decimal: whoever compares floats cannot tell these apart.
    let last = |chance: &str| {
        let told = solved(&["d6 >= x", "x=1..6", "--chance", chance]);
        told["solutions"].as_array().unwrap().len()
    };
    assert_eq!(last("2/3"), 3);
    assert_eq!(last("66.6666666666666666%"), 3);
    assert_eq!(last("66.6666666666666667%"), 2);
    assert_eq!(last("2 in 3"), 3);
}

#[test]
fn how_many_dice_for_one_in_a_thousand() {
    let line = ["(n)d6cs>=6 == 0", "n", "--chance", "1/1000", "--at-most"];
    let told = solved(&line);
    assert_eq!(told["solutions"][0], json!(38));
}

#[test]
fn numbers_need_an_event() {
    let told = solved(&["(n)d6", "n=1..10", "--that", ">= 20", "--chance", "1/2"]);
    assert_eq!(told["solutions"][0], json!(6));
    assert_eq!(told["direction"], json!("rising"));
}

#[test]
fn values_without_an_answer_are_left_out() {
    let told = solved(&["(n)d6 >= 3", "n=-2..3", "--chance", "1/2"]);
    assert_eq!(told["refused"], json!([-2, -1]));
    assert_eq!(told["solutions"], json!([1, 2, 3]));
}

#[test]
fn outcomes_are_in_their_order() {
    let line = ["cofd.action(p).outcome", "p=1..5", "--that", ">= success", "--chance", "1/2"];
    assert_eq!(solved(&line)["solutions"][0], json!(2));
}

#[test]
fn exit_codes() {
    let cases: [(&[&str], i32); 10] = [
        (&["solve", "d20 >= dc", "dc", "--chance", "50%"], 0),
        (&["solve", "d20 >= dc", "dc=30..40", "--chance", "50%"], 1),
        (&["solve", "d20 >= dc", "--chance", "50%"], 2),
        (&["solve", "d20", "--chance", "50%"], 2),
        (&["solve", "d20 >= dc", "dc"], 0),
        (&["solve", "(n)d6", "n", "--mean", "many"], 2),
        (&["solve", "d20 >= dc", "dc", "--mean", "3"], 2),
        (&["solve", "d20 >= dc", "dc", "--chance", "150%"], 2),
        (&["solve", "d20 + dc", "dc", "--chance", "50%"], 2),
        (&["solve", "(n)d6 > 5", "n=5..9", "--chance", "50%", "--steps", "2"], 3),
    ];
    for (line, code) in cases {
        let ran = astragal(line);
        assert_eq!(ran.code, code, "{line:?}: {ran:?}");
    }
}

#[test]
fn a_mean_is_aimed_at() {
    let told = solved(&["(n)d6", "n=1..20", "--mean", "20"]);
    assert_eq!((&told["mean"], &told["solutions"][0]), (&json!("20"), &json!(6)));
    assert_eq!(told["points"][0]["mean"], json!("7/2"));
    let told = solved(&["(n)d6", "n=1..20", "--mean", "7/2", "--at-most"]);
    assert_eq!(told["solutions"], json!([1]));
}

#[test]
fn two_rules_break_even() {
    let told = solved(&["mean((n)d6) >= mean(3d8 + 2)", "n=1..20"]);
    assert_eq!(told["solutions"][0], json!(5));
    let said = astragal(&["solve", "mean((n)d6) >= mean(3d8)", "n=1..20"]).out;
    assert!(said.starts_with("n from 4 on gives yes for certain"), "{said}");
}

#[test]
fn a_second_input_has_an_answer_for_each_value() {
    let told = solved(&["d20 + m >= dc", "m=0..20", "dc=10..12", "--chance", "65%"]);
    let answers: Vec<_> = (0..3)
        .map(|at| (&told["answers"][at]["given"]["dc"], &told["answers"][at]["solutions"][0]))
        .collect();
    let wanted = [(10, 2), (11, 3), (12, 4)].map(|(dc, m)| (json!(dc), json!(m)));
    assert_eq!(answers, wanted.iter().map(|(dc, m)| (dc, m)).collect::<Vec<_>>());
    let said = astragal(&["solve", "d20 + m >= dc", "m=0..1", "dc=10..20/10", "--chance", "65%"]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("dc = 20  no m from 0 to 1 gives"), "{}", said.out);
}
