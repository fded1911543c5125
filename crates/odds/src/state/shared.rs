//! A value that is shared and hashed once.
//!
//! Laws and tables are part of states, and states are looked up in hash maps all the time; a law can
//! have thousands of weights.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use rustc_hash::FxHasher;

/// A shared value with its hash.
#[derive(Debug)]
pub(crate) struct Shared<T>(Arc<(u64, T)>);

impl<T: Hash> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        let mut hasher = FxHasher::default();
        value.hash(&mut hasher);
        Shared(Arc::new((hasher.finish(), value)))
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

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.0 == other.0.0 && self.0.1 == other.0.1)
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<T> Hash for Shared<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.0);
    }
}
