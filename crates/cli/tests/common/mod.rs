//! Runs the built binary as a user would.

#![allow(dead_code, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

pub mod page;
pub mod schema;
#[cfg(feature = "server")]
pub mod served;

#[allow(unused_imports, reason = "each test file uses its part of this")]
pub use page::Page;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What came of a command.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
    pub took: Duration,
}

impl Ran {
    /// Everything, as a transcript.
    pub fn transcript(&self) -> String {
        let mut text = self.out.clone();
        for line in self.err.lines() {
            text += &format!("! {line}\n");
        }
        if self.code != 0 {
            text += &format!("exit {}\n", self.code);
        }
        text
    }

    /// Standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// Runs `astragal` with these arguments at the root of the workspace.
pub fn astragal(arguments: &[&str]) -> Ran {
    astragal_with(arguments, b"")
}

/// The same with something on standard input.
pub fn astragal_with(arguments: &[&str], input: &[u8]) -> Ran {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(arguments)
        .current_dir(root())
        .env_remove("COLUMNS")
        .env_remove("ASTRAGAL_CONFIG")
        // What the user keeps is neither read nor changed.
        .env("XDG_STATE_HOME", "/dev/null")
        .env("XDG_CONFIG_HOME", "/dev/null")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The command may stop reading early; that is its right.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        took: begun.elapsed(),
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
