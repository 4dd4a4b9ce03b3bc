//! `muster translate`, on the committees of chains.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use blst::min_pk::AggregatePublicKey;
use muster_prover::{
    files::TranslationFile,
    keys::{TranslationKeyFiles, SHAPE_FILE},
};
use muster_testing::schema::{assert_reader, Schema};
use serde_json::{json, Value};

use crate::{
    support::{edit_hex, fixture, run_in, write, Run},
    sync_committee::{chunk, merkleize, secret_key},
};

/// Wormhole's guardian set 4 in its order, from guardianset/mainnetv2 of wormhole-foundation/wormhole, and what a contract
/// of solc 0.8.30 returns for `keccak256(abi.encodePacked(list))` of it.
const GUARDIANS: [&str; 19] = [
    "5893b5a76c3f739645648885bdccc06cd70a3cd3",
    "ff6cb952589bde862c25ef4392132fb9d4a42157",
    "114de8460193bdf3a2fcf81f86a09765f4762fd1",
    "107a0086b32d7a0977926a205131d8731d39cbeb",
    "8c82b2fd82faed2711d59af0f2499d16e726f6b2",
    "11b39756c042441be6d8650b69b54ebe715e2343",
    "54ce5b4d348fb74b958e8966e2ec3dbd4958a7cd",
    "15e7caf07c4e3dc8e7c469f92c8cd88fb8005a20",
    "74a3bf913953d695260d88bc1aa25a4eee363ef0",
    "000ac0076727b35fbea2dac28fee5ccb0fea768e",
    "af45ced136b9d9e24903464ae889f5c8a723fc14",
    "f93124b7c738843cbb89e864c862c38cddcccf95",
    "d2cc37a4dc036a8d232b48f62cdd4731412f4890",
    "da798f6896a3331f64b48c12d1d57fd9cbe70811",
    "71aa1be1d36cafe3867910f99c09e347899c19c3",
    "8192b6e7387ccd768277c17dab1b7a5027c0b3cf",
    "178e21ad2e77ae06711549cfbb1f9c7a9d8096e8",
    "5e1487f35515d02a92753504a8d75471b9f49edb",
    "6fbebc898f403e4773e95feb15e80c9a99c8348d",
];
const GUARDIANS_HASH: &str = "0x40cc0dd6d9466f2215c71df7299cdafb69a155404251bcd6176ed4d0dba69854";

/// The validators of mocha-4 at height 10500, and the `validators_hash` of its header: circuits/fixtures of
/// succinctlabs/tendermintx.
const VALIDATORS: [(&str, u64); 3] = [
    ("9e3ab72fac9069b58c8e687d4230686e9d9739d372b5a2cfa3116063641dde2f", 25_100_000),
    ("97fa8d69fe090f19e13fee8f7fed8e48025892c488923c9e7d8083bd93e86a10", 25_000_000),
    ("e9b7638ca1c42da37d728970632fda77ec61dcc520395ab5d3a645b9c2b8e8b1", 25_000_000),
];
const VALIDATORS_HASH: &str = "0x10ef7e029575a3b9d6653d3a3f9c9732a9f7646e13df3a380a2d026b61a24acf";

/// Alice to Eve of Substrate's development keys, and the `keyset_commitment` that leaves have of these five: tests of
/// ComposableFi/beefy-rs and octopus-network/beefy-light-client.
const AUTHORITIES: [&str; 5] = [
    "e04cc55ebee1cbce552f250e85c57b70b2e2625b",
    "25451a4de12dccc2d166922fa938e900fcc4ed24",
    "5630a480727cd7799073b36472d9b1a6031f840b",
    "4bb32a4263e369acbb6c020ffa89a41fd9722894",
    "362855f7c9c5c9d00a84157cdefe889fea436741",
];
const KEYSET: &str = "0x304803fa5a91d9852caafe04b4b867a4ed27a07a5bee3d1507b4b187a68777a2";

