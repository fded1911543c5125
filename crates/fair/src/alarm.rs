//! Why a device stops, or tells its person: what no log shows, but what this device knows to be otherwise.

use std::fmt;

use crate::wrong::Wrong;

/// What a device has noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alarm {
    /// A line does not fit.
    Wrong(Wrong),
    /// The first line is not that of the table that the link names.
    AnotherTable,
    /// A table with the id of one that it knows begins otherwise.
    SecondBeginning,
    /// The device is here, and the house says that it is not.
    CalledAway,
    /// The device has answered, the house has acknowledged it, and says that it has not.
    CalledSilent,
    /// Something stands there in its name that it has not sent, or not so.
    NotSent,
    /// It should open its seal for a line that does not ask it, or whose head the house has not signed.
    Unproven,
    /// The house tells another history than the one that this device knows, from this line on at the latest.
    OtherHistory(u64),
    /// The house has no line with this number any more, which this device has.
    CutOff(u64),
    /// The house does not answer what this device has sent.
    Unanswered,
}

impl Alarm {
    /// The stable name, for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Alarm::Wrong(_) => "wrong",
            Alarm::AnotherTable => "another-table",
            Alarm::SecondBeginning => "second-beginning",
            Alarm::CalledAway => "called-away",
            Alarm::CalledSilent => "called-silent",
            Alarm::NotSent => "not-sent",
            Alarm::Unproven => "unproven",
            Alarm::OtherHistory(_) => "other-history",
            Alarm::CutOff(_) => "cut-off",
            Alarm::Unanswered => "unanswered",
        }
    }

    /// Whether nothing that the house says from here on can be trusted. Otherwise the device goes on, and its person decides.
    pub fn is_the_end(&self) -> bool {
        match self {
            Alarm::Wrong(_)
            | Alarm::AnotherTable
            | Alarm::SecondBeginning
            | Alarm::NotSent
            | Alarm::OtherHistory(_)
            | Alarm::CutOff(_) => true,
            Alarm::CalledAway | Alarm::CalledSilent | Alarm::Unproven | Alarm::Unanswered => false,
        }
    }
}

impl fmt::Display for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Alarm::Wrong(wrong) => write!(f, "a line of the table does not fit: {wrong}"),
            Alarm::AnotherTable => f.write_str("this is not the table of the link"),
            Alarm::SecondBeginning => {
                f.write_str("the table begins otherwise than when this device met it first")
            }
            Alarm::CalledAway => f.write_str("the house says that you are not here"),
            Alarm::CalledSilent => f.write_str(
                "the house says that your device did not answer, and has acknowledged its answer",
            ),
            Alarm::NotSent => {
                f.write_str("a line stands in your name that this device has not sent")
            }
            Alarm::Unproven => f.write_str("nothing asks this device to open its seal"),
            Alarm::OtherHistory(line) => {
                write!(f, "the house tells another history, in line {line} or before")
            }
            Alarm::CutOff(line) => {
                write!(f, "the house has lost or withholds line {line}, which this device has")
            }
            Alarm::Unanswered => f.write_str("the house does not answer what this device has sent"),
        }
    }
}

impl std::error::Error for Alarm {}
