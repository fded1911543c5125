//! Tables for other programs and other pages.

pub mod csv;
pub mod grid;
pub mod outcomes;
