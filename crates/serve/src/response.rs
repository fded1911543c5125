//! From a request to its response: status, headers, body.

use std::borrow::Cow;

use crate::files::{Files, content_type};
use crate::preview::Shared;
use crate::request::{Request, TABLE};

/// What the page may do: run its own scripts and its own module, nothing from elsewhere. `web/index.html`
/// says the same for servers that do not.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; \
    frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/// What may be shown inside the pages of others: this page alone, which has nothing to press but its sliders and the dice.
const EMBEDDED: &str = "/embed.html";

const WITHOUT_PAGE: &str = include_str!("without-page.html");
const NOT_FOUND: &str = include_str!("not-found.html");

/// What is sent back.
#[derive(Clone, Debug)]
pub struct Response {
    /// 200 and the like.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(&'static str, String)>,
    /// The body; none for HEAD.
    pub body: Cow<'static, [u8]>,
}

/// A response in the making.
#[derive(Debug)]
struct Draft {
    status: u16,
    content_type: &'static str,
    caching: &'static str,
    encoding: Option<&'static str>,
    allow: bool,
    body: Cow<'static, [u8]>,
}

impl Draft {
    fn page(status: u16, text: &'static str) -> Draft {
        Draft::new(status, "a.html", text.as_bytes())
    }

    fn new(status: u16, name: &str, body: impl Into<Cow<'static, [u8]>>) -> Draft {
        Draft {
            status,
            content_type: content_type(name),
            caching: caching(name),
            encoding: None,
            allow: false,
            body: body.into(),
        }
    }

    fn done(self, ancestors: &str, head_only: bool) -> Response {
        let mut headers = vec![
            ("content-type", self.content_type.to_owned()),
            ("content-length", self.body.len().to_string()),
            ("cache-control", self.caching.to_owned()),
            ("vary", "Accept-Encoding".to_owned()),
            ("content-security-policy", format!("{POLICY}; frame-ancestors {ancestors}")),
            ("x-content-type-options", "nosniff".to_owned()),
            ("referrer-policy", "no-referrer".to_owned()),
            ("connection", "close".to_owned()),
        ];
        headers.extend(self.encoding.map(|encoding| ("content-encoding", encoding.to_owned())));
        headers.extend(self.allow.then(|| ("allow", "GET, HEAD".to_owned())));
        let body = if head_only { Cow::Borrowed(&[][..]) } else { self.body };
        Response { status: self.status, headers, body }
    }
}

/// The response to a request.
pub(crate) fn respond(request: &Request, files: Files) -> Response {
    let head_only = match request.method.as_str() {
        "GET" => false,
        "HEAD" => true,
        _ => {
            let words = "only GET and HEAD".as_bytes();
            return Draft { allow: true, ..Draft::new(405, "a.txt", words) }.done("'none'", false);
        }
    };
    let draft = if files.find("index.html").is_none() {
        Draft::page(503, WITHOUT_PAGE)
    } else {
        shared(request, files)
            .or_else(|| file(request, files))
            .unwrap_or_else(|| Draft::page(404, NOT_FOUND))
    };
    let ancestors = if request.path == EMBEDDED { "*" } else { "'none'" };
    draft.done(ancestors, head_only)
}

/// A page that tells what is linked, or the picture of it; none where only files are asked for.
fn shared(request: &Request, files: Files) -> Option<Draft> {
    match request.path.as_str() {
        "/" => {
            let page = std::str::from_utf8(files.find("index.html")?).ok()?;
            let page = Shared::read(&request.query)?.page(page, request)?;
            Some(Draft::new(200, "index.html", page.into_bytes()))
        }
        "/preview.png" => {
            let picture = Shared::read(&request.query)?.picture()?;
            let caching = "public, max-age=86400";
            Some(Draft { caching, ..Draft::new(200, "preview.png", picture) })
        }
        _ => None,
    }
}

/// A file under the name that the path gives it, in the smallest form that the browser reads. Names are looked
/// up in a list, never on a disk, so that no path leads out of it.
fn file(request: &Request, files: Files) -> Option<Draft> {
    let name = match request.path.strip_prefix('/')? {
        "" => "index.html",
        // A page that was built before tables had one.
        name if name == &TABLE[1..] && files.find(name).is_none() => "index.html",
        name => name,
    };
    let plain = files.find(name)?;
    let smaller = [("br", "br"), ("gzip", "gz")].into_iter().find_map(|(encoding, ending)| {
        let copy = files.find(&format!("{name}.{ending}"))?;
        request.reads(encoding).then_some((encoding, copy))
    });
    let (encoding, body) = smaller.map_or((None, plain), |(encoding, copy)| (Some(encoding), copy));
    Some(Draft { encoding, ..Draft::new(200, name, body) })
}

