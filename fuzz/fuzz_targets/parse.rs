//! Parsing never fails, and speaks only of places that there are.
#![no_main]

use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let parsed = parse(text, SourceId(0), &Limits::default());
    for label in parsed.diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(label.span.start <= label.span.end);
        assert!(label.span.range().end <= text.len());
    }
});
