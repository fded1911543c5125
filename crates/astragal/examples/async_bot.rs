//! A bot that answers many people at once. Odds are work for a processor, so they are computed beside the threads that
//! talk (`spawn_blocking`), a few at a time, and whoever no longer waits has theirs cancelled.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use astragal::faces::Seeded;
use astragal::{Budget, Diagnostics, Engine};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Cheap to clone: one for each who asks.
#[derive(Clone)]
struct Bot {
    engine: Engine,
    /// So many requests are computed at the same time.
    places: Arc<Semaphore>,
    patience: Duration,
}

/// Stops the request when nobody waits for it any more.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Bot {
    async fn answer(&self, message: &str, seed: u64) -> String {
        let waiting = StopWhenDropped(Arc::default());
        let work = self.work(message.to_owned(), seed, Arc::clone(&waiting.0));
        match timeout(self.patience, work).await {
            Ok(Ok(text)) => text,
            Ok(Err(wrong)) => format!("```\n{wrong}\n```"),
            Err(_) => "this takes too long".into(),
        }
    }

    async fn work(
        &self,
        message: String,
        seed: u64,
        stop: Arc<AtomicBool>,
    ) -> Result<String, Box<Diagnostics>> {
        let (engine, places) = (self.engine.clone(), Arc::clone(&self.places));
        let Ok(_place) = places.acquire_owned().await else { return Ok("closed".into()) };
        let budget = Budget::default().with_steps(20_000_000).with_cancel(stop);
        let done = spawn_blocking(move || said(&engine, &message, seed, &budget)).await;
        done.unwrap_or_else(|_| Ok("something went wrong".into()))
    }
}

/// `/odds 4d6kh3` tells the odds; anything else is rolled.
fn said(
    engine: &Engine,
    message: &str,
    seed: u64,
    budget: &Budget,
) -> Result<String, Box<Diagnostics>> {
    if let Some(text) = message.strip_prefix("/odds ") {
        let odds = engine.compile(text)?.odds(budget)?;
        return Ok(match odds.mean_f64().zip(odds.deviation_f64()) {
            Some((mean, deviation)) => format!("{text}: mean {mean:.2} ± {deviation:.2}"),
            None => format!("{text}: {} outcomes", odds.only().outcomes.len()),
        });
    }
    let program = engine.compile(message)?;
    let roll = program.roll(&mut Seeded::new(seed, 0))?;
    Ok(program.explain(&roll))
}

async fn evening(bot: Bot) {
    let messages = ["4d6kh3", "/odds 2d6", "/odds 4d6kh3", "4d6r1", "/odds cofd.action(7).outcome"];
    let mut asked = Vec::new();
    for (seed, message) in (0..).zip(messages) {
        let bot = bot.clone();
        asked.push(tokio::spawn(async move { bot.answer(message, seed).await }));
    }
    let mut told = Vec::new();
    for answer in asked {
        told.push(answer.await.unwrap_or_default());
    }
    told.iter().for_each(|line| println!("{line}"));
    assert_eq!(told[1], "2d6: mean 7.00 ± 2.42");
    assert!(told[3].contains("4d6ro<=1"), "{}", told[3]);
    assert_eq!(told[4], "cofd.action(7).outcome: 3 outcomes");
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build()?;
    let patience = Duration::from_secs(60);
    let bot = Bot { engine: Engine::new(), places: Arc::new(Semaphore::new(2)), patience };
    runtime.block_on(evening(bot.clone()));

    // Who has no patience is told so, and the work behind it stops.
    let hurried = Bot { patience: Duration::ZERO, ..bot };
    let told = runtime.block_on(hurried.answer("/odds 200d1000 * 200d999", 0));
    assert_eq!(told, "this takes too long");
    Ok(())
}
