//! Reading VAAs.

use alloy_primitives::{keccak256, Address, Bytes};

use super::vaa::{Upgrade, Vaa};

/// A body: of this chain and emitter, with this payload.
fn body(chain: u16, emitter: u8, payload: &[u8]) -> Vec<u8> {
    let head = [&[0; 8][..], &chain.to_be_bytes(), &[0; 31], &[emitter], &[0; 8], &[1]].concat();
    [&head[..], payload].concat()
}

/// With two signatures, of the guardian set 7.
fn vaa(body: &[u8]) -> String {
    hex::encode([&[1, 0, 0, 0, 7, 2][..], &[0xaa; 132], body].concat())
}

/// The payload that puts two guardians in office.
fn payload(action: u8) -> Vec<u8> {
    let head = [&[0; 28][..], b"Core", &[action, 0, 0], &8_u32.to_be_bytes(), &[2]].concat();
    [&head[..], &[0x11; 20], &[0x22; 20]].concat()
}

#[test]
fn what_is_cut_short_is_no_vaa() {
    let whole = vaa(&body(2, 9, b"hello"));
    assert!(Vaa::read(&whole).is_some());
    assert_eq!(Vaa::read("no hex"), None);
    // A body may end anywhere behind its 51 bytes.
    for length in 0..2 * (6 + 132 + 51) {
        assert_eq!(Vaa::read(&whole[..length]), None, "{length}");
    }
    let upgrade = vaa(&body(1, 4, &payload(2)));
    let names_nobody = 2 * (6 + 132 + 51 + 39);
    assert_eq!(Vaa::read(&upgrade[..names_nobody]).and_then(|vaa| vaa.upgrade), None);
}

#[test]
fn only_governance_puts_guardians_in_office() {
    let upgrade = |body: &[u8]| Vaa::read(&vaa(body)).expect("a VAA").upgrade;
    let guardians = vec![Address::repeat_byte(0x11), Address::repeat_byte(0x22)];
    assert_eq!(upgrade(&body(1, 4, &payload(2))), Some(Upgrade { index: 8, guardians }));
    for (chain, emitter, action) in [(2, 4, 2), (1, 5, 2), (1, 4, 1)] {
        assert_eq!(upgrade(&body(chain, emitter, &payload(action))), None);
    }
}

#[test]
fn a_proof_stands_where_signatures_stood() {
    let body = body(2, 9, b"hello");
    let read = Vaa::read(&format!("{}\n", vaa(&body))).expect("a VAA");
    assert_eq!(read.digest(), keccak256(keccak256(&body)));
    let passed = [&[0x4d, 0, 0, 0, 7, 0, 3][..], &[0xcc; 3], &body].concat();
    assert_eq!(read.with(&Bytes::from(vec![0xcc; 3])), passed);
}
