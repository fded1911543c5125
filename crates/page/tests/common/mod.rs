//! Asks as the page does.

#![allow(dead_code, reason = "each test file uses its part of this")]

use astragal_page::Host;
use serde_json::{Value as Json, json};

/// Asks, with a seed that is always the same and nobody to tell about progress.
pub fn ask(request: &Json) -> Json {
    ask_with(request, &Host { seed: || Some(12), progress: |_, _| {} })
}

pub fn ask_with(request: &Json, host: &Host) -> Json {
    let told = astragal_page::answer(&request.to_string(), host);
    serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"))
}

pub fn odds(text: &str) -> Json {
    ask(&json!({"ask": "odds", "text": text}))
}

/// The items of a list.
pub fn list(value: &Json) -> &[Json] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

/// A field of each item of a list, as text.
pub fn each<'v>(value: &'v Json, field: &str) -> Vec<&'v str> {
    list(value).iter().map(|item| item[field].as_str().unwrap_or("?")).collect()
}
