//! The table's server held against its document: requests are made from `crates/table/openapi.json` by schemathesis.

use std::process::Command;

use crate::page::binary;
use crate::python::{counted, environment, python};
use crate::say;
use crate::step::{Outcome, Tally};
use crate::tools::{Trouble, root, target};

const TOOLS: &[&str] = &["schemathesis==4.32.5", "pytest==9.2.0"];

pub(crate) fn run() -> Outcome {
    match tested() {
        Ok(tally) => Outcome::Ran(tally),
        Err(Trouble::Missing(missing)) => Outcome::Skipped(missing),
        Err(Trouble::Failed(why)) => {
            say(&format!("error: {why}"));
            Outcome::Ran(Tally::FAILED)
        }
    }
}

fn tested() -> Result<Tally, Trouble> {
    let env = environment(&python()?, "contract", TOOLS)?;
    binary()?;
    let mut pytest = Command::new(env);
    pytest.args(["-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"]);
    pytest.arg("tests/contract.py").current_dir(root().join("crates/table"));
    let name = format!("debug/astragal{}", std::env::consts::EXE_SUFFIX);
    Ok(Tally::of(pytest.env("ASTRAGAL", target().join(name)), counted))
}
