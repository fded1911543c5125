//! One dice language, two readings: roll it, or know it.
//!
//! ```
//! use astragal::{Budget, Engine, faces::Scripted};
//!
//! let engine = Engine::new();
//! let program = engine.compile("4d6kh3")?;
//!
//! // Roll it: one value, and everything that happened.
//! let roll = program.roll(&mut Scripted::whole(&[3, 6, 2, 5]))?;
//! assert_eq!(roll.value.to_string(), "14");
//! assert_eq!(program.explain(&roll), "4d6 keep highest 3: 3 6 (2) 5 = 14");
//!
//! // Know it: the exact distribution of the very same rule.
//! let odds = program.odds(&Budget::default())?;
//! assert_eq!(odds.only().mean().unwrap().to_string(), "15869/1296");
//! assert_eq!(odds.at_least(15).unwrap().to_string(), "25/108");
//! # Ok::<(), astragal::Diagnostics>(())
//! ```
//!
//! The five rule systems need no import, and inputs are set by name:
//!
//! ```
//! # use astragal::{Budget, Engine};
//! let engine = Engine::new();
//! let mut program = engine.compile("param pool = 7; cofd.action(pool, again: 9).outcome")?;
//! program.set("pool", "5")?;
//! let odds = program.odds(&Budget::default())?;
//! assert!(odds.only().lost.is_zero());
//! # Ok::<(), astragal::Diagnostics>(())
//! ```
//!
//! Chance comes in through one trait, [`faces::Faces`]; nothing here reads a clock, a file or the
//! system's randomness. Whoever has dice of their own hands them in:
//!
//! ```
//! use astragal::faces::{DieFaces, Faces};
//! use astragal::{Engine, FaultKind};
//!
//! /// Every die shows its highest face.
//! struct Lucky;
//!
//! impl Faces for Lucky {
//!     fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
//!         Ok(die.count() - 1)
//!     }
//! }
//!
//! assert_eq!(Engine::new().compile("4d6kh3")?.roll(&mut Lucky)?.value.to_string(), "18");
//! # Ok::<(), astragal::Diagnostics>(())
//! ```
//!
//! # Features
//!
//! | feature | what it brings |
//! |---|---|
//! | `charts` | `charts`: odds as pictures, in SVG |
//! | `png` | `charts::png`: the same as dots, with a font inside |
//! | `tables` | `tables`: rows, summaries, CSV, Markdown |
//! | `dialects` | `dialects`: the notations of other tools, read as they read them |
//! | `sweeps` | `sweeps`: one program at many values of its inputs, and which of them meet a goal |
//! | `rand_core` | `faces::FromRng`: dice from any random generator |
//! | `serde` | `Serialize` for values, answers, odds, rolls and diagnostics |
//! | `full` | all of these but `png` |
//!
//! None is on by itself: rolls, odds, explanations and [`json`] need none.
//!
//! # Where to look
//!
//! [`Engine`] compiles, a [`Program`] is rolled and known, [`Odds`] has an [`Answer`] a result, a [`Budget`] says what may be
//! spent on it, and [`Diagnostics`] is every error. The folder `examples` of this package has a small program on each.

#[doc(inline)]
pub use astragal_engine::*;

/// Odds as pictures.
///
/// ```
/// use astragal::charts::{Look, View, svg};
/// use astragal::{Budget, Engine};
///
/// let odds = Engine::new().compile("3d6")?.odds(&Budget::default())?;
/// let picture = svg("3d6", &odds.results, View::Exactly, &Look::default()).unwrap();
/// assert!(picture.starts_with("<svg"));
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
#[cfg(feature = "charts")]
pub mod charts;

/// Dice notation of other tools, read as they read it and said in our own.
///
/// ```
/// use astragal::dialects::{Dialect, convert};
///
/// assert_eq!(convert("4d6r<2", Dialect::Roll20).unwrap(), "4d6rr<=2");
/// assert_eq!(convert("4d6r<2", Dialect::Foundry).unwrap(), "4d6ro<2");
/// ```
#[cfg(feature = "dialects")]
pub mod dialects {
    #[doc(inline)]
    pub use astragal_dialect::{Converted, Dialect, convert, convert_noted};
}

/// The traits of random generators, in the version that [`faces::FromRng`] takes.
#[cfg(feature = "rand_core")]
pub use rand_core;

/// One program at many values of its inputs, and which of them meet a goal: see the example `what_if`.
#[cfg(feature = "sweeps")]
pub mod sweeps {
    #[doc(inline)]
    pub use astragal_vary::{
        Axis, Column, Condition, Goal, Measure, Point, Refusal, Solution, Told, columns,
        combinations, number, target,
    };
}

/// Odds as tables of text: for people, for Markdown, for spreadsheets.
///
/// ```
/// use astragal::tables::{View, spreadsheet, summary};
/// use astragal::{Budget, Engine};
///
/// let odds = Engine::new().compile("d4")?.odds(&Budget::default())?;
/// let table = spreadsheet(&odds.results, View::AtLeast);
/// assert!(table.csv().starts_with("outcome,"));
/// assert_eq!(table.markdown().len(), 2 + 4);
/// assert_eq!(summary(odds.only())[0], "mean 2.5, standard deviation 1.118");
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
#[cfg(feature = "tables")]
pub mod tables {
    #[doc(inline)]
    pub use astragal_show::View;
    #[doc(inline)]
    pub use astragal_show::export::grid::Grid;
    #[doc(inline)]
    pub use astragal_show::rows::{Merged, Row, Table, table};
    #[doc(inline)]
    pub use astragal_show::summary::{lines as summary, percentiles};
    #[doc(inline)]
    pub use astragal_show::tables::{answers, spreadsheet, title, titled};
}

/// The example of the package's front page is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
