//! The tables that are in memory: read when somebody asks for one, forgotten when nobody has for a while.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use astragal_fair::{Hash, Id, library};

use crate::house::{Act, Aside, House, Kept};
use crate::hub::Hub;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::store::{Failed, LinkRole, SecretHash, Shelf};
use crate::throws::Throwers;
use crate::writer::{Job, Order, Orders, evaluate};

/// A table in memory.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) id: Id,
    /// None after a batch failed, until it is read again.
    house: Mutex<Option<House>>,
    people: Mutex<People>,
    /// What waits for an open ask.
    waiting: Mutex<VecDeque<Job>>,
    pub(crate) hub: Hub,
    used: Mutex<Instant>,
}

/// Who may do what.
#[derive(Debug, Default)]
pub(crate) struct People {
    pub(crate) links: Vec<(LinkRole, SecretHash)>,
    pub(crate) tokens: Vec<(u64, SecretHash)>,
}

/// What a secret is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Link(LinkRole),
    Seat(u64),
}

impl People {
    /// Whose secret this is. Hashes are compared, so that nobody learns a secret from how long that takes.
    pub(crate) fn of(&self, secret: &SecretHash) -> Option<Who> {
        let link = self.links.iter().find(|(_, known)| known == secret);
        let seat = || self.tokens.iter().find(|(_, known)| known == secret);
        link.map(|(role, _)| Who::Link(*role)).or_else(|| seat().map(|(seat, _)| Who::Seat(*seat)))
    }

    /// A new link takes the place of the old one.
    pub(crate) fn turn(&mut self, role: LinkRole, secret: SecretHash) {
        self.links.retain(|(known, _)| *known != role);
        self.links.push((role, secret));
    }
}

fn held<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    pub(crate) fn new(house: House, people: People) -> Table {
        Table {
            id: house.id(),
            house: Mutex::new(Some(house)),
            people: Mutex::new(people),
            waiting: Mutex::new(VecDeque::new()),
            hub: Hub::new(),
            used: Mutex::new(Instant::now()),
        }
    }

    pub(crate) fn house(&self) -> MutexGuard<'_, Option<House>> {
        held(&self.house)
    }

    pub(crate) fn people(&self) -> MutexGuard<'_, People> {
        held(&self.people)
    }

    pub(crate) fn waiting(&self) -> MutexGuard<'_, VecDeque<Job>> {
        held(&self.waiting)
    }

    /// What this house thinks has not happened.
    pub(crate) fn forget(&self) {
        *self.house() = None;
    }

    /// Something of the house, which is there.
    pub(crate) fn with<T>(&self, of: impl FnOnce(&House) -> T) -> Result<T, Problem> {
        self.house().as_ref().map(of).ok_or_else(Problem::storage)
    }
}

/// All tables in memory.
pub(crate) struct Tables {
    map: Mutex<HashMap<Id, Arc<Table>>>,
    /// Those that were forgotten for good since the start: who has just read one reads nothing.
    forgotten: Mutex<HashSet<Id>>,
    shelf: Arc<dyn Shelf>,
    library: Hash,
    orders: Orders,
    throwers: Throwers,
    limits: Limits,
}

impl Tables {
    pub(crate) fn new(
        shelf: Arc<dyn Shelf>,
        orders: Orders,
        throwers: Throwers,
        limits: Limits,
    ) -> Tables {
        let (map, forgotten) = (Mutex::default(), Mutex::default());
        Tables { map, forgotten, shelf, library: library(), orders, throwers, limits }
    }

    /// A table that is in memory and whole.
    pub(crate) fn known(&self, id: &Id) -> Option<Arc<Table>> {
        let table = held(&self.map).get(id).cloned()?;
        *held(&table.used) = Instant::now();
        let whole = table.house().is_some();
        whole.then_some(table)
    }

