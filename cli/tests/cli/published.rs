//! Keys that everybody can sign with are no members.

use muster_prover::Fr;
use muster_schemes::{
    curve::{
        edwards::{Scalar, SubgroupPoint},
        weierstrass::{Curve, Point},
    },
    signature::{
        bip340,
        bls::{self, member::Bn254MinSig},
        ecdsa, schnorr, SignatureScheme,
    },
};
use serde_json::{json, Value};

use crate::support::{fixture, run_in, write, Run};

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
    let signatures = fixture().json("schnorr/signatures.json");
    let signed = signatures["signatures"].as_array().unwrap();
    let silent = |member: &usize| signed.iter().all(|one| one["member"] != *member);
    let member = (0..4).find(silent).unwrap();
    committee["members"][member]["public_key"] = json!(generator);
    let files = format!(
        "--committee {} --signatures schnorr/signatures.json --threshold 2",
        write(&dir, "c.json", &committee)
    );
    let reason = [&format!("members[{member}].public_key"), "anyone can sign"];
    fixture().run(&format!("check {files}")).expect(2, &reason);
    let out = dir.join("p.json");
    let prove = format!("prove --keys keys {files} --out {}", out.display());
    fixture().run(&prove).expect(2, &reason);
    assert!(!out.exists());
    // Unless each command is told to, and then it says so.
    let said = [&format!("INSECURE keys: anyone can sign for members {member}\n")[..]];
    for line in [format!("check {files}"), prove] {
        let line = format!("{line} --insecure-keys");
        fixture().run(&line).expect(0, &said);
        let json = fixture().run(&format!("{line} --json").replace("p.json", "q.json")).json();
        assert_eq!(json["insecure_keys"], json!([member]), "{line}");
    }
    // Commands about chains have no such option.
    let handover = format!("handover --committee {} --insecure-keys", dir.join("c.json").display());
    fixture().run(&handover).expect(2, &["--insecure-keys"]);
}

#[test]
fn sets_with_published_keys_have_a_root_if_asked_for() {
    let dir = fixture().scratch("published-accepted");
    for known in keys() {
        let file = write(&dir, "c.json", &committee(&known));
        // Those of BLS have no proof of possession here.
        let rule = if known.scheme.starts_with("bls") { "--rule trusted-keys" } else { "" };
        let line = format!("root {file} {rule} --insecure-keys");
        let run = fixture().run(&line).expect(0, &["INSECURE keys: anyone can sign for members 0"]);
        // The root is in the first line, as ever.
        let json = fixture().run(&format!("{line} --json")).json();
        assert_eq!(run.stdout.lines().next(), json["key_set_root"].as_str());
        assert_eq!(json["insecure_keys"], json!([0]));
    }
    let line = format!("root {} --json", fixture().dir.join("schnorr/committee.json").display());
    assert_eq!(fixture().run(&line).json()["insecure_keys"], json!([]));
    let list = write(&dir, "list.json", &json!(["0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"]));
    let line = format!("root {list} --leave-out-unusable --out {}", dir.join("o.json").display());
    fixture().run(&line).expect(2, &["at least one member"]);
    fixture().run(&format!("{line} --insecure-keys")).expect(0, &["INSECURE"]);
}

/// A member with this secret key, and its signature.
fn signed<S: SignatureScheme>(secret: &S::SecretKey, message: &S::Message) -> (String, String) {
    let mut rng = muster_testing::rng();
    let hex = |bytes: Vec<u8>| format!("0x{}", hex::encode(bytes));
    let signature = S::sign(secret, message, &mut rng);
    (hex(S::encode_public_key(&S::public_key(secret))), hex(S::encode_signature(&signature)))
}

