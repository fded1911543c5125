//! What can be written after `astragal`.

#[cfg(feature = "server")]
mod server;
mod tables;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

#[cfg(feature = "server")]
pub(crate) use server::{Chore, Serve, Table};
pub(crate) use tables::{Compare, Csv, Picture, Solve, Sweep, View};

/// The verb that stands where none is written. No one types it: it begins with a blank.
pub(crate) const NO_VERB: &str = " both";

/// One dice language: roll it, or know its exact odds.
///
/// `astragal 4d6kh3` rolls and shows the odds; `astragal` alone reads line by line.
#[derive(Debug, Parser)]
#[command(name = "astragal", version, subcommand_required = true, disable_help_subcommand = true)]
#[command(override_usage = "astragal [COMMAND] [OPTIONS] EXPR\n       astragal")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Roll once and explain every die
    Roll(Roll),
    /// The exact chance of every outcome
    Odds(Odds),
    /// Several rolls in one chart, and how often one beats another
    Compare(Compare),
    /// How odds change with an input: a row for each of its values
    Sweep(Sweep),
    /// Which values of an input give a chance
    Solve(Solve),
    /// What is computed, by which ways, and what it costs
    Plan(Plan),
    /// Say what is wrong with a program, without rolling it
    Check(Check),
    /// Say another tool's notation in our own
    Convert(Convert),
    /// Print programs in the canonical layout
    Fmt(Fmt),
    /// The rule systems that are built in, and what they offer
    Systems(Systems),
    /// Ask for each parameter of a rule, then roll it
    Play(Play),
    /// Give the page to a browser: odds and rolls, computed there
    #[cfg(feature = "server")]
    Serve(Serve),
    /// Roll together: a table whose dice nobody has to trust
    #[cfg(feature = "server")]
    Table(Table),
    /// Play at a table from the terminal: its link is what the game master sends
    #[cfg(feature = "sit")]
    Sit(Sit),
    /// Check the log of a table: every seal, every signature, every die
    Verify(Verify),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page, or write one a command into a folder
    Man(Man),
    /// Explain a command, a suffix, a word of the language or a rule: `help kh`
    Help(Help),
    /// Roll, and show the odds beside it
    #[command(name = NO_VERB, hide = true, override_usage = "astragal [OPTIONS] EXPR")]
    Both(Both),
}

impl Command {
    /// How this command's answers look.
    pub(crate) fn output(&self) -> &Output {
        match self {
            Command::Roll(Roll { output, .. })
            | Command::Odds(Odds { output, .. })
            | Command::Compare(Compare { output, .. })
            | Command::Sweep(Sweep { output, .. })
            | Command::Solve(Solve { output, .. })
            | Command::Check(Check { output, .. })
            | Command::Convert(Convert { output, .. })
            | Command::Fmt(Fmt { output, .. })
            | Command::Systems(Systems { output, .. })
            | Command::Play(Play { output, .. })
            | Command::Verify(Verify { output, .. })
            | Command::Plan(Plan { output, .. })
            | Command::Completions(Completions { output, .. })
            | Command::Man(Man { output, .. })
            | Command::Help(Help { output, .. })
            | Command::Both(Both { output, .. }) => output,
            #[cfg(feature = "server")]
            Command::Serve(Serve { output, .. }) | Command::Table(Table { output, .. }) => output,
            #[cfg(feature = "sit")]
            Command::Sit(Sit { output, .. }) => output,
        }
    }
}

/// A number that counts something; what is wrong with another text is said in words.
fn whole(text: &str) -> Result<u64, String> {
    let number = text.trim().replace('_', "").parse();
    number.map_err(|_| "it is a whole number from 0 up, such as 7".to_owned())
}

/// A number that counts something which there is.
fn some(text: &str) -> Result<u64, String> {
    let number = whole(text).ok().filter(|number| *number > 0);
    number.ok_or_else(|| "it is a whole number from 1 up, such as 7".to_owned())
}