/// Files in `assets` have a hash of their content in their name; all others may change under theirs.
fn caching(name: &str) -> &'static str {
    if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Files = Files(&[
        ("assets/index-1a2b.js", b"let a = 1"),
        ("assets/index-1a2b.js.br", b"brotli"),
        ("assets/index-1a2b.js.gz", b"gzip"),
        ("index.html", b"<h1>Odds</h1>"),
        ("sw.js", b"cache"),
    ]);

    /// `Content-Type` for `content-type`, as people read it.
    fn titled(name: &str) -> String {
        let mut start = true;
        let upper = |c: char| {
            let now = std::mem::replace(&mut start, c == '-');
            if now { c.to_ascii_uppercase() } else { c }
        };
        name.chars().map(upper).collect()
    }

    fn reason(status: u16) -> &'static str {
        match status {
            200 => "OK",
            404 => "Not Found",
            _ => "…",
        }
    }

    fn answer(method: &str, path: &str, encodings: &str, files: Files) -> String {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let request = Request {
            method: method.into(),
            path: path.into(),
            query: query.into(),
            host: "localhost".into(),
            encodings: encodings.into(),
            ..Request::default()
        };
        let Response { status, headers, body } = respond(&request, files);
        let headers: String =
            headers.iter().map(|(name, value)| format!("{}: {value}\r\n", titled(name))).collect();
        let body = String::from_utf8(body.into_owned()).expect("all of these are text");
        format!("HTTP/1.1 {status} {}\r\n{headers}\r\n{body}", reason(status))
    }

    #[test]
    fn the_page_is_never_stale_and_its_assets_never_change() {
        let page = answer("GET", "/", "", PAGE);
        assert!(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html"), "{page}");
        assert!(page.contains("Cache-Control: no-cache\r\n"), "{page}");
        assert!(page.ends_with("\r\n\r\n<h1>Odds</h1>"), "{page}");
        assert!(answer("GET", "/sw.js", "", PAGE).contains("Cache-Control: no-cache\r\n"));
        let asset = answer("GET", "/assets/index-1a2b.js", "", PAGE);
        assert!(
            asset.contains("Cache-Control: public, max-age=31536000, immutable\r\n"),
            "{asset}"
        );
        assert!(asset.contains("Content-Type: text/javascript"), "{asset}");
    }

    #[test]
    fn the_smallest_form_that_the_browser_reads_is_sent() {
        let script = |encodings| answer("GET", "/assets/index-1a2b.js", encodings, PAGE);
        assert!(script("gzip, br").ends_with("Content-Encoding: br\r\n\r\nbrotli"));
        assert!(script("gzip").ends_with("Content-Encoding: gzip\r\n\r\ngzip"));
        assert!(script("identity").ends_with("\r\n\r\nlet a = 1"));
    }

    #[test]
    fn every_response_says_what_the_page_may_do() {
        for response in [
            answer("GET", "/", "", PAGE),
            answer("GET", "/nowhere", "", PAGE),
            answer("PUT", "/", "", PAGE),
        ] {
            for line in [
                "Content-Security-Policy: default-src 'none';",
                "nosniff",
                "Referrer-Policy: no-referrer",
            ] {
                assert!(response.contains(line), "{line} is missing in {response}");
            }
        }
    }

    #[test]
    fn the_policy_is_the_one_in_the_page() {
        let page = include_str!("../../../web/index.html");
        let embedded = include_str!("../../../web/embed.html");
        // Who may frame it, a page cannot say of itself.
        for page in [page, embedded] {
            assert!(page.contains(&format!("content=\"{POLICY}\"")), "{page} has another policy");
        }
    }

    #[test]
    fn only_what_is_made_for_it_is_shown_in_frames() {
        let page =
            Files(&[("embed.html", b"a chart"), ("index.html", b"all"), ("preview.png", b"?")]);
        let ancestors = |path: &str| {
            let answer = answer("GET", path, "", page);
            let (_, rest) = answer.split_once("frame-ancestors ").expect("a policy");
            rest.split("\r\n").next().unwrap_or_default().to_owned()
        };
        assert_eq!(ancestors("/embed.html"), "*");
        assert_eq!(ancestors("/embed.html?theme=dark"), "*");
        for path in ["/", "/index.html", "/?e=d6", "/nowhere", "/preview.png", "/embed.html/"] {
            assert_eq!(ancestors(path), "'none'", "{path}");
        }
    }

    #[test]
    fn a_link_with_its_program_in_the_query_tells_of_it() {
        let page = b"<head><!-- preview -->general<!-- /preview --></head>";
        let page = Files(Box::leak(Box::new([
            ("index.html", page.as_slice()),
            ("preview.png", b"general"),
        ])));
        let told = answer("GET", "/?e=2d6", "br", page);
        assert!(told.contains("2d6 – Astragal") && !told.contains("general"), "{told}");
        assert!(told.contains("http://localhost/preview.png?e=2d6"), "{told}");
        for path in ["/", "/?e=", "/?e=4d6r1", "/?utm_source=x", "/preview.png?e=4d6r1"] {
            assert!(answer("GET", path, "", page).contains("general"), "{path}");
        }
    }

    #[test]
    fn head_has_no_body_and_other_methods_are_refused() {
        let head = answer("HEAD", "/", "", PAGE);
        assert!(head.contains("Content-Length: 13\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        let refused = answer("POST", "/", "", PAGE);
        assert!(
            refused.starts_with("HTTP/1.1 405 ") && refused.contains("Allow: GET, HEAD\r\n"),
            "{refused}"
        );
    }

    #[test]
    fn no_path_leads_anywhere_else() {
        for path in [
            "/nowhere",
            "/../Cargo.toml",
            "/assets/../index.html",
            "/assets/",
            "*",
            "//etc/passwd",
            "/%2e%2e/a",
        ] {
            let answer = answer("GET", path, "", PAGE);
            assert!(answer.starts_with("HTTP/1.1 404 Not Found"), "{path}: {answer}");
        }
    }

    #[test]
    fn a_binary_without_the_page_says_how_to_get_it() {
        for path in ["/", "/assets/a.js", "/sw.js"] {
            let answer = answer("GET", path, "", Files(&[]));
            assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
            assert!(answer.contains("cargo xtask web"), "{answer}");
        }
    }
}
