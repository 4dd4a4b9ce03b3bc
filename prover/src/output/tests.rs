#![allow(clippy::unwrap_used)]

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::{staging, Output, Secret, Wiped};
use crate::Error;

const SHARE: &str = r#"{"suite": "ed25519", "member": 1, "secret_share": "0x01"}"#;
const NONCES: &str = r#"{"suite": "ed25519", "member": 1, "hiding_nonce": "0x01"}"#;
const STATE: &str = r#"{"suite": "ed25519", "kind": "dkg-state", "content": "0x01"}"#;
const COMMITMENT: &str = r#"{"suite": "ed25519", "kind": "dkg-commitment", "content": "0x01"}"#;
const BLS: &str = r#"{"suite": "bn254", "signer": 1, "secret": "0x01"}"#;
const PLAYER: &str = r#"{"decryption_key": "0x01", "signing_key": "0x02"}"#;
const SHARES: &str = r#"{"shares": [{"share": 1, "value": "0x01"}]}"#;
const OPENED: &str = r#"{"secret": "0x01"}"#;
const SAMPLE: &str = r#"{"scheme": "eddsa-babyjubjub", "secret_keys": ["0x01"]}"#;

fn dir() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The names in a directory, hidden ones too.
fn names(dir: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|entry| name(entry).into_string().unwrap()).collect();
    names.sort();
    names
}

fn put(output: &mut Output, name: &str, text: &str) {
    output.write(name, |file| file.write_all(text.as_bytes())).unwrap();
}

