//! Questions and their answers, line by line.

use std::io::{self, BufRead, IsTerminal, Read};

use astragal_assist::call::which;

use crate::terminal::Terminal;

/// The longest answer that is read.
const LONGEST: u64 = 1 << 16;

pub(crate) struct Asker<'a> {
    terminal: &'a Terminal,
    /// Answers that were not typed here are echoed.
    echo: bool,
}

impl<'a> Asker<'a> {
    pub(crate) fn new(terminal: &'a Terminal) -> Asker<'a> {
        Asker { terminal, echo: !io::stdin().is_terminal() }
    }

    pub(crate) fn say(&self, text: &str) {
        self.terminal.say_folded(text);
    }

    /// The answer to a question, without blanks around it; none at the end of input or at `:quit`.
    pub(crate) fn ask(&self, question: &str) -> Option<String> {
        self.terminal.prompt(question);
        let mut bytes = Vec::new();
        let mut input = io::stdin().lock();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes).ok()?;
        if read as u64 == LONGEST && bytes.last() != Some(&b'\n') {
            input.skip_until(b'\n').ok()?;
        }
        let answer = String::from_utf8_lossy(&bytes).trim().to_owned();
        let answer: String = answer.chars().filter(|c| !c.is_control()).collect();
        if read == 0 {
            self.say("\n");
            return None;
        }
        if self.echo {
            self.say(&format!("{answer}\n"));
        }
        (answer != ":quit" && answer != ":q").then_some(answer)
    }

    /// Which of several: by name or by number, from 1. An empty answer is the usual one.
    pub(crate) fn choose(
        &self,
        question: &str,
        names: &[&str],
        usual: Option<usize>,
    ) -> Option<usize> {
        let shown = usual.and_then(|at| names.get(at)).map(|name| format!(" [{name}]"));
        let question = format!("{question}{} ", shown.unwrap_or_default());
        loop {
            let answer = self.ask(&question)?;
            match (which(&answer, names), usual) {
                (Ok(at), _) => return Some(at),
                (Err(_), Some(usual)) if answer.is_empty() => return Some(usual),
                (Err(reason), _) => self.say(&reason),
            }
        }
    }
}
