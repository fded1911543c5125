//! What a user sees, as snapshots to be read as prose.

mod common;

use common::astragal;

macro_rules! transcript {
    ($name:ident: $($argument:expr),+) => {
        #[test]
        fn $name() {
            let line: &[&str] = &[$($argument),+];
            let text = format!("$ astragal {}\n{}", line.join(" "), astragal(line).transcript());
            insta::assert_snapshot!(stringify!($name), text);
        }
    };
}

transcript!(roll: "roll", "4d6kh3", "--faces", "3,6,2,5");
transcript!(roll_in_full: "roll", "let x = 2d6!; x * 2 + 1", "--faces", "6,2,4", "--full");
transcript!(roll_several: "roll", "3d6", "--times", "3", "--seed", "1");
transcript!(roll_markdown: "roll", "4d6kh3", "--faces", "3,6,2,5", "--markdown");
transcript!(roll_colour: "roll", "4d6kh3", "--faces", "3,6,2,5", "--colour", "always");
transcript!(odds: "odds", "4d6kh3");
transcript!(odds_endless: "odds", "d6!");
transcript!(odds_many: "odds", "100d6");
transcript!(odds_yes_or_no: "odds", "d20 + 5 >= 15");
transcript!(odds_texts: "odds", r#"d{"crit": 1, "hit": 2, "miss": 3}"#);
transcript!(odds_record: "odds", "srd.check(5, 15)");
transcript!(odds_field: "odds", "cofd.action(5)", "--field", "outcome");
transcript!(odds_certain: "odds", "2 + 2");
transcript!(odds_plain: "odds", "3d6", "--plain");
transcript!(odds_markdown: "odds", "2d4", "--markdown");
transcript!(odds_named: "odds", r#"show "plain" = d4; show "better" = 2d4kh1"#);
transcript!(both: "4d6kh3", "--faces", "3,6,2,5");
transcript!(hint: "odds", "10d10 >= 8");
transcript!(wrong: "roll", "4d6 +");
transcript!(failing: "odds", "d6 / (d6 - 1)");
transcript!(misspelt_option: "roll", "3d6", "--jsn");
transcript!(systems: "systems");
transcript!(one_function: "systems", "crucible.pool");
