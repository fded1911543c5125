//! Tree to typed program: modules, names, types, and the small core language that both meanings share.

pub mod core;
pub mod fault;
pub mod types;
