//! `cargo xtask oldest`: the library, checked by the oldest compiler that it promises to work with.

use std::process::Command;

use crate::say;
use crate::tools::{Missing, Trouble, answer, root, run};

const NO_COMPILER: Missing = Missing {
    why: "no compiler of the version that `rust-version` names",
    cure: "rustup toolchain install, with that version",
};

/// The version is the one in `Cargo.toml`: what is promised is what is tested.
pub(crate) fn oldest() -> Result<(), Trouble> {
    let version = env!("CARGO_PKG_RUST_VERSION");
    say(&format!("the oldest compiler that is promised: Rust {version}"));
    // Rustup names toolchains by full versions.
    let name =
        if version.matches('.').count() < 2 { format!("{version}.0") } else { version.into() };
    let has = || answer("rustc", &[&format!("+{name}"), "--version"]);
    let install = || answer("rustup", &["toolchain", "install", &name, "--profile", "minimal"]);
    has().or_else(install).ok_or(NO_COMPILER)?;
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root()).arg(format!("+{name}"));
    // The cargo that runs this chore speaks for its own toolchain; the two must not mix.
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    run(cargo.args(["check", "--package", "astragal", "--features", "full"]))
}
