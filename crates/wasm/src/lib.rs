//! A door: JavaScript. One request as JSON text, one answer as JSON text; what they mean is in
//! `astragal_page`. A program that is asked often is prepared once.

use std::cell::RefCell;

use astragal_page::{Host, Prepared};
use js_sys::{Float64Array, Function};
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
    let told = astragal_page::answer(request, &HOST);
    LISTENER.set(None);
    told
}

const HOST: Host = Host { seed, progress: tell };

/// A program that was read once. One that is refused says why, and nothing else.
#[wasm_bindgen]
pub struct Program(Result<Prepared, String>);

#[wasm_bindgen]
impl Program {
    /// Reads a program.
    #[wasm_bindgen(constructor)]
    pub fn new(request: &str) -> Program {
        Program(Prepared::read(request, &HOST))
    }

    /// Why it was refused, if it was.
    pub fn refusal(&self) -> Option<String> {
        self.0.as_ref().err().cloned()
    }

    /// Answers `odds`, `roll` or `check` of it.
    pub fn answer(&self, request: &str) -> String {
        match &self.0 {
            Ok(program) => program.answer(request, &HOST),
            Err(refusal) => refusal.clone(),
        }
    }

    /// Rolls it many times into an array; a refusal is a text instead.
    pub fn sample(&self, count: u32, seed: Option<u64>) -> JsValue {
        let program = self.0.as_ref().map_err(String::clone);
        match program.and_then(|program| program.sample(count as usize, seed, &HOST)) {
            Ok(values) => Float64Array::from(values.as_slice()).into(),
            Err(refusal) => refusal.into(),
        }
    }
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
