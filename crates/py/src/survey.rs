//! One program at many values of its inputs, on all cores.
//!
//! The values of each input are listed once; a point is a place in each list. So ten million points take the room of their
//! answers, and not of ten million texts.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use astragal::{Budget, Program, Rational};
use astragal_show::decimal::float;
use astragal_show::svg;
use astragal_show::sweep::{Input, Measure};
use astragal_vary::{
    Axis, Column, Condition, Goal, Measure as Wanted, Refusal, Solution, columns, number, target,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::answer::bytes;
use crate::ask::{PyBudget, PyCancel, Request};
use crate::errors::{is_stopped, refused, stopped};
use crate::number::fraction;
use crate::program::PyProgram;
use crate::shown::look;
use crate::threads::{count, on_threads};

/// So many points are taken at a time.
const AT_ONCE: usize = 16;

/// What a program says at many points.
#[pyclass(frozen, module = "astragal._core", name = "Survey")]
pub(crate) struct PySurvey {
    axes: Vec<Axis>,
    points: usize,
    columns: Vec<Measured>,
    /// Points at which the program cannot be computed, and why at the first of them.
    refused: Vec<usize>,
}

/// One number at each point.
struct Measured {
    title: String,
    chance: bool,
    rounded: bool,
    values: Vec<Option<Rational>>,
}

/// Where the points are: in every combination of the values, the last input fastest, or at these places in the lists.
enum Places {
    All,
    Listed(Vec<Vec<u32>>),
}

impl Places {
    /// The place in each list.
    fn of(&self, point: usize, axes: &[Axis], places: &mut [usize]) {
        match self {
            Places::All => {
                let mut left = point;
                for (place, axis) in places.iter_mut().zip(axes).rev() {
                    let count = axis.values.len().max(1);
                    (*place, left) = (left % count, left / count);
                }
            }
            Places::Listed(codes) => {
                for (place, codes) in places.iter_mut().zip(codes) {
                    *place = codes[point] as usize;
                }
            }
        }
    }
}

/// What is asked at each point.
struct Asked<'a> {
    program: &'a Program,
    axes: &'a [Axis],
    places: &'a Places,
    field: &'a [String],
    conditions: &'a [Condition],
    /// The conditions alone.
    only: bool,
    budget: &'a Budget,
}

impl Asked<'_> {
    fn at(
        &self,
        point: usize,
        program: &mut Program,
        last: &mut [usize],
    ) -> Result<Vec<Column>, Refusal> {
        let mut places = vec![0; last.len()];
        self.places.of(point, self.axes, &mut places);
        for ((axis, place), last) in self.axes.iter().zip(places).zip(last) {
            if *last != place {
                program.set(&axis.name, &axis.values[place])?;
                *last = place;
            }
        }
        let mut found = columns(program, self.field, self.conditions, self.budget)?.columns;
        found.retain(|column| !self.only || column.asked);
        Ok(found)
    }
}

/// An answer, with the number of its point.
type Found = (usize, Result<Vec<Column>, Refusal>);

/// Computes every point: each combination of the values, or the places in `codes` (32-bit words, one list an input).
#[pyfunction]
#[pyo3(signature = (of, axes, codes, field, conditions, only, skip, threads, budget, cancel, progress))]
#[allow(clippy::too_many_arguments, reason = "the package alone calls this, by position")]
pub(crate) fn survey(
    py: Python<'_>,
    of: &PyProgram,
    axes: Vec<(String, Vec<String>)>,
    codes: Option<Vec<Bound<'_, PyBytes>>>,
    field: Vec<String>,
    conditions: Vec<String>,
    only: bool,
    skip: bool,
    threads: Option<usize>,
    budget: Option<&PyBudget>,
    cancel: Option<&PyCancel>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PySurvey> {
    let axes: Vec<Axis> = axes.into_iter().map(|(name, values)| Axis { name, values }).collect();
    let conditions = conditions.iter().map(|text| Condition::parse(text));
    let conditions = conditions.collect::<Result<Vec<_>, _>>().map_err(|why| refused(py, &why))?;
    let (places, points) = placed(codes, &axes);
    let request = Request::on_threads(budget, cancel);
    let asked = Asked {
        program: &of.0,
        axes: &axes,
        places: &places,
        field: &field,
        conditions: &conditions,
        only,
        budget: &request.budget,
    };
    let threads = count(threads).min(points.max(1));
    let mut found = surveyed(py, &asked, points, threads, skip, &request, progress)?;
    if let Some(at) = found.iter().position(|(_, found)| found.is_err()).filter(|_| !skip) {
        return Err(failed(py, &axes, &places, found.swap_remove(at)));
    }
    Ok(PySurvey::of(axes, points, found))
}

fn placed(codes: Option<Vec<Bound<'_, PyBytes>>>, axes: &[Axis]) -> (Places, usize) {
    let Some(codes) = codes else {
        return (Places::All, axes.iter().map(|axis| axis.values.len()).product());
    };
    let words = |bytes: &Bound<'_, PyBytes>| {
        let (words, _) = bytes.as_bytes().as_chunks::<4>();
        words.iter().map(|word| u32::from_ne_bytes(*word)).collect::<Vec<u32>>()
    };
    let codes: Vec<Vec<u32>> = codes.iter().map(words).collect();
    let points = codes.first().map_or(0, Vec::len);
    (Places::Listed(codes), points)
}

