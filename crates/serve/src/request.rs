//! The head of a request: what of it matters here.

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    /// Which compressions the browser reads, as it lists them.
    pub(crate) encodings: String,
}

/// What the bytes so far are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Head {
    Whole(Request),
    /// More must come.
    Begun,
    Wrong,
}

/// Reads a head of at most 64 header lines.
pub(crate) fn read(bytes: &[u8]) -> Head {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => Head::Whole(request(&parsed)),
        Ok(httparse::Status::Partial) => Head::Begun,
        Err(_) => Head::Wrong,
    }
}

fn request(parsed: &httparse::Request<'_, '_>) -> Request {
    let target = parsed.path.unwrap_or_default();
    let encodings =
        parsed.headers.iter().find(|line| line.name.eq_ignore_ascii_case("accept-encoding"));
    Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: target.split(['?', '#']).next().unwrap_or_default().to_owned(),
        encodings: encodings
            .map_or_else(String::new, |line| String::from_utf8_lossy(line.value).into_owned()),
    }
}

impl Request {
    /// Whether the browser reads this compression: `gzip, deflate, br;q=0.5`, but not `br;q=0`.
    pub(crate) fn reads(&self, encoding: &str) -> bool {
        self.encodings.split(',').any(|item| {
            let mut parts = item.split(';').map(str::trim);
            let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
            let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
            named && weight != Some(0.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_when_it_is_whole() {
        let text = "GET /a.js?v=1 HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\n\r\n";
        let asked =
            Request { method: "GET".into(), path: "/a.js".into(), encodings: "gzip, br".into() };
        assert_eq!(read(text.as_bytes()), Head::Whole(asked));
        assert_eq!(read(&text.as_bytes()[..40]), Head::Begun);
        assert_eq!(read(b"\x16\x03\x01 hello"), Head::Wrong);
        assert_eq!(read(b"GET / HTTP/9.9\r\n\r\n"), Head::Wrong);
    }

    #[test]
    fn compressions_may_be_refused() {
        let reads = |list: &str, name: &str| {
            Request { encodings: list.into(), ..Request::default() }.reads(name)
        };
        assert!(reads("gzip, deflate, br, zstd", "br"));
        assert!(reads("GZIP;q=0.5", "gzip"));
        assert!(!reads("gzip, br;q=0", "br"));
        assert!(!reads("brotli", "br"));
        assert!(!reads("", "gzip"));
    }
}
