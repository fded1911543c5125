//! `cargo xtask semver`: whether the public API of the published crates still keeps what a revision promised.

use crate::tools::{Missing, Trouble, answer, cargo, root, run};

const NO_TOOL: Missing =
    Missing { why: "no cargo-semver-checks", cure: "cargo install cargo-semver-checks --locked" };
const NO_TAG: Missing =
    Missing { why: "no tag v…", cure: "name a revision: `cargo xtask semver main`" };

/// Compares with a revision, or with the last tag of a version.
pub(crate) fn semver(revision: Option<&str>) -> Result<(), Trouble> {
    let tool = answer("cargo", &["semver-checks", "--version"]);
    tool.ok_or(NO_TOOL)?;
    let folder = root().to_string_lossy().into_owned();
    let last =
        || answer("git", &["-C", &folder, "describe", "--tags", "--abbrev=0", "--match", "v*"]);
    let revision = revision.map(str::to_owned).or_else(last).ok_or(NO_TAG)?;
    run(cargo().args(["semver-checks", "--workspace", "--baseline-rev", &revision]))
}
