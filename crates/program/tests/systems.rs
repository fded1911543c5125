//! The systems check, and so do the calls that players make.

mod common;

use std::path::Path;

use astragal_program::{Library, NoFiles, Options, check};

/// The systems as they lie in their folder.
fn systems() -> Library {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/systems");
    let read = |name| std::fs::read_to_string(folder.join(format!("{name}.dice"))).expect(name);
    let names = ["stormchaser", "srd", "cofd", "crucible", "kaiser"];
    let texts = names.map(|name| (name, read(name)));
    let systems: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
    Library::new(common::PRELUDE, &systems).unwrap_or_else(|found| panic!("{found:#?}"))
}

#[test]
fn calls_of_the_systems_check() {
    let library = systems();
    for text in [
        "stormchaser.roll(plus: 1, minus: 3, lucky: true) >= 15",
        "stormchaser.check(15, modifier: 2, kind: \"attack\", grants: [\"a\", \"b\"]).success",
        "stormchaser.damage(2d6 + 3, plus: 1)",
        "srd.check(5, 15, natural_20: true).margin",
        "srd.modifier([{value: 2, kind: \"morale\", source: \"bless\"}, {value: 1}], context: \"ac\")",
        "srd.multiply(7, [2, 2]) + srd.round(7/2) + srd.percentile(7, 0)",
        "cofd.pool(3, 2, specialty: true, bonuses: [1], untrained: \"none\")",
        "cofd.action(7, again: 9, rote: true).outcome == exceptional_success",
        "match cofd.action(3).outcome\n dramatic_failure => 0\n else => 1\nend",
        "cofd.teamwork(5, [2, 3], dramatic: \"once\").successes",
        "crucible.check(20, boons: 2, banes: 1, mode: \"foundry\").total",
        "kaiser.opposed({skill: 8, advantage: 1}, {skill: 5}, tie: \"rolloff\").outcome == attacker",
        "kaiser.resistance(5, 12, kind: \"PhR\").degree",
    ] {
        let checked = check(text, "call", &library, &NoFiles, &Options::default());
        match checked.program {
            Some(program) => common::validate::program(&program),
            None => panic!("{text}\n{:#?}", checked.diagnostics),
        }
    }
}

#[test]
fn every_system_documents_its_functions() {
    let library = systems();
    for system in library.systems() {
        let page = library.documentation(system).unwrap();
        assert!(page.functions.iter().any(|function| function.doc.is_some()), "{system}");
    }
}
