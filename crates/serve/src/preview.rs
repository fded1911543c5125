//! What a link tells before it is opened: a title, a sentence and a picture of the chart.
//!
//! Links keep their program behind a `#`, which no server sees. Who wants a preview moves it, in the page's dialog, behind a `?`:
//! `/?e=4d6kh3`, or `/?v1.` and the packed state. Then what programs of chats read of the page says what is linked, and
//! `/preview.png` with the same query is its chart. All of it comes from strangers: states are read within limits,
//! odds are computed within a small budget and few at a time, and every text is escaped. Where anything fails, the page tells
//! of itself in general.

use std::sync::atomic::{AtomicUsize, Ordering};

use astragal_page::{Host, answer};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde_json::{Value as Json, json};

use crate::request::Request;

/// The steps that a preview may cost: a moment.
const STEPS: u64 = 20_000_000;
/// A state is never longer than this.
const LONGEST_STATE: usize = 200_000;
/// So many previews are made at once; who comes then gets the general one.
const AT_ONCE: usize = if cfg!(test) { 64 } else { 2 };
/// What chats show of a title and of a sentence.
const LONGEST: (usize, usize) = (90, 300);
/// As large as chats show pictures of links.
const SIZE: (u32, u32) = (1200, 630);
/// Between these the page tells of itself.
const MARKS: (&str, &str) = ("<!-- preview -->", "<!-- /preview -->");

static MAKING: AtomicUsize = AtomicUsize::new(0);

/// What is linked.
pub(crate) struct Shared {
    state: Json,
}

impl Shared {
    /// What a query says; none if it is no state, or one that only the page can show.
    pub(crate) fn read(query: &str) -> Option<Shared> {
        let state = match (query.strip_prefix("e="), query.strip_prefix("v1.")) {
            (Some(text), _) => json!({"v": 1, "at": "ask", "text": decoded(text)?}),
            (_, Some(packed)) => unpacked(packed)?,
            _ => return None,
        };
        let asks = state["v"] == 1 && state["at"] == "ask" && state["text"].is_string();
        asks.then_some(Shared { state })
    }

    /// The page with what it tells of itself put in terms of what is linked.
    pub(crate) fn page(&self, page: &str, request: &Request) -> Option<String> {
        let (before, rest) = page.split_once(MARKS.0)?;
        let (_, after) = rest.split_once(MARKS.1)?;
        let told = Making::begin()?.ask(self.request("odds"))?;
        let results = told["results"].as_array()?;
        let sentences = results.iter().filter_map(|result| result["sentence"].as_str());
        let words = cut(&sentences.collect::<Vec<_>>().join(". "), LONGEST.1);
        let title = format!("{} – Astragal", cut(&self.title(results), LONGEST.0));
        let origin = request.origin().unwrap_or_default();
        let picture = format!("{origin}/preview.png?{}", request.query);
        let tags = [
            ("og:type", "website"),
            ("og:site_name", "Astragal"),
            ("og:title", &title),
            ("og:description", &words),
            ("og:image", &picture),
            ("og:image:width", "1200"),
            ("og:image:height", "630"),
            ("og:image:alt", &words),
            ("twitter:card", "summary_large_image"),
        ];
        let tag = |(name, content): &(&str, &str)| {
            let kind = if name.starts_with("og:") { "property" } else { "name" };
            format!("    <meta {kind}=\"{name}\" content=\"{}\">\n", escaped(content))
        };
        let tags: String = tags.iter().map(tag).collect();
        Some(format!("{before}\n{tags}    {after}"))
    }

    /// The chart as PNG.
    pub(crate) fn picture(&self) -> Option<Vec<u8>> {
        let making = Making::begin()?;
        let mut request = self.request("picture");
        request["theme"] = "light".into();
        (request["width"], request["height"]) = (SIZE.0.into(), SIZE.1.into());
        let told = making.ask(request)?;
        dots(told["content"].as_str()?)
    }

    /// What results are called; else the last line of a program is what a reader knows it by.
    fn title(&self, results: &[Json]) -> String {
        let mut names: Vec<&str> = results.iter().filter_map(|it| it["name"].as_str()).collect();
        names.dedup();
        if !names.is_empty() {
            return names.join(", ");
        }
        let text = self.state["text"].as_str().unwrap_or_default();
        text.trim().lines().next_back().unwrap_or_default().trim().to_owned()
    }

    fn request(&self, ask: &str) -> Json {
        let mut request = json!({"ask": ask, "steps": STEPS});
        for name in ["text", "files", "inputs", "view"] {
            if !self.state[name].is_null() {
                request[name] = self.state[name].clone();
            }
        }
        request
    }
}

/// One of the few previews that are made at once.
struct Making;

impl Making {
    fn begin() -> Option<Making> {
        let making = Making;
        (MAKING.fetch_add(1, Ordering::Relaxed) < AT_ONCE).then_some(making)
    }

