//! The texts that are built in: the prelude and the rule systems.

pub(crate) const PRELUDE: &str = include_str!("../prelude/prelude.dice");

/// The rule systems: name and text, as they lie beside `src/`, in `systems/`.
pub const SYSTEMS: &[(&str, &str)] = &[
    ("stormchaser", include_str!("../systems/stormchaser.dice")),
    ("srd", include_str!("../systems/srd.dice")),
    ("cofd", include_str!("../systems/cofd.dice")),
    ("crucible", include_str!("../systems/crucible.dice")),
    ("kaiser", include_str!("../systems/kaiser.dice")),
];
