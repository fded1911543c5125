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

/// A token and what stands before it. It is asked for all the time, so it is two words, which are handed on in
/// registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// From the lowest bit: what stands before it, its length, where it begins.
    packed: u64,
}

/// A line ends between the previous token and this one.
const NEWLINE: u64 = 1;
/// A blank line stands directly before it.
const AFTER_BLANK: u64 = 2;
/// Something (blanks, a comment, a line's end) stands before it.
const GAP: u64 = 4;
const FLAGS: u32 = 3;
const LENGTH: u32 = 29;

/// The longest text that is read: lengths in it have 29 bits.
pub(crate) const LONGEST: usize = (1 << LENGTH) - 1;

impl Token {
    fn new(kind: Kind, start: usize, length: usize) -> Token {
        Token { kind, packed: (start as u64) << (FLAGS + LENGTH) | (length as u64) << FLAGS }
    }

    #[inline]
    pub(crate) fn start(self) -> usize {
        (self.packed >> (FLAGS + LENGTH)) as usize
    }

    #[inline]
    pub(crate) fn end(self) -> usize {
        self.start() + (self.packed >> FLAGS) as usize % (1 << LENGTH)
    }

    /// Whether a line ends between the previous token and this one.
    #[inline]
    pub(crate) fn newline(self) -> bool {
        self.packed & NEWLINE != 0
    }

    /// Whether a blank line stands directly before it.
    #[inline]
    pub(crate) fn after_blank(self) -> bool {
        self.packed & AFTER_BLANK != 0
    }

    /// Whether anything stands before it.
    #[inline]
    pub(crate) fn gap(self) -> bool {
        self.packed & GAP != 0
    }

    /// The token after one that is left out.
    pub(crate) fn after(self, left_out: Token) -> Token {
        Token { packed: self.packed | left_out.packed & NEWLINE | GAP, ..self }
    }

    /// The token as if it stood on the line before.
    pub(crate) fn joined(self) -> Token {
        Token { packed: self.packed & !NEWLINE, ..self }
    }
}

/// Whether the word is a keyword: never a name.
pub(crate) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "let"
            | "fn"
            | "enum"
            | "param"
            | "show"
            | "require"
            | "given"
            | "note"
            | "use"
            | "as"
            | "if"
            | "then"
            | "else"
            | "match"
            | "maximise"
            | "minimise"
            | "choose"
            | "oppose"
            | "do"
            | "end"
            | "repeat"
            | "with"
            | "next"
            | "until"
            | "and"
            | "or"
            | "not"
            | "true"
            | "false"
            | "none"
    )
}

/// Whether the character is a blank within a line.
pub(crate) fn is_blank(c: char) -> bool {
    c != '\n' && (c.is_whitespace() || c == '\u{feff}')
}

/// The token at or after `from`, in a text that is not too long.
pub(crate) fn scan(text: &str, from: usize) -> Token {
    let mut at = from;
    let mut newlines = 0usize;
    let mut newline = false;
    loop {
        match text.as_bytes().get(at) {
            Some(b' ') => at += 1,
            Some(b'\n') => {
                newlines += 1;
                newline = true;
                at += 1;
            }
            Some(b'#') => {
                newlines = 0;
                at = line_end(text, at);
            }
            Some(byte) if byte.is_ascii_graphic() => break,
            _ => match text[at..].chars().next().filter(|c| is_blank(*c)) {
                Some(blank) => at += blank.len_utf8(),
                None => break,
            },
        }
    }
    let (kind, length) = token_at(&text[at..]);
    let mut token = Token::new(kind, at, length);
    let flags = [(newline, NEWLINE), (newlines > 1, AFTER_BLANK), (at > from, GAP)];
    flags.into_iter().filter(|(holds, _)| *holds).for_each(|(_, flag)| token.packed |= flag);
    token
}

/// The place of the next `\n`, or the text's end.
pub(crate) fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |offset| from + offset)
}

