//! Whatever is typed, an answer or a clear refusal comes soon.

mod common;

use std::time::Duration;

use common::{astragal, astragal_with};

/// Generous: tests run on busy machines and unoptimised builds.
const SOON: Duration = Duration::from_secs(10);

fn refused(verb: &str, text: &str) {
    let ran = astragal_with(&[verb, "--file", "-"], text.as_bytes());
    let name: String = text.chars().take(40).collect();
    assert!(ran.took < SOON, "{verb} {name} took {:?}", ran.took);
    assert!(matches!(ran.code, 1 | 3), "{verb} {name} exits with {}: {}", ran.code, ran.err);
    assert!(
        ran.err.contains("error") || ran.err.contains("over budget"),
        "{verb} {name}: {}",
        ran.err
    );
}

fn ends(verb: &str, text: &str) {
    let ran = astragal_with(&[verb, "--file", "-"], text.as_bytes());
    let name: String = text.chars().take(40).collect();
    assert!(ran.took < SOON, "{verb} {name} took {:?}", ran.took);
    assert!(matches!(ran.code, 0 | 1 | 3), "{verb} {name} exits with {}: {}", ran.code, ran.err);
}

#[test]
fn too_much_of_anything_is_refused() {
    let nested = format!("{}1{}", "(".repeat(20_000), ")".repeat(20_000));
    let unfinished = "1+".repeat(3000);
    let programs = [
        "9999999d9999999!",
        "9^9^9^9",
        "99999999999999999999d99999999999999999999",
        "fn f(x) = f(x); f(1)",
        "(((((((((",
        "🎲🎲🎲",
        nested.as_str(),
        unfinished.as_str(),
    ];
    for text in programs {
        refused("roll", text);
        refused("odds", text);
    }
}

#[test]
fn costly_programs_end() {
    let sum = ["999d6!>=2"; 5].join(" + ");
    for text in
        [sum.as_str(), "1000d1000", "1000d1000kh500", "12345678901234567890 + d6", "d999999999"]
    {
        ends("roll", text);
        ends("odds", text);
    }
}

#[test]
fn rubbish_does_no_harm() {
    let rubbish: Vec<u8> =
        (0..10_000_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for line in [&[][..], &["odds", "--file", "-"], &["fmt"]] {
        let ran = astragal_with(line, &rubbish);
        assert!(ran.took < SOON, "{line:?} took {:?}", ran.took);
        assert!(matches!(ran.code, 1 | 2), "{line:?}: {}", ran.code);
        assert!(ran.err.len() < 1_000_000);
        let control = |c: char| c.is_control() && c != '\n';
        assert!(!ran.err.contains(control), "{line:?} lets control characters through");
    }
}

#[test]
fn many_rolls_have_one_budget() {
    let ran = astragal(&["roll", "3d6", "--times", "1000", "--seed", "1", "--steps", "2000"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    let rolled = ran.out.lines().filter(|line| line.contains("3d6")).count();
    assert!((2..10).contains(&rolled), "{}", ran.out);
    let told = format!(
        "error: {rolled} of 1000 rolls took the 2000 steps of work that they are allowed together: `--steps N` allows more work"
    );
    assert!(ran.err.contains(&told), "{}", ran.err);
    let ran = astragal(&["roll", "3d6", "--times", "1000", "--seed", "1"]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 1000), "{}", ran.err);
    // A single roll has only its own.
    assert_eq!(astragal(&["roll", "3d6", "--times", "1", "--steps", "50"]).code, 0);
}
