//! Buckets of tokens, by address, seat or table.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits::Rate;

/// More keys than this are looked through for full buckets, which need not be kept.
const MANY: usize = 10_000;

/// What is left of a rate.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

/// Buckets of one rate.
#[derive(Debug)]
pub(crate) struct Rates<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, Bucket>>,
}

impl<K: Hash + Eq> Rates<K> {
    pub(crate) fn new(rate: Rate) -> Rates<K> {
        Rates { rate, buckets: Mutex::new(HashMap::new()) }
    }

    /// Takes a token, or says when there will be one.
    pub(crate) fn take(&self, key: K) -> Result<(), Duration> {
        let now = Instant::now();
        let Rate { burst, second } = self.rate;
        let filled = |bucket: &Bucket| {
            (bucket.left + now.duration_since(bucket.at).as_secs_f64() * second).min(burst)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MANY {
            buckets.retain(|_, bucket| filled(bucket) < burst);
        }
        let bucket = buckets.entry(key).or_insert(Bucket { left: burst, at: now });
        let left = filled(bucket);
        bucket.at = now;
        bucket.left = left;
        if left < 1.0 {
            return Err(Duration::from_secs_f64(((1.0 - left) / second).clamp(0.0, 86_400.0)));
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

/// How many of something a key has.
#[derive(Debug)]
pub(crate) struct Counts<K> {
    counts: Mutex<HashMap<K, usize>>,
}

impl<K: Hash + Eq> Counts<K> {
    pub(crate) fn new() -> Counts<K> {
        Counts { counts: Mutex::new(HashMap::new()) }
    }

    /// One more, unless there are so many.
    pub(crate) fn begin(&self, key: K, most: usize) -> bool {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(key).or_insert(0);
        let fits = *count < most;
        *count += usize::from(fits);
        fits
    }

    /// One less.
    pub(crate) fn end(&self, key: K) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&key) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_so_many_and_says_when_the_next_comes() {
        let rates = Rates::new(Rate { burst: 2.0, second: 0.5 });
        assert_eq!((rates.take(1), rates.take(1)), (Ok(()), Ok(())));
        let wait = rates.take(1).unwrap_err();
        assert!(wait > Duration::from_millis(1500) && wait <= Duration::from_secs(2), "{wait:?}");
        assert_eq!(rates.take(2), Ok(()), "somebody else has a bucket of his own");
    }

    #[test]
    fn counts_go_up_and_down() {
        let counts = Counts::new();
        assert!(counts.begin('a', 2) && counts.begin('a', 2) && !counts.begin('a', 2));
        counts.end('a');
        assert!(counts.begin('a', 2));
    }
}
