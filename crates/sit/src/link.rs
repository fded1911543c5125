//! The address of a table: `https://dice.example/t/414c…#9f3d…`. What stands behind `#` opens it, and reaches no server by itself.

use astragal_fair::{Bytes, Id};

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// By HTTPS.
    pub secure: bool,
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// What stands before `/t/` and `/api/`: a proxy may have put the tables below a path.
    pub base: String,
}

/// The link to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it is.
    pub server: Server,
    /// Which one.
    pub table: Id,
    /// What opens it.
    pub secret: String,
}

impl Link {
    /// Reads a link as people send it.
    pub fn read(text: &str) -> Result<Link, String> {
        let text = text.trim();
        let (secure, rest) = match text.split_once("://") {
            Some(("https", rest)) => (true, rest),
            Some(("http", rest)) => (false, rest),
            _ => return Err("a link begins with `https://` or `http://`".into()),
        };
        let (address, secret) = rest.split_once('#').ok_or(
            "the part behind `#` is missing, which opens the table; in a shell, put the link in quotes",
        )?;
        let address = address.split('?').next().unwrap_or_default();
        let (place, path) = address.split_once('/').unwrap_or((address, ""));
        let path = format!("/{path}");
        let (base, table) = path.rsplit_once("/t/").ok_or("there is no `/t/` in it")?;
        let table = Bytes::read(table).ok_or("the id of a table has 32 hexadecimal digits")?;
        if !is_secret(secret) {
            return Err("the part behind `#` has 32 hexadecimal digits".into());
        }
        let (host, port) = host_and_port(place, if secure { 443 } else { 80 })?;
        let server = Server { secure, host, port, base: base.to_owned() };
        Ok(Link { server, table, secret: secret.to_owned() })
    }
}

fn is_secret(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// `dice.example`, `127.0.0.1:8137`, `[::1]:8137`
fn host_and_port(place: &str, usual: u16) -> Result<(String, u16), String> {
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (place, None),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '_');
    if host.is_empty() || !host.chars().all(good) {
        return Err(format!("`{place}` is no address of a server"));
    }
    let port = port.map_or(Ok(usual), str::parse);
    Ok((host.to_owned(), port.map_err(|_| format!("`{place}` has no port that is a number"))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "414c59d3fe50299683551c4fc1907f70";
    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn server(link: &str) -> (bool, String, u16, String) {
        let Server { secure, host, port, base } = Link::read(link).unwrap().server;
        (secure, host, port, base)
    }

    #[test]
    fn links_as_people_send_them() {
        let tail = format!("/t/{TABLE}#{SECRET}");
        let own =
            |secure, host: &str, port, base: &str| (secure, host.to_owned(), port, base.to_owned());
        assert_eq!(
            server(&format!("https://dice.example{tail}")),
            own(true, "dice.example", 443, "")
        );
        assert_eq!(
            server(&format!(" http://127.0.0.1:8137{tail}\n")),
            own(false, "127.0.0.1", 8137, "")
        );
        assert_eq!(server(&format!("http://[::1]:81{tail}")), own(false, "::1", 81, ""));
        assert_eq!(server(&format!("https://[::1]{tail}")), own(true, "::1", 443, ""));
        assert_eq!(
            server(&format!("https://x.org/games/dice{tail}")),
            own(true, "x.org", 443, "/games/dice")
        );
        let stream = format!("https://x.org/t/{TABLE}?view=stream#{SECRET}");
        assert_eq!(Link::read(&stream).unwrap().table.to_string(), TABLE);
    }

    #[test]
    fn what_is_no_link_says_why() {
        let why = |link: &str| Link::read(link).unwrap_err();
        assert!(why("dice.example/t/1").contains("begins with"));
        assert!(why(&format!("https://x/t/{TABLE}")).contains("quotes"));
        assert!(why(&format!("https://x/u/{TABLE}#{SECRET}")).contains("/t/"));
        assert!(why(&format!("https://x/t/12#{SECRET}")).contains("32"));
        assert!(why(&format!("https://x/t/{TABLE}#abc")).contains("32"));
        assert!(why(&format!("https://a b/t/{TABLE}#{SECRET}")).contains("no address"));
        assert!(why(&format!("https://x:port/t/{TABLE}#{SECRET}")).contains("port"));
    }
}
