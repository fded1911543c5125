//! Each file of a release, installed into an empty place and used as its users would.

mod packed;
mod python;
mod root;
mod used;

use std::process::Command;

use super::{Part, Release, checksums, read};
use crate::tools::{Missing, Trouble, answer, node, run};

/// In the order in which they are told.
pub(super) const CHECKS: &[Part] = &[
    ("the checksums hold", sums),
    ("the archive, unpacked elsewhere", packed::archive),
    ("the Debian package, installed into an empty root", packed::debian),
    ("the container's files, in an empty root", packed::container),
    ("the bill of materials, read again", bill),
    ("the wheel, in an empty environment", python::wheel),
    ("the sdist has all that it is built from", python::sdist),
    ("the npm tarball, in an empty project", npm),
];

fn sums(release: &Release) -> Result<(), Trouble> {
    let mut tool = Command::new("sha256sum");
    tool.current_dir(&release.folder).args(["--check", "--strict", "--quiet", checksums::FILE]);
    match tool.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Trouble::Failed("a checksum does not hold".into())),
        Err(_) => Err(checksums::NO_TOOL.into()),
    }
}

/// That it is JSON is judged by somebody else's reader; what is inside is named, with licences that may be shipped.
fn bill(release: &Release) -> Result<(), Trouble> {
    const READER: &str = "\
const bill = JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8'));
const names = bill.components.map((part) => part.name);
const wrong = bill.components.filter((part) =>
  !part.version || !part.purl || !part.licenses || /(^|[^L])GPL/.test(part.licenses[0].expression));
if (!names.includes('astragal-odds') || !names.includes('dashu-int') || wrong.length) {
  console.error('wrong parts:', wrong);
  process.exit(1);
}";
    node()?;
    let file = release.file(&format!("{}.cdx.json", release.name()));
    let text = String::from_utf8_lossy(&read(&file)?).into_owned();
    if text.contains(env!("CARGO_MANIFEST_DIR")) {
        return Err(Trouble::Failed("the bill names a folder of this machine".into()));
    }
    run(Command::new("node").arg("--eval").arg(READER).arg(&file))
}

/// Installed without a network, then asked for a mean and a roll.
fn npm(release: &Release) -> Result<(), Trouble> {
    const USE: &str = "\
import { load } from 'astragal';
const ag = await load();
const [mean, rolled] = [ag.odds('4d6kh3').mean, ag.roll('4d6kh3', { faces: '3,6,2,5' }).value];
if (String(mean) !== '15869/1296' || String(rolled) !== '14') throw new Error(`${mean}, ${rolled}`);";
    const NONE: Missing = Missing { why: "no npm tarball", cure: "it was not made" };
    node()?;
    let tarball = release.ending(".tgz").into_iter().next().ok_or(NONE)?;
    let folder = release.empty("npm")?;
    let mut install = Command::new("npm");
    install.current_dir(&folder).args(["install", "--offline", "--no-audit", "--no-fund"]);
    run(install.args(["--silent", "--prefix", "."]).arg(tarball))?;
    let mut node = Command::new("node");
    run(node.current_dir(&folder).args(["--input-type=module", "--eval", USE]))
}

/// Who may enter an empty root: the superuser, or whoever may take that role for himself.
fn chroot() -> Result<Command, Trouble> {
    if answer("id", &["-u"]).as_deref() == Some("0") {
        let mut command = Command::new("chroot");
        // Within, it is nobody in particular: as in the container.
        command.arg("--userspec=65532:65532");
        return Ok(command);
    }
    if answer("unshare", &["--map-root-user", "true"]).is_some() {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "chroot"]);
        return Ok(command);
    }
    let cure = "run it as root, or allow user namespaces";
    Err(Missing { why: "no right to enter an empty root", cure }.into())
}
