//! The body of an answer, from the bytes of a connection: so many bytes, chunks, or all until the end.

use std::io::{self, BufRead, Read};

/// What is left of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// So many bytes.
    Bytes(u64),
    /// Chunks; of the one that is begun so many bytes are left.
    Chunks(u64),
    /// All until the connection ends.
    All,
    /// Nothing.
    Nothing,
}

/// A body, which is read to its end and no further.
#[derive(Debug)]
pub(crate) struct Body<R> {
    from: R,
    left: Left,
}

impl<R: BufRead> Body<R> {
    pub(crate) fn new(from: R, left: Left) -> Body<R> {
        Body { from, left }
    }

    /// The connection, if the body was read to its end.
    pub(crate) fn into_rest(self) -> Option<R> {
        matches!(self.left, Left::Nothing | Left::Bytes(0)).then_some(self.from)
    }

    /// A short line without its end.
    fn line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        (&mut self.from).take(256).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    }

    /// The size of the next chunk; after the last one what may stand behind it is read away.
    fn chunk(&mut self) -> io::Result<u64> {
        let line = self.line()?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(|_| io::ErrorKind::InvalidData)?;
        if size == 0 {
            while !self.line()?.is_empty() {}
        }
        Ok(size)
    }
}

impl<R: BufRead> Read for Body<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == Left::Chunks(0) {
            self.left = match self.chunk()? {
                0 => Left::Nothing,
                size => Left::Chunks(size),
            };
        }
        let most = match self.left {
            Left::Nothing | Left::Bytes(0) => return Ok(0),
            Left::Bytes(left) | Left::Chunks(left) => {
                usize::try_from(left).unwrap_or(usize::MAX).min(into.len())
            }
            Left::All => into.len(),
        };
        let read = self.from.read(&mut into[..most])?;
        if read == 0 && most > 0 && self.left != Left::All {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match &mut self.left {
            Left::Bytes(left) => *left -= read as u64,
            Left::Chunks(left) => {
                *left -= read as u64;
                if *left == 0 && !self.line()?.is_empty() {
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
            Left::All | Left::Nothing => {}
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, left: Left) -> io::Result<(String, Option<String>)> {
        let mut body = Body::new(text.as_bytes(), left);
        let mut told = String::new();
        body.read_to_string(&mut told)?;
        Ok((told, body.into_rest().map(|rest| String::from_utf8_lossy(rest).into_owned())))
    }

    #[test]
    fn bodies_end_where_they_end() {
        let done = |text: &str, rest: &str| (text.to_owned(), Some(rest.to_owned()));
        assert_eq!(read("abcdef", Left::Bytes(4)).unwrap(), done("abcd", "ef"));
        assert_eq!(
            read("2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\nrest", Left::Chunks(0)).unwrap(),
            done("abc", "rest")
        );
        assert_eq!(read("0\r\nlast: 1\r\n\r\n", Left::Chunks(0)).unwrap(), done("", ""));
        assert_eq!(read("all", Left::All).unwrap(), ("all".into(), None));
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        for (text, left) in [
            ("abc", Left::Bytes(4)),
            ("5\r\nab", Left::Chunks(0)),
            ("zz\r\n", Left::Chunks(0)),
            ("1\r\nab\r\n", Left::Chunks(0)),
        ] {
            assert!(read(text, left).is_err(), "{text}");
        }
    }
}
