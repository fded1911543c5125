//! What serde writes says the same as `json`, which the command line prints and the schemas describe.

#![cfg(feature = "serde")]

use astragal::faces::Seeded;
use astragal::{Budget, Engine, json};
use serde_json::{Value as Json, to_value};

const PROGRAMS: [&str; 8] = [
    "4d6kh3",
    "d6!",
    "d20 + 5 >= 15",
    "cofd.action(7).outcome",
    "let x = d6; {total: x, high: x > 3, half: x / 2, all: [x, x + 1]}",
    "let x = 2d6; note \"thrown\"; x given x > 3",
    "show \"a\" = 3d6; show \"b\" = d4 / 3",
    "2 ^ 70 + d2",
];

/// The fields that both have, apart from the chances of a cut answer, which `json` writes as intervals.
const SHARED: [&str; 8] =
    ["type", "outcomes", "rest", "mean", "variance", "evidence", "decimals", "notices"];

#[test]
fn answers() -> Result<(), Box<dyn std::error::Error>> {
    for text in PROGRAMS {
        let program = Engine::new().compile(text)?;
        let odds = program.odds(&Budget::default())?;
        let (ours, theirs) = (to_value(&odds)?, json::odds(&program, &odds));
        let several = theirs["results"].as_array().cloned();
        let theirs = several.unwrap_or_else(|| vec![theirs]);
        let ours = ours["results"].as_array().ok_or("odds are a list")?;
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            for field in SHARED {
                let (ours, theirs) = (ours[field].clone(), small(theirs[field].clone()));
                assert_eq!(ours, theirs, "{field} of {text}");
            }
        }
    }
    Ok(())
}

/// JSON as we write it has whole numbers of any size; other formats have not, and get them as text.
fn small(told: Json) -> Json {
    match told {
        Json::Number(number)
            if number.as_i64().is_none() && !number.to_string().contains(['.', 'e']) =>
        {
            Json::String(number.to_string())
        }
        Json::Array(items) => items.into_iter().map(small).collect(),
        Json::Object(fields) => {
            fields.into_iter().map(|(name, field)| (name, small(field))).collect()
        }
        other => other,
    }
}

#[test]
fn rolls() -> Result<(), Box<dyn std::error::Error>> {
    for text in PROGRAMS.into_iter().chain(["2d6[fire] * 2 + d8[cold]", "5d10 ro<=7 ! cs>=8"]) {
        let program = Engine::new().compile(text)?;
        let roll = program.roll(&mut Seeded::new(7, 0))?;
        let (ours, theirs) = (to_value(&roll)?, json::roll(&program, &roll, Some(7)));
        for field in ["value", "dice", "labels"] {
            assert_eq!(ours[field], small(theirs[field].clone()), "{field} of {text}");
        }
    }
    Ok(())
}

#[test]
fn diagnostics() -> Result<(), Box<dyn std::error::Error>> {
    for text in ["4d6r1", "d20 + strenght", "4d6 +", "d0", "let x = 1; let y = x + ;"] {
        let Err(wrong) = Engine::new().compile(text) else { continue };
        assert_eq!(to_value(&wrong)?, json::diagnostics(&wrong), "{text}");
    }
    let failing = Engine::new().compile("10 / (d6 - 1)")?;
    let wrong = failing.odds(&Budget::default()).err().ok_or("1 - 1 divides")?;
    assert_eq!(to_value(&wrong)?, json::diagnostics(&wrong));
    Ok(())
}
