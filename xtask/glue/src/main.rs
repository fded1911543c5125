//! From the WebAssembly module to what the page loads. The page's build runs this tool three times:
//!
//! ```text
//! astragal-glue bind MODULE FOLDER               the script and the types through which the page calls the module
//! astragal-glue watch MODULE WATCHED             the same module, which remembers which functions ran
//! astragal-glue split MODULE FIRST LIST NEXT …   the module in parts: PART holds the functions in the LIST after it
//! ```
//!
//! It is a crate of its own because it brings dozens of others, and only the page needs them.

mod bind;
mod shape;
mod split;
mod watch;

use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["bind", module, folder] => bind::bind(module, folder),
        ["watch", module, watched] => watch_file(module, watched),
        ["split", module, first, pairs @ ..] => split_file(module, first, pairs),
        _ => Err("write `astragal-glue bind MODULE FOLDER`, `watch MODULE WATCHED` or \
                  `split MODULE FIRST LIST NEXT …`"
            .into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn watch_file(module: &str, watched: &str) -> Result<(), String> {
    write(watched, &watch::watched(&read(module)?)?)
}

/// `FIRST LIST NEXT LIST LAST`: each part with the list of its functions, but for the last, which has all others.
fn split_file(module: &str, first: &str, pairs: &[&str]) -> Result<(), String> {
    let lists: Vec<Vec<u32>> =
        pairs.iter().step_by(2).map(|list| numbers(list)).collect::<Result<_, _>>()?;
    let files = [first].into_iter().chain(pairs.iter().skip(1).step_by(2).copied());
    let parts = split::split(&read(module)?, &lists)?;
    files.zip(parts).try_for_each(|(file, part)| write(file, &part))
}

fn numbers(list: &str) -> Result<Vec<u32>, String> {
    let text = String::from_utf8(read(list)?).map_err(|error| error.to_string())?;
    let number = |word: &str| word.parse().map_err(|_| format!("`{word}` is no function's number"));
    text.split_whitespace().map(number).collect()
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &str, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{path}: {error}"))
}

#[allow(clippy::print_stderr, reason = "a tool says on standard error why it failed")]
fn fail(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::FAILURE
}
