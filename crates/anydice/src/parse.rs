//! From text to tree.

mod mistake;

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::{Comparison, Integer};
use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use rustc_hash::FxHashMap;

use self::mistake::foreign;
use crate::token::{Token, place, tokens};
use crate::tree::{
    Binary, Expr, ExprKind, Function, Kind, Part, Piece, Program, Setting, Statement,
    StatementKind, Text, Unary,
};

pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

/// Parentheses, blocks and signs may stand inside each other so deep.
const DEEPEST: usize = 150;
/// So many operators may follow each other.
const LONGEST_CHAIN: usize = 1000;
/// A number has no more digits than that.
const MOST_DIGITS: usize = 10_000;
/// A text is no longer than that.
const MOST_BYTES: usize = 4 << 20;

/// Binary operators from the loosest to the tightest; those of one line bind alike.
const LEVELS: [&[(&str, Binary)]; 6] = [
    &[("&", Binary::Both), ("|", Binary::Either)],
    &[
        ("<", Binary::Compare(Comparison::Less)),
        (">", Binary::Compare(Comparison::Greater)),
        ("<=", Binary::Compare(Comparison::AtMost)),
        (">=", Binary::Compare(Comparison::AtLeast)),
        ("=", Binary::Compare(Comparison::Equal)),
        ("!=", Binary::Compare(Comparison::NotEqual)),
    ],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide)],
    &[("^", Binary::Power)],
    &[("@", Binary::At)],
];

/// Reads a program.
pub(crate) fn program(text: &str) -> Read<Program> {
    if text.len() > MOST_BYTES {
        let message = "this is too long for a program";
        return Err(Box::new(Diagnostic::error("too-long", place(0, 0), message)));
    }
    let mut parser = Parser { tokens: tokens(text)?, ..Parser::default() };
    let mut statements = Vec::new();
    while parser.peek() != Token::End {
        statements.push(parser.statement()?);
    }
    let Parser { variables, signatures, .. } = parser;
    Ok(Program {
        statements,
        variables: variables.list,
        signatures: signatures.list,
        length: text.len(),
    })
}

/// Names with their numbers.
#[derive(Default)]
struct Names {
    list: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, usize>,
}

impl Names {
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let name: Arc<str> = name.into();
        self.list.push(Arc::clone(&name));
        self.numbers.insert(name, self.list.len() - 1);
        self.list.len() - 1
    }
}

