//! What each feature brings does what its own crate does.

#![cfg(all(
    feature = "charts",
    feature = "tables",
    feature = "dialects",
    feature = "sweeps",
    feature = "rand_core"
))]

use astragal::charts::{Look, View, svg};
use astragal::dialects::{Dialect, convert};
use astragal::faces::{Faces, FromRng};
use astragal::rand_core::SeedableRng;
use astragal::sweeps::Axis;
use astragal::tables::{answers, spreadsheet, titled};
use astragal::{Budget, Diagnostics, Engine, Value};
use chacha20::ChaCha8Rng;

#[test]
fn a_chart_of_results_that_differ_in_type_is_none() -> Result<(), Diagnostics> {
    let odds =
        Engine::new().compile("show \"a\" = d6; show \"b\" = d6 > 3")?.odds(&Budget::default())?;
    assert_eq!(svg("both", &odds.results, View::Exactly, &Look::default()), None);
    assert_eq!(svg("none", &[], View::Exactly, &Look::default()), None);
    assert!(svg("one", &odds.results[..1], View::Exactly, &Look::default()).is_some());
    Ok(())
}

#[test]
fn a_record_has_a_table_for_each_field() -> Result<(), Diagnostics> {
    let program = Engine::new().compile("let x = d6; {total: x, high: x > 3}")?;
    let answers = answers(&program, &Budget::default(), None)?;
    let titles: Vec<String> = titled(&answers).into_iter().map(|(title, _)| title).collect();
    assert_eq!(titles, ["total", "high"]);
    assert_eq!(spreadsheet(&answers[..1], View::Exactly).csv().lines().count(), 7);
    Ok(())
}

#[test]
fn notations_and_axes() {
    assert_eq!(convert("4d6r<2", Dialect::Foundry).as_deref(), Ok("4d6ro<2"));
    assert!(Axis::parse("dc").is_err());
    assert!(Axis::parse("dc=5..25").is_ok_and(|axis| axis.values.len() == 21));
}

/// Every face of a die with weights comes up as often as it weighs: 60,000 throws of one seed.
#[test]
fn faces_from_a_generator_follow_the_weights() -> Result<(), Diagnostics> {
    let program = Engine::new().compile("d{1: 3, 2: 2, 5}")?;
    let mut faces = FromRng(ChaCha8Rng::seed_from_u64(1));
    let mut seen = [0u32; 6];
    for _ in 0..60_000 {
        let shown = program.value(&mut faces).map_err(|fault| program.report(&fault))?;
        let at = (1..6).find(|face| shown == Value::whole(*face));
        seen[at.map_or(0, |face| face as usize)] += 1;
    }
    assert_eq!((seen[0], seen[3], seen[4]), (0, 0, 0));
    // The deviation of each is about 120.
    for (count, expected) in [(seen[1], 30_000), (seen[2], 20_000), (seen[5], 10_000)] {
        assert!(u32::abs_diff(count, expected) < 600, "{seen:?}");
    }
    Ok(())
}

/// It is a source like any other.
#[test]
fn a_generator_can_be_borrowed() -> Result<(), Diagnostics> {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let mut faces: Box<dyn Faces + '_> = Box::new(FromRng(&mut generator));
    assert!(Engine::new().compile("3d6")?.roll(&mut *faces)?.value.as_number().is_some());
    Ok(())
}
