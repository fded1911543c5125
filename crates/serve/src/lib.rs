//! The built page, given out by the binary itself.
//!
//! The page computes everything in the browser, so what is here hands out files that were put into the binary when it
//! was built. It knows GET and HEAD, and nothing of what is rolled: addresses of programs stand
//! behind a `#`, which browsers do not send. Only who wants a link with a preview puts the program behind a `?`. The connections are those of `crates/table`, the one
//! server here.
//!
//! ```text
//! request      what of a request matters
//! response     request -> status, headers, body: a pure function
//! preview      what a link with its program in the query tells before it is opened
//! files        what is inside the binary
//! ```

mod files;
mod preview;
mod request;
mod response;

pub use request::Request;
pub use response::Response;

/// The answer to a request.
pub fn answer(request: &Request) -> Response {
    response::respond(request, files::BUILT)
}

/// Whether this binary was built after the page was, and holds it.
pub fn has_page() -> bool {
    files::BUILT.find("index.html").is_some()
}
