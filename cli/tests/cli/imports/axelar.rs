//! `muster import axelar`, on the transactions that Axelar's own tests make: with their signatures.

use alloy_primitives::{Address, Bytes, B256};
use alloy_sol_types::{sol, SolCall};
use muster_schemes::{
    curve::weierstrass::{Curve, Point},
    hash::keccak::keccak256,
};
use serde_json::json;

use super::{hex, holds, import, words};
use crate::support::{fixture, write_text};

sol! {
    struct WeightedSigner {
        address signer;
        uint128 weight;
    }

    struct WeightedSigners {
        WeightedSigner[] signers;
        uint128 threshold;
        bytes32 nonce;
    }

    struct Proof {
        WeightedSigners signers;
        bytes[] signatures;
    }

    struct Message {
        string sourceChain;
        string messageId;
        string sourceAddress;
        address contractAddress;
        bytes32 payloadHash;
    }

    function approveMessages(Message[] messages, Proof proof);
    function rotateSigners(WeightedSigners newSigners, Proof proof);
}

/// Those in office, in axelarnetwork/axelar-amplifier (contracts/multisig-prover/src/test/test_data.rs, `curr_verifier_set`), and the hash of
/// them in `weight_signers_hash` of src/encoding/abi/mod.rs.
const SIGNERS: [&str; 5] = [
    "038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75",
    "02ba5734d8f7091719471e7f7ed6b9df170dc70cc661ca05e688601ad984f068b0",
    "039d9031e97dd78ff8c15aa86939de9b1e791066a0224e331bc962a2099a7b1f04",
    "0220b871f3ced029e14472ec4ebc3c0448164942b123aa6af91a3386c1c403e0eb",
    "03bf6ee64a8d2fdc551ec8bb9ef862ef6b4bcb1805cdc520c3aa5866c0575fd3b5",
];
const SIGNERS_HASH: &str = "0xe490c7e55a46b0e1e39a3034973b676eed044fed387f80f4e6377305313f8762";
const SEPARATOR: &str = "0x3593643a7d7e917a099eef6c52d1420bb4f33eb074b16439556de5984791262b";

/// `rotate_signers_function_data` of src/encoding/abi/execute_data.rs there: the next signers, the signatures, and the Keccak-256 of the transaction.
const NEXT: [&str; 5] = [
    "0352a321079b435a4566ac8c92ab18584d8537d563f6c2c0bbbf58246ad047c611",
    "03b80cd1fff796fb80a82f4d45b812451668791a85a58c8c0b5939d75f126f80b1",
    "0251f7035a693e804eaed139009ede4ef62215914ccf9080027d53ef6bbb8897c5",
    "03a907596748daa5ae9c522445529ca38d0ea2c47a908c30643ca37a0e6e12160d",
    "03c55d66787c66f37257ef4b320ddcb64623d59e9bf0f3ec0f8ac7311b70cdd2c8",
];
const ROTATION: [&str; 3] = [
    "e3a7c09bfa26df8bbd207df89d7ba01100b809324b2987e1426081284a50485345a5a20b6d1d5844470513099937f1015ce8f4832d3df97d053f044103434d8c1b",
    "895dacfb63684da2360394d5127696129bd0da531d6877348ff840fb328297f870773df3c259d15dd28dbd51d87b910e4156ff2f3c1dc5f64d337dea7968a9401b",
    "7c685ecc8a42da4cd9d6de7860b0fddebb4e2e934357500257c1070b1a15be5e27f13b627cf9fa44f59d535af96be0a5ec214d988c48e2b5aaf3ba537d0215bb1b",
];
const ROTATION_HASH: &str = "0x52c65e01d464f6e440ebff7561b09edc1c9ff7754dd8bdaaa0410a952b9824cb";

/// `approve_messages_function_data`, the same of a message.
const APPROVAL: [&str; 3] = [
    "756473c3061df7ea3fef7c52e0e875dca2c93f08ce4f1d33e694d64c713a56842017d92f0a1b796afe1c5343677ff261a072fb210ff3d43cc2784c0774d4da7b1b",
    "5bdad2b95e700283402392a2f5878d185f92d588a6b4868460977c4f06f4216f0452c2e215c2878fe6e146db5b74f278716a99b418c6b2cb1d812ad28e686cd81c",
    "4c9c52a99a3941a384c4a80b3c5a14c059020d3d2f29be210717bdb9270ed55937fcec824313c90c198188ea8eb3b47c2bafe5e96c11f79ec793d589358024191b",
];
const APPROVAL_HASH: &str = "0x973b422c8af25ef10a916130e2918667c15f791234a7ed449dbeae3cf9129f5d";

