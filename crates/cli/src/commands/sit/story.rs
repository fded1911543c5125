//! What has happened at a table, as far as one who plays there has to know it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use astragal_fair::line::Limits;
use astragal_fair::request::{Role, To};
use astragal_fair::{Hash, Programs};
use astragal_seat::{Event, What, Whispered};
use astragal_sit::Told;

use super::tell;

/// Who sits at a table.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) left: bool,
}

/// A roll that somebody is asked for.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) line: u64,
    pub(super) text: String,
    pub(super) inputs: Vec<(String, String)>,
    pub(super) to: To,
}

/// Whose a number or a kept roll is, none is the table's; and its name.
pub(super) type Name = (Option<u64>, String);

/// What has happened.
pub(super) struct Story {
    pub(super) people: Vec<Person>,
    pub(super) here: Vec<u64>,
    pub(super) watching: u64,
    pub(super) own: Option<u64>,
    pub(super) numbers: BTreeMap<Name, String>,
    pub(super) kept: BTreeMap<Name, (String, Vec<(String, String)>)>,
    pub(super) rules: Option<Arc<str>>,
    pub(super) limits: Limits,
    pub(super) words: HashMap<Hash, String>,
    pub(super) calls: Vec<Call>,
    /// Hidden rolls that this seat may reveal, perhaps.
    pub(super) hidden: Vec<u64>,
    revealed: Vec<u64>,
    /// The log as it came, its newest head, and what was shown to this seat alone.
    pub(super) log: Vec<String>,
    pub(super) head: String,
    pub(super) whispers: Vec<Whispered>,
    /// Something went wrong.
    pub(super) failed: bool,
    /// Rolls are thrown again to be explained.
    pub(super) programs: Programs,
}

impl Default for Story {
    fn default() -> Story {
        Story {
            people: Vec::new(),
            here: Vec::new(),
            watching: 0,
            own: None,
            numbers: BTreeMap::new(),
            kept: BTreeMap::new(),
            rules: None,
            limits: Limits::USUAL,
            words: HashMap::new(),
            calls: Vec::new(),
            hidden: Vec::new(),
            revealed: Vec::new(),
            log: Vec::new(),
            head: String::new(),
            whispers: Vec::new(),
            failed: false,
            programs: Programs::default(),
        }
    }
}

impl Story {
    /// Takes what happened; what there is to say of it.
    pub(super) fn take(&mut self, told: &Told) -> Vec<String> {
        match told {
            Told::Line(line, event) => {
                self.log.push(line.clone());
                self.line(event);
                tell::event(self, event).into_iter().collect()
            }
            Told::Head(head) => {
                self.head.clone_from(head);
                Vec::new()
            }
            Told::Whispered(told, shown) => {
                let known = self.whispers.iter().any(|other| other.seq == told.seq);
                if known {
                    return Vec::new();
                }
                self.whispers.push((**told).clone());
                if !self.revealed.contains(&told.seq) {
                    self.hidden.push(told.seq);
                }
                vec![tell::whispered(self, told.seq, shown)]
            }
            Told::Words(hash, words) => {
                self.words.insert(*hash, words.clone());
                Vec::new()
            }
            Told::Here(seats, watching) => {
                (self.here, self.watching) = (seats.clone(), *watching);
                Vec::new()
            }
            Told::Sits(number) => {
                self.own = Some(*number);
                Vec::new()
            }
            Told::Live => vec![tell::greeting(self)],
            Told::Lost(_) | Told::Slow => tell::trouble(told).into_iter().collect(),
            Told::Refused(_) | Told::Alarm(..) | Told::Over(_) => Vec::new(),
        }
    }

    fn line(&mut self, event: &Event) {
        let seat = event.seat.unwrap_or(0);
        match &event.what {
            What::Began { limits, .. } => self.limits = *limits,
            What::Sat { name, role, .. } => {
                self.people.push(Person { name: name.clone(), role: *role, left: false });
            }
            What::Left => {
                if let Some(person) =
                    self.people.get_mut(usize::try_from(seat).unwrap_or(usize::MAX))
                {
                    person.left = true;
                }
            }
            What::Called { text, inputs, to, .. } => self.calls.push(Call {
                line: event.seq,
                text: text.clone(),
                inputs: inputs.clone(),
                to: to.clone(),
            }),
            What::Kept { whose, name, text, inputs } => {
                let name = (*whose, name.clone());
                if text.is_empty() {
                    self.kept.remove(&name);
                } else {
                    self.kept.insert(name, (text.clone(), inputs.clone()));
                }
            }
            What::Set { whose, name, value } => {
                let name = (*whose, name.clone());
                if value.is_empty() {
                    self.numbers.remove(&name);
                } else {
                    self.numbers.insert(name, value.clone());
                }
            }
            What::Ruled { text } => self.rules = Some(Arc::from(text.as_str())),
            What::Revealed(shown) => {
                self.hidden.retain(|line| *line != shown.of);
                self.revealed.push(shown.of);
            }
            _ => {}
        }
    }

    /// What a seat is called; names can be alike, numbers are not.
    pub(super) fn name(&self, seat: u64) -> String {
        let at = usize::try_from(seat).unwrap_or(usize::MAX);
        let Some(person) = self.people.get(at) else { return format!("seat {seat}") };
        let alike = self.people.iter().filter(|other| other.name == person.name).count() > 1;
        if alike { format!("{} ({seat})", person.name) } else { person.name.clone() }
    }

    /// Several of them: `Ulf, Ida`.
    pub(super) fn names(&self, seats: &[u64]) -> String {
        seats.iter().map(|seat| self.name(*seat)).collect::<Vec<_>>().join(", ")
    }

    /// The seat of a name, as it is shown: of those who are still here the first.
    pub(super) fn seat(&self, name: &str) -> Option<u64> {
        let wanted = name.trim().to_lowercase();
        let seats = 0..self.people.len() as u64;
        let mut own = seats.filter(|seat| self.name(*seat).to_lowercase() == wanted);
        own.next()
    }

    /// The numbers that this seat may name: its own, and the table's where it has none of that name.
    pub(super) fn own_numbers(&self) -> Vec<(String, String)> {
        let of =
            |whose: Option<u64>| self.numbers.iter().filter(move |((owner, _), _)| *owner == whose);
        let own: Vec<(String, String)> = match self.own {
            Some(_) => {
                of(self.own).map(|((_, name), value)| (name.clone(), value.clone())).collect()
            }
            None => Vec::new(),
        };
        let table = of(None).filter(|((_, name), _)| !own.iter().any(|(known, _)| known == name));
        let table: Vec<_> = table.map(|((_, name), value)| (name.clone(), value.clone())).collect();
        [own, table].concat()
    }

    /// A kept roll that this seat can name: its own, or the table's.
    pub(super) fn kept(&self, name: &str) -> Option<&(String, Vec<(String, String)>)> {
        let own = self.own.and_then(|own| self.kept.get(&(Some(own), name.to_owned())));
        own.or_else(|| self.kept.get(&(None, name.to_owned())))
    }
}