/// Signers in office of a gateway, in the tests of axelarnetwork/axelar-amplifier, with the weights 7, 7·2¹⁴, …, and the Keccak-256 of their list:
/// `testAxelarList` of contracts/test/Digests.t.sol.
const SIGNERS: [&str; 5] = [
    "15d34aaf54267db7d7c367839aaf71a00a2c6a65",
    "3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    "70997970c51812dc3a010c7d01b50e0d17dc79c8",
    "90f79bf6eb2c4f870365e785982e1f101e93b906",
    "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
];
const SIGNERS_HASH: &str = "0xe8e5f27f5f337eb74d6363a3a133efaa28d4adc1a7d3c20b3e459f4fffd4f757";

/// The heights of the keys of `new Identity("muster 1")` and 2 by @semaphore-protocol/identity 4.14.3, and the root that `Group` of
/// @semaphore-protocol/group has of both.
const IDENTITIES: [&str; 2] = [
    "1987e2a2431d4196f3aeb11cd60063ff20a65b6dda1762508ba0e18e4d38244f",
    "081fa1b4e0f9884003f7bd806f61b3857dad3a53a102f4228578678def7efeb9",
];
const GROUP: &str = "0x1ffc03f2efec8c757a6b97427ee507f2f5248bf41d80f054c1723b60e0ab2ab8";

/// The validator of an epoch change in the tests of unionlabs/union (`test_aptos_full_verification`), and the SHA-256 of the key and the power in
/// eight little-endian bytes, by hashlib.
const APTOS: (&str, u64) = (
    "8f31062af1a3eddcaebd429a413c89b4dd7059c00a5355311a88ac9a0691868a40c236397456433e7a98a5f32ef3c43b",
    10,
);
const APTOS_HASH: &str = "0xdf4c3992bf0f595f17fd4050aa48408d5fc61bbfb006e67f2860ed6671b7f6f7";

/// Another hash.
const OTHER: &str = "0x0101010101010101010101010101010101010101010101010101010101010101";

fn guardians() -> Value {
    addresses(&GUARDIANS)
}

fn addresses(list: &[&str]) -> Value {
    let member = |address: &&str| json!({ "address": format!("0x{address}"), "weight": 1 });
    let members: Vec<_> = list.iter().map(member).collect();
    json!({ "scheme": "ecdsa-secp256k1", "keys": "address", "members": members })
}

fn validators() -> Value {
    let member =
        |(key, weight): &(&str, u64)| json!({ "public_key": format!("0x{key}"), "weight": weight });
    json!({ "scheme": "ed25519", "members": VALIDATORS.iter().map(member).collect::<Vec<_>>() })
}

/// A folder with the guardians, keys for them and a translation.
fn translated() -> &'static PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let dir = fixture().scratch("translate");
        write(&dir, "guardians.json", &guardians());
        let line = "translate keygen --commitment keccak-addresses --signers 19 --insecure-srs";
        run_in(&dir, &format!("{line} --out keys")).expect(0, &["INSECURE", "capacity 19"]);
        run_in(&dir, "translate prove --keys keys --committee guardians.json --out proof.json")
            .expect(0, &[GUARDIANS_HASH, "INSECURE"]);
        dir
    })
}

fn verify(dir: &Path, rest: &str) -> Run {
    run_in(dir, &format!("translate verify --keys keys {rest}"))
}

fn json_of(dir: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(dir.join(name)).expect("a file")).expect("JSON")
}

#[test]
fn guardians_are_translated_to_their_root() {
    let dir = translated();
    let run = verify(dir, &format!("proof.json --hash {GUARDIANS_HASH} --json")).expect(0, &[]);
    let report = run.json();
    let root = run_in(dir, "root guardians.json").expect(0, &[]).stdout.trim().to_owned();
    assert_eq!(report["key_set_root"], json!(root));
    assert_eq!((&report["members"], &report["total_weight"]), (&json!(19), &json!(19)));
    assert_eq!(report["verdict"], "accepted, but the SRS is INSECURE");
    let all = format!("proof.json --hash {GUARDIANS_HASH} --root {root}");
    verify(dir, &format!("{all} --members 19 --total-weight 19")).expect(0, &["accepted"]);
}

