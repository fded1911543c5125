//! `astragal-glue MODULE.wasm FOLDER`: the script and the types through which the page calls the module.
//!
//! The usual tool for this is an installed `wasm-bindgen`, whose version must equal the library's. As a
//! library its version stands in our lock file. It is a crate of its own because it brings dozens of others,
//! and only the page needs them.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = words.as_slice() else {
        return fail("write `astragal-glue MODULE.wasm FOLDER`");
    };
    match glue(module, folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn glue(module: &str, folder: &str) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module);
    bindgen.web(true).map_err(|error| error.to_string())?;
    bindgen.typescript(true).remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder).map_err(|error| format!("{error:?}"))
}

#[allow(clippy::print_stderr, reason = "a tool says on standard error why it failed")]
fn fail(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::FAILURE
}
