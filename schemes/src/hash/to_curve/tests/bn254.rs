//! BN254 against published vectors, and the search of EigenLayer's contracts against its code in integers.

use halo2curves::bn256::Fq;
use rand::RngCore;

use super::*;
use crate::hash::to_curve::bn254::find_point;

const TAG: &[u8] = b"QUUX-V01-CS02-with-BN254G1_XMD:SHA-256_SVDW_RO_";

/// Vectors that gnark-crypto publishes (ecc/bn254/hash_vectors_test.go).
const VECTORS: [(&str, &str, &str); 3] = [
    (
        "",
        "0a976ab906170db1f9638d376514dbf8c42aef256a54bbd48521f20749e59e86",
        "02925ead66b9e68bfc309b014398640ab55f6619ab59bc1fab2210ad4c4d53d5",
    ),
    (
        "abc",
        "23f717bee89b1003957139f193e6be7da1df5f1374b26a4643b0378b5baf53d1",
        "04142f826b71ee574452dbc47e05bc3e1a647478403a7ba38b7b93948f4e151d",
    ),
    (
        "abcdef0123456789",
        "187dbf1c3c89aceceef254d6548d7163fdfa43084145f92c4c91c85c21442d4a",
        "0abd99d5b0000910b56058f9cc3b0ab0a22d47cf27615f588924fac1e5c63b4d",
    ),
];

#[test]
fn published_vectors() {
    let tag = Tag::new(TAG).expect("a tag");
    for (message, x, y) in VECTORS {
        let point = hash_to_curve::<Bn254G1>(message.as_bytes(), &tag);
        let expected = [x, y].map(|hex| BigUint::parse_bytes(hex.as_bytes(), 16).expect("hex"));
        assert_eq!(integers::<Bn254G1>(&point), expected, "{message:?}");
    }
}

/// `hashToG1` and `findYFromX` of EigenLayer's `BN254.sol`, over integers.
fn contract(digest: &[u8; 32], p: &BigUint) -> ([BigUint; 2], usize) {
    let power = (p + 1u8) >> 2u8;
    let mut x = BigUint::from_bytes_be(digest) % p;
    for passed in 0.. {
        let beta = (&x * &x * &x + 3u8) % p;
        let y = beta.modpow(&power, p);
        if beta == &y * &y % p {
            return ([x, y], passed);
        }
        x = (x + 1u8) % p;
    }
    unreachable!("every second number will do")
}

#[test]
fn points_of_contracts() {
    let p = &(-Fq::from(1)).integers()[0] + 1u8;
    let mut rng = muster_testing::rng();
    let top = |less: u8| {
        let bytes = (&p - less).to_bytes_be();
        bytes.try_into().expect("32 bytes")
    };
    let mut digests = vec![[0; 32], [255; 32], top(0), top(1), top(2), top(3)];
    digests.extend([(); 40].map(|()| {
        let mut digest = [0; 32];
        rng.fill_bytes(&mut digest);
        digest
    }));
    for digest in digests {
        let (point, passed) = find_point(&digest);
        let (expected, expected_passed) = contract(&digest, &p);
        assert_eq!((integers::<Bn254G1>(&point), passed), (expected.to_vec(), expected_passed));
    }
}
