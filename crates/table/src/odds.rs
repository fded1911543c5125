//! Threads for odds: their own, few, with less weight than anything else, behind a queue that has an end. So heavy odds never delay a roll.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use astragal_page::{Host, answer};
use tokio::sync::oneshot;

use crate::metrics::{Metrics, add};
use crate::throws::{Shared, next};

type Asked = (String, oneshot::Sender<String>);

/// The threads.
#[derive(Clone, Debug)]
pub(crate) struct Odds {
    sender: SyncSender<Asked>,
    metrics: Arc<Metrics>,
}

impl Odds {
    pub(crate) fn start(
        threads: usize,
        waiting: usize,
        metrics: Arc<Metrics>,
    ) -> std::io::Result<Odds> {
        let (sender, receiver) = sync_channel::<Asked>(waiting);
        let queue: Shared<Asked> = Arc::new(Mutex::new(receiver));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            let counted = Arc::clone(&metrics);
            std::thread::Builder::new().name(format!("odds {number}")).spawn(move || {
                lighten();
                let host = Host { seed: || None, progress: |_, _| {} };
                while let Some((asked, to)) = next(&queue) {
                    counted.odds_waiting.fetch_sub(1, Ordering::Relaxed);
                    // Whoever has gone is not worth the work.
                    if !to.is_closed() {
                        let _ = to.send(answer(&asked, &host));
                    }
                }
            })?;
        }
        Ok(Odds { sender, metrics })
    }

    /// Asks; none if too many wait.
    pub(crate) fn ask(&self, request: String) -> Option<oneshot::Receiver<String>> {
        let (sender, receiver) = oneshot::channel();
        add(&self.metrics.odds_waiting);
        if self.sender.try_send((request, sender)).is_err() {
            self.metrics.odds_waiting.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(receiver)
    }
}

/// This thread has less weight than the others.
fn lighten() {
    #[cfg(target_os = "linux")]
    {
        // There, the priority of "this process" is that of the thread that asks.
        let _ = rustix::process::setpriority_process(None, 10);
    }
}
