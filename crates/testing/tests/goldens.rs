//! Every case of the golden tables, exactly.
#![allow(clippy::print_stdout, reason = "the counts are worth reading")]

use astragal_testing::golden::run_goldens;

fn goldens(system: &str) {
    let report = run_goldens(system);
    println!("{report}");
    assert!(report.wrong.is_empty(), "{report}");
}

#[test]
fn goldens_of_stormchaser() {
    goldens("stormchaser");
}

#[test]
fn goldens_of_srd() {
    goldens("srd");
}

#[test]
fn goldens_of_cofd() {
    goldens("cofd");
}

#[test]
fn goldens_of_crucible() {
    goldens("crucible");
}

#[test]
fn goldens_of_kaiser() {
    goldens("kaiser");
}
