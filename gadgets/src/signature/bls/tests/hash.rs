//! Vectors of `BN254G1_XMD:SHA-256_SVDW_RO_` that gnark-crypto publishes (ecc/bn254/hash_vectors_test.go).

use halo2curves::group::Curve;

use crate::signature::bls::{hash_to_curve, Bn254, Suite};

const TAG: &[u8] = b"QUUX-V01-CS02-with-BN254G1_XMD:SHA-256_SVDW_RO_";

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
    for (message, x, y) in VECTORS {
        let point = hash_to_curve(message.as_bytes(), TAG).to_affine();
        assert_eq!(hex::encode(Bn254::encode_signature(&point)), format!("{x}{y}"), "{message:?}");
    }
}
