//! The store and the cache, when all is well and when a byte is not.

use std::{fs, path::Path, time::Duration};

use super::{Cache, PinnedKey, Store, Stored, MOST_STARTS};
use crate::{
    digest::Digest,
    job::{Input, JobName},
    seal::{CodecKey, Purpose, Seal},
    Error,
};

/// Longer than anything here.
const LONG: u64 = 1 << 30;

fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().to_str().unwrap()).unwrap();
    (dir, store)
}

fn seal(digits: &str) -> Seal {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), digits.repeat(32)).unwrap();
    Seal::new(CodecKey::read(file.path()).unwrap())
}

/// An empty folder is no farm; the mark says which key a farm has, and nobody changes it by accident.
#[tokio::test]
async fn a_farm_is_told_from_an_empty_folder() {
    let (_dir, store) = store();
    assert!(matches!(store.is_farm().await, Err(Error::NoFarm)));
    assert_eq!(store.found(false).await.unwrap(), Stored::New);
    assert_eq!(store.found(false).await.unwrap(), Stored::There);
    store.is_farm().await.unwrap();
    store.is_readable().await.unwrap();
    let sealed = store.clone().sealed(Some(seal("5a")));
    sealed.is_farm().await.unwrap();
    let reason = |found: Result<(), Error>| found.unwrap_err().to_string();
    assert!(reason(sealed.is_readable().await).contains("this farm has none"));
    assert!(reason(sealed.found(false).await.map(drop)).contains("--force"));
    assert_eq!(sealed.found(true).await.unwrap(), Stored::New);
    sealed.is_readable().await.unwrap();
    assert!(reason(store.is_readable().await).contains("--codec-key: missing"));
    let other = store.clone().sealed(Some(seal("5b")));
    assert!(reason(other.is_readable().await).contains("not the key"));
    store.replace("farm.json", r#"{"version":2}"#.into()).await.unwrap();
    assert!(reason(store.is_farm().await).contains("the farm has version 2"));
    store.replace("farm.json", "{}".into()).await.unwrap();
    assert!(reason(store.is_farm().await).contains("farm.json: missing field `version`"));
}

/// Inputs are encrypted, the same once more is stored once, and only the key opens them.
#[tokio::test]
async fn inputs_are_encrypted() {
    let (dir, store) = store();
    let sealed = store.clone().sealed(Some(seal("5a")));
    let Input::Sealed(digest) = sealed.put_input("who signed").await.unwrap() else { panic!() };
    assert_eq!(sealed.put_input("who signed").await.unwrap(), Input::Sealed(digest));
    assert_ne!(sealed.put_input("who signed?").await.unwrap(), Input::Sealed(digest));
    let bytes = store.get(&digest).await.unwrap();
    assert!(!bytes.windows(10).any(|part| part == b"who signed"));
    assert_eq!(sealed.open_input(&digest, &bytes).unwrap().as_slice(), b"who signed");
    let other = store.clone().sealed(Some(seal("5b")));
    let reason = other.open_input(&digest, &bytes).unwrap_err().to_string();
    assert!(reason.contains(&digest.digits()) && reason.contains("another codec key"), "{reason}");
    assert!(store.open_input(&digest, &bytes).unwrap_err().to_string().contains("--codec-key"));
    // Before the format had a name, an input began with its nonce.
    let old = sealed.open_input(&digest, &bytes[17..]).unwrap_err().to_string();
    assert!(old.contains("not in the format muster-sealed-v2"), "{old}");
    // What is encrypted for the server is no input.
    let payload = seal("5a").seal(Purpose::Payload("who signed"), b"").unwrap();
    let payload = [b"muster-sealed-v2\n".as_slice(), &payload].concat();
    sealed.open_input(&digest, &payload).unwrap_err();
    let path = dir.path().join("input");
    let cache = Cache::new(sealed, dir.path().join("cache"), 1 << 20).unwrap();
    cache.place_sealed(&digest, &path).await.unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"who signed");
    let kept = fs::read(dir.path().join("cache").join(digest.digits())).unwrap();
    assert_eq!(Digest::of(&kept), digest, "encrypted in the cache, too");
    assert_eq!(store.put_input("plain").await.unwrap(), Input::Stored(Digest::of(b"plain")));
}