/// Signers who weigh 1, in the order of their accounts; three of them are enough.
fn signers(keys: [&str; 5]) -> WeightedSigners {
    let account = |key: &str| {
        let point = Point::from_sec1(Curve::Secp256k1, &hex::decode(key).unwrap()).unwrap();
        Address::from(point.address().to_bytes())
    };
    let mut accounts = keys.map(account);
    accounts.sort();
    let signers = accounts.map(|signer| WeightedSigner { signer, weight: 1 });
    WeightedSigners { signers: signers.to_vec(), threshold: 3, nonce: B256::ZERO }
}

fn proof(signatures: [&str; 3]) -> Proof {
    let bytes = |text: &str| Bytes::from(hex::decode(text).unwrap());
    Proof { signers: signers(SIGNERS), signatures: signatures.map(bytes).to_vec() }
}

fn rotation() -> rotateSignersCall {
    rotateSignersCall { newSigners: signers(NEXT), proof: proof(ROTATION) }
}

fn approval() -> approveMessagesCall {
    let message = Message {
        sourceChain: "ganache-1".into(),
        messageId: "0xff822c88807859ff226b58e24f24974a70f04b9442501ae38fd665b3c68f3834-0".into(),
        sourceAddress: "0x52444f1835Adc02086c37Cb226561605e2E1699b".into(),
        contractAddress: "0xA4f10f76B86E01B98daF66A3d02a65e14adb0767".parse().unwrap(),
        payloadHash: "0x8c3685dc41c2eca11426f8035742fb97ea9f14931152670a5703f18fe8b392f0"
            .parse()
            .unwrap(),
    };
    approveMessagesCall { messages: vec![message], proof: proof(APPROVAL) }
}

fn line() -> String {
    format!("axelar --transaction transaction.hex --domain-separator {SEPARATOR}")
}

#[test]
fn transactions_of_a_gateway() {
    let dir = fixture().scratch("import-axelar");
    let rotation = rotation().abi_encode();
    assert_eq!(hex(&keccak256(&rotation)), ROTATION_HASH);
    write_text(&dir, "transaction.hex", &format!("{}\n", hex(&rotation)));
    let run = import(&dir, &format!("{} --json", line())).expect(0, &[]);
    holds(&dir, &run, "3 of 5");
    let said = run.json();
    assert_eq!(
        (&said["command"], &said["signers_hash"], &said["threshold"], &said["next_threshold"]),
        (&json!("rotate-signers"), &json!(SIGNERS_HASH), &json!("3"), &json!(3))
    );
    assert!(words(&said, "believed").contains("in office"), "{run:?}");
    let members = said["next_committee"]["members"].as_array().unwrap();
    let next = signers(NEXT).signers;
    let next = next.iter().map(|one| json!({ "address": hex(one.signer.as_slice()), "weight": 1 }));
    assert_eq!(members, &next.collect::<Vec<_>>());
    // It is a committee's file.
    write_text(&dir, "next.json", &said["next_committee"].to_string());
    crate::support::run_in(&dir, "root next.json").expect(0, &[]);
    let approval = approval().abi_encode();
    assert_eq!(hex(&keccak256(&approval)), APPROVAL_HASH);
    write_text(&dir, "transaction.hex", &hex(&approval));
    let line = format!("{} --signers-hash {SIGNERS_HASH} --json", line());
    let run = import(&dir, &line).expect(0, &[]);
    holds(&dir, &run, "3 of 5");
    assert_eq!(
        (&run.json()["command"], &run.json()["messages"]),
        (&json!("approve-messages"), &json!(1))
    );
    assert!(!words(&run.json(), "believed").contains("in office"), "{run:?}");
}

type Change = fn(&mut WeightedSigners);

