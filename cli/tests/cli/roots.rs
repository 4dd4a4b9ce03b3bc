//! Roots of sets of every kind of key. The library's tests compute those of known keys again.

use serde_json::json;

use crate::support::{fixture, write};

#[test]
fn roots_of_known_keys() {
    let dir = fixture().scratch("foreign-roots");
    // The keys of the library's tests; weights 1 and 2.
    let first = "a90cc3d3f3e146daadfc74ca1372207cb4b725ae708cef713a98edd73d99ef29";
    let second = "ba5734d8f7091719471e7f7ed6b9df170dc70cc661ca05e688601ad984f068b0";
    let y = "5a79d6b289610c68bc3b47f3d72f9788a26a06868b4d8e433e1e2ad76fb7dc76";
    let members = |field: &str, keys: [String; 2]| json!([{ field: keys[0] }, { field: keys[1], "weight": 2 }]);
    let secp256k1 = "0x2644163a2ee838d321816c5f9eca8c73e1be007eb2f0c5e7cb87da4037e6b4e8";
    for (scheme, keys, members, root) in [
        (
            "ecdsa-secp256k1",
            "coordinates",
            members("public_key", [format!("0x02{first}"), format!("0x02{second}")]),
            secp256k1,
        ),
        (
            "ecdsa-secp256k1",
            "coordinates",
            members("public_key", [format!("0x04{first}{y}"), format!("0x02{second}")]),
            secp256k1,
        ),
        (
            "schnorr-secp256k1",
            "coordinates",
            members("public_key", [format!("0x{first}"), format!("0x{second}")]),
            secp256k1,
        ),
        (
            "ecdsa-secp256k1",
            "address",
            members(
                "address",
                [
                    "0x5957C8EA078E7028592513a616dBAf470622A4fa".into(),
                    "0x70997970c51812dc3a010c7d01b50e0d17dc79c8".into(),
                ],
            ),
            "0x13027dce7d0374d911d32e7e573087530068f601ac45409fcc3d1c4a285713d6",
        ),
        (
            "ecdsa-p256",
            "coordinates",
            members(
                "public_key",
                [
                    "0x03339150844ec15234807fe862a86be77977dbfb3ae3d96f4c22795513aeaab82f".into(),
                    "0x031b7e046a076cc25e6d7fa5003f6729f665cc3241b5adab12b498cd32f2803264".into(),
                ],
            ),
            "0x17b66713bff87e05283b24f480318a71a5d6d8a592fb6b3e41320b3565071bb2",
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
