//! Suffixes: what is done to the dice on the table, in short (`kh3`) or in words (`keep highest 3`).

use super::expression::{comparison, is_dice};
use super::state::Parser;
use super::term::taken;
use crate::colour::Class;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, is_keyword};
use crate::tree::{
    Comparison, Condition, End, ExplodeLimit, ExplodeStyle, Expr, ExprKind, Order, Suffix,
    SuffixKind,
};

/// The short spellings, longest first.
const SHORT: &[&str] = &[
    "min", "max", "kh", "kl", "km", "dh", "dl", "rr", "ro", "cs", "cf", "sa", "sd", "k", "r", "u",
];

/// The words that begin a suffix.
pub(super) const WORDS: &[&str] = &[
    "keep",
    "drop",
    "explode",
    "compound",
    "penetrate",
    "reroll",
    "at",
    "count",
    "unique",
    "drawn",
    "ascending",
    "descending",
];

/// Longer runs of letters are no suffixes; the search stays short.
const LONGEST_RUN: usize = 64;

/// The first suffix of a run of letters that is made of known suffixes throughout, or `None`.
/// The longest one wins, as long as the rest can be split too (`kmax5` is `k max5`).
pub(super) fn first_suffix(run: &str) -> Option<&'static str> {
    let run = run.as_bytes();
    if run.len() > LONGEST_RUN {
        return None;
    }
    if let Some(only) = SHORT.iter().find(|s| s.as_bytes().eq_ignore_ascii_case(run)) {
        return Some(only);
    }
    let begins = |at: usize, short: &str| {
        run.get(at..at + short.len()).is_some_and(|b| b.eq_ignore_ascii_case(short.as_bytes()))
    };
    let mut splits = [false; LONGEST_RUN + 1];
    splits[run.len()] = true;
    for at in (0..run.len()).rev() {
        splits[at] = SHORT.iter().any(|s| begins(at, s) && splits[at + s.len()]);
    }
    SHORT.iter().find(|s| begins(0, s) && splits[s.len()]).copied()
}

