use super::{keccak256, DOMAIN, SAFE_TX};

/// `DOMAIN_SEPARATOR_TYPEHASH` and `SAFE_TX_TYPEHASH` of `Safe.sol`.
#[test]
fn types_are_those_of_the_contract() {
    let hashes = [DOMAIN, SAFE_TX].map(|name| hex::encode(keccak256(name)));
    assert_eq!(
        hashes,
        [
            "47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218",
            "bb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8"
        ]
    );
}
