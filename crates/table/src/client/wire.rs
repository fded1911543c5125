//! HTTP/1.1 by hand: as much as a client of a table needs, and no more.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection that is used again and again.
pub struct Wire {
    address: SocketAddr,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: String,
}

impl Reply {
    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or(serde_json::Value::Null)
    }
}

fn ended() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

impl Wire {
    /// To a server.
    pub fn new(address: SocketAddr) -> Wire {
        Wire { address, stream: None, buffer: Vec::new() }
    }

    /// Asks, with the secret of whoever asks and a body.
    pub async fn ask(
        &mut self,
        method: &str,
        path: &str,
        secret: Option<&str>,
        body: Option<&str>,
    ) -> io::Result<Reply> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
        if let Some(secret) = secret {
            head += &format!("authorization: Bearer {secret}\r\n");
        }
        if let Some(body) = body {
            head +=
                &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        }
        head += "\r\n";
        head += body.unwrap_or_default();
        let asked = self.exchange(head.as_bytes());
        match tokio::time::timeout(Duration::from_secs(30), asked).await {
            Ok(Ok(reply)) => Ok(reply),
            other => {
                self.stream = None;
                self.buffer.clear();
                other.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }

    async fn exchange(&mut self, request: &[u8]) -> io::Result<Reply> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => connected(self.address).await?,
        };
        stream.write_all(request).await?;
        let (status, headers) = read_head(&mut stream, &mut self.buffer).await?;
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length: usize = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
        while self.buffer.len() < length {
            if stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(ended());
            }
        }
        let body = self.buffer.drain(..length).collect();
        let body =
            String::from_utf8(body).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        let close = headers.iter().any(|(name, value)| name == "connection" && value == "close");
        if !close {
            self.stream = Some(stream);
        }
        Ok(Reply { status, headers, body })
    }
}

async fn connected(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

async fn read_head(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> io::Result<(u16, Vec<(String, String)>)> {
    let end = loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(buffer).await? == 0 {
            return Err(ended());
        }
    };
    let head: Vec<u8> = buffer.drain(..end + 4).collect();
    let head = String::from_utf8_lossy(&head);
    let mut lines = head.trim_end().split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
    Ok((status.ok_or_else(ended)?, headers.collect()))
}

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its id, if it has one.
    pub id: Option<u64>,
    /// Its kind.
    pub kind: String,
    /// Its data, lines joined by line feeds.
    pub data: String,
}

/// A stream of events.
pub struct Stream {
    stream: TcpStream,
    /// Bytes as they came, in chunks.
    raw: Vec<u8>,
    /// The text of the stream.
    text: Vec<u8>,
    /// All bytes of the text so far, if they are to be kept.
    pub kept: Option<Vec<u8>>,
}

impl Stream {
    /// Opens the stream of a table; an answer that is none comes back as an error with its status.
    pub async fn open(
        address: SocketAddr,
        table: &str,
        secret: &str,
        since: Option<u64>,
    ) -> io::Result<Result<Stream, u16>> {
        let mut stream = connected(address).await?;
        let since = since.map_or(String::new(), |since| format!("last-event-id: {since}\r\n"));
        let head = format!(
            "GET /api/tables/{table}/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {secret}\r\n{since}\r\n"
        );
        stream.write_all(head.as_bytes()).await?;
        let mut raw = Vec::with_capacity(2048);
        let (status, _) = read_head(&mut stream, &mut raw).await?;
        if status != 200 {
            return Ok(Err(status));
        }
        Ok(Ok(Stream { stream, raw, text: Vec::new(), kept: None }))
    }

    /// The next event; none when the stream has ended.
    pub async fn next(&mut self) -> io::Result<Option<Event>> {
        loop {
            while let Some(event) = self.event() {
                if !event.kind.is_empty() {
                    return Ok(Some(event));
                }
            }
            let goes_on = self.unpack();
            if self.text.windows(2).any(|two| two == b"\n\n") {
                continue;
            }
            if !goes_on {
                return Ok(None);
            }
            if self.stream.read_buf(&mut self.raw).await? == 0 {
                return Err(ended());
            }
        }
    }

    /// Moves whole chunks to the text; false at the last one.
    fn unpack(&mut self) -> bool {
        loop {
            let Some(end) = self.raw.windows(2).position(|two| two == b"\r\n") else { return true };
            let size = std::str::from_utf8(&self.raw[..end]).unwrap_or("0");
            let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
            if size == 0 {
                return false;
            }
            if self.raw.len() < end + 2 + size + 2 {
                return true;
            }
            let chunk = &self.raw[end + 2..end + 2 + size];
            self.text.extend_from_slice(chunk);
            if let Some(kept) = &mut self.kept {
                kept.extend_from_slice(chunk);
            }
            self.raw.drain(..end + 2 + size + 2);
        }
    }

    fn event(&mut self) -> Option<Event> {
        let end = self.text.windows(2).position(|two| two == b"\n\n")?;
        let block: Vec<u8> = self.text.drain(..end + 2).collect();
        let block = String::from_utf8_lossy(&block);
        let mut event = Event::default();
        let mut data = Vec::new();
        for line in block.lines() {
            match line.split_once(": ") {
                Some(("id", id)) => event.id = id.parse().ok(),
                Some(("event", kind)) => event.kind = kind.to_owned(),
                Some(("data", part)) => data.push(part),
                _ => {}
            }
        }
        event.data = data.join("\n");
        Some(event)
    }
}
