//! AnyDice, where it is one expression.

mod common;

use astragal_dialect::Dialect::AnyDice;
use astragal_dialect::is_anydice;
use common::{best, count, die, means, ours, refused, sum};

#[test]
fn one_expression_is_converted() {
    let four = vec![die(6); 4];
    assert_eq!(means("output [highest 3 of 4d6]", AnyDice, &four, |f| sum(&best(f, 3))), "4d6kh3");
    assert_eq!(ours("output [highest 3 of 4d6] named \"score\"", AnyDice), "4d6kh3");
    means("[lowest 1 of 4d6]", AnyDice, &four, |f| *f.iter().min().unwrap());
    means("[count {5, 6} in 4d6]", AnyDice, &four, |f| count(f, |f| f >= 5));
    means("2@4d6", AnyDice, &four, |f| best(f, 2)[1]);
    means("output 2d6 + 3", AnyDice, &[die(6), die(6)], |f| sum(f) + 3);
    means("output 2d6 / 2", AnyDice, &[die(6), die(6)], |f| sum(f) / 2);
    means("output 2d{1, 1, 4}", AnyDice, &vec![vec![1, 1, 4]; 2], sum);
    means("[highest 1 of 2d6] + d4", AnyDice, &[die(6), die(6), die(4)], |f| f[0].max(f[1]) + f[2]);
    // Two more throws at most.
    let ours = means("[explode d6]", AnyDice, &vec![die(6); 3], |f| match f {
        [6, 6, third] => 12 + third,
        [6, second, _] => 6 + second,
        [first, ..] => *first,
        [] => 0,
    });
    assert_eq!(ours, "d6! up to 2");
}

#[test]
fn anything_else_is_refused() {
    for text in [
        "output [explode 2d6]",
        "X: 3\noutput Xd6",
        "output [foo 3]",
        "",
        "output",
        "output 4d6kh3",
        "output {1, 2}",
    ] {
        assert_eq!(refused(text, AnyDice), "no-equivalent", "{text}");
    }
}

#[test]
fn it_is_known_by_its_words() {
    for text in
        ["output 3d6", "1 + [highest 1 of 2d6]", "[explode d6]", "[count 6 in 4d6]", "2@4d6"]
    {
        assert!(is_anydice(text), "{text}");
    }
    for text in ["3d6", "outputs", "2d6[highest damage]", "4d6r<2", "d20 + @abilities.str"] {
        assert!(!is_anydice(text), "{text}");
    }
}
