//! The head of a request: what of it matters here.

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    /// What stands behind the `?`.
    pub(crate) query: String,
    /// The name under which the browser knows this server.
    pub(crate) host: String,
    /// Whether somebody in between speaks HTTPS for it.
    pub(crate) secure: bool,
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
    let header = |name: &str| {
        let line = parsed.headers.iter().find(|line| line.name.eq_ignore_ascii_case(name));
        line.map_or_else(String::new, |line| String::from_utf8_lossy(line.value).into_owned())
    };
    let target = target.split('#').next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        host: header("host"),
        secure: header("x-forwarded-proto") == "https",
        encodings: header("accept-encoding"),
    }
}

impl Request {
    /// The beginning of addresses here, `https://dice.example`; none if the name is none.
    pub(crate) fn origin(&self) -> Option<String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        let named = (1..=255).contains(&self.host.len()) && self.host.chars().all(fits);
        let scheme = if self.secure { "https" } else { "http" };
        named.then(|| format!("{scheme}://{}", self.host))
    }

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
        let asked = Request {
            method: "GET".into(),
            path: "/a.js".into(),
            query: "v=1".into(),
            host: "localhost".into(),
            secure: false,
            encodings: "gzip, br".into(),
        };
        assert_eq!(read(text.as_bytes()), Head::Whole(asked));
        assert_eq!(read(&text.as_bytes()[..40]), Head::Begun);
        assert_eq!(read(b"\x16\x03\x01 hello"), Head::Wrong);
        assert_eq!(read(b"GET / HTTP/9.9\r\n\r\n"), Head::Wrong);
    }

    #[test]
    fn only_a_name_is_a_host() {
        let origin = |host: &str| Request { host: host.into(), ..Request::default() }.origin();
        assert_eq!(origin("[::1]:8080").as_deref(), Some("http://[::1]:8080"));
        assert_eq!(origin("dice.example\"><script>"), None);
        assert_eq!(origin(""), None);
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
