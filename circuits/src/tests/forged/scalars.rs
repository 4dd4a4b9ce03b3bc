//! Responses that are not reduced.

use num_bigint::BigUint;

use super::*;

/// Order of the subgroup.
fn order() -> BigUint {
    BigUint::from_bytes_le(&(-Scalar::ONE).to_bytes()) + 1u8
}

fn bytes(value: &BigUint) -> [u8; 32] {
    let mut bytes = value.to_bytes_le();
    bytes.resize(32, 0);
    bytes.try_into().expect("below 2^256")
}

/// `s + m·l` satisfies the equation as `s` does, so only the range of `s` refuses it.
#[test]
fn a_response_that_is_not_reduced() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            let s = BigUint::from_bytes_le(&claim.inputs.signatures[0].s);
            // The field has room for s + 4·l or so, 256 bits for s + 41·l.
            for multiple in [1u8, 2, 3, 4, 5, 7, 40] {
                let raised = bytes(&(&s + order() * multiple));
                claim.assert_refused_after("s + m·l", |inputs| inputs.signatures[0].s = raised);
            }
            assert!(Scalar::from_bytes(&bytes(&(s + order()))).is_none());
            for value in [order(), order() - 1u8, order() * 2u8, BigUint::from(1u8) << 255] {
                let value = bytes(&value);
                claim.assert_refused_after("s", |inputs| inputs.signatures[0].s = value);
            }
        }
    }
}

/// `s = l` where `s = 0` would hold: `R = -g·c·A`, which a signer reaches who knows nothing of a nonce but
/// the challenge's factor. The padding slot's key is the generator, whose secret is 1.
#[test]
fn the_order_in_place_of_zero() {
    for scheme in INDEPENDENT {
        let claim = Claim::new(&small(scheme, Mode::WholeSet), &members(4), &[2]);
        claim.assert_refused_after("s = l", |inputs| inputs.signatures[1].s = bytes(&order()));
        claim.assert_refused_after("s = 0", |inputs| inputs.signatures[1].s = [0; 32]);
    }
}

/// `s + l` with the cell forged that keeps its upper limb below that of `l`.
#[test]
fn a_response_that_is_not_reduced_with_its_room_forged() {
    for scheme in EMBEDDED {
        let mut claim = Claim::small(scheme, Mode::WholeSet);
        let s = BigUint::from_bytes_le(&claim.inputs.signatures[0].s);
        let raised = s + order();
        let high = &raised >> 144;
        let largest: BigUint = (order() >> 144) - 1u8;
        assert!(high > largest);
        claim.inputs.signatures[0].s = bytes(&raised);
        let fe =
            |value: &BigUint| Option::<Fr>::from(Fr::from_bytes(&bytes(value))).expect("small");
        let room = fe(&largest) - fe(&high);
        let grid = claim.grid();
        let found = grid.replace(&[(room, Fr::zero())]);
        assert!(found.len() >= 2, "the room stands in a range column and in the sum");
        assert!(!claim.holds_with(found.clone()), "{scheme}");
        // Only where it is range-checked, so that the copy breaks instead of the sum.
        let [_, _, range, _] = gates(&claim.shape);
        let checked: Vec<_> = found.into_iter().filter(|f| range.contains(&f.column)).collect();
        assert!(!checked.is_empty() && !claim.holds_with(checked), "{scheme}");
        claim.assert_refused_with("high limb", &[(fe(&high), fe(&largest))]);
        claim.assert_refused_with("both", &[(fe(&high), fe(&largest)), (room, Fr::zero())]);
    }
}
