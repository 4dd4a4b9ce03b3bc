//! Keys that everybody can sign with are no members.

use muster_schemes::curve::{
    edwards::{Scalar, SubgroupPoint},
    weierstrass::{Curve, Point},
};
use serde_json::{json, Value};

use crate::support::{fixture, write};

/// A key of a set, and the secret that is named.
struct Known {
    scheme: &'static str,
    field: &'static str,
    key: String,
    secret: String,
}

fn known(scheme: &'static str, key: impl AsRef<[u8]>, secret: impl ToString) -> Known {
    let (key, secret) = (format!("0x{}", hex::encode(key)), secret.to_string());
    Known { scheme, field: "public_key", key, secret }
}

/// y = 4/5, and an even x.
const EDWARDS25519: &str = "5866666666666666666666666666666666666666666666666666666666666666";
const TEST_1: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
/// The generator of G1 of BLS12-381.
const BLS12_381: &str =
    "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb";
/// That of G2.
const BLS12_381_G2: &str = "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e\
    024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8";
/// The generator of G2 of BN254, as in EIP-197.
const BN254_G2: &str = "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed\
    090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa";
const SEED_1: &str = "0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";

/// The generator of each scheme's curve, its opposite and a multiple.
fn keys() -> Vec<Known> {
    let mut keys = vec![];
    for scheme in ["schnorr-babyjubjub", "eddsa-babyjubjub", "musig-babyjubjub"] {
        for secret in [1, -1, 2, 255, -255] {
            let scalar = Scalar::from(i64::from(secret).unsigned_abs());
            let scalar = if secret < 0 { -scalar } else { scalar };
            let key = SubgroupPoint::mul_generator(&scalar).unwrap();
            keys.push(known(scheme, key.to_bytes(), secret));
        }
    }
    for (scheme, curve) in [("ecdsa-secp256k1", Curve::Secp256k1), ("ecdsa-p256", Curve::P256)] {
        let generator = Point::generator(curve);
        keys.push(known(scheme, generator.to_sec1(), 1));
        keys.push(known(scheme, generator.to_sec1_uncompressed(), 1));
        keys.push(known(scheme, (-generator).to_sec1(), -1));
    }
    let x = Point::generator(Curve::Secp256k1).x();
    keys.push(known("schnorr-secp256k1", x, 1));
    // Ethereum's addresses of the secret keys 1 and 2.
    for (key, secret) in [
        ("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf", 1),
        ("0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF", 2),
    ] {
        let (key, secret) = (key.to_owned(), i16::to_string(&secret));
        keys.push(Known { scheme: "ecdsa-secp256k1", field: "address", key, secret });
    }
    // The generator of Edwards25519, and the key of TEST 1 of RFC 8032, section 7.1.
    keys.push(known("ed25519", hex::decode(EDWARDS25519).unwrap(), 1));
    keys.push(known(
        "ed25519",
        hex::decode(TEST_1).unwrap(),
        format!("that of the published seed {SEED_1}"),
    ));
    let mut generator = hex::decode(BLS12_381).unwrap();
    keys.push(known("bls-bls12-381", &generator, 1));
    // The sign of y.
    generator[0] ^= 0x20;
    keys.push(known("bls-bls12-381", &generator, -1));
    keys.push(known("bls-bls12-381-min-sig", hex::decode(BLS12_381_G2).unwrap(), 1));
    let mut generator = [0; 64];
    (generator[31], generator[63]) = (1, 2);
    keys.push(known("bls-bn254", generator, 1));
    keys.push(known("bls-bn254-min-sig", hex::decode(BN254_G2).unwrap(), 1));
    keys
}

fn committee(known: &Known) -> Value {
    let mut committee = json!({ "scheme": known.scheme, "members": [{ known.field: known.key }] });
    if known.field == "address" {
        committee["keys"] = json!("address");
    }
    committee
}

#[test]
fn sets_with_published_keys_have_no_root() {
    let dir = fixture().scratch("published");
    for known in keys() {
        let file = write(&dir, "c.json", &committee(&known));
        let field = format!("members[0].{}", known.field);
        let secret = format!("its secret key is {}", known.secret);
        fixture().run(&format!("root {file}")).expect(2, &["c.json", &field, &secret]);
    }
}

#[test]
fn nothing_is_checked_or_proven_of_them() {
    let dir = fixture().scratch("published-members");
    let generator = format!("0x{}", hex::encode(SubgroupPoint::generator().to_bytes()));
    let mut committee = fixture().json("schnorr/committee.json");
    committee["members"][3]["public_key"] = json!(generator);
    let files = format!(
        "--committee {} --signatures schnorr/signatures.json --threshold 2",
        write(&dir, "c.json", &committee)
    );
    let reason = ["members[3].public_key", "anyone can sign"];
    fixture().run(&format!("check {files}")).expect(2, &reason);
    let out = dir.join("p.json");
    fixture().run(&format!("prove --keys keys {files} --out {}", out.display())).expect(2, &reason);
    assert!(!out.exists());
}