/// All answers in the order of their points. Unless points may be skipped, the first that fails ends the work.
fn surveyed(
    py: Python<'_>,
    asked: &Asked<'_>,
    points: usize,
    threads: usize,
    skip: bool,
    request: &Request,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Found>> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let all = Mutex::new(Vec::new());
    let flag = &request.flag;
    let work = || {
        let mut program = asked.program.clone();
        let mut last = vec![usize::MAX; asked.axes.len()];
        let mut own: Vec<Found> = Vec::new();
        loop {
            let first = next.fetch_add(AT_ONCE, Ordering::Relaxed);
            if first >= points || flag.load(Ordering::Relaxed) {
                break;
            }
            for point in first..(first + AT_ONCE).min(points) {
                let found = asked.at(point, &mut program, &mut last);
                let ends = found.is_err() && !skip;
                own.push((point, found));
                if ends {
                    flag.store(true, Ordering::Relaxed);
                    break;
                }
                done.fetch_add(1, Ordering::Relaxed);
            }
        }
        if let Ok(mut all) = all.lock() {
            all.append(&mut own);
        }
    };
    on_threads(py, threads, flag, work, |py| match &progress {
        Some(tell) => tell.bind(py).call1((done.load(Ordering::Relaxed), points)).map(drop),
        None => Ok(()),
    })?;
    let mut all = all.into_inner().unwrap_or_default();
    all.sort_unstable_by_key(|(point, _)| *point);
    let is_stopped = |found: &Found| found.1.as_ref().err().is_some_and(is_stopped);
    let failed = |found: &Found| found.1.is_err() && !is_stopped(found);
    // What failed counts for more than what was stopped by it.
    if !skip && all.iter().any(failed) {
        all.retain(|found| !is_stopped(found));
    } else if all.len() < points || all.iter().any(is_stopped) {
        return Err(stopped(py));
    }
    Ok(all)
}

/// The exception of a point, which says where it was.
fn failed(py: Python<'_>, axes: &[Axis], places: &Places, (point, found): Found) -> PyErr {
    let Err(why) = found else { return PyValueError::new_err("nothing failed") };
    let error = refused(py, &why);
    let mut at = vec![0; axes.len()];
    places.of(point, axes, &mut at);
    let settings =
        axes.iter().zip(at).map(|(axis, at)| format!("{}={}", axis.name, axis.values[at]));
    let words = settings.collect::<Vec<_>>().join(", ");
    match error.value(py).setattr("at", &words) {
        Ok(()) => error,
        Err(other) => other,
    }
}

impl PySurvey {
    fn of(axes: Vec<Axis>, points: usize, found: Vec<Found>) -> PySurvey {
        let mut columns: Vec<Measured> = Vec::new();
        let mut refused = Vec::new();
        for (point, found) in found {
            let Ok(found) = found else {
                refused.push(point);
                continue;
            };
            for (place, column) in found.into_iter().enumerate() {
                let is_it = |known: &Measured| known.title == column.title;
                // Mostly every point says the same things in the same order.
                let known = columns.get(place).is_some_and(is_it).then_some(place);
                let known = known.or_else(|| columns.iter().position(is_it)).unwrap_or_else(|| {
                    let Column { title, chance, rounded, .. } = &column;
                    let values = vec![None; points];
                    let (title, chance, rounded) = (title.clone(), *chance, *rounded);
                    columns.push(Measured { title, chance, rounded, values });
                    columns.len() - 1
                });
                columns[known].chance &= column.chance;
                columns[known].values[point] = Some(column.value);
            }
        }
        PySurvey { axes, points, columns, refused }
    }

