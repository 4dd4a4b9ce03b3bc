//! What operators sign, and how they register.

use std::{collections::HashMap, path::Path};

use muster_schemes::hash::keccak::keccak256;

use super::{
    operators::{Keys, Operators, BOTH, EVENT, FIRST, WORD},
    Bytes, Header,
};
use crate::{encoding::to_hex, Number};

/// `TestBatchHeaderHash` of EigenDA's `core/v2/serialization_test.go`, which was compared with the contract.
#[test]
fn the_digest_is_that_of_eigenda() {
    let mut root = [0; 32];
    root[0] = b'1';
    let header = Header { root: Bytes(root), block: Number(1) };
    let expected = "891d0936da4627f445ef193aad63afb173409af9e775e292e4e35aff790a45e2";
    assert_eq!(hex::encode(header.hash()), expected);
}

/// The topic of registrations on mainnet, and an operator of EigenDA's tests (`core/thegraph/state_test.go`): its name is the hash
/// of its key in G1, and its key in G2 has the imaginary parts first.
#[test]
fn registrations_are_those_of_eigenlayer() {
    let topic = "0xe3fb6613af2e8930cf85d47fcf6db10192224a64c6cbe8023e0eee1ba3828041";
    assert_eq!(to_hex(&keccak256(EVENT)), topic);
    let registered = "076037c4c784f3b82054b42b02cb82eec83e690f06e5b6909515eed2d02803f421982a0dd07bbaf490830811ed8cf8b119152cb99468cc1b21fc2b9cb8a673902fbf7b7169eb586c49ec9c7c7b427f9963f08f45253c957f4c3be950edb53a9c1937255caf9c6f9d2a3d860aa5abb40c93b20e8970450b11bf9a32a514547ea714d1d3b831deb39f8c205f2b6c76409f5878d19c2468ce981be5ab8bcd019a3a1e182766f9b14b989299423896e43e205ef36009345f8ceffb18c82e295be857";
    let registered: [u8; BOTH] = hex::decode(registered).unwrap().try_into().unwrap();
    let id = "0x3eb7d5df61c48ec2718d8c8ad52304effc970ae92f19138e032dae07b7c0d629";
    assert_eq!(to_hex(&keccak256(&registered[..FIRST])), id);
    let pair = |first: &[u8], second: &[u8]| {
        let registered = [first, second].concat().try_into().unwrap();
        let keys = Keys::of(&registered).map_err(|_| ())?;
        let keys = HashMap::from([([0; 32], keys)]);
        Operators { lists: vec![], keys }.check_pairs(Path::new("keys")).map_err(|_| ())
    };
    let (first, second) = registered.split_at(FIRST);
    assert_eq!(pair(first, second), Ok(()));
    // The generator, another key; and the real parts first.
    let generator = [&[0; 31][..], &[1], &[0; 31], &[2]].concat();
    assert_eq!(pair(&generator, second), Err(()));
    let words: Vec<_> = second.chunks(WORD).collect();
    let swapped = [words[1], words[0], words[3], words[2]].concat();
    assert_eq!(pair(first, &swapped), Err(()));
}
