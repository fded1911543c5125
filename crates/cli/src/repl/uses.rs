//! `use "house.dice"` in a file is about the folder of that file, and a session stands in another one.

use std::path::Path;

use astragal_syntax::span::SourceId;
use astragal_syntax::tree::StatementKind;
use astragal_syntax::{Limits, parse};

use super::literal::quoted;

/// A text that was written for this folder, as it is to be read anywhere: with whole paths after `use`.
pub(super) fn anywhere(text: &str, folder: &Path) -> String {
    let parsed = parse(text, SourceId(0), &Limits::default());
    let uses = parsed.file.block.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Use { path, path_span, .. } => Some((path, path_span.range())),
        _ => None,
    });
    let (mut whole, mut done) = (String::new(), 0);
    for (path, place) in uses {
        let Ok(found) = std::path::absolute(folder.join(path)) else { continue };
        whole.push_str(text.get(done..place.start).unwrap_or_default());
        whole.push_str(&quoted(&found.display().to_string()));
        done = place.end;
    }
    whole.push_str(text.get(done..).unwrap_or_default());
    whole
}

/// The folder of a file that does not lie in the current one.
pub(super) fn folder(file: &Path) -> Option<&Path> {
    file.parent().filter(|folder| !folder.as_os_str().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_uses_is_looked_for_beside_it() {
        let text = "# ours\nuse \"a.dice\" as ours; use \"/rules/b.dice\"\nlet x = \"c.dice\"";
        assert_eq!(
            anywhere(text, Path::new("/table")),
            "# ours\nuse \"/table/a.dice\" as ours; use \"/rules/b.dice\"\nlet x = \"c.dice\""
        );
        assert_eq!(folder(Path::new("party.dice")), None);
        assert_eq!(folder(Path::new("x/party.dice")), Some(Path::new("x")));
    }
}
