//! What the library keeps of a program changes nothing in the next one.

mod common;

use astragal_program::core::Program;
use astragal_program::{Library, NoFiles, Options, check};

const SYSTEMS: [(&str, &str); 5] = [
    ("cofd", include_str!("../../engine/systems/cofd.dice")),
    ("crucible", include_str!("../../engine/systems/crucible.dice")),
    ("kaiser", include_str!("../../engine/systems/kaiser.dice")),
    ("srd", include_str!("../../engine/systems/srd.dice")),
    ("stormchaser", include_str!("../../engine/systems/stormchaser.dice")),
];

fn fresh() -> Library {
    Library::trusted(common::PRELUDE, &SYSTEMS)
}

fn checked(text: &str, library: &Library) -> Box<Program> {
    let checked = check(text, "example", library, &NoFiles, &Options::default());
    checked.program.unwrap_or_else(|| panic!("{text}: {:#?}", checked.diagnostics))
}

/// The examples in the systems' own words, and calls of the prelude.
fn programs() -> Vec<String> {
    let lines = SYSTEMS.iter().flat_map(|(_, text)| text.lines());
    let examples = lines.filter_map(|line| line.strip_prefix("## Example: ")).map(str::to_owned);
    let more = [
        "sum(sort([3, 1, 2])) + sum(reverse([d6, d6]))",
        "let dice = 5d6; largest_set(dice) + straight(dice) + distinct(5d8)",
        "let x = 2d6; clamp(x, 3, 9) + clamp(x + 1, 2, 4)",
        "enum Mine = a | b; contains([Mine.a], Mine.b)",
        "map([1, 2], x => sum([x, d6])); sum([1])",
        "param n = cofd.outcome(3) == success; n",
    ];
    examples.chain(more.map(str::to_owned)).collect()
}

#[test]
fn a_warm_library_makes_the_same_programs() {
    let programs = programs();
    assert!(programs.len() > 30, "{}", programs.len());
    let warm = fresh();
    for round in 0..2 {
        for text in &programs {
            let (cold, warm) = (checked(text, &fresh()), checked(text, &warm));
            same(&format!("{cold:?}"), &format!("{warm:?}"), &format!("{text} in round {round}"));
            common::validate::program(&warm);
        }
    }
}

/// Fails with the first difference alone: programs are long.
fn same(a: &str, b: &str, what: &str) {
    let at = a.bytes().zip(b.bytes()).position(|(a, b)| a != b);
    let at = at.or((a.len() != b.len()).then_some(a.len().min(b.len())));
    if let Some(at) = at {
        let piece =
            |text: &str| text.chars().skip(at.saturating_sub(150)).take(300).collect::<String>();
        panic!("{what}\n{}\n{}", piece(a), piece(b));
    }
}

#[test]
fn errors_inside_the_library_are_found_again() {
    let library = fresh();
    let told = |text: &str| {
        let checked = check(text, "example", &library, &NoFiles, &Options::default());
        assert!(checked.program.is_none(), "{text}");
        format!("{:?}", checked.diagnostics)
    };
    let first = told("sum([\"a\"])");
    checked("sum([1, 2])", &library);
    assert_eq!(first, told("sum([\"a\"])"));
}

#[test]
fn copies_are_charged() {
    let text = "cofd.action(5).successes + kaiser.skill(8, 12).total + cofd.contested(3, 4).a";
    let outcome = |library: &Library, nodes: usize| {
        let options = Options { nodes, ..Options::default() };
        check(text, "example", library, &NoFiles, &options).program.is_some()
    };
    let needed = (1..).find(|nodes| outcome(&fresh(), *nodes)).unwrap();
    let warm = fresh();
    checked(text, &warm);
    let charged = (1..).find(|nodes| outcome(&warm, *nodes)).unwrap();
    assert!(charged <= needed && charged > needed / 3, "{charged} of {needed}");
}

#[test]
fn depth_does_not_depend_on_what_was_kept() {
    let nested =
        |depth: usize| format!("{}sum(sort([2, 1])){}", "(".repeat(depth), ")".repeat(depth));
    let warm = fresh();
    checked(&nested(0), &warm);
    for depth in 0..128 {
        let text = format!("map([1], x => {})", nested(depth));
        let told = |library: &Library| {
            let checked = check(&text, "example", library, &NoFiles, &Options::default());
            (checked.program.is_some(), format!("{:?}", checked.diagnostics))
        };
        assert_eq!(told(&fresh()), told(&warm), "{depth}");
    }
}
