//! A package for Debian and its relatives: the staged files, and what they need.

use std::fs;
use std::process::Command;

use super::{Release, VERSION, failed, made, read, write};
use crate::tools::{Missing, Trouble, answer, root, run};

const TEMPLATE: &str = "packaging/control";
const NO_DPKG: Missing = Missing { why: "no dpkg-deb", cure: "apt-get install dpkg" };

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let architecture = answer("dpkg", &["--print-architecture"]).ok_or(NO_DPKG)?;
    let binary = read(&release.binary())?;
    let size = staged_kilobytes(release)?;
    let template = String::from_utf8_lossy(&read(&root().join(TEMPLATE))?).into_owned();
    let control = template
        .replace("@VERSION@", VERSION)
        .replace("@ARCHITECTURE@", &architecture)
        .replace("@DEPENDS@", &needs(&binary))
        .replace("@SIZE@", &size.to_string());
    write(&release.stage.join("DEBIAN/control"), control)?;
    write(&release.stage.join("usr/share/doc/astragal/copyright"), copyright()?)?;
    let package = release.file(&format!("astragal_{VERSION}_{architecture}.deb"));
    let speed = if release.quick { ["-Zgzip", "-z1"] } else { ["-Zxz", "-z6"] };
    let mut dpkg = Command::new("dpkg-deb");
    // The same files make the same package.
    dpkg.env("SOURCE_DATE_EPOCH", "0");
    dpkg.args(["--build", "--root-owner-group"]).args(speed).arg(&release.stage).arg(&package);
    run(&mut dpkg)?;
    made(&package);
    Ok(())
}

/// Both licences, under the name by which Debian looks for them.
fn copyright() -> Result<Vec<u8>, Trouble> {
    let head = b"Astragal is licensed under either of two licences, at your option.\n\n".to_vec();
    let (mit, apache) = (read(&root().join("LICENSE-MIT"))?, read(&root().join("LICENSE-APACHE"))?);
    Ok([head, mit, b"\n".to_vec(), apache].concat())
}

/// What is installed, in kilobytes.
fn staged_kilobytes(release: &Release) -> Result<u64, Trouble> {
    let (mut bytes, mut folders) = (0, vec![release.stage.join("usr")]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| failed(&folder, &error))?;
        for entry in entries.flatten() {
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(entry.path()),
                Ok(data) => bytes += data.len(),
                Err(error) => return Err(failed(&entry.path(), &error)),
            }
        }
    }
    Ok(bytes.div_ceil(1024))
}

/// The packages that a binary needs: the C library, in the version whose symbols it asks for, and the unwinder.
fn needs(binary: &[u8]) -> String {
    let libc = match newest_symbols(binary) {
        Some(minor) => format!("libc6 (>= 2.{minor})"),
        None => "libc6".into(),
    };
    let unwinds = binary.windows(13).any(|bytes| bytes == b"libgcc_s.so.1");
    if unwinds { format!("{libc}, libgcc-s1") } else { libc }
}

/// Of `GLIBC_2.17`, `GLIBC_2.34` and so on, the newest.
fn newest_symbols(binary: &[u8]) -> Option<u32> {
    const PREFIX: &[u8] = b"GLIBC_2.";
    let places = (0..binary.len()).filter(|at| binary[*at..].starts_with(PREFIX));
    let minor = places.filter_map(|at| {
        let digits = binary[at + PREFIX.len()..].iter().take_while(|byte| byte.is_ascii_digit());
        let digits: String = digits.map(|byte| char::from(*byte)).collect();
        digits.parse().ok()
    });
    minor.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_binary_needs_is_read_from_its_symbols() {
        let binary = b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.17\0libgcc_s.so.1\0";
        assert_eq!(needs(binary), "libc6 (>= 2.34), libgcc-s1");
        assert_eq!(needs(b"\0GLIBC_2.9\0"), "libc6 (>= 2.9)");
        assert_eq!(needs(b"static"), "libc6");
    }
}
