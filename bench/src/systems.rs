//! The five rule systems at the sizes of a table, and what the library costs before the first question.

use std::fmt::Write;
use std::time::Duration;

use astragal::{Budget, Engine, SYSTEMS, Value};
use sha2::{Digest, Sha256};

use crate::measure;
use crate::solve::answer;
use crate::table::{Table, time};

/// A rule with its inputs, a yes or no asked of it, and the exact chance of yes.
struct Question {
    rule: &'static str,
    asks: &'static str,
    /// A fraction, or the beginning of the SHA-256 of a long one.
    chance: &'static str,
}

/// First what must be there at once, then rolls that lead to rolls.
const QUESTIONS: &[Question] = &[
    Question { rule: "cofd.action(30)", asks: ".successes >= 10", chance: "83c6543fd993ce91" },
    Question {
        rule: "cofd.action(30, again: 8, rote: true)",
        asks: ".outcome == failure",
        chance: "40c4e6730177549b",
    },
    Question {
        rule: "cofd.action(30, rote: true, rote_every_throw: true)",
        asks: ".successes >= 15",
        chance: "72a187c2c6f41fa5",
    },
    Question { rule: "cofd.damage(30, weapon: 5)", asks: " >= 15", chance: "83c6543fd993ce91" },
    Question {
        rule: "stormchaser.check(10, minus: 5, lucky: true)",
        asks: ".success",
        chance: "23030293/640000000",
    },
    Question {
        rule: "stormchaser.check(18, plus: 5, reroll: true)",
        asks: ".success",
        chance: "869661327/1280000000",
    },
    Question {
        rule: "stormchaser.roll(plus: 6, lucky: true)",
        asks: " >= 18",
        chance: "17818936191/25600000000",
    },
    Question {
        rule: "stormchaser.damage(6d6 + 3, plus: 6)",
        asks: " >= 30",
        chance: "8a603fe470700c89",
    },
    Question { rule: "srd.multiply(2d6 + 3, [2, 2])", asks: " >= 30", chance: "7/12" },
    Question {
        rule: "srd.check(7, 15, natural_20: true, natural_1: true)",
        asks: ".success",
        chance: "13/20",
    },
    Question { rule: "crucible.roll(boons: 3, banes: 5)", asks: " >= 12", chance: "1/3" },
    Question {
        rule: "crucible.check(12, boons: 6, banes: 2)",
        asks: ".success",
        chance: "1117/1152",
    },
    Question {
        rule: r#"crucible.check(12, boons: 6, banes: 6, cancel: "apart")"#,
        asks: ".success",
        chance: "175/256",
    },
    Question { rule: "kaiser.characteristic(5, 8)", asks: ".success", chance: "2/3" },
    Question {
        rule: "kaiser.resistance(5, 12, disadvantage: 6)",
        asks: ".success",
        chance: "8363/559872",
    },
    Question {
        rule: "kaiser.skill(8, 12, disadvantage: 6, fumble: -3)",
        asks: ".fumble",
        chance: "7741/1679616",
    },
    Question {
        rule: r#"kaiser.skill(8, 12, disadvantage: 6, fumble: 3, read: "all")"#,
        asks: ".success",
        chance: "3455/69984",
    },
    Question {
        rule: r#"kaiser.skill(8, 12, advantage: 6, method: "reroll")"#,
        asks: ".success",
        chance: "559829/559872",
    },
    Question {
        rule: "kaiser.skill(8, 12, advantage: 6)",
        asks: ".success",
        chance: "186623/186624",
    },
    Question {
        rule: "cofd.teamwork(30, [10, 10])",
        asks: ".successes >= 10",
        chance: "9f9179f311aa5e3a",
    },
    Question { rule: "cofd.attempts(30, 6)", asks: ".attempt == 2", chance: "413dbab5efe03fad" },
    Question {
        rule: "cofd.contested(30, 30)",
        asks: ".outcome == tie",
        chance: "b4a3ad6539db0022",
    },
    Question {
        rule: "cofd.extended(30, 40, 6)",
        asks: ".successes >= 40",
        chance: "ec6462baa8634db9",
    },
    Question {
        rule: r#"kaiser.opposed_characteristic(5, 4, tie: "rolloff")"#,
        asks: ".outcome == attacker",
        chance: "47/72",
    },
    Question {
        rule: r#"kaiser.opposed({skill: 5, advantage: 6}, {skill: 5, disadvantage: 6}, tie: "attack")"#,
        asks: ".outcome == attacker",
        chance: "6393668366508137/6398277270110208",
    },
];

/// As long as a question is asked again and again.
pub const WITHIN: Duration = Duration::from_millis(200);

/// A question by its place in the list, as `S04`.
pub fn program(name: &str) -> Option<String> {
    let place: usize = name.strip_prefix('S')?.parse().ok()?;
    QUESTIONS.get(place).map(|question| format!("{}{}", question.rule, question.asks))
}

/// All questions, by name.
pub fn programs() -> impl Iterator<Item = (String, String)> {
    let names = (0..QUESTIONS.len()).map(|place| format!("S{place:02}"));
    names.filter_map(|name| program(&name).map(|program| (name, program)))
}

/// The table of the rules, and what it takes to load them.
pub fn table() -> String {
    let engine = Engine::new();
    let mut table = Table::new(["", "one chance", "every field", "jointly"]);
    for question in QUESTIONS {
        let one = format!("{}{}", question.rule, question.asks);
        check(&engine, &one, question.chance);
        let (chance, _) = measure::best(WITHIN, || answer(&engine, &one, &Budget::default()));
        let (fields, _) = measure::best(WITHIN, || {
            engine
                .compile(question.rule)
                .map(|program| program.odds_apart(&Budget::default(), None))
        });
        let (joint, _) =
            measure::best(WITHIN, || answer(&engine, question.rule, &Budget::default()));
        table.row([question.rule.to_owned(), time(chance), time(fields), time(joint)]);
    }
    let mut text = table.to_string();
    let (one, _) = measure::best(WITHIN, || Engine::with_systems(&SYSTEMS[..1]).is_ok());
    let (all, _) = measure::best(WITHIN, || Engine::with_systems(SYSTEMS).is_ok());
    let _ = writeln!(
        text,
        "\nloading the prelude and one system: {}, all five: {}",
        time(one),
        time(all)
    );
    text
}

/// The program is answered, and the chance of yes is this.
pub fn check(engine: &Engine, program: &str, wanted: &str) {
    let odds = match answer(engine, program, &Budget::default()) {
        Ok(odds) => odds,
        Err(found) => panic!("{program}: {found}"),
    };
    let chance = odds.only().chance(&Value::Bool(true)).to_string();
    assert!(chance == wanted || hash(&chance).starts_with(wanted), "{program}: {chance}");
}

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
