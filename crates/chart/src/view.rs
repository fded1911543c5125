//! Which chance belongs to an outcome.

/// Which chance belongs to an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Of this very outcome.
    #[default]
    Exactly,
    /// Of this outcome or a higher one.
    AtLeast,
    /// Of this outcome or a lower one.
    AtMost,
}