#[test]
fn validators_are_translated_with_their_powers() {
    let dir = fixture().scratch("translate-cometbft");
    write(&dir, "validators.json", &validators());
    let line = "translate keygen --commitment cometbft-validators --signers 4 --insecure-srs";
    run_in(&dir, &format!("{line} --out keys")).expect(0, &["cometbft-validators: capacity 4"]);
    let line = "translate prove --keys keys --committee validators.json --json";
    let run = run_in(&dir, &format!("{line} --hash {VALIDATORS_HASH} --out proof.json"));
    let report = run.expect(0, &[]).json();
    assert_eq!((&report["members"], &report["total_weight"]), (&json!(3), &json!(75_100_000)));
    let all = format!("proof.json --hash {VALIDATORS_HASH} --members 3 --total-weight 75100000");
    verify(&dir, &all).expect(0, &["accepted"]);
    // In another order they have another hash.
    let mut moved = validators();
    moved["members"].as_array_mut().unwrap().swap(1, 2);
    write(&dir, "moved.json", &moved);
    let line = "translate prove --keys keys --committee moved.json --out moved-proof.json";
    run_in(&dir, &format!("{line} --hash {VALIDATORS_HASH}"))
        .expect(1, &["rejected: moved.json", VALIDATORS_HASH]);
    assert!(!dir.join("moved-proof.json").exists());
    // One whose key no set holds is a member for whom nobody can sign.
    let key = format!("0x{}", "02".repeat(33));
    let mut more = validators();
    let one = json!({ "public_key": key, "weight": 7, "empty": "secp256k1" });
    more["members"].as_array_mut().unwrap().push(one);
    write(&dir, "more.json", &more);
    let line = "translate prove --keys keys --committee more.json --out more-proof.json";
    let report = run_in(&dir, &format!("{line} --json")).expect(0, &[]).json();
    assert_eq!((&report["members"], &report["total_weight"]), (&json!(4), &json!(75_100_007)));
    let reason = "it is a key of secp256k1";
    let empty =
        json!({ "member": 3, "weight": 7, "key": key, "type": "secp256k1", "reason": reason });
    assert_eq!(report["empty"], json!([empty]));
    let hash = report["hash"].as_str().unwrap();
    verify(&dir, &format!("more-proof.json --hash {hash} --members 4 --total-weight 75100007"))
        .expect(0, &["accepted"]);
    let named = format!("member 3 (weight 7): {reason}");
    run_in(&dir, &format!("{line} --force --hash {hash}")).expect(0, &["empty places", &named]);
    more["members"][3].as_object_mut().unwrap().remove("empty");
    write(&dir, "more.json", &more);
    run_in(&dir, &format!("{line} --force")).expect(2, &["more.json: members[3].public_key"]);
}

#[test]
fn signers_of_axelar_are_translated_with_their_weights() {
    let dir = fixture().scratch("translate-axelar");
    let mut signers = addresses(&SIGNERS);
    for place in 0..SIGNERS.len() {
        signers["members"][place]["weight"] = json!((7_u64 << (14 * place)).to_string());
    }
    write(&dir, "signers.json", &signers);
    let keygen = "translate keygen --commitment axelar-signers --insecure-srs";
    run_in(&dir, &format!("{keygen} --signers 257 --out none")).expect(2, &["1 to 256"]);
    let made = format!("{keygen} --signers 5 --out keys");
    run_in(&dir, &made).expect(0, &["axelar-signers: capacity 5"]);
    let prove =
        format!("translate prove --keys keys --hash {SIGNERS_HASH} --out proof.json --committee");
    let mut lighter = signers.clone();
    lighter["members"][1]["weight"] = json!(1);
    for (others, status, part) in [(lighter, 1, SIGNERS_HASH), (validators(), 2, "axelar-signers")]
    {
        write(&dir, "others.json", &others);
        run_in(&dir, &format!("{prove} others.json")).expect(status, &["others.json", part]);
    }
    run_in(&dir, &format!("{prove} signers.json")).expect(0, &[SIGNERS_HASH, "INSECURE"]);
    let total: u64 = (0..5).map(|place| 7 << (14 * place)).sum();
    let all = format!("proof.json --hash {SIGNERS_HASH} --members 5 --total-weight {total}");
    verify(&dir, &all).expect(0, &["accepted"]);
    verify(&dir, &format!("proof.json --hash {OTHER}")).expect(1, &["about the hash"]);
}

