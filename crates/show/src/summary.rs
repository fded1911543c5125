//! What is known of the whole: mean, deviation, percentiles.

use astragal::{Answer, Rational};

use crate::decimal::{readable, root, short};
use crate::export::grid::Grid;
use crate::rows::shown;
use crate::weights::Weights;

/// The percentiles that are told.
const PERCENTILES: [u8; 5] = [5, 25, 50, 75, 95];

/// The moments and percentiles of one answer, as lines.
pub fn lines(answer: &Answer) -> Vec<String> {
    let Some(moments) = moments(answer) else { return Vec::new() };
    let mut lines = vec![moments];
    let told =
        percentiles(answer).into_iter().map(|(percent, value)| format!("{percent}% {value}"));
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        lines.push(format!("percentiles: {}", told.join(", ")));
    }
    lines
}

/// The same of several answers, a row each; none if there are no numbers.
pub fn grid(answers: &[(String, &Answer)]) -> Option<Grid> {
    let known = answers.iter().filter(|(_, answer)| answer.mean().is_some()).count();
    if known == 0 {
        return None;
    }
    let mut grid = Grid::default();
    grid.texts("");
    ["mean", "deviation"].iter().for_each(|head| grid.numbers(*head));
    PERCENTILES.iter().for_each(|percent| grid.numbers(format!("{percent}%")));
    for (name, answer) in answers {
        let mut cells = vec![name.clone()];
        let (mean, variance) = (answer.mean(), answer.variance());
        cells.push(mean.map_or_else(String::new, |mean| short(&mean, 4)));
        cells.push(variance.map_or_else(String::new, |it| short(&root(&it, 4), 4)));
        let told = percentiles(answer);
        let told = PERCENTILES.iter().map(|percent| {
            let found = told.iter().find(|(of, _)| of == percent);
            found.map_or_else(String::new, |(_, value)| value.clone())
        });
        cells.extend(told);
        grid.row(cells);
    }
    Some(grid)
}

/// The mean and the deviation, unless there is nothing to deviate; one that is more than any number says so.
fn moments(answer: &Answer) -> Option<String> {
    let (no_mean, no_variance) = answer.infinite();
    if no_mean {
        return Some("mean infinite".into());
    }
    let mean = readable(&answer.mean()?);
    if no_variance {
        return Some(format!("mean {mean}, standard deviation infinite"));
    }
    let variance = answer.variance()?;
    let deviation = || readable(&root(&variance, 4));
    (variance != Rational::ZERO).then(|| format!("mean {mean}, standard deviation {}", deviation()))
}

/// The smallest outcomes that are reached with so many percent.
pub fn percentiles(answer: &Answer) -> Vec<(u8, String)> {
    if answer.law.is_none() {
        return Vec::new();
    }
    let values: Vec<_> = answer.outcomes.values().iter().collect();
    let weights = Weights::of(answer, &values);
    let found = PERCENTILES.iter().filter_map(|percent| {
        let value = values.get(weights.percentile(*percent)?)?;
        Some((*percent, shown(value)))
    });
    found.collect()
}
