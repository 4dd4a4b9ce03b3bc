//! Roots of sets of every kind of key. The library's tests compute those of known keys again.

use serde_json::json;

use crate::support::{fixture, write};

#[test]
fn roots_of_known_keys() {
    let dir = fixture().scratch("foreign-roots");
    // G and 2G, or the addresses of 1 and 2; weights 1 and 2.
    let g = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    let twice = "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5";
    let y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
    let members = |field: &str, keys: [String; 2]| json!([{ field: keys[0] }, { field: keys[1], "weight": 2 }]);
    let secp256k1 = "0x2294ca0e123b897bf8084ca6adc2dacf61f7ee8f11311cbf87385094e682b90f";
    for (scheme, keys, members, root) in [
        (
            "ecdsa-secp256k1",
            "coordinates",
            members("public_key", [format!("0x02{g}"), format!("0x02{twice}")]),
            secp256k1,
        ),
        (
            "ecdsa-secp256k1",
            "coordinates",
            members("public_key", [format!("0x04{g}{y}"), format!("0x02{twice}")]),
            secp256k1,
        ),
        (
            "schnorr-secp256k1",
            "coordinates",
            members("public_key", [format!("0x{g}"), format!("0x{twice}")]),
            secp256k1,
        ),
        (
            "ecdsa-secp256k1",
            "address",
            members(
                "address",
                [
                    "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf".into(),
                    "0x2b5ad5c4795c026514f8317c7a215e218dccd6cf".into(),
                ],
            ),
            "0x03edeb50fd4d1a0fe03bb9ebb851d4153c3861fc0afdcb0aeac389326ab2717f",
        ),
        (
            "ecdsa-p256",
            "coordinates",
            members(
                "public_key",
                [
                    "0x036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296".into(),
                    "0x037cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978".into(),
                ],
            ),
            "0x1bb117ac765fdf313f239af7f5e1584026eb571de9f14d7db7f023c009a41724",
        ),
    ] {
        let committee = json!({ "scheme": scheme, "keys": keys, "members": members });
        let file = write(&dir, "c.json", &committee);
        fixture().run(&format!("root {file}")).expect(0, &[root]);
    }
    fixture()
        .run(
            "sample --scheme schnorr-babyjubjub --signers 2 --signing 1 --seed golden --out golden",
        )
        .expect(0, &[]);
    let root = "0x0afcda99a0fa1875d3697bc938ebc4e43447a434223eba224b86cb84839b9e37";
    fixture().run("root golden/committee.json").expect(0, &[root]);
}
