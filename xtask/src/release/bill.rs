//! The software bill of materials: what is inside the binary, as [CycloneDX](https://cyclonedx.org) 1.5.
//!
//! Crates come from `cargo tree` with their checksums from `Cargo.lock`, the page's packages from its own lock file. There is
//! no date in it: the same sources have the same bill.

use std::collections::BTreeMap;
use std::process::Command;

use super::{Release, VERSION, made, read, write};
use crate::tools::{Trouble, cargo, root};

/// A part of what is given out.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Component {
    /// `cargo`, `npm`
    kind: &'static str,
    name: String,
    version: String,
    licence: String,
    /// The name of the hash and its digits.
    hash: Option<(&'static str, String)>,
}

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let mut components = crates(&release.host)?;
    // A binary without the page has none of it inside.
    if root().join("web/dist/index.html").is_file() {
        components.extend(packages()?);
    }
    components.sort();
    components.dedup();
    let text = document(&components);
    write(&release.stage.join("usr/share/doc/astragal/astragal.cdx.json"), &text)?;
    let file = release.file(&format!("{}.cdx.json", release.name()));
    write(&file, text)?;
    made(&file);
    Ok(())
}

/// What it prints, if it ends well.
fn said(command: &mut Command) -> Result<String, Trouble> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(told) if told.status.success() => Ok(String::from_utf8_lossy(&told.stdout).into_owned()),
        _ => Err(Trouble::Failed(format!("`{name}` does not say what there is"))),
    }
}

/// The crates of the command line.
fn crates(host: &str) -> Result<Vec<Component>, Trouble> {
    let mut tree = cargo();
    tree.args(["tree", "--package", "astragal-cli", "--edges", "normal", "--target", host]);
    tree.args(["--prefix", "none", "--no-dedupe", "--format", "{p}|{l}"]);
    let lock = String::from_utf8_lossy(&read(&root().join("Cargo.lock"))?).into_owned();
    let sums = checksums(&lock);
    Ok(said(&mut tree)?.lines().filter_map(|line| of_tree(line, &sums)).collect())
}

/// `serde_json v1.0.154|MIT OR Apache-2.0`; behind a version there may be more.
fn of_tree(line: &str, sums: &BTreeMap<(String, String), String>) -> Option<Component> {
    let (package, licence) = line.split_once('|')?;
    let mut words = package.split(' ');
    let (name, version) = (words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned());
    let sum = sums.get(&(name.clone(), version.clone()));
    let hash = sum.map(|sum| ("SHA-256", sum.clone()));
    Some(Component { kind: "cargo", name, version, licence: licence.replace('/', " OR "), hash })
}

/// The checksums in a `Cargo.lock`, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.trim_start_matches(" = ").trim_matches('"').to_owned())
    };
    let known = lock.split("[[package]]").filter_map(|package| {
        let named = (value(package, "name")?, value(package, "version")?);
        Some((named, value(package, "checksum")?))
    });
    known.collect()
}

/// The page's packages.
fn packages() -> Result<Vec<Component>, Trouble> {
    let told = said(Command::new("node").arg(root().join("packaging/page-parts.mjs")))?;
    let component = |line: &str| {
        let mut cells = line.split('|').map(str::to_owned);
        let (name, version) = (cells.next()?, cells.next()?);
        let (licence, sum) = (cells.next()?, cells.next()?);
        let hash = (!sum.is_empty()).then_some(("SHA-512", sum));
        Some(Component { kind: "npm", name, version, licence, hash })
    };
    Ok(told.lines().filter_map(component).collect())
}

fn document(components: &[Component]) -> String {
    let list: Vec<String> = components.iter().map(Component::json).collect();
    format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \"metadata\": {{\n    \
         \"component\": {{ \"type\": \"application\", \"name\": \"astragal\", \"version\": {} }}\n  }},\n  \
         \"components\": [\n{}\n  ]\n}}\n",
        quoted(VERSION),
        list.join(",\n"),
    )
}

impl Component {
    fn json(&self) -> String {
        let Component { kind, name, version, licence, hash } = self;
        let link = format!("pkg:{kind}/{}@{version}", name.replace('@', "%40"));
        let mut fields = vec![
            format!("\"type\": \"library\", \"name\": {}", quoted(name)),
            format!("\"version\": {}, \"purl\": {}", quoted(version), quoted(&link)),
        ];
        if !licence.is_empty() {
            fields.push(format!("\"licenses\": [{{ \"expression\": {} }}]", quoted(licence)));
        }
        if let Some((algorithm, digits)) = hash {
            let hash = format!("\"alg\": {}, \"content\": {}", quoted(algorithm), quoted(digits));
            fields.push(format!("\"hashes\": [{{ {hash} }}]"));
        }
        format!("    {{ {} }}", fields.join(", "))
    }
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "[[package]]\nname = \"itoa\"\nversion = \"1.0.18\"\nsource = \"x\"\n\
                        checksum = \"abc\"\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";

    #[test]
    fn crates_are_known_by_name_version_licence_and_checksum() {
        let sums = checksums(LOCK);
        let itoa = of_tree("itoa v1.0.18|MIT/Apache-2.0", &sums).map(|itoa| itoa.json());
        let line = "    { \"type\": \"library\", \"name\": \"itoa\", \"version\": \"1.0.18\", \
                    \"purl\": \"pkg:cargo/itoa@1.0.18\", \"licenses\": [{ \"expression\": \
                    \"MIT OR Apache-2.0\" }], \"hashes\": [{ \"alg\": \"SHA-256\", \"content\": \"abc\" }] }";
        assert_eq!(itoa.as_deref(), Some(line));
        // What lies in a folder of ours says nothing of that folder.
        let own = of_tree("own v0.1.0 (/a/folder)|MIT", &sums).map(|own| own.json());
        assert!(own.is_some_and(|own| !own.contains("folder") && !own.contains("hashes")));
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a \"b\"\\\n"), "\"a \\\"b\\\"\\\\\\u000a\"");
    }
}
