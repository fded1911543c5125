//! What is said about a roll, line by line, before it is known how it looks.

use std::sync::Arc;

use astragal_program::core::{Branch, Who};
use astragal_syntax::span::{SourceId, Span};
use astragal_value::{Number, Value};

use super::dice::pool_dice;
use super::{Detail, View};
use crate::explanation::Roll;
use crate::steps::{Base, PoolDie, Said, Step, StepKind};

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

    /// Without styles.
    fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    fn with(mut self, style: Style, text: impl Into<String>) -> Line {
        self.push(style, text);
        self
    }
}

/// The most pools and notes of a glance.
const MOST_AT_A_GLANCE: usize = 16;

/// The most pieces of a line of single dice.
const LONG_LINE: usize = 40;

pub(super) fn lines(roll: &Roll, view: &View<'_>) -> Vec<Line> {
    let again = again(roll, view).map(|words| Line::new(0).with(Style::Note, format!("• {words}")));
    let rest = match view.detail {
        Detail::Glance => glance(roll, view),
        Detail::Full => full(roll, view),
    };
    again.into_iter().chain(rest).collect()
}

/// How often it was thrown again, and until what held.
pub(super) fn again(roll: &Roll, view: &View<'_>) -> Option<String> {
    let times = match roll.again().iter().map(|(_, times)| times).sum::<u64>() {
        0 => return None,
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    let conditions = roll.again().iter().map(|(span, _)| format!("`{}`", view.text(*span)));
    let conditions = conditions.collect::<Vec<_>>().join(" and ");
    Some(format!("thrown again {times} until {conditions} held"))
}

/// The dice, the notes, what the labels contribute, the outcome.
fn glance(roll: &Roll, view: &View<'_>) -> Vec<Line> {
    let links = Links::of(roll);
    let steps: Vec<usize> =
        (0..roll.steps.len()).filter(|&index| links.worth_a_glance(roll, index)).collect();
    let mut lines: Vec<Line> = Vec::new();
    let (mut single, mut left_out) = (false, 0);
    for &index in &steps {
        let joins = std::mem::replace(&mut single, links.is_single(roll, index)) && single;
        if lines.len() == MOST_AT_A_GLANCE {
            left_out += 1;
            continue;
        }
        let mut line = Line::new(group_depth(roll, index));
        if let Some(name) = links.names[index] {
            line.push(Style::Text, format!("{name}, "));
        }
        say(roll, view, &roll.steps[index], &mut line);
        match lines.last_mut() {
            Some(last) if joins && last.depth == line.depth && last.pieces.len() < LONG_LINE => {
                last.push(Style::Text, ", ");
                last.pieces.extend(line.pieces);
            }
            _ => lines.push(line),
        }
    }
    if left_out > 0 {
        lines.push(Line::new(0).with(Style::Text, format!("… and {left_out} more")));
    }
    lines.extend(labels(roll));
    if !is_the_outcome(roll, &steps) {
        let outcome: Vec<Line> = outcome(roll, view).into_iter().collect();
        // `mean(hp kh1) = 6` is said once.
        lines.pop_if(|last| outcome.iter().any(|line| line.text() == last.text()));
        lines.extend(outcome);
    }
    lines
}

/// How steps refer to each other.
pub(super) struct Links<'r> {
    /// The name that each pool got.
    pub(super) names: Vec<Option<&'r Arc<str>>>,
    /// Whether a later pool shows the same dice.
    used_again: Vec<bool>,
}

