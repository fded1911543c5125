//! The writer: one thread, through which everything goes that changes a table.
//!
//! ```text
//! orders ──▶ all that come within a moment, at most so many ──▶ houses make lines ──▶ one transaction, synced ──▶ answers, frames
//! ```
//!
//! The moment is always the same, however much there is to do: what is hidden would otherwise show in when others are answered.
//! Nothing is answered and nothing is sent before the transaction is on the disk. If it fails, the houses that took part are forgotten and read again:
//! what they thought never happened.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use astragal_fair::{Hash, Id, Kind};
use tokio::sync::oneshot;

use crate::house::{self, Act, Aside, House, Kept, Receipt, Step, Thrown, Written, readers};
use crate::hub::{Frame, line_event};
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::store::{LinkRole, Row, SecretHash, Store, Words, Writes};
use crate::tables::Table;
use crate::throws::Throwers;

/// What comes of an order.
#[derive(Clone, Debug)]
pub(crate) enum Done {
    /// A line, with its head, each with its line feed.
    Line(String),
    /// The same request came before: it stands in this line.
    Repeated(u64),
    /// A testimony was taken.
    Heard(Receipt),
    /// It is done.
    Nothing,
}

pub(crate) type Answer = oneshot::Sender<Result<Done, Problem>>;

/// Something that somebody wants of a house.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) table: Arc<Table>,
    pub(crate) act: Act,
    pub(crate) thrown: Option<Thrown>,
    /// Words that belong to the line; their number is not known yet.
    pub(crate) words: Option<Words>,
    /// The token of a seat that sits down.
    pub(crate) token: Option<SecretHash>,
    pub(crate) answer: Option<Answer>,
}

impl Job {
    pub(crate) fn new(table: &Arc<Table>, act: Act) -> Job {
        let (thrown, words, token, answer) = (None, None, None, None);
        Job { table: Arc::clone(table), act, thrown, words, token, answer }
    }
}

/// What the writer is told to do.
pub(crate) enum Order {
    Job(Box<Job>),
    /// A new table.
    Make(Id, Box<Kept>, Box<Written>, Vec<(LinkRole, SecretHash)>, Answer),
    /// A new link instead of the old one.
    Link(Arc<Table>, LinkRole, SecretHash, Answer),
    /// What a hidden roll came to.
    Shown(Arc<Table>, u64, Box<Aside>),
    /// Witnesses of a line that asks have so long.
    Wait(Arc<Table>, u64, Duration),
    /// Words are deleted.
    Unsay(Arc<Table>, Hash, Answer),
    /// Nobody has written to this table for long: it is forgotten.
    Forget(Id),
    Stop,
}

/// The way to the writer.
#[derive(Clone)]
pub(crate) struct Orders {
    sender: Sender<Order>,
    waiting: Arc<AtomicUsize>,
    most: usize,
}

impl Orders {
    /// Sends an order, if not too many wait.
    pub(crate) fn send(&self, order: Order) -> Result<(), Problem> {
        if self.waiting.load(Ordering::Relaxed) > self.most {
            return Err(Problem::new(503, "busy", "too much waits to be written")
                .help("send the same bytes again in a moment")
                .retry(Duration::from_secs(1)));
        }
        self.always(order).map_err(|_| Problem::stopping())
    }

    /// Sends an order that belongs to one that was taken.
    pub(crate) fn always(&self, order: Order) -> Result<(), ()> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.sender.send(order).map_err(|_| ())
    }
}

/// What happens when a batch is on the disk.
enum After {
    Answer(Answer, Done),
    Publish(Arc<Table>, Frame),
    /// Witnesses have time until then.
    Deadline(Arc<Table>, u64),
    /// A hidden roll is thrown, for those who may see it.
    Evaluate(Arc<Table>, u64, Box<Aside>),
    /// The open ask was closed.
    Closed(Arc<Table>),
    Sits(Arc<Table>, u64),
    Links(Arc<Table>, LinkRole, SecretHash),
    Token(Arc<Table>, u64, SecretHash),
}

pub(crate) struct Writer {
    store: Box<dyn Store>,
    orders: Orders,
    receiver: Receiver<Order>,
    throwers: Throwers,
    limits: Limits,
    metrics: Arc<Metrics>,
    deadlines: BinaryHeap<Reverse<(Instant, u64)>>,
    /// The tables of the deadlines.
    due: HashMap<u64, (Arc<Table>, u64)>,
    count: u64,
    writes: Writes,
    touched: HashMap<Id, Arc<Table>>,
    after: Vec<After>,
}

