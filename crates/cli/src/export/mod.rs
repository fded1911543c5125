//! Tables for other programs and other pages.

pub(crate) mod csv;
pub(crate) mod grid;
pub(crate) mod outcomes;
