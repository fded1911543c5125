//! Where the files of the benchmark are.

use std::path::{Path, PathBuf};

/// A file of this crate.
pub fn bench(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A file of the book.
pub fn book(path: &str) -> PathBuf {
    bench("../book/src").join(path)
}

/// A folder for what is built on the way, beside this program in the target folder.
pub fn built(name: &str) -> PathBuf {
    let program = program();
    program.parent().unwrap_or(Path::new(".")).join("bench").join(name)
}

/// This program.
pub fn program() -> PathBuf {
    std::env::current_exe().expect("a running program has a path")
}
