//! Words behind dice that are no suffix: another tool's spelling, or what is said at a table.
//!
//! `5d10s8`, `4d6 best 3`, `d20 advantage`, `3d6 x 2`, `2d6 fire`: each is told how it is written here. A word that
//! could mean several things is told all of them.

use super::state::Parser;
use super::suffix::WORDS;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, is_keyword};
use crate::tree::{Expr, ExprKind, Sides};

/// What is written instead, and for which piece of text.
struct Instead {
    /// From the dice's start, or from behind them.
    from: usize,
    to: usize,
    /// Each way to write it, and what it does where there are several.
    ours: Vec<(String, String)>,
}

impl Instead {
    fn one(from: usize, to: usize, ours: String) -> Instead {
        Instead { from, to, ours: vec![(ours, String::new())] }
    }
}

impl Parser<'_> {
    /// Letters behind a pool that are no suffix.
    #[cold]
    #[inline(never)]
    pub(super) fn unknown_suffix(&mut self, token: Token, pool: &Expr) {
        let word = self.text_of(token);
        let found = self
            .twice_spelt(token)
            .or_else(|| self.many_times(token, pool))
            .or_else(|| self.advantage(token, pool))
            .or_else(|| self.best(token))
            .or_else(|| self.elsewhere(token))
            .or_else(|| self.misspelt(token))
            .or_else(|| self.comment(token, pool));
        let end = found.as_ref().map_or(token.end(), |instead| instead.to);
        let span = self.span(token.start(), end);
        let written = &self.text[span.range()];
        let diagnostic =
            Diagnostic::error("unknown-suffix", span, format!("`{written}` is not a known suffix"));
        let Some(instead) = found else {
            let help = match is_advantage(word) {
                Some(_) => "of two dice the higher counts in `2d20kh1`, the lower in `2d20kl1`",
                None => "suffixes are `kh kl km dh dl ! !! !p !o rr ro min max cs cf u sa sd`",
            };
            if token.gap() {
                return self.fail(diagnostic.help(help));
            }
            self.bump_as(Class::Suffix);
            return self.error(diagnostic.help(help));
        };
        let place = self.span(instead.from, instead.to);
        let mut diagnostic = diagnostic;
        for (ours, does) in instead.ours {
            let help = if does.is_empty() {
                format!("write `{ours}`")
            } else {
                format!("`{ours}` {does}")
            };
            diagnostic = diagnostic.help(help).edit(place, ours);
        }
        if WORDS.iter().any(|known| diagnostic.edits.iter().any(|edit| edit.replacement == *known))
        {
            // What follows belongs to the word as it is meant.
            return self.fail(diagnostic);
        }
        self.error(diagnostic);
        self.move_to(end);
    }

    /// `3d6!!p`: the dice explode twice, and penetrate.
    fn twice_spelt(&self, token: Token) -> Option<Instead> {
        let word = self.text_of(token);
        let rest = word.strip_prefix(['p', 'P'])?;
        let from = self.text[..token.start()].strip_suffix("!!")?.len();
        Some(Instead::one(from, token.end(), format!("!p{rest}")))
    }

    /// `4d6kh3 x6`, `3d6 x 2`: again and again, multiplied, or exploding as in Foundry.
    fn many_times(&self, token: Token, pool: &Expr) -> Option<Instead> {
        let rest = self.text_of(token).strip_prefix(['x', 'X'])?;
        let next = self.after(token);
        let (number, to) = match rest {
            "" if next.kind == Kind::Number && !next.newline() => (self.text_of(next), next.end()),
            _ => (rest, token.end()),
        };
        if !is_number(number) {
            return None;
        }
        let dice = &self.text[pool.span.range()];
        let ours = vec![
            (format!("times({number}, {dice})"), format!("rolls it {number} times")),
            (format!("{dice} * {number}"), "multiplies it".to_owned()),
            (format!("{dice}!{number}"), format!("explodes on {number}, as in Foundry")),
        ];
        Some(Instead { from: pool.span.start as usize, to, ours })
    }

    /// `d20 with advantage` begins here.
    pub(super) fn with_advantage_ahead(&self, token: Token) -> bool {
        let next = self.after(token);
        self.text_of(token) == "with"
            && !next.newline()
            && is_advantage(self.text_of(next)).is_some()
    }

    /// `d20 adv`, `2d20 disadvantage`
    fn advantage(&self, token: Token, pool: &Expr) -> Option<Instead> {
        let said = if self.with_advantage_ahead(token) { self.after(token) } else { token };
        let keep = is_advantage(self.text_of(said))?;
        let ExprKind::Dice { count, sides } = &pool.kind else { return None };
        let count = count.as_ref().map_or("1", |count| &self.text[count.span.range()]);
        let Sides::Number(sides) = sides else { return None };
        let from = pool.span.start as usize;
        let ours = format!("2d{sides}{keep}");
        matches!(count, "1" | "2").then(|| Instead::one(from, said.end(), ours))
    }

    /// `4d6 best 3`, `4d6h3`
    fn best(&self, token: Token) -> Option<Instead> {
        let word = self.text_of(token).to_ascii_lowercase();
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let keep = match letters {
            "best" | "highest" | "top" | "h" => "kh",
            "worst" | "lowest" | "bottom" | "l" => "kl",
            _ => return None,
        };
        let next = self.after(token);
        let digits = &word[letters.len()..];
        let (number, to) = match digits {
            "" if next.kind == Kind::Number && !next.newline() => (self.text_of(next), next.end()),
            "" => ("1", token.end()),
            digits => (digits, token.end()),
        };
        is_number(number).then(|| Instead::one(token.start(), to, format!("{keep}{number}")))
    }

    /// Another tool's suffix.
    fn elsewhere(&self, token: Token) -> Option<Instead> {
        let word = self.text_of(token);
        let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, number) = word.split_at(letters);
        let ours = elsewhere(name, number)?;
        Some(Instead::one(token.start(), token.end(), ours))
    }

    /// `4d6 kep highest 3`
    fn misspelt(&self, token: Token) -> Option<Instead> {
        let word = self.text_of(token);
        let long = WORDS.iter().copied().filter(|known| known.len() > 3);
        let ours = crate::suggest(word, long).filter(|_| token.gap() && word.len() > 2)?;
        Some(Instead::one(token.start(), token.end(), ours.to_owned()))
    }

    /// `2d6 fire + d6`: what the dice are for, up to the next operator.
    fn comment(&self, token: Token, pool: &Expr) -> Option<Instead> {
        if !token.gap() || is_advantage(self.text_of(token)).is_some() {
            return None;
        }
        let (mut last, mut next) = (token, self.after(token));
        while next.kind == Kind::Word && !next.newline() && !is_keyword(self.text_of(next)) {
            (last, next) = (next, self.after(next));
        }
        let over = next.newline()
            || matches!(
                next.kind,
                Kind::Eof
                    | Kind::Semicolon
                    | Kind::Comma
                    | Kind::RParen
                    | Kind::RBracket
                    | Kind::RBrace
                    | Kind::Plus
                    | Kind::Minus
                    | Kind::Star
                    | Kind::Slash
            );
        let words = &self.text[token.start()..last.end()];
        let dice = &self.text[pool.span.range()];
        let from = pool.span.start as usize;
        over.then(|| Instead::one(from, last.end(), format!("{dice}[{words}]")))
    }

    /// `4d6.max`: dice have no fields; what is asked of them are suffixes.
    #[cold]
    #[inline(never)]
    pub(super) fn method(&mut self, pool: &Expr) {
        let dot = self.bump();
        let name = self.bump();
        if self.real().kind == Kind::LParen && !self.real().gap() {
            self.inside_call();
        }
        let span = self.since(dot.start());
        let word = self.text_of(name);
        let dice = &self.text[pool.span.range()];
        let diagnostic = Diagnostic::error("no-fields", span, format!("dice have no `.{word}`"));
        self.error(match word {
            "max" | "highest" | "best" => {
                diagnostic.help(format!("the highest die is `{dice}kh1`")).edit(span, "kh1")
            }
            "min" | "lowest" | "worst" => {
                diagnostic.help(format!("the lowest die is `{dice}kl1`")).edit(span, "kl1")
            }
            "sum" | "total" => diagnostic.help("dice are their sum already").edit(span, ""),
            _ => diagnostic.help(format!("what is done to dice is a suffix, as in `{dice}kh1`")),
        });
    }
}

/// Which die of two counts, if the word says so.
fn is_advantage(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "adv" | "advantage" => Some("kh1"),
        "dis" | "disadv" | "disadvantage" => Some("kl1"),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Our spelling of another tool's suffix.
fn elsewhere(name: &str, number: &str) -> Option<String> {
    if !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let needs = |spelling: &str| (!number.is_empty()).then(|| format!("{spelling}{number}"));
    match name.to_ascii_lowercase().as_str() {
        "e" | "x" | "ie" => Some(format!("!{number}")),
        "xo" => Some(format!("!o{number}")),
        "t" => needs("cs>="),
        "tl" => needs("cs<="),
        "f" => needs("cf="),
        "mi" => needs("min"),
        "ma" => needs("max"),
        "ph" => Some(format!("dh{number}")),
        "pl" | "d" => Some(format!("dl{number}")),
        "p" => Some(format!("!p{number}")),
        "ir" => needs("rr<="),
        "s" => Some(needs("cs>=").unwrap_or_else(|| "sa".to_owned())),
        _ => None,
    }
}
