use super::*;

fn root(text: &str) -> Root {
    hex::decode(text).unwrap().try_into().unwrap()
}

/// Mainnet's first block, and the digests of its forks that nodes find one another by.
#[test]
fn roots_are_those_of_mainnet() {
    let first = BeaconHeader {
        slot: Number(0),
        proposer_index: Number(0),
        parent_root: Word([0; 32]),
        state_root: Word(root("7e76880eb67bbdc86250aa578958e9d0675e64e714337855204fb5abaaf82c2b")),
        body_root: Word(root("ccb62460692be0ec813b56be97f68a82cf57abc102e27bf49ebf4190ff22eedd")),
    };
    let expected = "4d611d5b93fdab69013a7f0a2f961caca0c853f87cfe9595fe50038163079360";
    assert_eq!(first.root(), root(expected));
    let forks = ["b5303f2a", "afcaaba0", "4a26c58b", "bba4da96", "6a95a1a9"];
    for (version, digest) in (0..).zip(forks) {
        let data = merkleize(&[chunk(&[version, 0, 0, 0]), GENESIS_VALIDATORS_ROOT]);
        assert_eq!(hex::encode(&data[..4]), digest);
    }
}