    fn titled(&self, title: &str) -> PyResult<&Measured> {
        self.columns.iter().find(|column| column.title == title).ok_or_else(|| {
            let known: Vec<&str> = self.columns.iter().map(|own| own.title.as_str()).collect();
            let wrong = format!("there is no column `{title}`: there are {}", known.join(", "));
            PyValueError::new_err(wrong)
        })
    }
}

#[pymethods]
impl PySurvey {
    fn __len__(&self) -> usize {
        self.points
    }

    /// Titles, whether they are chances, and whether they are rounded.
    fn columns(&self) -> Vec<(&str, bool, bool)> {
        self.columns.iter().map(|own| (own.title.as_str(), own.chance, own.rounded)).collect()
    }

    /// The points at which there is no answer.
    fn refused(&self) -> Vec<usize> {
        self.refused.clone()
    }

    /// A number at each point, as a fraction; none where there is no such number.
    fn fractions<'py>(&self, py: Python<'py>, title: &str) -> PyResult<Bound<'py, PyList>> {
        let values = &self.titled(title)?.values;
        let values = values.iter().map(|own| own.as_ref().map(|own| fraction(py, own)).transpose());
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// The same as floats, in bytes; not a number where there is none.
    fn floats<'py>(&self, py: Python<'py>, title: &str) -> PyResult<Bound<'py, PyBytes>> {
        let values = &self.titled(title)?.values;
        let floats = values.iter().map(|own| own.as_ref().map_or(f64::NAN, float));
        Ok(bytes(py, &floats.collect::<Vec<_>>()))
    }

    /// How each number is written: `45.31%`, `3.625`.
    fn texts(&self, title: &str) -> PyResult<Vec<String>> {
        let own = self.titled(title)?;
        let measure =
            Measure { title: String::new(), chance: own.chance, values: own.values.clone() };
        Ok((0..self.points).map(|at| measure.text(at, 0)).collect())
    }

    /// A chart of lines over one input, a heat map over two; none over more.
    fn drawing(
        &self,
        title: &str,
        width: Option<u32>,
        height: Option<u32>,
        theme: &str,
    ) -> PyResult<Option<String>> {
        let look = look(width, height, theme)?;
        let input = |axis: &Axis| Input { name: axis.name.clone(), values: axis.values.clone() };
        let drawn = self.columns.iter().filter(|own| !own.rounded);
        let measures: Vec<Measure> = drawn
            .map(|own| Measure {
                title: own.title.clone(),
                chance: own.chance,
                values: own.values.clone(),
            })
            .collect();
        Ok(match self.axes.as_slice() {
            [axis] => Some(svg::lines(title, &input(axis), &measures, &look)),
            [rows, columns] => {
                Some(svg::map(title, &input(rows), &input(columns), &measures, &look))
            }
            _ => None,
        })
    }

    /// Which values of the only input bring a number to a goal: the answer in one line, and the places of the values that do.
    fn solve(&self, title: &str, goal: &str, at_most: bool) -> PyResult<(String, Vec<usize>)> {
        let own = self.titled(title)?;
        let [axis] = self.axes.as_slice() else {
            return Err(PyValueError::new_err("`solve` looks for one input"));
        };
        let asked = |why: Refusal| match why {
            Refusal::Asked(why) => PyValueError::new_err(why),
            Refusal::Program(wrong) => PyValueError::new_err(wrong.to_string()),
        };
        let (of, reach) = match own.chance {
            true => (Wanted::Chance, target(goal).map_err(asked)?),
            false => {
                let wrong = || PyValueError::new_err(format!("`{goal}` is no number"));
                (Wanted::Mean, number(goal).ok_or_else(wrong)?)
            }
        };
        let goal = Goal { of, target: reach, text: goal.to_owned(), at_most };
        let known = axis.values.iter().zip(&own.values);
        let points: Vec<_> = known.filter_map(|(value, own)| Some((value, own.clone()?))).collect();
        if points.is_empty() {
            return Err(PyValueError::new_err("there is no answer at any of the values"));
        }
        let refused = self.refused.iter().map(|at| &axis.values[*at]).collect();
        let solution = Solution { axis, goal, points, refused };
        let place = |value: &String| axis.values.iter().position(|own| own == value);
        let found = solution.found().filter_map(|(value, _)| place(value)).collect();
        Ok((solution.headline_or_nearest(), found))
    }
}