/// The folder of keys for five authorities of BEEFY.
fn beefy_keys() -> &'static str {
    static DIR: OnceLock<String> = OnceLock::new();
    DIR.get_or_init(|| {
        let dir = fixture().scratch("translate-beefy-keys");
        let keygen = "translate keygen --commitment beefy-authorities --insecure-srs --out keys";
        run_in(&dir, &format!("{keygen} --signers 1025")).expect(2, &["1 to 1024"]);
        let made = format!("{keygen} --signers 5");
        run_in(&dir, &made).expect(0, &["beefy-authorities: capacity 5"]);
        dir.join("keys").display().to_string()
    })
}

#[test]
fn authorities_of_beefy_are_translated() {
    let (dir, keys) = (fixture().scratch("translate-beefy"), beefy_keys());
    write(&dir, "authorities.json", &addresses(&AUTHORITIES));
    let prove =
        format!("translate prove --keys {keys} --hash {KEYSET} --out proof.json --committee");
    let mut moved = AUTHORITIES;
    moved.swap(3, 4);
    let mut twice = addresses(&AUTHORITIES);
    twice["members"][4] = twice["members"][0].clone();
    let mut heavy = addresses(&AUTHORITIES);
    heavy["members"][2]["weight"] = json!(2);
    for (others, status, part) in [
        (addresses(&moved), 1, KEYSET),
        (addresses(&AUTHORITIES[..4]), 1, KEYSET),
        (twice, 2, "others.json"),
        (heavy, 2, "in beefy-authorities everybody weighs 1"),
        (validators(), 2, "beefy-authorities"),
    ] {
        write(&dir, "others.json", &others);
        run_in(&dir, &format!("{prove} others.json")).expect(status, &["others.json", part]);
    }
    assert!(!dir.join("proof.json").exists());
    run_in(&dir, &format!("{prove} authorities.json")).expect(0, &[KEYSET, "INSECURE"]);
    let verify = format!("translate verify --keys {keys} proof.json --hash");
    run_in(&dir, &format!("{verify} {KEYSET} --members 5 --total-weight 5"))
        .expect(0, &["accepted"]);
    run_in(&dir, &format!("{verify} {OTHER}")).expect(1, &["about the hash"]);
}

/// The second and the fourth have no address, for which chains hash 20 zeros, and older ones nothing: the `keyset_commitment` of both is by
/// viem's `keccak256`.
#[test]
fn authorities_without_an_address_have_empty_places() {
    let (dir, keys) = (fixture().scratch("translate-beefy-empty"), beefy_keys());
    let with = |leaf: &str| {
        let mut all = addresses(&AUTHORITIES);
        for place in [1, 3] {
            all["members"][place] = json!({ "address": leaf, "weight": 1, "empty": "beefy" });
        }
        all
    };
    let [zeros, bare] = [format!("0x{}", "00".repeat(20)), "0x".to_owned()];
    let prove = format!("translate prove --keys {keys} --out proof.json --committee");
    for (leaf, hash) in [
        (&bare, "0x4c982925d88839d1ed3d3d24e7fbf887f1920a900bcfa5d4ec19eca745e2256b"),
        (&zeros, "0xf50dafeab1f71974e3a5b5459d12171cc45b38d92b325bc1ba08cd2d71e08d66"),
    ] {
        write(&dir, "set.json", &with(leaf));
        run_in(&dir, &format!("{prove} set.json --hash {KEYSET}")).expect(1, &[hash, KEYSET]);
    }
    let report = run_in(&dir, &format!("{prove} set.json --json")).expect(0, &[]).json();
    let reason = "its key is no point, so the chain has no address for it";
    let empty = [1, 3].map(|place| {
        json!({ "member": place, "weight": 1, "key": zeros, "type": "beefy", "reason": reason })
    });
    assert_eq!(report["empty"], json!(empty));
    let hash = report["hash"].as_str().unwrap();
    let verify = format!("translate verify --keys {keys} proof.json --hash {hash}");
    run_in(&dir, &format!("{verify} --members 5 --total-weight 5")).expect(0, &["accepted"]);

    let mut bad = with(&zeros);
    for (member, reason) in [
        (json!({ "address": zeros, "weight": 1 }), "members[1].address"),
        (json!({ "address": zeros, "weight": 2, "empty": "beefy" }), "everybody weighs 1"),
        (json!({ "address": zeros, "weight": 1, "empty": "ed25519" }), "members[1].empty"),
        (json!({ "address": "0x00", "weight": 1, "empty": "beefy" }), "20 zero bytes or none"),
        (
            json!({ "address": format!("0x{}", AUTHORITIES[1]), "weight": 1, "empty": "beefy" }),
            "a set holds such a key",
        ),
    ] {
        bad["members"][1] = member;
        write(&dir, "bad.json", &bad);
        run_in(&dir, &format!("{prove} bad.json --force")).expect(2, &["bad.json", reason]);
    }
    // Its number is that of the members who are left.
    let mut twice = with(&bare);
    twice["members"][2] = twice["members"][0].clone();
    write(&dir, "twice.json", &twice);
    let root = |line: &str| run_in(&dir, line).expect(0, &[]).json()["root"].clone();
    let merged = root("root twice.json --merge-same-keys --out merged.json --json");
    assert_eq!(root("root merged.json --json"), merged);

    let mut keyed = validators();
    keyed["members"][0]["empty"] = json!("beefy");
    write(&dir, "bad.json", &keyed);
    run_in(&dir, "root bad.json").expect(2, &["members[0].empty", "the type of the key"]);
}

