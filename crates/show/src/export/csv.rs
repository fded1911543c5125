//! Comma-separated values as RFC 4180 writes them, but with plain newlines.

/// One record and its newline.
pub(crate) fn line(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    cells.join(",") + "\n"
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_misread_is_quoted() {
        assert_eq!(line(&["a", "[1, 2]", "say \"hi\""]), "a,\"[1, 2]\",\"say \"\"hi\"\"\"\n");
    }
}
