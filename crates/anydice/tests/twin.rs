//! The evaluator against a slow twin: random programs, as trees, are run by a plain interpreter that goes through all throws
//! one by one, and as text by the evaluator. Both must give the same names and chances, or both an error.

mod twin {
    pub mod builtin;
    pub mod eval;
    pub mod generate;
    pub mod tree;
    pub mod value;
}

use std::collections::BTreeMap;

use astragal_prob::{Meter, Rational};

use twin::value::Stop;
use twin::{eval, generate, tree};

const PROGRAMS: usize = 1000;

/// The outputs by name with their chances, and whether calls went too deep; none for an error.
type Told = Option<(Vec<(String, BTreeMap<Rational, Rational>)>, bool)>;

fn by_the_twin(program: &[tree::Statement]) -> Result<Told, Stop> {
    let machine = match eval::run(program) {
        Err(Stop::Error) => return Ok(None),
        ran => ran?,
    };
    let outputs = machine.outputs.into_iter().map(|(name, faces)| {
        (name, faces.into_iter().map(|(face, chance)| (face.into(), chance)).collect())
    });
    Ok(Some((outputs.collect(), machine.too_deep)))
}

/// Runs by groups as usual, always, where a few were worth it, and never.
const GROUPED: [u64; 4] = [60, 0, 1, u64::MAX];

fn by_the_evaluator(text: &str, grouped_from: u64) -> Told {
    let parsed = astragal_anydice::parse(text)
        .unwrap_or_else(|error| panic!("not read: {}\n{text}", error.message));
    let outputs =
        match astragal_anydice::run_grouped(&parsed, &Meter::new(100_000_000), grouped_from) {
            Err(error) if error.code == "over-budget" => panic!("over budget\n{text}"),
            outputs => outputs.ok()?,
        };
    let told = outputs.list.iter().map(|output| {
        let share = Rational::ONE - &output.lost;
        let table = output.law.as_ref().and_then(|law| law.as_table());
        let rows = table.into_iter().flat_map(|table| table.chances());
        let rows = rows.map(|(value, chance)| (value.clone(), chance * &share));
        (output.name.to_string(), rows.collect())
    });
    let too_deep = outputs.notices.iter().any(|notice| notice.code == "function-depth");
    Some((told.collect(), too_deep))
}

#[test]
fn the_twin_says_the_same() {
    let (mut compared, mut errors) = (0, 0);
    for seed in 0.. {
        if compared == PROGRAMS {
            break;
        }
        let program = generate::program(seed);
        let Ok(told) = by_the_twin(&program) else { continue };
        let text = tree::listed(&program, "\n");
        for grouped_from in GROUPED {
            let evaluated = by_the_evaluator(&text, grouped_from);
            assert_eq!(evaluated, told, "left the evaluator, right the twin, of\n{text}");
        }
        compared += 1;
        errors += usize::from(told.is_none());
    }
    assert!(errors > PROGRAMS / 100 && errors < PROGRAMS / 3, "{errors} errors");
}

/// Functions with several hands, in which everything depends on what is asked of each of them.
#[test]
fn runs_by_groups_say_the_same_as_all_runs() {
    let told = |text: &str, from: u64| by_the_evaluator(text, from).expect("it is right");
    for body in [
        "X: A > 2 Y: B > 2 result: X - Y",
        "W: 0 loop P over {1..3} { if P@A > P@B { W: W + 1 } } result: W",
        "T: 0 loop P over {1..3} { T: T + (A = P) R: T } U: T loop P over B { U: U + (P > R) } result: U",
        "if 1@A = 1@B { result: d{} } if A > B { result: 1@A d 2 } result: {A, B} = 2",
        "loop P over A { if P > 1@B { result: P } } result: [g]",
        "result: [h A] - [h B] * (1 + #{A, B})",
        "M: 0 loop V over {1..3} { C: A = V if C > M { M: C } } L: 0 loop V over {1..3} { C: B = V if C > L { L: C } } \
         if M = L { result: [duel B A] } result: M - L",
        "X: 1@A loop V over {1..2} { X: X + V loop W over {1..X} { Y: (B = W) } X: X + Y } result: X",
    ] {
        let text = format!(
            "function: g {{ result: 1@A - 1@B }} function: h S:s {{ result: [count {{2,3}} in S] + (A > 1) }} \
             function: duel A:s B:s {{ {body} }} output [duel 3d3 4d{{1,1,2,4}}] output [duel d3 2d3]"
        );
        let all = told(&text, u64::MAX);
        for from in [0, 1, 60] {
            assert_eq!(told(&text, from), all, "{text}");
        }
    }
}
