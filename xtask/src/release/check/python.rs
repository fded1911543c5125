//! The wheel and the sdist.

use std::process::Command;

use super::super::{Release, VERSION};
use super::used::says;
use crate::tools::{Missing, Trouble, answer, run};

const NO_WHEEL: Missing = Missing { why: "no wheel", cure: "it was not made" };
const NO_PYTHON: Missing = Missing { why: "no python3", cure: "apt-get install python3-venv" };

/// Installed alone, without a network and without what is optional.
pub(super) fn wheel(release: &Release) -> Result<(), Trouble> {
    let wheel = release.ending(".whl").into_iter().next().ok_or(NO_WHEEL)?;
    answer("python3", &["--version"]).ok_or(NO_PYTHON)?;
    let folder = release.empty("wheel")?;
    run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let python = folder.join("bin/python");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"]);
    run(pip.arg(wheel))?;
    let mean = "import astragal as ag; print(ag.odds('4d6kh3').mean)";
    says(Command::new(&python).args(["-c", mean]), "15869/1296")?;
    let roll = "import astragal as ag; print(ag.roll('4d6kh3', seed=7))";
    says(Command::new(&python).args(["-c", roll]), "=")
}

/// Building from it takes minutes; what is needed for that must be inside.
pub(super) fn sdist(release: &Release) -> Result<(), Trouble> {
    let sdist = release.file(&format!("astragal-{VERSION}.tar.gz"));
    let listed = answer("tar", &["--list", "--file", &sdist.to_string_lossy()]);
    let listed = listed.ok_or(Missing { why: "no sdist", cure: "it was not made" })?;
    for needed in ["pyproject.toml", "PKG-INFO", "Cargo.lock", "systems/cofd.dice"] {
        if !listed.lines().any(|line| line.ends_with(needed)) {
            return Err(Trouble::Failed(format!("the sdist has no {needed}")));
        }
    }
    Ok(())
}
