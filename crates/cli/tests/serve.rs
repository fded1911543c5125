//! `astragal serve` over a real connection: what it answers, and what it survives.

#![cfg(feature = "server")]

mod common;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::astragal;
use common::served::Served;

fn served() -> Served {
    Served::new(&["serve", "--port", "0", "--json"])
}

fn get(served: &Served, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
    served.send(request.as_bytes())
}

#[test]
fn the_page_comes_with_its_policy_or_says_how_to_get_it() {
    let served = served();
    let page = get(&served, "/");
    let whole = page.starts_with("HTTP/1.1 200 OK") && page.contains("<div id=\"app\">");
    let without = page.starts_with("HTTP/1.1 503 ") && page.contains("cargo xtask web");
    assert!(whole || without, "{page}");
    assert!(page.contains("Content-Security-Policy: default-src 'none'"), "{page}");
    let head = served.send(b"HEAD / HTTP/1.1\r\n\r\n");
    assert!(head.ends_with("\r\n\r\n") && !head.contains("<!doctype"), "{head}");
}

#[test]
fn hostile_requests_are_refused_and_the_server_lives() {
    let served = served();
    let long_line = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(1_000_000));
    let many_lines = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(1000));
    let requests: [(&[u8], &str); 8] = [
        (long_line.as_bytes(), "431"),
        (many_lines.as_bytes(), "431"),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "405"),
        (b"BREW /pot HTTP/1.1\r\n\r\n", "405"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "400"),
        (b"GET / HTTP/7.0\r\n\r\n", "400"),
        (b"hello\r\n\r\n", "400"),
        (b"\0\0\0\0\r\n\r\n", "400"),
    ];
    for (request, status) in requests {
        let answer = served.send(request);
        let begin = String::from_utf8_lossy(&request[..request.len().min(30)]);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{begin:?}: {answer}");
    }
    for path in
        ["/../../Cargo.toml", "/assets/../../../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"]
    {
        let answer = get(&served, path);
        assert!(
            !answer.starts_with("HTTP/1.1 200") && !answer.contains("[package]"),
            "{path}: {answer}"
        );
    }
    assert!(get(&served, "/").starts_with("HTTP/1.1 "));
}

#[test]
fn many_silent_visitors_do_not_stop_it() {
    let served = served();
    let silent: Vec<TcpStream> =
        (0..40).filter_map(|_| TcpStream::connect(&served.address).ok()).collect();
    let begun = Instant::now();
    assert!(get(&served, "/").starts_with("HTTP/1.1 "));
    assert!(begun.elapsed() < Duration::from_secs(5));
    drop(silent);
}

#[test]
fn a_port_that_is_taken_is_explained() {
    let served = served();
    let port = served.address.rsplit_once(':').expect("an address has a port").1;
    let ran = astragal(&["serve", "--port", port]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("is taken by another program; `--port 0`"), "{}", ran.err);
    assert_eq!(astragal(&["serve", "--port", "99999"]).code, 2);
    assert_eq!(astragal(&["serve", "--host", "nowhere.invalid", "--port", "0"]).code, 2);
}
