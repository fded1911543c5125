//! The engine as a WebAssembly module.
//!
//! It needs a standard library for `wasm32-unknown-unknown`. Debian's compiler has none ready, but Debian has its
//! sources (`rust-web-src`), from which cargo builds it, and smaller than it comes ready-made: so that is what the
//! module is given out with. Without it rustup's is taken, which is one command that is run here.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{Missing, Trouble, answer, cargo, root, run, target};

const TARGET: &str = "wasm32-unknown-unknown";
const LINKERS: [&str; 5] = ["wasm-ld-22", "wasm-ld-21", "wasm-ld-20", "wasm-ld-19", "wasm-ld"];
/// What makes the module smaller where the standard library is built with it: a panic ends it at once, without words that a
/// browser would not show, and places in our sources are not kept. See docs/decisions/035-the-npm-package.md.
const SMALLER: &str = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none";
const MISSING: Missing = Missing {
    why: "no WebAssembly toolchain",
    cure: "apt-get install rustc-web cargo-web rust-web-src lld-22, or rustup target add wasm32-unknown-unknown",
};

/// A compiler that can do it.
pub(crate) enum Toolchain {
    /// The one in use.
    Current,
    /// Debian's, with a linker.
    Debian(&'static str),
}

impl Toolchain {
    pub(crate) fn find() -> Result<Toolchain, Missing> {
        let has_sources = Path::new("/usr/lib/rustlib/src/rust/library").is_dir()
            && Path::new("/usr/bin/cargo").is_file();
        let linker = LINKERS.into_iter().find(|linker| answer(linker, &["--version"]).is_some());
        if let Some(linker) = linker.filter(|_| has_sources) {
            return Ok(Toolchain::Debian(linker));
        }
        let added = || answer("rustup", &["target", "add", TARGET]).is_some() && has_target();
        if has_target() || added() { Ok(Toolchain::Current) } else { Err(MISSING) }
    }

    fn cargo(&self) -> Command {
        let Toolchain::Debian(linker) = self else { return cargo() };
        let mut debian = Command::new("/usr/bin/cargo");
        debian.current_dir(root());
        // The cargo that runs this chore speaks for its own toolchain; the two must not mix.
        debian.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
        debian.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
        debian.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        debian
    }
}

fn has_target() -> bool {
    let folder = answer("rustc", &["--print", "target-libdir", "--target", TARGET]);
    folder.is_some_and(|folder| Path::new(&folder).is_dir())
}

/// Builds the module and says where it is: as it is given out (`wasm`), or quickly and large (`release`).
pub(crate) fn build(toolchain: &Toolchain, profile: &str) -> Result<PathBuf, Trouble> {
    let folder = target().join("web");
    let mut cargo = toolchain.cargo();
    // Not quietly: it takes minutes.
    cargo.args(["build", "--package", "astragal-wasm", "--target", TARGET, "--profile", profile]);
    cargo.arg("--target-dir").arg(&folder);
    if matches!(toolchain, Toolchain::Debian(_)) {
        cargo.arg("-Zbuild-std=std,panic_abort");
        if profile == "wasm" {
            cargo.arg("-Zbuild-std-features=optimize_for_size");
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", SMALLER);
        }
    }
    run(&mut cargo)?;
    Ok(folder.join(TARGET).join(profile).join("astragal_wasm.wasm"))
}
