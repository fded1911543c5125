//! One token at a time, on demand.
//!
//! What a character means depends on where it stands: `[` opens a list or a label, `%` divides or
//! follows a `d`, `4d6kh3dl1` is a number, a die and two suffixes but `nd6` is one name. So there is no
//! list of tokens made beforehand: the parser asks for the token at a place, and where it knows better
//! it takes only a part of a word, or reads raw characters (texts, labels).

/// What kind of token it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Word,
    Quote,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Comma,
    Semicolon,
    Colon,
    Dot,
    DotDot,
    Pipe,
    Question,
    Arrow,
    Equal,
    EqualEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Star,
    StarStar,
    Slash,
    SlashSlash,
    Percent,
    Caret,
    Bang,
    BangBang,
    At,
    AndAnd,
    OrOr,
    LessGreater,
    /// A line's end, where lines matter. Never scanned: the parser makes it from [`Token::newline`].
    Newline,
    /// Characters that no token begins with.
    Strange,
    Eof,
}

/// A token and what stands before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// A line ends between the previous token and this one.
    pub(crate) newline: bool,
    /// A blank line stands directly before it.
    pub(crate) after_blank: bool,
    /// Something (blanks, a comment, a line's end) stands before it.
    pub(crate) gap: bool,
}

/// Words that are never names.
pub(crate) const KEYWORDS: &[&str] = &[
    "let", "fn", "enum", "param", "show", "require", "given", "note", "use", "as", "if", "then",
    "else", "match", "do", "end", "repeat", "with", "next", "until", "and", "or", "not", "true",
    "false", "none",
];

/// Whether the word is a keyword.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether the character is a blank within a line.
pub(crate) fn is_blank(c: char) -> bool {
    c != '\n' && (c.is_whitespace() || c == '\u{feff}')
}

/// The token at or after `from`.
pub(crate) fn scan(text: &str, from: usize) -> Token {
    let mut at = from;
    let mut newlines = 0usize;
    let mut newline = false;
    while let Some(c) = text[at..].chars().next() {
        if c == '\n' {
            newlines += 1;
            newline = true;
            at += 1;
        } else if is_blank(c) {
            at += c.len_utf8();
        } else if c == '#' {
            newlines = 0;
            at = line_end(text, at);
        } else {
            break;
        }
    }
    let (kind, length) = token_at(&text[at..]);
    let gap = at > from;
    Token { kind, start: at, end: at + length, newline, after_blank: newlines > 1, gap }
}

/// The place of the next `\n`, or the text's end.
pub(crate) fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |offset| from + offset)
}

fn token_at(rest: &str) -> (Kind, usize) {
    let Some(first) = rest.chars().next() else { return (Kind::Eof, 0) };
    if first.is_ascii_digit() {
        return (Kind::Number, number_length(rest));
    }
    if is_word_start(first) {
        return (Kind::Word, word_length(rest));
    }
    for (spelling, kind) in OPERATORS {
        if rest.starts_with(spelling) {
            return (*kind, spelling.len());
        }
    }
    (Kind::Strange, strange_length(rest))
}

/// Longer spellings stand before their beginnings.
const OPERATORS: &[(&str, Kind)] = &[
    ("..", Kind::DotDot),
    (".", Kind::Dot),
    ("=>", Kind::Arrow),
    ("==", Kind::EqualEqual),
    ("=", Kind::Equal),
    ("!!", Kind::BangBang),
    ("!=", Kind::NotEqual),
    ("!", Kind::Bang),
    ("<>", Kind::LessGreater),
    ("<=", Kind::LessEqual),
    ("<", Kind::Less),
    (">=", Kind::GreaterEqual),
    (">", Kind::Greater),
    ("+", Kind::Plus),
    ("-", Kind::Minus),
    ("**", Kind::StarStar),
    ("*", Kind::Star),
    ("//", Kind::SlashSlash),
    ("/", Kind::Slash),
    ("%", Kind::Percent),
    ("^", Kind::Caret),
    ("(", Kind::LParen),
    (")", Kind::RParen),
    ("[", Kind::LBracket),
    ("]", Kind::RBracket),
    ("{", Kind::LBrace),
    ("}", Kind::RBrace),
    (",", Kind::Comma),
    (";", Kind::Semicolon),
    (":", Kind::Colon),
    ("||", Kind::OrOr),
    ("|", Kind::Pipe),
    ("?", Kind::Question),
    ("\"", Kind::Quote),
    ("@", Kind::At),
    ("&&", Kind::AndAnd),
    ("−", Kind::Minus),
    ("×", Kind::Star),
    ("÷", Kind::Slash),
    ("≤", Kind::LessEqual),
    ("≥", Kind::GreaterEqual),
    ("≠", Kind::NotEqual),
];

/// Digits, and a dot only with digits on both sides.
fn number_length(rest: &str) -> usize {
    let whole = digits_length(rest);
    let after = &rest[whole..];
    match after.strip_prefix('.').map(digits_length) {
        Some(fraction) if fraction > 0 => whole + 1 + fraction,
        _ => whole,
    }
}

/// How many bytes of ASCII digits `rest` begins with.
pub(crate) fn digits_length(rest: &str) -> usize {
    rest.bytes().take_while(u8::is_ascii_digit).count()
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// How many bytes of a word `rest` begins with.
pub(crate) fn word_length(rest: &str) -> usize {
    rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
}

/// A run of characters that begin no token is one token, so that it is one error.
fn strange_length(rest: &str) -> usize {
    let known = |c: char| {
        c == '\n'
            || c == '#'
            || is_blank(c)
            || c.is_alphanumeric()
            || c == '_'
            || OPERATORS.iter().any(|(spelling, _)| spelling.starts_with(c))
    };
    let first = rest.chars().next().map_or(0, char::len_utf8);
    rest[first..].find(known).map_or(rest.len(), |offset| first + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut at = 0;
        let mut found = Vec::new();
        loop {
            let token = scan(text, at);
            if token.kind == Kind::Eof {
                return found;
            }
            found.push(token.kind);
            at = token.end;
        }
    }

    #[test]
    fn a_range_is_not_a_decimal() {
        assert_eq!(kinds("1..15"), [Kind::Number, Kind::DotDot, Kind::Number]);
        assert_eq!(kinds("1.5"), [Kind::Number]);
        assert_eq!(kinds("10.. =>"), [Kind::Number, Kind::DotDot, Kind::Arrow]);
    }

    #[test]
    fn double_bang_is_read_before_not_equal() {
        assert_eq!(kinds("!!=4"), [Kind::BangBang, Kind::Equal, Kind::Number]);
        assert_eq!(kinds("!=4"), [Kind::NotEqual, Kind::Number]);
    }

    #[test]
    fn printed_signs_are_read_as_typed_ones() {
        assert_eq!(kinds("−×÷≤≥≠"), kinds("- * / <= >= !="));
    }

    #[test]
    fn strange_characters_come_in_runs() {
        assert_eq!(kinds("$§$ 1"), [Kind::Strange, Kind::Number]);
    }

    #[test]
    fn blank_lines_are_seen_through_comments() {
        let token = scan("\n\n# c\nx", 0);
        assert!(token.newline && !token.after_blank);
        assert!(scan("# c\n\nx", 0).after_blank);
    }
}