/// Two members, whose identities and whose group Semaphore's own packages made.
#[test]
fn a_group_of_semaphore_is_translated() {
    let dir = fixture().scratch("translate-semaphore");
    // Both have an x in the upper half, which the highest bit of circomlib's packed points says.
    let packed = |y: &str| {
        let mut bytes = hex::decode(y).expect("hex");
        bytes.reverse();
        bytes[31] |= 1 << 7;
        json!({ "public_key": format!("0x{}", hex::encode(bytes)), "weight": 1 })
    };
    let members = IDENTITIES.map(packed);
    let group = json!({ "scheme": "eddsa-babyjubjub", "members": members });
    write(&dir, "group.json", &group);
    let keygen = "translate keygen --commitment semaphore-group --insecure-srs --out keys";
    run_in(&dir, &format!("{keygen} --signers 4")).expect(0, &["semaphore-group: capacity 4"]);
    let prove = format!("translate prove --keys keys --hash {GROUP} --out proof.json --committee");
    let mut moved = group.clone();
    moved["members"].as_array_mut().unwrap().swap(0, 1);
    let mut heavy = group;
    heavy["members"][1]["weight"] = json!(2);
    for (others, status, part) in
        [(moved, 1, GROUP), (heavy, 2, "in semaphore-group everybody weighs 1")]
    {
        write(&dir, "others.json", &others);
        run_in(&dir, &format!("{prove} others.json")).expect(status, &["others.json", part]);
    }
    run_in(&dir, &format!("{prove} group.json")).expect(0, &[GROUP, "INSECURE"]);
    let own = format!("proof.json --hash {GROUP}");
    // Other numbers of members may have the same root.
    verify(&dir, &own).expect(2, &["semaphore-group", "give --members"]);
    verify(&dir, &format!("{own} --members 1")).expect(1, &["number of members 2, not 1"]);
    verify(&dir, &format!("{own} --members 2 --total-weight 2")).expect(0, &["accepted"]);
    verify(&dir, &format!("proof.json --hash {OTHER} --members 2")).expect(1, &["about the hash"]);
}

/// A committee of these seats, and its hash tree root.
fn seats(keys: &[usize]) -> (Value, String) {
    let keys: Vec<_> = keys.iter().map(|key| secret_key(*key).sk_to_pk()).collect();
    let all: Vec<_> = keys.iter().collect();
    let sum = AggregatePublicKey::aggregate(&all, false).expect("keys").to_public_key();
    let key_root = |key: [u8; 48]| merkleize(&[chunk(&key[..32]), chunk(&key[32..])]);
    let roots: Vec<_> = keys.iter().map(|key| key_root(key.compress())).collect();
    let root = merkleize(&[merkleize(&roots), key_root(sum.compress())]);
    let member =
        |key: [u8; 48]| json!({ "public_key": format!("0x{}", hex::encode(key)), "weight": 1 });
    let members: Vec<_> = keys.iter().map(|key| member(key.compress())).collect();
    let committee = json!({ "scheme": "bls-bls12-381", "members": members });
    (committee, format!("0x{}", hex::encode(root)))
}

