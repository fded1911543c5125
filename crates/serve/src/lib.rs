//! `astragal serve`: the page, given to a browser by the binary itself.
//!
//! The page computes everything in the browser, so this server hands out files that were put into the binary when it
//! was built. It knows GET and HEAD, one request a connection, and nothing of what is rolled: addresses of programs stand
//! behind a `#`, which browsers do not send. Only who wants a link with a preview puts the program behind a `?`.
//!
//! ```text
//! connection   bytes in, bytes out, within limits of time, size and number
//! request      the head of a request, read by httparse
//! response     request -> status, headers, body: a pure function
//! preview      what a link with its program in the query tells before it is opened
//! files        what is inside the binary
//! ```

mod connection;
mod files;
mod preview;
mod request;
mod response;

use std::io;
use std::net::{SocketAddr, TcpListener};

/// A server that has a port, and waits to be run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes a port; 0 is any that is free.
    pub fn bind(host: &str, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((host, port))?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers for ever.
    pub fn run(self) -> ! {
        connection::accept(&self.listener)
    }
}

/// Whether this binary was built after the page was, and holds it.
pub fn has_page() -> bool {
    files::BUILT.find("index.html").is_some()
}