fn name() -> JobName {
    Digest::of(b"a job").to_string().parse().unwrap()
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    bytes[0] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn artefacts_are_what_their_names_say() {
    let (dir, store) = store();
    let digest = store.put("text").await.unwrap();
    assert_eq!(digest, Digest::of(b"text"));
    assert_eq!(store.put("text").await.unwrap(), digest);
    assert_eq!(&store.get(&digest).await.unwrap()[..], b"text");
    flip(&dir.path().join("objects").join(digest.digits()));
    assert!(matches!(store.get(&digest).await, Err(Error::Corrupt { .. })));
    let missing = Digest::of(b"other");
    assert!(matches!(store.get(&missing).await, Err(Error::Missing(_))));
}

/// What is longer than a piece of an upload, in a file on both sides.
#[tokio::test]
async fn files_pass_in_pieces() {
    let (dir, store) = store();
    let (path, copy) = (dir.path().join("large"), dir.path().join("copy"));
    let bytes: Vec<u8> =
        (0..12_000_000_u32).map(|number| number as u8 ^ (number >> 12) as u8).collect();
    for length in [0, 5, bytes.len()] {
        fs::write(&path, &bytes[..length]).unwrap();
        let digest = store.put_file(&path).await.unwrap();
        assert_eq!(digest, Digest::of(&bytes[..length]));
        assert_eq!(store.put_file(&path).await.unwrap(), digest);
        store.fetch(&digest, &copy, LONG).await.unwrap();
        assert!(fs::read(&copy).unwrap() == bytes[..length]);
        if length > 0 {
            flip(&dir.path().join("objects").join(digest.digits()));
            let fetched = store.fetch(&digest, &copy, LONG).await;
            assert!(matches!(fetched, Err(Error::Corrupt { .. })));
        }
    }
    let missing = store.fetch(&Digest::of(b"other"), &copy, LONG).await;
    assert!(matches!(missing, Err(Error::Missing(_))));
    assert!(matches!(store.put_file(&dir.path().join("none")).await, Err(Error::Io { .. })));
}

#[tokio::test]
async fn a_result_is_kept_once() {
    let (_dir, store) = store();
    assert_eq!(store.result(&name()).await.unwrap(), None);
    assert_eq!(store.publish(&name(), "first".into()).await.unwrap(), Stored::New);
    assert_eq!(store.publish(&name(), "second".into()).await.unwrap(), Stored::There);
    assert_eq!(&store.result(&name()).await.unwrap().unwrap()[..], b"first");
}

#[tokio::test]
async fn what_workers_say_is_replaced_and_forgotten() {
    let (_dir, store) = store();
    store.put_made(&name(), "first").await.unwrap();
    store.put_made(&name(), "second").await.unwrap();
    assert_eq!(&store.made(&name()).await.unwrap().unwrap()[..], b"second");
    store.forget_made(&name()).await.unwrap();
    store.forget_made(&name()).await.unwrap();
    assert_eq!(store.made(&name()).await.unwrap(), None);
    assert_eq!(store.result(&name()).await.unwrap(), None);
}

#[tokio::test]
async fn starts_without_an_end_are_counted() {
    let (_dir, store) = store();
    for _ in 0..3 * MOST_STARTS {
        let start = store.start(&name()).await.unwrap().unwrap();
        store.finish(start).await.unwrap();
    }
    let mut lost = vec![];
    for _ in 0..MOST_STARTS {
        lost.push(store.start(&name()).await.unwrap().unwrap());
    }
    assert!(store.start(&name()).await.unwrap().is_none());
    store.finish(lost.pop().unwrap()).await.unwrap();
    lost.push(store.start(&name()).await.unwrap().unwrap());
    assert!(store.start(&name()).await.unwrap().is_none());
    store.forget_starts(&name()).await.unwrap();
    assert!(store.start(&name()).await.unwrap().is_some());
}

/// A job that is cancelled stays so until somebody lets it be tried again.
#[tokio::test]
async fn what_is_cancelled_stays_so() {
    let (_dir, store) = store();
    assert_eq!(store.cancelled(&name()).await.unwrap(), None);
    assert_eq!(store.cancel(&name(), "too late").await.unwrap(), Stored::New);
    assert_eq!(store.cancel(&name(), "another").await.unwrap(), Stored::There);
    assert_eq!(store.cancelled(&name()).await.unwrap().as_deref(), Some("too late"));
    store.publish(&name(), "{}".into()).await.unwrap();
    store.retry(&name()).await.unwrap();
    assert_eq!(store.cancelled(&name()).await.unwrap(), None);
    assert_eq!(store.result(&name()).await.unwrap(), None, "it is to be made again");
}

#[tokio::test]
async fn a_cache_checks_what_it_has_and_stays_small() {
    let (_dir, store) = store();
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let cache = Cache::new(store.clone(), folder.path(), 10).unwrap();
    let path = out.path().join("file");
    let mut digests = vec![];
    for text in ["aaaa", "bbbb", "cccc"] {
        let digest = store.put(text).await.unwrap();
        cache.place(&digest, &path, LONG).await.unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        digests.push(digest);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    assert!(!folder.path().join(digests[0].digits()).exists());
    // What somebody changed on this disk is taken from the store once more.
    flip(&folder.path().join(digests[2].digits()));
    cache.place(&digests[2], &path, LONG).await.unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "cccc");
}

/// Inputs, unverified results and marks go once they are old; keys and results do not.
#[tokio::test]
async fn what_nobody_needs_goes() {
    let (dir, store) = store();
    let (input, file, srs) = ("an input", "a key", "an SRS");
    let input = store.put(input).await.unwrap();
    let [file, srs] = [store.put(file).await.unwrap(), store.put(srs).await.unwrap()];
    let pinned = PinnedKey { files: [file; 3], srs };
    let key = Digest::of(b"the verifying key");
    let path = dir.path().join("keys");
    fs::create_dir_all(&path).unwrap();
    let json = serde_json::to_vec(&pinned).unwrap();
    fs::write(path.join(format!("{}.json", key.digits())), json).unwrap();
    store.publish(&name(), "a proof".into()).await.unwrap();
    store.put_made(&name(), "unverified").await.unwrap();
    let _start = store.start(&name()).await.unwrap().unwrap();
    let found = store.overview().await.unwrap();
    assert_eq!((found.keys, found.results, found.unverified), (vec![key], 1, 1));
    assert_eq!(found.begun.into_iter().collect::<Vec<_>>(), [(name().to_string(), 1)]);
    assert_eq!(store.collect(Duration::from_secs(3_600)).await.unwrap(), 0);
    assert_eq!(store.collect(Duration::ZERO).await.unwrap(), 3);
    assert!(matches!(store.get(&input).await, Err(Error::Missing(_))));
    store.get(&file).await.unwrap();
    store.get(&srs).await.unwrap();
    assert!(store.result(&name()).await.unwrap().is_some());
    assert_eq!(store.overview().await.unwrap().unverified, 0);
}

/// A file without contents that says that it is this long.
fn sparse(path: &Path, length: u64) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::File::create(path).unwrap().set_len(length).unwrap();
}

