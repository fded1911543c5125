//! What of a request matters here.

/// The page of a table.
pub(crate) const TABLE: &str = "/table.html";

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD`
    pub method: String,
    /// Without the query.
    pub path: String,
    /// What stands behind the `?`.
    pub query: String,
    /// The name under which the browser knows this server.
    pub host: String,
    /// Whether somebody in between speaks HTTPS for it.
    pub secure: bool,
    /// Which compressions the browser reads, as it lists them.
    pub encodings: String,
}

impl Request {
    /// The same request where the page of a table is given out too: `/t/` and `/t/TABLE` are that page, and files lie below `/t/` as well, since
    /// its addresses are relative.
    pub fn at_a_table(mut self) -> Request {
        let Some(rest) = self.path.strip_prefix("/t/") else { return self };
        let table =
            rest.is_empty() || rest.len() == 32 && rest.bytes().all(|b| b.is_ascii_hexdigit());
        self.path = if table { TABLE.to_owned() } else { format!("/{rest}") };
        self
    }

    /// Whether the answer has to be worked out, and is not only a file.
    pub fn is_slow(&self) -> bool {
        !self.query.is_empty() && matches!(self.path.as_str(), "/" | "/preview.png")
    }

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
    fn a_table_has_a_page_and_files_beside_it() {
        let at = |path: &str| {
            let request = Request { path: path.into(), ..Request::default() };
            request.at_a_table().path
        };
        assert_eq!(at("/t/"), "/table.html");
        assert_eq!(at("/t/414c59d3fe50299683551c4fc1907f70"), "/table.html");
        assert_eq!(at("/t/assets/a.js"), "/assets/a.js");
        assert_eq!(at("/t"), "/t");
        assert_eq!(at("/"), "/");
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
