//! Queues by memory, and payloads that the server cannot read.

use std::fs;

use prost::Message;
use temporalio_common::{
    data_converters::{SerializationContextData, WorkflowSerializationContext},
    error::{ApplicationFailure, OutgoingActivityError},
    payload_visitor::encode_payloads,
    protos::temporal::api::common::v1::Payload,
};

use super::{activities::known, codec::Codec, queues::time_limit, Class};
use crate::{
    job::{About, Incoming, Task},
    seal::{CodecKey, Seal},
    work::Fault,
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
        (u64::MAX, None),
    ];
    for (bytes, expected) in cases {
        assert_eq!(Class::of(&task(bytes)).map(|class| class.gib), expected, "{bytes}");
    }
}

/// Those who submit may say anything of the seconds.
#[test]
fn no_prediction_makes_a_time_limit_panic() {
    let limit = |seconds: f64| {
        let task = Task { seconds, ..task(0).sent() };
        time_limit(&[task.clone(), task]).as_secs()
    };
    assert_eq!(limit(1.0), 300 + 2 * 40);
    assert_eq!([limit(-1.0), limit(f64::NAN), limit(f64::NEG_INFINITY)], [300; 3]);
    let month = 30 * 24 * 3_600;
    assert_eq!([limit(1e9), limit(1e300), limit(f64::INFINITY)], [month; 3]);
}

/// A job of a later version is no fault of this worker, which goes on.
#[test]
fn later_jobs_are_left_to_later_workers() {
    let job = serde_json::json!({ "version": 4, "work": { "kind": "aggregate" } });
    let later: Incoming = serde_json::from_value(job).unwrap();
    let own = Incoming::from(task(0).job);
    assert_eq!(known(vec![own.clone()]).unwrap().len(), 1);
    let error = format!("{:?}", known(vec![own, later]).unwrap_err());
    assert!(error.contains("it is older than job version 4"), "{error}");
    assert!(!error.contains("WorkersFault"), "{error}");
}

fn sealed_in(digits: &str, namespace: &str) -> Codec {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    fs::write(&path, digits).unwrap();
    Codec::new(Seal::new(CodecKey::read(&path).unwrap()), namespace.into())
}

fn sealed(digits: &str) -> Codec {
    sealed_in(digits, "farm")
}

/// Neither the server nor the logs are told what is wrong with whose signature.
#[tokio::test]
async fn failures_name_nobody() {
    let (reason, codec) =
        ("member 3: the verification equation does not hold", sealed(&"ab".repeat(32)));
    let converter = codec.clone().converter();
    let context = SerializationContextData::Workflow(WorkflowSerializationContext::new());
    let error = ApplicationFailure::builder(reason.to_owned()).build();
    let error = OutgoingActivityError::Application(Box::new(error)).into();
    let mut failure =
        converter.failure_converter().to_failure(error, converter.payload_converter(), &context);
    encode_payloads(&mut failure, &codec, &context).await.unwrap();
    let sent = failure.encode_to_vec();
    assert!(!sent.windows(6).any(|part| part == b"member"), "{failure:?}");
    for fault in [Fault::Rejected(reason.into()), Fault::BadInput(reason.into())] {
        assert_eq!(fault.unnamed(), fault.name());
    }
    let fault = Fault::Crash("out of memory".into());
    assert_eq!(fault.unnamed(), "crashed: out of memory");
}

/// As the example in TypeScript has it, and a few lines of Python compute it.
#[test]
fn others_encrypt_in_the_same_way() {
    let data = "07070707070707070707070707070707070707070707070710b2baef7b20b10840f8b3d29db6880279b18d4d31d6b709994d6f18";
    let metadata = [("encoding".to_owned(), b"binary/muster-sealed-v2".to_vec())].into();
    let payload = Payload { metadata, data: hex::decode(data).unwrap(), ..Payload::default() };
    assert_eq!(sealed(&"ab".repeat(32)).open(&payload).unwrap().data, b"who signed");
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
    assert!(reason(&sealed_in(&"ab".repeat(32), "other"), &first).contains("another namespace"));
    let mut old = first.clone();
    old.metadata.insert("encoding".into(), b"binary/muster-sealed-v1".to_vec());
    assert!(reason(&own, &old).contains("another version"));
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