impl Parser<'_> {
    /// `suffix`: takes one more into the pool; false if none follows.
    pub(super) fn suffix(&mut self, pool: &mut Expr, start: usize) -> bool {
        let token = self.real();
        let found = match token.kind {
            Kind::Bang | Kind::BangBang => Some((self.short_explode(pool), false)),
            _ => self.letter_suffix(token, pool),
        };
        let Some((kind, words)) = found else { return false };
        if has_condition(&kind) && self.kind() == Kind::DotDot && !self.real().gap() {
            self.refuse_faces(token.start());
        }
        let suffix = Suffix { kind, words, span: self.since(token.start()) };
        let inner = Box::new(taken(pool));
        *pool = self.node(ExprKind::Suffixed { pool: inner, suffix }, start);
        true
    }

    fn letter_suffix(&mut self, token: Token, pool: &Expr) -> Option<(SuffixKind, bool)> {
        let word = self.text_of(token);
        if self.with_advantage_ahead(token) {
            self.unknown_suffix(token, pool);
            return None;
        }
        let elsewhere = self.brackets > 0 && word == "for"
            || self.bests > 0 && word == "by"
            || self.versus_ahead().is_some();
        if is_keyword(word) || elsewhere || self.arm_ahead(token) {
            return None;
        }
        if self.die_ahead(token, true) {
            return Some((self.ambiguous_drop(token, pool), false));
        }
        if let Some(kind) = self.word_suffix(token) {
            return Some((kind, true));
        }
        let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        if let Some(short) = first_suffix(&word[..letters]) {
            return Some((self.short_suffix(short, pool), false));
        }
        if is_dice(pool) || !token.gap() {
            self.unknown_suffix(token, pool);
        }
        None
    }

    /// Behind a match's subject, `keep => …` is its first arm.
    fn arm_ahead(&self, token: Token) -> bool {
        self.no_range && matches!(self.after(token).kind, Kind::Arrow | Kind::Comma | Kind::Dot)
    }

    // Short forms

    fn short_suffix(&mut self, short: &str, pool: &Expr) -> SuffixKind {
        let start = self.start();
        self.split(short.len(), Class::Suffix);
        let place = self.span(start, start + short.len());
        match short {
            "k" | "kh" => SuffixKind::Keep(End::Highest, self.optional_count()),
            "kl" => SuffixKind::Keep(End::Lowest, self.optional_count()),
            "km" => SuffixKind::Keep(End::Middle, self.optional_count()),
            "dh" => SuffixKind::Drop(End::Highest, self.optional_count()),
            "dl" => SuffixKind::Drop(End::Lowest, self.optional_count()),
            "r" | "rr" | "ro" => {
                let condition = self.reroll_condition(place, pool);
                self.in_all(SuffixKind::Reroll { once: short == "ro", condition })
            }
            "min" => SuffixKind::AtLeast(self.value("min2")),
            "max" => SuffixKind::AtMost(self.value("max5")),
            "cs" => SuffixKind::CountFor(self.condition("cs")),
            "cf" => SuffixKind::CountAgainst(self.condition("cf")),
            "u" => SuffixKind::Unique,
            "sa" => SuffixKind::Ascending,
            _ => SuffixKind::Descending,
        }
    }

    /// `!`, `!!`, `!p`, `!o>=9 up to 3`
    fn short_explode(&mut self, pool: &Expr) -> SuffixKind {
        let token = self.bump_as(Class::Suffix);
        let mut style = ExplodeStyle::Separate;
        if token.kind == Kind::BangBang {
            style = ExplodeStyle::Compound;
        } else if self.glued_letter('p') {
            style = ExplodeStyle::Penetrate;
        }
        let once = self.glued_letter('o');
        let trigger = self.short_trigger();
        if let Some(trigger) = &trigger {
            self.refuse_strict_trigger(token.start(), trigger, pool);
        }
        self.limited(style, trigger, once)
    }

    /// Takes a letter that belongs to the `!` before it.
    fn glued_letter(&mut self, letter: char) -> bool {
        let token = self.real();
        let word = self.real_word();
        if token.gap() || is_keyword(word) {
            return false;
        }
        let Some(rest) = word.strip_prefix([letter, letter.to_ascii_uppercase()]) else {
            return false;
        };
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let run = &rest[..letters];
        let fits = run.is_empty() || first_suffix(run).is_some() || run.eq_ignore_ascii_case("o");
        if fits {
            self.split(1, Class::Suffix);
        }
        fits
    }

    fn short_trigger(&mut self) -> Option<Condition> {
        let token = self.real();
        if token.newline() {
            return None;
        }
        match token.kind {
            Kind::Number | Kind::LParen => Some(self.equal_trigger()),
            // `!=` is always a comparison of the total.
            Kind::NotEqual | Kind::LessGreater => None,
            // With a blank before it, it compares the total: `5d6! > 5d6!`.
            kind if comparison(kind).is_some() && token.gap() => {
                self.hint_at_trigger(token);
                None
            }
            kind if comparison(kind).is_some() => Some(self.condition("!")),
            _ => None,
        }
    }

    /// `d6! >= 5` may have meant `d6!>=5`.
    fn hint_at_trigger(&mut self, token: Token) {
        let value = self.after(token);
        let dice = self.text_of(self.after(value)).starts_with(['d', 'D']);
        if value.kind != Kind::Number || dice {
            return;
        }
        let (span, text) = (self.span_of(token), self.text_of(token));
        let help = match token.kind {
            Kind::Less => "to say on which faces the dice explode, write them like `!<=2`",
            Kind::Greater => "to say on which faces the dice explode, write them like `!>=5`",
            _ => "to say on which faces the dice explode, leave out the blank before it",
        };
        self.error(
            Diagnostic::hint(
                "explode-or-compare",
                span,
                format!("`{text}` compares the total here"),
            )
            .help(help),
        );
    }

    /// A trigger without a comparison: `!5`.
    fn equal_trigger(&mut self) -> Condition {
        let start = self.start();
        let value = self.value("!5");
        Condition { comparison: Comparison::Equal, value, span: self.since(start) }
    }

    /// An explosion with its limits: for each die, and for all together.
    fn limited(
        &mut self,
        style: ExplodeStyle,
        trigger: Option<Condition>,
        once: bool,
    ) -> SuffixKind {
        let limit = if once { ExplodeLimit::Once } else { ExplodeLimit::Endless };
        let Some(most) = self.limit() else { return SuffixKind::Explode { style, trigger, limit } };
        if let Some(first) = self.all_together() {
            let act = Box::new(SuffixKind::Explode { style, trigger, limit });
            return SuffixKind::InAll { act, most, first };
        }
        self.in_all(SuffixKind::Explode { style, trigger, limit: ExplodeLimit::UpTo(most) })
    }

    /// What throws dice, with a limit for all together if one follows.
    fn in_all(&mut self, act: SuffixKind) -> SuffixKind {
        let start = self.start();
        let Some(most) = self.limit() else { return act };
        let first = self.all_together().unwrap_or_else(|| {
            let span = self.since(start);
            let end = self.span(self.last_end, self.last_end);
            self.error(
                Diagnostic::error("limit-of-what", span, "it is not said whose limit this is")
                    .help("a limit for all dice together is written `up to 3 in all`")
                    .edit(end, " in all"),
            );
            Order::Thrown
        });
        SuffixKind::InAll { act: Box::new(act), most, first }
    }

    /// `limit`, up to its number.
    fn limit(&mut self) -> Option<Box<Expr>> {
        let token = self.real();
        self.suffix_word(&["up"])?;
        let to = self.after(token);
        if !self.text_of(to).eq_ignore_ascii_case("to") || to.newline() {
            return None;
        }
        self.bump_as(Class::Suffix);
        self.bump_as(Class::Suffix);
        let most = self.limit_count();
        self.take_suffix_word(&["times", "time"]);
        Some(most)
    }

    /// `in all`, and who is first.
    fn all_together(&mut self) -> Option<Order> {
        self.suffix_words("in", "all")?;
        if self.suffix_words("lowest", "first").is_some() {
            return Some(Order::Lowest);
        }
        let highest = self.suffix_words("highest", "first").is_some();
        Some(if highest { Order::Highest } else { Order::Thrown })
    }

    /// Takes two words if both are ahead.
    fn suffix_words(&mut self, one: &'static str, two: &str) -> Option<()> {
        let token = self.real();
        self.suffix_word(&[one])?;
        let next = self.after(token);
        if next.newline() || !self.text_of(next).eq_ignore_ascii_case(two) {
            return None;
        }
        self.bump_as(Class::Suffix);
        self.bump_as(Class::Suffix);
        Some(())
    }

    fn limit_count(&mut self) -> Box<Expr> {
        match self.optional_count() {
            Some(count) => count,
            None => self.no_value("a number", "a limit is written `up to 3`"),
        }
    }

    // Words

    /// The lower-case form of the word ahead on this line, if it is one of these.
    fn suffix_word(&mut self, words: &[&'static str]) -> Option<&'static str> {
        if self.real().newline() {
            return None;
        }
        let word = self.real_word();
        words.iter().find(|w| w.eq_ignore_ascii_case(word)).copied()
    }

    fn take_suffix_word(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let found = self.suffix_word(words)?;
        self.bump_as(Class::Suffix);
        Some(found)
    }

    /// A suffix in words, if one is ahead.
    fn word_suffix(&mut self, token: Token) -> Option<SuffixKind> {
        let word = self.suffix_word(WORDS)?;
        if word == "at" {
            let next = self.text_of(self.after(token));
            if !["least", "most"].iter().any(|w| w.eq_ignore_ascii_case(next)) {
                return None;
            }
        }
        self.bump_as(Class::Suffix);
        Some(match word {
            "keep" | "drop" => self.keep_or_drop(word),
            "explode" => self.explode_words(ExplodeStyle::Separate),
            "compound" => self.explode_words(ExplodeStyle::Compound),
            "penetrate" => self.explode_words(ExplodeStyle::Penetrate),
            "reroll" => {
                let once = self.take_suffix_word(&["once"]).is_some();
                let condition = self.condition("reroll ");
                self.in_all(SuffixKind::Reroll { once, condition })
            }
            "at" => match self.take_suffix_word(&["least", "most"]) {
                Some("least") => SuffixKind::AtLeast(self.value("at least 2")),
                _ => SuffixKind::AtMost(self.value("at most 5")),
            },
            "count" => match self.take_suffix_word(&["against"]) {
                Some(_) => SuffixKind::CountAgainst(self.condition("count against ")),
                None => SuffixKind::CountFor(self.condition("count ")),
            },
            "unique" => SuffixKind::Unique,
            "drawn" => self.drawn(),
            "ascending" => SuffixKind::Ascending,
            _ => SuffixKind::Descending,
        })
    }

    /// What is out of the bag, after `drawn`.
    fn drawn(&mut self) -> SuffixKind {
        let mut without = Vec::new();
        while self.take_suffix_word(&["without"]).is_some() {
            without.push(self.gone());
        }
        SuffixKind::Drawn(without)
    }

    /// `3d6 keep 2`, `4d6 drop the lowest`
    #[cold]
    #[inline(never)]
    fn which_dice(&mut self, word: &str, ends: &[&'static str]) {
        let what = format!("`{}`", ends.join("`, `"));
        let list = ends.join(&format!("`, `{word} "));
        let diagnostic =
            self.expected(&what).help(format!("say which dice to {word}: `{word} {list}`"));
        let token = self.real();
        let start = token.start();
        if token.kind == Kind::Number {
            let usual = if word == "keep" { "highest " } else { "lowest " };
            self.error(diagnostic.edit(self.span(start, start), usual));
        } else if self.text_of(token) == "the" {
            let next = self.after(token).start();
            self.fail(diagnostic.edit(self.span(start, next), ""));
        } else {
            self.error(diagnostic);
        }
    }

    fn keep_or_drop(&mut self, word: &str) -> SuffixKind {
        let ends: &[&'static str] =
            if word == "keep" { &["highest", "lowest", "middle"] } else { &["highest", "lowest"] };
        let end = match self.take_suffix_word(ends) {
            Some("lowest") => End::Lowest,
            Some("middle") => End::Middle,
            Some(_) => End::Highest,
            None => {
                self.which_dice(word, ends);
                End::Highest
            }
        };
        let count = self.optional_count();
        if word == "keep" { SuffixKind::Keep(end, count) } else { SuffixKind::Drop(end, count) }
    }

    fn explode_words(&mut self, style: ExplodeStyle) -> SuffixKind {
        let once = self.take_suffix_word(&["once"]).is_some();
        let trigger = self.take_suffix_word(&["on"]).map(|_| {
            let kind = self.real().kind;
            if matches!(kind, Kind::Number | Kind::Minus | Kind::LParen) {
                self.equal_trigger()
            } else {
                self.condition("explode on ")
            }
        });
        self.limited(style, trigger, once)
    }
}

/// Whether a suffix ends with a condition, or may.
fn has_condition(kind: &SuffixKind) -> bool {
    match kind {
        SuffixKind::Explode { trigger, limit, .. } => {
            trigger.is_some() && !matches!(limit, ExplodeLimit::UpTo(_))
        }
        SuffixKind::Reroll { .. } | SuffixKind::CountFor(_) | SuffixKind::CountAgainst(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::first_suffix;

    #[test]
    fn the_longest_known_suffix_comes_first() {
        assert_eq!(first_suffix("umin"), Some("u"));
        assert_eq!(first_suffix("KHSA"), Some("kh"));
        assert_eq!(first_suffix("kmax"), Some("k"));
        assert_eq!(first_suffix("xyz"), None);
        assert_eq!(first_suffix(&"u".repeat(100)), None);
    }
}
