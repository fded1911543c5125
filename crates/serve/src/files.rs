//! The files of the page.

/// Some files, each with its compressed copies beside it under the same name and `.br` or `.gz`.
#[derive(Clone, Copy)]
pub(crate) struct Files(pub(crate) &'static [(&'static str, &'static [u8])]);

/// What was in `web/dist` when this binary was built.
pub(crate) const BUILT: Files = Files(&include!(concat!(env!("OUT_DIR"), "/files.rs")));

impl Files {
    pub(crate) fn find(self, name: &str) -> Option<&'static [u8]> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
    }
}

/// What a browser must be told about a file's content.
pub(crate) fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
