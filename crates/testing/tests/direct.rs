//! Dice and their sums that name no variable are worked out at once; with a variable in it the evaluator is asked. Both say
//! the same, as they do of what is never worked out at once.

use astragal::{Budget, Engine, Rational, Value};

fn odds(program: &str) -> Vec<(Value, Rational)> {
    let compiled = Engine::new().compile(program).unwrap_or_else(|_| panic!("{program} is right"));
    let odds = compiled.odds(&Budget::default());
    odds.unwrap_or_else(|_| panic!("{program} has odds")).only().outcomes.as_slice().to_vec()
}

#[test]
fn numbers() {
    for program in [
        "7",
        "-3d6 + 2",
        "2 * 3d6 - d4",
        "d12 + d10 + d8",
        "30d6kh12 + 4d4kl2",
        "8d10! up to 9 cs>=8",
        "(10d10! up to 9 cs>=8) - (8d10! up to 9 cs>=8)",
        "10d10 ro<=7 ! up to 9 cs>=8 cf=1",
        "10d10!! up to 4 kh5",
        "6d6!p up to 3 dl1",
        "4dF + d%",
        "3d{1, 1, 2, 3, 5: 2} min2",
        "{d6, 2d4, d{0, 2, 9}}kh2",
        "{4d4 + 4d6 + 4d12}kh3",
        "{3d6kh2}",
        "median(5d8)",
        "nth_highest(7d10, 3) + nth_lowest(7d10, 2)",
        "0d6",
        "max(6d6, 3d8, d20)",
        "min(2d4, d6) - max(d3, 2)",
    ] {
        assert_eq!(odds(program), odds(&format!("let zero = 0\n({program}) + zero")), "{program}");
    }
}

#[test]
fn lists() {
    for [directly, bound] in [
        ["[6d6kh1, 3d4, 2]", "let zero = 0\n[6d6kh1 + zero, 3d4, 2]"],
        ["[-d6, d6]", "let zero = 0\n[zero - d6, d6]"],
        ["[d6, d6, d6 - d4]", "let zero = 0\n[d6 + zero, d6, d6 - d4]"],
    ] {
        assert_eq!(odds(directly), odds(bound), "{directly}");
    }
}
