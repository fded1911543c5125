//! What can be written after `compare`, `sweep` and `solve`, and how tables leave the terminal.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Asking, Output, Source, whole};

/// Which chance belongs to an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// Of this very outcome
    #[default]
    Exactly,
    /// Of this outcome or a higher one
    AtLeast,
    /// Of this outcome or a lower one
    AtMost,
}

impl From<View> for astragal_show::View {
    fn from(view: View) -> Self {
        match view {
            View::Exactly => Self::Exactly,
            View::AtLeast => Self::AtLeast,
            View::AtMost => Self::AtMost,
        }
    }
}

/// A table for another program.
#[derive(Args, Debug, Default)]
pub(crate) struct Csv {
    /// Answer as comma-separated values
    #[arg(long, conflicts_with_all = ["json", "markdown", "plain"])]
    pub(crate) csv: bool,
}

/// A chart for a page.
#[derive(Args, Debug, Default)]
pub(crate) struct Picture {
    /// Draw the chart into this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The same as PNG, for where no SVG is taken
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// The title of the drawn chart
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The width of the drawn chart in pixels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(SIZES))]
    pub(crate) width: Option<u32>,
    /// The height of the drawn chart in pixels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(SIZES))]
    pub(crate) height: Option<u32>,
    /// Draw on dark paper
    #[arg(long, conflicts_with = "light")]
    pub(crate) dark: bool,
    /// Draw on light paper, also where the reader prefers dark
    #[arg(long)]
    pub(crate) light: bool,
}

/// From where something can be seen to where nobody can see it at once.
const SIZES: std::ops::RangeInclusive<i64> = 200..=4000;

#[derive(Args, Debug)]
#[command(override_usage = "astragal compare [OPTIONS] EXPR EXPR...")]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Another program to compare with; the option's name may be left out
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) with: Vec<String>,
    #[command(flatten)]
    pub(crate) asking: Asking,
    /// List every outcome
    #[arg(long)]
    pub(crate) full: bool,
    /// How many steps of work are allowed, for each program
    #[arg(long, value_name = "N", value_parser = whole)]
    pub(crate) steps: Option<u64>,
    #[command(flatten)]
    pub(crate) csv: Csv,
    #[command(flatten)]
    pub(crate) picture: Picture,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
#[command(override_usage = "astragal sweep [OPTIONS] EXPR NAME=VALUES...")]
pub(crate) struct Sweep {
    #[command(flatten)]
    pub(crate) source: Source,
    /// An input and its values: `dc=5..25`, `0..20/5` in steps, `2,4,6`; the option's name may be left out
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub(crate) over: Vec<String>,
    /// A column with the chance of this, such as `>= 15`
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub(crate) chance: Vec<String>,
    /// The chance of this and nothing else
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true, conflicts_with = "chance")]
    pub(crate) that: Option<String>,
    /// One field of the result, such as `outcome`
    #[arg(long, value_name = "FIELD")]
    pub(crate) field: Option<String>,
    /// How many steps of work are allowed, for each point
    #[arg(long, value_name = "N", value_parser = whole)]
    pub(crate) steps: Option<u64>,
    #[command(flatten)]
    pub(crate) csv: Csv,
    #[command(flatten)]
    pub(crate) picture: Picture,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
#[command(override_usage = "astragal solve [OPTIONS] --chance TARGET EXPR NAME[=VALUES]")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The input to find, and where: `dc`, `dc=1..40`; a second one gives an answer for each of its
    /// values; the option's name may be left out
    #[arg(long = "for", value_name = "NAME[=VALUES]")]
    pub(crate) input: Vec<String>,
    /// The chance wanted: `65%`, `13/20`, `0.65`, `1 in 1000`; without it, that a yes is certain
    #[arg(long, value_name = "TARGET")]
    pub(crate) chance: Option<String>,
    /// The mean wanted, of a number: `20`, `12.5`, `7/2`
    #[arg(long, value_name = "TARGET", conflicts_with_all = ["chance", "that"])]
    pub(crate) mean: Option<String>,
    /// The chance or the mean may be at most the target, not at least
    #[arg(long)]
    pub(crate) at_most: bool,
    /// What has the chance, where the result is no yes or no: `>= 15`, `success`
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub(crate) that: Option<String>,
    /// One field of the result, such as `outcome`
    #[arg(long, value_name = "FIELD")]
    pub(crate) field: Option<String>,
    /// How many steps of work are allowed, for each value
    #[arg(long, value_name = "N", value_parser = whole)]
    pub(crate) steps: Option<u64>,
    #[command(flatten)]
    pub(crate) output: Output,
}