#[test]
fn a_sync_committee_is_translated_seat_by_seat() {
    let dir = fixture().scratch("translate-sync-committee");
    let (committee, hash) = seats(&[4, 4]);
    write(&dir, "seats.json", &committee);
    let keygen = "translate keygen --commitment ethereum-sync-committee --insecure-srs";
    for wrong in [3, 1024] {
        let line = format!("{keygen} --signers {wrong} --out none");
        run_in(&dir, &line).expect(2, &["as many as a power of two, 512 at most"]);
    }
    let made = format!("{keygen} --signers 2 --out keys");
    run_in(&dir, &made).expect(0, &["ethereum-sync-committee: capacity 2"]);
    let prove = format!("translate prove --keys keys --hash {hash} --out proof.json --committee");
    run_in(&dir, &format!("{prove} seats.json")).expect(2, &["the same key", "--seats"]);
    for (others, status, part) in
        [(vec![4, 5, 4, 4], 2, "exactly 2 seats"), (vec![4, 5], 1, &hash[..])]
    {
        write(&dir, "others.json", &seats(&others).0);
        run_in(&dir, &format!("{prove} others.json --seats"))
            .expect(status, &["others.json", part]);
    }
    run_in(&dir, &format!("{prove} seats.json --seats")).expect(0, &[&hash, "INSECURE"]);
    let all = format!("proof.json --hash {hash} --members 2 --total-weight 2");
    verify(&dir, &all).expect(0, &["accepted"]);
    verify(&dir, &format!("proof.json --hash {}", seats(&[5, 4]).1)).expect(1, &["about the hash"]);
}

#[test]
fn validators_of_aptos_are_translated_with_their_powers() {
    let dir = fixture().scratch("translate-aptos");
    let keygen = "translate keygen --commitment aptos-validators --insecure-srs";
    run_in(&dir, &format!("{keygen} --signers 257 --out none")).expect(2, &["1 to 256"]);
    run_in(&dir, &format!("{keygen} --signers 2 --out keys"))
        .expect(0, &["aptos-validators: capacity 2"]);
    let list = |weights: &[u64]| {
        let member =
            |weight: &u64| json!({ "public_key": format!("0x{}", APTOS.0), "weight": weight });
        let members: Vec<_> = weights.iter().map(member).collect();
        json!({ "scheme": "bls-bls12-381", "members": members })
    };
    let prove =
        format!("translate prove --keys keys --hash {APTOS_HASH} --out proof.json --committee");
    for (others, more, status, part) in [
        (list(&[11]), "", 1, APTOS_HASH),
        (list(&[10, 10]), "--seats", 1, APTOS_HASH),
        (list(&[10, 10]), "", 2, "the same key"),
        (list(&[10, 10, 10]), "--seats", 2, "members"),
        (guardians(), "", 2, "aptos-validators"),
    ] {
        write(&dir, "others.json", &others);
        run_in(&dir, &format!("{prove} others.json {more}")).expect(status, &["others.json", part]);
    }
    write(&dir, "validators.json", &list(&[APTOS.1]));
    run_in(&dir, &format!("{prove} validators.json")).expect(0, &[APTOS_HASH, "INSECURE"]);
    let all = format!("proof.json --hash {APTOS_HASH} --members 1 --total-weight 10");
    verify(&dir, &all).expect(0, &["accepted"]);
    verify(&dir, &format!("proof.json --hash {OTHER}")).expect(1, &["about the hash"]);
}

