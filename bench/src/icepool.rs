//! Icepool, asked the same problems in the same run.
//!
//! It is installed into an environment of its own in the target folder. Each question is asked of a fresh
//! process, since icepool remembers what it has computed; importing it is not counted.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

use crate::place;
use crate::problems::Problem;

/// An installed icepool.
pub struct Icepool {
    python: PathBuf,
    /// Its version and Python's.
    pub version: String,
}

/// What icepool did.
pub enum Asked {
    /// It answered as we must, after so many seconds of CPU.
    Answered(f64),
    /// It gave another answer.
    Differs,
    /// It gave none within a minute of CPU.
    Silent,
    /// It ended with an error, told in its own words.
    Failed(String),
}

/// A question that takes longer is asked once.
const SHORT: f64 = 0.3;
const REPEATS: usize = 3;

impl Icepool {
    /// Installs it, if it is not there; says why it cannot.
    pub fn install() -> Result<Icepool, String> {
        let folder = place::built("icepool");
        let python = folder.join("bin/python");
        if !python.exists() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        }
        let version = match version(&python) {
            Ok(version) => version,
            Err(_) => {
                let mut pip = Command::new(&python);
                run(pip.args(["-m", "pip", "install", "--quiet", "icepool"]))?;
                version(&python)?
            }
        };
        Ok(Icepool { python, version })
    }

    /// Asks a problem.
    pub fn ask(&self, problem: &Problem) -> Asked {
        let mut best = f64::INFINITY;
        for _ in 0..REPEATS {
            let told: Json = match output(script(&self.python).arg(&problem.id)) {
                Ok(output) if output.status.success() => {
                    serde_json::from_slice(&output.stdout).unwrap_or_default()
                }
                // The system ends a process that has used up its minute, without a code.
                Ok(output) if output.status.code().is_none() => return Asked::Silent,
                Ok(output) => return Asked::Failed(last_line(&output.stderr)),
                Err(why) => return Asked::Failed(why),
            };
            if told["sha256"].as_str() != Some(&problem.sha256) {
                return Asked::Differs;
            }
            best = best.min(told["seconds"].as_f64().unwrap_or(f64::INFINITY));
            if best > SHORT {
                break;
            }
        }
        Asked::Answered(best)
    }
}

fn version(python: &PathBuf) -> Result<String, String> {
    run(script(python).arg("--version")).map(|text| text.trim().to_owned())
}

fn script(python: &PathBuf) -> Command {
    let mut command = Command::new(python);
    command.arg(place::bench("icepool_bench.py"));
    command
}

/// What a command prints, or why it failed.
fn run(command: &mut Command) -> Result<String, String> {
    let output = output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let last = last_line(&output.stderr);
    Err(format!("{:?} failed ({}): {last}", command.get_program(), output.status))
}

fn output(command: &mut Command) -> Result<Output, String> {
    let output = command.stdin(Stdio::null()).output();
    output.map_err(|error| format!("{:?}: {error}", command.get_program()))
}

fn last_line(said: &[u8]) -> String {
    String::from_utf8_lossy(said).lines().last().unwrap_or_default().to_owned()
}
