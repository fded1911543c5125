//! The binary in its three packages.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::super::{Release, failed, make_folder, read, write};
use super::root::Root;
use super::used::{says, used};
use crate::tools::{Missing, Trouble, answer, run};

/// Files that each package must have, below its prefix.
const FILES: [&str; 6] = [
    "bin/astragal",
    "share/man/man1/astragal.1.gz",
    "share/man/man1/astragal-odds.1.gz",
    "share/bash-completion/completions/astragal",
    "share/doc/astragal/LICENSE-APACHE",
    "share/doc/astragal/astragal.cdx.json",
];

fn has_all(prefix: &Path) -> Result<(), Trouble> {
    let lacking = FILES.iter().find(|file| !prefix.join(file).is_file());
    lacking.map_or(Ok(()), |file| Err(Trouble::Failed(format!("there is no {file}"))))
}

/// Whether the page was there when the binary was built.
fn has_page() -> bool {
    crate::tools::root().join("web/dist/index.html").is_file()
}

fn unpacked(release: &Release, name: &str) -> Result<std::path::PathBuf, Trouble> {
    let folder = release.empty(name)?;
    let packed = release.file(&format!("{}.tar.gz", release.name()));
    run(Command::new("tar").arg("--extract").arg("--file").arg(packed).arg("-C").arg(&folder))?;
    Ok(folder.join(release.name()))
}

pub(super) fn archive(release: &Release) -> Result<(), Trouble> {
    let prefix = unpacked(release, "archive")?;
    has_all(&prefix)?;
    let binary = prefix.join("bin/astragal");
    used(&|| Command::new(&binary), !release.quick && has_page())
}

/// Installed by `dpkg` itself, into a root that has only its libraries.
pub(super) fn debian(release: &Release) -> Result<(), Trouble> {
    const NO_DPKG: Missing = Missing { why: "no dpkg", cure: "apt-get install dpkg" };
    answer("dpkg", &["--version"]).ok_or(NO_DPKG)?;
    let package = release.ending(".deb").into_iter().next().ok_or(NO_DPKG)?;
    let folder = release.empty("debian")?;
    let state = folder.join("var/lib/dpkg");
    ["info", "updates", "triggers"].iter().try_for_each(|name| make_folder(&state.join(name)))?;
    write(&state.join("status"), "")?;
    let mut dpkg = Command::new("dpkg");
    dpkg.arg("--root").arg(&folder);
    // The libraries are no packages there.
    dpkg.args(["--force-depends", "--force-not-root", "--force-script-chrootless", "--install"]);
    let told = dpkg.arg(package).output().map_err(|_| NO_DPKG)?;
    if !told.status.success() {
        let why = String::from_utf8_lossy(&told.stderr).into_owned();
        return Err(Trouble::Failed(format!("dpkg does not install it: {why}")));
    }
    has_all(&folder.join("usr"))?;
    let status = String::from_utf8_lossy(&read(&state.join("status"))?).into_owned();
    if !status.contains("Package: astragal\nStatus: install ok installed") {
        return Err(Trouble::Failed("dpkg does not know it as installed".into()));
    }
    within(release, &Root::with_libraries_of(folder, "/usr/bin/astragal")?)
}

/// As the container file says: the binary of the archive, and the libraries of the image it stands on. The image itself is
/// not made here: that needs a network and a container engine.
pub(super) fn container(release: &Release) -> Result<(), Trouble> {
    let text = String::from_utf8_lossy(&read(&release.file("Containerfile"))?).into_owned();
    let archive = text.lines().find_map(|line| line.strip_prefix("ARG ARCHIVE="));
    if archive != Some(&release.name()) {
        return Err(Trouble::Failed(format!("it adds {archive:?}, which is not there")));
    }
    let prefix = unpacked(release, "container-archive")?;
    let folder = release.empty("container")?;
    for line in text.lines().filter_map(|line| line.strip_prefix("COPY --from=unpacked ")) {
        let (from, to) = line.split_once(' ').unwrap_or((line, ""));
        let from = prefix.join(from.trim_start_matches("/astragal/"));
        let to = folder.join(to.trim_start_matches('/'));
        to.parent().map_or(Ok(()), make_folder)?;
        run(Command::new("cp").arg("--recursive").arg(&from).arg(&to))?;
    }
    let binary = folder.join("usr/bin/astragal");
    fs::metadata(&binary).map_err(|error| failed(&binary, &error))?;
    within(release, &Root::with_libraries_of(folder, "/usr/bin/astragal")?)
}

/// Used where there is nothing else.
fn within(release: &Release, root: &Root) -> Result<(), Trouble> {
    says(root.command("/usr/bin/astragal")?.args(["odds", "3d6"]), "mean 10.5")?;
    // Whether one may enter is known by now.
    let start = || root.command("/usr/bin/astragal").unwrap_or_else(|_| Command::new("false"));
    used(&start, !release.quick && has_page())
}