    /// What the page's own door answers, if that is an answer.
    fn ask(&self, request: Json) -> Option<Json> {
        let host = Host { seed: || None, progress: |_, _| {} };
        let told: Json = serde_json::from_str(&answer(&request.to_string(), &host)).ok()?;
        (told["ok"] == true).then_some(told)
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        MAKING.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(feature = "png")]
fn dots(drawing: &str) -> Option<Vec<u8>> {
    astragal_show::png::png(drawing, 1.0)
}

#[cfg(not(feature = "png"))]
fn dots(_: &str) -> Option<Vec<u8>> {
    None
}

fn unpacked(packed: &str) -> Option<Json> {
    let bytes = URL_SAFE_NO_PAD.decode(packed).ok()?;
    let text = decompress_to_vec_with_limit(&bytes, LONGEST_STATE).ok()?;
    serde_json::from_slice(&text).ok()
}

/// A text as addresses spell it: `d20%20%2B%205`.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).collect::<String>().trim_end().to_owned() + "…",
        false => text.to_owned(),
    }
}

/// As the value of an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use miniz_oxide::deflate::compress_to_vec;

    use super::*;

    const PAGE: &str = "<head><!-- preview --><meta content=\"general\"><!-- /preview --></head>";

    fn packed(state: &Json) -> String {
        format!("v1.{}", URL_SAFE_NO_PAD.encode(compress_to_vec(state.to_string().as_bytes(), 6)))
    }

    fn page(query: &str) -> Option<String> {
        let request = Request {
            query: query.into(),
            host: "dice.example:8080".into(),
            secure: true,
            ..Request::default()
        };
        Shared::read(query)?.page(PAGE, &request)
    }

    #[test]
    fn a_shared_program_is_told_in_a_title_a_sentence_and_a_picture() {
        let told = page("e=4d6kh3%20%2B%201").unwrap();
        for part in [
            "<meta property=\"og:title\" content=\"4d6kh3 + 1 – Astragal\">",
            "from 4 to 19, most likely 14 (13.27%), mean 13.24",
            "content=\"https://dice.example:8080/preview.png?e=4d6kh3%20%2B%201\"",
            "<meta name=\"twitter:card\" content=\"summary_large_image\">",
        ] {
            assert!(told.contains(part), "{part} is not in {told}");
        }
        assert!(
            !told.contains("general") && told.starts_with("<head>") && told.ends_with("</head>")
        );
        let state =
            json!({"v": 1, "at": "ask", "text": "param n = 2\n(n)d6", "inputs": {"n": "3"}});
        assert!(page(&packed(&state)).unwrap().contains("from 3 to 18"));
        let state = json!({"v": 1, "at": "ask", "text": "show \"plain\" = d6\nshow \"more\" = d8"});
        assert!(page(&packed(&state)).unwrap().contains("content=\"plain, more – Astragal\""));
    }

    #[cfg(feature = "png")]
    #[test]
    fn the_picture_is_a_png_of_the_usual_size() {
        let picture = Shared::read("e=2d6").unwrap().picture().unwrap();
        assert_eq!(&picture[1..4], b"PNG");
        assert_eq!(&picture[16..24], [0, 0, 4, 176, 0, 0, 2, 118]);
        // Of a record, a part that varies.
        assert!(
            Shared::read("e=%7Ba%3A%201%2C%20b%3A%20d6%2C%20c%3A%20d6%20%3E%203%7D")
                .unwrap()
                .picture()
                .is_some()
        );
    }

    #[test]
    fn nothing_of_a_program_becomes_markup() {
        let hostile = "show \"\\\"><script>alert(1)</script>\" = d6 # \"'><img src=x>";
        let state = json!({"v": 1, "at": "ask", "text": hostile});
        let told = page(&packed(&state)).unwrap();
        assert!(!told.contains("<script") && !told.contains("<img"), "{told}");
        assert!(told.contains("&gt;&lt;script&gt;alert(1)"), "{told}");
        let query = "e=d6&x=\"><script>";
        assert!(page(query).is_none_or(|told| !told.contains("<script")));
    }

    #[test]
    fn what_is_no_state_or_costs_too_much_is_told_in_general() {
        let bomb = URL_SAFE_NO_PAD.encode(compress_to_vec(&vec![b' '; 5_000_000], 6));
        for query in ["", "x=1", "e=%E0%A4%A", "v1.garbage", "v1.", &format!("v1.{bomb}")] {
            assert!(Shared::read(query).is_none(), "{query}");
        }
        assert!(Shared::read(&packed(&json!({"v": 1, "at": "play", "text": "d6"}))).is_none());
        for program in ["4d6r1", "1000d1000kh500"] {
            let shared = Shared::read(&format!("e={program}")).unwrap();
            assert!(shared.page(PAGE, &Request::default()).is_none(), "{program}");
            assert!(shared.picture().is_none(), "{program}");
        }
    }
}