fn text(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn files_appear_together_or_not_at_all() {
    let dir = dir();
    let mut output = Output::new(dir.path(), &["a"], false).unwrap();
    assert_eq!(names(dir.path()), [""; 0]);
    put(&mut output, "a", "new");
    drop(output);
    assert_eq!(names(dir.path()), [""; 0]);
    let mut output = Output::new(dir.path(), &["a"], false).unwrap();
    put(&mut output, "a", "new");
    output.write_secret("b", |file| file.write_all(b"secret")).unwrap();
    output.commit().unwrap();
    assert_eq!(names(dir.path()), ["a", "b"]);
    assert_eq!((text(dir.path(), "a"), text(dir.path(), "b")), ("new".into(), "secret".into()));
}

/// Only the first output of a directory looks for what others have left there.
#[test]
fn files_one_by_one() {
    let dir = dir();
    let first = Output::new(dir.path(), &[], false).unwrap();
    let left = dir.path().join(".muster-left");
    fs::create_dir(&left).unwrap();
    for name in ["a", "b"] {
        let mut output = first.other(&[name]).unwrap();
        put(&mut output, name, "new");
        output.commit().unwrap();
    }
    drop(first.other(&["c"]).unwrap());
    assert!(matches!(first.other(&["a"]), Err(Error::Exists(_))));
    assert!(left.exists());
    drop(first);
    assert_eq!(names(dir.path()), [".muster-left", "a", "b"]);
    drop(Output::new(dir.path(), &[], false).unwrap());
    assert_eq!(names(dir.path()), ["a", "b"]);
}

#[test]
fn what_may_be_replaced_may_be_removed() {
    let dir = dir();
    fs::write(dir.path().join("a"), "old").unwrap();
    fs::write(dir.path().join("secret"), SHARE).unwrap();
    fs::create_dir(dir.path().join("dir")).unwrap();
    let kept = Output::new(dir.path(), &[], false).unwrap();
    assert!(matches!(kept.remove("a"), Err(Error::Exists(_))));
    let forced = Output::new(dir.path(), &[], true).unwrap();
    assert!(forced.remove("a").unwrap() && !forced.remove("a").unwrap());
    assert!(forced.remove("secret").is_err() && forced.remove("dir").is_err());
    assert_eq!(names(dir.path()), ["dir", "secret"]);
}

#[test]
fn all_is_as_before_when_one_of_the_files_cannot_be_placed() {
    for force in [true, false] {
        let dir = dir();
        if force {
            fs::write(dir.path().join("a"), "old").unwrap();
        }
        let mut output = Output::new(dir.path(), &["a", "b", "c"], force).unwrap();
        for name in ["a", "b", "c"] {
            put(&mut output, name, "new");
        }
        // Meanwhile somebody puts something there that no file replaces.
        fs::create_dir(dir.path().join("c")).unwrap();
        output.commit().unwrap_err();
        if force {
            assert_eq!(names(dir.path()), ["a", "c"]);
            assert_eq!(text(dir.path(), "a"), "old");
        } else {
            assert_eq!(names(dir.path()), ["c"]);
        }
    }
}

/// What a process that died has left: staged files, and whether it had begun to move them.
fn broken(dir: &Path, files: &[&str], moving: bool) -> PathBuf {
    let path = dir.join(".muster-broken");
    fs::create_dir(&path).unwrap();
    let marks = ["lock", "moving"];
    for name in marks[..1 + usize::from(moving)].iter().chain(files) {
        fs::write(path.join(name), "").unwrap();
    }
    path
}

fn left(dir: &Path) -> Vec<PathBuf> {
    staging::clear(dir).unwrap().into_iter().map(|left| left.path).collect()
}

#[test]
fn what_dead_runs_have_left_is_removed_or_named() {
    let dir = dir();
    // Died before it moved a file, or after the last one: nobody needs what it left.
    for (files, moving) in [(&["new.a", "new.b"][..], false), (&["old.a"], true), (&[], true)] {
        let path = broken(dir.path(), files, moving);
        Output::new(dir.path(), &["a"], false).unwrap();
        assert!(!path.exists(), "{files:?}");
    }
    // Died between: one file is in its place, and the other is not.
    let path = broken(dir.path(), &["old.a", "new.b"], true);
    assert_eq!(left(dir.path()), std::slice::from_ref(&path));
    let said = staging::clear(dir.path()).unwrap()[0].to_string();
    assert!(said.contains(path.to_str().unwrap()) && said.contains("new.…"), "{said}");
    assert!(path.join("new.b").exists());
    fs::remove_dir_all(path).unwrap();
    // A hidden file of another step, or of an earlier version.
    let file = dir.path().join(".muster-nonces-x");
    fs::write(&file, "").unwrap();
    assert_eq!(left(dir.path()), [file]);
}

#[test]
fn what_living_runs_work_on_stays() {
    let dir = dir();
    let mut output = Output::new(dir.path(), &["a"], false).unwrap();
    put(&mut output, "a", "new");
    let mut other = Output::new(dir.path(), &["b"], false).unwrap();
    put(&mut other, "b", "new");
    other.commit().unwrap();
    output.commit().unwrap();
    assert_eq!(names(dir.path()), ["a", "b"]);
    // Somebody else's file of that name.
    let path = dir.path().join(".muster-alive");
    fs::create_dir(&path).unwrap();
    let lock = File::create_new(path.join("lock")).unwrap();
    lock.lock().unwrap();
    assert!(left(dir.path()).is_empty() && path.exists());
}

#[test]
fn force_replaces_a_secret_by_its_own_kind_only() {
    let kinds = [
        (SHARE, Secret::FrostShare),
        (NONCES, Secret::FrostNonces),
        (STATE, Secret::parcel("dkg-state").unwrap()),
        (BLS, Secret::BlsShare),
        (SAMPLE, Secret::Sample),
        (PLAYER, Secret::PlayerKeys),
        (SHARES, Secret::PlayerShares),
        (OPENED, Secret::Reconstructed),
    ];
    for (content, kind) in kinds {
        let dir = dir();
        let path = dir.path().join("file");
        fs::write(&path, content).unwrap();
        let refused = |result: Result<Output, Error>| {
            let reason = result.unwrap_err().to_string();
            assert!(reason.contains("file") && reason.contains(&kind.to_string()), "{reason}");
        };
        refused(Output::new(dir.path(), &["file"], true));
        refused(Output::single(&path, true).map(|(output, _)| output));
        for (_, other) in kinds {
            let opened = Output::single_secret(&path, other, true).map(|(output, _)| output);
            if other == kind {
                drop(opened.unwrap());
            } else {
                refused(opened);
            }
        }
        let parcel = Secret::parcel("refresh").unwrap();
        refused(Output::new(dir.path(), &[], true).unwrap().secrets(parcel, &["file"]));
        assert_eq!(
            (names(dir.path()), text(dir.path(), "file")),
            (vec!["file".into()], content.into())
        );
        let exists = Output::single_secret(&path, kind, false).unwrap_err();
        assert!(matches!(exists, Error::Exists(_)), "{exists}");
    }
}

#[test]
fn force_replaces_what_is_no_secret() {
    let others = [r#"{"used": true}"#, r#"{"secret_share": null}"#, r#"{"shares": [1, 2]}"#];
    for content in [COMMITMENT, "", "{", "[1]"].into_iter().chain(others) {
        let dir = dir();
        let path = dir.path().join("file");
        fs::write(&path, content).unwrap();
        Output::single(&path, true).unwrap();
        Output::single_secret(&path, Secret::BlsShare, true).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_replaced() {
    let dir = dir();
    let place = |name| dir.path().join(name);
    fs::write(place("secret"), SHARE).unwrap();
    fs::write(place("file"), "old").unwrap();
    for (target, link) in [("secret", "to-secret"), ("file", "to-file"), ("nowhere", "to-nothing")]
    {
        std::os::unix::fs::symlink(target, place(link)).unwrap();
    }
    let _listener = std::os::unix::net::UnixListener::bind(place("socket")).unwrap();
    for name in ["to-secret", "to-file", "to-nothing", "socket"] {
        let forced = [Output::single(&place(name), true).map(|(output, _)| output)];
        let listed = [Output::new(dir.path(), &[name], true)];
        for refused in forced.into_iter().chain(listed) {
            let error = refused.unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("not a regular file"), "{error}");
        }
        assert!(Output::new(dir.path(), &[], true).unwrap().remove(name).is_err(), "{name}");
        // Put there after it was asked.
        let mut output = Output::new(dir.path(), &["file"], true).unwrap();
        put(&mut output, "file", "new");
        put(&mut output, name, "new");
        output.commit().unwrap_err();
        assert!(!fs::symlink_metadata(place(name)).unwrap().is_file(), "{name}");
    }
    assert_eq!(
        (text(dir.path(), "secret"), text(dir.path(), "file")),
        (SHARE.into(), "old".into())
    );
}

#[test]
fn secret_bytes_keep_their_order_while_they_grow() {
    let (mut made, mut expected) = (Wiped::default(), vec![]);
    for (i, length) in [1, 0, 2, 1000, 3, 5000].into_iter().enumerate() {
        made.write_all(&vec![i as u8; length]).unwrap();
        expected.extend(vec![i as u8; length]);
    }
    assert_eq!(*made.0, expected);
}