#[derive(Default)]
struct Parser<'t> {
    tokens: Vec<(Token<'t>, Span)>,
    at: usize,
    depth: usize,
    in_function: bool,
    variables: Names,
    signatures: Names,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at].0
    }

    fn after(&self, count: usize) -> Token<'t> {
        self.tokens[(self.at + count).min(self.tokens.len() - 1)].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// From a place to the end of what was read last.
    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.at.saturating_sub(1)].1)
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn take(&mut self, token: Token<'_>) -> bool {
        let there = self.peek() == token;
        if there {
            self.next();
        }
        there
    }

    fn expect(&mut self, sign: &'static str, why: &str) -> Read<()> {
        if self.take(Token::Sign(sign)) {
            return Ok(());
        }
        let error = self.unexpected(&format!("`{sign}` is missing {why}"));
        let error = match self.peek() {
            Token::Word(word) if foreign(word).is_some() => {
                return Err(Box::new(error.help(foreign(word).unwrap_or(""))));
            }
            Token::Sign("..") => error.help("a sequence stands in braces: `{1..6}`"),
            Token::Sign("(") => error.help("calls stand in brackets: `[highest 3 of 4d6]`"),
            _ => error.help(format!("put `{sign}` here")),
        };
        let before = self.tokens[self.at.saturating_sub(1)].1;
        let end = place(before.end as usize, before.end as usize);
        Err(Box::new(error.edit(end, sign)))
    }

    fn unexpected(&self, message: &str) -> Diagnostic {
        let found = match self.peek() {
            Token::End => "the program ends here".to_owned(),
            Token::Number(text) | Token::Variable(text) | Token::Word(text) => {
                format!("`{text}` stands here")
            }
            Token::Text(_) => "a name in quotes stands here".to_owned(),
            Token::Sign(sign) => format!("`{sign}` stands here"),
        };
        Diagnostic::error("syntax", self.span(), message).label(found)
    }

    fn wrong<T>(&self, message: &str, help: &str) -> Read<T> {
        Err(Box::new(self.unexpected(message).help(help)))
    }

    /// Something that may hold more of its own kind.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEEPEST {
            let error = Diagnostic::error("too-deep", self.span(), "this is nested too deeply");
            return Err(Box::new(error.help("give parts of it to variables first")));
        }
        self.depth += 1;
        let found = stacker::maybe_grow(128 << 10, 2 << 20, || read(self));
        self.depth -= 1;
        found
    }

    fn statement(&mut self) -> Read<Statement> {
        let start = self.span();
        let kind = self.nested(Self::statement_kind)?;
        Ok(Statement { kind, span: self.since(start) })
    }

    fn statement_kind(&mut self) -> Read<StatementKind> {
        match self.peek() {
            Token::Variable(name) => {
                self.next();
                let variable = self.variables.number(name);
                self.assigned(name)?;
                Ok(StatementKind::Assign(variable, self.expr()?))
            }
            Token::Word("output") => self.outside("output").and_then(|()| self.output()),
            Token::Word("set") => self.outside("set").and_then(|()| self.setting()),
            Token::Word("function") => self.outside("function").and_then(|()| self.function()),
            Token::Word("loop") => self.repeated(),
            Token::Word("if") => {
                self.next();
                self.condition()
            }
            Token::Word("result") => self.result(),
            _ => Err(Box::new(self.no_statement())),
        }
    }

    /// The `:` of an assignment; often something else stands there.
    fn assigned(&mut self, name: &str) -> Read<()> {
        if self.take(Token::Sign(":")) {
            return Ok(());
        }
        let span = self.span();
        if let Some(error) = self.wrong_case(name).or_else(|| self.large_die()) {
            return Err(Box::new(error));
        }
        let error = self.unexpected(&format!("`{name}` is given no value here"));
        Err(Box::new(match self.peek() {
            Token::Sign("=") => {
                error.help("a variable gets its value with `:`, as in `X: 3`").edit(span, ":")
            }
            _ => error.help(format!("write `{name}: …` to give it a value, or `output {name}`")),
        }))
    }

    /// What a function may not hold.
    fn outside(&mut self, word: &str) -> Read<()> {
        if !self.in_function {
            self.next();
            return Ok(());
        }
        let message = format!("`{word}` cannot stand inside a function");
        let error = Diagnostic::error("syntax", self.span(), message);
        let span = self.span();
        Err(Box::new(match word {
            "output" => error
                .help("a function gives its value with `result:`; output the call instead")
                .edit(span, "result:"),
            _ => error.help("put it before or behind the function"),
        }))
    }

    fn output(&mut self) -> Read<StatementKind> {
        let value = self.expr()?;
        if !self.take(Token::Word("named")) {
            return Ok(StatementKind::Output(value, None));
        }
        let name = self.text("a name in quotes follows `named`, as in `named \"two dice\"`")?;
        Ok(StatementKind::Output(value, Some(name)))
    }

    /// A text with the variables in it.
    fn text(&mut self, help: &str) -> Read<Text> {
        let (Token::Text(text), span) = (self.peek(), self.span()) else {
            return self.wrong("a text is missing", help);
        };
        self.next();
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('[') {
            let name = after.split_once(']').map_or("", |(name, _)| name);
            let is_name =
                !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            if is_name {
                pieces.push(Piece::Plain(before.to_owned()));
                let from = span.start as usize + 1 + (text.len() - after.len());
                let variable = self.variables.number(name);
                pieces.push(Piece::Variable(variable, place(from, from + name.len())));
                rest = &after[name.len() + 1..];
            } else {
                pieces.push(Piece::Plain(format!("{before}[")));
                rest = after;
            }
        }
        pieces.push(Piece::Plain(rest.to_owned()));
        Ok(pieces)
    }

    fn setting(&mut self) -> Read<StatementKind> {
        const KNOWN: &str =
            "there are \"position order\", \"explode depth\" and \"maximum function depth\"";
        let (Token::Text(name), span) = (self.peek(), self.span()) else {
            return self.wrong("the name of a setting is missing", KNOWN);
        };
        self.next();
        if !self.take(Token::Word("to")) {
            return self.wrong("`to` is missing", "write `set \"explode depth\" to 3`");
        }
        Ok(StatementKind::Set(match name {
            "position order" => Setting::LowestFirst(self.order()?),
            "explode depth" => Setting::ExplodeDepth(self.expr()?),
            "maximum function depth" => Setting::FunctionDepth(self.expr()?),
            _ => {
                let message = format!("there is no setting \"{name}\"");
                let error = Diagnostic::error("unknown-setting", span, message).help(KNOWN);
                let known = ["position order", "explode depth", "maximum function depth"];
                let near = astragal_syntax::suggest(name, known.into_iter());
                return Err(Box::new(match near {
                    Some(near) => error.edit(span, format!("\"{near}\"")),
                    None => error,
                }));
            }
        }))
    }

    fn order(&mut self) -> Read<bool> {
        let lowest = match self.peek() {
            Token::Text("lowest first") => true,
            Token::Text("highest first") => false,
            _ => {
                let help = "write \"highest first\" or \"lowest first\"";
                return self.wrong("the order of positions is missing", help);
            }
        };
        self.next();
        Ok(lowest)
    }

    fn function(&mut self) -> Read<StatementKind> {
        self.expect(":", "behind `function`")?;
        let mut name: Vec<&str> = Vec::new();
        let mut parameters = Vec::new();
        loop {
            match self.peek() {
                Token::Word(word) => {
                    self.next();
                    name.push(word);
                }
                Token::Variable(parameter) => {
                    self.next();
                    name.push("_");
                    let variable = self.variables.number(parameter);
                    parameters.push((variable, self.kind_of_parameter()?));
                }
                Token::Sign("{") if !name.is_empty() => break,
                Token::Sign("{") => {
                    let help =
                        "write words and parameters, as in `function: best of A:n and B:n {`";
                    return self.wrong("this function has no name", help);
                }
                _ => {
                    let help = "its name is made of small words and of parameters in capitals, each with \
                                `:n`, `:s` or `:d` if it is to be a number, a sequence or a die";
                    return self.wrong("this cannot stand in a function's name", help);
                }
            }
        }
        let signature = self.signatures.number(&name.join(" "));
        self.in_function = true;
        let body = self.block();
        self.in_function = false;
        let function = Function { signature, parameters, body: body? };
        Ok(StatementKind::Function(Rc::new(function)))
    }

    fn kind_of_parameter(&mut self) -> Read<Kind> {
        if !self.take(Token::Sign(":")) {
            return Ok(Kind::Any);
        }
        let kind = match self.peek() {
            Token::Word("n") => Kind::Number,
            Token::Word("s") => Kind::Sequence,
            Token::Word("d") => Kind::Die,
            Token::Sign("?") => Kind::Any,
            _ => {
                let help =
                    "there are `n` (number), `s` (sequence), `d` (die) and `?` (any of them)";
                return self.wrong("this is no type of a parameter", help);
            }
        };
        self.next();
        Ok(kind)
    }

    fn block(&mut self) -> Read<Vec<Statement>> {
        let open = self.span();
        self.expect("{", "before the block")?;
        let mut statements: Vec<Statement> = Vec::new();
        while !self.take(Token::Sign("}")) {
            if self.peek() == Token::End {
                let error = self.unexpected("a `}` is missing");
                return Err(Box::new(error.also(open, "this is never closed")));
            }
            let ended =
                statements.last().filter(|last| matches!(last.kind, StatementKind::Result(_)));
            if let Some(ended) = ended {
                let error = self.unexpected("nothing can follow `result:` in its block");
                let error = error.also(ended.span, "the function ends here");
                return Err(Box::new(error.help("put it before `result:`, or use `else`")));
            }
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn repeated(&mut self) -> Read<StatementKind> {
        self.next();
        let Token::Variable(name) = self.peek() else {
            let help = "write `loop X over {1..6} { … }`";
            return self.wrong("a loop needs a variable in capitals", help);
        };
        self.next();
        let variable = self.variables.number(name);
        if !self.take(Token::Word("over")) {
            return self.wrong("`over` is missing", "write `loop X over {1..6} { … }`");
        }
        let over = self.expr()?;
        let body = self.block()?;
        Ok(StatementKind::Loop { variable, over, body })
    }

    fn condition(&mut self) -> Read<StatementKind> {
        let condition = self.expr()?;
        let then = self.block()?;
        let mut otherwise = Vec::new();
        if self.take(Token::Word("else")) {
            let start = self.span();
            if self.take(Token::Word("if")) {
                let kind = self.nested(Self::condition)?;
                otherwise.push(Statement { kind, span: self.since(start) });
            } else {
                otherwise = self.block()?;
            }
        }
        Ok(StatementKind::If { condition, then, otherwise })
    }

    fn result(&mut self) -> Read<StatementKind> {
        let span = self.span();
        self.next();
        if !self.in_function {
            let error = Diagnostic::error("syntax", span, "`result:` stands outside a function");
            return Err(Box::new(
                error.help("outside a function write `output`").edit(span, "output"),
            ));
        }
        self.expect(":", "behind `result`")?;
        Ok(StatementKind::Result(self.expr()?))
    }

    fn expr(&mut self) -> Read<Expr> {
        self.nested(|parser| parser.level(0))
    }

    /// Operators of one level and tighter ones.
    fn level(&mut self, level: usize) -> Read<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.dice() };
        let (start, mut links) = (self.span(), 0);
        let mut left = self.level(level + 1)?;
        while let Token::Sign(sign) = self.peek() {
            let Some((_, operator)) = operators.iter().find(|(known, _)| *known == sign) else {
                break;
            };
            self.next();
            let right = self.level(level + 1)?;
            left = self.binary(*operator, left, right, start);
            links += 1;
            self.check_chain(links)?;
        }
        Ok(left)
    }

    fn check_chain(&self, links: usize) -> Read<()> {
        if links <= LONGEST_CHAIN {
            return Ok(());
        }
        let error = Diagnostic::error("too-deep", self.span(), "this expression is too long");
        Err(Box::new(error.help("give parts of it to variables first")))
    }

    fn binary(&self, operator: Binary, left: Expr, right: Expr, start: Span) -> Expr {
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Expr { kind, span: self.since(start) }
    }

    /// `2d6d8`.
    fn dice(&mut self) -> Read<Expr> {
        let (start, mut links) = (self.span(), 0);
        let mut left = self.unary()?;
        while self.take(Token::Word("d")) {
            let right = self.unary()?;
            left = self.binary(Binary::Dice, left, right, start);
            links += 1;
            self.check_chain(links)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        let operator = match self.peek() {
            Token::Word("d") => Unary::Die,
            Token::Sign("+") => Unary::Plus,
            Token::Sign("-") => Unary::Minus,
            Token::Sign("!") => Unary::Not,
            Token::Sign("#") => Unary::Size,
            _ => return self.value(),
        };
        self.next();
        let value = self.nested(Self::unary)?;
        let kind = ExprKind::Unary(operator, Box::new(value));
        Ok(Expr { kind, span: self.since(start) })
    }

    fn value(&mut self) -> Read<Expr> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Number(digits) => {
                self.next();
                ExprKind::Number(self.number(digits, start)?)
            }
            Token::Variable(name) => {
                self.next();
                ExprKind::Variable(self.variables.number(name))
            }
            Token::Sign("(") => {
                self.next();
                let inner = self.expr()?;
                self.closed(")", start)?;
                inner.kind
            }
            Token::Sign("{") => ExprKind::Sequence(self.sequence()?),
            Token::Sign("[") => self.call()?,
            _ => return Err(Box::new(self.no_value())),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn number(&self, digits: &str, span: Span) -> Read<Integer> {
        let number = (digits.len() <= MOST_DIGITS).then(|| digits.parse::<Integer>().ok());
        number.flatten().ok_or_else(|| {
            Box::new(Diagnostic::error("number-too-large", span, "this number is too long"))
        })
    }

    fn closed(&mut self, sign: &'static str, open: Span) -> Read<()> {
        if self.take(Token::Sign(sign)) {
            return Ok(());
        }
        let error = self.unexpected(&format!("a `{sign}` is missing")).also(open, "opened here");
        let error = error.help(format!("put `{sign}` here"));
        let before = self.tokens[self.at.saturating_sub(1)].1.end as usize;
        Err(Box::new(error.edit(place(before, before), sign)))
    }

    fn sequence(&mut self) -> Read<Vec<Part>> {
        let open = self.span();
        self.next();
        let mut parts = Vec::new();
        if self.take(Token::Sign("}")) {
            return Ok(parts);
        }
        loop {
            let first = self.expr()?;
            let last = if self.take(Token::Sign("..")) { Some(self.expr()?) } else { None };
            let times = if self.take(Token::Sign(":")) { Some(self.expr()?) } else { None };
            parts.push(Part { first, last, times });
            if !self.take(Token::Sign(",")) {
                break;
            }
        }
        self.closed("}", open)?;
        Ok(parts)
    }

    fn call(&mut self) -> Read<ExprKind> {
        let open = self.span();
        self.next();
        let mut name = Vec::new();
        let mut arguments = Vec::new();
        loop {
            match self.peek() {
                Token::Sign("]") if !name.is_empty() => break,
                Token::Sign("]") => {
                    let help =
                        "the name of a function stands in the brackets: `[highest 3 of 4d6]`";
                    return self.wrong("nothing is called here", help);
                }
                Token::End => {
                    self.closed("]", open)?;
                }
                Token::Word(word) if word != "d" => {
                    self.next();
                    name.push(word);
                }
                _ => {
                    name.push("_");
                    arguments.push(self.expr()?);
                }
            }
        }
        self.next();
        Ok(ExprKind::Call(self.signatures.number(&name.join(" ")), arguments))
    }
}