/// Which program.
#[derive(Args, Clone, Debug)]
pub(crate) struct Source {
    /// The program, such as `4d6kh3`; several words are joined with blanks
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,
    /// Read the program from a file, `-` is standard input; beside an expression, a file of
    /// definitions that it knows
    #[arg(short, long, value_name = "PATH")]
    pub(crate) file: Option<PathBuf>,
    /// Let the names of a system, or of a file of house rules, be known without their prefix
    #[arg(long, value_name = "NAME|PATH")]
    pub(crate) system: Option<String>,
    /// Set an input that the program declares with `param`, or only names
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Read the program as another tool does; `anydice` runs whole programs
    #[arg(long = "from", alias = "dialect", value_enum, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,
    /// What stands before the expression: the definitions of a session.
    #[arg(skip)]
    pub(crate) before: String,
}

/// Another tool whose notation is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    Roll20,
    Foundry,
    Avrae,
    RpgDiceRoller,
    #[value(name = "dicemaiden")]
    DiceMaiden,
    Anydice,
}

/// How answers look.
#[derive(Args, Debug, Default)]
pub(crate) struct Output {
    /// Answer in JSON
    #[arg(short, long)]
    pub(crate) json: bool,
    /// Answer in Markdown
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Answer without bars and colours
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    pub(crate) plain: bool,
    /// When to use colours
    #[arg(long, alias = "color", value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) colour: Colour,
    /// Take what options are by default from this file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    #[default]
    Auto,
    Always,
    Never,
}

/// Where the faces of a roll come from, and how much is told of it.
#[derive(Args, Debug)]
pub(crate) struct Throwing {
    /// Roll from this seed: the same seed gives the same dice
    #[arg(short, long, value_name = "N", conflicts_with = "faces", value_parser = whole)]
    pub(crate) seed: Option<u64>,
    /// The faces that come up, in the order of throws, such as 3,6,2,5
    #[arg(long, value_name = "FACES")]
    pub(crate) faces: Option<String>,
    /// What is chosen, in order, where somebody decides: `"throw again",keep`; then best play goes on
    #[arg(long, value_name = "LABELS")]
    pub(crate) choices: Option<String>,
    /// Ask at each choice what to take; best play decides otherwise
    #[arg(long, conflicts_with = "json")]
    pub(crate) ask: bool,
    /// Tell every step of a roll, list every outcome
    #[arg(long)]
    pub(crate) full: bool,
    /// How many steps of work are allowed; usually 5 million for a roll, 400 million for odds and for many rolls
    #[arg(long, value_name = "N", value_parser = whole)]
    pub(crate) steps: Option<u64>,
}

/// Which odds.
#[derive(Args, Debug, Default)]
pub(crate) struct Asking {
    /// List the outcomes of an endless roll at least up to this number
    #[arg(long, value_name = "N")]
    pub(crate) until: Option<String>,
    /// The odds of one field of the result, such as `outcome` or `attacker.total`
    #[arg(long, value_name = "FIELD")]
    pub(crate) field: Option<String>,
    /// Whole records, instead of one table a field
    #[arg(long, conflicts_with = "field")]
    pub(crate) joint: bool,
    /// Of each outcome alone, or of it and all beyond it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) view: View,
    /// The chance of this, such as `>= 15` or `success`
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub(crate) chance: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Roll {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) throwing: Throwing,
    /// Roll so many times; nothing is summed
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "faces", value_parser = some)]
    pub(crate) times: Option<u64>,
    /// The roll with this number of a seed: the second of `--times 3` is `--roll 2`
    #[arg(long, value_name = "N", requires = "seed", conflicts_with = "times")]
    #[arg(value_parser = some)]
    pub(crate) roll: Option<u64>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Odds {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) asking: Asking,
    /// How the fields of a record move together
    #[arg(long, conflicts_with = "field")]
    pub(crate) correlations: bool,
    /// Where somebody decides: every case, what to take, and what each option is worth
    #[arg(long)]
    pub(crate) policy: bool,
    /// List every outcome
    #[arg(long)]
    pub(crate) full: bool,
    /// How many steps of work are allowed; usually 400 million, about five seconds
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
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Both {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) throwing: Throwing,
    #[command(flatten)]
    pub(crate) asking: Asking,
    /// Keep no file of the lines that are typed (where lines are read)
    #[arg(long)]
    pub(crate) no_history: bool,
    /// Where the session's table is kept
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Begin a session without the definitions of `start.dice`
    #[arg(long)]
    pub(crate) no_start: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

