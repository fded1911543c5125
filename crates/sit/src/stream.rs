//! Server-sent events, from bytes.

use std::io::{self, BufRead};

/// A longer line than this is no line of an event.
const LONGEST: u64 = 4 << 20;

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its id, if it is a number.
    pub id: Option<u64>,
    /// Its kind.
    pub kind: String,
    /// Its data, lines joined by line feeds.
    pub data: String,
}

/// The next event that has a kind; none at the end. Comments are signs of life, and nothing else.
pub fn next(from: &mut impl BufRead) -> io::Result<Option<Event>> {
    let (mut event, mut data) = (Event::default(), Vec::new());
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        io::Read::take(&mut *from, LONGEST).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let whole = bytes.strip_suffix(b"\n").ok_or(io::ErrorKind::InvalidData)?;
        let line = std::str::from_utf8(whole).map_err(|_| io::ErrorKind::InvalidData)?;
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() {
            if !event.kind.is_empty() {
                event.data = data.join("\n");
                return Ok(Some(event));
            }
            (event, data) = (Event::default(), Vec::new());
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => event.id = value.parse().ok(),
            "event" => value.clone_into(&mut event.kind),
            "data" => data.push(value.to_owned()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_from_bytes() {
        let mut text: &[u8] =
            b": here\n\nretry: 1000\n\nid: 7\nevent: line\ndata: one\ndata: two\n\nevent:bye\r\ndata\r\n\r\nid: 8\n";
        let line = Event { id: Some(7), kind: "line".into(), data: "one\ntwo".into() };
        assert_eq!(next(&mut text).unwrap(), Some(line));
        assert_eq!(
            next(&mut text).unwrap(),
            Some(Event { id: None, kind: "bye".into(), data: String::new() })
        );
        assert_eq!(next(&mut text).unwrap(), None);
        assert!(next(&mut &b"\xff\n"[..]).is_err());
    }
}