impl<'r> Links<'r> {
    pub(super) fn of(roll: &'r Roll) -> Links<'r> {
        let mut names = vec![None; roll.steps.len()];
        let mut used_again = vec![false; roll.steps.len()];
        for step in roll.steps.iter() {
            match &step.kind {
                StepKind::Named { name, pool: Some(pool), .. } if is_own(step.span) => {
                    names[*pool].get_or_insert(name);
                }
                StepKind::Pool { base: Base::Again { pool, .. }, .. } => used_again[*pool] = true,
                StepKind::Pool { .. }
                | StepKind::Named { .. }
                | StepKind::Branch { .. }
                | StepKind::Call { .. }
                | StepKind::Round { .. }
                | StepKind::Measured { .. }
                | StepKind::Chosen { .. }
                | StepKind::Note { .. } => {}
            }
        }
        Links { names, used_again }
    }

    pub(super) fn worth_a_glance(&self, roll: &Roll, index: usize) -> bool {
        match &roll.steps[index].kind {
            StepKind::Pool { dice, merged, suffixes, .. } => {
                let shown_later = suffixes.as_slice().is_empty() && self.used_again[index];
                !merged && !shown_later && (!dice.is_empty() || !suffixes.as_slice().is_empty())
            }
            StepKind::Note { .. } | StepKind::Measured { .. } | StepKind::Chosen { .. } => true,
            StepKind::Named { .. }
            | StepKind::Branch { .. }
            | StepKind::Call { .. }
            | StepKind::Round { .. } => false,
        }
    }

    /// Whether the step is one die to which nothing was done: such dice may share a line.
    fn is_single(&self, roll: &Roll, index: usize) -> bool {
        match &roll.steps[index].kind {
            StepKind::Pool { dice, suffixes, .. } => {
                dice.len() == 1 && suffixes.as_slice().is_empty() && self.names[index].is_none()
            }
            _ => false,
        }
    }
}

/// How many groups a pool is a member of: calls and rounds do not indent a glance.
pub(super) fn group_depth(roll: &Roll, index: usize) -> u32 {
    let mut depth = roll.steps[index].depth;
    let mut groups = 0;
    for step in (0..index).rev().map(|before| &roll.steps[before]) {
        if step.depth < depth {
            depth = step.depth;
            groups += u32::from(matches!(step.kind, StepKind::Pool { .. }));
        }
    }
    groups
}

/// Whether the only thing that was said ends in the outcome.
fn is_the_outcome(roll: &Roll, said: &[usize]) -> bool {
    if !roll.lone {
        return false;
    }
    match (said, roll.results().as_slice()) {
        ([only], [(None, value)]) => match &roll.steps[*only].kind {
            StepKind::Pool { total, .. } => total.value() == **value,
            StepKind::Measured { value: told } => told == *value,
            _ => false,
        },
        _ => false,
    }
}

/// Every step, then the labels and the outcome.
fn full(roll: &Roll, view: &View<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    for step in roll.steps.iter() {
        let mut line = Line::new(step.depth);
        say(roll, view, step, &mut line);
        lines.push(line);
    }
    if roll.shortened() {
        lines.push(Line::new(0).with(Style::Text, "… and more steps than are recorded"));
    }
    lines.extend(labels(roll));
    lines.extend(outcome(roll, view));
    lines
}

fn labels(roll: &Roll) -> Option<Line> {
    if roll.labels().is_empty() {
        return None;
    }
    let mut line = Line::new(0);
    for (i, (label, number)) in roll.labels().iter().enumerate() {
        line.push(Style::Text, format!("{}{label} ", if i == 0 { "" } else { ", " }));
        line.push(Style::Kept, number.to_string());
    }
    Some(line)
}

fn outcome(roll: &Roll, view: &View<'_>) -> Vec<Line> {
    let one = |(name, value): (Option<&Arc<str>>, &Value)| {
        let name = match name {
            Some(name) => name.to_string(),
            None if is_short(view.expression) => view.expression.trim().to_owned(),
            None => "result".to_owned(),
        };
        Line::new(0)
            .with(Style::Words, name)
            .with(Style::Text, " = ")
            .with(Style::Total, in_short(value))
    };
    roll.results().into_iter().map(one).collect()
}

/// Whether an expression may stand before its value.
fn is_short(expression: &str) -> bool {
    expression.trim().lines().count() == 1 && expression.trim().chars().count() <= 60
}

/// One step on one line.
fn say(roll: &Roll, view: &View<'_>, step: &Step, line: &mut Line) {
    line.push(Style::Words, words(roll, view, step));
    match &step.kind {
        StepKind::Pool { dice, total, sorted, .. } => {
            line.push(Style::Text, ": ");
            let before = line.pieces.len();
            pool_dice(roll, &roll.dice_of(dice), *sorted, line);
            let total = &total.value();
            match &line.pieces[before..] {
                [] => ends_in(line, total),
                [only] if only.text == total.to_string() && only.style == Style::Kept => {}
                _ => {
                    line.push(Style::Text, " ");
                    ends_in(line, total);
                }
            }
        }
        StepKind::Named { value, .. }
        | StepKind::Call { result: value, .. }
        | StepKind::Measured { value } => {
            line.push(Style::Text, " ");
            ends_in(line, value);
        }
        StepKind::Branch { held, .. } => {
            line.push(Style::Text, ": ");
            line.push(Style::Total, Value::Bool(*held).to_string());
        }
        StepKind::Round { .. } => {}
        StepKind::Chosen { options, worth, is_chance, taken, best, .. } => {
            line.push(Style::Text, ": ");
            line.push(Style::Total, options[*taken].to_string());
            let why = match worth {
                Some(worth) => {
                    let worth: Vec<_> = worth.iter().map(|worth| worth.worth(*is_chance)).collect();
                    why(options, &worth, *taken, *best)
                }
                None => judged(options, *taken, *best),
            };
            line.push(Style::Text, why);
        }
        StepKind::Note { text } => {
            line.pieces.clear();
            line.push(Style::Note, format!("• {text}"));
        }
    }
}

/// What speaks for a choice: ` (throw again: 10.5, keep: 7)`. Of many options only those that matter are said.
fn why(options: &[Arc<str>], worth: &[String], taken: usize, best: Option<usize>) -> String {
    let said = |at: usize| format!("{}: {}", options[at], worth[at]);
    let mut shown: Vec<usize> = vec![taken];
    shown.extend(best.filter(|best| *best != taken));
    let mut others: Vec<usize> = (0..options.len()).filter(|at| !shown.contains(at)).collect();
    others.truncate(4usize.saturating_sub(shown.len()));
    shown.extend(&others);
    let left = options.len() - shown.len();
    let more = if left > 0 { format!(", and {left} more") } else { String::new() };
    let said: Vec<String> = shown.into_iter().map(said).collect();
    let judged = match best {
        Some(best) if best != taken => format!("; best was {}", options[best]),
        _ => String::new(),
    };
    format!(" ({}{more}{judged})", said.join(", "))
}

/// The same where nobody knows what all options are worth.
fn judged(options: &[Arc<str>], taken: usize, best: Option<usize>) -> String {
    match best {
        Some(best) if best != taken => format!(" (best was {})", options[best]),
        Some(_) if options.len() > 1 => " (the best)".into(),
        _ => String::new(),
    }
}

fn ends_in(line: &mut Line, value: &Value) {
    line.push(Style::Text, "= ");
    line.push(Style::Total, in_short(value));
}

/// A value; a long fraction with its decimals.
fn in_short(value: &Value) -> String {
    match value.as_number().and_then(Number::roughly) {
        Some(decimals) => format!("{value} ≈ {decimals}"),
        None => value.to_string(),
    }
}

/// What a step is, without its value: `4d6 keep highest 3`, `if x >= 10`, `cofd.action(pool: 7)`.
pub(super) fn words(roll: &Roll, view: &View<'_>, step: &Step) -> String {
    match &step.kind {
        StepKind::Pool { base, suffixes, dice, .. } => {
            let suffixes = suffixes.as_slice();
            let base = base_words(roll, view, base, step.span);
            let label = common_label(roll, &roll.dice_of(dice)).map(|label| format!(" [{label}]"));
            let gap = if suffixes.is_empty() { "" } else { " " };
            let suffixes: Vec<String> = suffixes.iter().map(Said::to_string).collect();
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
        StepKind::Measured { .. } => view.text(step.span),
        StepKind::Chosen { who: Who::Player, .. } => "choose".into(),
        StepKind::Chosen { who: Who::Opponent, .. } => "the opponent chooses".into(),
        StepKind::Note { text } => text.to_string(),
    }
}

/// Whether a place is in the user's own text: names that a system gives its dice mean nothing to who plays it.
fn is_own(span: Span) -> bool {
    span.source == SourceId(0)
}

fn base_words(roll: &Roll, view: &View<'_>, base: &Base, at: Span) -> String {
    match base {
        Base::Dice { count: 1, kind } => kind.name().to_string(),
        Base::Dice { count, kind } => format!("{count}{}", kind.name()),
        Base::Again { name: Some(name), .. } if view.detail == Detail::Full => name.to_string(),
        Base::Again { name, pool } => match roll.steps.get(*pool).map(|step| (step, &step.kind)) {
            Some((thrown, StepKind::Pool { base: Base::Dice { .. } | Base::Source(_), .. })) => {
                let name = name.as_ref().filter(|_| is_own(at)).map(|name| format!("{name}, "));
                name.unwrap_or_default() + &words(roll, view, thrown)
            }
            _ => name.as_deref().filter(|_| is_own(at)).unwrap_or("the same dice").to_owned(),
        },
        Base::Source(span) if !is_own(*span) && view.detail == Detail::Glance => "dice".into(),
        Base::Source(span) => view.text(*span),
    }
}

fn argument((name, value): &(Option<Arc<str>>, Value)) -> String {
    match name {
        Some(name) => format!("{name}: {value}"),
        None => value.to_string(),
    }
}

fn common_label<'a>(roll: &'a Roll, dice: &[PoolDie]) -> Option<&'a Arc<str>> {
    let mut labels = dice.iter().map(|die| roll.dice.get(die.die?)?.label);
    let first = labels.next()??;
    labels.all(|label| label == Some(first)).then_some(first)
}
