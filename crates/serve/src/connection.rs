//! Connections: one request each, within limits, so that nobody can make the server wait or grow.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::files;
use crate::request::{self, Head};
use crate::response::Response;

/// More at once are turned away.
const CONNECTIONS: usize = 64;
/// How long a head may be, in bytes.
const HEAD: usize = 8 * 1024;
/// How long the other side may take to say what it wants, and how long to take a part of the answer.
const PATIENCE: Duration = Duration::from_secs(10);

static OPEN: AtomicUsize = AtomicUsize::new(0);

/// A connection that is counted as long as it lives.
struct Counted;

impl Counted {
    fn new() -> Option<Counted> {
        let counted = Counted;
        (OPEN.fetch_add(1, Ordering::Relaxed) < CONNECTIONS).then_some(counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Accepts for ever, a thread for each connection.
pub(crate) fn accept(listener: &TcpListener) -> ! {
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // Too many open files, for example: let some of them close.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let Some(counted) = Counted::new() else { continue };
        // If the system has no thread left, the stream closes here; the browser asks again.
        let _ = thread::Builder::new().spawn(move || {
            let _counted = counted;
            // Who hangs up early does not want an answer.
            let _ = converse(stream);
        });
    }
}

fn converse(mut stream: TcpStream) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let response = listen(&mut stream)?;
    stream.write_all(&response.bytes())?;
    stream.shutdown(Shutdown::Write)?;
    drain(&mut stream)
}

/// Reads a head, however slowly it comes, and decides on the response.
fn listen(stream: &mut TcpStream) -> io::Result<Response> {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    let mut part = [0; 1024];
    loop {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Ok(Response::text("408 Request Timeout", "the request took too long"));
        }
        stream.set_read_timeout(Some(left))?;
        let count = stream.read(&mut part)?;
        bytes.extend_from_slice(&part[..count]);
        match request::read(&bytes) {
            Head::Whole(request) => return Ok(Response::to(&request, files::BUILT)),
            Head::Wrong => {
                return Ok(Response::text("400 Bad Request", "this is no request for a page"));
            }
            Head::Begun if count == 0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            Head::Begun if bytes.len() > HEAD => {
                return Ok(Response::text(
                    "431 Request Header Fields Too Large",
                    "the request is too long",
                ));
            }
            Head::Begun => {}
        }
    }
}

/// Takes in a little of what still comes: a connection closed over unread bytes would lose the answer.
fn drain(stream: &mut TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_millis(250)))?;
    let mut part = [0; 4096];
    for _ in 0..64 {
        if stream.read(&mut part)? == 0 {
            break;
        }
    }
    Ok(())
}
