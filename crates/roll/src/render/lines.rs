//! What is said about a roll, line by line, before it is known how it looks.

use std::sync::Arc;

use astragal_program::core::Branch;
use astragal_value::Value;

use super::dice::pool_dice;
use super::{Detail, View};
use crate::explanation::{Base, PoolDie, Roll, Step, StepKind};

/// A line: how far it is indented, and its pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) depth: u32,
    pub(super) pieces: Vec<Piece>,
}

/// Text with a meaning.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) style: Style,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Words between other pieces.
    Text,
    /// Which dice and what is done to them.
    Words,
    /// A die that counts.
    Kept,
    /// A die that counts because of a mark for.
    For,
    /// A die that counts because of a mark against.
    Against,
    /// A die that does not count.
    Dropped,
    /// The arrow from a die to the next.
    Arrow,
    /// What a pool or an expression is worth.
    Total,
    /// A line in the game's words.
    Note,
}

impl Line {
    pub(super) fn new(depth: u32) -> Line {
        Line { depth, pieces: Vec::new() }
    }

    pub(super) fn push(&mut self, style: Style, text: impl Into<String>) {
        self.pieces.push(Piece { text: text.into(), style });
    }

    fn with(mut self, style: Style, text: impl Into<String>) -> Line {
        self.push(style, text);
        self
    }
}

/// The most pools and notes of a glance.
const MOST_AT_A_GLANCE: usize = 16;

pub(super) fn lines(roll: &Roll, view: &View<'_>) -> Vec<Line> {
    match view.detail {
        Detail::Glance => glance(roll, view),
        Detail::Full => full(roll, view),
    }
}

/// The dice, the notes, what the labels contribute, the outcome.
fn glance(roll: &Roll, view: &View<'_>) -> Vec<Line> {
    let mut said: Vec<(&Step, Line)> = Vec::new();
    let mut left_out = 0;
    for (index, step) in roll.steps.iter().enumerate() {
        if !worth_a_glance(step) {
            continue;
        }
        if said.len() == MOST_AT_A_GLANCE {
            left_out += 1;
            continue;
        }
        let mut line = Line::new(group_depth(roll, index));
        if let Some(name) = name_of(roll, index) {
            line.push(Style::Text, format!("{name} = "));
        }
        say(roll, view, step, &mut line);
        said.push((step, line));
    }
    let told = is_the_outcome(roll, &said) && left_out == 0;
    let mut lines: Vec<Line> = said.into_iter().map(|(_, line)| line).collect();
    if left_out > 0 {
        lines.push(Line::new(0).with(Style::Text, format!("… and {left_out} more")));
    }
    lines.extend(labels(roll));
    if !told {
        lines.extend(outcome(roll, view));
    }
    lines
}

fn worth_a_glance(step: &Step) -> bool {
    match &step.kind {
        StepKind::Pool { dice, merged, suffixes, .. } => {
            !merged && (!dice.is_empty() || !suffixes.is_empty())
        }
        StepKind::Note { .. } => true,
        StepKind::Named { .. }
        | StepKind::Branch { .. }
        | StepKind::Call { .. }
        | StepKind::Round { .. } => false,
    }
}

/// How many groups a pool is a member of: calls and rounds do not indent a glance.
fn group_depth(roll: &Roll, index: usize) -> u32 {
    let mut depth = roll.steps[index].depth;
    let mut groups = 0;
    for step in roll.steps[..index].iter().rev() {
        if step.depth < depth {
            depth = step.depth;
            groups += u32::from(matches!(step.kind, StepKind::Pool { .. }));
        }
    }
    groups
}

fn name_of(roll: &Roll, index: usize) -> Option<&Arc<str>> {
    roll.steps[index..].iter().find_map(|step| match &step.kind {
        StepKind::Named { name, pool: Some(pool), .. } if *pool == index => Some(name),
        _ => None,
    })
}

/// Whether the only line already ends in the outcome.
fn is_the_outcome(roll: &Roll, said: &[(&Step, Line)]) -> bool {
    let mut pools = said.iter().filter(|(_, line)| line.depth == 0);
    match (pools.next(), pools.next(), roll.results.as_slice()) {
        (Some((Step { kind: StepKind::Pool { total, .. }, .. }, _)), None, [(None, value)]) => {
            total == value && said.len() == 1
        }
        _ => false,
    }
}

