//! A great many rolls for their values alone.
//!
//! The roll with the number `n` is the one that `roll(seed, number=n)` explains, wherever it is rolled: each has
//! a stream of its own, so that several threads share the work and any one of a million can be looked at.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use astragal::faces::Seeded;
use astragal::{Diagnostics, Number, Program, Type, Value};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::errors::raised;
use crate::program::{PyProgram, Settings};
use crate::threads::{on_threads, usual};
use crate::value::value;

/// So many rolls are made between two looks around.
const AT_ONCE: usize = 2048;
/// Fewer are not worth a second thread.
const FEW: usize = 8 * AT_ONCE;

/// Why rolls are not what was asked for.
enum Stop {
    /// One of them is no whole number that fits a word.
    Other,
    Program(Box<Diagnostics>),
    Stopped,
}

/// So many rolls of a seed: what they are (`whole`, `truth`, `any`), and all values as bytes or as a list.
#[pyfunction]
pub(crate) fn rolls<'py>(
    of: &PyProgram,
    py: Python<'py>,
    settings: Settings,
    seed: u64,
    times: usize,
    threads: Option<usize>,
) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
    let program = of.set(py, settings)?;
    let threads = if times <= FEW { 1 } else { threads.unwrap_or_else(usual).max(1) };
    let results: Vec<Type> = program.results().map(|(_, ty)| ty.clone()).collect();
    let many = Many { program: &program, seed, times, threads };
    if let [Type::Number | Type::Pool(_)] = results.as_slice() {
        let whole = |value: Value| value.as_number().and_then(Number::to_i64);
        if let Some(all) = many.rolled(py, 0i64, whole)? {
            let bytes: Vec<u8> = all.iter().flat_map(|word| word.to_ne_bytes()).collect();
            return Ok(("whole", PyBytes::new(py, &bytes).into_any()));
        }
    }
    if let [Type::Bool] = results.as_slice() {
        let truth = |value: Value| value.as_bool().map(u8::from);
        if let Some(all) = many.rolled(py, 0u8, truth)? {
            return Ok(("truth", PyBytes::new(py, &all).into_any()));
        }
    }
    let all = many.rolled(py, Value::None, Some)?.unwrap_or_default();
    let all = all.iter().map(|own| value(py, own)).collect::<PyResult<Vec<_>>>()?;
    Ok(("any", PyList::new(py, all)?.into_any()))
}

/// The rolls that are wanted.
struct Many<'a> {
    program: &'a Program,
    seed: u64,
    times: usize,
    threads: usize,
}

impl Many<'_> {
    /// All values, if each of them is of the wanted kind.
    fn rolled<T: Send + Clone>(
        &self,
        py: Python<'_>,
        empty: T,
        kind: impl Fn(Value) -> Option<T> + Sync,
    ) -> PyResult<Option<Vec<T>>> {
        let mut all = vec![empty; self.times];
        let (flag, stop) = (AtomicBool::new(false), Mutex::new(None));
        let places = Mutex::new(all.chunks_mut(AT_ONCE).enumerate());
        let work = || {
            while !flag.load(Ordering::Relaxed) {
                let next = places.lock().ok().and_then(|mut places| places.next());
                let Some((at, places)) = next else { return };
                if let Err(why) = self.fill(places, at * AT_ONCE, &kind) {
                    flag.store(true, Ordering::Relaxed);
                    stop.lock().map_or((), |mut stop| *stop = Some(why));
                }
            }
        };
        match self.threads {
            1 if self.times <= FEW => py.detach(work),
            threads => on_threads(py, threads, &flag, work, |_| Ok(()))?,
        }
        drop(places);
        match stop.into_inner().unwrap_or(Some(Stop::Stopped)) {
            None => Ok(Some(all)),
            Some(Stop::Other | Stop::Stopped) => Ok(None),
            Some(Stop::Program(wrong)) => Err(raised(py, &wrong)),
        }
    }

    fn fill<T>(
        &self,
        places: &mut [T],
        first: usize,
        kind: &impl Fn(Value) -> Option<T>,
    ) -> Result<(), Stop> {
        for (number, place) in (first as u64..).zip(places) {
            let value = self.one(number).map_err(|wrong| Stop::Program(Box::new(wrong)))?;
            *place = kind(value).ok_or(Stop::Other)?;
        }
        Ok(())
    }

    /// The value of one roll. What cannot be rolled for its value alone, such as what is thrown until its evidence holds, is
    /// rolled as any single roll is.
    fn one(&self, number: u64) -> Result<Value, Diagnostics> {
        let faces = || Seeded::new(self.seed, number);
        match self.program.value(&mut faces()) {
            Ok(value) => Ok(value),
            Err(_) => self.program.roll(&mut faces()).map(|roll| roll.value.clone()),
        }
    }
}
