//! Digests: the vectors of the contracts, and what cannot be signed.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    encoding::{field_from_hex, from_hex, from_hex_exact},
    KeyKind, Message as Stated, MessageForm, Request, Scheme, Shape, Suite,
};
use serde_json::Value;

use crate::{
    bridge::{
        Batch, BatchRoot, BridgeFault, ChainId, Committee, Epoch, Form, Handover, Message, Scope,
        Sequence, ValidUntil,
    },
    verifier::KeyName,
};

const VECTORS: &str = include_str!("../../../../contracts/test/vectors/digests.json");

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A number, or `0x` hex for what JSON's numbers do not hold.
fn number(value: &Value) -> u64 {
    let hex = |text: &str| u64::from_str_radix(&text[2..], 16).unwrap();
    value.as_u64().unwrap_or_else(|| hex(text(value)))
}

fn chain(value: &Value) -> ChainId {
    value.as_u64().map_or_else(|| text(value).parse().unwrap(), ChainId::from)
}

fn field(value: &Value) -> Fr {
    field_from_hex(text(value)).unwrap()
}

fn hash(value: &Value) -> [u8; 32] {
    from_hex_exact(text(value)).unwrap()
}

fn scope(value: &Value) -> Scope {
    Scope {
        source_chain: chain(&value["source_chain"]),
        destination_chain: chain(&value["destination_chain"]),
        client: text(&value["client"]).parse().unwrap(),
        epoch: Epoch::new(number(&value["epoch"])).unwrap(),
        key: text(&value["key"]).parse().unwrap(),
        root: field(&value["root"]),
    }
}

fn committee(value: &Value) -> Committee {
    let form = Form::ALL[number(&value["form"]) as usize];
    let (key, threshold) = (text(&value["key"]).parse().unwrap(), number(&value["threshold"]));
    Committee::new(key, field(&value["root"]), threshold, form).unwrap()
}

fn check(vector: &Value) {
    let scope = scope(&vector["scope"]);
    let valid_until = ValidUntil::from_seconds(number(&vector["valid_until"]));
    let root = BatchRoot(hash(&vector["batch"]["root"]));
    let mut ids = vec![];
    for entry in vector["messages"].as_array().unwrap() {
        let payload = from_hex(text(&entry["payload"])).unwrap();
        let message = Message { nonce: number(&entry["nonce"]), payload };
        let id = scope.message_id(&message);
        assert_eq!(id.0, hash(&entry["message_id"]));
        let digest = scope.message_digest(&message, valid_until);
        assert_eq!(digest.to_hex(), text(&entry["digest"]));
        ids.push(id);
    }
    let batch = Batch::new(&ids).unwrap();
    assert_eq!(batch.root(), root);
    for (i, entry) in vector["messages"].as_array().unwrap().iter().enumerate() {
        let path: Vec<_> = entry["path"].as_array().unwrap().iter().map(hash).collect();
        assert_eq!(batch.path(i), Some(path));
    }
    assert_eq!(batch.path(ids.len()), None);
    let digest = scope.batch_digest(&root, valid_until);
    assert_eq!(digest.to_hex(), text(&vector["batch"]["digest"]));

    let expected = &vector["handover"];
    let sequence = Sequence::new(number(&expected["sequence"])).unwrap();
    let handover = Handover::new(&scope, &committee(&expected["next"]), sequence).unwrap();
    assert_eq!(handover.proposal().0, hash(&expected["proposal"]));
    assert_eq!(handover.digest(valid_until).to_hex(), text(&expected["digest"]));
    let acceptance = handover.acceptance_digest(valid_until);
    assert_eq!(acceptance.to_hex(), text(&expected["acceptance_digest"]));
}

#[test]
fn the_contracts_vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    let vectors = file["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 4);
    vectors.iter().for_each(check);
}

fn some_scope() -> Scope {
    Scope {
        source_chain: 1.into(),
        destination_chain: 10.into(),
        client: "0x00000000000000000000000000000000000a11ce".parse().unwrap(),
        epoch: Epoch::new(7).unwrap(),
        key: KeyName([0xc0; 32]),
        root: Fr::from(0x1234),
    }
}

#[test]
fn a_statement_takes_a_digest_in_either_form() {
    let digest = some_scope().batch_digest(&BatchRoot([3; 32]), ValidUntil::FOREVER);
    assert_eq!(digest.message(Form::Digest), Stated::Digest(*digest.bytes()));
    let Stated::Field(element) = digest.message(Form::Element) else { panic!("no element") };
    let mut bytes = element.to_bytes();
    bytes.reverse();
    assert_eq!(bytes, *digest.bytes());
}

#[test]
fn a_committee_that_the_client_refuses_is_none() {
    let with =
        |root, threshold| Committee::new(KeyName([0xc0; 32]), root, threshold, Form::Element);
    let most = (1 << 60) - 1;
    for threshold in [1, 8, most] {
        assert!(with(Fr::from(5), threshold).is_ok());
    }
    for threshold in [0, most + 1, u64::MAX] {
        assert_eq!(with(Fr::from(5), threshold), Err(BridgeFault::Threshold(threshold)));
    }
    assert_eq!(with(Fr::zero(), 1), Err(BridgeFault::ZeroRoot));
    assert_eq!(Sequence::new(0), Err(BridgeFault::SequenceZero));
    let last = Scope { epoch: Epoch::new(u64::MAX).unwrap(), ..some_scope() };
    let next = with(Fr::from(5), 1).unwrap();
    let handover = Handover::new(&last, &next, Sequence::new(1).unwrap());
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

#[test]
fn keys_that_a_client_takes_nothing_from() {
    let form = |scheme: Scheme, form| {
        Form::of_suite(Suite::new(scheme, KeyKind::Coordinates, None, form).unwrap())
    };
    assert_eq!(form(Scheme::Schnorr, None), Ok(Form::Element));
    assert_eq!(form(Scheme::EcdsaSecp256k1, None), Ok(Form::Digest));
    let unfit = |found: Result<Form, BridgeFault>, what: &str| match found {
        Err(BridgeFault::Unfit(reason)) => assert!(reason.contains(what), "{reason}"),
        other => panic!("{what}: {other:?}"),
    };
    unfit(form(Scheme::Ed25519, Some(MessageForm::Sha256 { most: 41 })), "sha256:41");
    unfit(form(Scheme::Ed25519, Some(MessageForm::Bytes { most: 41 })), "bytes:41");
    unfit(form(Scheme::BlsBn254, None), "a point");
    let masked = Request { mask: true, ..Request::new(Scheme::Schnorr, 3, 2) };
    unfit(Form::of(&Shape::fit(&masked).unwrap()), "who signed");
    let bare = Request { mask: false, ..masked };
    assert_eq!(Form::of(&Shape::fit(&bare).unwrap()), Ok(Form::Element));
}