/// Every step, then the labels and the outcome.
fn full(roll: &Roll, view: &View<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    for step in &roll.steps {
        let mut line = Line::new(step.depth);
        say(roll, view, step, &mut line);
        lines.push(line);
    }
    if roll.shortened {
        lines.push(Line::new(0).with(Style::Text, "… and more steps than are recorded"));
    }
    lines.extend(labels(roll));
    lines.extend(outcome(roll, view));
    lines
}

fn labels(roll: &Roll) -> Option<Line> {
    if roll.labels.is_empty() {
        return None;
    }
    let mut line = Line::new(0);
    for (i, (label, number)) in roll.labels.iter().enumerate() {
        line.push(Style::Text, format!("{}{label} ", if i == 0 { "" } else { ", " }));
        line.push(Style::Kept, number.to_string());
    }
    Some(line)
}

fn outcome(roll: &Roll, view: &View<'_>) -> Vec<Line> {
    let one = |(name, value): &(Option<Arc<str>>, Value)| {
        let name = match name {
            Some(name) => name.to_string(),
            None => view.expression.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        Line::new(0)
            .with(Style::Words, name)
            .with(Style::Text, " = ")
            .with(Style::Total, value.to_string())
    };
    roll.results.iter().map(one).collect()
}

/// One step on one line.
fn say(roll: &Roll, view: &View<'_>, step: &Step, line: &mut Line) {
    line.push(Style::Words, words(roll, view, step));
    match &step.kind {
        StepKind::Pool { dice, total, sorted, .. } => {
            line.push(Style::Text, ": ");
            pool_dice(roll, dice, *sorted, line);
            if !dice.is_empty() {
                line.push(Style::Text, " ");
            }
            ends_in(line, total);
        }
        StepKind::Named { value, .. } | StepKind::Call { result: value, .. } => {
            line.push(Style::Text, " ");
            ends_in(line, value);
        }
        StepKind::Branch { held, .. } => {
            line.push(Style::Text, ": ");
            line.push(Style::Total, Value::Bool(*held).to_string());
        }
        StepKind::Round { .. } => {}
        StepKind::Note { text } => {
            line.pieces.clear();
            line.push(Style::Note, format!("• {text}"));
        }
    }
}

fn ends_in(line: &mut Line, value: &Value) {
    line.push(Style::Text, "= ");
    line.push(Style::Total, value.to_string());
}

/// What a step is, without its value: `4d6 keep highest 3`, `if x >= 10`, `cofd.action(pool: 7)`.
pub(super) fn words(roll: &Roll, view: &View<'_>, step: &Step) -> String {
    match &step.kind {
        StepKind::Pool { base, suffixes, dice, .. } => {
            let base = match base {
                Base::Words(words) => words.to_string(),
                Base::Source(span) => view.text(*span),
            };
            let label = common_label(roll, dice).map(|label| format!(" [{label}]"));
            let gap = if suffixes.is_empty() { "" } else { " " };
            format!("{base}{gap}{}{}", suffixes.join(", "), label.unwrap_or_default())
        }
        StepKind::Named { name, .. } => name.to_string(),
        StepKind::Branch { origin, condition, .. } => {
            let word = match origin {
                Branch::If | Branch::Logic => "if",
                Branch::Arm => "match",
            };
            format!("{word} {}", view.text(*condition))
        }
        StepKind::Call { name, arguments, .. } => {
            let arguments: Vec<String> = arguments.iter().map(argument).collect();
            format!("{name}({})", arguments.join(", "))
        }
        StepKind::Round { number } => format!("round {number}"),
        StepKind::Note { text } => text.to_string(),
    }
}

fn argument((name, value): &(Option<Arc<str>>, Value)) -> String {
    match name {
        Some(name) => format!("{name}: {value}"),
        None => value.to_string(),
    }
}

fn common_label<'a>(roll: &'a Roll, dice: &[PoolDie]) -> Option<&'a Arc<str>> {
    let mut labels = dice.iter().map(|die| roll.dice.get(die.die? as usize)?.label.as_ref());
    let first = labels.next()??;
    labels.all(|label| label == Some(first)).then_some(first)
}
