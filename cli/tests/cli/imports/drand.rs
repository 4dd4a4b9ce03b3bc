//! `muster import drand`: rounds of live networks, as api.drand.sh answers `/info` and `/public/ROUND`.

use std::path::Path;

use serde_json::{json, Value};

use super::{hostile, import, next, words};
use crate::support::{fixture, write};

const LINE: &str = "drand --round round.json --info info.json";
/// The second round of the network `default` signs this one.
const FIRST: &str = "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b10104990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655";
const SEED: &str = "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a";
const DEFAULT: &str = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce";

fn default() -> (Value, Value) {
    let info = json!({
        "public_key": "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
        "period": 30, "genesis_time": 1_595_431_050, "hash": DEFAULT, "groupHash": SEED,
        "schemeID": "pedersen-bls-chained", "metadata": { "beaconID": "default" },
    });
    let round = json!({
        "round": 1, "signature": FIRST, "previous_signature": SEED,
        "randomness": "101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec",
    });
    (info, round)
}

fn quicknet() -> (Value, Value) {
    let info = json!({
        "public_key": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        "period": 3, "genesis_time": 1_692_803_367,
        "hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        "groupHash": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
        "schemeID": "bls-unchained-g1-rfc9380", "metadata": { "beaconID": "quicknet" },
    });
    let round = json!({
        "round": 1000,
        "randomness": "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
        "signature": "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    });
    (info, round)
}

/// In the names of the API's second version.
fn evmnet() -> (Value, Value) {
    let info = json!({
        "public_key": "07e1d1d335df83fa98462005690372c643340060d205306a9aa8106b6bd0b3820557ec32c2ad488e4d4f6008f89a346f18492092ccc0d594610de2732c8b808f0095685ae3a85ba243747b1b2f426049010f6b73a0cf1d389351d5aaaa1047f6297d3a4f9749b33eb2d904c9d9ebf17224150ddd7abd7567a9bec6c74480ee0b",
        "period": 3, "genesis_time": 1_727_521_075,
        "chain_hash": "04f1e9062b8a81f848fded9c12306733282b2727ecced50032187751166ec8c3",
        "genesis_seed": "cd7ad2f0e0cce5d8c288f2dd016ffe7bc8dc88dbb229b3da2b6ad736490dfed6",
        "scheme": "bls-bn254-unchained-on-g1", "beacon_id": "evmnet",
    });
    let round = json!({
        "round": 1,
        "signature": "11f812d738a36b2210dc88c2d635ad8039588205f42445d6de09e6530165c3462a23aca348c84badcf8df5321ac24577b7963d5b0d780bc4626baedb45cde373",
    });
    (info, round)
}

/// It was shut down; its tag is that of another group.
fn fastnet() -> (Value, Value) {
    let info = json!({
        "public_key": "a0b862a7527fee3a731bcb59280ab6abd62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d0df0b8b6dce385811d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db91e3b697e5d70a975181e007f87fca5e",
        "period": 3, "genesis_time": 1_677_685_200,
        "hash": "dbd506d6ef76e5f386f41c651dcb808c5bcbd75471cc4eafa3f4df7ad4e4c493",
        "groupHash": "a81e9d63f614ccdb144b8ff79fbd4d5a2d22055c0bfe4ee9a8092003dab1c6c0",
        "schemeID": "bls-unchained-on-g1", "metadata": { "beaconID": "fastnet" },
    });
    let round = json!({
        "round": 1,
        "signature": "9544ddce2fdbe8688d6f5b4f98eed5d63eee3902e7e162050ac0f45905a55657714880adabe3c3096b92767d886567d0",
    });
    (info, round)
}

fn files(dir: &Path, (info, round): &(Value, Value)) {
    write(dir, "info.json", info);
    write(dir, "round.json", round);
}

#[test]
fn rounds_of_live_networks() {
    let dir = fixture().scratch("import-drand");
    for (network, name, hash) in [
        (default(), "that of default", "--hash nul"),
        (quicknet(), "that of quicknet", "--hash nul"),
        (evmnet(), "that of evmnet", "--hash keccak:BLS_SIG_BN254G1_XMD:KECCAK-256_SVDW_RO_NUL_"),
        (fastnet(), "that of fastnet", "--hash tag:BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"),
    ] {
        files(&dir, &network);
        let run = import(&dir, &format!("{LINE} --json")).expect(0, &[]);
        let report = run.json();
        assert!(words(&report, "compared").contains(name), "{report}");
        assert!(words(&report, "believed").contains("not in a proof"), "{report}");
        let line = words(&report, "next");
        assert!(line.contains(&format!("--rule trusted-keys {hash}")), "{line}");
        // The one whose circuit has a hash of its own.
        if hash.contains("keccak") {
            next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
        }
        let parts = ["1 of 1 members", "randomness", "compared: ", "believed: ", "next: muster"];
        import(&dir, LINE).expect(0, &parts);
    }
    // Without the hash of a known network, or with another one.
    let (mut info, round) = quicknet();
    info["period"] = json!("4");
    info.as_object_mut().unwrap().remove("hash");
    files(&dir, &(info, round));
    import(&dir, LINE).expect(0, &["believed: that this is the network meant", "--chain-hash"]);
    let expected = format!("{LINE} --chain-hash {DEFAULT}");
    import(&dir, &expected).expect(2, &["info.json: the network is", DEFAULT]);
    files(&dir, &default());
    import(&dir, &expected).expect(0, &["compared: the hash with the one expected"]);
    import(&dir, &format!("{LINE} --chain-hash 0x{DEFAULT}")).expect(0, &[]);
    import(&dir, &format!("{LINE} --chain-hash 0x89")).expect(2, &["--chain-hash", "found 1"]);
}

#[test]
fn files_that_are_no_round() {
    let dir = fixture().scratch("import-drand-bad");
    let (info, round) = default();
    files(&dir, &(info.clone(), round.clone()));
    hostile(
        &dir,
        LINE,
        "info.json",
        &info,
        &[
            ("/public_key", json!("86"), "hash: 8990"),
            ("/public_key", json!("zz"), "public_key"),
            ("/public_key", quicknet().0["public_key"].clone(), "hash: 8990"),
            ("/period", json!(31), "hash: 8990"),
            ("/period", json!(1u64 << 32), "period"),
            ("/genesis_time", json!(-1), "genesis_time"),
            ("/groupHash", json!([]), "groupHash"),
            ("/groupHash", json!(format!("{SEED}64")), "groupHash: not 32 bytes"),
            ("/schemeID", json!("pedersen-bls-unchained-on-g3"), "schemeID"),
            ("/schemeID", json!("\u{1b}[2J"), "schemeID"),
            ("/metadata/beaconID", json!("\u{1b}[2J"), "beaconID"),
            ("/metadata", json!("default"), "metadata"),
            ("/hash", json!("8990"), "hash"),
        ],
    );
    hostile(
        &dir,
        LINE,
        "round.json",
        &round,
        &[
            ("/round", json!(0), "rounds count from 1"),
            ("/round", json!("18446744073709551616"), "2^64"),
            ("/round", json!(1.5), "round"),
            ("/signature", json!("8d"), "signature"),
            ("/signature", json!(SEED), "signature"),
            ("/signature", json!(7), "signature"),
            ("/previous_signature", json!(null), "missing: rounds of this network sign"),
            ("/previous_signature", json!("aa"), "previous_signature: 1 bytes, not 96"),
            ("/previous_signature", json!("aa".repeat(32)), "nor the network's seed"),
            ("/randomness", json!("00"), "randomness: not 1012"),
        ],
    );
    // Without a hash of the network that would show it.
    for (key, part) in [("86", "found 1"), (FIRST, "found 96"), (&"00".repeat(48)[..], "point")] {
        let mut other = info.clone();
        other.as_object_mut().unwrap().remove("hash");
        other["public_key"] = json!(key);
        write(&dir, "info.json", &other);
        import(&dir, LINE).expect(2, &["info.json: public_key", part]);
    }
    write(&dir, "info.json", &info);
    // What was not signed is refused as false.
    for (pointer, value) in [("/round", json!(2)), ("/previous_signature", json!(FIRST))] {
        let mut other = round.clone();
        *other.pointer_mut(pointer).unwrap() = value;
        other["previous_signature"] = json!(FIRST);
        write(&dir, "round.json", &other);
        let parts = ["rejected: round.json: signature: the network"];
        import(&dir, LINE).expect(1, &parts);
    }
    // A round of one network under another.
    files(&dir, &(quicknet().0, round));
    import(&dir, LINE).expect(2, &["previous_signature: there, but rounds of this network"]);
    files(&dir, &(quicknet().0, fastnet().1));
    import(&dir, LINE).expect(1, &["rejected: round.json: signature"]);
    files(&dir, &(evmnet().0, quicknet().1));
    import(&dir, LINE).expect(2, &["round.json: signature", "64"]);
}
