//! What a seat signs, exactly as it is signed.
//!
//! A request begins with the table, the seat, its number and the newest line that the device has seen. That line's hash
//! proves which seals lay on the table before, names a history, and dates the request.

mod asked;
mod whom;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bytes::{Bytes, Hash, Id};
use crate::exact;
use crate::wrong::{Trouble, Wrong, need};

pub use asked::{
    Call, Keep, NewSeal, Nothing, Reveal, Role, Roll, Rules, Say, Seat, Set, Strike, Typed,
};
pub use whom::{For, To};

/// The most inputs of a program.
const MOST_INPUTS: usize = 64;
/// The most characters of a name.
const LONGEST_NAME: usize = 64;
/// The most characters of an input's value.
const LONGEST_INPUT: usize = 256;
/// The most characters of typed faces, or of what is set.
const LONGEST_VALUE: usize = 4_096;

/// Who asks, when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The seat.
    pub seat: u64,
    /// The number of what it signs, from 0.
    pub n: u64,
    /// The newest line that it has seen.
    pub after: Hash,
}

/// Whether seats are in rising order.
pub fn is_rising(seats: &[u64]) -> bool {
    seats.windows(2).all(|pair| pair[0] < pair[1])
}

/// The text of a request.
pub fn written<T: Serialize>(table: &Id, envelope: &Envelope, asked: &T) -> String {
    let Envelope { seat, n, after } = envelope;
    let rest = exact::write(asked);
    let comma = if rest == "{}" { "" } else { "," };
    format!(
        r#"{{"v":1,"table":"{table}","seat":{seat},"n":{n},"after":"{after}"{comma}{}"#,
        &rest[1..]
    )
}

/// A request for this table from its text.
pub fn read<T>(text: &str, table: &Id) -> Result<(Envelope, T), Wrong>
where
    T: Serialize + DeserializeOwned,
{
    let form = || Wrong::new(Trouble::Form, "its request does not begin as a request does");
    let whole = |digits: &str| {
        let number: Option<u64> = digits.parse().ok();
        number.filter(|number| number.to_string() == digits).ok_or_else(form)
    };
    let rest = text.strip_prefix(r#"{"v":1,"table":""#).ok_or_else(form)?;
    let (found, rest) = rest.split_once(r#"","seat":"#).ok_or_else(form)?;
    need(found == table.to_string(), || {
        Wrong::new(Trouble::Request, "its request is for another table").instead(table, found)
    })?;
    let (seat, rest) = rest.split_once(r#","n":"#).ok_or_else(form)?;
    let (n, rest) = rest.split_once(r#","after":""#).ok_or_else(form)?;
    let (after, rest) = rest.split_once('"').ok_or_else(form)?;
    let after = Bytes::read(after).ok_or_else(form)?;
    let rest = if rest == "}" { "}" } else { rest.strip_prefix(',').ok_or_else(form)? };
    let asked: T = exact::read(&format!("{{{rest}"))?;
    let envelope = Envelope { seat: whole(seat)?, n: whole(n)?, after };
    // What was cut off and put together again is compared once more as a whole.
    need(written(table, &envelope, &asked) == text, form)?;
    Ok((envelope, asked))
}

/// A name of a seat, an input, a kept roll.
pub fn check_name(name: &str) -> Result<(), Wrong> {
    let length = name.chars().count();
    let fits = (1..=LONGEST_NAME).contains(&length) && !name.chars().any(char::is_control);
    need(fits, || {
        Wrong::new(
            Trouble::Request,
            "a name has 1 to 64 characters, none of them a control character",
        )
    })
}

/// The inputs of a program.
pub fn check_inputs(inputs: &[(String, String)]) -> Result<(), Wrong> {
    let wrong = |what: &str| Wrong::new(Trouble::Request, what.to_owned());
    need(inputs.len() <= MOST_INPUTS, || wrong("there are more than 64 inputs"))?;
    for (at, (name, value)) in inputs.iter().enumerate() {
        check_name(name)?;
        let fits = value.chars().count() <= LONGEST_INPUT;
        need(fits, || wrong("an input has more than 256 characters"))?;
        let twice = inputs[..at].iter().any(|(before, _)| before == name);
        need(!twice, || wrong("an input stands twice"))?;
    }
    Ok(())
}

/// Typed faces, or what is set.
pub fn check_value(value: &str) -> Result<(), Wrong> {
    let fits = value.chars().count() <= LONGEST_VALUE;
    need(fits, || Wrong::new(Trouble::Request, "a value has more than 4096 characters"))
}
