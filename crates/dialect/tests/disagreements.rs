//! The texts that tools read differently, each as Roll20 and as Foundry read it.

mod common;

use astragal_dialect::Dialect::{Foundry, Roll20};
use common::{mean, ours, refused};

/// A text, then what it is in Roll20 and in Foundry; a dash where the tool does not read it so.
const TABLE: &[(&str, &str, &str)] = &[
    ("4d6r1", "4d6rr=1", "4d6ro=1"),
    ("4d6r<2", "4d6rr<=2", "4d6ro<2"),
    ("4d6ro<2", "4d6ro<=2", "-"),
    ("4d6rr<3", "-", "4d6rr<3"),
    ("4d6k3", "4d6kh3", "4d6kh3"),
    ("4d6kh", "4d6kh1", "4d6kh1"),
    ("4d6d1", "4d6dl1", "4d6dl1"),
    ("3d6>3", "3d6cs>=3", "-"),
    ("3d6>=3", "3d6", "-"),
    ("3d6cs>3", "3d6", "3d6cs>3"),
    ("2d6!", "2d6!", "-"),
    ("2d6x", "-", "2d6!"),
    ("d6!>4", "d6!>=4", "-"),
    ("d6x>4", "-", "d6!>=5"),
    ("{10d10!}>8", "10d10!cs>=8", "-"),
    ("10d10x10cs>=8", "-", "10d10!10cs>=8"),
    // The rolling phase comes first in Roll20; Foundry goes from left to right.
    ("4d6kh3r1", "4d6rr=1kh3", "4d6kh3ro=1"),
    ("4d6kh3kl1", "-", "4d6kh3kl1"),
    ("7/2", "7 / 2", "7 / 2"),
    ("-7%3", "-(7 % 3)", "-(7 % 3)"),
    ("round(-5/2)", "floor(-5 / 2 + 1 / 2)", "floor(-5 / 2 + 1 / 2)"),
    ("d%", "d%", "d%"),
    ("4dF", "4dF", "4dF"),
    ("2d6 # text", "2d6", "2d6"),
    ("2d6 text", "2d6", "-"),
    ("{2d6,d8}kh1", "{2d6, d8}kh1", "{2d6, d8}kh1"),
    ("{2d6+d8}kh2", "{2d6 + d8}kh2", "times(1, 2d6 + d8) kh2"),
    ("2d6[fire]", "2d6[fire]", "2d6[fire]"),
    ("0d6", "0d6", "0d6"),
    ("-d6", "-d6", "-d6"),
    ("2D6", "2d6", "2d6"),
    ("8d6r2r4r6", "8d{1, 3, 5}", "8d6ro=2ro=4ro=6"),
];

#[test]
fn each_tool_reads_its_own() {
    for (text, roll20, foundry) in TABLE {
        for (dialect, expected) in [(Roll20, roll20), (Foundry, foundry)] {
            if *expected == "-" {
                refused(text, dialect);
            } else {
                assert_eq!(ours(text, dialect), *expected, "{dialect} {text}");
            }
        }
    }
}

#[test]
fn and_the_odds_differ_accordingly() {
    mean("4d6r1", Roll20, "16");
    mean("4d6r1", Foundry, "47/3");
    mean("4d6r<2", Roll20, "18");
    mean("4d6r<2", Foundry, "47/3");
    mean("3d6>3", Roll20, "2");
    mean("3d6cs>3", Foundry, "3/2");
    mean("3d6cs>3", Roll20, "21/2");
    mean("3d6>=3", Roll20, "21/2");
    mean("d6!>4", Roll20, "7");
    mean("d6x>4", Foundry, "21/4");
    mean("-7%3", Roll20, "-1");
    mean("round(-5/2)", Foundry, "-2");
    mean("7/2", Roll20, "7/2");
    mean("{2d6+d8}kh2", Foundry, "23/2");
}
