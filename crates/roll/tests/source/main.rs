//! Rolls of programs as people write them, on scripted faces.

mod explained;
mod flat;
mod rolled;

use astragal_program::fault::Fault;
use astragal_program::{Checked, Library, NoFiles, Options, check};
use astragal_roll::render::{Detail, View, plain};
use astragal_roll::{Limits, Roll, Scripted, roll};

const PRELUDE: &str = include_str!("../../../engine/prelude/prelude.dice");

/// The checked program; panics with what is wrong with it.
#[track_caller]
fn checked(text: &str) -> Checked {
    let library = Library::new(PRELUDE, &[]).expect("the prelude checks");
    let checked = check(text, "test", &library, &NoFiles, &Options::default());
    assert!(checked.program.is_some(), "{text}: {:#?}", checked.diagnostics);
    checked
}

#[track_caller]
fn on(text: &str, faces: &[i64]) -> Result<Roll, Fault> {
    let program = checked(text).program.expect("checked");
    roll(&program, &[], &mut Scripted::whole(faces), &Limits::default())
}

/// The program rolls this value on these faces, recorded or not.
#[track_caller]
fn rolls(text: &str, faces: &[i64], value: &str) -> Roll {
    let roll = on(text, faces).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    assert_eq!(roll.value.to_string(), value, "{text}");
    let program = checked(text).program.expect("checked");
    let mut faces = Scripted::whole(faces);
    let bare = astragal_roll::value(&program, &[], &mut faces, &Limits::default());
    assert_eq!(bare, Ok(roll.value.clone()), "{text} without a record");
    roll
}

/// The program fails with this code on these faces.
#[track_caller]
fn fails(text: &str, faces: &[i64], code: &str) {
    match on(text, faces) {
        Ok(roll) => panic!("{text} rolls {}", roll.value),
        Err(fault) => assert_eq!(fault.kind.code(), code, "{text}"),
    }
}

/// What a reader sees.
#[track_caller]
fn shown(text: &str, faces: &[i64], detail: Detail) -> String {
    let checked = checked(text);
    let program = checked.program.as_ref().expect("checked");
    let roll = roll(program, &[], &mut Scripted::whole(faces), &Limits::default());
    let roll = roll.unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    let source = |span| Some(checked.sources.slice(span).to_owned());
    plain(&roll, &View { expression: text, source: &source, detail })
}
