//! Digests, against words that are put together here.

use alloy_primitives::keccak256;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::Message as Stated;

use crate::{
    bridge::{
        BatchRoot, BridgeFault, Committee, Digest, Epoch, Form, Handover, Message, Scope, Sequence,
        ValidUntil,
    },
    verifier::KeyName,
};

const KEY: [u8; 32] = [0xc0; 32];
const NEXT_KEY: [u8; 32] = [0xde; 32];

fn scope() -> Scope {
    Scope {
        source_chain: "0x8000000000000000000000000000000000000000000000000000000000000001"
            .parse()
            .unwrap(),
        destination_chain: 10.into(),
        client: "0x00000000000000000000000000000000000a11ce".parse().unwrap(),
        epoch: Epoch::new(7).unwrap(),
        key: KeyName(KEY),
        root: Fr::from(0x1234),
    }
}

fn next() -> Committee {
    Committee::new(KeyName(NEXT_KEY), Fr::from(5), 11, Form::Digest).unwrap()
}

fn word(number: u64) -> [u8; 32] {
    let mut word = [0; 32];
    word[24..].copy_from_slice(&number.to_be_bytes());
    word
}

fn hash(words: &[[u8; 32]]) -> [u8; 32] {
    keccak256(words.concat()).0
}

/// `signed` of the specification, for the scope above with this epoch, key and root.
fn signed(
    tag: &str,
    committee: (u64, [u8; 32], u64),
    valid_until: u64,
    body: [u8; 32],
) -> [u8; 32] {
    let (epoch, key, root) = committee;
    let mut source = word(1);
    source[0] = 0x80;
    let words = [
        keccak256(tag).0,
        source,
        word(10),
        word(0xa11ce),
        word(epoch),
        key,
        word(root),
        word(valid_until),
        body,
    ];
    let mut signed = hash(&words);
    signed[0] &= 0x1f;
    signed
}

#[test]
fn what_is_signed_is_what_the_specification_says() {
    let (scope, message) = (scope(), Message { nonce: 9, payload: b"muster".to_vec() });
    let office = (7, KEY, 0x1234);
    let mut source = word(1);
    source[0] = 0x80;
    let payload = keccak256(b"muster").0;
    let tag = keccak256("muster/message-id/v2").0;
    let id = hash(&[tag, source, word(10), word(0xa11ce), word(9), payload]);
    assert_eq!(scope.message_id(&message).0, id);
    let until = |seconds| (ValidUntil::from_seconds(seconds), seconds);
    for (valid_until, seconds) in [until(0), until(1_800_000_000), until(u64::MAX)] {
        let digest = scope.message_digest(&message, valid_until);
        assert_eq!(*digest.bytes(), signed("muster/message/v2", office, seconds, id));
        let digest = scope.batch_digest(&BatchRoot([3; 32]), valid_until);
        assert_eq!(*digest.bytes(), signed("muster/batch/v2", office, seconds, [3; 32]));

        let handover = Handover::new(&scope, &next(), Sequence::new(4).unwrap()).unwrap();
        let proposal = hash(&[word(4), word(8), NEXT_KEY, word(5), word(11), word(1)]);
        assert_eq!(handover.proposal().0, proposal);
        let expected = signed("muster/handover/v2", office, seconds, proposal);
        assert_eq!(*handover.digest(valid_until).bytes(), expected);
        let expected = signed("muster/acceptance/v2", (8, NEXT_KEY, 5), seconds, proposal);
        assert_eq!(*handover.acceptance_digest(valid_until).bytes(), expected);
    }
}

#[test]
fn a_statement_takes_a_digest_in_either_form() {
    let (scope, root) = (scope(), BatchRoot([3; 32]));
    let digest: Digest = scope.batch_digest(&root, ValidUntil::FOREVER);
    assert_eq!(digest.message(Form::Digest), Stated::Digest(*digest.bytes()));
    let Stated::Field(element) = digest.message(Form::Element) else { panic!("no element") };
    let mut bytes = element.to_bytes();
    bytes.reverse();
    assert_eq!(bytes, *digest.bytes());
}

#[test]
fn a_committee_that_the_client_refuses_is_none() {
    let with = |root, threshold| {
        Committee::new(KeyName(KEY), root, threshold, Form::Element).map(|it| it.threshold())
    };
    let most = (1 << 60) - 1;
    for threshold in [1, 8, most] {
        assert_eq!(with(Fr::from(5), threshold), Ok(threshold));
    }
    for threshold in [0, most + 1, u64::MAX] {
        assert_eq!(with(Fr::from(5), threshold), Err(BridgeFault::Threshold(threshold)));
    }
    assert_eq!(with(Fr::zero(), 1), Err(BridgeFault::ZeroRoot));
    assert_eq!(Sequence::new(0), Err(BridgeFault::SequenceZero));
    let last = Scope { epoch: Epoch::new(u64::MAX).unwrap(), ..scope() };
    let handover = Handover::new(&last, &next(), Sequence::new(1).unwrap());
    assert_eq!(handover, Err(BridgeFault::LastEpoch));
}

#[test]
fn forms_have_names() {
    for form in Form::ALL {
        assert_eq!(form.to_string().parse(), Ok(form));
    }
    assert_eq!(Form::ALL.map(Form::number), [0, 1]);
    assert_eq!("point".parse::<Form>(), Err(BridgeFault::Form("point".into())));
}
