//! A door: the browser. One request as JSON text, one answer as JSON text; what they mean is in
//! `astragal_page`.

use std::cell::RefCell;

use astragal_page::Host;
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Who is told about progress. A page's module has one thread, but the library may not know that.
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Answers a request. `progress(used, allowed)` is called now and then during long work.
#[wasm_bindgen]
pub fn answer(request: &str, progress: Option<Function>) -> String {
    LISTENER.set(progress);
    let told = astragal_page::answer(request, &Host { seed, progress: tell });
    LISTENER.set(None);
    told
}

fn tell(used: u64, allowed: u64) {
    LISTENER.with_borrow(|listener| {
        if let Some(listener) = listener {
            let (used, allowed) = (JsValue::from(used as f64), JsValue::from(allowed as f64));
            // A listener that fails is its own affair.
            let _ = listener.call2(&JsValue::NULL, &used, &allowed);
        }
    });
}

/// A fresh seed of 53 bits, so that it survives JSON.
fn seed() -> Option<u64> {
    getrandom::u64().ok().map(|word| word >> 11)
}
