//! The rules that are told of a play determine what is taken: read from the JSON in their order, in every state.
#![allow(clippy::print_stdout, reason = "the counts are worth reading")]

use std::path::Path;

use astragal::{Budget, Engine};
use astragal_testing::grow::{Stream, play};
use astragal_testing::told::{Read, follow};

const SEED: u64 = 20_261_119;
const PLAYS: u64 = 400;

fn read(text: &str, steps: u64) -> Option<Result<Read, String>> {
    let program = Engine::new().compile(text).ok()?;
    let odds = program.try_odds(&Budget::default().with_steps(steps)).ok()?;
    Some(follow(&program, &odds))
}

#[test]
fn the_rules_of_every_game_lead_to_what_is_best() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let files = std::fs::read_dir(folder).expect("there are games");
    let mut games: Vec<_> = files.flatten().map(|file| file.path()).collect();
    games.sort();
    let mut wrong = Vec::new();
    let mut states = 0;
    for path in games {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match read(&text, 400_000_000).expect("every game has odds") {
            Ok(read) => {
                println!("{name}: {read:?}");
                states += read.states;
            }
            Err(broken) => {
                wrong.push(format!("{name}: {}", broken.chars().take(1500).collect::<String>()))
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(states > 10_000, "the games have states: {states}");
}

#[test]
fn the_rules_of_random_plays_lead_to_what_is_best() {
    let (mut all, mut wrong) = (Read::default(), Vec::new());
    for number in 0..PLAYS {
        let text = play(&Stream::of(SEED, number).tape());
        match read(&text, 5_000_000) {
            Some(Ok(read)) => {
                all.choices += read.choices;
                all.states += read.states;
            }
            Some(Err(broken)) => wrong.push(format!("{number}: {text}\n{broken}")),
            None => {}
        }
    }
    println!("{all:?}");
    assert!(wrong.is_empty(), "{} of {PLAYS}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(2 * all.choices >= PLAYS && all.states > 2 * all.choices, "{all:?}");
}
