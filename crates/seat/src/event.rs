//! A line as something to show: who did what, what fell, and who may have chosen it.

use astragal_fair::line::{self, Asked, Dice, Limits, Line, Opened, Outcome, Witness};
use astragal_fair::request::{self, For, Role, To};
use astragal_fair::{Alarm, Bytes, Checker, Hash, Key, Rolled, Seen, Wrong};
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

/// A line that fits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Its number.
    pub seq: u64,
    /// Its kind, as it is written.
    pub kind: &'static str,
    /// The seat that signed it, or whose roll it ends; the house has none.
    pub seat: Option<u64>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
    /// What this device knows to be otherwise.
    #[serde(serialize_with = "codes")]
    pub alarms: Vec<Alarm>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names are those of the format, which spec/fair.md explains")]
pub enum What {
    Began {
        table: Bytes<16>,
        witness: Witness,
        limits: Limits,
        language: u64,
        library: Hash,
    },
    Sat {
        name: String,
        role: Role,
        vouched: Option<u64>,
    },
    /// Witnesses are asked; the pool is there unless it is hidden.
    Asked {
        pool: Option<Pool>,
        asked: Vec<u64>,
    },
    /// Somebody missed; the others are asked again.
    AskedAgain {
        of: u64,
        missed: Vec<u64>,
        asked: Vec<u64>,
    },
    /// Dice fell, for all to see.
    Rolled(Shown),
    /// Dice fell, not for all to see.
    Hid(Shown),
    /// Hidden dice are shown.
    Revealed(Shown),
    Typed {
        text: String,
        inputs: Vec<(String, String)>,
        faces: String,
        r#for: For,
        outcome: Outcome,
    },
    Struck {
        of: u64,
        words: Hash,
    },
    Called {
        text: String,
        inputs: Vec<(String, String)>,
        to: To,
        label: Option<Hash>,
    },
    Kept {
        whose: Option<u64>,
        name: String,
        text: String,
        inputs: Vec<(String, String)>,
    },
    Set {
        whose: Option<u64>,
        name: String,
        value: String,
    },
    Ruled {
        text: String,
    },
    Said {
        to: To,
        words: Hash,
    },
    Sealed,
    Left,
    Ended,
    Present {
        seats: Vec<u64>,
    },
    Resealed,
    Language {
        language: u64,
        library: Hash,
    },
    Moved {
        house: Key,
    },
}

/// What is thrown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the format, which spec/fair.md explains")]
pub struct Pool {
    pub text: String,
    pub inputs: Vec<(String, String)>,
    pub to: To,
    pub r#for: For,
}

/// A roll, as far as it may be seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// The line in which it was rolled.
    pub of: u64,
    /// What was thrown, unless it is hidden.
    pub pool: Option<Pool>,
    /// The throws: runs of dice with as many sides.
    pub dice: Option<Dice>,
    /// What they came to.
    pub outcome: Option<Outcome>,
    /// Who may have chosen it, by the name of a row of "How a roll is called".
    pub made: &'static str,
    /// Other seats whose devices took part to the end.
    pub witnesses: Vec<u64>,
    /// Seats that were asked and did not answer.
    pub missed: Vec<u64>,
    /// The key of its dice.
    pub key: Option<Bytes<32>>,
    /// The house rules by which it was rolled, for whoever judges it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Whether dice and outcome are known to be those of the program. Otherwise the engine has to say so: that the dice are those of
    /// the key is known.
    pub judged: bool,
}

fn codes<S: Serializer>(alarms: &[Alarm], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(alarms.iter().map(Alarm::code))
}