fn token_at(rest: &str) -> (Kind, usize) {
    match rest.as_bytes().first() {
        None => return (Kind::Eof, 0),
        Some(b'0'..=b'9') => return (Kind::Number, number_length(rest)),
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => return (Kind::Word, word_length(rest)),
        _ => {}
    }
    match rest.chars().next() {
        Some(first) if first.is_alphabetic() => (Kind::Word, word_length(rest)),
        first => first
            .and_then(|first| operator(first, rest))
            .unwrap_or_else(|| (Kind::Strange, strange_length(rest))),
    }
}

/// The operator that `rest` begins with, of which this is the first character. Two characters that are one
/// operator are read as such.
fn operator(first: char, rest: &str) -> Option<(Kind, usize)> {
    let kind = match (first, rest.as_bytes().get(1)) {
        ('.', Some(b'.')) => return Some((Kind::DotDot, 2)),
        ('.', _) => Kind::Dot,
        ('=', Some(b'>')) => return Some((Kind::Arrow, 2)),
        ('=', Some(b'=')) => return Some((Kind::EqualEqual, 2)),
        ('=', _) => Kind::Equal,
        ('!', Some(b'!')) => return Some((Kind::BangBang, 2)),
        ('!', Some(b'=')) => return Some((Kind::NotEqual, 2)),
        ('!', _) => Kind::Bang,
        ('<', Some(b'>')) => return Some((Kind::LessGreater, 2)),
        ('<', Some(b'=')) => return Some((Kind::LessEqual, 2)),
        ('<', _) => Kind::Less,
        ('>', Some(b'=')) => return Some((Kind::GreaterEqual, 2)),
        ('>', _) => Kind::Greater,
        ('+', _) => Kind::Plus,
        ('-' | '−', _) => Kind::Minus,
        ('*', Some(b'*')) => return Some((Kind::StarStar, 2)),
        ('*' | '×', _) => Kind::Star,
        ('/', Some(b'/')) => return Some((Kind::SlashSlash, 2)),
        ('/' | '÷', _) => Kind::Slash,
        ('%', _) => Kind::Percent,
        ('^', _) => Kind::Caret,
        ('(', _) => Kind::LParen,
        (')', _) => Kind::RParen,
        ('[', _) => Kind::LBracket,
        (']', _) => Kind::RBracket,
        ('{', _) => Kind::LBrace,
        ('}', _) => Kind::RBrace,
        (',', _) => Kind::Comma,
        (';', _) => Kind::Semicolon,
        (':', _) => Kind::Colon,
        ('|', Some(b'|')) => return Some((Kind::OrOr, 2)),
        ('|', _) => Kind::Pipe,
        ('?', _) => Kind::Question,
        ('"', _) => Kind::Quote,
        ('@', _) => Kind::At,
        ('&', Some(b'&')) => return Some((Kind::AndAnd, 2)),
        ('&', _) => Kind::AndAnd,
        ('≤', _) => Kind::LessEqual,
        ('≥', _) => Kind::GreaterEqual,
        ('≠', _) => Kind::NotEqual,
        _ => return None,
    };
    Some((kind, first.len_utf8()))
}

/// Digits, and a dot only with digits on both sides.
fn number_length(rest: &str) -> usize {
    let whole = digits_length(rest);
    if rest.as_bytes().get(whole) != Some(&b'.') {
        return whole;
    }
    match digits_length(&rest[whole + 1..]) {
        0 => whole,
        fraction => whole + 1 + fraction,
    }
}

/// How many bytes of ASCII digits `rest` begins with.
pub(crate) fn digits_length(rest: &str) -> usize {
    rest.bytes().take_while(u8::is_ascii_digit).count()
}

/// How many bytes of a word `rest` begins with.
pub(crate) fn word_length(rest: &str) -> usize {
    let plain = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    match rest.as_bytes().get(plain) {
        Some(byte) if !byte.is_ascii() => {
            rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
        }
        _ => plain,
    }
}

/// A run of characters that begin no token is one token, so that it is one error.
fn strange_length(rest: &str) -> usize {
    let known = |c: char| {
        c == '\n'
            || c == '#'
            || is_blank(c)
            || c.is_alphanumeric()
            || c == '_'
            || operator(c, "").is_some()
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
            at = token.end();
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
        assert!(token.newline() && !token.after_blank());
        assert!(scan("# c\n\nx", 0).after_blank());
    }
}
