//! One program at many values of its inputs, on all cores.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use astragal::Program;
use astragal_vary::{Axis, check_named, declarations};

use crate::arguments::Source;
use crate::input;
use crate::progress::PATIENCE;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// The program, with an input for each axis that it does not declare itself.
pub(crate) fn program(
    source: &Source,
    axes: &[Axis],
    terminal: &Terminal,
) -> Result<Program, Stop> {
    let (text, _) = input::text(source)?;
    check_named(&text, axes)?;
    input::program_with(source, |text| declarations(text, axes), terminal)
}

/// Measures the program at each point, in the order of the points.
pub(crate) fn survey<T: Send>(
    program: &Program,
    axes: &[Axis],
    points: &[Vec<&str>],
    terminal: &Terminal,
    measure: impl Fn(&Program) -> Result<T, Stop> + Sync,
) -> Vec<Result<T, Stop>> {
    let results: Mutex<Vec<Option<Result<T, Stop>>>> =
        Mutex::new(points.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    let progress = Progress::new(points.len(), terminal);
    let work = || {
        let mut program = program.clone();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(point) = points.get(at) else { return };
            let result = set(&mut program, axes, point).and_then(|()| measure(&program));
            // A thread that panics ends the command; the others need not care.
            results.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[at] = Some(result);
            progress.step();
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(points.len());
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    results.into_iter().flatten().collect()
}

fn set(program: &mut Program, axes: &[Axis], point: &[&str]) -> Result<(), Stop> {
    for (axis, value) in axes.iter().zip(point) {
        program.set(&axis.name, value)?;
    }
    Ok(())
}

/// `12 of 21`, at a terminal, once it takes long.
struct Progress<'a> {
    begun: Instant,
    done: AtomicUsize,
    all: usize,
    terminal: Option<&'a Terminal>,
}

impl<'a> Progress<'a> {
    fn new(all: usize, terminal: &'a Terminal) -> Progress<'a> {
        let terminal = io::stderr().is_terminal().then_some(terminal);
        Progress { begun: Instant::now(), done: AtomicUsize::new(0), all, terminal }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(terminal) = self.terminal.filter(|_| self.begun.elapsed() > PATIENCE) {
            terminal.progress(&format!("{done} of {}", self.all));
        }
    }
}
