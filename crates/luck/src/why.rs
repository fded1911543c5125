//! Why a roll does not count.

use std::fmt;

/// Why a roll has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// The dice lie under the cup, for whoever asks.
    Hidden,
    /// Real dice: nobody knows what fell before they were typed.
    Typed,
    /// A game master declared it void.
    Struck,
    /// It came to no value: refused, or failed.
    NoResult,
    /// It comes to a text, a list, an enumeration: nothing says what is more.
    NoNumber,
    /// It comes to several results.
    Several,
    /// It can come to nothing else.
    Certain,
    /// Its odds are too much work.
    TooMuch,
    /// Its odds cannot be told: some of its throws fail, or it may never end.
    NoOdds,
    /// The house has other rules built in than this version.
    OtherRules,
}

impl Why {
    /// All of them.
    pub const ALL: [Why; 10] = [
        Why::Hidden,
        Why::Typed,
        Why::Struck,
        Why::NoResult,
        Why::NoNumber,
        Why::Several,
        Why::Certain,
        Why::TooMuch,
        Why::NoOdds,
        Why::OtherRules,
    ];

    /// The stable name, for machines.
    pub fn code(self) -> &'static str {
        match self {
            Why::Hidden => "hidden",
            Why::Typed => "typed",
            Why::Struck => "struck",
            Why::NoResult => "no-result",
            Why::NoNumber => "no-number",
            Why::Several => "several",
            Why::Certain => "certain",
            Why::TooMuch => "too-much",
            Why::NoOdds => "no-odds",
            Why::OtherRules => "other-rules",
        }
    }
}

/// After a number of rolls: `2 still hidden`.
impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Hidden => "still hidden",
            Why::Typed => "typed from real dice",
            Why::Struck => "struck",
            Why::NoResult => "without a result",
            Why::NoNumber => "whose result is no number, nor a yes or no",
            Why::Several => "with several results",
            Why::Certain => "that could come to nothing else",
            Why::TooMuch => "whose odds are too much work",
            Why::NoOdds => "whose odds cannot be told",
            Why::OtherRules => "by built-in rules of another version",
        })
    }
}
