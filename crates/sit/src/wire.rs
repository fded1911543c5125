//! HTTP/1.1 and HTTPS by hand: as much as a device at a table needs, and no more.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::body::{Body, Left};
use crate::link::Server;

/// How long an answer may take; the house waits a few seconds for witnesses of others.
const PATIENCE: Duration = Duration::from_secs(30);
/// The server says something every 15 s on a stream.
const SILENCE: Duration = Duration::from_secs(40);
const LONGEST_HEAD: u64 = 64 << 10;
/// A longer answer than this is none.
const LONGEST_BODY: u64 = 64 << 20;

pub(crate) trait Both: Read + Write + Send {}
impl<T: Read + Write + Send> Both for T {}

pub(crate) type Connection = BufReader<Box<dyn Both>>;

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// After how many seconds to come again.
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: String,
}

/// What a server says beside its answer.
struct Head {
    status: u16,
    retry_after: Option<u64>,
    left: Left,
    closes: bool,
}

/// A connection that is used again and again.
pub(crate) struct Wire {
    server: Server,
    connection: Option<Connection>,
}

impl Wire {
    pub(crate) fn new(server: Server) -> Wire {
        Wire { server, connection: None }
    }

    /// Posts a body. A connection that was left open may be gone: then it is done once more on a new one, for the house answers the same bytes with the same line.
    pub(crate) fn post(&mut self, path: &str, secret: &str, body: &str) -> io::Result<Reply> {
        let length = body.len();
        let more = format!("content-type: application/json\r\ncontent-length: {length}\r\n");
        let head = begun("POST", &self.server, path, secret, &more);
        self.ask(&[head.as_bytes(), body.as_bytes()].concat())
    }

    /// Reads something.
    pub(crate) fn get(&mut self, path: &str, secret: &str) -> io::Result<Reply> {
        let head = begun("GET", &self.server, path, secret, "");
        self.ask(head.as_bytes())
    }

    fn ask(&mut self, request: &[u8]) -> io::Result<Reply> {
        if let Some(connection) = self.connection.take()
            && let Ok(reply) = self.exchange(connection, request)
        {
            return Ok(reply);
        }
        let (connection, _) = connected(&self.server, PATIENCE)?;
        self.exchange(connection, request)
    }

    fn exchange(&mut self, mut connection: Connection, request: &[u8]) -> io::Result<Reply> {
        connection.get_mut().write_all(request)?;
        connection.get_mut().flush()?;
        let Head { status, retry_after, left, closes } = head(&mut connection)?;
        let mut body = Body::new(connection, left);
        let mut text = String::new();
        (&mut body).take(LONGEST_BODY).read_to_string(&mut text)?;
        self.connection = body.into_rest().filter(|_| !closes);
        Ok(Reply { status, retry_after, body: text })
    }
}

/// The events of a table, and what ends them from another thread.
pub(crate) struct Events {
    pub(crate) from: BufReader<Body<Connection>>,
    pub(crate) socket: TcpStream,
}

/// Opens a stream; an answer that is none comes back with its status and what it says.
pub(crate) fn events(
    server: &Server,
    path: &str,
    secret: &str,
    since: Option<u64>,
) -> io::Result<Result<Events, Reply>> {
    let (mut connection, socket) = connected(server, SILENCE)?;
    let since = since.map_or(String::new(), |since| format!("last-event-id: {since}\r\n"));
    let more = format!("accept: text/event-stream\r\n{since}");
    let request = begun("GET", server, path, secret, &more);
    connection.get_mut().write_all(request.as_bytes())?;
    connection.get_mut().flush()?;
    let Head { status, retry_after, left, .. } = head(&mut connection)?;
    let mut body = Body::new(connection, left);
    if status == 200 {
        return Ok(Ok(Events { from: BufReader::new(body), socket }));
    }
    let mut text = String::new();
    (&mut body).take(LONGEST_HEAD).read_to_string(&mut text)?;
    Ok(Err(Reply { status, retry_after, body: text }))
}

/// The head of a request.
fn begun(method: &str, server: &Server, path: &str, secret: &str, more: &str) -> String {
    let (base, host) = (&server.base, host(server));
    format!(
        "{method} {base}{path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {secret}\r\n{more}\r\n"
    )
}

/// As it stands in a request.
fn host(server: &Server) -> String {
    let name =
        if server.host.contains(':') { format!("[{}]", server.host) } else { server.host.clone() };
    format!("{name}:{}", server.port)
}

fn connected(server: &Server, patience: Duration) -> io::Result<(Connection, TcpStream)> {
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for address in (server.host.as_str(), server.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, Duration::from_secs(10)) {
            Ok(socket) => {
                socket.set_nodelay(true)?;
                socket.set_read_timeout(Some(patience))?;
                socket.set_write_timeout(Some(patience))?;
                let other = socket.try_clone()?;
                let both: Box<dyn Both> = if server.secure {
                    Box::new(secured(server, socket)?)
                } else {
                    Box::new(socket)
                };
                return Ok((BufReader::new(both), other));
            }
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn secured(
    server: &Server,
    socket: TcpStream,
) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let name = ServerName::try_from(server.host.clone()).map_err(io::Error::other)?;
    let connection = ClientConnection::new(trust()?, name).map_err(io::Error::other)?;
    Ok(StreamOwned::new(connection, socket))
}

/// Whom the system trusts, read once.
fn trust() -> io::Result<Arc<ClientConfig>> {
    static TRUST: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(known) = TRUST.get() {
        return Ok(Arc::clone(known));
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::clone(TRUST.get_or_init(|| Arc::new(config))))
}

/// The head of an answer.
fn head(connection: &mut Connection) -> io::Result<Head> {
    let ended = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let mut limited = connection.take(LONGEST_HEAD);
    let mut line = || -> io::Result<String> {
        let mut bytes = Vec::new();
        limited.read_until(b'\n', &mut bytes)?;
        if bytes.last() == Some(&b'\n') {
            Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
        } else {
            Err(ended())
        }
    };
    let first = line()?;
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
    let mut head = Head {
        status: status.ok_or_else(ended)?,
        retry_after: None,
        left: Left::All,
        closes: false,
    };
    loop {
        let line = line()?;
        let Some((name, value)) = line.split_once(':') else {
            return if line.is_empty() { Ok(head) } else { Err(ended()) };
        };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" if head.left == Left::All => {
                head.left = Left::Bytes(value.parse().map_err(|_| ended())?);
            }
            "transfer-encoding" => head.left = Left::Chunks(0),
            "connection" => head.closes = value.eq_ignore_ascii_case("close"),
            "retry-after" => head.retry_after = value.parse().ok(),
            _ => {}
        }
    }
}
