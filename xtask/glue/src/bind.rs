//! The script and the types through which the page calls the module.
//!
//! The usual tool for this is an installed `wasm-bindgen`, whose version must equal the library's. As a
//! library its version stands in our lock file.

use wasm_bindgen_cli_support::Bindgen;

pub(crate) fn bind(module: &str, folder: &str) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module);
    bindgen.web(true).map_err(|error| error.to_string())?;
    bindgen.typescript(true).remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder).map_err(|error| format!("{error:?}"))
}
