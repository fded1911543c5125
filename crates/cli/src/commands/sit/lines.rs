//! What a line does that is typed at a table.

use std::fs;
use std::path::Path;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use astragal::Program;
use astragal_fair::request::To;
use astragal_fair::{Checker, Wanted, aloud, checked, named};
use astragal_luck::{Evening, Luck};
use astragal_seat::{About, Wish};
use astragal_sit::Sitting;

use super::story::Story;
use super::{Known, locked, sheet};
use crate::arguments::{Asking, View};
use crate::commands::odds::Question;
use crate::commands::verify::lucky;
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// What comes after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Line,
    Leave,
}

const HELP: &str = "\
4d6kh3 # the axe        rolls for all to see, and says what for; an empty line rolls the last again
? 4d6kh3                its odds
:hidden d20 + 7         rolls for the game master alone: you see it if that is you; `:reveal` shows it to all
:secret d20             rolls for you alone
:to Ulf, Ida: d20       rolls for them and you
:typed 3,6,2 3d6        real dice, and what they show
:keep axe = d8 + str    keeps a roll: `axe` rolls it; `:keep table axe = …` is for everyone
:set str = 4            a number that rolls may name; nothing behind `=` takes it away
:sheet                  what is kept
:call 2d6 # initiative  asks everyone to roll it, `:call Ulf, Ida: d20` some; `:answer` does it
:say words              says something; `:say Ulf: words` to one
:reveal [LINE]          shows a hidden roll to all
:strike LINE why        declares a roll void (game master)
:rules FILE             house rules (game master); `:keep Ulf axe = …` and `:set Ulf str = 4` hand out
:luck                   the luck of the evening
:who                    who is here
:aloud WORDS            four words of the newest line, to compare with others’ after WORDS were spoken
:log FILE               writes the log as this device has seen it, for `astragal verify`
:wait SECONDS           for scripts: goes on later
:leave                  leaves for good; `:end` closes the table (game master)
:quit                   goes away; the seat stays, and the same command comes back to it";

/// What follows a colon, and what it does.
pub(super) fn commands() -> impl Iterator<Item = (String, String)> {
    let lines = HELP.lines().filter_map(|line| line.strip_prefix(':'));
    lines.filter_map(|line| {
        let (name, rest) = line.split_once(char::is_whitespace)?;
        let (_, does) = rest.split_once("  ").unwrap_or(("", rest));
        Some((name.to_owned(), does.trim().to_owned()))
    })
}

/// Whoever types.
pub(super) struct Player<'a> {
    sitting: &'a Sitting,
    known: &'a Known,
    pub(super) terminal: &'a Terminal,
    /// What an empty line does again.
    last: String,
}

