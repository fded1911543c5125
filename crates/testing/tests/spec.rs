//! Every page of `spec/`, executed; every rule of the five systems, checked by name.
#![allow(clippy::print_stdout, reason = "the counts are worth reading")]

use std::collections::BTreeSet;

use astragal::Engine;
use astragal_testing::spec::{page_names, read_page, run_page};

/// The rules of each system: prefix and how many.
const RULES: [(&str, u32); 5] = [("ST", 19), ("DB", 40), ("CD", 39), ("CR", 18), ("KA", 33)];

/// Rules that advise the person who runs the game: there is nothing to execute.
const ADVICE: [&str; 7] = ["CD-01", "CD-08", "CD-21", "CD-22", "CD-23", "ST-14", "DB-40"];

#[test]
fn every_page_holds() {
    let engine = Engine::new();
    let (mut facts, mut wrong) = (0, String::new());
    for name in page_names() {
        let outcome = run_page(&engine, &read_page(&name));
        println!("{name}: {} facts, {} checks wrong", outcome.facts, outcome.wrong.len());
        facts += outcome.facts;
        if !outcome.wrong.is_empty() {
            wrong += &outcome.report();
            wrong.push('\n');
        }
    }
    println!("{facts} facts");
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_rule_has_an_executed_check() {
    let engine = Engine::new();
    let mut named = BTreeSet::new();
    for name in page_names() {
        named.extend(run_page(&engine, &read_page(&name)).rules);
    }
    let rules = RULES
        .iter()
        .flat_map(|(prefix, count)| (1..=*count).map(move |n| format!("{prefix}-{n:02}")));
    let all: BTreeSet<String> = rules.collect();
    let missing: Vec<&String> =
        all.difference(&named).filter(|rule| !ADVICE.contains(&rule.as_str())).collect();
    let unknown: Vec<&String> = named.difference(&all).collect();
    assert!(missing.is_empty(), "no check names {missing:?}");
    assert!(unknown.is_empty(), "these rules do not exist: {unknown:?}");
}
