//! Any text is a program or a list of errors that can be shown.
#![no_main]

use astragal::{Engine, Look, json};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let notes = match Engine::new().compile(text) {
        Ok(program) => program.hints().clone(),
        Err(errors) => {
            assert!(errors.is_error());
            errors
        }
    };
    let _ = notes.render(Look::default());
    let _ = json::diagnostics(&notes);
});
