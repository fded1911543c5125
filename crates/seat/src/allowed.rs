//! What a device can see to be allowed. It signs nothing else: a signed request that the house cannot write down would lock its seat, for a number is signed
//! once.

use astragal_fair::request::{For, Role, To, check_inputs, check_name, check_value};
use astragal_fair::{Checker, Kind, Wrong};

use crate::wish::{About, Refusal, Wish};

/// A table as a seat sees it.
pub(crate) struct View<'a> {
    pub(crate) checker: &'a Checker,
    pub(crate) seat: u64,
    pub(crate) role: Role,
    /// Whether this hidden roll is its own, or was shown to it and is not for its roller alone.
    pub(crate) may_reveal: &'a dyn Fn(u64) -> bool,
}

impl View<'_> {
    /// Whether the house can write this down.
    pub(crate) fn allows(&self, wish: &Wish) -> Result<(), Refusal> {
        if wish.kind().is_for_owners() {
            self.is_owner()?;
        }
        match wish {
            Wish::Roll { text, inputs, to, about } => {
                self.program(text, inputs)?;
                self.to(to)?;
                self.about(about)
            }
            Wish::Typed { text, inputs, faces, about } => {
                self.program(text, inputs)?;
                fits(check_value(faces))?;
                self.about(about)
            }
            Wish::Reveal { of } => self.reveal(*of),
            Wish::Strike { of, words } => self.strike(*of).and_then(|()| said(words)),
            Wish::Call { text, inputs, to, label } => {
                self.program(text, inputs)?;
                self.to(to)?;
                label.as_deref().map_or(Ok(()), said)
            }
            Wish::Keep { whose, name, text, inputs } => {
                self.program(text, inputs)?;
                self.whose(*whose, name)
            }
            Wish::Set { whose, name, value } => {
                fits(check_value(value))?;
                self.whose(*whose, name)
            }
            Wish::Rules { text } => self.length(text, |limits| limits.rules),
            Wish::Say { to, words } => self.to(to).and_then(|()| said(words)),
            Wish::End => self.nobody_is_asked(),
            Wish::Seal | Wish::Left => self.is_not_asked(),
        }
    }

    fn is_owner(&self) -> Result<(), Refusal> {
        if self.role == Role::Owner { Ok(()) } else { Err(Refusal::NotFor(Role::Owner)) }
    }

    fn length(
        &self,
        text: &str,
        of: impl Fn(astragal_fair::line::Limits) -> u64,
    ) -> Result<(), Refusal> {
        let most = self.checker.limits().map_or(0, of);
        holds(text.len() as u64 <= most, || {
            format!("it is longer than the {most} bytes of the table")
        })
    }

    fn program(&self, text: &str, inputs: &[(String, String)]) -> Result<(), Refusal> {
        self.length(text, |limits| limits.text)?;
        fits(check_inputs(inputs))
    }

    fn to(&self, to: &To) -> Result<(), Refusal> {
        let To::Seats(seats) = to else { return Ok(()) };
        let rising = !seats.is_empty() && seats.windows(2).all(|pair| pair[0] < pair[1]);
        holds(rising, || "seats stand in rising order, at least one of them".into())?;
        let there = seats.iter().all(|seat| *seat < self.checker.seats());
        holds(there, || "it is for a seat that there is not".into())
    }

    fn about(&self, about: &About) -> Result<(), Refusal> {
        match about {
            About::Nothing => Ok(()),
            About::Words(words) => said(words),
            About::Call(line) => {
                let call = self.checker.kind(*line) == Some(Kind::Call);
                holds(call, || format!("line {line} is no call"))
            }
        }
    }

    fn whose(&self, whose: Option<u64>, name: &str) -> Result<(), Refusal> {
        fits(check_name(name))?;
        if whose != Some(self.seat) {
            self.is_owner()?;
        }
        let there = whose.is_none_or(|seat| seat < self.checker.seats());
        holds(there, || "it is for a seat that there is not".into())
    }

    fn strike(&self, of: u64) -> Result<(), Refusal> {
        let roll = self.checker.kind(of).is_some_and(Kind::is_roll);
        holds(roll, || format!("line {of} is no roll"))
    }

    /// An owner reveals only what was shown to it: it cannot know otherwise whether the roll was for its roller alone.
    fn reveal(&self, of: u64) -> Result<(), Refusal> {
        holds(self.checker.is_hidden(of), || format!("line {of} is no hidden roll"))?;
        holds((self.may_reveal)(of), || {
            format!("the roll in line {of} was not shown to this device")
        })
    }

    fn is_not_asked(&self) -> Result<(), Refusal> {
        let ask = self.checker.open_ask();
        let asked = ask.is_some_and(|ask| ask.asked.iter().any(|(seat, _)| *seat == self.seat));
        if asked { Err(Refusal::Asked) } else { Ok(()) }
    }

    fn nobody_is_asked(&self) -> Result<(), Refusal> {
        if self.checker.open_ask().is_some() { Err(Refusal::Asking) } else { Ok(()) }
    }
}

fn holds(holds: bool, otherwise: impl Fn() -> String) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::Unfit(otherwise())) }
}

fn fits(found: Result<(), Wrong>) -> Result<(), Refusal> {
    found.map_err(|wrong| Refusal::Unfit(wrong.to_string()))
}

/// Words beside the log.
fn said(words: &str) -> Result<(), Refusal> {
    const LONGEST: usize = 4_096;
    holds(words.len() <= LONGEST, || format!("words have at most {LONGEST} bytes"))
}

/// What a wish is for, as it is signed; words are given as their hash.
pub(crate) fn signed_about(about: &About, words: impl FnOnce(&str) -> astragal_fair::Hash) -> For {
    match about {
        About::Nothing => For::Nothing,
        About::Call(line) => For::Call(*line),
        About::Words(said) => For::Label(words(said)),
    }
}