#[test]
fn a_translation_of_something_else_is_rejected() {
    let dir = translated();
    let own = format!("--hash {GUARDIANS_HASH}");
    for (rest, what) in [
        (format!("--hash {OTHER}"), "about the hash"),
        (format!("{own} --root {OTHER}"), "about the key-set root"),
        (format!("{own} --members 18"), "about the number of members 19, not 18"),
        (format!("{own} --total-weight 20"), "about the total weight 19, not 20"),
    ] {
        verify(dir, &format!("proof.json {rest}")).expect(1, &["rejected: proof.json", what]);
    }
    // What a file claims is what is verified, whatever it claims.
    let good = json_of(dir, "proof.json");
    for place in [0, 3, 4] {
        let mut bad = good.clone();
        edit_hex(&mut bad["public_inputs"][place], |bytes| bytes[31] ^= 1);
        write(dir, "bad.json", &bad);
        verify(dir, &format!("bad.json {own}")).expect(1, &["the proof does not hold"]);
    }
    let mut bad = good.clone();
    edit_hex(&mut bad["vk_digest"], |bytes| bytes[0] ^= 1);
    write(dir, "bad.json", &bad);
    verify(dir, &format!("bad.json {own}")).expect(1, &["the verifying key"]);
    let mut bad = good;
    edit_hex(&mut bad["proof"], |bytes| {
        bytes.pop();
    });
    write(dir, "bad.json", &bad);
    verify(dir, &format!("bad.json {own}")).expect(1, &["cannot be read"]);
}

const EXPORT: &str = "translate export-key --evm --out evm --keys";

/// A folder with keys for contracts.
fn for_contracts() -> &'static PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let dir = fixture().scratch("translate-chain");
        let line = "translate keygen --commitment keccak-addresses --signers 4 --kind compact";
        run_in(&dir, &format!("{line} --insecure-srs --out keys")).expect(0, &["capacity 4"]);
        run_in(&dir, &format!("{EXPORT} keys")).expect(0, &["INSECURE", "evm-key.json"]);
        dir
    })
}

#[test]
fn keys_of_translations_are_exported() {
    let dir = for_contracts();
    let key = json_of(dir, "evm/evm-key.json");
    assert_eq!(key["shape"]["commitment"], "keccak-addresses");
    // Twice, keys of the other format, of the other circuit, and a proof of the other format.
    run_in(dir, &format!("{EXPORT} keys")).expect(2, &["--force"]);
    let fast = translated();
    run_in(dir, &format!("{EXPORT} {} --force", fast.join("keys").display()))
        .expect(2, &["muster translate keygen --kind compact"]);
    let other = fixture().dir.join("keys");
    run_in(dir, &format!("{EXPORT} {} --force", other.display())).expect(2, &["shape.json"]);
    let proof = fast.join("proof.json");
    run_in(dir, &format!("{EXPORT} keys --proof {} --force", proof.display()))
        .expect(2, &["proof.json: kind", "muster translate keygen --kind compact"]);
}

/// What a contract is given of a translation, which the contract in an EVM has verified.
#[test]
#[ignore = "slow: bases of a compact key"]
fn translations_are_exported_for_contracts() {
    let dir = for_contracts();
    let mut four = guardians();
    four["members"].as_array_mut().unwrap().truncate(4);
    write(dir, "guardians.json", &four);
    let run = run_in(
        dir,
        "translate prove --keys keys --committee guardians.json --out proof.json --json",
    );
    let proved = run.expect(0, &[]).json();
    run_in(dir, &format!("{EXPORT} keys --proof proof.json --force")).expect(0, &["gas"]);
    let (key, proof) = (json_of(dir, "evm/evm-key.json"), json_of(dir, "evm/evm-proof.json"));
    assert_eq!((&key["name"], &key["vk_digest"]), (&proof["name"], &proved["vk_digest"]));
    let inputs = proof["public_inputs"].as_array().unwrap();
    let word = |place: usize| inputs[place].as_str().unwrap();
    assert_eq!((inputs.len(), word(0)), (5, proved["key_set_root"].as_str().unwrap()));
    let halves = format!("0x{}{}", &word(1)[34..], &word(2)[34..]);
    assert_eq!(halves, proved["hash"].as_str().unwrap());
    assert_eq!((&word(3)[2..], &word(4)[2..]), (&*format!("{:064x}", 4), &*format!("{:064x}", 4)));

    let mut bad = json_of(dir, "proof.json");
    edit_hex(&mut bad["public_inputs"][3], |bytes| bytes[31] ^= 1);
    write(dir, "bad.json", &bad);
    run_in(dir, &format!("{EXPORT} keys --proof bad.json --force"))
        .expect(1, &["rejected: bad.json", "the proof does not hold"]);
}

