//! What is counted, and told on the second address as Prometheus reads it.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use astragal_fair::Kind;

/// Upper ends of the classes of durations, in microseconds.
const CLASSES: [u64; 12] =
    [250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000];

/// Durations, counted by class.
#[derive(Debug, Default)]
pub(crate) struct Durations {
    classes: [AtomicU64; CLASSES.len() + 1],
    sum: AtomicU64,
}

impl Durations {
    pub(crate) fn count(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let class = CLASSES.iter().position(|end| micros <= *end).unwrap_or(CLASSES.len());
        self.classes[class].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(micros, Ordering::Relaxed);
    }

    fn tell(&self, out: &mut String, name: &str, what: &str) {
        let _ = writeln!(out, "# HELP {name} {what}\n# TYPE {name} histogram");
        let mut all = 0;
        for (end, class) in CLASSES.iter().zip(&self.classes) {
            all += class.load(Ordering::Relaxed);
            let _ = writeln!(out, "{name}_bucket{{le=\"{}\"}} {all}", *end as f64 / 1e6);
        }
        all += self.classes[CLASSES.len()].load(Ordering::Relaxed);
        let sum = self.sum.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(
            out,
            "{name}_bucket{{le=\"+Inf\"}} {all}\n{name}_sum {sum}\n{name}_count {all}"
        );
    }
}

/// Everything that is counted.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    lines: AtomicU64,
    rolls: AtomicU64,
    missed: AtomicU64,
    batches: AtomicU64,
    failed: AtomicU64,
    deliveries: AtomicU64,
    pub(crate) listeners: AtomicU64,
    pub(crate) connections: AtomicU64,
    pub(crate) lagged: AtomicU64,
    pub(crate) signatures: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) odds: AtomicU64,
    pub(crate) odds_waiting: AtomicU64,
    pub(crate) odds_refused: AtomicU64,
    pub(crate) answered: Durations,
    sync: Durations,
    last_failure: Mutex<Option<String>>,
}

impl Metrics {
    pub(crate) fn line(&self, kind: Kind) {
        add(&self.lines);
        if matches!(kind, Kind::Roll | Kind::Hidden | Kind::Close | Kind::CloseHidden) {
            add(&self.rolls);
        }
        if kind == Kind::Again {
            add(&self.missed);
        }
    }

    pub(crate) fn sent(&self, listeners: u64) {
        self.deliveries.fetch_add(listeners, Ordering::Relaxed);
    }

    pub(crate) fn batch(&self, _lines: usize, took: Duration, done: bool) {
        add(&self.batches);
        self.sync.count(took);
        if done {
            *self.last_failure.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    pub(crate) fn failed(&self, why: &str) {
        add(&self.failed);
        *self.last_failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.to_owned());
    }

    /// Why nothing can be written, if that is so.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.last_failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let counters = [
            ("astragal_lines_total", "Lines written.", &self.lines),
            ("astragal_rolls_total", "Rolls that came to their end.", &self.rolls),
            ("astragal_asked_again_total", "Asks in which a witness was missing.", &self.missed),
            ("astragal_batches_total", "Transactions.", &self.batches),
            ("astragal_failed_batches_total", "Transactions that failed.", &self.failed),
            ("astragal_deliveries_total", "Events handed to listeners.", &self.deliveries),
            (
                "astragal_lagged_total",
                "Times that a listener was too slow and read from the store.",
                &self.lagged,
            ),
            (
                "astragal_signature_failures_total",
                "Requests with a wrong signature.",
                &self.signatures,
            ),
            ("astragal_refused_total", "Requests over a limit.", &self.refused),
            ("astragal_odds_total", "Odds and checks that were answered.", &self.odds),
            (
                "astragal_odds_refused_total",
                "Odds and checks that were turned away.",
                &self.odds_refused,
            ),
        ];
        for (name, what, value) in counters {
            let value = value.load(Ordering::Relaxed);
            let _ = writeln!(out, "# HELP {name} {what}\n# TYPE {name} counter\n{name} {value}");
        }
        let gauges = [
            ("astragal_listeners", "Open streams.", &self.listeners),
            ("astragal_connections", "Open connections.", &self.connections),
            ("astragal_odds_waiting", "Odds that wait.", &self.odds_waiting),
        ];
        for (name, what, value) in gauges {
            let value = value.load(Ordering::Relaxed);
            let _ = writeln!(out, "# HELP {name} {what}\n# TYPE {name} gauge\n{name} {value}");
        }
        self.answered.tell(
            &mut out,
            "astragal_answer_seconds",
            "From a request to its answer, streams aside.",
        );
        self.sync.tell(
            &mut out,
            "astragal_batch_seconds",
            "From the beginning of a transaction to its sync.",
        );
        out
    }
}

pub(crate) fn add(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
