//! The engine as a WebAssembly module, and the pen that draws charts as another.
//!
//! It needs a standard library for `wasm32-unknown-unknown`. Debian's compiler has none ready, but Debian has its
//! sources (`rust-web-src`), from which cargo builds it, and smaller than it comes ready-made: so that is what the
//! module is given out with. Without it rustup's is taken, which is one command that is run here.

use std::fs;
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

/// Builds modules and says in which folder they are: as they are given out (`wasm`), or quickly and large (`release`).
/// Packages that are built together share the features of what they depend on.
pub(crate) fn build(
    toolchain: &Toolchain,
    packages: &[&str],
    profile: &str,
) -> Result<PathBuf, Trouble> {
    let folder = target().join("web");
    let mut cargo = toolchain.cargo();
    // Not quietly: it takes minutes.
    cargo.arg("build");
    packages.iter().for_each(|package| {
        cargo.args(["--package", package]);
    });
    cargo.args(["--target", TARGET, "--profile", profile]);
    cargo.arg("--target-dir").arg(&folder);
    if matches!(toolchain, Toolchain::Debian(_)) {
        cargo.arg("-Zbuild-std=std,panic_abort");
        if profile == "wasm" {
            cargo.arg("-Zbuild-std-features=optimize_for_size");
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", SMALLER);
        }
    }
    run(&mut cargo)?;
    Ok(folder.join(TARGET).join(profile))
}

/// Copies a module without what only tools read: names of functions, who made it. (Where glue is made, it drops these by itself.)
pub(crate) fn strip(module: &Path, to: &Path) -> Result<(), Trouble> {
    let failed = |error: std::io::Error| Trouble::Failed(format!("{}: {error}", module.display()));
    let whole = fs::read(module).map_err(failed)?;
    let bare = without_custom(&whole)
        .ok_or_else(|| Trouble::Failed(format!("{} is no module", module.display())))?;
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(to, bare).map_err(failed)
}

/// A module's sections but for those with number 0.
fn without_custom(whole: &[u8]) -> Option<Vec<u8>> {
    let (head, mut rest) = whole.split_at_checked(8)?;
    let mut bare = head.to_vec();
    while let Some((kind, after)) = rest.split_first() {
        let (length, content) = leb128(after)?;
        let size = rest.len() - content.len() + length;
        let (section, next) = rest.split_at_checked(size)?;
        if *kind != 0 {
            bare.extend(section);
        }
        rest = next;
    }
    Some(bare)
}

/// A number in seven bits a byte, and what comes after it.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)?;
    let (digits, rest) = bytes.split_at(end + 1);
    let value = digits.iter().rev().fold(0, |all, byte| all << 7 | usize::from(byte & 0x7f));
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_left_out_and_nothing_else() {
        let head = *b"\0asm\x01\0\0\0";
        let kept = [1, 3, 7, 8, 9];
        // A section of 130 bytes has its length in two.
        let names = [&[0, 0x82, 0x01][..], &[5; 130]].concat();
        let whole = [&head[..], &names, &kept, &[0, 1, 4]].concat();
        assert_eq!(without_custom(&whole), Some([&head[..], &kept].concat()));
        assert_eq!(without_custom(&whole[..whole.len() - 1]), None, "cut off");
        assert_eq!(without_custom(b"\0asm"), None);
    }
}
