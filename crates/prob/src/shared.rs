//! A value that is shared and hashed at most once.
//!
//! Laws and tables are part of states, and states are looked up in hash maps all the time; a law can
//! have thousands of weights. A state that never meets another is not looked up at all.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHasher;

/// A shared value, and its hash once somebody asked for it.
#[derive(Debug)]
pub struct Shared<T>(Arc<(OnceLock<u64>, T)>);

impl<T: Hash> Shared<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Shared(Arc::new((OnceLock::new(), value)))
    }

    fn print(&self) -> u64 {
        *self.0.0.get_or_init(|| {
            let mut hasher = FxHasher::default();
            self.0.1.hash(&mut hasher);
            hasher.finish()
        })
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(Arc::clone(&self.0))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.1
    }
}

impl<T: PartialEq + Hash> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.print() == other.print() && self.0.1 == other.0.1)
    }
}

impl<T: Eq + Hash> Eq for Shared<T> {}

impl<T: Hash> Hash for Shared<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.print());
    }
}
