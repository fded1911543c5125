//! On macOS a linker must be told that Python's symbols are found later.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
