//! `cargo xtask web`: the page, from Rust and TypeScript to files that any web server can give out.
//!
//! ```text
//! crates/pen, crates/wasm ─ cargo ─> modules ─ astragal-glue bind ─> scripts and types
//!                          └─ astragal-glue watch ─> node tools/profile.mjs ─> astragal-glue split ─> its parts
//! crates/seat-wasm ─ cargo ─> seat.wasm, which needs no glue
//! scripts and parts ─ npm/tools/assemble.mjs ─> npm/wasm: the npm package, whose loader the page uses
//! web/src, with both ─ vite ─> web/dist ─ compress, weigh
//! ```

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::say;
use crate::tools::{Trouble, cargo, in_npm, in_web, node, root, run, target, tool_in};
use crate::wasm::{self, Toolchain};

/// Builds the page into `web/dist`, as it is given out.
pub(crate) fn build() -> Result<(), Trouble> {
    let toolchain = make("wasm")?;
    timed("compress", "every file once, at the highest setting", || {
        run(in_web("node").arg("tools/compress.mjs"))
    })?;
    let mut weigh = in_web("node");
    if matches!(toolchain, Toolchain::Current) {
        // The ceilings are for a standard library that was built small.
        weigh.env("READY_MADE_LIBRARY", "1");
    }
    run(weigh.arg("tools/weigh.mjs"))
}

/// The same page for somebody at work on it: built again soon after a change, but large and not compressed.
pub(crate) fn build_quickly() -> Result<(), Trouble> {
    make("release").map(drop)
}

fn make(profile: &str) -> Result<Toolchain, Trouble> {
    node()?;
    let toolchain = Toolchain::find()?;
    let optimised = profile == "wasm";
    let work = match optimised {
        true => "the engine, all of it optimised together: minutes; and the pen",
        false => "the engine and the pen",
    };
    let built = timed("module", work, || {
        wasm::build(&toolchain, &["astragal-wasm", "astragal-pen"], profile)
    })?;
    timed("glue", "the scripts that call them; the first time, minutes", || {
        ["astragal_pen.wasm", "astragal_wasm.wasm"]
            .iter()
            .try_for_each(|name| bind(&built.join(name)))
    })?;
    timed("device", "the device's half of a table, a small module of its own", || {
        let built = wasm::build(&toolchain, &["astragal-seat-wasm"], profile)?;
        wasm::strip(&built.join("astragal_seat_wasm.wasm"), &package("seat.wasm"))
    })?;
    timed("parts", "what is needed first, often, and last", part)?;
    timed("engine", "scripts and parts, laid into the npm package", assemble)?;
    timed("packages", "what the page is made with", install)?;
    timed("loader", "of the npm package, which the page uses", || {
        run(in_web("npx").args(["tsc", "-p", "../npm"]))
    })?;
    timed("page", "scripts and styles", || {
        run(in_web("npx").args(["vite", "build", "--logLevel=warn"]))
    })?;
    Ok(toolchain)
}

fn glue(words: &[&OsStr]) -> Result<(), Trouble> {
    run(cargo().args(["run", "--quiet", "--package", "astragal-glue", "--"]).args(words))
}

/// Where the page looks for the module.
fn package(file: &str) -> PathBuf {
    root().join("web/src/pkg").join(file)
}

/// The script and the types beside the module.
fn bind(module: &Path) -> Result<(), Trouble> {
    glue(&["bind".as_ref(), module.as_os_str(), package("").as_os_str()])
}

/// The module in parts. Which functions are needed when is found by asking it what people ask.
fn part() -> Result<(), Trouble> {
    let folder = target().join("web/parts");
    let failed = |error: std::io::Error| Trouble::Failed(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let [watched, first, often] =
        ["watched.wasm", "first.txt", "often.txt"].map(|name| folder.join(name));
    // The page's build asks the whole one for the answers that are there before the engine (web/tools/answers.mjs).
    let whole = package("astragal_whole.wasm");
    fs::copy(package("astragal_wasm_bg.wasm"), &whole).map_err(failed)?;
    glue(&["watch".as_ref(), whole.as_os_str(), watched.as_os_str()])?;
    run(in_web("node").arg("tools/profile.mjs").args([&watched, &first, &often]))?;
    let parts = ["astragal_wasm_bg.wasm", "astragal_often.wasm", "astragal_last.wasm"].map(package);
    let words =
        [&whole, &parts[0], &first, &parts[1], &often, &parts[2]].map(|path| path.as_os_str());
    glue(&[&["split".as_ref()], words.as_slice()].concat())
}

/// The package shares the module with the page, which takes it from there.
fn assemble() -> Result<(), Trouble> {
    run(in_npm("node").arg("tools/assemble.mjs").arg(package("")))
}

/// What the page is made with, unless it is there already.
fn install() -> Result<(), Trouble> {
    install_in("web")
}

/// What a folder's scripts need, unless it is there already.
pub(crate) fn install_in(name: &str) -> Result<(), Trouble> {
    let folder = root().join(name);
    let changed =
        |file: &str| fs::metadata(folder.join(file)).and_then(|file| file.modified()).ok();
    // npm writes this file at the end of an installation.
    if changed("node_modules/.package-lock.json") >= changed("package-lock.json") {
        return Ok(());
    }
    run(tool_in(name, "npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
}

/// Runs a part of the work; says what it is before, and how long it took after.
pub(crate) fn timed<T>(
    name: &str,
    what: &str,
    work: impl FnOnce() -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    say(&format!("{name:<10}{what}"));
    let begun = Instant::now();
    let done = work()?;
    say(&format!("{name:<10}{:.1} s", begun.elapsed().as_secs_f64()));
    Ok(done)
}
