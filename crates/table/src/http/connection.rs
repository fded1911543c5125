//! Connections: HTTP/1.1, within limits of number, size and time; TLS and HTTP/2 are for a proxy in front.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use super::Peer;
use crate::server::App;

/// Bytes of a head: the least that the parser takes, which is enough.
const HEAD: usize = 8 * 1024;

/// Accepts until the server stops; then waits for what is open, so long at most.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    app: Arc<App>,
    patience: Duration,
) {
    let open = GracefulShutdown::new();
    let mut stopping = app.stopping();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopping.wait_for(|stopping| *stopping) => break,
        };
        match accepted {
            Ok((stream, peer)) => connect(stream, peer, &router, &app, &open),
            // Too many open files, for example: let some of them close.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    drop(listener);
    // Who does not end in time is cut off.
    let _ = tokio::time::timeout(patience, open.shutdown()).await;
}

fn connect(
    stream: TcpStream,
    peer: SocketAddr,
    router: &Router,
    app: &Arc<App>,
    open: &GracefulShutdown,
) {
    let address = canonical(peer.ip());
    let Some(counted) = Counted::begin(app, address) else { return };
    // What is sent is sent: frames are small.
    let _ = stream.set_nodelay(true);
    let (router, shared) = (router.clone(), Arc::clone(app));
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let (router, app) = (router.clone(), Arc::clone(&shared));
        async move {
            let mut request: Request = request.map(Body::new);
            let peer =
                if app.behind_proxy { forwarded(&request).unwrap_or(address) } else { address };
            request.extensions_mut().insert(Peer(peer));
            let begun = Instant::now();
            let stream = request.uri().path().ends_with("/events");
            let answer = router.oneshot(request).await;
            if !stream {
                app.metrics.answered.count(begun.elapsed());
            }
            answer
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits.head)
        .max_buf_size(HEAD)
        // `Content-Type`, as people write it.
        .title_case_headers(true)
        .serve_connection(TokioIo::new(stream), service);
    let connection = open.watch(connection);
    tokio::spawn(async move {
        let _counted = counted;
        // Who hangs up early does not want an answer.
        let _ = connection.await;
    });
}

/// An address of IPv4 that came as one of IPv6 is the same address.
fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// Who asks, says the proxy in front, which wrote the last of these.
fn forwarded(request: &Request) -> Option<IpAddr> {
    let all = request.headers().get_all("x-forwarded-for");
    let last = all.iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok().map(canonical)
}

/// A connection that is counted as long as it lives.
struct Counted(Arc<App>, IpAddr);

impl Counted {
    fn begin(app: &Arc<App>, peer: IpAddr) -> Option<Counted> {
        let all = app.metrics.connections.load(Ordering::Relaxed);
        if all >= app.limits.all_connections as u64 {
            return None;
        }
        // All that a proxy brings comes from one address.
        let most = if app.behind_proxy { usize::MAX } else { app.limits.connections };
        app.connections.begin(peer, most).then(|| {
            app.metrics.connections.fetch_add(1, Ordering::Relaxed);
            Counted(Arc::clone(app), peer)
        })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.end(self.1);
        self.0.metrics.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
