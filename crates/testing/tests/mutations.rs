//! The spec pages notice a broken rule: each change of a system turns a named check red.

use astragal::{Engine, SYSTEMS};
use astragal_testing::spec::{read_page, run_page};

/// A system, a piece of its text, what stands there instead, and the heading whose check must fail.
type Mutation = (&'static str, &'static str, &'static str, &'static str);

const MUTATIONS: [Mutation; 15] = [
    (
        "stormchaser",
        "if size >= 1 then dice keep highest else dice keep lowest",
        "if size >= 1 then dice keep lowest else dice keep highest",
        "The pool",
    ),
    ("stormchaser", "1 + plus - minus", "2 + plus - minus", "The pool"),
    ("stormchaser", "success: total >= dc", "success: total > dc", "Checks, attacks, defences"),
    ("srd", "else total >= target", "else total > target", "The core mechanic"),
    (
        "srd",
        "\"natural_armor\", \"natural_armor_improvement\" => context == ac or context == touch",
        "\"natural_armor\", \"natural_armor_improvement\" => context == ac",
        "Armor",
    ),
    ("srd", "whole + m - 1", "whole * m", "Multiplying"),
    (
        "cofd",
        "(dice)d10 explode on >= (again) count >= 8",
        "(dice)d10 explode on >= (again) count >= 9",
        "Rolling",
    ),
    ("cofd", "reroll once <= 7 explode", "reroll <= 7 explode", "Rote actions"),
    ("cofd", "min(help.botches, 1)", "min(help.botches, 2)", "Teamwork"),
    ("crucible", "size >= 12", "size >= 10", "Boons"),
    ("crucible", "append(done.sizes, size - 2)", "append(done.sizes, size - 4)", "Banes"),
    (
        "crucible",
        "limited(boons, \"boons\") - limited(banes, \"banes\")",
        "limited(boons, \"boons\") + limited(banes, \"banes\")",
        "Boons",
    ),
    ("kaiser", "total == difficulty then 1", "total == difficulty then 0", "Results"),
    ("kaiser", "defender => Winner.defender", "defender => Winner.attacker", "Results"),
    (
        "kaiser",
        "(2 + net)d6 keep highest 2",
        "(2 + net)d6 keep lowest 2",
        "Advantage and disadvantage",
    ),
];

#[test]
fn each_broken_rule_turns_a_check_red() {
    let mut unnoticed = Vec::new();
    for (system, from, to, heading) in MUTATIONS {
        let outcome =
            run_page(&broken(system, from, to), &read_page(&format!("systems/{system}.md")));
        if !outcome.wrong.iter().any(|(name, _)| name.ends_with(heading)) {
            let red: Vec<&String> = outcome.wrong.iter().map(|(name, _)| name).collect();
            unnoticed.push(format!("{system}: `{to}` leaves `{heading}` green; red are {red:?}"));
        }
    }
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}

/// An engine whose system has one piece of its text replaced.
fn broken(system: &str, from: &str, to: &str) -> Engine {
    let mut texts: Vec<(&str, String)> =
        SYSTEMS.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    let (_, text) = texts.iter_mut().find(|(name, _)| *name == system).expect("a shipped system");
    assert_eq!(text.matches(from).count(), 1, "`{from}` stands once in {system}.dice");
    *text = text.replace(from, to);
    let texts: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Engine::with_systems(&texts).unwrap_or_else(|errors| panic!("{system}: {errors}"))
}