impl Writer {
    pub(crate) fn start(
        store: Box<dyn Store>,
        throwers: Throwers,
        limits: Limits,
        metrics: Arc<Metrics>,
    ) -> std::io::Result<(Orders, JoinHandle<()>)> {
        let (sender, receiver) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let orders = Orders { sender, waiting, most: limits.jobs };
        let mut writer = Writer {
            store,
            orders: orders.clone(),
            receiver,
            throwers,
            limits,
            metrics,
            deadlines: BinaryHeap::new(),
            due: HashMap::new(),
            count: 0,
            writes: Writes::default(),
            touched: HashMap::new(),
            after: Vec::new(),
        };
        let handle =
            std::thread::Builder::new().name("writer".into()).spawn(move || writer.run())?;
        Ok((orders, handle))
    }

    fn run(&mut self) {
        loop {
            let wait =
                self.deadlines.peek().map_or(Duration::from_secs(3600), |Reverse((at, _))| {
                    at.saturating_duration_since(Instant::now())
                });
            let mut stop = false;
            match self.receiver.recv_timeout(wait) {
                Ok(order) => {
                    stop |= self.take(order);
                    std::thread::sleep(self.limits.gather);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            for _ in 1..self.limits.batch {
                match self.receiver.try_recv() {
                    Ok(order) => stop |= self.take(order),
                    Err(_) => break,
                }
            }
            self.take_due();
            self.commit();
            if stop {
                return;
            }
        }
    }

    fn take_due(&mut self) {
        let now = Instant::now();
        while let Some(Reverse((at, number))) = self.deadlines.peek().copied()
            && at <= now
        {
            self.deadlines.pop();
            if let Some((table, line)) = self.due.remove(&number) {
                self.job(Job::new(&table, Act::Due(line)));
            }
        }
    }

    /// Takes an order into the batch; whether it was the last.
    fn take(&mut self, order: Order) -> bool {
        self.orders.waiting.fetch_sub(1, Ordering::Relaxed);
        match order {
            Order::Job(job) => self.job(*job),
            Order::Make(id, kept, written, links, answer) => {
                self.writes.tables.push((id, *kept));
                let links = links.into_iter().map(|(role, secret)| (id, role, secret));
                self.writes.links.extend(links);
                let row = Row { seq: written.seq, text: written.text, sig: written.sig };
                self.writes.lines.push((id, row));
                self.after.push(After::Answer(answer, Done::Nothing));
            }
            Order::Link(table, role, secret, answer) => {
                self.writes.ended_links.push((table.id, role));
                self.writes.links.push((table.id, role, secret));
                self.after.push(After::Links(table, role, secret));
                self.after.push(After::Answer(answer, Done::Nothing));
            }
            Order::Shown(table, seq, aside) => {
                self.writes.asides.push((table.id, seq, aside.text()));
                if let Some(frame) = private_frame(&table, seq, &aside) {
                    self.after.push(After::Publish(table, frame));
                }
            }
            Order::Wait(table, line, time) => self.deadline(table, line, time),
            Order::Unsay(table, hash, answer) => {
                self.writes.unsaid.push((table.id, hash));
                self.after.push(After::Answer(answer, Done::Nothing));
            }
            Order::Forget(id) => self.writes.gone.push(id),
            Order::Stop => return true,
        }
        false
    }

    /// A house does what is wanted of it.
    fn job(&mut self, mut job: Job) {
        let table = Arc::clone(&job.table);
        let mut guard = table.house();
        let Some(house) = guard.as_mut() else {
            return refuse(job.answer.take(), Problem::storage());
        };
        if house.must_settle() {
            let mut fresh = [0; 32];
            if getrandom::fill(&mut fresh).is_err() {
                return refuse(job.answer.take(), Problem::storage());
            }
            if let Ok(Step::Written(lines)) = house.act(&Act::Settle(fresh), None) {
                self.written(&table, lines, None);
            }
        }
        if house.seq() >= self.limits.lines && job.answer.is_some() && adds_lines(&job.act) {
            let problem = Problem::new(429, "too-many-lines", "the log of this table is full")
                .help("make a new table; this one can be read and downloaded");
            return refuse(job.answer.take(), problem);
        }
        let step = house.act(&job.act, job.thrown.as_ref());
        let receipt = match (&step, &job.act) {
            (Ok(Step::Written(_) | Step::Heard(_) | Step::HeardBefore), Act::Hear(of, opened)) => {
                house.receipt(*of, opened)
            }
            _ => None,
        };
        drop(guard);
        match step {
            Err(problem) => refuse(job.answer.take(), problem),
            Ok(Step::Written(lines)) => {
                let last = lines.last().map(|line| body(&table.id, line));
                if let (Some(token), Act::Sit(request, _)) = (job.token, &job.act) {
                    let seat = request.envelope.seat;
                    self.writes.tokens.push((table.id, seat, token));
                    self.after.push(After::Token(Arc::clone(&table), seat, token));
                    self.after.push(After::Sits(Arc::clone(&table), seat));
                }
                self.written(&table, lines, job.words.take());
                let done = match (receipt, last) {
                    (Some(receipt), _) => Done::Heard(receipt),
                    (None, Some(body)) => Done::Line(body),
                    (None, None) => Done::Nothing,
                };
                self.answer(job.answer, done);
            }
            Ok(Step::Repeated(seq)) => self.answer(job.answer, Done::Repeated(seq)),
            Ok(Step::Heard(opened)) => {
                let of = if let Act::Hear(of, _) = &job.act { *of } else { 0 };
                self.writes.heard.push((table.id, of, *opened));
                self.touched.insert(table.id, Arc::clone(&table));
                self.answer(job.answer, receipt.map_or(Done::Nothing, Done::Heard));
            }
            Ok(Step::HeardBefore) => {
                self.answer(job.answer, receipt.map_or(Done::Nothing, Done::Heard));
            }
            Ok(Step::Throw(throw)) => {
                let orders = self.orders.clone();
                self.throwers.throw(*throw, move |thrown| {
                    job.thrown = Some(thrown);
                    // If the writer is gone, so is whoever waits for the answer.
                    let _ = orders.always(Order::Job(Box::new(job)));
                });
            }
            Ok(Step::Wait) => {
                let mut waiting = table.waiting();
                if waiting.len() >= self.limits.waiting {
                    let problem =
                        Problem::new(429, "too-many-waiting", "too many wait for an open roll")
                            .retry(Duration::from_secs(2));
                    return refuse(job.answer.take(), problem);
                }
                waiting.push_back(job);
            }
        }
    }

    fn answer(&mut self, answer: Option<Answer>, done: Done) {
        self.after.extend(answer.map(|answer| After::Answer(answer, done)));
    }

    /// Lines go into the batch, with all that belongs to them.
    fn written(&mut self, table: &Arc<Table>, lines: Vec<Written>, mut words: Option<Words>) {
        let id = table.id;
        for line in lines {
            self.touched.insert(id, Arc::clone(table));
            let Written { seq, kind, text, hash, sig, aside, secret } = line;
            if let Some(words) = words.take() {
                let words = Words { seq, ..words };
                self.after.extend(
                    words_frame(&words).map(|frame| After::Publish(Arc::clone(table), frame)),
                );
                self.writes.words.push((id, words));
            }
            let head = house::head(id, seq, hash, sig);
            let bytes = line_event(seq, &text, &head).into();
            let frame = Frame { seq: Some(seq), line: true, to: house::Audience::All, bytes };
            self.after.push(After::Publish(Arc::clone(table), frame));
            self.writes.lines.push((id, Row { seq, text, sig }));
            self.writes.secrets.extend(secret.map(|secret| (id, secret)));
            if let Some(aside) = aside {
                self.writes.asides.push((id, seq, aside.text()));
                if aside.house.is_some() {
                    self.after.push(After::Evaluate(Arc::clone(table), seq, Box::new(aside)));
                }
            }
            match kind {
                Kind::Ask | Kind::AskHidden | Kind::Again => {
                    self.after.push(After::Deadline(Arc::clone(table), seq));
                }
                Kind::Close | Kind::CloseHidden => {
                    self.after.push(After::Closed(Arc::clone(table)));
                }
                _ => {}
            }
            if matches!(kind, Kind::Again | Kind::Close | Kind::CloseHidden) {
                self.writes.closed.push(id);
            }
            self.metrics.line(kind);
        }
    }

    fn commit(&mut self) {
        let writes = std::mem::take(&mut self.writes);
        let touched = std::mem::take(&mut self.touched);
        let after = std::mem::take(&mut self.after);
        if !is_empty(&writes) {
            let begun = Instant::now();
            let tables: Vec<(Id, Option<u64>)> = touched.keys().map(|id| (*id, None)).collect();
            let lines = writes.lines.len();
            let mut writes = Some(writes);
            let done = self.store.batch(&tables, &mut |_| writes.take().unwrap_or_default());
            self.metrics.batch(lines, begun.elapsed(), done.is_ok());
            if let Err(failed) = done {
                self.metrics.failed(&failed.0);
                for table in touched.values() {
                    table.forget();
                    for job in std::mem::take(&mut *table.waiting()) {
                        refuse(job.answer, Problem::storage());
                    }
                }
                for after in after {
                    if let After::Answer(answer, _) = after {
                        refuse(Some(answer), Problem::storage());
                    }
                }
                return;
            }
        }
        for after in after {
            self.then(after);
        }
    }

    fn then(&mut self, after: After) {
        match after {
            // Whoever asked may be gone.
            After::Answer(answer, done) => drop(answer.send(Ok(done))),
            After::Publish(table, frame) => {
                self.metrics.sent(table.hub.listeners() as u64);
                table.hub.send(frame);
            }
            After::Deadline(table, line) => self.deadline(table, line, self.limits.testimony),
            After::Evaluate(table, seq, aside) => {
                evaluate(&self.orders, &self.throwers, &table, seq, *aside);
            }
            After::Closed(table) => {
                let waiting = std::mem::take(&mut *table.waiting());
                for job in waiting {
                    let _ = self.orders.always(Order::Job(Box::new(job)));
                }
            }
            After::Sits(table, seat) => table.hub.sits(seat),
            After::Links(table, role, secret) => table.people().turn(role, secret),
            After::Token(table, seat, token) => table.people().tokens.push((seat, token)),
        }
    }

    fn deadline(&mut self, table: Arc<Table>, line: u64, after: Duration) {
        self.count += 1;
        self.deadlines.push(Reverse((Instant::now() + after, self.count)));
        self.due.insert(self.count, (table, line));
    }
}

/// Throws a hidden roll for those who may see it, and keeps what it came to.
pub(crate) fn evaluate(
    orders: &Orders,
    throwers: &Throwers,
    table: &Arc<Table>,
    seq: u64,
    mut aside: Aside,
) {
    let (orders, table) = (orders.clone(), Arc::clone(table));
    let throw = table.house().as_ref().and_then(|house: &House| house.throw_of(&aside));
    let shown = move |mut aside: Aside, shown| {
        aside.shown = Some(shown);
        let _ = orders.always(Order::Shown(table, seq, Box::new(aside)));
    };
    match throw {
        Some(throw) => {
            throwers.throw(throw, move |thrown| shown(aside, (thrown.dice, thrown.outcome)));
        }
        None => {
            if let Some(why) = aside.refused.take() {
                let outcome =
                    astragal_fair::line::Outcome(astragal_fair::line::How::Refused, why.clone());
                aside.refused = Some(why);
                shown(aside, (Vec::new(), outcome));
            }
        }
    }
}

fn refuse(answer: Option<Answer>, problem: Problem) {
    if let Some(answer) = answer {
        // Whoever asked may be gone.
        let _ = answer.send(Err(problem));
    }
}

/// Whether it is a person's wish for another line: a full log still closes what is open.
fn adds_lines(act: &Act) -> bool {
    !matches!(act, Act::Hear(..) | Act::Due(_) | Act::Settle(_))
}

fn is_empty(writes: &Writes) -> bool {
    let Writes {
        gone,
        tables,
        secrets,
        restored,
        lines,
        asides,
        heard,
        closed,
        ended_links,
        links,
        tokens,
        words,
        unsaid,
    } = writes;
    gone.is_empty()
        && tables.is_empty()
        && secrets.is_empty()
        && restored.is_empty()
        && lines.is_empty()
        && asides.is_empty()
        && heard.is_empty()
        && closed.is_empty()
        && ended_links.is_empty()
        && links.is_empty()
        && tokens.is_empty()
        && words.is_empty()
        && unsaid.is_empty()
}

/// A line and its head, as they are answered.
fn body(id: &Id, line: &Written) -> String {
    format!("{}\n{}\n", line.text, house::head(*id, line.seq, line.hash, line.sig))
}

/// The event of words, for those who may read them.
pub(crate) fn words_frame(words: &Words) -> Option<Frame> {
    let to = audience(&words.to, words.seat)?;
    let data = serde_json::json!({
        "seq": words.seq, "hash": words.hash.to_string(), "salt": words.salt.to_string(), "words": words.text,
    });
    let bytes = format!("event: words\ndata: {data}\n\n").into();
    Some(Frame { seq: Some(words.seq), line: false, to, bytes })
}

/// Who may read words that are `to` somebody: whoever said them may too.
pub(crate) fn audience(to: &str, seat: u64) -> Option<house::Audience> {
    Some(readers(&serde_json::from_str(to).ok()?, seat).and(seat))
}

/// The event of a hidden roll, for those who may see it. Its length tells nothing: it is padded to a power of two.
pub(crate) fn private_frame(table: &Table, seq: u64, aside: &Aside) -> Option<Frame> {
    let (dice, outcome) = aside.shown.as_ref()?;
    let (envelope, asked) =
        astragal_fair::request::read::<astragal_fair::request::Roll>(&aside.request, &table.id)
            .ok()?;
    let to = readers(&asked.to, envelope.seat);
    let mut data = serde_json::json!({
        "seq": seq, "request": aside.request, "house": aside.house, "dice": dice, "outcome": outcome,
    })
    .to_string();
    data.pop();
    let length = (data.len() + 16).next_power_of_two().max(1024);
    let pad = " ".repeat(length - data.len() - 11);
    let bytes = format!("event: private\ndata: {data},\"pad\":\"{pad}\"}}\n\n").into();
    Some(Frame { seq: Some(seq), line: false, to, bytes })
}