    /// A table, read if need be. This takes a while.
    pub(crate) fn read(&self, id: &Id) -> Result<Option<Arc<Table>>, Problem> {
        if let Some(table) = self.known(id) {
            return Ok(Some(table));
        }
        let Some((house, people)) = self.load(id).map_err(|_| Problem::storage())? else {
            return Ok(None);
        };
        let (asks, settles) = (house.asks(), house.must_settle());
        let mut map = held(&self.map);
        if held(&self.forgotten).contains(id) {
            return Ok(None);
        }
        let table = match map.get(id).cloned() {
            Some(table) => {
                // It was forgotten, unless somebody else has just read it.
                let mut known = table.house();
                if known.is_none() {
                    *known = Some(house);
                }
                drop(known);
                table
            }
            None => {
                let table = Arc::new(Table::new(house, people));
                map.insert(*id, Arc::clone(&table));
                table
            }
        };
        drop(map);
        if let Some((line, _)) = asks {
            let time = self.limits.testimony_after_start;
            let _ = self.orders.always(Order::Wait(Arc::clone(&table), line, time));
        }
        if settles {
            self.settle(&table);
        }
        self.show_hidden(&table);
        Ok(Some(table))
    }

    /// Lets the house say what it has to say first, before anybody asks for something that it would have to refuse.
    pub(crate) fn settle(&self, table: &Arc<Table>) {
        // The writer sees to that with whatever it is told about a table; this is nothing else.
        let nothing = Act::Due(u64::MAX);
        let _ = self.orders.always(Order::Job(Box::new(Job::new(table, nothing))));
    }

    /// Hidden rolls that nobody has thrown yet: the server was ended before.
    fn show_hidden(&self, table: &Arc<Table>) {
        let Ok(asides) = self.shelf.asides(&table.id, 0) else { return };
        for (seq, aside) in asides {
            let Some(aside) = Aside::read(&aside) else { continue };
            if aside.house.is_some() && aside.shown.is_none() {
                evaluate(&self.orders, &self.throwers, table, seq, aside);
            }
        }
    }

    fn load(&self, id: &Id) -> Result<Option<(House, People)>, Failed> {
        let Some(stored) = self.shelf.table(id)? else { return Ok(None) };
        let rows = self.shelf.lines(id, None, usize::MAX >> 1)?;
        let texts = rows.iter().map(|row| &*row.text);
        let mut house = House::load(&stored.kept, self.library, texts).map_err(Failed)?;
        if let Some(line) = house.wants_aside()
            && let Some(aside) = self.shelf.aside(id, line)?
            && let Some(aside) = Aside::read(&aside)
        {
            house.bring(&aside);
        }
        for (line, opened) in stored.heard {
            house.bring_heard(line, opened);
        }
        Ok(Some((house, People { links: stored.links, tokens: stored.tokens })))
    }

    /// A table that was just made.
    pub(crate) fn add(&self, house: House, people: People) {
        let table = Arc::new(Table::new(house, people));
        held(&self.map).insert(table.id, table);
    }

    /// All that are in memory.
    pub(crate) fn all(&self) -> Vec<Arc<Table>> {
        held(&self.map).values().cloned().collect()
    }

    /// Forgets those for good to which nobody has written for long, and which nobody has in memory.
    pub(crate) fn expire(&self, time: Duration) {
        let Ok(silent) = self.shelf.silent(time) else { return };
        for id in silent {
            let map = held(&self.map);
            if !map.contains_key(&id) && held(&self.forgotten).insert(id) {
                let _ = self.orders.always(Order::Forget(id));
            }
        }
    }

    /// Forgets those that nobody has used for a while: nobody else holds them.
    pub(crate) fn rest(&self) {
        let idle = self.limits.idle;
        held(&self.map).retain(|_, table| {
            let kept = Arc::strong_count(table) > 1 || held(&table.used).elapsed() < idle;
            kept || table.hub.listeners() > 0
        });
    }
}

/// The keys of a new table.
pub(crate) fn fresh_kept() -> Option<Kept> {
    let mut kept = Kept { key: [0; 32], secret: [0; 32], must_reseal: false };
    getrandom::fill(&mut kept.key).ok()?;
    getrandom::fill(&mut kept.secret).ok()?;
    Some(kept)
}