/// Signatures that are none of this transaction, and what no gateway takes.
#[test]
fn transactions_that_are_none() {
    let dir = fixture().scratch("import-axelar-hostile");
    let write = |call: &rotateSignersCall| {
        write_text(&dir, "transaction.hex", &hex(&call.abi_encode()));
    };
    let own = rotation();
    write(&own);
    let other = format!("{} --signers-hash {SEPARATOR}", line());
    import(&dir, &other).expect(2, &["proof.signers: their hash is", SIGNERS_HASH]);
    let other =
        format!("axelar --transaction transaction.hex --domain-separator {SIGNERS_HASH} --json");
    let run = import(&dir, &other).expect(0, &[]);
    assert_eq!(run.json()["not_taken"].as_array().unwrap().len(), 3, "of another gateway");
    let mut call = own.clone();
    call.newSigners.threshold = 4;
    call.proof.signatures[0] = Bytes::from_static(&[1; 64]);
    write(&call);
    let run = import(&dir, &format!("{} --json", line())).expect(0, &[]);
    assert_eq!(run.json()["not_taken"].as_array().unwrap().len(), 3, "of another transaction");
    let changes: [(Change, &str); 6] = [
        (|all| all.threshold = 0, "proof.signers.threshold: 0"),
        (|all| all.threshold = 6, "proof.signers.threshold: 6, but all signers weigh 5"),
        (|all| all.threshold = u128::MAX, "proof.signers.threshold"),
        (|all| all.signers[2].weight = 1 << 64, "proof.signers.signers[2].weight"),
        (|all| all.signers[2].signer = Address::ZERO, "proof.signers.signers[2].signer"),
        (|all| all.signers[2].signer = all.signers[1].signer, "proof.signers"),
    ];
    for (change, part) in changes {
        let mut call = own.clone();
        change(&mut call.proof.signers);
        write(&call);
        import(&dir, &line()).expect(2, &["transaction.hex", part]);
    }
    let text = hex(&own.abi_encode());
    let longer = format!("{text}00");
    let dirty = text.replacen("0000000000000000000000", "0000000000000000000001", 1);
    for bad in ["", "0x", "0x00", "0x01020304", &text[2..], &text[..10], &text[..1000], &dirty] {
        write_text(&dir, "transaction.hex", bad);
        import(&dir, &line()).expect(2, &["transaction.hex"]);
    }
    // A word between the next signers and the proof, and more messages than there is room for.
    let mut bytes = own.abi_encode();
    let proof = 4 + usize::from(bytes[4 + 62]) * 256 + usize::from(bytes[4 + 63]);
    bytes.splice(proof..proof, [0; 32]);
    bytes[4 + 63] += 32;
    write_text(&dir, "transaction.hex", &hex(&bytes));
    import(&dir, &line()).expect(2, &["newSigners: there is something behind them"]);
    let mut bytes = approval().abi_encode();
    bytes[4 + 64 + 24] = 1;
    write_text(&dir, "transaction.hex", &hex(&bytes));
    import(&dir, &line()).expect(2, &["messages: 72057594037927937, but there is room for 1"]);
    // A signature that is there a hundred times, by its offset.
    let mut call = own.clone();
    call.proof.signatures.resize(100, Bytes::new());
    let mut bytes = call.abi_encode();
    let at = |bytes: &[u8], place: usize| {
        let word: [u8; 8] = bytes[4 + place + 24..4 + place + 32].try_into().unwrap();
        u64::from_be_bytes(word) as usize
    };
    let proof = at(&bytes, 32);
    let signatures = proof + at(&bytes, proof + 32);
    assert_eq!(at(&bytes, signatures), 100);
    let offsets = 4 + signatures + 32;
    let first = bytes[offsets..offsets + 32].to_vec();
    bytes[offsets..offsets + 100 * 32].copy_from_slice(&first.repeat(100));
    write_text(&dir, "transaction.hex", &hex(&bytes));
    import(&dir, &line())
        .expect(2, &["transaction.hex", "proof.signatures[1]: it is said to stand at"]);
    // A gateway does not look at what is behind the transaction, and neither is it signed.
    write_text(&dir, "transaction.hex", &longer);
    import(&dir, &line()).expect(0, &["3 of 5"]);
}