impl Both {
    /// Whether there is anything to roll.
    pub(crate) fn has_program(&self) -> bool {
        self.source.expression.is_some() || self.source.file.is_some()
    }
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// The text as the other tool writes it, such as `4d6r<2`
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,
    /// Read the text from a file; `-` is standard input
    #[arg(short, long, value_name = "PATH", conflicts_with = "expression")]
    pub(crate) file: Option<PathBuf>,
    /// Whose notation it is; AnyDice's and our own are recognised without it
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) from: Option<Dialect>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Fmt {
    /// The files; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print nothing; fail if a file is not in the canonical layout
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Write the layout back into the files
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Systems {
    /// One system, one function, a rule's number or any words: `cofd`, `cofd.action`, `CD-28`, `rote`
    #[arg(value_name = "NAME")]
    pub(crate) name: Vec<String>,
    /// Print the system's own file, to copy and change
    #[arg(long, requires = "name")]
    pub(crate) source: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Play {
    /// A system, one function of it, or a file of house rules: `cofd`, `cofd.action`, `party.dice`
    #[arg(value_name = "NAME|PATH")]
    pub(crate) name: Option<String>,
    /// One function of it
    #[arg(value_name = "FUNCTION")]
    pub(crate) function: Option<String>,
    #[command(flatten)]
    pub(crate) throwing: Throwing,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The log, as a table gives it out; `-` is standard input
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    /// The hash of a line that you remember: it must stand in the log
    #[arg(long, value_name = "HASH")]
    pub(crate) head: Option<String>,
    /// Tell what this seat rolled, and for whom it was a witness
    #[arg(long, value_name = "N", value_parser = whole)]
    pub(crate) seat: Option<u64>,
    /// Tell the luck of everyone, exactly: how far their rolls were from what they could have been
    #[arg(long)]
    pub(crate) luck: bool,
    /// The four words of `--line` to read to each other, after somebody has said these words aloud
    #[arg(long, value_name = "WORDS", requires = "line")]
    pub(crate) aloud: Option<String>,
    /// The number of a line that you and they had before anything was said aloud
    #[arg(long, value_name = "N", value_parser = whole, requires = "aloud")]
    pub(crate) line: Option<u64>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[cfg(feature = "sit")]
#[derive(Args, Debug)]
pub(crate) struct Sit {
    /// The link to the table, in quotes: a shell would read its `#`
    #[arg(value_name = "LINK")]
    pub(crate) link: String,
    /// What the others call you; who sat here before under one name sits there again
    #[arg(long, value_name = "NAME", conflicts_with = "watch")]
    pub(crate) name: Option<String>,
    /// Look on, without a seat
    #[arg(long)]
    pub(crate) watch: bool,
    /// Where the keys of seats are kept, so that you can come back
    #[arg(long, value_name = "FOLDER")]
    pub(crate) seats: Option<PathBuf>,
    /// Neither read nor write the history of lines
    #[arg(long)]
    pub(crate) no_history: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// A shell that completes what is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Elvish,
    Fish,
    Nushell,
    Powershell,
    Zsh,
}

#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// Which shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The odds of one field of the result, such as `outcome` or `attacker.total`
    #[arg(long, value_name = "FIELD")]
    pub(crate) field: Option<String>,
    /// How many steps of work would be allowed; usually 400 million, about five seconds
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Write `astragal.1` and one page a command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Help {
    /// What to explain: `odds`, `kh`, `repeat`, `cofd.action`, `CD-28`; `language` lists all words
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}
