//! Queues by memory, and payloads that the server cannot read.

use std::fs;

use temporalio_common::protos::temporal::api::common::v1::Payload;

use super::{codec::Codec, Class};
use crate::{
    job::{About, Task},
    seal::{CodecKey, Seal},
};

/// A task that is predicted to take so many bytes.
fn task(bytes: u64) -> Task {
    let text = include_str!("../job/example.json");
    let job = serde_json::from_str(text).unwrap();
    Task { job, bytes, seconds: 1.0, about: About::default() }
}

#[test]
fn a_class_has_room_for_more_than_was_predicted() {
    let gib = 1_u64 << 30;
    let cases = [
        (0, Some(1)),
        (gib / 116 * 100, Some(1)),
        (gib / 114 * 100, Some(4)),
        (gib, Some(4)),
        (13 * gib, Some(16)),
        (14 * gib, Some(64)),
        (55 * gib, Some(64)),
        (56 * gib, None),
    ];
    for (bytes, expected) in cases {
        assert_eq!(Class::of(&task(bytes)).map(|class| class.gib), expected, "{bytes}");
    }
}

fn sealed(digits: &str) -> Codec {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    fs::write(&path, digits).unwrap();
    Codec::new(Seal::new(CodecKey::read(&path).unwrap()))
}

#[test]
fn payloads_are_sealed_for_those_who_have_the_key() {
    let (own, other) = (sealed(&"ab".repeat(32)), sealed(&"ac".repeat(32)));
    let payload = Payload {
        metadata: [("encoding".to_owned(), b"json/plain".to_vec())].into(),
        data: b"who signed".to_vec(),
        ..Payload::default()
    };
    let first = own.seal(&payload).unwrap();
    assert_eq!(own.open(&first).unwrap(), payload);
    assert_ne!(own.seal(&payload).unwrap(), first, "nonces differ");
    assert!(!first.data.windows(10).any(|part| part == b"who signed"));
    let reason = |sealed: &Codec, payload: &Payload| sealed.open(payload).unwrap_err().to_string();
    assert!(reason(&other, &first).contains("another codec key"));
    assert!(reason(&own, &payload).contains("without the farm's codec key"));
    for place in [0, 23, 24, first.data.len() - 1] {
        let mut changed = first.clone();
        changed.data[place] ^= 1;
        assert!(reason(&own, &changed).contains("another codec key"), "byte {place}");
    }
    let mut short = first;
    short.data.truncate(23);
    assert!(reason(&own, &short).contains("shorter than a nonce"));
}

#[test]
fn what_is_no_codec_key_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    for text in [String::new(), "ab".repeat(31), "ab".repeat(33), "xy".repeat(32)] {
        fs::write(&path, text).unwrap();
        let error = CodecKey::read(&path).err().unwrap().to_string();
        assert!(error.contains("not 64 hex digits") && error.contains("key"), "{error}");
    }
    assert!(CodecKey::read(&dir.path().join("none")).is_err());
}
