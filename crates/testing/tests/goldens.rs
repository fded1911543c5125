//! Every case of the golden tables, exactly.

use std::io::Write;

use astragal_testing::golden::run_goldens;

fn goldens(system: &str) {
    let report = run_goldens(system);
    // The counts are worth reading, so they are written past the harness that keeps quiet about passing tests.
    let _ = writeln!(std::io::stdout(), "{report}");
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