impl From<request::Roll> for Pool {
    fn from(roll: request::Roll) -> Pool {
        Pool { text: roll.text, inputs: roll.inputs, to: roll.to, r#for: roll.r#for }
    }
}

impl Shown {
    pub(crate) fn of(rolled: Rolled, shown: Option<(&Dice, &Outcome)>) -> Shown {
        let judged = rolled.judged;
        Shown {
            of: rolled.line,
            pool: rolled.asked.map(Pool::from),
            dice: shown.map(|(dice, _)| dice.clone()),
            outcome: shown.map(|(_, outcome)| outcome.clone()),
            made: rolled.made.name(),
            witnesses: rolled.witnesses,
            missed: rolled.missed,
            key: rolled.key,
            rules: rolled.rules.filter(|_| !judged).map(|rules| rules.to_string()),
            judged,
        }
    }
}

impl Event {
    /// From a line that the checker has taken.
    pub(crate) fn of(seq: u64, seen: Seen, checker: &Checker) -> Result<Event, Wrong> {
        let Seen { line, taken, alarms } = seen;
        let kind = line.kind().name();
        let roller = taken.roll.as_ref().map(|roll| roll.seat);
        let seat = roller.or_else(|| checker.newest_signer());
        let what = What::of(line, taken.roll, checker)?;
        Ok(Event { seq, kind, seat, what, alarms })
    }
}

impl What {
    fn of(line: Line, rolled: Option<Rolled>, checker: &Checker) -> Result<What, Wrong> {
        let id = checker.id().unwrap_or_default();
        let shown = |dice: &Dice, outcome: &Outcome| {
            rolled.clone().map(|rolled| Shown::of(rolled, Some((dice, outcome))))
        };
        let hid = || rolled.clone().map(|rolled| What::Hid(Shown::of(rolled, None)));
        let told = match line {
            Line::Roll(line) => shown(&line.dice, &line.outcome).map(What::Rolled),
            Line::Close(line) => shown(&line.dice, &line.outcome).map(What::Rolled),
            Line::Reveal(line) => shown(&line.dice, &line.outcome).map(What::Revealed),
            Line::Hidden(_) | Line::CloseHidden(_) => hid(),
            other => return What::other(other, &id),
        };
        // A line about a roll has one; otherwise the checker would not have taken it.
        Ok(told.unwrap_or(What::Resealed))
    }

    fn other(line: Line, id: &Bytes<16>) -> Result<What, Wrong> {
        let numbers = |asked: &[Asked]| asked.iter().map(|(seat, _)| *seat).collect();
        Ok(match line {
            Line::Table(line) => What::Began {
                table: line.table,
                witness: line.witness,
                limits: line.limits,
                language: line.language,
                library: line.library,
            },
            Line::Seat(line) => {
                let request::Seat { name, role, .. } = read(&line.request, id)?;
                What::Sat { name, role, vouched: line.vouched.map(|(by, _)| by) }
            }
            Line::Ask(line) => {
                let pool: request::Roll = read(&line.request, id)?;
                What::Asked { pool: Some(pool.into()), asked: numbers(&line.witnesses) }
            }
            Line::AskHidden(line) => What::Asked { pool: None, asked: numbers(&line.witnesses) },
            Line::Again(line) => {
                let asked = line.opened.iter().map(|(seat, ..): &Opened| *seat).collect();
                What::AskedAgain { of: line.of, missed: line.missed, asked }
            }
            Line::Typed(line) => {
                let asked: request::Typed = read(&line.request, id)?;
                let request::Typed { text, inputs, faces, r#for } = asked;
                What::Typed { text, inputs, faces, r#for, outcome: line.outcome }
            }
            Line::Act(kind, line) => What::act(kind, &line, id)?,
            Line::Present(line) => What::Present { seats: line.seats },
            Line::Language(line) => {
                What::Language { language: line.language, library: line.library }
            }
            Line::Move(line) => What::Moved { house: line.house },
            Line::Reseal(_)
            | Line::Roll(_)
            | Line::Hidden(_)
            | Line::Close(_)
            | Line::CloseHidden(_)
            | Line::Reveal(_) => What::Resealed,
        })
    }

    fn act(kind: astragal_fair::Kind, line: &line::Signed, id: &Bytes<16>) -> Result<What, Wrong> {
        use astragal_fair::Kind;
        let text = &line.request;
        Ok(match kind {
            Kind::Strike => {
                let request::Strike { of, words } = read(text, id)?;
                What::Struck { of, words }
            }
            Kind::Call => {
                let request::Call { text, inputs, to, label } = read(text, id)?;
                What::Called { text, inputs, to, label }
            }
            Kind::Keep => {
                let request::Keep { whose, name, text, inputs } = read(text, id)?;
                What::Kept { whose, name, text, inputs }
            }
            Kind::Set => {
                let request::Set { whose, name, value } = read(text, id)?;
                What::Set { whose, name, value }
            }
            Kind::Rules => What::Ruled { text: read::<request::Rules>(text, id)?.text },
            Kind::Say => {
                let request::Say { to, words } = read(text, id)?;
                What::Said { to, words }
            }
            Kind::Left => What::Left,
            Kind::End => What::Ended,
            _ => What::Sealed,
        })
    }
}

fn read<T: Serialize + DeserializeOwned>(text: &str, id: &Bytes<16>) -> Result<T, Wrong> {
    request::read::<T>(text, id).map(|(_, asked)| asked)
}
