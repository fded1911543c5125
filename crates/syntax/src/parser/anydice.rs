//! Text that is plainly AnyDice's, answered with our spelling where it is one expression.

use super::Limits;
use super::state::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, line_end};
use crate::span::{SourceId, Span};

/// The names of AnyDice's bracket calls.
const CALLS: &[&str] = &["highest", "lowest", "middle", "explode", "count"];

/// The whole text as an AnyDice program: some line begins with `output`.
pub(super) fn recognise(text: &str, source: SourceId) -> Option<Diagnostic> {
    if !text.as_bytes().contains(&b'o') {
        return None;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        if body.starts_with("output") && is_output(line.trim()) {
            let at = start + (line.len() - body.len());
            let span = Span::new(source, at, at + "output".len());
            let whole = Span::new(source, at, at + line.trim().len());
            let one = text.trim() == line.trim();
            return Some(diagnose(span, whole, one.then(|| line.trim())));
        }
        start += line.len();
    }
    None
}

/// `output` and a blank, then what could only be AnyDice's: our `output` would be a name.
fn is_output(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("output").filter(|r| r.starts_with([' ', '\t'])) else {
        return false;
    };
    let rest = rest.trim_start();
    let die = rest
        .strip_prefix('d')
        .is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit() || c == '{'));
    let call = rest.strip_prefix('[').is_some_and(|r| CALLS.iter().any(|c| r.starts_with(c)));
    let set = rest.starts_with('{');
    let name = rest.starts_with(|c: char| c.is_ascii_uppercase());
    die || call || set || name || rest.starts_with(|c: char| c.is_ascii_digit() || c == '(')
}

fn diagnose(span: Span, whole: Span, written: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error("anydice", span, "this is AnyDice's notation");
    match written.and_then(translate) {
        Some(ours) => diagnostic.help(format!("write `{ours}`")).edit(whole, ours),
        None => diagnostic.help(
            "write each result as an expression, or `show \"name\" = …`; \
             `[highest 3 of 4d6]` is `4d6kh3`, `[explode d6]` is `d6!`",
        ),
    }
}

impl Parser<'_> {
    /// `[highest 3 of 4d6]` where a list would begin.
    pub(super) fn anydice_call_ahead(&self, open: Token) -> bool {
        let word = self.after(open);
        if word.kind != Kind::Word || !CALLS.contains(&self.text_of(word)) {
            return false;
        }
        let next = self.after(word);
        let rest = &self.text[word.end()..];
        let inside = &rest[..rest.find([']', '\n']).unwrap_or(rest.len())];
        match self.text_of(word) {
            "explode" => next.kind == Kind::Word && self.die_ahead(next, false),
            "count" => inside.contains(" in "),
            _ => inside.contains(" of "),
        }
    }

    /// The statement at hand holds AnyDice's notation from `start` on.
    pub(super) fn anydice_here(&mut self, start: usize) {
        let end = line_end(self.text, start);
        let rest = &self.text[start..end];
        let length = rest.find([';', '#']).unwrap_or(rest.len());
        let written = rest[..length].trim_end();
        let whole = self.span(start, start + written.len());
        // Within a translation there is nothing more to translate.
        let written = Some(written).filter(|_| !self.translated);
        self.fail(diagnose(whole, whole, written));
    }
}

/// Our spelling of one AnyDice expression, if it is one that we read without errors.
fn translate(written: &str) -> Option<String> {
    let body = written.strip_prefix("output").unwrap_or(written);
    let body = body.split(" named ").next().unwrap_or(body).trim().to_owned();
    let mut ours = body;
    // Each turn rewrites one innermost call; a line holds few.
    for _ in 0..16 {
        let Some(close) = ours.find(']') else { break };
        let open = ours[..close].rfind('[')?;
        let replacement = translate_call(&ours[open + 1..close])?;
        ours.replace_range(open..=close, &replacement);
    }
    if let Some((position, dice)) = ours.split_once('@') {
        let (position, dice) = (position.trim(), dice.trim());
        ours = position
            .bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| format!("nth_highest({dice}, {position})"))?;
    }
    let mut parser = Parser::new(&ours, SourceId(0), Limits::default());
    parser.translated = true;
    parser.file();
    parser.finish().0.is_empty().then_some(ours)
}

/// The inside of `[…]`.
fn translate_call(inside: &str) -> Option<String> {
    let (name, rest) = inside.trim().split_once(' ')?;
    let rest = rest.trim();
    match name {
        "explode" => Some(format!("{}!", pool(rest))),
        "count" => {
            let (values, dice) = rest.split_once(" in ")?;
            count(values.trim(), dice.trim())
        }
        "highest" | "lowest" | "middle" => {
            let (number, dice) = rest.split_once(" of ")?;
            let number: u32 = number.trim().parse().ok()?;
            Some(format!("{}k{}{number}", pool(dice.trim()), &name[..1]))
        }
        _ => None,
    }
}

/// Dice as they are, anything else in parentheses.
fn pool(dice: &str) -> String {
    let plain = dice.bytes().all(|b| b.is_ascii_digit() || b == b'd');
    if plain { dice.to_owned() } else { format!("({dice})") }
}

/// `[count {5, 6} in 4d6]`: one value, or the top or bottom of the die.
fn count(values: &str, dice: &str) -> Option<String> {
    let inner = values.trim_start_matches('{').trim_end_matches('}').replace("..", ",");
    let mut numbers =
        inner.split(',').map(|n| n.trim().parse().ok()).collect::<Option<Vec<u32>>>()?;
    numbers.sort_unstable();
    let (low, high) = (*numbers.first()?, *numbers.last()?);
    let run = values.contains("..")
        || numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    let sides: u32 = dice.rsplit('d').next()?.parse().ok()?;
    let dice = pool(dice);
    match () {
        () if low == high => Some(format!("{dice}cs={low}")),
        () if run && high == sides => Some(format!("{dice}cs>={low}")),
        () if run && low == 1 => Some(format!("{dice}cs<={high}")),
        () => None,
    }
}
