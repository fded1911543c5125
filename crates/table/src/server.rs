//! The server: its parts put together, begun and stopped.

use std::collections::HashSet;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use astragal_fair::Id;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use crate::house::Act;
use crate::http;
use crate::hub::Frame;
use crate::limits::Limits;
use crate::metrics::{Metrics, add};
use crate::odds::Odds;
use crate::problem::Problem;
use crate::rates::{Counts, Rates};
use crate::store::{Failed, Shelf, Sqlite, Store};
use crate::tables::{Table, Tables};
use crate::throws::Throwers;
use crate::writer::{Job, Order, Orders, Writer};

/// How often it is looked who is here.
const LOOK: Duration = Duration::from_millis(500);
/// How often streams are told that the server lives.
const TICK: u32 = 30;
/// How often tables are looked for that nobody writes to: at the start, and each hour.
const FORGET: u32 = 7_200;

/// What a server is to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The file with the tables; without one the page alone is given out.
    pub data: Option<PathBuf>,
    /// The second address.
    pub metrics: Option<SocketAddr>,
    /// Whether a proxy in front says who asks.
    pub behind_proxy: bool,
    /// All that is limited.
    pub limits: Limits,
}

impl Options {
    /// A server on this address.
    pub fn new(listen: SocketAddr) -> Options {
        Options { listen, data: None, metrics: None, behind_proxy: false, limits: Limits::USUAL }
    }
}

/// Why there is no server.
#[derive(Debug)]
pub enum Trouble {
    /// The address cannot be had.
    Listen(SocketAddr, io::Error),
    /// The file cannot be had.
    Data(Failed),
    /// The system has nothing left.
    System(io::Error),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Trouble::Data(failed) => write!(f, "cannot open the tables: {failed}"),
            Trouble::System(error) => write!(f, "cannot start: {error}"),
        }
    }
}

impl std::error::Error for Trouble {}

/// What all routes share.
pub(crate) struct App {
    pub(crate) tables: Option<Tables>,
    pub(crate) shelf: Option<Arc<dyn Shelf>>,
    orders: Option<Orders>,
    pub(crate) odds: Odds,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Limits,
    pub(crate) behind_proxy: bool,
    pub(crate) new_tables: Rates<IpAddr>,
    of_address: Rates<IpAddr>,
    pub(crate) of_odds: Rates<IpAddr>,
    pub(crate) of_seat: Rates<(Id, u64)>,
    pub(crate) of_table: Rates<Id>,
    pub(crate) streams: Counts<IpAddr>,
    pub(crate) connections: Counts<IpAddr>,
    /// Tables of which a device has more than we have.
    behind: Mutex<HashSet<Id>>,
    stop: watch::Sender<bool>,
    stopping: AtomicBool,
}

impl App {
    /// Whether more may be asked for from this address.
    pub(crate) fn address(&self, peer: IpAddr) -> Result<(), Problem> {
        self.of_address.take(peer).map_err(|wait| {
            add(&self.metrics.refused);
            Problem::new(429, "too-often", "too much is asked for from this address").retry(wait)
        })
    }

    /// Counts wrong signatures.
    pub(crate) fn signed(&self, result: Result<(), Problem>) -> Result<(), Problem> {
        result.inspect_err(|_| add(&self.metrics.signatures))
    }

    /// The way to the writer, unless the server stops.
    pub(crate) fn orders(&self) -> Result<&Orders, Problem> {
        if self.is_stopping() {
            return Err(Problem::stopping());
        }
        self.orders.as_ref().ok_or_else(Problem::storage)
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.stop.subscribe()
    }

    /// A device has lines that we do not: what was sealed since may have been opened. So the house seals anew, once.
    pub(crate) fn is_behind(&self, table: &Arc<Table>) {
        let first = self.behind.lock().unwrap_or_else(PoisonError::into_inner).insert(table.id);
        if let (true, Some(tables)) = (first, &self.tables) {
            if let Some(house) = table.house().as_mut() {
                house.restored();
            }
            tables.settle(table);
        }
    }

    fn tables(&self) -> Vec<Arc<Table>> {
        self.tables.as_ref().map(Tables::all).unwrap_or_default()
    }
}

/// A server that has its addresses and its file, and waits to be run.
pub struct Server {
    runtime: Runtime,
    app: Arc<App>,
    listener: TcpListener,
    told: Option<TcpListener>,
    writer: Option<JoinHandle<()>>,
    address: SocketAddr,
    told_address: Option<SocketAddr>,
}

/// Stops a server from elsewhere.
#[derive(Clone)]
pub struct Stopper(Arc<App>);

impl Stopper {
    /// Stops it: what was asked for is answered, streams are told and ended.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
        for table in self.0.tables() {
            table.hub.close();
        }
        let _ = self.0.stop.send(true);
    }
}

impl Server {
    /// Takes addresses and file.
    pub fn bind(options: &Options) -> Result<Server, Trouble> {
        let store = match &options.data {
            Some(path) => {
                let store = Sqlite::open(path).map_err(Trouble::Data)?;
                let shelf = store.shelf();
                Some((Box::new(store) as Box<dyn Store>, shelf))
            }
            None => None,
        };
        Server::with_store(options, store)
    }

