//! A great many rolls for their values alone.
//!
//! They are made in blocks, each from a stream of its own: block `b` of a seed from the stream of its roll number `b`. So
//! threads make no difference, and any one of a million can be made again with everything that happened, by going through
//! its block up to there. A stream for each roll would take longer than the roll.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use astragal::faces::Seeded;
use astragal::{Diagnostics, Number, Program, Type, Value};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::errors::raised;
use crate::program::{PyProgram, Settings};
use crate::roll::{PyRoll, made};
use crate::threads::{count, on_threads};
use crate::value::value;

/// So many rolls are made of one stream, and between two looks around.
const BLOCK: usize = 1024;
/// Fewer are not worth a second thread.
const FEW: usize = 16 * BLOCK;

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
    py: Python<'py>,
    of: &PyProgram,
    settings: Settings,
    seed: u64,
    times: usize,
    threads: Option<usize>,
) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
    let program = of.set(py, settings)?;
    let threads = if times <= FEW { 1 } else { count(threads) };
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
        let places = Mutex::new(all.chunks_mut(BLOCK).enumerate());
        let work = || {
            while !flag.load(Ordering::Relaxed) {
                let next = places.lock().ok().and_then(|mut places| places.next());
                let Some((at, places)) = next else { return };
                if let Err(why) = self.fill(places, at as u64, &kind) {
                    flag.store(true, Ordering::Relaxed);
                    if let Ok(mut stop) = stop.lock() {
                        *stop = Some(why);
                    }
                }
            }
        };
        match self.threads {
            1 if self.times <= FEW => py.detach(work),
            threads => on_threads(py, threads, &flag, work, |_| Ok(()))?,
        }
        match stop.into_inner().unwrap_or(Some(Stop::Stopped)) {
            None => Ok(Some(all)),
            Some(Stop::Other | Stop::Stopped) => Ok(None),
            Some(Stop::Program(wrong)) => Err(raised(py, &wrong)),
        }
    }

    fn fill<T>(
        &self,
        places: &mut [T],
        block: u64,
        kind: &impl Fn(Value) -> Option<T>,
    ) -> Result<(), Stop> {
        let mut faces = Seeded::new(self.seed, block);
        for place in places {
            let value = one(self.program, &mut faces);
            let value = value.map_err(|wrong| Stop::Program(Box::new(wrong)))?;
            *place = kind(value).ok_or(Stop::Other)?;
        }
        Ok(())
    }
}

/// The value of the next roll of a stream. What is not rolled for its value alone (it is thrown until its evidence holds, or
/// somebody decides in it) is rolled as any single roll is, which goes on where the first attempt has ended.
fn one(program: &Program, faces: &mut Seeded) -> Result<Value, Diagnostics> {
    let bare = (!program.decides()).then(|| program.value(faces));
    match bare {
        Some(Ok(value)) => Ok(value),
        Some(Err(_)) | None => program.roll(faces).map(|roll| roll.value.clone()),
    }
}

/// One of many rolls of a seed again, with everything that happened.
#[pyfunction]
pub(crate) fn roll_of_many(
    py: Python<'_>,
    of: &PyProgram,
    settings: Settings,
    seed: u64,
    index: usize,
) -> PyResult<PyRoll> {
    let program = of.set(py, settings)?;
    let rolled = py.detach(|| {
        let mut faces = Seeded::new(seed, (index / BLOCK) as u64);
        for _ in 0..index % BLOCK {
            one(&program, &mut faces)?;
        }
        program.roll(&mut faces)
    });
    made(py, program, rolled, Some(seed))
}
