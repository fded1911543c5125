//! What a request may cost, and who may stop it: a budget, a token, and Ctrl-C.
//!
//! While a program is computed, Python's other threads run. Now and then the computing thread asks Python whether a
//! signal has come; what its handler raises, such as `KeyboardInterrupt`, ends the request and is raised.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use astragal::{Budget, Diagnostics, Guard, Watcher};
use pyo3::prelude::*;

use crate::errors::raised;

/// Signals are looked for no more often than this: Python has to be waited for.
pub(crate) const BETWEEN_SIGNALS: Duration = Duration::from_millis(25);

/// How much a request may cost. What is left out is as usual.
#[pyclass(frozen, module = "astragal", name = "Budget")]
#[derive(Clone)]
pub(crate) struct PyBudget {
    steps: Option<u64>,
    memory: Option<u64>,
    states: Option<usize>,
    outcomes: Option<usize>,
}

#[pymethods]
impl PyBudget {
    #[new]
    #[pyo3(signature = (steps=None, *, memory=None, states=None, outcomes=None))]
    fn new(
        steps: Option<u64>,
        memory: Option<u64>,
        states: Option<usize>,
        outcomes: Option<usize>,
    ) -> PyBudget {
        PyBudget { steps, memory, states, outcomes }
    }

    #[getter]
    fn steps(&self) -> u64 {
        self.budget().steps
    }

    #[getter]
    fn memory(&self) -> u64 {
        self.budget().memory
    }

    #[getter]
    fn states(&self) -> usize {
        self.budget().states
    }

    #[getter]
    fn outcomes(&self) -> usize {
        self.budget().outcomes
    }

    fn __repr__(&self) -> String {
        let Budget { steps, memory, states, outcomes, .. } = self.budget();
        format!("Budget({steps}, memory={memory}, states={states}, outcomes={outcomes})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, All)> {
        let own = slf.get();
        let all = (own.steps, own.memory, own.states, own.outcomes);
        Ok((slf.py().import("astragal._made")?.getattr("budget")?, all))
    }
}

type All = (Option<u64>, Option<u64>, Option<usize>, Option<usize>);

impl PyBudget {
    fn budget(&self) -> Budget {
        let mut budget = self.steps.map_or_else(Budget::default, Budget::of_steps);
        budget.memory = self.memory.unwrap_or(budget.memory);
        budget.states = self.states.unwrap_or(budget.states);
        budget.outcomes = self.outcomes.unwrap_or(budget.outcomes);
        budget
    }
}

/// Stops requests from another thread.
#[pyclass(frozen, module = "astragal", name = "Cancel")]
#[derive(Default)]
pub(crate) struct PyCancel {
    cancelled: AtomicBool,
    /// Those that run.
    running: Mutex<Vec<Weak<AtomicBool>>>,
}

#[pymethods]
impl PyCancel {
    #[new]
    fn new() -> PyCancel {
        PyCancel::default()
    }

    /// Stops what runs with this token, and whatever is begun with it later.
    fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        if let Ok(running) = self.running.lock() {
            running
                .iter()
                .filter_map(Weak::upgrade)
                .for_each(|flag| flag.store(true, Ordering::SeqCst));
        }
    }

    #[getter]
    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }
}

impl PyCancel {
    fn watch(&self, flag: &Arc<AtomicBool>) {
        if let Ok(mut running) = self.running.lock() {
            running.retain(|other| other.strong_count() > 0);
            running.push(Arc::downgrade(flag));
        }
        if self.cancelled() {
            flag.store(true, Ordering::SeqCst);
        }
    }
}

/// A request with its budget, and what a signal's handler has raised.
pub(crate) struct Request {
    pub(crate) budget: Budget,
    pub(crate) flag: Arc<AtomicBool>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Request {
    /// A request that runs on the calling thread.
    pub(crate) fn new(budget: Option<&PyBudget>, cancel: Option<&PyCancel>) -> Request {
        let mut request = Request::on_threads(budget, cancel);
        let (flag, raised) = (Arc::clone(&request.flag), Arc::clone(&request.raised));
        let watcher = signals(flag, raised);
        request.budget = request.budget.with_watcher(watcher).with_guard(late_guard());
        request
    }

    /// A request that runs on threads of its own, while the calling one looks after signals.
    pub(crate) fn on_threads(budget: Option<&PyBudget>, cancel: Option<&PyCancel>) -> Request {
        let flag = Arc::new(AtomicBool::new(false));
        if let Some(cancel) = cancel {
            cancel.watch(&flag);
        }
        let budget = budget.map_or_else(Budget::default, PyBudget::budget);
        Request { budget: budget.with_cancel(Arc::clone(&flag)), flag, raised: Arc::default() }
    }

    /// Does the work without Python.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Budget) -> Result<T, Diagnostics> + Send,
    ) -> PyResult<T> {
        let budget = &self.budget;
        py.detach(|| work(budget)).map_err(|wrong| self.error(py, &wrong))
    }

    /// What a handler has raised counts for more than that the work was stopped by it.
    fn error(&self, py: Python<'_>, wrong: &Diagnostics) -> PyErr {
        let own = self.raised.lock().ok().and_then(|mut raised| raised.take());
        own.unwrap_or_else(|| raised(py, wrong))
    }
}

/// Asks Python for signals, and stops the request if there is one that says so.
fn signals(flag: Arc<AtomicBool>, raised: Arc<Mutex<Option<PyErr>>>) -> Watcher {
    let last = Mutex::new(None::<Instant>);
    Watcher::new(move |_, _| {
        let Ok(mut last) = last.lock() else { return };
        if last.is_some_and(|last| last.elapsed() < BETWEEN_SIGNALS) {
            return;
        }
        *last = Some(Instant::now());
        if let Some(Err(error)) = Python::try_attach(|py| py.check_signals()) {
            if let Ok(mut raised) = raised.lock() {
                *raised = Some(error);
            }
            flag.store(true, Ordering::SeqCst);
        }
    })
}

/// The guard over time and memory, which begins at its first look: a small request does not wait for its clocks.
fn late_guard() -> Guard {
    Guard::new(|steps, memory| {
        let watch = OnceCell::new();
        Rc::new(move || {
            let watch: &Rc<_> = watch.get_or_init(|| astragal::guard().begin(steps, memory));
            watch()
        })
    })
}
