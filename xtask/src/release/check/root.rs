//! An empty root with the libraries that a binary loads, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::{failed, make_folder};
use super::chroot;
use crate::tools::{Missing, Trouble, answer};

/// The root folder, and how to run what lies in it.
pub(super) struct Root(pub(super) PathBuf);

impl Root {
    /// Copies what the binary at this place within the root needs.
    pub(super) fn with_libraries_of(folder: PathBuf, binary: &str) -> Result<Root, Trouble> {
        let path = folder.join(binary.trim_start_matches('/'));
        let loaded = answer("ldd", &[&path.to_string_lossy()]);
        let loaded = loaded.ok_or(Missing { why: "no ldd", cure: "apt-get install libc-bin" })?;
        for library in libraries(&loaded) {
            let place = folder.join(library.trim_start_matches('/'));
            place.parent().map_or(Ok(()), make_folder)?;
            fs::copy(library, &place).map_err(|error| failed(Path::new(library), &error))?;
        }
        Ok(Root(folder))
    }

    /// Runs a program within.
    pub(super) fn command(&self, program: &str) -> Result<Command, Trouble> {
        let mut command = chroot()?;
        command.arg(&self.0).arg(program);
        Ok(command)
    }
}

/// The files that `ldd` names: `libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)`.
fn libraries(told: &str) -> Vec<&str> {
    let words = told.lines().flat_map(str::split_whitespace);
    words.filter(|word| word.starts_with('/')).map(|word| word.trim_end_matches(':')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_is_a_library_too() {
        let told =
            "\tlinux-vdso.so.1 (0x7)\n\tlibc.so.6 => /lib/a/libc.so.6 (0x7)\n\t/lib64/ld.so (0x7)";
        assert_eq!(libraries(told), ["/lib/a/libc.so.6", "/lib64/ld.so"]);
    }
}