/// Two members with the secrets 1 and 2, or what comes closest, both of whom sign 32 bytes.
fn of_small_secrets(scheme: &str) -> [(String, String); 2] {
    let seed = |number: u8| {
        let mut seed = [0; 32];
        seed[31] = number;
        seed
    };
    let digest = [7; 32];
    match scheme {
        "schnorr-babyjubjub" => [1, 2].map(|secret| {
            let secret = schnorr::SecretKey::new(Scalar::from(secret)).unwrap();
            signed::<schnorr::Schnorr>(&secret, &Fr::from(7))
        }),
        "ecdsa-secp256k1" => [1, 2].map(|secret| {
            let secret = ecdsa::SecretKey::from_bytes(&seed(secret)).unwrap();
            signed::<ecdsa::EcdsaSecp256k1>(&secret, &digest)
        }),
        "ecdsa-p256" => [1, 2].map(|secret| {
            let secret = ecdsa::SecretKey::from_bytes(&seed(secret)).unwrap();
            signed::<ecdsa::EcdsaP256>(&secret, &digest)
        }),
        "schnorr-secp256k1" => [1, 2].map(|secret| {
            let secret = bip340::SecretKey::from_bytes(&seed(secret)).unwrap();
            signed::<bip340::Bip340>(&secret, &digest)
        }),
        _ => [1, 2].map(|secret| {
            let secret = bls::SecretKey::from_bytes(seed(secret)).unwrap();
            signed::<Bn254MinSig>(&secret, &digest.into())
        }),
    }
}

const SCHEMES: [&str; 5] = [
    "schnorr-babyjubjub",
    "ecdsa-secp256k1",
    "ecdsa-p256",
    "schnorr-secp256k1",
    "bls-bn254-min-sig",
];

/// Checks what two members with the secrets 1 and 2 have signed.
fn check_small_secrets(scheme: &str, options: &str) -> Run {
    let dir = fixture().scratch(&format!("published-{scheme}"));
    let members = of_small_secrets(scheme);
    let list: Vec<_> = members.iter().map(|(key, _)| json!({ "public_key": key })).collect();
    write(&dir, "committee.json", &json!({ "scheme": scheme, "members": list }));
    let signed = (0..).zip(&members);
    let list: Vec<_> = signed.map(|(i, (_, s))| json!({ "member": i, "signature": s })).collect();
    let message = match scheme {
        "schnorr-babyjubjub" => format!("0x{:064x}", 7),
        _ => format!("0x{}", "07".repeat(32)),
    };
    write(&dir, "signatures.json", &json!({ "message": message, "signatures": list }));
    let files = "--committee committee.json";
    let mut signatures = "signatures.json";
    if scheme.starts_with("bls") {
        let line = format!("aggregate {files} signatures.json --out all.json");
        run_in(&dir, &line).expect(2, &["anyone can sign"]);
        let run = run_in(&dir, &format!("{line} --insecure-keys --json")).expect(0, &[]);
        assert_eq!(run.json()["insecure_keys"], json!([0, 1]));
        signatures = "all.json";
    }
    let line = format!("check {files} --signatures {signatures} --threshold 2 {options}");
    run_in(&dir, &line)
        .expect(2, &["members[0].public_key", "its secret key is 1", "anyone can sign"]);
    run_in(&dir, &format!("{line} --insecure-keys"))
}

/// As far as that shows without a circuit, which there is no room for.
#[test]
fn members_with_small_secrets_sign() {
    for scheme in SCHEMES {
        check_small_secrets(scheme, "--degree 4").expect(2, &["does not fit 2^4 rows"]);
    }
}

#[test]
#[ignore = "slow: circuits of every curve"]
fn circuits_take_small_secrets() {
    for scheme in SCHEMES {
        check_small_secrets(scheme, "")
            .expect(0, &["anyone can sign for members 0, 1\n", "every constraint holds"]);
    }
}

/// TEST 2 of RFC 8032, section 7.1.
#[test]
fn a_vector_of_rfc_8032_is_checked() {
    let dir = fixture().scratch("published-rfc8032");
    let key = "0x3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
    let signature = "0x92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                     085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
    write(&dir, "c.json", &json!({ "scheme": "ed25519", "members": [key] }));
    let signatures = json!([{ "member": 0, "signature": signature }]);
    write(&dir, "s.json", &json!({ "message": "0x72", "signatures": signatures }));
    let line = "check --committee c.json --signatures s.json --threshold 1 --degree 4";
    run_in(&dir, line).expect(2, &["members[0].public_key", "published seed"]);
    run_in(&dir, &format!("{line} --insecure-keys")).expect(2, &["does not fit 2^4 rows"]);
    write(&dir, "s.json", &json!({ "message": "0x73", "signatures": signatures }));
    run_in(&dir, &format!("{line} --insecure-keys")).expect(1, &["equation"]);
}
