//! `astragal` alone: line by line.
//!
//! An expression is rolled, `? expression` shows its odds, an empty line repeats the last one. Read from
//! a pipe, the lines are answered without prompts, and any wrong line makes the exit code 1.

use std::io::{self, BufRead, IsTerminal, Read};

use astragal::Engine;

use super::odds::Question;
use super::roll::{Origin, limits, told};
use crate::arguments::Both;
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// The most bytes of one line.
const LONGEST_LINE: u64 = 1 << 16;
/// After so many wrong lines, a pipe is taken for rubbish.
const MOST_WRONG: usize = 20;

const HELP: &str = "\
4d6kh3      roll it, every die explained
? 4d6kh3    its exact odds
            an empty line does the last one again
:help       this
:quit       leave (so does the end of input)";

pub(crate) fn run(arguments: &Both, terminal: &Terminal) -> Result<(), Stop> {
    if terminal.json || !arguments.source.set.is_empty() {
        return Err(Stop::Usage("there is no expression: write one, such as `4d6kh3`".into()));
    }
    let engine = input::engine(&arguments.source)?;
    let throwing = &arguments.throwing;
    let question = Question::of(&arguments.asking, throwing.steps, throwing.full)?;
    let mut session =
        Session { arguments, engine, question, terminal, last: String::new(), rolls: 0 };
    let interactive = io::stdin().is_terminal();
    if interactive {
        terminal.say("Astragal: write a roll, `? roll` for its odds, `:help` or `:quit`.");
    }
    let mut wrong = 0;
    loop {
        if interactive {
            terminal.prompt("> ");
        }
        let Some(line) = line(io::stdin().lock()) else { break };
        match session.answer(line.trim()) {
            Ok(true) => {}
            Ok(false) => break,
            Err(stop) => {
                stop.report(terminal);
                wrong += 1;
            }
        }
        if !interactive && wrong == MOST_WRONG {
            terminal.tell("error: too many wrong lines; the rest is not read");
            break;
        }
    }
    if wrong > 0 && !interactive { Err(Stop::Said) } else { Ok(()) }
}

/// The next line; none at the end of input. What is too long for a line is cut off.
fn line(mut from: impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).ok()?;
    if read as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        from.skip_until(b'\n').ok()?;
    }
    (read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

struct Session<'a> {
    arguments: &'a Both,
    engine: Engine,
    question: Question,
    terminal: &'a Terminal,
    last: String,
    rolls: u64,
}

impl Session<'_> {
    /// Answers a line; false ends the session.
    fn answer(&mut self, line: &str) -> Result<bool, Stop> {
        match line {
            ":quit" | ":q" => return Ok(false),
            ":help" | ":h" | ":?" => self.terminal.say(HELP),
            "" if self.last.is_empty() => {}
            "" => self.evaluate(&self.last.clone())?,
            command if command.starts_with(':') => {
                return Err(Stop::Usage(format!("there is no command `{command}`: see `:help`")));
            }
            text => {
                self.last = text.to_owned();
                self.evaluate(text)?;
            }
        }
        Ok(true)
    }

    fn evaluate(&mut self, line: &str) -> Result<(), Stop> {
        match line.strip_prefix('?') {
            Some(text) => self.odds(text.trim()),
            None => self.roll(line),
        }
    }

    fn roll(&mut self, text: &str) -> Result<(), Stop> {
        let program = self.engine.compile(text)?;
        self.terminal.diagnostics(program.hints());
        let throwing = &self.arguments.throwing;
        let source = Origin::of(throwing)?;
        let roll = program.roll_within(&mut *source.faces(self.rolls), &limits(throwing))?;
        self.rolls += u64::from(throwing.seed.is_some());
        self.terminal.say(&told(&program, &roll, throwing.full, self.terminal));
        Ok(())
    }

    fn odds(&self, text: &str) -> Result<(), Stop> {
        let program = self.engine.compile(text)?;
        self.terminal.diagnostics(program.hints());
        self.question.answer(&program, None, self.terminal)
    }
}