    /// The same with a store of any kind.
    pub fn with_store(
        options: &Options,
        store: Option<(Box<dyn Store>, Arc<dyn Shelf>)>,
    ) -> Result<Server, Trouble> {
        let limits = options.limits;
        let runtime = Builder::new_multi_thread().enable_all().build().map_err(Trouble::System)?;
        let listen = |address: SocketAddr| {
            let bound = runtime.block_on(TcpListener::bind(address));
            let listener = bound.map_err(|error| Trouble::Listen(address, error))?;
            let address = listener.local_addr().map_err(|error| Trouble::Listen(address, error))?;
            Ok((listener, address))
        };
        let (listener, address) = listen(options.listen)?;
        let told = options.metrics.map(listen).transpose()?;
        let (told, told_address) =
            told.map_or((None, None), |(listener, address)| (Some(listener), Some(address)));
        let metrics = Arc::new(Metrics::default());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let odds = Odds::start((cores - 1).max(1), limits.odds_waiting, Arc::clone(&metrics))
            .map_err(Trouble::System)?;
        let (mut tables, mut kept, mut orders, mut writer) = (None, None, None, None);
        if let Some((store, shelf)) = store {
            let throwers = Throwers::start(2).map_err(Trouble::System)?;
            let (way, handle) =
                Writer::start(store, throwers.clone(), limits, Arc::clone(&metrics))
                    .map_err(Trouble::System)?;
            tables = Some(Tables::new(Arc::clone(&shelf), way.clone(), throwers, limits));
            (kept, orders, writer) = (Some(shelf), Some(way), Some(handle));
        }
        let app = Arc::new(App {
            tables,
            shelf: kept,
            orders,
            odds,
            metrics,
            limits,
            behind_proxy: options.behind_proxy,
            new_tables: Rates::new(limits.tables),
            of_address: Rates::new(limits.address),
            of_odds: Rates::new(limits.odds),
            of_seat: Rates::new(limits.seat),
            of_table: Rates::new(limits.table),
            streams: Counts::new(),
            connections: Counts::new(),
            behind: Mutex::new(HashSet::new()),
            stop: watch::channel(false).0,
            stopping: AtomicBool::new(false),
        });
        Ok(Server { runtime, app, listener, told, writer, address, told_address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The second address.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.told_address
    }

    /// Stops it later.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.app))
    }

    /// Answers until somebody stops it, or the system does (SIGTERM, Ctrl-C).
    pub fn run(self) {
        let Server { runtime, app, listener, told, writer, .. } = self;
        let patience = app.limits.stop;
        let stopper = Stopper(Arc::clone(&app));
        runtime.block_on(async {
            tokio::spawn(async move {
                signalled().await;
                stopper.stop();
            });
            tokio::spawn(look(Arc::clone(&app)));
            if let Some(told) = told {
                let router = http::told(Arc::clone(&app));
                tokio::spawn(http::serve(told, router, Arc::clone(&app), patience));
            }
            let router = http::router(Arc::clone(&app));
            http::serve(listener, router, Arc::clone(&app), patience).await;
        });
        if let Some(orders) = &app.orders {
            // All that was taken is written first.
            let _ = orders.always(Order::Stop);
        }
        if let Some(writer) = writer {
            // It ends by itself; if it has panicked, what it said is on the screen.
            let _ = writer.join();
        }
        runtime.shutdown_background();
    }
}

/// Until the system asks for an end.
async fn signalled() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut int)) =
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        {
            tokio::select! {
                _ = term.recv() => {}
                _ = int.recv() => {}
            }
            return;
        }
    }
    // Without signals there is Ctrl-C, or nothing.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Looks again and again who is here, and what nobody uses any more.
async fn look(app: Arc<App>) {
    let mut times = 0u32;
    let mut interval = tokio::time::interval(LOOK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while !app.is_stopping() {
        interval.tick().await;
        if times.is_multiple_of(FORGET) {
            forget(&app);
        }
        times = times.wrapping_add(1);
        let Ok(orders) = app.orders() else { return };
        for table in app.tables() {
            if times.is_multiple_of(TICK) {
                table.hub.send(Frame::plain(":\n\n"));
            }
            let Some(here) = table.hub.here(app.limits.gone) else { continue };
            let differs = table.with(|house| house.newly_present(&here).is_some());
            if differs == Ok(true) {
                // If too much waits, the next look is soon.
                let _ = orders.send(Order::Job(Box::new(Job::new(&table, Act::Present(here)))));
            }
        }
        if times.is_multiple_of(TICK)
            && let Some(tables) = &app.tables
        {
            tables.rest();
        }
    }
}

/// Tables that have been silent for too long go.
fn forget(app: &Arc<App>) {
    let Some(silence) = app.limits.silence else { return };
    let app = Arc::clone(app);
    tokio::task::spawn_blocking(move || {
        if let Some(tables) = &app.tables {
            tables.expire(silence);
        }
    });
}
