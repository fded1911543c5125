//! `cargo xtask docs`: the documentation of every library here, without a warning.

use crate::tools::{Trouble, cargo, run};

/// What is no library that somebody reads about: doors, tests, tools.
const LEFT_OUT: [&str; 8] = [
    "astragal-bench",
    "astragal-cli",
    "astragal-glue",
    "astragal-pen",
    "astragal-seat-wasm",
    "astragal-testing",
    "astragal-wasm",
    "xtask",
];

/// The face with all that it can bring, then the parts that it is made of. Those speak to who works on them: their front
/// pages name private modules, which is no mistake.
pub(crate) fn docs() -> Result<(), Trouble> {
    let doc = |flags: &str| {
        let mut cargo = cargo();
        cargo.env("RUSTDOCFLAGS", flags).args(["doc", "--no-deps", "--quiet"]);
        cargo
    };
    run(doc("-D warnings").args(["--package", "astragal", "--features", "full"]))?;
    let left_out = LEFT_OUT.iter().flat_map(|name| ["--exclude", name]);
    let flags = "-D warnings -A rustdoc::private_intra_doc_links";
    run(doc(flags).args(["--workspace", "--keep-going"]).args(left_out))
}
