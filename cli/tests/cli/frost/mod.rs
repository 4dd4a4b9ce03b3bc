//! Ceremonies of FROST by passing files: what comes of them, and what is refused.

mod files;
mod keys;
mod nonces;
mod signing;

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::support::{run_in, write, Run};

const MESSAGE: &str = "0x000000000000000000000000000000000000000000000000000000000000002a";

/// A directory with a group's files, and the commands that are run in it.
struct Ceremony {
    dir: PathBuf,
    message: &'static str,
}

impl Ceremony {
    fn new(name: &str, suite: &str) -> Self {
        let ceremony = Self::empty(name);
        ceremony
            .run(&format!("keygen --suite {suite} --threshold 2 --signers 3 --out ."))
            .expect(0, &["any 2 of 3", "group.json"]);
        ceremony
    }

    fn empty(name: &str) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("muster-frost").join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Self { dir, message: MESSAGE }
    }

    fn run(&self, line: &str) -> Run {
        run_in(&self.dir, &format!("frost {line}"))
    }

    fn commit(&self, member: u16) {
        self.run(&format!("commit --share share-{member}.json --out .")).expect(0, &[]);
    }

    fn sign(&self, member: u16, options: &str) -> Run {
        self.run(&format!(
            "sign --share share-{member}.json --nonces nonces-{member}.json --commitments \
             commitment-1.json commitment-3.json --message {} --out signed-{member}.json {options}",
            self.message
        ))
    }

    fn aggregate(&self, options: &str) -> Run {
        self.run(&format!(
            "aggregate --group group.json --commitments commitment-1.json commitment-3.json \
             --shares signed-1.json signed-3.json --message {} {options}",
            self.message
        ))
    }

    /// Members 1 and 3 run both rounds.
    fn sign_all(&self) {
        for member in [1, 3] {
            self.commit(member);
        }
        for member in [1, 3] {
            self.sign(member, "").expect(0, &["used up"]);
        }
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.dir.join(name)).unwrap()).unwrap()
    }

    /// Writes a changed copy of a file in its place.
    fn edit(&self, name: &str, edit: impl FnOnce(&mut Value)) {
        let mut value = self.json(name);
        edit(&mut value);
        write(&self.dir, name, &value);
    }
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