impl<'a> Player<'a> {
    pub(super) fn new(
        sitting: &'a Sitting,
        known: &'a Known,
        terminal: &'a Terminal,
    ) -> Player<'a> {
        Player { sitting, known, terminal, last: String::new() }
    }

    pub(super) fn settles(&self, patience: Duration) -> bool {
        self.sitting.settles(patience)
    }

    /// Nothing more can happen here.
    pub(super) fn is_over(&self) -> bool {
        self.sitting.is_over()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.story().failed
    }

    fn story(&self) -> MutexGuard<'_, Story> {
        locked(self.known)
    }

    /// Does what a line says.
    pub(super) fn answer(&mut self, line: &str) -> Result<Next, Stop> {
        let line = if line.is_empty() { self.last.clone() } else { line.to_owned() };
        if line.is_empty() {
            return Ok(Next::Line);
        }
        let Some(command) = line.strip_prefix(':') else {
            self.last.clone_from(&line);
            match line.strip_prefix('?') {
                Some(text) => self.odds(text.trim())?,
                None => self.rolls(&line, To::All)?,
            }
            return Ok(Next::Line);
        };
        let (verb, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        self.command(verb, rest.trim(), &line)
    }

    fn command(&mut self, verb: &str, rest: &str, line: &str) -> Result<Next, Stop> {
        match verb {
            "hidden" => self.again(line).rolls(rest, To::Owner)?,
            "secret" => self.again(line).rolls(rest, To::Myself)?,
            "to" => {
                let (to, text) = self.to(rest)?;
                self.again(line).rolls(text, to)?;
            }
            "typed" => self.typed(rest)?,
            "keep" => self.keep(rest)?,
            "set" => self.set(rest)?,
            "call" => self.call(rest)?,
            "answer" => self.answers(rest)?,
            "say" => self.says(rest)?,
            "reveal" => self.reveal(rest)?,
            "strike" => self.strike(rest)?,
            "rules" => {
                let text = input::read(Path::new(rest))?;
                self.wish(Wish::Rules { text });
            }
            "sheet" => self.terminal.say_folded(&sheet::sheet(&self.story())),
            "who" => self.terminal.say_folded(&sheet::who(&self.story())),
            "luck" => self.luck()?,
            "aloud" => self.aloud(rest)?,
            "log" => self.log(rest)?,
            "wait" => self.waits(rest)?,
            "help" => self.terminal.say_folded(HELP),
            "leave" => {
                self.wish(Wish::Left);
                self.settles(super::PATIENCE);
                return Ok(Next::Leave);
            }
            "end" => self.wish(Wish::End),
            "quit" | "q" | "exit" => return Ok(Next::Leave),
            other => {
                let known: Vec<String> = commands().map(|(name, _)| name).collect();
                let near = astragal_syntax::suggest(other, known.iter().map(String::as_str));
                let advice = near.map_or("`:help` lists what there is".into(), |near| {
                    format!("did you mean `:{near}`?")
                });
                return Err(usage(format!("there is no `:{other}` at a table: {advice}")));
            }
        }
        Ok(Next::Line)
    }

    /// An empty line does this again.
    fn again(&mut self, line: &str) -> &mut Self {
        line.clone_into(&mut self.last);
        self
    }

    fn wish(&self, wish: Wish) {
        self.sitting.wish(wish);
    }

    // Rolls.

    fn rolls(&mut self, line: &str, to: To) -> Result<(), Stop> {
        let (text, label) = labelled(line);
        let (text, inputs) = self.meant(text)?;
        self.wish(Wish::Roll { text, inputs, to, about: about(label) });
        Ok(())
    }

    /// A program, or the name of one that is kept, with the numbers that it names. What cannot be rolled is told here, and does not stand in the log.
    fn meant(&self, text: &str) -> Result<(String, Vec<(String, String)>), Stop> {
        let (text, given) = self.resolved(text)?;
        let inputs = self.with_numbers(&text, given);
        self.checked(&text, &inputs)?;
        Ok((text, inputs))
    }

    fn resolved(&self, text: &str) -> Result<(String, Vec<(String, String)>), Stop> {
        if text.is_empty() {
            return Err(usage("there is no roll: write one, such as `4d6kh3`".into()));
        }
        let kept = self.story().kept(text).cloned();
        Ok(kept.unwrap_or_else(|| (text.to_owned(), Vec::new())))
    }

    fn with_numbers(&self, text: &str, given: Vec<(String, String)>) -> Vec<(String, String)> {
        let (numbers, rules) = {
            let story = self.story();
            (story.own_numbers(), story.rules.clone())
        };
        let mut own = named(text, rules.as_ref(), &numbers);
        own.retain(|(name, _)| !given.iter().any(|(known, _)| known == name));
        [given, own].concat()
    }

    fn checked(&self, text: &str, inputs: &[(String, String)]) -> Result<Program, Stop> {
        let (rules, limits): (Option<Arc<str>>, _) = {
            let story = self.story();
            (story.rules.clone(), story.limits)
        };
        let program = checked(&Wanted { text, inputs, rules: rules.as_ref(), limits: &limits })?;
        if program.decides() {
            return Err(usage(
                "somebody decides in this program; at a table dice alone decide".into(),
            ));
        }
        Ok(program)
    }

    fn odds(&self, text: &str) -> Result<(), Stop> {
        let (text, given) = self.resolved(labelled(text).0)?;
        let program = self.checked(&text, &self.with_numbers(&text, given))?;
        let asking = Asking {
            until: None,
            field: None,
            joint: false,
            view: View::default(),
            chance: Vec::new(),
        };
        Question::of(&asking, None, false)?.answer(&program, None, self.terminal)
    }

    fn typed(&self, rest: &str) -> Result<(), Stop> {
        let wrong = || {
            usage("say what the dice show, with commas, and the roll: `:typed 3,6,2 3d6`".into())
        };
        let (faces, line) = rest.split_once(char::is_whitespace).ok_or_else(wrong)?;
        let (text, label) = labelled(line);
        let (text, inputs) = self.meant(text)?;
        self.wish(Wish::Typed { text, inputs, faces: faces.to_owned(), about: about(label) });
        Ok(())
    }

    fn answers(&self, rest: &str) -> Result<(), Stop> {
        let wanted: Option<u64> = match rest {
            "" => None,
            line => Some(number(line)?),
        };
        let call = {
            let story = self.story();
            let own = story.own;
            let mut calls = story.calls.iter().rev();
            let asks = |to: &To| match to {
                To::Seats(seats) => own.is_some_and(|own| seats.contains(&own)),
                To::All | To::Owner | To::Myself => true,
            };
            let call = calls.find(|call| wanted.map_or(asks(&call.to), |line| call.line == line));
            call.cloned()
        };
        let call = call.ok_or_else(|| usage("nobody asks you to roll anything".into()))?;
        let inputs = self.with_numbers(&call.text, call.inputs);
        self.wish(Wish::Roll {
            text: call.text,
            inputs,
            to: To::All,
            about: About::Call(call.line),
        });
        Ok(())
    }

    fn reveal(&self, rest: &str) -> Result<(), Stop> {
        let of = match rest {
            "" => self.story().hidden.last().copied(),
            line => Some(number(line)?),
        };
        let of = of.ok_or_else(|| usage("there is no hidden roll that you know".into()))?;
        self.wish(Wish::Reveal { of });
        Ok(())
    }

    fn strike(&self, rest: &str) -> Result<(), Stop> {
        let (line, why) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        self.wish(Wish::Strike { of: number(line)?, words: why.trim().to_owned() });
        Ok(())
    }

    // What is kept.

    fn keep(&self, rest: &str) -> Result<(), Stop> {
        let (whose, name, text) = self.assigned(rest, ":keep axe = d8 + str")?;
        let text = labelled(&text).0.to_owned();
        self.wish(Wish::Keep { whose, name, text, inputs: Vec::new() });
        Ok(())
    }

    fn set(&self, rest: &str) -> Result<(), Stop> {
        let (whose, name, value) = self.assigned(rest, ":set str = 4")?;
        self.wish(Wish::Set { whose, name, value });
        Ok(())
    }

    /// `axe = …`, `table axe = …`, `Ulf axe = …`
    fn assigned(&self, rest: &str, example: &str) -> Result<(Option<u64>, String, String), Stop> {
        let wrong = || usage(format!("write it as `{example}`"));
        let (left, value) = rest.split_once('=').ok_or_else(wrong)?;
        let (left, value) = (left.trim(), value.trim().to_owned());
        if left.is_empty() {
            return Err(wrong());
        }
        let story = self.story();
        let own = story.own;
        let (whose, name) = match left.rsplit_once(char::is_whitespace) {
            Some((who, name)) if who.trim() == "table" => (None, name),
            Some((who, name)) => match story.seat(who) {
                Some(seat) => (Some(seat), name),
                None => (own, left),
            },
            None => (own, left),
        };
        Ok((whose, name.to_owned(), value))
    }

    // Words, and who they are for.

    fn call(&self, rest: &str) -> Result<(), Stop> {
        let (to, line) = match self.to(rest) {
            Ok((to, line)) => (to, line),
            Err(_) => (To::All, rest),
        };
        let (text, label) = labelled(line);
        let (text, inputs) = self.resolved(text)?;
        self.wish(Wish::Call { text, inputs, to, label: label.map(str::to_owned) });
        Ok(())
    }

    fn says(&self, rest: &str) -> Result<(), Stop> {
        let (to, words) = self.to(rest).unwrap_or((To::All, rest));
        if words.is_empty() {
            return Err(usage("say something: `:say well done`".into()));
        }
        self.wish(Wish::Say { to, words: words.to_owned() });
        Ok(())
    }

    /// `Ulf, Ida: …`
    fn to<'t>(&self, text: &'t str) -> Result<(To, &'t str), Stop> {
        let wrong = || usage("say for whom, and then what: `:to Ulf, Ida: d20`".into());
        let (names, rest) = text.split_once(':').ok_or_else(wrong)?;
        let story = self.story();
        let seat = |name: &str| {
            story.seat(name).ok_or_else(|| usage(format!("nobody here is called {}", name.trim())))
        };
        let mut seats = names.split(',').map(seat).collect::<Result<Vec<u64>, Stop>>()?;
        // Whoever rolls or says it sees it too.
        seats.extend(story.own);
        seats.sort_unstable();
        seats.dedup();
        Ok((To::Seats(seats), rest.trim()))
    }

    // What is known.

    /// The log as it came, with its newest head.
    fn text(&self) -> String {
        let story = self.story();
        let mut lines = story.log.clone();
        lines.push(story.head.clone());
        lines.push(String::new());
        lines.join("\n")
    }

    fn log(&self, path: &str) -> Result<(), Stop> {
        if path.is_empty() {
            return Err(usage("say where: `:log evening.jsonl`".into()));
        }
        fs::write(path, self.text())
            .map_err(|error| usage(format!("`{path}` cannot be written: {error}")))?;
        self.terminal.tell(&format!("(written: `astragal verify {path}`)"));
        Ok(())
    }

    fn luck(&self) -> Result<(), Stop> {
        let (log, whispers) = {
            let story = self.story();
            (story.log.clone(), story.whispers.clone())
        };
        let unfit = |wrong: astragal_fair::Wrong| usage(wrong.to_string());
        let (mut checker, mut evening) = (Checker::new(), Evening::default());
        for line in &log {
            let taken = checker.line(line).map_err(unfit)?;
            evening.take(&checker, &taken);
        }
        for told in &whispers {
            let shown = (&told.dice, &told.outcome);
            let rolled = checker.whispered(told.seq, &told.request, &told.house, shown);
            evening.roll(&rolled.map_err(unfit)?);
        }
        let limits = self.story().limits;
        let known = evening.known(&mut Luck::new(limits), &checker);
        let lines = {
            let story = self.story();
            lucky::words(&known, |seat| story.name(seat))
        };
        self.terminal.say_folded(&super::tell::clean(&lines.join("\n")));
        Ok(())
    }

    fn aloud(&self, challenge: &str) -> Result<(), Stop> {
        if challenge.is_empty() {
            return Err(usage(
                "somebody says a few words aloud first: `:aloud purple teapot`".into(),
            ));
        }
        let newest = {
            let story = self.story();
            story.log.last().map(|line| (story.log.len() - 1, astragal_fair::hash(line.as_bytes())))
        };
        let (line, hash) = newest.ok_or_else(|| usage("there is no line yet".into()))?;
        self.terminal.say(&format!("line {line}: {}", aloud(&hash, challenge)));
        Ok(())
    }

    fn waits(&self, rest: &str) -> Result<(), Stop> {
        let seconds: f64 = rest
            .parse()
            .ok()
            .filter(|s| (0.0..=86_400.0).contains(s))
            .ok_or_else(|| usage(format!("`{rest}` is no number of seconds: `:wait 5`")))?;
        std::thread::sleep(Duration::from_secs_f64(seconds));
        Ok(())
    }
}

fn usage(message: String) -> Stop {
    Stop::Usage(message)
}

fn number(text: &str) -> Result<u64, Stop> {
    text.parse().map_err(|_| usage(format!("`{text}` is no number of a line")))
}

/// A roll, and what it is for: what stands behind `#`, which the language does not read.
fn labelled(line: &str) -> (&str, Option<&str>) {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => {
                let label = line[at + 1..].trim();
                return (line[..at].trim(), Some(label).filter(|label| !label.is_empty()));
            }
            _ => {}
        }
    }
    (line.trim(), None)
}

fn about(label: Option<&str>) -> About {
    label.map_or(About::Nothing, |label| About::Words(label.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_roll_is_for() {
        assert_eq!(labelled("4d6kh3 # the axe "), ("4d6kh3", Some("the axe")));
        assert_eq!(labelled(" 4d6 #"), ("4d6", None));
        assert_eq!(labelled("d{\"#1\", \"#2\"} # cards"), ("d{\"#1\", \"#2\"}", Some("cards")));
    }
}