/// Nobody's memory or disk is filled by what somebody else wrote.
#[tokio::test]
async fn whatever_is_read_has_a_limit() {
    let (dir, store) = store();
    let (key, long) = (Digest::of(b"a key"), 3 << 29);
    let (made, kept) = (super::made(&name()), super::kept(&name()));
    let pinned = format!("keys/{}.json", key.digits());
    let object = format!("objects/{}", key.digits());
    let names = ["farm.json", &super::cancelled(&name()), &pinned, &made, &kept, &object];
    names.iter().for_each(|name| sparse(&dir.path().join(name), long));
    assert!(store.is_made(&name()).await.unwrap(), "it is not read for that");
    let path = dir.path().join("copy");
    let cache = Cache::new(store.clone(), dir.path().join("cache"), long).unwrap();
    for (read, name) in [
        (store.is_farm().await, "farm.json"),
        (store.cancelled(&name()).await.map(drop), "cancelled/"),
        (store.pinned(&key).await.map(drop), "keys/"),
        (store.made(&name()).await.map(drop), "made/"),
        (store.result(&name()).await.map(drop), "results/"),
        (store.get(&key).await.map(drop), "objects/"),
        (store.fetch(&key, &path, 100).await, "objects/"),
        (cache.place(&key, &path, 100).await, "objects/"),
    ] {
        let reason = read.unwrap_err().to_string();
        assert!(
            reason.contains(name) && reason.contains("1610612736 bytes, more than"),
            "{reason}"
        );
    }
    assert!(!path.exists());
    let reason = store.cancel(&name(), &" ".repeat(1 << 17)).await.unwrap_err().to_string();
    assert!(reason.starts_with("reason: 131072 bytes"), "{reason}");
}

/// What is pinned stays, unless somebody insists.
#[tokio::test]
async fn a_key_is_pinned_with_its_first_files() {
    let (_dir, store) = store();
    let key = Digest::of(b"the verifying key");
    let first = PinnedKey { files: [Digest([1; 32]); 3], srs: Digest([2; 32]) };
    let other = PinnedKey { srs: Digest([3; 32]), ..first.clone() };
    assert_eq!(store.pin_files(&key, &first, false).await.unwrap(), Stored::New);
    assert_eq!(store.pin_files(&key, &first, false).await.unwrap(), Stored::There);
    let reason = store.pin_files(&key, &other, false).await.unwrap_err().to_string();
    assert!(reason.contains("--force"), "{reason}");
    assert_eq!(store.pinned(&key).await.unwrap(), first);
    assert_eq!(store.pin_files(&key, &other, true).await.unwrap(), Stored::New);
    assert_eq!(store.pinned(&key).await.unwrap(), other);
    store.unpin(&key).await.unwrap();
    assert!(matches!(store.pinned(&key).await, Err(Error::Missing(_))));
    assert!(matches!(store.unpin(&key).await, Err(Error::Missing(_))));
    assert_eq!(store.pin_files(&key, &first, false).await.unwrap(), Stored::New);
}

#[test]
fn places_that_are_none_are_named() {
    for place in ["s9://bucket", "nothing://x/y"] {
        let reason = Store::open(place).unwrap_err().to_string();
        assert!(reason.starts_with(place), "{reason}");
    }
}
