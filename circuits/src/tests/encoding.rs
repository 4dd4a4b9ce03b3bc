//! Field elements as files have them.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use crate::encoding::{field_from_hex, field_to_hex};

#[test]
fn field_elements_are_canonical() {
    for value in [Fr::zero(), Fr::one(), -Fr::one()] {
        assert_eq!(field_from_hex(&field_to_hex(&value)), Ok(value));
    }
    let modulus = "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001";
    assert!(field_from_hex(modulus).is_err());
    for bad in ["", "0x", "0x00", "30", "0xzz", &format!("{modulus}00"), "0x0"] {
        assert!(field_from_hex(bad).is_err(), "{bad}");
    }
}
