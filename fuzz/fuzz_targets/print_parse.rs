//! What is printed reads back as the same tree, and printing it again changes nothing.
#![no_main]

use astragal_syntax::diagnostic::Severity;
use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, parse, print, same_tree};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let first = parse(text, SourceId(0), &Limits::default());
    if first.diagnostics.iter().any(|d| d.severity <= Severity::OverBudget) {
        return;
    }
    let printed = print(&first.file);
    let second = parse(&printed, SourceId(0), &Limits::default());
    assert!(same_tree(&first.file, &second.file), "{printed}");
    assert_eq!(print(&second.file), printed);
});
