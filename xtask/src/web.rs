//! `cargo xtask web`: the page, from Rust and TypeScript to files that any web server can give out.
//!
//! ```text
//! crates/wasm ─ cargo ─> module ─ astragal-glue ─> web/src/pkg ─ vite ─> web/dist ─ compress, weigh
//! ```

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::say;
use crate::tools::{Trouble, cargo, in_web, node, root, run};
use crate::wasm::{self, Toolchain};

/// Builds the page into `web/dist`.
pub(crate) fn build() -> Result<(), Trouble> {
    node()?;
    let toolchain = Toolchain::find()?;
    let module = timed("module", || wasm::build(&toolchain))?;
    timed("glue", || glue(&module))?;
    timed("packages", install)?;
    timed("page", || run(in_web("npx").args(["vite", "build", "--logLevel=warn"])))?;
    timed("compress", || run(in_web("node").arg("tools/compress.mjs")))?;
    run(in_web("node").arg("tools/weigh.mjs"))
}

/// The script and the types beside the module.
fn glue(module: &Path) -> Result<(), Trouble> {
    let folder = root().join("web/src/pkg");
    run(cargo()
        .args(["run", "--quiet", "--package", "astragal-glue", "--"])
        .arg(module)
        .arg(folder))
}

/// What the page is made with, unless it is there already.
fn install() -> Result<(), Trouble> {
    let web = root().join("web");
    let changed = |file: &str| fs::metadata(web.join(file)).and_then(|file| file.modified()).ok();
    // npm writes this file at the end of an installation.
    if changed("node_modules/.package-lock.json") >= changed("package-lock.json") {
        return Ok(());
    }
    run(in_web("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
}

/// Runs a part of the work, and says how long it took.
pub(crate) fn timed<T>(
    name: &str,
    work: impl FnOnce() -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let begun = Instant::now();
    let done = work()?;
    say(&format!("{name:<10}{:>7.1} s", begun.elapsed().as_secs_f64()));
    Ok(done)
}