#[test]
fn committees_without_a_translation_are_bad_input() {
    let dir = translated();
    let prove = |committee: &Value| {
        write(dir, "other.json", committee);
        run_in(dir, "translate prove --keys keys --committee other.json --out none.json")
    };
    let mut heavy = guardians();
    heavy["members"][3]["weight"] = json!(2);
    prove(&heavy).expect(2, &["other.json: members", "member 3 weighs 2", "everybody weighs 1"]);
    let mut more = guardians();
    let one = json!({ "address": format!("0x{}", "07".repeat(20)), "weight": 1 });
    more["members"].as_array_mut().unwrap().push(one);
    prove(&more).expect(2, &["other.json: members", "20 members", "room for 19"]);
    let mut twice = guardians();
    twice["members"][5] = twice["members"][4].clone();
    prove(&twice).expect(2, &["other.json"]);
    prove(&validators()).expect(2, &["other.json: scheme", "keccak-addresses"]);
    let mut left_out = guardians();
    let one = json!({ "address": "0x00", "weight": 1, "reason": "zero" });
    left_out["left_out"] = json!([one]);
    prove(&left_out).expect(2, &["other.json"]);
    assert!(!dir.join("none.json").exists());
    let prove = "translate prove --keys keys --committee guardians.json";
    run_in(dir, &format!("{prove} --out proof.json")).expect(2, &["--force"]);
    verify(dir, "proof.json").expect(2, &["--hash"]);
    let keygen = "translate keygen --insecure-srs --out none --commitment";
    run_in(dir, &format!("{keygen} keccak --signers 19")).expect(2, &["keccak-addresses"]);
    for signers in ["0", "257"] {
        let line = format!("{keygen} keccak-addresses --signers {signers}");
        run_in(dir, &line).expect(2, &["1 to 256"]);
    }
    let line = format!("{keygen} keccak-addresses --signers 19 --degree 12");
    run_in(dir, &line).expect(2, &["does not fit 2^12 rows; the smallest degree that fits is 13"]);
}

/// Keys of the one circuit are none of the other.
#[test]
fn keys_of_another_circuit_are_bad_input() {
    let dir = translated();
    let keys = fixture().dir.join("keys");
    let keys = keys.display();
    let line = format!("translate verify --keys {keys} proof.json --hash {GUARDIANS_HASH}");
    run_in(dir, &line).expect(2, &["shape.json"]);
    let line = format!("verify --keys keys proof.json --threshold 1 --root {OTHER} --message 0x00");
    run_in(dir, &line).expect(2, &["shape.json"]);
}

/// What the schemas refuse of the files, their readers refuse, too.
#[test]
fn translations_and_their_keys_have_schemas() {
    let dir = fixture().scratch("translate-schema");
    fs::create_dir(dir.join("keys")).unwrap();
    for name in ["shape.json", "verifying.key", "proving.key"] {
        fs::copy(translated().join("keys").join(name), dir.join("keys").join(name)).unwrap();
    }
    fs::copy(translated().join("proof.json"), dir.join("proof.json")).unwrap();
    let schema =
        |name: &str| Schema::new(&run_in(&dir, &format!("schema {name}")).expect(0, &[]).stdout);
    let path = dir.join("proof.json");
    let text = path.display().to_string();
    assert_reader(&schema("translation"), &json_of(&dir, "proof.json"), |value| {
        write(&dir, "proof.json", value);
        let read = TranslationFile::read(&path);
        read.map(drop).map_err(|error| error.to_string().replace(&text, "proof.json"))
    });
    let keys = dir.join("keys");
    let text = keys.join(SHAPE_FILE).display().to_string();
    assert_reader(&schema("translation-keys"), &json_of(&keys, SHAPE_FILE), |value| {
        write(&keys, SHAPE_FILE, value);
        let read = TranslationKeyFiles::open(&keys);
        read.map(drop).map_err(|error| error.to_string().replace(&text, SHAPE_FILE))
    });
}
