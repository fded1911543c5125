//! Feature `sweeps`: one rule at many values of its inputs, and which of them give what is wanted.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::sweeps::{Axis, Goal, Measure, Refusal, Solution, columns, combinations, target};
use astragal::{Budget, Engine, Rational};

fn asked(refusal: Refusal) -> Box<dyn Error> {
    match refusal {
        Refusal::Program(wrong) => wrong,
        Refusal::Asked(wrong) => wrong.into(),
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut program = Engine::new().compile("param bonus = 0; param dc = 10; d20 + bonus >= dc")?;
    let axes =
        [Axis::parse("bonus=0..10/5").map_err(asked)?, Axis::parse("dc=10..20/5").map_err(asked)?];

    // Every combination, exactly.
    for point in combinations(&axes).map_err(asked)? {
        for (axis, value) in axes.iter().zip(&point) {
            program.set(&axis.name, value)?;
        }
        let said = columns(&program, &[], &[], &Budget::default()).map_err(asked)?;
        println!("bonus {:>2}, dc {}: {}", point[0], point[1], said.columns[0].text());
    }

    // Up to which difficulty does somebody with a bonus of 5 succeed two times in three?
    program.set("bonus", "5")?;
    let axis = Axis::parse("dc=5..25").map_err(asked)?;
    let mut points: Vec<(&String, Rational)> = Vec::new();
    for value in &axis.values {
        program.set("dc", value)?;
        let said = columns(&program, &[], &[], &Budget::default()).map_err(asked)?;
        points.push((value, said.columns[0].value.clone()));
    }
    let wanted = target("2/3").map_err(asked)?;
    let goal = Goal { of: Measure::Chance, target: wanted, text: "2/3".into(), at_most: false };
    let solution = Solution { axis: &axis, goal, points, refused: Vec::new() };
    println!("{}", solution.headline());
    let last = solution.found().last().map(|(value, _)| value.as_str());
    assert_eq!(last, Some("12"));
    Ok(())
}
