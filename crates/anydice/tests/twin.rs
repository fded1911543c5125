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

fn by_the_evaluator(text: &str) -> Told {
    let parsed = astragal_anydice::parse(text)
        .unwrap_or_else(|error| panic!("not read: {}\n{text}", error.message));
    let outputs = match astragal_anydice::run(&parsed, &Meter::new(100_000_000)) {
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
        assert_eq!(by_the_evaluator(&text), told, "left the evaluator, right the twin, of\n{text}");
        compared += 1;
        errors += usize::from(told.is_none());
    }
    assert!(errors > PROGRAMS / 100 && errors < PROGRAMS / 3, "{errors} errors");
}
